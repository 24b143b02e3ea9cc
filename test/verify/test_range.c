/* Scalars, exhaustively at 3-bit width around every border of the number circle: what really happens must lie in what the
 * abstract operation says, for all arithmetic and all comparisons. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "concrete.h"
#include "isa/insn.h"
#include "verify/range.h"

enum { WIDTH = 8, NR_SETS_MAX = 64 };

struct set {
	u64 base;
	u8 members; /* bit i: base + i */
	struct scalar abstract;
};

static size_t fill_sets(u64 base, struct set *sets)
{
	size_t n = 0;

	for (unsigned lo = 0; lo < WIDTH; lo++)
		for (unsigned hi = lo; hi < WIDTH; hi++) {
			struct set s = {.base = base};
			bool signed_order = (s64)(base + lo) <= (s64)(base + hi);

			for (unsigned i = lo; i <= hi; i++)
				s.members |= (u8)(1u << i);
			s.abstract =
				base + lo <= base + hi
					? scalar_between(base + lo, base + hi)
					: scalar_between_signed((s64)(base + lo), (s64)(base + hi));
			if (base + lo <= base + hi || signed_order)
				sets[n++] = s;
		}
	for (unsigned mask = 1; mask < WIDTH; mask++)
		for (unsigned value = 0; value < WIDTH; value++) {
			struct set s = {.base = base};

			if (value & mask || base & (WIDTH - 1))
				continue;
			for (unsigned i = 0; i < WIDTH; i++)
				if ((i & ~mask) == value)
					s.members |= (u8)(1u << i);
			s.abstract = scalar_of_tnum((struct tnum){base | value, mask});
			sets[n++] = s;
		}
	assert_true(n <= NR_SETS_MAX);
	return n;
}

static const u64 bases[] = {
	0,
	8,
	(u64)-4,
	(u64)-8,
	0x7ffffffc,
	0x80000000,
	0xfffffffc,
	0x100000000,
	0x17ffffffc,
	0x7ffffffffffffffc,
	0xffffffff7ffffffc,
	0x123456780,
};

static const struct {
	u8 op;
	bool sign;
} alu_ops[] = {
	{BPF_ADD, false},
	{BPF_SUB, false},
	{BPF_MUL, false},
	{BPF_DIV, false},
	{BPF_OR, false},
	{BPF_AND, false},
	{BPF_LSH, false},
	{BPF_RSH, false},
	{BPF_NEG, false},
	{BPF_MOD, false},
	{BPF_XOR, false},
	{BPF_ARSH, false},
	{BPF_DIV, true},
	{BPF_MOD, true},
};

static const u8 jump_ops[] = {
	BPF_JEQ,
	BPF_JNE,
	BPF_JGT,
	BPF_JGE,
	BPF_JLT,
	BPF_JLE,
	BPF_JSGT,
	BPF_JSGE,
	BPF_JSLT,
	BPF_JSLE,
	BPF_JSET,
};

static void check_alu(const struct set *a, const struct set *b)
{
	for (size_t k = 0; k < ARRAY_LEN(alu_ops); k++) {
		u8 op = alu_ops[k].op;
		bool sign = alu_ops[k].sign;
		struct scalar wide = scalar_alu64(op, sign, &a->abstract, &b->abstract);
		struct scalar narrow = scalar_alu32(op, sign, &a->abstract, &b->abstract);

		for (unsigned i = 0; i < WIDTH; i++)
			for (unsigned j = 0; j < WIDTH; j++) {
				u64 x = a->base + i, y = b->base + j;

				if (!(a->members >> i & b->members >> j & 1))
					continue;
				if (!scalar_contains(&wide, run64(op, sign, x, y)) ||
					!scalar_contains(&narrow, run32(op, sign, (u32)x, (u32)y)))
					fail_msg("op %#x sign %d of %#lx and %#lx (sets %#x, %#x)",
						op, sign, x, y, a->members, b->members);
			}
	}
}

static void check_jump(const struct set *a, const struct set *b, u8 op, bool wide)
{
	struct scalar yes_a = a->abstract, yes_b = b->abstract, no_a = a->abstract,
		      no_b = b->abstract;
	bool may = scalar_assume(op, wide, true, &yes_a, &yes_b);
	bool may_not = scalar_assume(op, wide, false, &no_a, &no_b);
	enum verdict v = scalar_compare(op, wide, &a->abstract, &b->abstract);

	assert_int_equal(v, !may ? NEVER : !may_not ? ALWAYS : MAYBE);
	for (unsigned i = 0; i < WIDTH; i++)
		for (unsigned j = 0; j < WIDTH; j++) {
			u64 x = a->base + i, y = b->base + j;

			if (!(a->members >> i & b->members >> j & 1))
				continue;
			bool holds = wide ? compare64(op, x, y) : compare32(op, x, y);
			bool ok = holds ? may && scalar_contains(&yes_a, x) &&
						  scalar_contains(&yes_b, y)
					: may_not && scalar_contains(&no_a, x) &&
						  scalar_contains(&no_b, y);
			if (!ok)
				fail_msg("jump %#x wide %d of %#lx and %#lx (sets %#x, %#x)", op,
					wide, x, y, a->members, b->members);
		}
}

