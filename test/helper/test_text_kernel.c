/* snprintf, trace_printk, strtol, strtoul and strncmp against this machine's kernel: random formats, arguments and texts.
 * `test-text-kernel RUNS FIRST_SEED`. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../kernel_prog.h"
#include "../map/kernel_map.h"
#include "cpu/cpu.h"
#include "helper/format.h"
#include "helper/functions.h"
#include "helper/helper.h"
#include "isa/insn.h"

enum {
	TEXT_BYTES = 64,
	OUT_BYTES = 200,
	ARGS_MAX = 6,
	INSNS_MAX = 80,
	MAP_ARRAY = 2,
	RDONLY_PROG = 1 << 7
};

/* What programs work on, as the value of a map there and here as it is. */
struct box {
	u64 result, number;
	u64 args[3];
	char text[TEXT_BYTES];
	char out[OUT_BYTES];
};

static u32 runs = 400;
static u64 first_seed = 1, state;
static struct box box;
static struct insn insns[INSNS_MAX];
static u32 len;

static u32 below(u32 n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (u32)(state >> 33) % n;
}

/* ---- programs ---- */

static void put(u8 code, u8 dst, u8 src, s16 off, s32 imm)
{
	assert_true(len < INSNS_MAX);
	insns[len++] = (struct insn){
		.code = code, .dst = (u8)(dst & 15), .src = (u8)(src & 15), .off = off, .imm = imm};
}

static void put_value_of_map(u8 dst, int map)
{
	put(0x18, dst, 2, 0, map);
	put(0, 0, 0, 0, 0);
}

static void put_number(u8 dst, u64 n)
{
	put(0x18, dst, 0, 0, (s32)(u32)n);
	put(0, 0, 0, 0, (s32)(u32)(n >> 32));
}

static void put_box_address(u8 dst, size_t off)
{
	put(0xbf, dst, 6, 0, 0);
	put(0x07, dst, 0, 0, (s32)off);
}

/* Calls a helper and keeps its result. */
static void put_call(s32 helper)
{
	put(0x85, 0, 0, 0, helper);
	put(0x7b, 6, 0, offsetof(struct box, result), 0);
	put(0xb7, 0, 0, 0, 0);
	put(0x95, 0, 0, 0, 0);
}

static int new_box(void)
{
	u32 zero = 0;
	int map = kernel_plain_map(MAP_ARRAY, 4, sizeof(struct box), 1, 0);

	assert_true(map >= 0);
	assert_int_equal(kernel_elem_update(map, &zero, &box, 0), 0);
	return map;
}

/* Runs the program in insns on the box: what is in it then. -errno when it is refused. */
static int run_in_kernel(int map, struct box *after)
{
	u8 packet[64] = {0};
	u32 zero = 0, retval;
	int fd = kernel_prog_load(KERNEL_XDP, insns, len, NULL, 0);

	if (fd < 0)
		return fd;
	assert_int_equal(kernel_prog_run(fd, packet, sizeof(packet), &retval), 0);
	assert_int_equal(kernel_elem_lookup(map, &zero, after), 0);
	close(fd);
	return 0;
}

/* ---- snprintf ---- */

struct format {
	char text[TEXT_BYTES];
	u64 args[ARGS_MAX];
	bool pointer[ARGS_MAX]; /* args holds an offset in the box then */
	u32 nr;
};

static const u64 numbers[] = {0, 1, 9, 42, 255, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000,
	0x123456789abcdef, INT64_MAX, (u64)INT64_MIN, (u64)-1, (u64)-5, (u64)-1000000};

static bool add_text(struct format *f, const char *text)
{
	if (strlen(f->text) + strlen(text) >= sizeof(f->text))
		return false;
	strcat(f->text, text);
	return true;
}

static void add_arg(struct format *f, u64 value, bool pointer)
{
	if (f->nr == ARGS_MAX)
		return;
	f->args[f->nr] = value;
	f->pointer[f->nr++] = pointer;
}

static void add_number(struct format *f)
{
	static const char *flags[] = {"", "", "", "0", "-", "+", " ", "-0", "0+", " 0"};
	static const char *sizes[] = {"", "", "l", "ll"};
	char spec[32], width[8] = "";

	if (!below(2))
		snprintf(width, sizeof(width), "%u", below(40) ? below(14) : 99999);
	snprintf(spec, sizeof(spec), "%%%s%s%s%c", flags[below(ARRAY_LEN(flags))], width,
		sizes[below(ARRAY_LEN(sizes))], "diuxXdc"[below(7)]);
	if (add_text(f, spec))
		add_arg(f, numbers[below(ARRAY_LEN(numbers))], false);
}

