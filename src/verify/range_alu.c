/* Arithmetic on scalars. `full_*` work on 64 bits; 32-bit results come from running them on extended operands. */
#include "isa/insn.h"
#include "verify/range.h"

typedef struct scalar (*full_fn)(const struct scalar *a, const struct scalar *b);

/* An operation on possible scalars has a result: when bits and ranges contradict each other, then only because no
 * number fits the operands, and then anything is right. */
static struct scalar settled(struct scalar s)
{
	return scalar_sync(&s) ? s : scalar_unknown();
}

static struct scalar full_add(const struct scalar *a, const struct scalar *b)
{
	struct scalar r = scalar_unknown();
	u64 umin, umax;
	s64 smin, smax;

	r.bits = tnum_add(a->bits, b->bits);
	/* When all sums wrap or none does, their order stays. */
	if (__builtin_add_overflow(a->umin, b->umin, &umin) ==
		__builtin_add_overflow(a->umax, b->umax, &umax)) {
		r.umin = umin;
		r.umax = umax;
	}
	if (!__builtin_add_overflow(a->smin, b->smin, &smin) &&
		!__builtin_add_overflow(a->smax, b->smax, &smax)) {
		r.smin = smin;
		r.smax = smax;
	}
	return settled(r);
}

static struct scalar full_sub(const struct scalar *a, const struct scalar *b)
{
	struct scalar r = scalar_unknown();
	u64 umin, umax;
	s64 smin, smax;

	r.bits = tnum_sub(a->bits, b->bits);
	if (__builtin_sub_overflow(a->umin, b->umax, &umin) ==
		__builtin_sub_overflow(a->umax, b->umin, &umax)) {
		r.umin = umin;
		r.umax = umax;
	}
	if (!__builtin_sub_overflow(a->smin, b->smax, &smin) &&
		!__builtin_sub_overflow(a->smax, b->smin, &smax)) {
		r.smin = smin;
		r.smax = smax;
	}
	return settled(r);
}

static struct scalar full_mul(const struct scalar *a, const struct scalar *b)
{
	struct scalar r = scalar_unknown();
	s64 p[4];
	u64 umax;

	r.bits = tnum_mul(a->bits, b->bits);
	if (!__builtin_mul_overflow(a->umax, b->umax, &umax)) {
		r.umin = a->umin * b->umin;
		r.umax = umax;
	}
	if (!__builtin_mul_overflow(a->smin, b->smin, &p[0]) &&
		!__builtin_mul_overflow(a->smin, b->smax, &p[1]) &&
		!__builtin_mul_overflow(a->smax, b->smin, &p[2]) &&
		!__builtin_mul_overflow(a->smax, b->smax, &p[3])) {
		r.smin = r.smax = p[0];
		for (int i = 1; i < 4; i++) {
			r.smin = p[i] < r.smin ? p[i] : r.smin;
			r.smax = p[i] > r.smax ? p[i] : r.smax;
		}
	}
	return settled(r);
}

static struct scalar full_and(const struct scalar *a, const struct scalar *b)
{
	struct scalar r = scalar_of_tnum(tnum_and(a->bits, b->bits));
	u64 least = a->umax < b->umax ? a->umax : b->umax;

	r.umax = r.umax < least ? r.umax : least;
	return settled(r);
}

static struct scalar full_or(const struct scalar *a, const struct scalar *b)
{
	struct scalar r = scalar_of_tnum(tnum_or(a->bits, b->bits));
	u64 most = a->umin > b->umin ? a->umin : b->umin;

	r.umin = r.umin > most ? r.umin : most;
	return settled(r);
}

static struct scalar full_xor(const struct scalar *a, const struct scalar *b)
{
	return scalar_of_tnum(tnum_xor(a->bits, b->bits));
}

/* Shift counts arrive masked, so below 64. */
static struct scalar full_lsh(const struct scalar *a, const struct scalar *b)
{
	unsigned least = (unsigned)b->umin, most = (unsigned)b->umax;
	struct scalar r = scalar_unknown();

	r.bits = tnum_lsh(least == most ? a->bits : tnum_unknown(), least);
	if (a->umax <= UINT64_MAX >> most) {
		r.umin = a->umin << least;
		r.umax = a->umax << most;
	}
	if (least == most && a->smin >= INT64_MIN >> most && a->smax <= INT64_MAX >> most) {
		r.smin = (s64)((u64)a->smin << most);
		r.smax = (s64)((u64)a->smax << most);
	}
	return settled(r);
}

static struct scalar full_rsh(const struct scalar *a, const struct scalar *b)
{
	unsigned least = (unsigned)b->umin, most = (unsigned)b->umax;
	struct scalar r = scalar_unknown();

	if (least == most)
		r.bits = tnum_rsh(a->bits, least);
	r.umin = a->umin >> most;
	r.umax = a->umax >> least;
	return settled(r);
}

static struct scalar full_arsh(const struct scalar *a, const struct scalar *b)
{
	unsigned least = (unsigned)b->umin, most = (unsigned)b->umax;
	struct scalar r = scalar_unknown();

	if (least == most)
		r.bits = tnum_arsh(a->bits, least);
	r.smin = a->smin >> (a->smin < 0 ? least : most);
	r.smax = a->smax >> (a->smax < 0 ? most : least);
	return settled(r);
}

/* x / 0 = 0. */
static struct scalar full_div(const struct scalar *a, const struct scalar *b)
{
	if (!b->umin)
		return scalar_between(0, a->umax);
	return scalar_between(a->umin / b->umax, a->umax / b->umin);
}

