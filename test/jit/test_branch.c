/* Branches around every limit of their encodings, forwards and backwards, alone and where one that grows pushes the next
 * over its limit. */
#include "harness.h"

/* Instructions without effect on r0 that are 2 and 3 bytes long on x86-64, 4 on arm64: together they make every distance. */
static void pad(struct builder *b, unsigned twos, unsigned threes)
{
	while (twos--)
		bld_alu32_reg(b, BPF_XOR, BPF_REG_2, BPF_REG_3);
	while (threes--)
		bld_alu_reg(b, BPF_XOR, BPF_REG_2, BPF_REG_3);
}

static const u8 conditions[] = {BPF_JEQ, BPF_JNE, BPF_JGT, BPF_JGE, BPF_JLT, BPF_JLE, BPF_JSET,
	BPF_JSGT, BPF_JSGE, BPF_JSLT, BPF_JSLE};

static void expect_same(struct both *t)
{
	static const u64 args[] = {0, 1, 2, 3, (u64)-1};

	for (size_t i = 0; i < ARRAY_LEN(args); i++) {
		u64 want = run_interp(t, args[i], 0, NULL), got = run_jit(t, args[i], 0, NULL);

		both_expect(t, args[i], want, got);
	}
	both_free(t);
}

static void bld_init(struct builder *b)
{
	bld_alu_imm(b, BPF_MOV, BPF_REG_2, 0);
	bld_alu_imm(b, BPF_MOV, BPF_REG_3, 5);
}

/* r1 ? 2 : 1, with the taken side behind the padding. */
static struct both forward(u8 op, unsigned twos, unsigned threes)
{
	struct builder *b = builder_new();
	label_t taken = builder_label(b);

	bld_init(b);
	bld_jmp_imm(b, op, BPF_REG_1, 1, taken);
	bld_alu_imm(b, BPF_MOV, BPF_REG_0, 1);
	pad(b, twos, threes);
	bld_exit(b);
	builder_bind(b, taken);
	bld_alu_imm(b, BPF_MOV, BPF_REG_0, 2);
	bld_exit(b);
	return both_of(b);
}

/* Two exits, and the jump goes back to the first: r1 and the host's frame must survive both. */
static struct both backward(u8 op, unsigned twos, unsigned threes)
{
	struct builder *b = builder_new();
	label_t back = builder_label(b), start = builder_label(b);

	bld_init(b);
	bld_alu_imm(b, BPF_MOV, BPF_REG_6, 9);
	bld_ja(b, start);
	builder_bind(b, back);
	bld_alu_imm(b, BPF_MOV, BPF_REG_0, 2);
	pad(b, twos, threes);
	bld_exit(b);
	builder_bind(b, start);
	bld_jmp_imm(b, op, BPF_REG_1, 1, back);
	bld_alu_reg(b, BPF_MOV, BPF_REG_0, BPF_REG_6);
	bld_exit(b);
	return both_of(b);
}

static void around_one_byte(void **state)
{
	(void)state;
	for (size_t c = 0; c < ARRAY_LEN(conditions); c++)
		for (unsigned bytes = 90; bytes < 140; bytes++) {
			unsigned threes = bytes % 2, twos = (bytes - 3 * threes) / 2;
			struct both f = forward(conditions[c], twos, threes),
				    b = backward(conditions[c], twos, threes);

			expect_same(&f);
			expect_same(&b);
		}
}

/* 32 KiB and 1 MiB in 4-byte instructions, where arm64's test and conditional branches end. */
static void around_far_limits(void **state)
{
	static const unsigned limits[] = {8192, 262144};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(limits); i++)
		for (unsigned n = limits[i] - 6; n < limits[i] + 4; n++) {
			struct both f = forward(n & 1 ? BPF_JSET : BPF_JEQ, 0, n);
			struct both b = backward(n & 1 ? BPF_JSET : BPF_JNE, 0, n);

			expect_same(&f);
			expect_same(&b);
		}
}

/* Constants that a target may keep behind the code, used around where that is too far; one of them there, too. */
static void constants_far_away(void **state)
{
	static const u64 shared = 0x123456789abcdef0;

	(void)state;
	for (unsigned n = (1u << 18) - 16; n < (1u << 18) + 8; n += 5) {
		struct builder *b = builder_new();
		label_t out = builder_label(b);

		bld_init(b);
		bld_const(b, BPF_REG_0, shared);
		bld_const(b, BPF_REG_4, 0xfedcba9876543211);
		bld_alu_reg(b, BPF_XOR, BPF_REG_0, BPF_REG_4);
		bld_jmp32_imm(b, BPF_JGT, BPF_REG_1, 0x12345678, out);
		pad(b, 0, n);
		bld_const(b, BPF_REG_4, shared);
		bld_alu_reg(b, BPF_ADD, BPF_REG_0, BPF_REG_4);
		bld_alu_reg(b, BPF_ADD, BPF_REG_0, BPF_REG_3);
		builder_bind(b, out);
		bld_exit(b);
		struct both t = both_of(b);
		expect_same(&t);
	}
}

