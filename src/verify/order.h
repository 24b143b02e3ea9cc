/* How two registers were found to compare. Ranges can't say `r1 < r2` for two unknown numbers, but compilers ask such a
 * question twice (a select becomes two jumps on one condition), and the second answer must be the first one: else a binary
 * search has paths on which nothing moves. One pair is remembered until one of the two is written. */
#ifndef WEIR_VERIFY_ORDER_H
#define WEIR_VERIFY_ORDER_H

#include "isa/insn.h"
#include "verify/range.h"

struct order {
	u8 low, high;	/* registers of the running frame, low < high */
	bool wide, sign; /* how they were compared */
	u8 may;		/* which of low < high (1), low == high (2), low > high (4) may be so; 0: nothing remembered */
	bool inherited; /* known since before the last kept state */
};

/* What the remembered pair says about this comparison of two registers. */
enum verdict order_decide(const struct order *o, struct insn i);
/* The comparison came out as `taken`. */
void order_learn(struct order *o, struct insn i, bool taken);
/* Both say the same of the same pair, or `inner` says more. */
bool order_covers(const struct order *outer, const struct order *inner);
bool order_equal(const struct order *a, const struct order *b);

static inline bool order_names(const struct order *o, u16 regs)
{
	return o->may && (regs >> o->low & 1 || regs >> o->high & 1);
}

#endif