/* x % 0 = x. */
static struct scalar full_mod(const struct scalar *a, const struct scalar *b)
{
	if (a->umax < b->umin)
		return *a;
	if (!b->umin)
		return scalar_between(0, a->umax);
	return scalar_between(0, a->umax < b->umax - 1 ? a->umax : b->umax - 1);
}

static u64 concrete_signed(u8 op, s64 x, s64 y)
{
	if (y == 0)
		return op == BPF_DIV ? 0 : (u64)x;
	if (y == -1) /* x / -1 of the smallest number doesn't fit and wraps to itself */
		return op == BPF_DIV ? 0 - (u64)x : 0;
	return (u64)(op == BPF_DIV ? x / y : x % y);
}

/* How an operation makes its 32-bit result from the halves. */
enum halves {
	MODULAR, /* the low half of the result depends on the low halves only: any extension does */
	ZERO_EXTEND,
	SIGN_EXTEND,
};

static const struct alu_row {
	full_fn full;
	enum halves halves;
	bool shift;
} rows[16] = {
	[BPF_ADD >> 4] = {full_add, MODULAR, false},
	[BPF_SUB >> 4] = {full_sub, MODULAR, false},
	[BPF_MUL >> 4] = {full_mul, MODULAR, false},
	[BPF_AND >> 4] = {full_and, MODULAR, false},
	[BPF_OR >> 4] = {full_or, MODULAR, false},
	[BPF_XOR >> 4] = {full_xor, MODULAR, false},
	[BPF_DIV >> 4] = {full_div, ZERO_EXTEND, false},
	[BPF_MOD >> 4] = {full_mod, ZERO_EXTEND, false},
	[BPF_LSH >> 4] = {full_lsh, ZERO_EXTEND, true},
	[BPF_RSH >> 4] = {full_rsh, ZERO_EXTEND, true},
	[BPF_ARSH >> 4] = {full_arsh, SIGN_EXTEND, true},
};

static struct scalar alu_signed(u8 op, const struct scalar *a, const struct scalar *b)
{
	if (scalar_is_const(a) && scalar_is_const(b))
		return scalar_const(concrete_signed(op, a->smin, b->smin));
	return scalar_unknown();
}

static bool low_is_unknown(const struct scalar *s)
{
	return (u32)s->bits.mask == UINT32_MAX && s->u32min == 0 && s->u32max == UINT32_MAX &&
	       s->s32min == INT32_MIN && s->s32max == INT32_MAX;
}

/* An operation with such operands can give anything: what most arithmetic of hashes is. */
static bool gives_anything(full_fn full, bool a_is_unknown, bool b_is_unknown)
{
	bool is_sum = full == full_add || full == full_sub || full == full_xor;

	return is_sum ? a_is_unknown || b_is_unknown : a_is_unknown && b_is_unknown;
}

/* The low half of a modular operation, as seen through zero- and through sign-extension. */
static void meet_modular_low(
	struct scalar *r, full_fn full, const struct scalar *a, const struct scalar *b)
{
	if (gives_anything(full, low_is_unknown(a), low_is_unknown(b)))
		return;
	struct scalar az = scalar_zext(a, 32), bz = scalar_zext(b, 32);
	struct scalar as = scalar_sext(a, 32), bs = scalar_sext(b, 32);
	struct scalar z = full(&az, &bz), s = full(&as, &bs);

	if (!scalar_meet_low(r, &z) || !scalar_meet_low(r, &s))
		*r = scalar_unknown();
}

static struct scalar masked_count(const struct scalar *count, u64 mask)
{
	struct scalar m = scalar_const(mask);

	return full_and(count, &m);
}

struct scalar scalar_alu64(u8 op, bool sign, const struct scalar *a, const struct scalar *b)
{
	if (op == BPF_NEG) {
		struct scalar zero = scalar_const(0);

		return scalar_alu64(BPF_SUB, false, &zero, a);
	}
	if (sign)
		return alu_signed(op, a, b);
	const struct alu_row *row = &rows[op >> 4];
	assert(row->full);
	if (row->shift) {
		struct scalar count = masked_count(b, 63);

		return row->full(a, &count);
	}
	if (row->halves == MODULAR &&
		gives_anything(row->full, scalar_is_unknown(a), scalar_is_unknown(b)))
		return scalar_unknown();
	struct scalar r = row->full(a, b);
	if (row->halves == MODULAR && !scalar_is_const(&r))
		meet_modular_low(&r, row->full, a, b);
	return r;
}

struct scalar scalar_alu32(u8 op, bool sign, const struct scalar *a, const struct scalar *b)
{
	if (op == BPF_NEG) {
		struct scalar zero = scalar_const(0);

		return scalar_alu32(BPF_SUB, false, &zero, a);
	}
	const struct alu_row *row = &rows[op >> 4];
	assert(row->full);
	struct scalar count = row->shift ? masked_count(b, 31) : *b;
	struct scalar r = scalar_unknown();
	if (row->halves == MODULAR) {
		meet_modular_low(&r, row->full, a, b);
	} else {
		bool extend_sign = sign || row->halves == SIGN_EXTEND;
		struct scalar x = extend_sign ? scalar_sext(a, 32) : scalar_zext(a, 32);
		struct scalar y = sign ? scalar_sext(&count, 32) : scalar_zext(&count, 32);

		r = sign ? alu_signed(op, &x, &y) : row->full(&x, &y);
	}
	return scalar_zext(&r, 32);
}

struct scalar scalar_bswap(const struct scalar *s, unsigned bits)
{
	return scalar_of_tnum(tnum_bswap(s->bits, bits));
}
