/* Registers that cost nothing in place of those that must be saved. */
#ifndef WEIR_JIT_LEAF_H
#define WEIR_JIT_LEAF_H

#include "base/types.h"

struct jit;
struct jit_subprog;

/* Renames registers of the subprogram that the target would save, as far as it can spare others that it wouldn't, in a copy of
 * the instructions. Returns whether it has changed any: then the subprogram is to be scanned again. */
bool jit_leaf(struct jit *j, struct jit_subprog *s);

#endif
