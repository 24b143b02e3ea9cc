/* Division by constants becomes a multiplication: many divisors, and dividends around their multiples and limits. */
#include "harness.h"

/* r0 = r1 op n, in register `reg`. */
static struct both division(u8 cls, u8 op, u8 reg, s32 n)
{
	struct builder *b = builder_new();
	struct insn i = {.code = (u8)(cls | op | BPF_K), .dst = reg & 15u, .imm = n};

	bld_alu_imm(b, BPF_MOV, BPF_REG_3, 3);
	bld_alu_imm(b, BPF_MOV, BPF_REG_0, 0);
	if (reg != BPF_REG_1)
		bld_alu_reg(b, BPF_MOV, reg, BPF_REG_1);
	bld_insn(b, i);
	if (reg != BPF_REG_0)
		bld_alu_reg(b, BPF_ADD, BPF_REG_0, reg);
	if (reg != BPF_REG_3)
		bld_alu_reg(b, BPF_ADD, BPF_REG_0, BPF_REG_3);
	bld_exit(b);
	return both_of(b);
}

static void check_value(struct both *t, u8 cls, u8 op, u8 reg, u32 n, u64 x)
{
	u64 a = cls == BPF_ALU64 ? x : (u32)x;
	u64 want = (op == BPF_DIV ? a / n : a % n) + (reg == BPF_REG_3 ? 0 : 3);
	u64 got = run_jit(t, x, 0, NULL);

	if (want == got)
		return;
	print_error("0x%llx by %u: 0x%llx should be 0x%llx\n", (unsigned long long)x, n,
		(unsigned long long)got, (unsigned long long)want);
	both_print(t);
	fail();
}

static void check_divisor(u32 n, u64 *seed)
{
	static const u8 regs[] = {BPF_REG_0, BPF_REG_1, BPF_REG_3};
	static const u8 classes[] = {BPF_ALU, BPF_ALU64}, ops[] = {BPF_DIV, BPF_MOD};
	u8 reg = regs[rnd_below(seed, 3)];

	for (size_t c = 0; c < 2; c++)
		for (size_t o = 0; o < 2; o++) {
			struct both t = division(classes[c], ops[o], reg, (s32)n);
			u64 top = classes[c] == BPF_ALU64 ? UINT64_MAX : UINT32_MAX;

			for (u64 near = 0; near < 3; near++) {
				u64 multiple = near == 0   ? 0
					       : near == 1 ? top / n * n
							   : rnd(seed) % top / n * n;

				for (u64 delta = 0; delta < 5; delta++)
					check_value(&t, classes[c], ops[o], reg, n,
						multiple + delta - 2);
			}
			for (unsigned k = 0; k < 4; k++)
				check_value(&t, classes[c], ops[o], reg, n, rnd(seed));
			check_value(&t, classes[c], ops[o], reg, n, top);
			check_value(&t, classes[c], ops[o], reg, n, top / 2);
			both_free(&t);
		}
}

static void many_divisors(void **state)
{
	u64 seed = 0x9e3779b97f4a7c15;

	(void)state;
	for (u32 n = 1; n < 700; n++)
		check_divisor(n, &seed);
	for (unsigned bit = 9; bit < 31; bit++)
		for (u32 n = (1u << bit) - 2; n != (1u << bit) + 3; n++)
			check_divisor(n, &seed);
	for (unsigned run = 0; run < 700; run++)
		check_divisor(1 + (u32)(rnd(&seed) >> (33 + rnd_below(&seed, 30))), &seed);
	for (u32 n = INT32_MAX - 5; n <= INT32_MAX; n++)
		check_divisor(n, &seed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(many_divisors),
	};

	if (!jit_target_host()) {
		print_message("no JIT for this host\n");
		return 77;
	}
	return cmocka_run_group_tests_name("jit-div", tests, NULL, NULL);
}
