/* Making, comparing and joining scalars, and scalar_sync, which keeps bits and ranges in step. */
#include "verify/range.h"

#include <string.h>

#define RAISE(bound, v) ((bound) = (v) > (bound) ? (v) : (bound))
#define LOWER(bound, v) ((bound) = (v) < (bound) ? (v) : (bound))

static const u64 LOW = UINT32_MAX;

struct scalar scalar_unknown(void)
{
	return (struct scalar){
		.bits = tnum_unknown(),
		.umax = UINT64_MAX,
		.smin = INT64_MIN,
		.smax = INT64_MAX,
		.u32max = UINT32_MAX,
		.s32min = INT32_MIN,
		.s32max = INT32_MAX,
	};
}

struct scalar scalar_const(u64 value)
{
	return (struct scalar){
		.bits = tnum_const(value),
		.umin = value,
		.umax = value,
		.smin = (s64)value,
		.smax = (s64)value,
		.u32min = (u32)value,
		.u32max = (u32)value,
		.s32min = (s32)(u32)value,
		.s32max = (s32)(u32)value,
	};
}

struct scalar scalar_between(u64 umin, u64 umax)
{
	struct scalar s = scalar_unknown();

	assert(umin <= umax);
	s.umin = umin;
	s.umax = umax;
	scalar_sync(&s);
	return s;
}

struct scalar scalar_between_signed(s64 smin, s64 smax)
{
	struct scalar s = scalar_unknown();

	assert(smin <= smax);
	s.smin = smin;
	s.smax = smax;
	scalar_sync(&s);
	return s;
}

struct scalar scalar_of_tnum(struct tnum bits)
{
	struct scalar s = scalar_unknown();

	s.bits = bits;
	scalar_sync(&s);
	return s;
}

bool scalar_equal(const struct scalar *a, const struct scalar *b)
{
	return memcmp(a, b, sizeof(*a)) == 0;
}

bool scalar_is_unknown(const struct scalar *s)
{
	struct scalar unknown = scalar_unknown();

	return scalar_equal(s, &unknown);
}

bool scalar_contains(const struct scalar *s, u64 value)
{
	s64 sval = (s64)value;
	u32 low = (u32)value;
	s32 slow = (s32)low;

	return tnum_contains(s->bits, value) && s->umin <= value && value <= s->umax &&
	       s->smin <= sval && sval <= s->smax && s->u32min <= low && low <= s->u32max &&
	       s->s32min <= slow && slow <= s->s32max;
}

bool scalar_covers_lower(const struct scalar *outer, const struct scalar *inner)
{
	return outer->u32min <= inner->u32min && inner->u32max <= outer->u32max &&
	       outer->s32min <= inner->s32min && inner->s32max <= outer->s32max &&
	       tnum_covers(tnum_zext(outer->bits, 32), tnum_zext(inner->bits, 32));
}

bool scalar_covers(const struct scalar *outer, const struct scalar *inner)
{
	return outer->umin <= inner->umin && inner->umax <= outer->umax &&
	       outer->smin <= inner->smin && inner->smax <= outer->smax &&
	       scalar_covers_lower(outer, inner) && tnum_covers(outer->bits, inner->bits);
}

static void ranges_from_bits(struct scalar *s)
{
	const u64 sign = 1ull << 63, sign32 = 1ull << 31;
	u64 value = s->bits.value, mask = s->bits.mask;

	RAISE(s->umin, value);
	LOWER(s->umax, value | mask);
	RAISE(s->smin, (s64)(value | (mask & sign)));
	LOWER(s->smax, (s64)(value | (mask & ~sign)));
	RAISE(s->u32min, (u32)value);
	LOWER(s->u32max, (u32)(value | mask));
	RAISE(s->s32min, (s32)(u32)(value | (mask & sign32)));
	LOWER(s->s32max, (s32)(u32)(value | (mask & ~sign32)));
}

static bool bits_from_ranges(struct scalar *s)
{
	struct tnum low = tnum_with_low32(tnum_unknown(), tnum_range(s->u32min, s->u32max));

	return tnum_intersect(s->bits, tnum_range(s->umin, s->umax), &s->bits) &&
	       tnum_intersect(s->bits, low, &s->bits);
}

struct span {
	u64 umin, umax;
	s64 smin, smax;
};

/* What the unsigned range says about the signed one and back. The two orders differ in where the circle of numbers is
 * cut: unsigned between MAX and 0, signed between SMAX and SMIN. A range without the other order's cut carries over as it
 * is; one with the cut is two pieces, and helps when the other range excludes one of them. */
static void span_cross(struct span *s)
{
	if ((s64)s->umin <= (s64)s->umax) {
		RAISE(s->smin, (s64)s->umin);
		LOWER(s->smax, (s64)s->umax);
	} else {
		if (s->smin > (s64)s->umax)
			RAISE(s->smin, (s64)s->umin);
		if (s->smax < (s64)s->umin)
			LOWER(s->smax, (s64)s->umax);
	}
	if ((u64)s->smin <= (u64)s->smax) {
		RAISE(s->umin, (u64)s->smin);
		LOWER(s->umax, (u64)s->smax);
	} else {
		if (s->umin > (u64)s->smax)
			RAISE(s->umin, (u64)s->smin);
		if (s->umax < (u64)s->smin)
			LOWER(s->umax, (u64)s->smax);
	}
}

static void cross64(struct scalar *s)
{
	struct span span = {s->umin, s->umax, s->smin, s->smax};

	span_cross(&span);
	s->umin = span.umin;
	s->umax = span.umax;
	s->smin = span.smin;
	s->smax = span.smax;
}

