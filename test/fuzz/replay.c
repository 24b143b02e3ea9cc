/* Runs a fuzz target on files and on mutations of them, without a fuzzer: a test, and the way to look at a find.
 *
 * usage: PROGRAM [-m MUTATIONS] [-s SEED] FILE|FOLDER ...
 *
 * Each file once, then MUTATIONS changed copies of each, always the same ones for a seed. A target that doesn't like
 * an input aborts, and the input that it was stays in ./fuzz-failed. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "base/buf.h"
#include "fuzz.h"

static uint64_t seed = 1;
static unsigned long mutations, runs;

/* What runs now, for the signal handler. */
static const uint8_t *current;
static size_t current_len;

static void keep_input(int signal)
{
	int fd = open("fuzz-failed", O_WRONLY | O_CREAT | O_TRUNC, 0644);

	if (fd >= 0 && write(fd, current, current_len) == (ssize_t)current_len)
		close(fd);
	raise(signal);
}

static void keep_failing_input(void)
{
	static const int signals[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGALRM};
	struct sigaction action = {.sa_handler = keep_input, .sa_flags = (int)SA_RESETHAND};

	for (size_t i = 0; i < ARRAY_LEN(signals); i++)
		sigaction(signals[i], &action, NULL);
}

static void run_one(const uint8_t *bytes, size_t len)
{
	/* Of exactly that size, so that sanitizers see reads behind it. */
	uint8_t *copy = malloc(len ? len : 1);

	if (!copy)
		abort();
	if (len)
		memcpy(copy, bytes, len);
	current = copy;
	current_len = len;
	alarm(120);
	LLVMFuzzerTestOneInput(copy, len);
	runs++;
	free(copy);
}

static uint64_t next_random(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

static const uint32_t corners[] = {
	0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff};

/* One change in place; the length may become less. */
static size_t mutate(uint8_t *bytes, size_t len)
{
	size_t at = next_random() % len, more = 1 + next_random() % 16, from = next_random() % len;

	switch (next_random() % 6) {
	case 0:
		bytes[at] ^= (uint8_t)(1u << next_random() % 8);
		break;
	case 1:
		bytes[at] = (uint8_t)next_random();
		break;
	case 2:
		if (len - at >= 4)
			store_le32(bytes + at, corners[next_random() % ARRAY_LEN(corners)]);
		break;
	case 3:
		if (len - at >= 4)
			store_le32(bytes + at,
				load_le32(bytes + at) + (uint32_t)(next_random() % 33) - 16);
		break;
	case 4:
		if (len - at >= more && len - from >= more)
			memmove(bytes + at, bytes + from, more);
		break;
	default:
		len = next_random() % 8 ? len : at;
		break;
	}
	return len;
}

static void run_mutations(const uint8_t *bytes, size_t len)
{
	uint8_t *copy = malloc(len ? len : 1);

	if (!copy)
		abort();
	for (unsigned long i = 0; len && i < mutations; i++) {
		size_t now = len;

		memcpy(copy, bytes, len);
		for (unsigned long k = 0; now && k < 1 + i % 5; k++)
			now = mutate(copy, now);
		run_one(copy, now);
	}
	free(copy);
}

static void run_file(const char *path)
{
	struct buf bytes = {0};
	uint8_t chunk[4096];
	FILE *file = fopen(path, "rb");

	if (!file) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		exit(2);
	}
	for (size_t n; (n = fread(chunk, 1, sizeof(chunk), file));)
		buf_put(&bytes, chunk, n);
	fclose(file);
	run_one(bytes.data, bytes.len);
	run_mutations(bytes.data, bytes.len);
	buf_fini(&bytes);
}

static int not_hidden(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static void run_path(const char *path)
{
	struct dirent **entries;
	int nr = scandir(path, &entries, not_hidden, alphasort);

	if (nr < 0) {
		run_file(path);
		return;
	}
	for (int i = 0; i < nr; i++) {
		char name[4096];

		snprintf(name, sizeof(name), "%s/%s", path, entries[i]->d_name);
		run_file(name);
		free(entries[i]);
	}
	free(entries);
}

int main(int argc, char **argv)
{
	int option;

	while ((option = getopt(argc, argv, "m:s:")) != -1) {
		if (option == 'm')
			mutations = strtoul(optarg, NULL, 0);
		else if (option == 's')
			seed = strtoull(optarg, NULL, 0) | 1;
		else
			return 2;
	}
	keep_failing_input();
	for (int i = optind; i < argc; i++)
		run_path(argv[i]);
	printf("%lu inputs\n", runs);
	return runs ? 0 : 2;
}
