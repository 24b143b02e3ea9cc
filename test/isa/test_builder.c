/* Labels, constants, long jumps and source lines of the builder. */
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
#include "isa/builder.h"
#include "isa/isa.h"
#include "isa/prog.h"

static void constants(void **state)
{
	static const struct {
		u64 value;
		u8 code;
		u32 len;
	} cases[] = {
		{0, 0xb7, 1},
		{0x7fffffff, 0xb7, 1},
		{UINT64_MAX, 0xb7, 1},
		{0xffffffff80000000, 0xb7, 1},
		{0x80000000, 0xb4, 1},
		{0xffffffff, 0xb4, 1},
		{0x100000000, 0x18, 2},
		{0xffffffff7fffffff, 0x18, 2},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct builder *b = builder_new();
		struct prog *p = prog_new("t", PROG_TYPE_RAW);

		bld_const(b, BPF_REG_0, cases[i].value);
		assert_int_equal(builder_finish(b, p, NULL), 0);
		assert_int_equal(p->len, cases[i].len);
		assert_int_equal(p->insns[0].code, cases[i].code);
		assert_int_equal((u32)p->insns[0].imm, (u32)cases[i].value);
		if (p->len == 2)
			assert_int_equal((u32)p->insns[1].imm, cases[i].value >> 32);
		prog_free(p);
		builder_free(b);
	}
}

/* Where a jump written at 0 ends up, by following the instructions. `taken`: whether the
 * condition holds. */
static u32 follow(const struct prog *p, u8 written_op, bool taken)
{
	u32 pc = 0;

	for (int steps = 0; steps < 3; steps++) {
		struct insn i = p->insns[pc];

		if (insn_is_cond_jump(i)) {
			bool jumps = BPF_OP(i.code) == written_op ? taken : !taken;

			pc += 1 + (jumps ? (u32)i.off : 0);
		} else if (insn_is_ja(i)) {
			pc += 1 + (u32)insn_jump_off(i);
		}
	}
	return pc;
}

static void long_jumps(void **state)
{
	static const u8 ops[] = {BPF_JEQ, BPF_JNE, BPF_JGT, BPF_JLE, BPF_JGE, BPF_JLT, BPF_JSGT,
		BPF_JSLE, BPF_JSGE, BPF_JSLT, BPF_JSET};
	static const u32 distances[] = {0, 1, 32766, 32767, 32768, 32769, 70000};

	(void)state;
	for (size_t o = 0; o < ARRAY_LEN(ops); o++) {
		for (size_t i = 0; i < ARRAY_LEN(distances); i++) {
			struct builder *b = builder_new();
			struct prog *p = prog_new("t", PROG_TYPE_RAW);
			label_t far = builder_label(b);

			bld_jmp_imm(b, ops[o], BPF_REG_1, 5, far);
			for (u32 n = 0; n < distances[i]; n++)
				bld_alu_imm(b, BPF_MOV, BPF_REG_0, (s32)n);
			builder_bind(b, far);
			bld_exit(b);
			assert_int_equal(builder_finish(b, p, NULL), 0);
			assert_int_equal(prog_check(p, NULL), 0);
			u32 extra = distances[i] <= 32767 ? 0 : ops[o] == BPF_JSET ? 2 : 1;
			assert_int_equal(p->len, distances[i] + 2 + extra);
			assert_int_equal(follow(p, ops[o], true), p->len - 1);
			if (distances[i])
				assert_int_equal(p->insns[follow(p, ops[o], false)].imm, 0);
			prog_free(p);
			builder_free(b);
		}
	}
}

