/* The step log, as the kernel's log of the same level prints it. All of it does nothing without a buffer in the options. */
#ifndef WEIR_VERIFY_LOG_H
#define WEIR_VERIFY_LOG_H

#include "verify/verifier.h"

/* Before the walk: subprograms, live registers. */
void log_start(struct verifier *v);
/* Before an instruction: what the one before it changed, the source line, the instruction. */
void log_insn(struct verifier *v, struct insn i);
/* What has changed since this was last asked, behind the instruction when nothing was logged meanwhile. */
void log_changes(struct verifier *v);
/* A subprogram was called, or is left for v->next_pc; `callee` as it is or was. */
void log_call(struct verifier *v);
void log_return(struct verifier *v);
void log_pruned(struct verifier *v);
/* The walk goes on at v->next_pc, from the other way of the jump at v->pc. */
void log_branch(struct verifier *v);
/* Level 1 shows the path to the error only: back to where it was. */
void log_rewind(struct verifier *v, size_t len);
void log_stats(struct verifier *v);
void log_text(struct verifier *v, const char *text);
void log_printf(struct verifier *v, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* These registers, or stack slots, are read or written: they are shown behind the instruction. */
static inline void log_touch_regs(struct verifier *v, u16 regs)
{
	v->log.regs |= regs;
}

static inline void log_touch_slot(struct verifier *v, u32 slot)
{
	v->log.slots |= 1ull << slot;
}

/* log_state.c: registers and stack of a frame, those touched or all. */
void log_put_state(struct verifier *v, u32 frame, bool all);
/* log_insn.c: an instruction in the words of the kernel's log. */
void log_put_insn(struct verifier *v, u32 pc);

#endif
