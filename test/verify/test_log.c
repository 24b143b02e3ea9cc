/* The log of level 2 is the kernel's: each instruction that we log, with what changed behind it, this machine's kernel logs
 * with the same words. Not compared: the order of paths and which of them are pruned, so that the kernel may have more;
 * where numbers are marked as precise ("P", mark_precise lines), since ours is found in another way; how far behind a
 * packet's end a pointer is known to be (r=0xfffffffffffffffe); addresses of maps; its live registers and stack. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../kernel_prog.h"
#include "base/buf.h"
#include "base/diag.h"
#include "cpu/cpu.h"
#include "isa/isa.h"
#include "isa/prog.h"
#include "map/map.h"
#include "random_prog.h"
#include "verify/verify.h"

enum {
	EXIT_SKIPPED = 77,
	LOG_BYTES = 1 << 22,
	LINES_MAX = 1 << 16,
	LINE_BYTES = 2000,
	RANDOM_PROGRAMS = 200
};

static const struct {
	const char *name, *text;
} programs[] = {
	{"moves and sums", "r0 = 1\nr1 = 0x123456789 ll\nr0 += r1\nw2 = w0\nr2 <<= 3\n"
			   "r0 = -70000\nr0 = 0\nexit\n"},
	{"packet", "r6 = r1\nr2 = *(u32 *)(r1 +0)\nr3 = *(u32 *)(r1 +4)\nr4 = r2\n"
		   "r4 += 14\nif r4 > r3 goto out\nr5 = *(u8 *)(r2 +12)\n"
		   "*(u8 *)(r2 +1) = r5\nr2 += r5\nr4 = r2\nr4 += 2\nif r4 > r3 goto out\n"
		   "r0 = *(u16 *)(r2 +0)\nout:\nr0 = 2\nexit\n"},
	{"stack", "r1 = *(u32 *)(r1 +16)\n*(u64 *)(r10 -8) = r1\n*(u32 *)(r10 -16) = 0\n"
		  "*(u32 *)(r10 -12) = r1\n*(u8 *)(r10 -17) = 7\nr2 = *(u64 *)(r10 -8)\n"
		  "r3 = *(u32 *)(r10 -16)\nr4 = r10\nr4 += -24\n*(u64 *)(r10 -32) = r4\n"
		  "r5 = *(u64 *)(r10 -32)\n*(u64 *)(r10 -40) = 5\n"
		  "r0 = *(u16 *)(r10 -40)\nr0 = 0\nexit\n"},
	{"ranges", "r2 = *(u32 *)(r1 +12)\nr3 = r2\nif r2 > 100 goto out\nr2 <<= 2\n"
		   "w3 = w2\nr4 = *(u32 *)(r1 +16)\nr4 *= -4\nif r4 s< -5000 goto out\n"
		   "r4 s>>= 1\nr5 = r4\nr5 &= 0xff0\nr5 |= 1\nif r5 == 17 goto out\nout:\n"
		   "r0 = 1\nexit\n"},
	{"map value", "*(u32 *)(r10 -4) = 1\nr1 = map[0] ll\nr2 = r10\nr2 += -4\ncall 1\n"
		      "if r0 == 0 goto out\nr1 = *(u8 *)(r0 +0)\nr1 &= 7\nr0 += r1\n"
		      "r2 = *(u8 *)(r0 +1)\n*(u8 *)(r0 +2) = r2\nout:\nr0 = 0\nexit\n"},
	{"value of an array", "r1 = map[1]+4 ll\nr2 = *(u32 *)(r1 +0)\nw2 &= 3\n"
			      "*(u32 *)(r1 +4) = r2\nr0 = 0\nexit\n"},
	{"atomics", "*(u64 *)(r10 -8) = 3\nr2 = 4\n"
		    "r2 = atomic64_fetch_add((u64 *)(r10 -8), r2)\nr0 = 3\n"
		    "r0 = atomic64_cmpxchg((u64 *)(r10 -8), r0, r2)\n"
		    "lock *(u64 *)(r10 -8) |= r2\nr0 = 0\nexit\n"},
	{"calls", "r6 = 5\nr1 = 3\nr2 = r10\nr2 += -8\n*(u64 *)(r10 -8) = 9\ncall fn\n"
		  "r0 += r6\nr0 = 1\nexit\nfn:\nr3 = *(u64 *)(r2 +0)\nr0 = r1\n"
		  "if r3 == 9 goto out\nr0 = 7\nout:\nexit\n"},
	{"jumps", "r6 = *(u32 *)(r1 +16)\nr0 = 1\nif w6 s> 7 goto a\nexit\na:\n"
		  "if r6 == 9 goto b\nr0 = 2\nb:\nexit\n"},
	{"a helper's result", "call 7\nr6 = r0\ncall 7\nr6 += r0\ncall 5\nr0 = 0\nexit\n"},
};

static const struct map_spec specs[] = {
	{.name = "table", .type = MAP_TYPE_HASH, .key_size = 4, .value_size = 16, .max_entries = 4},
	{.name = "data", .type = MAP_TYPE_ARRAY, .key_size = 4, .value_size = 64, .max_entries = 1},
};

/* Lines as they are compared. */