/* Lengthening one jump pushes another one over the edge; backward and unconditional ones too. */
static void long_jumps_cascade(void **state)
{
	struct builder *b = builder_new();
	struct prog *p = prog_new("t", PROG_TYPE_RAW);
	label_t start = builder_label(b), end = builder_label(b);

	(void)state;
	builder_bind(b, start);
	bld_jmp_imm(b, BPF_JEQ, BPF_REG_1, 5, end);
	for (u32 n = 0; n < 32766; n++)
		bld_alu_imm(b, BPF_MOV, BPF_REG_0, 0);
	bld_jmp_reg(b, BPF_JEQ, BPF_REG_1, BPF_REG_2, start);
	builder_bind(b, end);
	bld_ja(b, start);
	assert_int_equal(builder_finish(b, p, NULL), 0);
	assert_int_equal(prog_check(p, NULL), 0);
	/* Alone, the first would fit (32767) and the second not quite (-32768 does). */
	assert_int_equal(p->len, 32766 + 3);
	assert_int_equal(p->insns[0].off, 32767);
	assert_int_equal(p->insns[32767].off, -32768);
	assert_int_equal(p->insns[32768].code, 0x06);
	assert_int_equal(p->insns[32768].imm, -32769);

	start = builder_label(b);
	end = builder_label(b);
	builder_bind(b, start);
	bld_jmp_imm(b, BPF_JEQ, BPF_REG_1, 5, end);
	for (u32 n = 0; n < 32766; n++)
		bld_alu_imm(b, BPF_MOV, BPF_REG_0, 0);
	bld_alu_imm(b, BPF_MOV, BPF_REG_0, 1);
	bld_jmp_reg(b, BPF_JSET, BPF_REG_1, BPF_REG_2, start);
	builder_bind(b, end);
	bld_exit(b);
	assert_int_equal(builder_finish(b, p, NULL), 0);
	assert_int_equal(prog_check(p, NULL), 0);
	assert_int_equal(p->len, 32766 + 4 + 1 + 2);
	assert_int_equal(p->insns[0].code, 0x55);
	assert_int_equal(p->insns[1].imm, p->len - 1 - 2);
	assert_int_equal(p->insns[p->len - 2].imm, -(s32)(p->len - 1));
	prog_free(p);
	builder_free(b);
}

static void lines(void **state)
{
	struct builder *b = builder_new();
	struct prog *p = prog_new("t", PROG_TYPE_RAW);
	label_t far = builder_label(b);

	(void)state;
	builder_line(b, 1, 2, "first");
	bld_jmp_imm(b, BPF_JEQ, BPF_REG_1, 5, far);
	builder_line(b, 9, 9, "replaced");
	builder_line(b, 2, 1, NULL);
	for (u32 n = 0; n < 40000; n++)
		bld_alu_imm(b, BPF_MOV, BPF_REG_0, 0);
	builder_line(b, 3, 1, "last");
	builder_bind(b, far);
	bld_exit(b);
	assert_int_equal(builder_finish(b, p, NULL), 0);
	assert_int_equal(p->nr_lines, 3);
	assert_int_equal(prog_line_of(p, 0)->line, 1);
	assert_string_equal(p->line_text + prog_line_of(p, 1)->text, "first");
	assert_int_equal(prog_line_of(p, 2)->line, 2);
	assert_int_equal(prog_line_of(p, 2)->text, 0);
	assert_string_equal(p->line_text + prog_line_of(p, p->len - 1)->text, "last");
	assert_int_equal(prog_line_of(p, p->len - 2)->line, 2);
	prog_free(p);
	builder_free(b);
}

static void survives_no_memory(void **state)
{
	(void)state;
	for (u64 n = 1;; n++) {
		struct prog *p = prog_new("t", PROG_TYPE_RAW);
		struct diag d = {0};

		mem_fail_at(n);
		struct builder *b = builder_new();
		int err = -ENOMEM;
		if (b) {
			label_t end = builder_label(b);

			builder_line(b, 1, 1, "text");
			for (int i = 0; i < 100; i++)
				bld_jmp_imm(b, BPF_JEQ, BPF_REG_1, i, end);
			builder_bind(b, end);
			bld_exit(b);
			err = builder_finish(b, p, &d);
		}
		mem_fail_at(0);
		builder_free(b);
		diag_fini(&d);
		assert_true(err == 0 || (err == -ENOMEM && !p->insns));
		prog_free(p);
		if (!err)
			break;
		assert_true(n < 100);
	}
}

static void too_long(void **state)
{
	struct builder *b = builder_new();
	struct prog *p = prog_new("t", PROG_TYPE_RAW);
	struct diag d = {0};

	(void)state;
	for (u32 n = 0; n < PROG_MAX_INSNS + 1; n++)
		bld_exit(b);
	assert_int_equal(builder_finish(b, p, &d), -E2BIG);
	assert_non_null(strstr(diag_first(&d), "PROG_MAX_INSNS"));
	diag_fini(&d);
	prog_free(p);
	builder_free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(constants),
		cmocka_unit_test(long_jumps),
		cmocka_unit_test(long_jumps_cascade),
		cmocka_unit_test(lines),
		cmocka_unit_test(survives_no_memory),
		cmocka_unit_test(too_long),
	};

	return cmocka_run_group_tests_name("builder", tests, NULL, NULL);
}
