/* Form of instructions and programs, one refusal after another. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/limits.h"
#include "isa/isa.h"
#include "isa/op.h"
#include "isa/prog.h"

static void refuses_by_name(void **state)
{
	static const struct {
		struct insn insn;
		const char *part;
	} cases[] = {
		{{.code = 0x00}, "unknown opcode"},
		{{.code = 0xff}, "unknown opcode"},
		{{.code = 0x8c}, "unknown opcode"},
		{{.code = 0x38}, "8, 16 or 32 bits wide"},
		{{.code = 0x58}, "8, 16 or 32 bits wide"},
		{{.code = 0x8d}, "callx"},
		{{.code = 0xe5}, "may_goto"},
		{{.code = 0xbf, .off = -1}, "internal-only"},
		{{.code = 0xbf, .off = 1}, "off of a 64-bit move"},
		{{.code = 0xbc, .off = 32}, "off of a 32-bit move"},
		{{.code = 0x37, .off = 2, .imm = 1}, "off of a division"},
		{{.code = 0x9c, .off = -1}, "off of a division"},
		{{.code = 0xd7, .imm = 8}, "imm of a byte swap"},
		{{.code = 0xdc, .imm = 0}, "imm of a byte swap"},
		{{.code = 0xdb, .imm = 0x100}, "imm of an atomic"},
		{{.code = 0xc3, .imm = 0xe0}, "imm of an atomic"},
		{{.code = 0xcb}, "32 or 64 bits wide"},
		{{.code = 0x85, .src = 3}, "src of a call"},
		{{.code = 0x18, .src = 7}, "src of a 64-bit immediate load"},
		{{.code = 0x18}, "lacks its second half"},
		{{.code = 0xb7, .dst = 10}, "frame pointer is read only"},
		{{.code = 0xb7, .dst = 11}, "dst must be r0"},
		{{.code = 0xbf, .src = 11}, "src must be r0"},
		{{.code = 0xb7, .src = 1}, "reserved field src"},
		{{.code = 0xb7, .off = 1}, "reserved field off"},
		{{.code = 0x0f, .imm = 1}, "reserved field imm"},
		{{.code = 0x95, .dst = 1}, "reserved field dst"},
		{{.code = 0x67, .imm = 64}, "invalid shift"},
		{{.code = 0x74, .imm = 32}, "invalid shift"},
		{{.code = 0xc7, .imm = -1}, "invalid shift"},
		{{.code = 0x94}, "division by zero"},
		{{.code = 0xdb, .src = 10, .imm = 0x01}, "frame pointer is read only"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const char *why = insn_check(cases[i].insn, NULL, false);

		if (!why || !strstr(why, cases[i].part))
			fail_msg("row %zu, code 0x%02x: %s", i, cases[i].insn.code,
				why ? why : "accepted");
	}
}

static void accepts(void **state)
{
	static const struct insn insns[] = {
		{.code = 0x67, .imm = 63},
		{.code = 0x64, .imm = 31},
		{.code = 0x7b, .dst = 10, .src = 10, .off = -8},
		{.code = 0xdb, .dst = 10, .src = 10, .imm = 0},
		{.code = 0x3f, .off = 1},
		{.code = 0x06, .imm = -1},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(insns); i++)
		assert_null(insn_check(insns[i], NULL, false));
	assert_null(insn_check((struct insn){.code = 0xbf, .off = BPF_PERCPU_MOV_OFF}, NULL, true));
}

static void second_halves(void **state)
{
	struct insn first = {.code = 0x18}, next = {.imm = 5};

	(void)state;
	for (u8 kind = 0; kind < 7; kind++) {
		first.src = kind & 7;
		const char *why = insn_check(first, &next, false);
		bool wide = kind == LD_IMM64_VALUE || kind == LD_IMM64_MAP_VALUE ||
			    kind == LD_IMM64_BTF_ID || kind == LD_IMM64_MAP_IDX_VALUE;

		assert_int_equal(!why, wide);
	}
	first.src = 0;
	next.code = 0xb7;
	assert_non_null(insn_check(first, &next, false));
}

static void programs(void **state)
{
	static const struct {
		struct insn insns[4];
		u32 len;
		const char *part;
	} cases[] = {
		{{{.code = 0xb7}, {.code = 0x95}}, 2, NULL},
		{{{0}}, 0, "an instruction at least"},
		{{{.code = 0xb7}}, 1, "last insn is not an exit or jmp"},
		{{{.code = 0x05, .off = 1}, {.code = 0x95}}, 2, "jump out of range"},
		{{{.code = 0x05, .off = -2}, {.code = 0x95}}, 2, "jump out of range"},
		{{{.code = 0x06, .imm = INT32_MAX}, {.code = 0x95}}, 2, "jump out of range"},
		{{{.code = 0x85, .src = 1, .imm = 1}, {.code = 0x95}}, 2, "jump out of range"},
		{{{.code = 0x05, .off = 1}, {.code = 0x18}, {0}, {.code = 0x95}}, 4,
			"middle of a 64-bit"},
		{{{.code = 0x05, .off = 0}, {.code = 0x18}, {0}, {.code = 0x95}}, 4, NULL},
		{{{.code = 0x18}, {0}}, 2, "last insn is not an exit or jmp"},
		{{{.code = 0x18, .src = 5}, {0}, {.code = 0x95}}, 3, "map index"},
		{{{.code = 0x18, .src = 1}, {0}, {.code = 0x95}}, 3, "map by file descriptor"},
		{{{.code = 0x18, .src = 4, .imm = 9}, {0}, {.code = 0x95}}, 3, "jump out of range"},
		/* Which kernel functions there are is the verifier's business. */
		{{{.code = 0x85, .src = 2}, {.code = 0x95}}, 2, NULL},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct prog *p = prog_new("t", PROG_TYPE_RAW);
		struct diag d = {0};

		assert_int_equal(prog_set_insns(p, cases[i].insns, cases[i].len), 0);
		int err = prog_check(p, &d);
		if (err != (cases[i].part ? -EINVAL : 0) ||
			(err && !strstr(diag_first(&d), cases[i].part)))
			fail_msg("row %zu: %d %s", i, err, diag_first(&d));
		diag_fini(&d);
		prog_free(p);
	}
}

static void clone_survives_no_memory(void **state)
{
	static const struct insn exit_insn = {.code = 0x95};
	struct prog *p = prog_new("t", PROG_TYPE_RAW), *copy;

	(void)state;
	assert_int_equal(prog_set_insns(p, &exit_insn, 1), 0);
	u32 index = 7;
	for (u32 i = 0; i < PROG_MAX_MAPS; i++)
		assert_int_equal(prog_add_map(p, NULL, &index), 0);
	assert_int_equal(index, PROG_MAX_MAPS - 1);
	assert_int_equal(prog_add_map(p, NULL, &index), -E2BIG);
	for (u64 n = 1;; n++) {
		mem_fail_at(n);
		copy = prog_clone(p);
		mem_fail_at(0);
		if (copy)
			break;
		assert_true(n < 10);
	}
	assert_int_equal(copy->len, 1);
	assert_int_equal(copy->nr_maps, PROG_MAX_MAPS);
	assert_ptr_not_equal(copy->insns, p->insns);
	prog_free(copy);
	prog_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_by_name),
		cmocka_unit_test(accepts),
		cmocka_unit_test(second_halves),
		cmocka_unit_test(programs),
		cmocka_unit_test(clone_survives_no_memory),
	};

	return cmocka_run_group_tests_name("check", tests, NULL, NULL);
}