static void add_pointer(struct format *f)
{
	static const struct {
		const char *spec;
		bool pointer;
		u64 value;
	} kinds[] = {
		{"%s", true, offsetof(struct box, text)},
		{"%s ", true, offsetof(struct box, text) + 3},
		{"<%12s>", true, offsetof(struct box, text)},
		{"%-12s|", true, offsetof(struct box, text) + 5},
		{"%pks ", true, offsetof(struct box, text)},
		{"%s,", false, 0},
		{"%s;", false, 8},
		{"%pI4", true, offsetof(struct box, args)},
		{"%pi4 ", true, offsetof(struct box, args)},
		{"%pI6", true, offsetof(struct box, args)},
		{"%pi6c!", true, offsetof(struct box, args)},
		{"%20pI4 ", true, offsetof(struct box, args)},
		{"%p", false, 0},
		{"%p ", false, (u64)-22},
		{"%px", false, 0x1234567890},
		{"%ps ", false, 5},
		{"%pS", false, 0x77},
		{"%pK ", false, 0},
	};
	u32 i = below(ARRAY_LEN(kinds));

	if (add_text(f, kinds[i].spec))
		add_arg(f, kinds[i].value, kinds[i].pointer);
}

static void add_nonsense(struct format *f)
{
	static const char *texts[] = {"%y", "%&", "%.3d", "%*d", "%hd", "%#x", "%pX", "%pI5", "%sx",
		"%lc", "%ld%~", "\x7f", "\xc3", "\xa0", "\xb5", "\xd7", "\n", "\t", "%%", "%5%",
		"%llld", "%ls", "%pp", "%n"};

	add_text(f, texts[below(ARRAY_LEN(texts))]);
}

static struct format random_format(void)
{
	struct format f = {0};

	for (u32 n = below(5); n-- > 0;) {
		switch (below(8)) {
		case 0:
			add_text(&f, "plain ");
			break;
		case 1:
			add_nonsense(&f);
			break;
		case 2:
		case 3:
		case 4:
			add_pointer(&f);
			break;
		default:
			add_number(&f);
			break;
		}
	}
	if (!below(6))
		add_arg(&f, 1, false);
	if (f.nr && !below(12))
		f.nr--;
	return f;
}

static void write_snprintf(const struct format *f, u32 room, int map, int format_map)
{
	len = 0;
	put_value_of_map(6, map);
	for (u32 k = 0; k < f->nr; k++) {
		if (f->pointer[k])
			put_box_address(1, f->args[k]);
		else
			put_number(1, f->args[k]);
		put(0x7b, 10, 1, (s16)(8 * (int)k - 8 * ARGS_MAX), 0);
	}
	put_box_address(1, offsetof(struct box, out));
	put(0xb7, 2, 0, 0, (s32)room);
	put_value_of_map(3, format_map);
	put(f->nr ? 0xbf : 0xb7, 4, f->nr ? 10 : 0, 0, 0);
	if (f->nr)
		put(0x07, 4, 0, 0, -8 * ARGS_MAX);
	put(0xb7, 5, 0, 0, (s32)(8 * f->nr));
	put_call(HELPER_snprintf);
}

static int snprintf_in_kernel(const struct format *f, u32 room, struct box *after)
{
	int map = new_box(),
	    format_map = kernel_plain_map(MAP_ARRAY, 4, TEXT_BYTES, 1, RDONLY_PROG);
	u32 zero = 0;

	assert_int_equal(kernel_elem_update(format_map, &zero, f->text, 0), 0);
	assert_int_equal(kernel_map_freeze(format_map), 0);
	write_snprintf(f, room, map, format_map);
	int ret = run_in_kernel(map, after);
	close(map);
	close(format_map);
	return ret;
}

static void snprintf_here(const struct format *f, u32 room, struct box *b)
{
	u64 args[ARGS_MAX];

	for (u32 k = 0; k < f->nr; k++)
		args[k] = f->pointer[k] ? (u64)(uintptr_t)b + f->args[k] : f->args[k];
	b->result = helper_snprintf((u64)(uintptr_t)b->out, room, (u64)(uintptr_t)f->text,
		f->nr ? (u64)(uintptr_t)args : 0, 8 * f->nr);
}

