/* Every ALU form and every jump over the edge values of its operands, against plain C written for this test. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "helper/helper.h"
#include "../interp_once.h"
#include "isa/builder.h"
#include "isa/isa.h"

static const u64 edges[] = {
	0,
	1,
	2,
	3,
	7,
	8,
	15,
	16,
	31,
	32,
	33,
	63,
	64,
	65,
	0x7f,
	0x80,
	0xff,
	0x100,
	0x7fff,
	0x8000,
	0xffff,
	0x10000,
	0x7ffffffe,
	0x7fffffff,
	0x80000000,
	0x80000001,
	0xfffffffe,
	0xffffffff,
	0x100000000,
	0x100000001,
	0x7fffffff00000000,
	0x7fffffffffffffff,
	0x8000000000000000,
	0x8000000000000001,
	0xffffffff00000000,
	0xffffffff7fffffff,
	0xffffffff80000000,
	0xfffffffffffffff0,
	0xfffffffffffffffe,
	0xffffffffffffffff,
	0x0123456789abcdef,
	0xfedcba9876543210,
};

/* r0 = a, r2 = b, the instructions, exit. */
static u64 run(const struct insn *insns, size_t n, u64 a, u64 b, u8 *self)
{
	struct prog *p = prog_new("t", PROG_TYPE_RAW);
	struct builder *bld = builder_new();

	p->internal = true;
	bld_const(bld, BPF_REG_0, a);
	bld_const(bld, BPF_REG_2, b);
	for (size_t i = 0; i < n; i++)
		bld_insn(bld, insns[i]);
	bld_exit(bld);
	assert_int_equal(builder_finish(bld, p, NULL), 0);
	assert_int_equal(prog_check(p, NULL), 0);
	u64 result = interp_once(p, 0, 0, self);
	builder_free(bld);
	prog_free(p);
	return result;
}

typedef __int128 wide;

static u64 c_add(u64 a, u64 b)
{
	return (u64)((unsigned __int128)a + b);
}
static u64 c_sub(u64 a, u64 b)
{
	return ~(~a + b);
}
static u64 c_mul(u64 a, u64 b)
{
	return (u64)((wide)(s64)a * (s64)b);
}
static u64 c_or(u64 a, u64 b)
{
	return ~(~a & ~b);
}
static u64 c_and(u64 a, u64 b)
{
	return ~(~a | ~b);
}
static u64 c_xor(u64 a, u64 b)
{
	return (a | b) - (a & b);
}
static u64 c_mov(u64 a, u64 b)
{
	(void)a;
	return b;
}

static u64 c_div(u64 a, u64 b)
{
	return b == 0 ? 0 : (u64)((unsigned __int128)a / b);
}

static u64 c_mod(u64 a, u64 b)
{
	return b == 0 ? a : a - c_div(a, b) * b;
}

static u64 c_sdiv(u64 a, u64 b)
{
	return b == 0 ? 0 : (u64)((wide)(s64)a / (wide)(s64)b);
}

static u64 c_smod(u64 a, u64 b)
{
	return b == 0 ? a : (u64)((wide)(s64)a % (wide)(s64)b);
}

static u64 c_lsh(u64 a, u64 b)
{
	for (u64 n = b % 64; n; n--)
		a += a;
	return a;
}

static u64 c_rsh(u64 a, u64 b)
{
	for (u64 n = b % 64; n; n--)
		a /= 2;
	return a;
}

static u64 c_arsh(u64 a, u64 b)
{
	for (u64 n = b % 64; n; n--)
		a = a / 2 | (a & 1ull << 63);
	return a;
}

/* 32-bit shifts count modulo 32; the other operations are the low half of a 64-bit one on operands that
 * were zero- or sign-extended. */
static u64 c_lsh32(u64 a, u64 b)
{
	return c_lsh(a, b % 32);
}
static u64 c_rsh32(u64 a, u64 b)
{
	return c_rsh(a, b % 32);
}
static u64 c_arsh32(u64 a, u64 b)
{
	return c_arsh(a, b % 32);
}

enum extend { ZEXT, SEXT };

static u64 extend32(u64 value, enum extend how)
{
	return how == ZEXT ? value & 0xffffffff : (u64)(s64)(s32)(u32)value;
}

