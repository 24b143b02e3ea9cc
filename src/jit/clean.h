/* Registers whose upper half is zero. */
#ifndef WEIR_JIT_CLEAN_H
#define WEIR_JIT_CLEAN_H

#include "jit/target.h"

/* What each opcode makes of the upper half; CLEAN_ASKS: the instruction says. */
enum { CLEAN_NEVER, CLEAN_ALWAYS, CLEAN_ASKS };
extern const u8 jit_clean_results[256];

bool jit_asks_clean(const struct jit *j, u32 pc, u16 clean);

/* Whether it is zero in what the instruction at pc writes, when it is in the registers `clean`. */
static inline bool jit_result_is_clean(const struct jit *j, u32 pc, u16 clean)
{
	unsigned result = jit_clean_results[jit_insn(j, pc)->code];

	return result == CLEAN_ASKS ? jit_asks_clean(j, pc, clean) : result == CLEAN_ALWAYS;
}

/* What is being found out about a subprogram. */
struct jit_clean {
	u16 dirty;
	u16 moved[JIT_NR_REGS]; /* registers that it is moved from as a whole */
};

void jit_clean_note_write(struct jit_clean *c, const struct jit *j, u32 pc, u16 writes);

/* The instruction at pc is part of it, and writes these registers. */
static inline void jit_clean_note(struct jit_clean *c, const struct jit *j, u32 pc, u16 writes)
{
	if (writes & (u16)~c->dirty)
		jit_clean_note_write(c, j, pc, writes);
}

/* The registers, other than arguments, whose upper half is zero wherever they hold anything. */
u16 jit_clean_always(struct jit_clean *c);

#endif
