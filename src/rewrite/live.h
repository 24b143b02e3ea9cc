/* Which registers may still be read. */
#ifndef WEIR_REWRITE_LIVE_H
#define WEIR_REWRITE_LIVE_H

#include "isa/prog.h"

enum live_kind {
	LIVE_USEFUL, /* by what does more than compute what nobody reads */
	LIVE_ALL,
};

/* Fills before[] with the registers live before each instruction, a bit each, in at most `sweeps` over the program: two for
 * straight code, one more for each nesting of loops. 0, -ENOMEM, -E2BIG: that wasn't enough. */
int live_find(const struct prog *p, enum live_kind kind, unsigned sweeps, u16 *before);
/* Those live behind pc. */
u16 live_behind(const struct prog *p, const u16 *before, u32 pc);

#endif