static const struct {
	u8 op;
	s16 off;
	u64 (*want64)(u64 a, u64 b);
	u64 (*want32)(u64 a, u64 b);
	enum extend extend;
} alu[] = {
	{BPF_ADD, 0, c_add, c_add, ZEXT},
	{BPF_SUB, 0, c_sub, c_sub, ZEXT},
	{BPF_MUL, 0, c_mul, c_mul, ZEXT},
	{BPF_DIV, 0, c_div, c_div, ZEXT},
	{BPF_DIV, 1, c_sdiv, c_sdiv, SEXT},
	{BPF_OR, 0, c_or, c_or, ZEXT},
	{BPF_AND, 0, c_and, c_and, ZEXT},
	{BPF_LSH, 0, c_lsh, c_lsh32, ZEXT},
	{BPF_RSH, 0, c_rsh, c_rsh32, ZEXT},
	{BPF_MOD, 0, c_mod, c_mod, ZEXT},
	{BPF_MOD, 1, c_smod, c_smod, SEXT},
	{BPF_XOR, 0, c_xor, c_xor, ZEXT},
	{BPF_MOV, 0, c_mov, c_mov, ZEXT},
	{BPF_ARSH, 0, c_arsh, c_arsh32, SEXT},
};

static void expect(struct insn i, u64 a, u64 b, u64 want)
{
	u64 got = run(&i, 1, a, b, NULL);

	if (got != want)
		fail_msg("code 0x%02x off %d imm %d, a 0x%lx, b 0x%lx: 0x%lx, want 0x%lx", i.code,
			i.off, i.imm, (unsigned long)a, (unsigned long)b, (unsigned long)got,
			(unsigned long)want);
}

static void alu_reg(void **state)
{
	(void)state;
	for (size_t o = 0; o < ARRAY_LEN(alu); o++) {
		for (size_t x = 0; x < ARRAY_LEN(edges); x++) {
			for (size_t y = 0; y < ARRAY_LEN(edges); y++) {
				u64 a = edges[x], b = edges[y];
				struct insn i = {.code = BPF_ALU64 | BPF_X | alu[o].op,
					.src = 2,
					.off = alu[o].off};

				expect(i, a, b, alu[o].want64(a, b));
				i.code = BPF_ALU | BPF_X | alu[o].op;
				expect(i, a, b,
					(u32)alu[o].want32(extend32(a, alu[o].extend),
						extend32(b, alu[o].extend)));
			}
		}
	}
}

static void alu_imm(void **state)
{
	(void)state;
	for (size_t o = 0; o < ARRAY_LEN(alu); o++) {
		for (size_t x = 0; x < ARRAY_LEN(edges); x++) {
			for (size_t y = 0; y < ARRAY_LEN(edges); y++) {
				u64 a = edges[x], b = (u64)(s64)(s32)edges[y];
				struct insn i = {.code = BPF_ALU64 | alu[o].op,
					.off = alu[o].off,
					.imm = (s32)edges[y]};

				if (!insn_check(i, NULL, false))
					expect(i, a, 0, alu[o].want64(a, b));
				i.code = BPF_ALU | alu[o].op;
				if (!insn_check(i, NULL, false))
					expect(i, a, 0,
						(u32)alu[o].want32(extend32(a, alu[o].extend),
							extend32(b, alu[o].extend)));
			}
		}
	}
}

/* Value of `n` bytes of `value`, from the lowest on, read the other way round. */
static u64 c_swap(u64 value, int n)
{
	u64 out = 0;

	for (int i = 0; i < n; i++)
		out = out * 256 + (value >> 8 * i) % 256;
	return out;
}

static void unary(void **state)
{
	(void)state;
	for (size_t x = 0; x < ARRAY_LEN(edges); x++) {
		u64 a = edges[x];

		expect((struct insn){.code = 0x87}, a, 0, c_sub(0, a));
		expect((struct insn){.code = 0x84}, a, 0, (u32)c_sub(0, a));
		for (int bytes = 2; bytes <= 8; bytes *= 2) {
			u64 low = bytes == 8 ? a : a % (1ull << 8 * bytes);

			expect((struct insn){.code = 0xd4, .imm = 8 * bytes}, a, 0, low);
			expect((struct insn){.code = 0xdc, .imm = 8 * bytes}, a, 0,
				c_swap(a, bytes));
			expect((struct insn){.code = 0xd7, .imm = 8 * bytes}, a, 0,
				c_swap(a, bytes));
		}
		for (s16 bits = 8; bits <= 32; bits = (s16)(bits * 2)) {
			u64 sign = 1ull << (bits - 1), low = a & (2 * sign - 1);
			u64 want = low & sign ? low - 2 * sign : low;

			expect((struct insn){.code = 0xbf, .src = 2, .off = bits}, 0, a, want);
			if (bits < 32)
				expect((struct insn){.code = 0xbc, .src = 2, .off = bits}, 0, a,
					(u32)want);
		}
	}
}

