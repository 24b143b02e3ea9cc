/* Opens a capture by its magic number; pcap goes to libpcap through a guard that checks what
 * libpcap lets pass. */
#include "run/capture.h"

#include <errno.h>
#include <fcntl.h>
#include <pcap/pcap.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/bytes.h"
#include "base/diag.h"
#include "run/capture_source.h"

enum { PCAP_FILE_HEADER_BYTES = 24, PCAP_RECORD_HEADER_BYTES = 16 };

static const u32 pcap_magics[] = {0xa1b2c3d4, 0xa1b23c4d, 0xa1b2cd34};
enum { PCAPNG_MAGIC = 0x0a0d0d0a };

/* Follows the pcap stream on its way into libpcap. libpcap cuts a record that is longer than the
 * file's snap length without a word; such a file is corrupt, and its user should know. */
struct guard {
	bool swapped;
	u32 snaplen;
	u8 header[PCAP_FILE_HEADER_BYTES];
	size_t have; /* bytes of the header collected so far */
	bool in_file_header;
	u64 skip;       /* record bytes to come */
	u64 records;    /* whose headers were seen */
	u64 bad_record; /* number of the first that is too long; 0 = none */
	u32 bad_bytes;
};

struct capture {
	struct source source;
	struct guard guard;
	FILE *cookie;
	pcap_t *pcap;
	struct pcapng *ng;
	u64 number;
};

int source_fill(struct source *s, size_t want)
{
	if (s->start == s->end)
		s->start = s->end = 0;
	while (s->end - s->start < want) {
		ssize_t got = read(s->fd, s->buffer + s->end, SOURCE_BUFFER_BYTES - s->end);

		if (got == 0)
			return 0;
		if (got < 0) {
			s->interrupted = errno == EINTR;
			return s->interrupted ? -EINTR : -EIO;
		}
		s->end += (size_t)got;
	}
	return 0;
}

ssize_t source_take(struct source *s, void *to, size_t bytes)
{
	int err = source_fill(s, s->start == s->end ? 1 : 0);

	if (err)
		return err;
	size_t got = s->end - s->start < bytes ? s->end - s->start : bytes;
	memcpy(to, s->buffer + s->start, got);
	s->start += got;
	s->position += got;
	return (ssize_t)got;
}

int source_read(struct source *s, void *to, size_t bytes)
{
	for (size_t have = 0; have < bytes;) {
		ssize_t got = source_take(s, (u8 *)to + have, bytes - have);

		if (got < 0)
			return (int)got;
		if (got == 0)
			return have ? -EINVAL : 0;
		have += (size_t)got;
	}
	return 1;
}

static u32 guard_u32(const struct guard *g, size_t off)
{
	u32 v = load_le32(g->header + off);

	return g->swapped ? __builtin_bswap32(v) : v;
}

static void guard_header_done(struct guard *g)
{
	g->have = 0;
	if (g->in_file_header) {
		g->in_file_header = false;
		g->snaplen = guard_u32(g, 16);
		return;
	}
	g->records++;
	g->skip = guard_u32(g, 8);
	if (g->snaplen && g->skip > g->snaplen && !g->bad_record) {
		g->bad_record = g->records;
		g->bad_bytes = (u32)g->skip;
	}
}

static void guard_pass(struct guard *g, const u8 *p, size_t bytes)
{
	while (bytes) {
		size_t want =
			(g->in_file_header ? PCAP_FILE_HEADER_BYTES : PCAP_RECORD_HEADER_BYTES) -
			g->have;
		size_t n = g->skip ? (g->skip < bytes ? (size_t)g->skip : bytes)
				   : (want < bytes ? want : bytes);

		if (g->skip) {
			g->skip -= n;
		} else {
			memcpy(g->header + g->have, p, n);
			g->have += n;
			if (n == want)
				guard_header_done(g);
		}
		p += n;
		bytes -= n;
	}
}

static ssize_t cookie_read(void *cookie, char *to, size_t bytes)
{
	struct capture *c = cookie;
	ssize_t got = source_take(&c->source, to, bytes);

	if (got < 0)
		return got == -EINTR ? 0 : -1;
	guard_pass(&c->guard, (const u8 *)to, (size_t)got);
	return got;
}

