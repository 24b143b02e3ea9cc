/* What native code of other engines is known to get wrong, where a text case is too small for it. */
#include "harness.h"

#include <pthread.h>
#include <string.h>

static void expect_same(const struct both *t, u64 r1, u64 r2)
{
	u64 want = run_interp(t, r1, r2, NULL), got = run_jit(t, r1, r2, NULL);

	both_expect(t, r1, want, got);
}

/* A short form that is chosen by the distance without the jump's own length wraps to a jump forwards: two exits, and from
 * the second part back to the first, over code of every length up to twice the limit. */
static void short_jumps_back_count_themselves(void **state)
{
	(void)state;
	for (u32 pairs = 0; pairs < 128; pairs++)
		for (u32 odd = 0; odd < 2; odd++)
			for (u32 conditional = 0; conditional < 2; conditional++) {
				struct builder *b = builder_new();
				label_t start = builder_label(b), back = builder_label(b);

				bld_const(b, BPF_REG_0, 0);
				bld_ja(b, start);
				builder_bind(b, back);
				bld_alu_imm(b, BPF_ADD, BPF_REG_0, 7);
				bld_exit(b);
				for (u32 i = 0; i < pairs; i++)
					bld_alu32_reg(b, BPF_XOR, BPF_REG_1, BPF_REG_2);
				if (odd)
					bld_alu_reg(b, BPF_XOR, BPF_REG_1, BPF_REG_2);
				builder_bind(b, start);
				bld_alu_imm(b, BPF_ADD, BPF_REG_0, 1);
				if (conditional)
					bld_jmp_imm(b, BPF_JGT, BPF_REG_2, 5, back);
				else
					bld_ja(b, back);
				bld_exit(b);
				struct both t = both_of(b);
				expect_same(&t, 1, 3);
				expect_same(&t, 1, 9);
				both_free(&t);
			}
}

/* A test of bits has no form with a constant of one byte that is extended. */
static void bit_tests_with_small_constants(void **state)
{
	static const s32 masks[] = {1, 2, 0x40, 0x7f, 0x80, 0xff, 0x100, 0x8000, 0x10000, INT32_MAX,
		-1, -2, -128, -129, -32768, INT32_MIN};

	(void)state;
	for (u8 reg = BPF_REG_0; reg <= BPF_REG_9; reg++)
		for (size_t m = 0; m < ARRAY_LEN(masks); m++)
			for (u32 wide = 0; wide < 2; wide++) {
				struct builder *b = builder_new();
				label_t set = builder_label(b);

				bld_alu_reg(b, BPF_MOV, reg, BPF_REG_1);
				if (wide)
					bld_jmp_imm(b, BPF_JSET, reg, masks[m], set);
				else
					bld_jmp32_imm(b, BPF_JSET, reg, masks[m], set);
				bld_const(b, BPF_REG_0, 1);
				bld_exit(b);
				builder_bind(b, set);
				bld_const(b, BPF_REG_0, 2);
				bld_exit(b);
				struct both t = both_of(b);
				for (u32 bit = 0; bit < 64; bit++)
					expect_same(&t, (u64)1 << bit, 0);
				expect_same(&t, 0, 0);
				expect_same(&t, 0xffffffff00000000, 0);
				both_free(&t);
			}
}

/* ---- atomics under contention ---- */

enum { THREADS = 3, ROUNDS = 30000 };

struct job {
	const struct both *t;
	u64 *memory;
};

static void *work(void *arg)
{
	const struct job *job = arg;

	run_jit(job->t, (u64)(uintptr_t)job->memory, ROUNDS, NULL);
	return NULL;
}

static void run_on_all(const char *text, u64 *memory)
{
	pthread_t threads[THREADS];
	struct both t = both_of_text(text);
	struct job job = {&t, memory};
	static const enum jit_lse lse[] = {JIT_LSE_NEVER, JIT_LSE_AUTO};
	for (size_t i = 0; i < ARRAY_LEN(lse); i++) {
		struct jit_opts opts = {.lse = lse[i]};

		both_recompile(&t, NULL, &opts);
		memset(memory, 0, 4 * sizeof(*memory));
		for (int n = 0; n < THREADS; n++)
			assert_int_equal(pthread_create(&threads[n], NULL, work, &job), 0);
		for (int n = 0; n < THREADS; n++)
			assert_int_equal(pthread_join(threads[n], NULL), 0);
		assert_int_equal(memory[0], 0);
		assert_int_equal(memory[1], THREADS * ROUNDS);
	}
	both_free(&t);
}

/* A comparison that reads the old value beside the exchange lets two threads in at once. */
static void a_lock_of_cmpxchg_holds(void **state)
{
	u64 memory[4];

	(void)state;
	run_on_all("again: r0 = 0\n"
		   "r3 = 1\n"
		   "r0 = atomic64_cmpxchg((u64 *)(r1 +0), r0, r3)\n"
		   "if r0 != 0 goto again\n"
		   "r4 = *(u64 *)(r1 +8)\n"
		   "r4 += 1\n"
		   "*(u64 *)(r1 +8) = r4\n"
		   "r3 = 0\n"
		   "r3 = atomic64_xchg((u64 *)(r1 +0), r3)\n"
		   "r2 -= 1\n"
		   "if r2 != 0 goto again\n"
		   "r0 = 0\n"
		   "exit\n",
		memory);
}

/* A counter by way of comparisons only: the value that is returned must be the one that was compared. */
static void the_old_value_is_the_compared_one(void **state)
{
	u64 memory[4];

	(void)state;
	run_on_all("again: r0 = *(u32 *)(r1 +8)\n"
		   "retry: r3 = r0\n"
		   "w3 += 1\n"
		   "r4 = r0\n"
		   "r0 = atomic_cmpxchg((u32 *)(r1 +8), r0, r3)\n"
		   "if w0 != w4 goto retry\n"
		   "r2 -= 1\n"
		   "if r2 != 0 goto again\n"
		   "r0 = 0\n"
		   "exit\n",
		memory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(short_jumps_back_count_themselves),
		cmocka_unit_test(bit_tests_with_small_constants),
		cmocka_unit_test(a_lock_of_cmpxchg_holds),
		cmocka_unit_test(the_old_value_is_the_compared_one),
	};

	if (!jit_target_host())
		return 77;
	return cmocka_run_group_tests_name("pitfalls", tests, NULL, NULL);
}