static bool is_negative(u64 a, int bits)
{
	return a >> (bits - 1) & 1;
}

/* a < b by borrow and sign instead of C's signed compare. */
static bool less_signed(u64 a, u64 b, int bits)
{
	return is_negative(a, bits) != is_negative(b, bits) ? is_negative(a, bits) : a < b;
}

static bool jumps(u8 op, u64 a, u64 b, int bits)
{
	if (bits == 32) {
		a = extend32(a, ZEXT);
		b = extend32(b, ZEXT);
	}
	switch (op) {
	case BPF_JEQ:
		return (a ^ b) == 0;
	case BPF_JNE:
		return (a ^ b) != 0;
	case BPF_JSET:
		return (a & b) != 0;
	case BPF_JGT:
		return b < a;
	case BPF_JGE:
		return !(a < b);
	case BPF_JLT:
		return a < b;
	case BPF_JLE:
		return !(b < a);
	case BPF_JSGT:
		return less_signed(b, a, bits);
	case BPF_JSGE:
		return !less_signed(a, b, bits);
	case BPF_JSLT:
		return less_signed(a, b, bits);
	default:
		return !less_signed(b, a, bits);
	}
}

static void expect_jump(struct insn jump, u64 a, u64 b, bool want)
{
	struct insn insns[] = {
		jump,
		{.code = 0xb7, .dst = 0, .imm = 1},
		{.code = 0x05, .off = 1},
		{.code = 0xb7, .dst = 0, .imm = 2},
	};

	insns[0].off = 2;
	if (run(insns, 4, a, b, NULL) != 1u + want)
		fail_msg("code 0x%02x imm %d, a 0x%lx, b 0x%lx: want %s", jump.code, jump.imm,
			(unsigned long)a, (unsigned long)b, want ? "jump" : "no jump");
}

static void conditional_jumps(void **state)
{
	static const u8 ops[] = {BPF_JEQ, BPF_JNE, BPF_JSET, BPF_JGT, BPF_JGE, BPF_JLT, BPF_JLE,
		BPF_JSGT, BPF_JSGE, BPF_JSLT, BPF_JSLE};

	(void)state;
	for (size_t o = 0; o < ARRAY_LEN(ops); o++) {
		for (size_t x = 0; x < ARRAY_LEN(edges); x++) {
			for (size_t y = 0; y < ARRAY_LEN(edges); y++) {
				u64 a = edges[x], b = edges[y], imm = (u64)(s64)(s32)b;

				for (int bits = 32; bits <= 64; bits += 32) {
					u8 code = (u8)((bits == 64 ? BPF_JMP : BPF_JMP32) | ops[o]);

					expect_jump((struct insn){.code = code | BPF_X, .src = 2},
						a, b, jumps(ops[o], a, b, bits));
					expect_jump((struct insn){.code = code, .imm = (s32)b}, a,
						0, jumps(ops[o], a, imm, bits));
				}
			}
		}
	}
}

/* Stores `b` at [r10 - 16], runs one atomic on it with r2 as operand and r0 as `a`; gives r0 plus what it left in memory
 * and in r2. */
static void run_atomic(u8 size, s32 imm, u64 *r0, u64 *r2, u64 *mem)
{
	struct insn insns[] = {
		{.code = 0x18, .dst = 3},
		{.imm = 0},
		{.code = 0x7b, .dst = 10, .src = 3, .off = -16},
		{.code = (u8)(BPF_STX | BPF_ATOMIC | size),
			.dst = 10,
			.src = 2,
			.off = -16,
			.imm = imm},
		{.code = 0xb7, .dst = 4},
		{0},
	};
	u64 out[3];

	insns[0].imm = (s32)*mem;
	insns[1].imm = (s32)(*mem >> 32);
	for (u8 what = 0; what < 3; what++) {
		/* r0 = r0, r0 = r2, r0 = what lies in memory */
		insns[5] = what == 2 ? (struct insn){.code = 0x79, .src = 10, .off = -16}
				     : (struct insn){.code = 0xbf, .src = what * 2u & 0xfu};
		out[what] = run(insns, ARRAY_LEN(insns), *r0, *r2, NULL);
	}
	*r0 = out[0];
	*r2 = out[1];
	*mem = out[2];
}

