/* Registers whose upper half is zero. */
#ifndef WEIR_JIT_CLEAN_H
#define WEIR_JIT_CLEAN_H

#include "jit/target.h"

/* Whether it is in what the instruction at pc writes, when it is in the registers `clean`. */
bool jit_result_is_clean(const struct jit *j, u32 pc, u16 clean);

/* What is being found out about a subprogram. */
struct jit_clean {
	u16 dirty;
	u16 moved[JIT_NR_REGS]; /* registers that it is moved from as a whole */
};

/* The instruction at pc is part of it, and writes these registers. */
void jit_clean_note(struct jit_clean *c, const struct jit *j, u32 pc, u16 writes);
/* The registers, other than arguments, whose upper half is zero wherever they hold anything. */
u16 jit_clean_always(struct jit_clean *c);

#endif
