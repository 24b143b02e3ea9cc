/* What a comparison says about the scalars it compares. */
#include "isa/insn.h"
#include "verify/range.h"

static bool assume_equal(struct scalar *a, struct scalar *b)
{
	if (!scalar_meet(a, b))
		return false;
	*b = *a;
	return true;
}

/* Cuts a known number off the ends of the ranges. */
static bool cut(struct scalar *s, u64 value)
{
	if (s->umin == s->umax)
		return s->umin != value;
	s->umin += s->umin == value;
	s->umax -= s->umax == value;
	s->smin += s->smin == (s64)value;
	s->smax -= s->smax == (s64)value;
	return scalar_sync(s);
}

static bool assume_unequal(struct scalar *a, struct scalar *b)
{
	if (scalar_is_const(b))
		return cut(a, b->umin);
	if (scalar_is_const(a))
		return cut(b, a->umin);
	return true;
}

static bool assume_less(struct scalar *a, struct scalar *b)
{
	if (b->umax == 0 || a->umin == UINT64_MAX)
		return false;
	a->umax = a->umax < b->umax - 1 ? a->umax : b->umax - 1;
	b->umin = b->umin > a->umin + 1 ? b->umin : a->umin + 1;
	return scalar_sync(a) && scalar_sync(b);
}

static bool assume_less_or_equal(struct scalar *a, struct scalar *b)
{
	a->umax = a->umax < b->umax ? a->umax : b->umax;
	b->umin = b->umin > a->umin ? b->umin : a->umin;
	return scalar_sync(a) && scalar_sync(b);
}

static bool assume_less_signed(struct scalar *a, struct scalar *b)
{
	if (b->smax == INT64_MIN || a->smin == INT64_MAX)
		return false;
	a->smax = a->smax < b->smax - 1 ? a->smax : b->smax - 1;
	b->smin = b->smin > a->smin + 1 ? b->smin : a->smin + 1;
	return scalar_sync(a) && scalar_sync(b);
}

static bool assume_less_or_equal_signed(struct scalar *a, struct scalar *b)
{
	a->smax = a->smax < b->smax ? a->smax : b->smax;
	b->smin = b->smin > a->smin ? b->smin : a->smin;
	return scalar_sync(a) && scalar_sync(b);
}

/* When only one bit can be common to a and the known b, a has it. */
static bool set_common_bit(struct scalar *a, const struct scalar *b)
{
	u64 common = tnum_max(a->bits) & b->bits.value;

	if (!scalar_is_const(b) || (common & (common - 1)))
		return true;
	return tnum_intersect(a->bits, (struct tnum){common, ~common}, &a->bits) && scalar_sync(a);
}

static bool assume_common_bit(struct scalar *a, struct scalar *b)
{
	if (!(tnum_max(a->bits) & tnum_max(b->bits)))
		return false;
	return set_common_bit(a, b) && set_common_bit(b, a);
}

/* No bit that is surely set in b can be set in a. */
static bool clear_bits_of(struct scalar *a, const struct scalar *b)
{
	u64 gone = b->bits.value;

	return tnum_intersect(a->bits, (struct tnum){0, ~gone}, &a->bits) && scalar_sync(a);
}

static bool assume_no_common_bit(struct scalar *a, struct scalar *b)
{
	return clear_bits_of(a, b) && clear_bits_of(b, a);
}

typedef bool (*assume_fn)(struct scalar *a, struct scalar *b);

/* `a op b` holds, and fails: which assumption, on (a, b) or (b, a). */
static const struct jump_row {
	assume_fn holds, fails;
	bool swap_holds, swap_fails, sign;
} rows[16] = {
	[BPF_JEQ >> 4] = {assume_equal, assume_unequal, false, false, false},
	[BPF_JNE >> 4] = {assume_unequal, assume_equal, false, false, false},
	[BPF_JSET >> 4] = {assume_common_bit, assume_no_common_bit, false, false, false},
	[BPF_JLT >> 4] = {assume_less, assume_less_or_equal, false, true, false},
	[BPF_JGE >> 4] = {assume_less_or_equal, assume_less, true, false, false},
	[BPF_JLE >> 4] = {assume_less_or_equal, assume_less, false, true, false},
	[BPF_JGT >> 4] = {assume_less, assume_less_or_equal, true, false, false},
	[BPF_JSLT >> 4] = {assume_less_signed, assume_less_or_equal_signed, false, true, true},
	[BPF_JSGE >> 4] = {assume_less_or_equal_signed, assume_less_signed, true, false, true},
	[BPF_JSLE >> 4] = {assume_less_or_equal_signed, assume_less_signed, false, true, true},
	[BPF_JSGT >> 4] = {assume_less_signed, assume_less_or_equal_signed, true, false, true},
};

static bool assume(const struct jump_row *row, bool holds, struct scalar *a, struct scalar *b)
{
	assume_fn fn = holds ? row->holds : row->fails;

	return (holds ? row->swap_holds : row->swap_fails) ? fn(b, a) : fn(a, b);
}

bool scalar_assume(u8 op, bool wide, bool holds, struct scalar *a, struct scalar *b)
{
	const struct jump_row *row = &rows[op >> 4];

	assert(row->holds);
	if (wide)
		return assume(row, holds, a, b);
	struct scalar x = row->sign ? scalar_sext(a, 32) : scalar_zext(a, 32);
	struct scalar y = row->sign ? scalar_sext(b, 32) : scalar_zext(b, 32);
	return assume(row, holds, &x, &y) && scalar_meet_low(a, &x) && scalar_meet_low(b, &y);
}

enum verdict scalar_compare(u8 op, bool wide, const struct scalar *a, const struct scalar *b)
{
	struct scalar x = *a, y = *b;

	if (!scalar_assume(op, wide, true, &x, &y))
		return NEVER;
	x = *a;
	y = *b;
	return scalar_assume(op, wide, false, &x, &y) ? MAYBE : ALWAYS;
}