static void check_one(const struct set *a)
{
	for (unsigned bits = 8; bits <= 32; bits *= 2) {
		struct scalar z = scalar_zext(&a->abstract, bits),
			      s = scalar_sext(&a->abstract, bits);
		unsigned up = 64 - bits;

		for (unsigned i = 0; i < WIDTH; i++) {
			u64 x = a->base + i;

			if (!(a->members >> i & 1))
				continue;
			assert_true(scalar_contains(&a->abstract, x));
			assert_true(scalar_contains(&z, x << up >> up));
			assert_true(scalar_contains(&s, (u64)((s64)(x << up) >> up)));
		}
	}
}

static void exhaustive(void **state)
{
	struct set a[NR_SETS_MAX], b[NR_SETS_MAX];
	size_t part = *(u32 *)*state;

	for (size_t i = 0; i < ARRAY_LEN(bases); i++) {
		size_t na = fill_sets(bases[i], a);

		for (size_t k = 0; k < na; k++)
			check_one(&a[k]);
		for (size_t j = 0; j < ARRAY_LEN(bases); j++) {
			size_t nb = fill_sets(bases[j], b);

			for (size_t k = 0; k < na; k += 1 + (i + j) % 3)
				for (size_t l = k % part; l < nb; l += part * (1 + (i * j) % 2)) {
					check_alu(&a[k], &b[l]);
					for (size_t m = 0; m < ARRAY_LEN(jump_ops); m++) {
						check_jump(&a[k], &b[l], jump_ops[m], true);
						check_jump(&a[k], &b[l], jump_ops[m], false);
					}
				}
		}
	}
}

/* Bits alone: all 4-bit tnums. */
static void tnums(void **state)
{
	static const struct {
		u8 op;
		struct tnum (*fn)(struct tnum a, struct tnum b);
	} ops[] = {
		{BPF_ADD, tnum_add},
		{BPF_SUB, tnum_sub},
		{BPF_MUL, tnum_mul},
		{BPF_AND, tnum_and},
		{BPF_OR, tnum_or},
		{BPF_XOR, tnum_xor},
	};

	(void)state;
	for (u64 av = 0; av < 16; av++)
		for (u64 am = 0; am < 16; am++)
			for (u64 bv = 0; bv < 16; bv++)
				for (u64 bm = 0; bm < 16; bm++) {
					struct tnum a = {av, am}, b = {bv, bm}, both = {0};

					if (av & am || bv & bm)
						continue;
					bool meet = tnum_intersect(a, b, &both);
					struct tnum either = tnum_union(a, b);
					for (u64 x = 0; x < 16; x++)
						for (u64 y = 0; y < 16; y++) {
							bool in_a = tnum_contains(a, x),
							     in_b = tnum_contains(b, y);

							if (in_a || tnum_contains(b, x))
								assert_true(
									tnum_contains(either, x));
							if (in_a && tnum_contains(b, x))
								assert_true(meet &&
									    tnum_contains(both, x));
							if (!in_a || !in_b)
								continue;
							for (size_t k = 0; k < ARRAY_LEN(ops); k++)
								assert_true(tnum_contains(
									ops[k].fn(a, b),
									run64(ops[k].op, false, x,
										y)));
							assert_true(!tnum_covers(a, b) ||
								    tnum_contains(a, y));
						}
				}
	for (u64 lo = 0; lo < 32; lo++)
		for (u64 hi = lo; hi < 32; hi++)
			for (u64 x = lo; x <= hi; x++)
				assert_true(tnum_contains(tnum_range(lo, hi), x));
}

/* Not only right but tight: what programs rely on. */
static void precision(void **state)
{
	struct scalar unknown = scalar_unknown(), c;

	(void)state;
	struct scalar byte = scalar_zext(&unknown, 8);
	assert_true(byte.umax == 255 && byte.smin == 0 && byte.s32max == 255);
	c = scalar_const(4);
	struct scalar r = scalar_alu64(BPF_MUL, false, &byte, &c);
	assert_true(r.umax == 1020 && tnum_is_aligned(r.bits, 4));
	r = scalar_alu64(BPF_MOD, false, &unknown, &c);
	assert_true(r.umax == 3);
	r = scalar_alu64(BPF_ADD, false, &byte, &byte);
	assert_true(r.umin == 0 && r.umax == 510);
	c = scalar_const((u64)-1);
	r = scalar_alu32(BPF_ADD, false, &byte, &c);
	assert_true(r.s32min == -1 && r.s32max == 254);
	c = scalar_const(10);
	struct scalar x = unknown;
	assert_true(scalar_assume(BPF_JLE, false, true, &x, &c));
	assert_true(x.u32max == 10 && x.s32min == 0 && x.umax == UINT64_MAX - UINT32_MAX + 10);
	c = scalar_const(5);
	x = unknown;
	assert_true(scalar_assume(BPF_JSLT, true, true, &x, &c));
	c = scalar_const((u64)-5);
	assert_true(scalar_assume(BPF_JSGE, true, true, &x, &c));
	assert_true(x.smin == -5 && x.smax == 4 && x.s32min == -5 && x.s32max == 4);
}

/* Usage: test-verify-range [N]: only one of N pairs of sets. */
int main(int argc, char **argv)
{
	u32 part = argc > 1 ? (u32)strtoul(argv[1], NULL, 0) : 1;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tnums),
		cmocka_unit_test_prestate(exhaustive, &part),
		cmocka_unit_test(precision),
	};

	return cmocka_run_group_tests_name("verify-range", tests, NULL, NULL);
}
