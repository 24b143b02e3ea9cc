#include "cli/control.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/alloc.h"
#include "cli/cli.h"

enum { WORDS_MAX = 8, QUESTION_BYTES_MAX = 1 << 20, PATIENCE_MS = 5000 };

struct control {
	struct map_set *set;
	char *path; /* owned */
	int listener, stop;
	pthread_t thread;
};

bool is_socket(const char *path)
{
	struct stat s;

	return !stat(path, &s) && S_ISSOCK(s.st_mode);
}

static bool address_of(const char *path, struct sockaddr_un *to)
{
	*to = (struct sockaddr_un){.sun_family = AF_UNIX};
	if (strlen(path) >= sizeof(to->sun_path))
		return false;
	strcpy(to->sun_path, path);
	return true;
}

static int connect_to(const char *path)
{
	struct sockaddr_un to;
	int fd;

	if (!address_of(path, &to)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd >= 0 && connect(fd, (struct sockaddr *)&to, sizeof(to))) {
		int err = errno;
		close(fd);
		errno = err;
		return -1;
	}
	return fd;
}

static bool send_all(int fd, const void *bytes, size_t len)
{
	const u8 *at = bytes;

	while (len) {
		ssize_t n = send(fd, at, len, MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		at += n;
		len -= (size_t)n;
	}
	return true;
}

/* Up to the first line end, or all there is. Nobody may keep the thread waiting for long. */
static bool receive(int fd, struct buf *to, bool line)
{
	struct pollfd wait = {.fd = fd, .events = POLLIN};
	u8 block[4096];

	for (;;) {
		if (line && poll(&wait, 1, PATIENCE_MS) <= 0)
			return false;
		ssize_t n = recv(fd, block, sizeof(block), 0);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n == 0 && !line;
		buf_put(to, block, (size_t)n);
		if (to->failed || (line && to->len > QUESTION_BYTES_MAX))
			return false;
		if (line && to->data[to->len - 1] == '\n') {
			to->data[--to->len] = '\0';
			return true;
		}
	}
}

static u32 split_words(char *line, char **words)
{
	u32 nr = 0;

	for (char *rest = line, *word; nr < WORDS_MAX && (word = strsep(&rest, "\t"));)
		words[nr++] = word;
	return nr;
}

static void answer(struct control *c, int fd)
{
	struct buf question = {0}, out = {0}, reply = {0};
	char *words[WORDS_MAX];
	struct diag d = {0};
	bool changed;

	if (receive(fd, &question, true)) {
		u32 nr = split_words((char *)question.data, words);
		bool json = nr && !strcmp(words[0], "json");
		int err = map_command(c->set, words + 1, nr ? nr - 1 : 0, json, &changed, &out, &d);

		if (!err && out.failed)
			err = diag_nomem(&d);
		buf_puts(&reply, err ? "error\n" : "ok\n");
		if (err)
			buf_puts(&reply, diag_first(&d));
		else
			buf_put(&reply, out.data, out.len);
		if (!reply.failed)
			send_all(fd, reply.data, reply.len);
	}
	buf_fini(&question);
	buf_fini(&out);
	buf_fini(&reply);
	diag_fini(&d);
}

static void *serve(void *arg)
{
	struct control *c = arg;
	struct pollfd wait[2] = {
		{.fd = c->listener, .events = POLLIN}, {.fd = c->stop, .events = POLLIN}};

	for (;;) {
		if (poll(wait, 2, -1) < 0)
			continue;
		if (wait[1].revents)
			return NULL;
		int fd = accept4(c->listener, NULL, NULL, SOCK_CLOEXEC);
		if (fd < 0)
			continue;
		answer(c, fd);
		close(fd);
	}
}

/* A socket that nobody answers on is left over. */
static int listen_on(const char *path, struct diag *d)
{
	struct sockaddr_un at;
	int fd;

	if (!address_of(path, &at))
		return diag_fail(d, pos_text(path, 0, 0), ENAMETOOLONG,
			"the name of a socket has less than %zu bytes", sizeof(at.sun_path));
	if (is_socket(path)) {
		int probe = connect_to(path);

		if (probe < 0)
			unlink(path);
		else
			close(probe);
	}
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	mode_t before = umask(077);
	bool bad = fd < 0 || bind(fd, (struct sockaddr *)&at, sizeof(at)) || listen(fd, 8);
	int err = errno;
	umask(before);
	if (!bad)
		return fd;
	if (fd >= 0)
		close(fd);
	return diag_fail(d, pos_text(path, 0, 0), err, "can't be listened on: %s", strerror(err));
}

static int start_thread(struct control *c, struct diag *d)
{
	int err = pthread_create(&c->thread, NULL, serve, c);

	return err ? diag_fail(d, pos_text(c->path, 0, 0), err, "no thread to answer: %s",
			     thread_error_text(err))
		   : 0;
}

int control_start(const char *path, struct map_set *set, struct control **out, struct diag *d)
{
	struct control *c = mem_zalloc(sizeof(*c));
	int err;

	if (!c)
		return diag_nomem(d);
	*c = (struct control){.set = set, .path = mem_strdup(path), .stop = -1};
	c->listener = c->path ? listen_on(path, d) : diag_nomem(d);
	if (c->listener < 0) {
		err = c->listener;
		goto fail;
	}
	c->stop = eventfd(0, EFD_CLOEXEC);
	err = c->stop < 0 ? diag_fail(d, pos_text(path, 0, 0), errno, "can't be listened on: %s",
				    strerror(errno))
			  : start_thread(c, d);
	if (!err) {
		*out = c;
		return 0;
	}
	close(c->listener);
	unlink(path);
	if (c->stop >= 0)
		close(c->stop);
fail:
	mem_free(c->path);
	mem_free(c);
	return err;
}

void control_stop(struct control *c)
{
	u64 one = 1;

	if (!c)
		return;
	while (write(c->stop, &one, sizeof(one)) < 0 && errno == EINTR)
		;
	pthread_join(c->thread, NULL);
	close(c->listener);
	close(c->stop);
	unlink(c->path);
	mem_free(c->path);
	mem_free(c);
}

int control_ask(const char *path, char **words, u32 nr, bool json)
{
	struct buf question = {0}, reply = {0};
	int fd = connect_to(path), code = EXIT_SYSTEM;

	buf_puts(&question, json ? "json" : "text");
	for (u32 i = 0; i < nr; i++)
		buf_printf(&question, "\t%s", words[i]);
	buf_puts(&question, "\n");
	if (fd < 0 || question.failed || !send_all(fd, question.data, question.len) ||
		!receive(fd, &reply, false)) {
		complain("%s: nobody answers: %s", path, strerror(errno));
	} else if (reply.len >= 3 && !memcmp(reply.data, "ok\n", 3)) {
		fwrite(reply.data + 3, 1, reply.len - 3, stdout);
		code = EXIT_OK;
	} else {
		const char *text = strchr(buf_cstr(&reply), '\n');
		complain("%s", text ? text + 1 : "no answer");
		code = EXIT_REFUSED;
	}
	if (fd >= 0)
		close(fd);
	buf_fini(&question);
	buf_fini(&reply);
	return code;
}
