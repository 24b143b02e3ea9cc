/* Registers that are saved in others. */
#ifndef WEIR_JIT_KEEP_H
#define WEIR_JIT_KEEP_H

#include "base/types.h"

struct jit;
struct jit_subprog;

/* Keeps saved registers where they are, in a copy of the instructions. Returns whether it has changed any: then the subprogram
 * is to be scanned again. */
bool jit_keep(struct jit *j, const struct jit_subprog *s);

#endif
