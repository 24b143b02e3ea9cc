/* Which registers still matter behind an instruction. */
#ifndef WEIR_JIT_LIVE_H
#define WEIR_JIT_LIVE_H

#include "jit/target.h"
#include "rewrite/regs.h"

/* A bit for each register. */
struct jit_effect {
	u16 reads, writes;
};

static inline struct jit_effect jit_effect_of(struct insn i)
{
	return (struct jit_effect){.reads = regs_read(i), .writes = regs_written(i)};
}

/* Computes the two below for the whole program. When it takes too long, everything is live. again: not 0 for each instruction
 * that jumps go back to, or NULL: calls may go back, too. */
void jit_live(struct jit *j, const u32 *again);

/* Registers whose value may still be read: before the instruction, and behind it on whatever path. */
static inline u16 jit_live_in(const struct jit *j, u32 pc)
{
	return j->live_in[pc];
}

static inline u16 jit_live_out(const struct jit *j, u32 pc)
{
	return j->live_out[pc];
}

static inline bool jit_is_live(const struct jit *j, u32 pc, unsigned reg)
{
	return j->live_out[pc] >> reg & 1;
}

#endif