static void fill_box(void)
{
	memset(&box, 0, sizeof(box));
	strcpy(box.text, "some text in a box");
	for (u32 i = 0; i < 3; i++)
		box.args[i] = (u64)below(UINT32_MAX) << 32 | below(UINT32_MAX);
	memset(box.out, 0x55, sizeof(box.out));
}

static void snprintf_agrees(void **cm)
{
	u32 accepted = 0;

	(void)cm;
	for (u64 seed = first_seed; seed < first_seed + runs; seed++) {
		state = seed * 0x9e3779b97f4a7c15u | 1;
		for (int i = 0; i < 4; i++)
			below(2);
		fill_box();
		struct format f = random_format();
		u32 room = below(3) ? OUT_BYTES : below(30);
		struct box there, here = box;
		int kernel = snprintf_in_kernel(&f, room, &there),
		    us = format_check(f.text, TEXT_BYTES, f.nr);

		if (kernel != us)
			fail_msg("seed %llu: \"%s\" with %u arguments: the kernel says %d, we say "
				 "%d",
				(unsigned long long)seed, f.text, f.nr, kernel, us);
		if (kernel)
			continue;
		accepted++;
		snprintf_here(&f, room, &here);
		if (there.result != here.result ||
			memcmp(there.out, here.out, sizeof(here.out)) != 0)
			fail_msg("seed %llu: \"%s\" into %u bytes: the kernel writes \"%.*s\" "
				 "(%lld), we \"%.*s\" (%lld)",
				(unsigned long long)seed, f.text, room, (int)room, there.out,
				(long long)there.result, (int)room, here.out,
				(long long)here.result);
	}
	assert_true(accepted > runs / 2);
}

/* ---- trace_printk ---- */

/* Its format is memory like any other, so that one program serves all formats. */
static void trace_printk_agrees(void **cm)
{
	static const char *formats[] = {"plain", "line\n", "%d", "%d %llx", "%lld %d %u",
		"%u%u%u%u", "%y", "50%", "%%", "", "%5d|%-5d|%05d", "%c%c%c", "%s", "%s %s", "%pI4",
		"\x01", "%px", "%p", "%i\n\n", "%+d% d%X"};

	(void)cm;
	for (u32 i = 0; i < ARRAY_LEN(formats); i++) {
		struct box there;

		fill_box();
		memset(box.text, 0, sizeof(box.text));
		strcpy(box.text, formats[i]);
		box.args[0] = 0;
		int map = new_box();
		len = 0;
		put_value_of_map(6, map);
		put_box_address(1, offsetof(struct box, text));
		put(0xb7, 2, 0, 0, TEXT_BYTES);
		for (u8 k = 0; k < 3; k++)
			put(0x79, (u8)(3 + k), 6, (s16)(offsetof(struct box, args) + 8 * k), 0);
		put_call(HELPER_trace_printk);
		assert_int_equal(run_in_kernel(map, &there), 0);
		close(map);
		u64 here = helper_trace_printk((u64)(uintptr_t)box.text, TEXT_BYTES, box.args[0],
			box.args[1], box.args[2]);
		if (there.result != here)
			fail_msg("\"%s\": the kernel returns %lld, we %lld", formats[i],
				(long long)there.result, (long long)here);
	}
}

/* ---- numbers and comparing ---- */

static void random_number_text(void)
{
	static const char alphabet[] =
		"0123456789012345678901234567890789abcdefABCDEFxX-+ \t\n\xa0gz";
	static const char *starts[] = {"", "", "0x", "0X", "0", "-", " -", "  ", "-0x", "+", "0xg",
		"18446744073709551615", "18446744073709551616", "9223372036854775807",
		"9223372036854775808", "-9223372036854775808", "-9223372036854775809",
		"0xffffffffffffffff", "01777777777777777777777", "02000000000000000000000"};
	const char *start = starts[below(ARRAY_LEN(starts))];
	size_t at = strlen(start);

	memset(box.text, 0, sizeof(box.text));
	memcpy(box.text, start, at);
	for (u32 n = below(2) ? 0 : below(24); n > 0 && at < TEXT_BYTES; n--)
		box.text[at++] = alphabet[below(sizeof(alphabet) - 1)];
}

static void write_number_call(int map, s32 helper)
{
	len = 0;
	put_value_of_map(6, map);
	put_box_address(1, offsetof(struct box, text));
	put(0x79, 2, 6, offsetof(struct box, args), 0);
	put(0x25, 2, 0, 8, TEXT_BYTES); /* to the end */
	put(0x15, 2, 0, 7, 0);
	put(0x79, 3, 6, offsetof(struct box, args) + 8, 0);
	put_box_address(4, offsetof(struct box, number));
	put_call(helper);
	put(0xb7, 0, 0, 0, 1);
	put(0x95, 0, 0, 0, 0);
}