struct lines {
	u32 nr;
	char text[LINES_MAX][LINE_BYTES];
};

static void cut_out(char *at, size_t bytes)
{
	memmove(at, at + bytes, strlen(at + bytes) + 1);
}

/* "R1=P5", "fp-8=Pscalar(...)", "fp-16=????P0": without the mark. */
static void drop_marks(char *line)
{
	static const char before[] = "=?mr0";

	for (char *p = line + 1; *p; p++)
		if (*p == 'P' && strchr(before, p[-1]) &&
			(p[1] == 's' || p[1] == '-' || (p[1] >= '0' && p[1] <= '9')))
			cut_out(p, 1);
}

static void drop_names(char *line)
{
	static const char *const names[] = {"map=table,", "map=data,"};

	for (size_t n = 0; n < ARRAY_LEN(names); n++)
		for (char *p; (p = strstr(line, names[n]));)
			cut_out(p, strlen(names[n]));
}

static void drop_ends(char *line)
{
	for (char *p; (p = strstr(line, "r=0xfffffffffffffff"));) {
		cut_out(p + 2, strlen("0xfffffffffffffff") + 1);
		memmove(p + 3, p + 2, strlen(p + 2) + 1);
		p[2] = '0';
	}
}

/* The text of a 64-bit load names an address or a map. */
static void drop_address(char *line)
{
	char *load = strstr(line, "(18) "), *equal = load ? strchr(load, '=') : NULL;

	if (!equal)
		return;
	char *comment = strstr(equal, "; ");
	memmove(equal + 1, comment ? comment : "", comment ? strlen(comment) + 1 : 1);
}

/* Spaces before a comment depend on what stands before them. */
static void drop_spaces(char *line)
{
	char *comment = strstr(line, " ; "), *from = comment;

	while (from && from > line && from[-1] == ' ')
		from--;
	if (from)
		cut_out(from, (size_t)(comment - from));
}

static bool is_insn(const char *line)
{
	size_t digits = strspn(line, "0123456789");

	return digits && !strncmp(line + digits, ": (", 3);
}

static bool is_state(const char *line)
{
	size_t digits = strspn(line, "0123456789");

	return digits &&
	       (!strncmp(line + digits, ": R", 3) || !strncmp(line + digits, ": frame", 7));
}

/* What changed may stand in a line of its own when something was said in between. */
static void join(char *last, const char *state)
{
	if (!strstr(last, " ; "))
		snprintf(last + strlen(last), LINE_BYTES - strlen(last), " ; %s",
			strchr(state, ' ') + 1);
}

static void read_lines(struct lines *l, const char *log)
{
	bool behind_insn = false;

	l->nr = 0;
	for (const char *p = log; *p && l->nr < LINES_MAX;) {
		size_t len = strcspn(p, "\n");
		char line[LINE_BYTES];

		snprintf(line, sizeof(line), "%.*s", (int)len, p);
		p += len + (p[len] == '\n');
		drop_marks(line);
		drop_names(line);
		drop_ends(line);
		drop_address(line);
		drop_spaces(line);
		if (is_insn(line))
			memcpy(l->text[l->nr++], line, sizeof(line));
		else if (is_state(line) && behind_insn)
			join(l->text[l->nr - 1], line);
		if (strncmp(line, "mark_precise", 12) != 0)
			behind_insn = is_insn(line);
	}
}

/* An instruction without a state stands before the end of a path, which may be elsewhere in the kernel. */
static bool has_line(const struct lines *l, const char *line)
{
	bool no_state = !strstr(line, " ; ");

	for (u32 n = 0; n < l->nr; n++)
		if (!strcmp(l->text[n], line) ||
			(no_state && !strncmp(l->text[n], line, strlen(line))))
			return true;
	return false;
}

/* Programs. */

static struct map *maps[ARRAY_LEN(specs)];
static int fds[ARRAY_LEN(specs)];

