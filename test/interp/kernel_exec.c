/* The interpreter against this machine's kernel: kernel_exec FOLDER
 *
 * Every exec case is loaded as an XDP program, run on a packet, and must leave the same r0 and the same
 * memory, with r0 behind it. A case with a section "-- no kernel" must be refused. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../case.h"
#include "../kernel_prog.h"
#include "../kernel_raw.h"
#include "base/bytes.h"
#include "base/diag.h"
#include "../interp_once.h"
#include "isa/isa.h"

enum { EXIT_SKIPPED = 77, PACKET_BYTES = 64, R0_OFF = PACKET_BYTES - 8 };

/* The kernel's reason: the last line but the statistics. */
static struct str reason(const char *log)
{
	struct str rest = str_of(log), line, last = str_of("no log");

	while (rest.len) {
		str_split(rest, '\n', &line, &rest);
		if (line.len && memcmp(line.p, "processed ", 10) &&
			memcmp(line.p, "verification ", 13) && memcmp(line.p, "stack depth", 11))
			last = line;
	}
	return last;
}

static void compare(struct tcase *c, const struct prog *p, const u8 *start, u32 len)
{
	const struct section *refused = case_find(c, "no", "kernel");
	u8 kernel[PACKET_BYTES], ours[PACKET_BYTES];
	char *log = malloc(KERNEL_RAW_LOG_BYTES);

	memcpy(kernel, start, PACKET_BYTES);
	memcpy(ours, start, PACKET_BYTES);
	int err = kernel_raw_run(p, kernel, PACKET_BYTES, len, log);
	if (err && !refused)
		case_fail(c, NULL, "the kernel refuses: %.*s (%s)", (int)reason(log).len,
			reason(log).p, strerror(-err));
	if (!err && refused)
		case_fail(c, refused, "the kernel takes this program");
	if (!err) {
		store_le64(ours + R0_OFF, interp_once(p, (u64)(uintptr_t)ours, len, NULL));
		if (memcmp(ours + R0_OFF, kernel + R0_OFF, 8))
			case_fail(c, NULL, "r0: kernel 0x%llx, interpreter 0x%llx",
				(unsigned long long)load_le64(kernel + R0_OFF),
				(unsigned long long)load_le64(ours + R0_OFF));
		if (memcmp(ours, kernel, R0_OFF))
			case_fail(c, NULL, "the memory differs");
	}
	free(log);
}

static void run_case(struct tcase *c)
{
	struct str text = case_need(c, "asm", "");
	const struct section *mem = case_find(c, "mem", "");
	struct prog *p = prog_new("case", PROG_TYPE_RAW);
	u8 start[PACKET_BYTES] = {0};
	struct diag d = {0};
	struct buf bytes = {0};

	if (mem)
		case_bytes(c, mem, &bytes);
	if (bytes.len > R0_OFF)
		case_fail(c, mem, "more than %d bytes", R0_OFF);
	else if (bytes.len)
		memcpy(start, bytes.data, bytes.len);
	if (prog_assemble(p, "asm", text.p, text.len, &d) || prog_check(p, &d))
		case_fail(c, NULL, "%s", diag_first(&d));
	if (!c->failed)
		compare(c, p, start, (u32)bytes.len);
	buf_fini(&bytes);
	diag_fini(&d);
	prog_free(p);
}

struct counts {
	unsigned passed, failed;
};

static int run_file(struct counts *n, const char *path)
{
	struct case_file file;
	struct tcase c = {.file = &file};
	int err = case_file_read(&file, path);

	while (!err && case_next(&c)) {
		/* What needs maps or passes goes beyond instructions, and is held against the kernel elsewhere. */
		if (case_find(&c, "maps", "") || case_find(&c, "needs", "passes"))
			continue;
		run_case(&c);
		n->passed += !c.failed;
		n->failed += c.failed;
		if (c.failed)
			printf("FAIL %.*s\n%s", (int)c.name.len, c.name.p, buf_cstr(&c.log));
	}
	buf_fini(&c.log);
	case_file_fini(&file);
	return err;
}

static int is_case(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');

	return dot && !strcmp(dot, ".t");
}

int main(int argc, char **argv)
{
	struct counts n = {0};
	struct dirent **names;

	if (!kernel_progs_work()) {
		puts("SKIP: no right to load programs in the kernel");
		return EXIT_SKIPPED;
	}
	int nr = argc == 2 ? scandir(argv[1], &names, is_case, alphasort) : -1;
	for (int i = 0; i < nr; i++) {
		struct buf path = {0};

		buf_printf(&path, "%s/%s", argv[1], names[i]->d_name);
		if (run_file(&n, buf_cstr(&path)))
			n.failed++;
		buf_fini(&path);
		free(names[i]);
	}
	if (nr >= 0)
		free(names);
	printf("%u cases as in the kernel, %u not\n", n.passed, n.failed);
	return n.failed || !n.passed ? EXIT_FAILURE : EXIT_SUCCESS;
}
