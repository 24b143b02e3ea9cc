/* Tracked numbers: what is known about each bit of a 64-bit value. Pure functions, no wider knowledge than bits. */
#ifndef WEIR_VERIFY_TNUM_H
#define WEIR_VERIFY_TNUM_H

#include "base/types.h"

/* A bit set in mask is unknown, otherwise it is the bit in value. value & mask is always 0. */
struct tnum {
	u64 value, mask;
};

static inline struct tnum tnum_const(u64 value)
{
	return (struct tnum){value, 0};
}

static inline struct tnum tnum_unknown(void)
{
	return (struct tnum){0, UINT64_MAX};
}

static inline bool tnum_is_const(struct tnum a)
{
	return a.mask == 0;
}

static inline u64 tnum_min(struct tnum a)
{
	return a.value;
}

static inline u64 tnum_max(struct tnum a)
{
	return a.value | a.mask;
}

static inline bool tnum_contains(struct tnum a, u64 value)
{
	return (value & ~a.mask) == a.value;
}

/* Every number of `inner` is one of `outer`. */
static inline bool tnum_covers(struct tnum outer, struct tnum inner)
{
	return !(inner.mask & ~outer.mask) && (inner.value & ~outer.mask) == outer.value;
}

/* The tightest number that has all of [min, max] (unsigned). */
struct tnum tnum_range(u64 min, u64 max);
struct tnum tnum_add(struct tnum a, struct tnum b);
struct tnum tnum_sub(struct tnum a, struct tnum b);
struct tnum tnum_mul(struct tnum a, struct tnum b);
struct tnum tnum_and(struct tnum a, struct tnum b);
struct tnum tnum_or(struct tnum a, struct tnum b);
struct tnum tnum_xor(struct tnum a, struct tnum b);
/* Shifts by a known count below 64. */
struct tnum tnum_lsh(struct tnum a, unsigned count);
struct tnum tnum_rsh(struct tnum a, unsigned count);
struct tnum tnum_arsh(struct tnum a, unsigned count);
/* All numbers of either. */
struct tnum tnum_union(struct tnum a, struct tnum b);
/* The numbers that are in both; false, and *out unchanged, when there are none. */
bool tnum_intersect(struct tnum a, struct tnum b, struct tnum *out);
/* The low `bits` (1 ... 64), zero- or sign-extended. */
struct tnum tnum_zext(struct tnum a, unsigned bits);
struct tnum tnum_sext(struct tnum a, unsigned bits);
struct tnum tnum_bswap(struct tnum a, unsigned bits);
/* Low half from `low`, high half from `high`. */
struct tnum tnum_with_low32(struct tnum high, struct tnum low);

/* The number is a multiple of `bytes` (a power of two). */
static inline bool tnum_is_aligned(struct tnum a, u64 bytes)
{
	return !((a.value | a.mask) & (bytes - 1));
}

#endif
