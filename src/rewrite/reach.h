/* Which instructions can run. */
#ifndef WEIR_REWRITE_REACH_H
#define WEIR_REWRITE_REACH_H

#include "verify/facts.h"

/* One bit per instruction: a path from the start reaches it, if jumps go where FACT_TAKEN and FACT_NOT_TAKEN say. Both halves of a
 * 64-bit immediate load have it. NULL: out of memory; mem_free it. */
u64 *reach_find(const struct prog *p, const struct facts *f);

#endif