/* The same circle, with the low half moved to the top so that signs and orders agree with 64 bits. */
static void cross32(struct scalar *s)
{
	struct span span = {
		(u64)s->u32min << 32,
		(u64)s->u32max << 32,
		(s64)((u64)(u32)s->s32min << 32),
		(s64)((u64)(u32)s->s32max << 32),
	};

	span_cross(&span);
	s->u32min = (u32)(span.umin >> 32);
	s->u32max = (u32)(span.umax >> 32);
	s->s32min = (s32)(span.smin >> 32);
	s->s32max = (s32)(span.smax >> 32);
}

/* A 64-bit range inside one block of 2^32, or across one border with the signs of the low halves fitting. */
static void low_from_block(struct scalar *s, u64 min, u64 max)
{
	if (min >> 32 == max >> 32) {
		RAISE(s->u32min, (u32)min);
		LOWER(s->u32max, (u32)max);
	} else if ((u32)(min >> 32) + 1 == (u32)(max >> 32) && (s32)(u32)min < 0 &&
		   (s32)(u32)max >= 0) {
		RAISE(s->s32min, (s32)(u32)min);
		LOWER(s->s32max, (s32)(u32)max);
	}
}

static void full_from_low(struct scalar *s)
{
	RAISE(s->umin, (s->umin & ~LOW) | s->u32min);
	LOWER(s->umax, (s->umax & ~LOW) | s->u32max);
	RAISE(s->smin, (s64)(((u64)s->smin & ~LOW) | s->u32min));
	LOWER(s->smax, (s64)(((u64)s->smax & ~LOW) | s->u32max));
	if (s->smin >= INT32_MIN && s->smax <= INT32_MAX) {
		RAISE(s->smin, s->s32min);
		LOWER(s->smax, s->s32max);
	}
}

static bool possible(const struct scalar *s)
{
	return s->umin <= s->umax && s->smin <= s->smax && s->u32min <= s->u32max &&
	       s->s32min <= s->s32max;
}

bool scalar_sync(struct scalar *s)
{
	/* Each round can only narrow; what is not found in a few is not worth looking for. */
	for (int round = 0; round < 4; round++) {
		struct scalar before = *s;

		ranges_from_bits(s);
		cross64(s);
		cross32(s);
		if (!possible(s))
			return false;
		low_from_block(s, s->umin, s->umax);
		low_from_block(s, (u64)s->smin, (u64)s->smax);
		full_from_low(s);
		if (!possible(s) || !bits_from_ranges(s))
			return false;
		if (scalar_equal(&before, s))
			break;
	}
	return true;
}

struct scalar scalar_join(const struct scalar *a, const struct scalar *b)
{
	struct scalar s = *a;

	s.bits = tnum_union(a->bits, b->bits);
	LOWER(s.umin, b->umin);
	RAISE(s.umax, b->umax);
	LOWER(s.smin, b->smin);
	RAISE(s.smax, b->smax);
	LOWER(s.u32min, b->u32min);
	RAISE(s.u32max, b->u32max);
	LOWER(s.s32min, b->s32min);
	RAISE(s.s32max, b->s32max);
	return s;
}

bool scalar_meet(struct scalar *a, const struct scalar *b)
{
	RAISE(a->umin, b->umin);
	LOWER(a->umax, b->umax);
	RAISE(a->smin, b->smin);
	LOWER(a->smax, b->smax);
	RAISE(a->u32min, b->u32min);
	LOWER(a->u32max, b->u32max);
	RAISE(a->s32min, b->s32min);
	LOWER(a->s32max, b->s32max);
	return possible(a) && tnum_intersect(a->bits, b->bits, &a->bits) && scalar_sync(a);
}

bool scalar_meet_low(struct scalar *a, const struct scalar *b)
{
	RAISE(a->u32min, b->u32min);
	LOWER(a->u32max, b->u32max);
	RAISE(a->s32min, b->s32min);
	LOWER(a->s32max, b->s32max);
	return possible(a) &&
	       tnum_intersect(a->bits, tnum_with_low32(tnum_unknown(), b->bits), &a->bits) &&
	       scalar_sync(a);
}

struct scalar scalar_zext(const struct scalar *s, unsigned bits)
{
	u64 most = UINT64_MAX >> (64 - bits);

	if (s->umax <= most)
		return *s;
	struct scalar r = scalar_unknown();
	r.bits = tnum_zext(s->bits, bits);
	r.umax = most;
	if (bits == 32) {
		r.umin = r.u32min = s->u32min;
		r.umax = r.u32max = s->u32max;
		r.s32min = s->s32min;
		r.s32max = s->s32max;
	} else if (s->umin >> bits == s->umax >> bits) {
		r.umin = s->umin & most;
		r.umax = s->umax & most;
	}
	scalar_sync(&r);
	return r;
}

struct scalar scalar_sext(const struct scalar *s, unsigned bits)
{
	struct scalar low = scalar_zext(s, bits), r = scalar_unknown();
	u64 half = 1ull << (bits - 1);

	r.bits = tnum_sext(s->bits, bits);
	if (bits == 32) {
		r.smin = s->s32min;
		r.smax = s->s32max;
		r.u32min = s->u32min;
		r.u32max = s->u32max;
	} else if (low.umax < half) {
		return low;
	} else if (low.umin >= half) {
		r.smin = (s64)(low.umin - 2 * half);
		r.smax = (s64)(low.umax - 2 * half);
	} else {
		r.smin = -(s64)half;
		r.smax = (s64)half - 1;
	}
	scalar_sync(&r);
	return r;
}
