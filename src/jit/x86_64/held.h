/* Between value.c, delay.c and take.c: what a value is, and what moves it. */
#ifndef WEIR_JIT_X86_64_HELD_H
#define WEIR_JIT_X86_64_HELD_H

#include "jit/live.h"
#include "jit/x86_64/value.h"

/* Of constants in sums: far enough from the limits of a displacement that an instruction's offset can be added. */
enum { SUM_MAX = 1 << 30 };

static inline u16 x86_bit(unsigned reg)
{
	return (u16)(1u << reg);
}

static inline bool x86_at_home(const struct jit *j, unsigned reg)
{
	return !(x86_state(j)->delayed & x86_bit(reg));
}

static inline struct x86_mem x86_value_of(const struct jit *j, unsigned reg)
{
	return x86_at_home(j, reg) ? x86_at(x86_reg(reg), 0) : x86_state(j)->values[reg];
}

static inline bool x86_refers_to(struct x86_mem v, enum x86_reg home)
{
	return v.base == home || v.index == home;
}

static inline bool x86_is_const(struct x86_mem v)
{
	return v.base == X86_NO_REG && v.index == X86_NO_REG;
}

static inline bool x86_is_copy(struct x86_mem v)
{
	return v.base != X86_NO_REG && v.index == X86_NO_REG && v.disp == 0;
}

static inline bool x86_has_two(struct x86_mem v)
{
	return v.base != X86_NO_REG && v.index != X86_NO_REG;
}

/* home = v by instructions that leave the flags alone. */
void x86_emit_moves(struct buf *b, enum x86_reg home, struct x86_mem v);
/* Likewise; flags may change, unless a jump wants them. */
void x86_emit_value(struct jit *j, enum x86_reg home, struct x86_mem v);
void x86_bring_home(struct jit *j, unsigned reg);
void x86_bring_all_home(struct jit *j, u16 regs);
/* The home of reg is about to change, to itself + *by if that isn't NULL. Who refers to it goes home, or is lost when it isn't
 * among those that are needed. */
void x86_rescue(struct jit *j, unsigned reg, const s32 *by, u16 needed);
/* Those whose operands are gone. */
void x86_forget_lost(struct jit *j);
/* What is known of the upper half of what the instruction at pc writes. */
void x86_note_clean(struct jit *j, u32 pc, u16 writes);

#endif