static void number_helper_agrees(s32 helper, u64 (*ours)(u64, u64, u64, u64, u64))
{
	static const u64 flags[] = {0, 0, 8, 10, 16, 7, 2, 32, 1ull << 40};

	for (u64 seed = first_seed; seed < first_seed + runs; seed++) {
		struct box there, here;

		state = seed * 0x9e3779b97f4a7c15u | 1;
		fill_box();
		random_number_text();
		box.args[0] = below(2) ? strnlen(box.text, TEXT_BYTES) : 1 + below(TEXT_BYTES);
		if (!box.args[0])
			box.args[0] = 1;
		box.args[1] = flags[below(ARRAY_LEN(flags))];
		box.number = 0x5555;
		here = box;
		int map = new_box();
		write_number_call(map, helper);
		assert_int_equal(run_in_kernel(map, &there), 0);
		close(map);
		here.result = ours((u64)(uintptr_t)here.text, here.args[0], here.args[1],
			(u64)(uintptr_t)&here.number, 0);
		if (there.result != here.result || there.number != here.number)
			fail_msg("seed %llu: \"%.64s\", %llu bytes, flags %llu: the kernel returns "
				 "%lld and %llx, we %lld and %llx",
				(unsigned long long)seed, box.text, (unsigned long long)box.args[0],
				(unsigned long long)box.args[1], (long long)there.result,
				(unsigned long long)there.number, (long long)here.result,
				(unsigned long long)here.number);
	}
}

static void strtol_agrees(void **cm)
{
	(void)cm;
	number_helper_agrees(HELPER_strtol, helper_strtol);
}

static void strtoul_agrees(void **cm)
{
	(void)cm;
	number_helper_agrees(HELPER_strtoul, helper_strtoul);
}

static void strncmp_agrees(void **cm)
{
	static const char *pairs[][2] = {{"same", "same"}, {"same", "sane"}, {"sane", "same"},
		{"short", "shorter"}, {"shorter", "short"}, {"", "a"}, {"a", ""}, {"\xff", "\x01"},
		{"\x01", "\xff"}, {"abcdefgh", "abcdefgx"}};

	(void)cm;
	for (u32 i = 0; i < ARRAY_LEN(pairs); i++) {
		for (s32 size = 1; size <= 10; size++) {
			char constant[TEXT_BYTES] = {0};
			struct box there;
			u32 zero = 0;

			fill_box();
			memset(box.text, 0, sizeof(box.text));
			strcpy(box.text, pairs[i][0]);
			strcpy(constant, pairs[i][1]);
			int map = new_box(),
			    text = kernel_plain_map(MAP_ARRAY, 4, TEXT_BYTES, 1, RDONLY_PROG);
			assert_int_equal(kernel_elem_update(text, &zero, constant, 0), 0);
			assert_int_equal(kernel_map_freeze(text), 0);
			len = 0;
			put_value_of_map(6, map);
			put_box_address(1, offsetof(struct box, text));
			put(0xb7, 2, 0, 0, size);
			put_value_of_map(3, text);
			put_call(HELPER_strncmp);
			assert_int_equal(run_in_kernel(map, &there), 0);
			close(map);
			close(text);
			assert_int_equal(
				there.result, helper_strncmp((u64)(uintptr_t)box.text, (u64)size,
						      (u64)(uintptr_t)constant, 0, 0));
		}
	}
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(snprintf_agrees),
		cmocka_unit_test(trace_printk_agrees),
		cmocka_unit_test(strtol_agrees),
		cmocka_unit_test(strtoul_agrees),
		cmocka_unit_test(strncmp_agrees),
	};
	struct cpus *cpus;
	int failed;

	if (argc > 1)
		runs = (u32)strtoul(argv[1], NULL, 10);
	if (argc > 2)
		first_seed = strtoull(argv[2], NULL, 10);
	if (!kernel_progs_work()) {
		printf("no right to load programs into the kernel\n");
		return 77;
	}
	if (cpus_new(1, &cpus, NULL) || cpu_take(cpus, 0))
		return 1;
	u8 *before = cpu_enter(cpu_base(cpus, 0));
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	cpu_enter(before);
	cpu_release(cpus, 0);
	cpus_free(cpus);
	return failed;
}