static void name_maps(struct prog *p)
{
	for (u32 pc = 0; pc < p->len; pc++) {
		struct insn *i = &p->insns[pc];

		if (!insn_is_ld_imm64(*i))
			continue;
		pc++;
		if (i->src != LD_IMM64_MAP_IDX && i->src != LD_IMM64_MAP_IDX_VALUE)
			continue;
		i->src = i->src == LD_IMM64_MAP_IDX ? LD_IMM64_MAP_FD : LD_IMM64_MAP_VALUE;
		i->imm = fds[i->imm];
	}
}

/* Lines that we say and the kernel doesn't; compared: counts them all. */
static u32 compare(struct prog *p, bool show, u32 *compared)
{
	static char log[LOG_BYTES];
	static struct lines ours, kernel;
	struct buf text = {0};
	struct verify_opts opts = {.log_level = 2, .log = &text};
	struct facts f = {0};
	struct diag d = {0};
	u32 wrong = 0;

	int err = verify(p, &opts, &f, NULL, &d);
	name_maps(p);
	int fd = kernel_prog_load_level(KERNEL_XDP, 0, p->insns, p->len, log, sizeof(log), 2);
	if (fd >= 0)
		close(fd);
	if (!err && fd >= 0) {
		read_lines(&ours, buf_cstr(&text));
		read_lines(&kernel, log);
		*compared += ours.nr;
		for (u32 n = 0; n < ours.nr; n++)
			if (!has_line(&kernel, ours.text[n])) {
				wrong++;
				if (show)
					printf("not in the kernel's log: %s\n", ours.text[n]);
			}
	} else if (show) {
		printf("we answer %d %s, the kernel %d\n", err, err ? diag_first(&d) : "", fd);
		wrong++;
	}
	if (wrong && show)
		printf("-- ours\n%s-- the kernel's\n%s", buf_cstr(&text), log);
	facts_fini(&f);
	diag_fini(&d);
	buf_fini(&text);
	return wrong;
}

static bool known_program(size_t n, u32 *compared)
{
	struct prog *p = prog_new(programs[n].name, PROG_TYPE_XDP);
	struct diag d = {0};
	u32 index;
	bool ok = true;

	for (size_t m = 0; m < ARRAY_LEN(specs); m++)
		ok = ok && !prog_add_map(p, maps[m], &index);
	if (!ok || prog_assemble(
			   p, programs[n].name, programs[n].text, strlen(programs[n].text), &d)) {
		printf("%s: %s\n", programs[n].name, diag_first(&d));
		ok = false;
	} else if (compare(p, true, compared)) {
		printf("%s: the logs differ\n", programs[n].name);
		ok = false;
	}
	diag_fini(&d);
	prog_free(p);
	return ok;
}

/* Random programs, most of whose lines must agree: the kernel doesn't always know as much of a number as we do. */
static bool random_programs(u64 seed, u64 nr)
{
	u32 compared = 0, wrong = 0;

	for (u64 n = 0; n < nr; n++) {
		struct random r = {(seed + n) * 0x2545f4914f6cdd1dull + 1};
		struct prog *p = random_prog(&r, PROG_TYPE_XDP);

		wrong += compare(p, nr == 1, &compared);
		prog_free(p);
	}
	printf("random programs: %u lines compared, %u differ\n", compared, wrong);
	return wrong * 10 <= compared;
}

int main(void)
{
	const char *one = getenv("WEIR_SEED");
	struct cpus *cpus = NULL;
	u32 compared = 0;
	bool ok = true;

	if (!kernel_progs_work()) {
		printf("no right to load programs into the kernel: skipped\n");
		return EXIT_SKIPPED;
	}
	if (cpus_new(1, &cpus, NULL))
		return 1;
	for (size_t m = 0; m < ARRAY_LEN(specs); m++) {
		if (map_new(&specs[m], cpus, &maps[m], NULL))
			return 1;
		fds[m] = kernel_plain_map((u32)specs[m].type, specs[m].key_size, specs[m].value_size,
			specs[m].max_entries, specs[m].flags);
	}
	for (size_t n = 0; n < ARRAY_LEN(programs) && !one; n++)
		ok &= known_program(n, &compared);
	printf("%u lines as the kernel's\n", compared);
	ok &= random_programs(one ? strtoull(one, NULL, 0) : 1, one ? 1 : RANDOM_PROGRAMS);
	for (size_t m = 0; m < ARRAY_LEN(specs); m++)
		map_put(maps[m]);
	cpus_free(cpus);
	return !ok;
}
