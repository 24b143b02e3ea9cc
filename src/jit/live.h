/* Which registers still matter behind an instruction. */
#ifndef WEIR_JIT_LIVE_H
#define WEIR_JIT_LIVE_H

#include "isa/insn.h"

struct jit;

/* A bit for each register. */
struct jit_effect {
	u16 reads, writes;
};
struct jit_effect jit_effect_of(struct insn i);

/* Registers whose value may still be read: before the instruction, and behind it on whatever path. As jit_is_live. */
u16 jit_live_in(struct jit *j, u32 pc);
u16 jit_live_out(struct jit *j, u32 pc);

/* True when the value that `reg` has behind the instruction at pc may still be read. Computed for the whole program at the
 * first call; without memory for that, or when it takes too long, everything is live. */
bool jit_is_live(struct jit *j, u32 pc, unsigned reg);

#endif
