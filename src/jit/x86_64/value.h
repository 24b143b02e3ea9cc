/* Moves, sums and constants whose code isn't emitted yet. See value.c. */
#ifndef WEIR_JIT_X86_64_VALUE_H
#define WEIR_JIT_X86_64_VALUE_H

#include "jit/x86_64/x86.h"

/* Nothing is delayed: a subprogram begins. */
void x86_values_reset(struct jit *j);

/* Holds back the instruction at j->pc if it is one of these; returns how many BPF instructions that is, or 0. */
u32 x86_delay(struct jit *j);

/* The n instructions from j->pc on are about to be emitted. What they read is in its home then, and what lives on isn't
 * lost by what they write; a jump's target finds everything at home. x86_place and x86_src know what is left out. */
void x86_take(struct jit *j, u32 n);
/* Likewise, when the first reads its sources with x86_src and x86_const_src. */
void x86_take_spared(struct jit *j, u32 n);
/* Likewise, when of what they write the code writes only dst. Nobody needs the others behind, so their homes may still hold what
 * others are copies of. */
void x86_take_result(struct jit *j, u32 n, unsigned dst);
/* As x86_take_spared, of a single one. */
void x86_take_one(struct jit *j);
/* An operation on reg is about to be emitted, and then the conditional jump at pc: what that needs at home comes there, but
 * reg. */
void x86_prepare_jump(struct jit *j, u32 pc, unsigned reg);
/* The instructions up to pc, which have been taken, write the home of reg, too, which nobody needs behind. */
void x86_take_over(struct jit *j, unsigned reg, u32 pc);
/* Nobody needs what reg is. */
void x86_forget(struct jit *j, unsigned reg);
/* What dst is has been made in the home of src. */
void x86_set_copy(struct jit *j, unsigned dst, unsigned src);
/* They are emitted. */
void x86_done(struct jit *j, u32 n);
/* A jump target comes next: everything that lives there goes home. */
void x86_flush(struct jit *j, u32 pc);

/* The address of the first instruction that was taken, which is [reg + off]. */
struct x86_mem x86_place(const struct jit *j, unsigned reg, s32 off);
/* Where the value of a source is: at home, or where it was copied from. */
enum x86_reg x86_src(const struct jit *j, unsigned reg);
/* Its value is where it belongs. */
bool x86_is_home(const struct jit *j, unsigned reg);
/* The register is this constant, and nothing has made it yet. */
bool x86_is_delayed_const(const struct jit *j, unsigned reg, s32 value);
/* The source is a constant that takes no register. */
bool x86_const_src(const struct jit *j, unsigned reg, s32 *value);

#endif