static void atomics(void **state)
{
	static const struct {
		s32 imm;
		u64 (*want)(u64 a, u64 b);
	} ops[] = {
		{0x00, c_add},
		{0x40, c_or},
		{0x50, c_and},
		{0xa0, c_xor},
		{0xe0, c_mov},
	};

	(void)state;
	for (int bits = 32; bits <= 64; bits += 32) {
		u64 all = bits == 64 ? UINT64_MAX : UINT32_MAX;
		u8 size = bits == 64 ? BPF_DW : BPF_W;

		for (size_t x = 0; x < ARRAY_LEN(edges); x++) {
			for (size_t y = 0; y < ARRAY_LEN(edges); y++) {
				for (size_t o = 0; o < 2 * ARRAY_LEN(ops) - 1; o++) {
					u64 old = edges[x], r0 = 5, r2 = edges[y], mem = old;
					bool fetch = o != 2 * ARRAY_LEN(ops) - 2 ? o & 1 : true;
					u64 want = ops[o / 2].want(old & all, r2 & all);

					run_atomic(size, ops[o / 2].imm | fetch, &r0, &r2, &mem);
					assert_true(mem == ((old & ~all) | (want & all)));
					assert_true(r2 == (fetch ? old & all : edges[y]));
					assert_true(r0 == 5);
				}
				for (int same = 0; same < 2; same++) {
					u64 old = edges[x], r0 = same ? old : edges[y],
					    r2 = 0x1122334455667788, mem = old;
					bool hit = ((old ^ r0) & all) == 0;

					run_atomic(size, BPF_CMPXCHG, &r0, &r2, &mem);
					assert_true(mem == (hit ? (old & ~all) | (r2 & all) : old));
					assert_true(r0 == (old & all));
					assert_true(r2 == 0x1122334455667788);
				}
			}
		}
	}
}

static void percpu_mov_adds_base(void **state)
{
	u8 base[8];
	struct insn i = {.code = 0xbf, .src = 2, .off = BPF_PERCPU_MOV_OFF};

	(void)state;
	assert_true(run(&i, 1, 0, 0x1000, base) == (u64)(uintptr_t)base + 0x1000);
	i.dst = 2;
	struct insn two[] = {i, {.code = 0xbf, .src = 2}};
	assert_true(run(two, 2, 0, 0, base) == (u64)(uintptr_t)base);
}

static u64 mix(u64 r1, u64 r2, u64 r3, u64 r4, u64 r5)
{
	return r1 + 10 * r2 + 100 * r3 + 1000 * r4 + 10000 * r5;
}

/* The interpreter's only way to helpers, so that this test can watch the call. */
const struct helper *helper_by_id(u32 id)
{
	static const struct helper test_helper = {.id = 77, .name = "mix", .fn = mix};

	return id == test_helper.id ? &test_helper : NULL;
}

static void helper_gets_five_arguments(void **state)
{
	struct insn insns[7];

	(void)state;
	for (u8 i = 1; i <= 5; i++)
		insns[i - 1] = (struct insn){.code = 0xb7, .dst = i & 0xfu, .imm = 6 - i};
	insns[5] = (struct insn){.code = 0xb7, .dst = 6, .imm = 9};
	insns[6] = (struct insn){.code = 0x85, .imm = 77};
	assert_true(run(insns, 7, 0, 0, NULL) == 12345);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(alu_reg),
		cmocka_unit_test(alu_imm),
		cmocka_unit_test(unary),
		cmocka_unit_test(conditional_jumps),
		cmocka_unit_test(atomics),
		cmocka_unit_test(percpu_mov_adds_base),
		cmocka_unit_test(helper_gets_five_arguments),
	};

	return cmocka_run_group_tests_name("alu", tests, NULL, NULL);
}