/* Each jump skips the next ones and is just in reach as long as they are short: one that grows pushes the one before. */
static void growing_chain(void **state)
{
	(void)state;
	for (unsigned spread = 20; spread < 64; spread++) {
		struct builder *b = builder_new();
		enum { LINKS = 200 };
		label_t ends[LINKS + 64];

		bld_init(b);
		bld_alu_imm(b, BPF_MOV, BPF_REG_0, 0);
		for (unsigned i = 0; i < ARRAY_LEN(ends); i++)
			ends[i] = builder_label(b);
		for (unsigned i = 0; i < LINKS; i++) {
			builder_bind(b, ends[i]);
			bld_alu_imm(b, BPF_ADD, BPF_REG_0, 1);
			bld_jmp_imm(b, BPF_JEQ, BPF_REG_1, (s32)(i % 4), ends[i + spread]);
		}
		for (unsigned i = LINKS; i < ARRAY_LEN(ends); i++)
			builder_bind(b, ends[i]);
		bld_exit(b);
		struct both t = both_of(b);
		expect_same(&t);
	}
}

/* Jumps around short loops and to before them, `twos` apart from what they jump over: where they become longer, the loops have
 * to be placed anew. *loops: the first instructions, the jumps back are the last. */
enum { LOOPS = 6, LOOP_INSNS = 7 };

static struct both around_loops(unsigned twos, u32 loops[LOOPS])
{
	struct builder *b = builder_new();
	label_t far = builder_label(b), again = builder_label(b), done = builder_label(b);

	bld_init(b);
	bld_alu_imm(b, BPF_MOV, BPF_REG_0, 0);
	bld_alu_imm(b, BPF_MOV, BPF_REG_6, 2);
	builder_bind(b, again);
	bld_jmp_imm(b, BPF_JEQ, BPF_REG_1, 1, far);
	for (unsigned i = 0; i < LOOPS; i++) {
		label_t loop = builder_label(b);

		pad(b, twos / LOOPS + i % 3, i);
		bld_alu_imm(b, BPF_MOV, BPF_REG_4, 3);
		loops[i] = builder_pc(b);
		builder_bind(b, loop);
		if (i >= 3) /* the loop begins with a jump out of it */
			bld_jmp_imm(b, BPF_JGT, BPF_REG_0, 0x7fffff0, i % 2 ? far : done);
		bld_alu_imm(b, BPF_ADD, BPF_REG_0, 0x12345);
		bld_alu_imm(b, BPF_XOR, BPF_REG_0, 0x1234567);
		bld_alu_imm(b, BPF_XOR, BPF_REG_3, (s32)i);
		bld_alu_imm(b, BPF_XOR, BPF_REG_0, 0x54321);
		if (i < 3)
			bld_jmp_imm(b, BPF_JGT, BPF_REG_0, 0x7fffff0, i % 2 ? far : done);
		bld_alu_imm(b, BPF_SUB, BPF_REG_4, 1);
		bld_jmp_imm(b, BPF_JNE, BPF_REG_4, 0, loop);
		bld_jmp_imm(b, BPF_JEQ, BPF_REG_1, (s32)i, i % 2 ? done : far);
	}
	pad(b, twos % LOOPS, 0);
	builder_bind(b, far);
	bld_alu_imm(b, BPF_SUB, BPF_REG_6, 1);
	bld_jmp_imm(b, BPF_JNE, BPF_REG_6, 0, again);
	builder_bind(b, done);
	bld_exit(b);
	return both_of(b);
}

static u32 lines_of(u32 at, u32 end)
{
	return (end - 1) / 64 - at / 64 + 1;
}

/* ... and what is said about the code must still be true: of x86-64's, whose jumps become longer where they stand. */
static void long_jumps_around_loops(void **state)
{
	struct jit_opts unwinding = {.unwinding = true, .target = jit_target_by_name("x86_64")};
	u32 loops[LOOPS];

	(void)state;
	for (unsigned twos = 0; twos < 160; twos++) {
		struct both t = around_loops(twos, loops);

		both_recompile(&t, NULL, &unwinding);
		const u32 *off = t.image.insn_off;
		for (unsigned i = 0; i < LOOPS; i++) {
			u32 at = off[loops[i]], end = off[loops[i] + LOOP_INSNS];

			assert_int_equal(lines_of(at, end), (end - at + 63) / 64);
		}
		assert_int_equal(t.image.nr_functions, 1);
		assert_int_equal(t.image.functions[0].at, 0);
		assert_int_equal(t.image.functions[0].end, t.image.code.len);
		const struct jit_cfi *leave = &t.image.cfi[0];
		while (leave->kind != JIT_CFI_REMEMBER)
			leave++;
		assert_int_equal(leave->at, off[t.image.len - 1]);
		both_recompile(&t, NULL, NULL);
		expect_same(&t);
	}
}

/* Every instruction's place is known, and in order. */
static void offsets_ascend(void **state)
{
	(void)state;
	struct both t = forward(BPF_JEQ, 70, 70);

	assert_int_equal(t.image.len, t.prog->len);
	for (u32 pc = 0; pc < t.image.len; pc++)
		assert_true(t.image.insn_off[pc] <= t.image.insn_off[pc + 1]);
	assert_true(t.image.insn_off[t.image.len] <= t.image.code.len);
	both_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(around_one_byte),
		cmocka_unit_test(around_far_limits),
		cmocka_unit_test(constants_far_away),
		cmocka_unit_test(growing_chain),
		cmocka_unit_test(long_jumps_around_loops),
		cmocka_unit_test(offsets_ascend),
	};

	if (!jit_target_host()) {
		print_message("no JIT for this host\n");
		return 77;
	}
	return cmocka_run_group_tests_name("jit-branch", tests, NULL, NULL);
}