static int open_pcap(struct capture *c, bool swapped, struct diag *d)
{
	char error[PCAP_ERRBUF_SIZE] = "";

	c->guard = (struct guard){.in_file_header = true, .swapped = swapped};
	c->cookie = fopencookie(c, "r", (cookie_io_functions_t){.read = cookie_read});
	if (!c->cookie)
		return diag_nomem(d);
	c->pcap = pcap_fopen_offline_with_tstamp_precision(
		c->cookie, PCAP_TSTAMP_PRECISION_NANO, error);
	if (!c->pcap)
		return diag_fail(d, pos_text(c->source.path, 0, 0), EINVAL, "%s", error);
	c->cookie = NULL; /* belongs to pcap now */
	return 0;
}

static int open_by_magic(struct capture *c, struct diag *d)
{
	const u8 *start = c->source.buffer;
	u32 magic = load_le32(start);

	if (magic == PCAPNG_MAGIC)
		return pcapng_new(&c->source, &c->ng, d);
	for (size_t i = 0; i < ARRAY_LEN(pcap_magics); i++)
		if (magic == pcap_magics[i] || magic == __builtin_bswap32(pcap_magics[i]))
			return open_pcap(c, magic != pcap_magics[i], d);
	if ((magic & 0xffff) == 0x8b1f)
		return diag_fail(d, pos_text(c->source.path, 0, 0), EINVAL,
			"is gzip-compressed; unpack it first: zcat FILE | weir ... -r -");
	return diag_fail(d, pos_text(c->source.path, 0, 0), EINVAL,
		"is neither a pcap nor a pcapng file (it starts with %02x %02x %02x %02x)",
		start[0], start[1], start[2], start[3]);
}

static int open_file(struct capture *c, const char *path, struct diag *d)
{
	struct stat st;

	c->source.path = path;
	c->source.buffer = mem_alloc(SOURCE_BUFFER_BYTES);
	if (!c->source.buffer)
		return diag_nomem(d);
	c->source.fd = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
	if (c->source.fd < 0) {
		int err = errno;

		return diag_fail(
			d, pos_text(path, 0, 0), err, "can't be opened: %s", strerror(err));
	}
	if (!fstat(c->source.fd, &st)) {
		if (S_ISDIR(st.st_mode))
			return diag_fail(
				d, pos_text(path, 0, 0), EISDIR, "is a directory, not a capture");
		if (S_ISREG(st.st_mode))
			c->source.size = (u64)st.st_size;
	}
	switch (source_fill(&c->source, CAPTURE_MAGIC_BYTES)) {
	case -EIO:
		return diag_fail(
			d, pos_text(path, 0, 0), EIO, "can't be read: %s", strerror(errno));
	case -EINTR:
		return diag_fail(
			d, pos_text(path, 0, 0), EINTR, "interrupted before the first packet");
	}
	if (c->source.end < CAPTURE_MAGIC_BYTES)
		return diag_fail(d, pos_text(path, 0, 0), EINVAL, "is %s: no capture",
			c->source.end ? "shorter than four bytes" : "empty");
	return open_by_magic(c, d);
}

int capture_open(const char *path, struct capture **out, struct diag *d)
{
	struct capture *c = mem_zalloc(sizeof(*c));

	if (!c)
		return diag_nomem(d);
	c->source.fd = -1;
	int err = open_file(c, path, d);
	if (err) {
		capture_close(c);
		return err;
	}
	*out = c;
	return 0;
}

void capture_close(struct capture *c)
{
	if (!c)
		return;
	if (c->pcap)
		pcap_close(c->pcap);
	if (c->cookie)
		fclose(c->cookie);
	pcapng_free(c->ng);
	if (c->source.fd > STDIN_FILENO)
		close(c->source.fd);
	mem_free(c->source.buffer);
	mem_free(c);
}

/* libpcap's own number for raw IP is the platform's; in files, and here, it is LINKTYPE_RAW. All
 * other types that weir reads have one number. */
static u32 link_of_dlt(int dlt)
{
	return dlt == DLT_RAW ? LINKTYPE_RAW : (u32)dlt;
}

static int dlt_of_link(u32 link)
{
	return link == LINKTYPE_RAW ? DLT_RAW : (int)link;
}

