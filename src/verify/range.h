/* Scalars: what is known about a number, as bits and as four ranges (64 and 32 bit, unsigned and signed) that are kept
 * consistent with each other. Everything here is a pure function of numbers; registers and ids are state.h's business. */
#ifndef WEIR_VERIFY_RANGE_H
#define WEIR_VERIFY_RANGE_H

#include "verify/tnum.h"

struct scalar {
	struct tnum bits;
	u64 umin, umax;
	s64 smin, smax;
	u32 u32min, u32max; /* of the low half */
	s32 s32min, s32max;
};

struct scalar scalar_unknown(void);
struct scalar scalar_const(u64 value);
struct scalar scalar_between(u64 umin, u64 umax);
struct scalar scalar_between_signed(s64 smin, s64 smax);
struct scalar scalar_of_tnum(struct tnum bits);

static inline bool scalar_is_const(const struct scalar *s)
{
	return tnum_is_const(s->bits);
}

/* Nothing but the number's width is known. */
bool scalar_is_unknown(const struct scalar *s);
bool scalar_contains(const struct scalar *s, u64 value);
bool scalar_covers(const struct scalar *outer, const struct scalar *inner);
/* The same for the lower halves. */
bool scalar_covers_lower(const struct scalar *outer, const struct scalar *inner);
bool scalar_equal(const struct scalar *a, const struct scalar *b);
/* Lets bits and ranges tell each other what they know. False: no number fits, the scalar is impossible. */
bool scalar_sync(struct scalar *s);
/* The smallest scalar that covers both. */
struct scalar scalar_join(const struct scalar *a, const struct scalar *b);
/* a becomes what is in both; false when nothing is. */
bool scalar_meet(struct scalar *a, const struct scalar *b);
/* The same for the low halves only: b's low half says something about a's. */
bool scalar_meet_low(struct scalar *a, const struct scalar *b);

/* The low `bits` (8, 16, 32) of s, zero- or sign-extended to 64. */
struct scalar scalar_zext(const struct scalar *s, unsigned bits);
struct scalar scalar_sext(const struct scalar *s, unsigned bits);

/* op: BPF_ADD ... BPF_ARSH without MOV, NEG (b is not looked at) included; sign: DIV and MOD are signed.
 * Meaning of RFC 9669: shift counts masked, x / 0 = 0, x % 0 = x. The 32-bit result is zero-extended. */
struct scalar scalar_alu64(u8 op, bool sign, const struct scalar *a, const struct scalar *b);
struct scalar scalar_alu32(u8 op, bool sign, const struct scalar *a, const struct scalar *b);
struct scalar scalar_bswap(const struct scalar *s, unsigned bits);

enum verdict { MAYBE, ALWAYS, NEVER };

/* Whether `a op b` holds; op: BPF_JEQ ... BPF_JSLE; wide: all 64 bits, else the low 32. */
enum verdict scalar_compare(u8 op, bool wide, const struct scalar *a, const struct scalar *b);
/* Narrows a and b to the pairs for which `a op b` is `holds`. False: there are none (a and b are then unspecified). */
bool scalar_assume(u8 op, bool wide, bool holds, struct scalar *a, struct scalar *b);

#endif
