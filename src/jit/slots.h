/* Stack slots in registers. */
#ifndef WEIR_JIT_SLOTS_H
#define WEIR_JIT_SLOTS_H

#include "base/types.h"

struct jit;
struct jit_subprog;

/* Makes registers that the target can spare of slots of the subprogram, in a copy of the instructions. Returns whether it
 * has changed any: then the subprogram is to be scanned again. */
bool jit_slots(struct jit *j, struct jit_subprog *s);

#endif
