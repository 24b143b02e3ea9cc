/* Where short loops lie. */
#ifndef WEIR_JIT_LOOP_H
#define WEIR_JIT_LOOP_H

#include "base/types.h"

struct jit;

/* The code of the instructions up to before `next` stands, and a loop that begins at `start` ends there. When it touches more
 * cache lines than it must, it moves up a little, together with its labels and fixups. */
void jit_place_loop(struct jit *j, u32 start, u32 next);

/* Bytes to put before a loop of this length at this place. */
u32 jit_loop_pad(u32 at, u32 bytes);

#endif