static int next_pcap(struct capture *c, struct record *r, struct diag *d)
{
	struct pcap_pkthdr *header;
	const u8 *data;
	int got = pcap_next_ex(c->pcap, &header, &data);

	if (got == PCAP_ERROR_BREAK || (got != 1 && c->source.interrupted))
		return 0;
	struct pos pos = pos_text(c->source.path, 0, 0);
	unsigned long long number = c->number + 1;
	if (got != 1)
		return diag_fail(d, pos, EINVAL, "packet %llu: %s", number, pcap_geterr(c->pcap));
	if (c->guard.bad_record == number)
		return diag_fail(d, pos, EINVAL,
			"packet %llu: has %u captured bytes, more than the file's snap length of "
			"%u: the file is corrupt",
			number, c->guard.bad_bytes, c->guard.snaplen);
	*r = (struct record){
		.data = data,
		.bytes = header->caplen,
		.wire_bytes = header->len,
		.link = link_of_dlt(pcap_datalink(c->pcap)),
		.time_ns = (u64)header->ts.tv_sec * 1000000000u + (u64)header->ts.tv_usec,
	};
	return 1;
}

int capture_next(struct capture *c, struct record *r, struct diag *d)
{
	int got = c->ng ? pcapng_next(c->ng, r, d) : next_pcap(c, r, d);

	if (got < 0 && c->source.interrupted)
		return 0;
	if (got == 1)
		r->number = ++c->number;
	return got;
}

u64 capture_position(const struct capture *c)
{
	return c->source.position;
}

u64 capture_size(const struct capture *c)
{
	return c->source.size;
}

struct capture_writer {
	const char *path;
	u32 link;
	pcap_t *pcap;
	pcap_dumper_t *dumper;
};

/* libpcap would close standard output with the dumper, so it gets a copy. */
static FILE *open_output(const char *path)
{
	if (strcmp(path, "-") != 0)
		return fopen(path, "wb");
	int fd = dup(STDOUT_FILENO);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "wb");
	if (!file && fd >= 0) {
		close(fd);
		errno = EBADF; /* it isn't open for writing */
	}
	return file;
}

/* With the file's header. NULL, and *why says why. */
static pcap_dumper_t *open_dumper(pcap_t *pcap, const char *path, const char **why)
{
	FILE *file = pcap ? open_output(path) : NULL;
	pcap_dumper_t *dumper = file ? pcap_dump_fopen(pcap, file) : NULL;

	if (!dumper)
		*why = !pcap ? "out of memory" : !file ? strerror(errno) : pcap_geterr(pcap);
	return dumper;
}

int capture_writer_open(const char *path, u32 link, struct capture_writer **out, struct diag *d)
{
	struct capture_writer *w = mem_zalloc(sizeof(*w));

	if (!w)
		return diag_nomem(d);
	w->path = path;
	w->link = link;
	w->pcap = pcap_open_dead_with_tstamp_precision(
		dlt_of_link(link), CAPTURE_RECORD_MAX, PCAP_TSTAMP_PRECISION_NANO);
	const char *why = NULL;
	w->dumper = open_dumper(w->pcap, path, &why);
	if (!w->dumper) {
		int err = diag_fail(d, pos_text(path, 0, 0), EIO, "can't be written: %s", why);

		if (w->pcap)
			pcap_close(w->pcap);
		mem_free(w);
		return err;
	}
	*out = w;
	return 0;
}

int capture_writer_put(struct capture_writer *w, const struct record *r, struct diag *d)
{
	if (r->link != w->link)
		return diag_fail(d, pos_text(w->path, 0, 0), EINVAL,
			"packet %llu has link type %u, but the file was begun with %u, and a pcap "
			"file has one",
			(unsigned long long)r->number, r->link, w->link);
	struct pcap_pkthdr header = {
		.ts = {.tv_sec = (time_t)(r->time_ns / 1000000000u),
			.tv_usec = (suseconds_t)(r->time_ns % 1000000000u)},
		.caplen = r->bytes,
		.len = r->wire_bytes,
	};
	pcap_dump((u8 *)w->dumper, &header, r->data);
	if (ferror(pcap_dump_file(w->dumper)))
		return diag_fail(
			d, pos_text(w->path, 0, 0), EIO, "can't be written: %s", strerror(errno));
	return 0;
}

int capture_writer_close(struct capture_writer *w, struct diag *d)
{
	int err = 0;

	if (!w)
		return 0;
	if (pcap_dump_flush(w->dumper))
		err = diag_fail(
			d, pos_text(w->path, 0, 0), EIO, "can't be written: %s", strerror(errno));
	pcap_dump_close(w->dumper);
	pcap_close(w->pcap);
	mem_free(w);
	return err;
}
