/* Which registers still matter behind an instruction. */
#ifndef WEIR_JIT_LIVE_H
#define WEIR_JIT_LIVE_H

#include "base/types.h"

struct jit;

/* True when the value that `reg` has behind the instruction at pc may still be read. Computed for the whole program at the
 * first call; without memory for that, or when it takes too long, everything is live. */
bool jit_is_live(struct jit *j, u32 pc, unsigned reg);

#endif
