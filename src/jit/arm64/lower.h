/* Inside of the arm64 target: its state, and what its files offer each other.
 *
 * value.c delays code: a register may be known as a constant, a copy, base + offset ... until something needs it in its
 * home register. Three rules keep that right:
 * - An instruction first reads all it needs (a64_read*, a64_place), then asks for its result's register (a64_write),
 *   and writes that one last, since it may be the same as a source.
 * - Before a jump goes somewhere, and before a jump target, what is live there is brought home (a64_flush).
 * - x9 ... x12 hold nothing between two instructions, and x12 (A64_TMP3) nothing across any of these calls. */
#ifndef WEIR_JIT_ARM64_LOWER_H
#define WEIR_JIT_ARM64_LOWER_H

#include "jit/arm64/enc.h"
#include "jit/target.h"

enum { A64_TMP = 10, A64_TMP2 = 11, A64_TMP3 = 12, A64_TMP4 = 9, A64_THUNK_TMP = 16 };

/* Kinds of fixups, by the width of their field. */
enum a64_fixup { A64_FIX_IMM26, A64_FIX_IMM19, A64_FIX_IMM14, A64_FIX_ADR };

enum value_kind {
	VALUE_HOME = 0, /* in its home register */
	VALUE_CONST,	/* amount */
	VALUE_ADD,	/* what the home of `src` holds, + amount; a copy is + 0 */
	VALUE_LOW32,	/* the low half of the home of `src` */
	VALUE_SHIFT,	/* the home of `src` shifted by amount */
	VALUE_SUM,	/* the homes of `src` + (`index` << amount) */
	VALUE_FRAME,	/* r10 + amount */
	VALUE_PERCPU,	/* per-CPU base + amount */
	VALUE_PERCPU_ADD, /* per-CPU base + its own home */
};

/* Instructions name BPF's registers and, from BPF_NR_REGS on, those that stack slots became (frame.c). Behind them in number are
 * places that nobody holds but values refer to: those of registers that went elsewhere (aside.c). */
enum { A64_REGS = JIT_NR_REGS, A64_ASIDE = A64_REGS, A64_PLACES = A64_ASIDE + 4 };

struct value {
	u8 kind;
	u8 src;	  /* BPF register, or a place aside; may be the register itself: then its home still holds the operand */
	u8 shift; /* enum a64_shift */
	u8 width; /* of the shift */
	u8 index; /* BPF register, like src */
	s64 amount;
};

/* Comparisons whose flags stand already and whose jump comes with the next one's (lower_jump.c). */
struct a64_chain {
	bool open;
	enum a64_cond cond; /* jumps */
	u32 to;
};

/* copied.c's, per instruction. */
struct a64_copied {
	u8 *to;	     /* destination << 4 | register that the instruction writes; or A64_NOT_COPIED */
	bool *whole; /* a 32-bit copy of a register whose upper half is zero */
};
enum { A64_NOT_COPIED = 0xff };

/* An instruction that was done before its turn (early.c): its result is in its register's home or in a place aside. */
struct a64_early {
	u32 pc;
	u8 place; /* 0: at home */
};
enum { A64_EARLY_MAX = 6 };

enum { A64_SAVED_MAX = 9 };

struct a64 {
	const u8 *usual; /* homes of all registers but r10 where code meets: before jumps, at their targets */
	u8 home[A64_PLACES]; /* the register that is home now */
	u32 spare;	 /* registers, a bit each, that can be homes for a while */
	u8 base;	 /* PERCPU_PINNED, in programs that need it: register of the per-CPU base */
	u8 saved[A64_SAVED_MAX]; /* callee-saved registers that this subprogram must keep */
	u8 nr_saved;
	u32 frame_bytes; /* r10 = sp + frame_bytes all the time */
	u32 return_insns; /* length of the way out */
	bool lse;
	struct value values[A64_PLACES]; /* of a place aside: always VALUE_HOME */
	u16 held; /* registers whose value is another: a64_hold, a64_drop */
	bool result_in_x0; /* r0 was computed straight into x0 for the exit that follows */
	u8 *branched;	   /* per instruction: branches that go here, many as UINT8_MAX; a jump to an exit is an exit itself and none */
	struct a64_chain chain;
	struct a64_early early[A64_EARLY_MAX];
	u32 nr_early;
	struct a64_copied copied;
	struct a64_select **selects; /* select.c's, per instruction; NULL: none */
	u32 turned_to; /* where the next conditional jump goes when its comparison does not hold, instead of where it does; 0: none */
	struct a64_own_exit *own_exits; /* of the subprogram, the last one first */
	struct a64_hoist *hoist; /* hoist.c's; NULL: nothing */
	struct a64_literals *literals; /* literal.c's */
	bool unreachable;  /* the code before ended with a jump or exit */
	u32 next;	   /* behind the instructions being lowered */
	u32 last;	   /* the last of them but for a jump that is skipped: what is live behind it counts */
	u16 live;	   /* what must survive: while reading, sources included; while writing, what is live behind */
};

static inline struct a64 *a64_of(const struct jit *j)
{
	return j->priv;
}

static inline void a64_emit(struct jit *j, u32 word)
{
	buf_le32(&j->code, word);
	j->nr_host_insns++;
}

static inline unsigned a64_home(const struct jit *j, u8 reg)
{
	return a64_of(j)->home[reg];
}

/* Where the subprogram's result is when it returns: of the main one, and of those that another program may take the place
 * of, in x0; else at home. */
static inline bool a64_returns_x0(const struct jit *j, u32 subprog)
{
	return subprog == 0 || j->subprogs[subprog].tail_jumps;
}

/* branched.c: how many branches go to each instruction; false and j->err when out of memory. Later on those that there are
 * more, or fewer, than jumps in the program. */
bool a64_count_branches(struct jit *j);
void a64_add_branch(struct jit *j, u32 to);
void a64_forget_branch(struct jit *j, u32 to);
/* Where the jump at pc ends up, through jumps that it meets. */
u32 a64_jump_target(const struct jit *j, u32 pc);
/* The registers that are live before and behind the instruction at pc, on whatever path. */
static inline u16 a64_live_in(const struct jit *j, u32 pc)
{
	return j->live_in[pc];
}
static inline u16 a64_live_out(const struct jit *j, u32 pc)
{
	return j->live_out[pc];
}

/* const.c */
void a64_const(struct jit *j, enum a64_width w, unsigned rd, u64 value); /* the shortest sequence */
unsigned a64_const_insns(u64 value);
void a64_move(struct jit *j, unsigned rd, unsigned rn);
/* rd = rn + amount; rn may be sp, then rd must not be a temporary used here (A64_TMP3). */
void a64_add_const(struct jit *j, unsigned rd, unsigned rn, s64 amount);

/* A register that holds the constant, `scratch` unless some other one does. */
unsigned a64_const_reg(struct jit *j, enum a64_width w, u64 value, unsigned scratch);
/* The same where time doesn't count but the number of instructions: an operand of a comparison, whose branch is predicted. */
unsigned a64_const_reg_short(struct jit *j, enum a64_width w, u64 value, unsigned scratch);

/* copy.c */
void a64_copy_plan(struct jit *j); /* for the whole program */
/* In place of the jump at j->pc. False, and nothing done: it is a jump. */
bool a64_copy_block(struct jit *j);

/* copied.c */
void a64_copied_plan(struct jit *j); /* for the subprogram that begins */
/* The instruction leaves zeros in the upper half of its destination. */
bool a64_clears_upper_half(struct insn i);

/* select.c */
void a64_select_plan(struct jit *j); /* for the whole program */
/* The select that the conditional jump at pc is; or that the instruction at pc is part of; or NULL. */
const struct a64_select *a64_select_at(const struct jit *j, u32 pc);
const struct a64_select *a64_select_around(const struct jit *j, u32 pc);
/* Its jump, and what its ways write, and read or write. */
u32 a64_select_start(const struct a64_select *s);
u16 a64_select_writes(const struct a64_select *s);
u16 a64_select_touches(const struct a64_select *s);
/* Takes in the select whose comparison has set the flags; the jump would be made when `cond` holds. */
void a64_select(struct jit *j, const struct a64_select *s, enum a64_cond cond);

/* hoist.c */
void a64_hoist_plan(struct jit *j); /* for the subprogram that begins */
/* In front of the loop with this head: makes its constants. */
void a64_hoist_enter(struct jit *j, u32 head);
/* The jump right before the head goes into that loop. */
bool a64_hoist_jumps_in(const struct jit *j, u32 head, u32 to);
/* The instruction at pc is outside of the loop with this head. */
bool a64_hoist_enters(const struct jit *j, u32 pc, u32 head);
/* A register that holds the constant at j->pc; with A64_W only the low half counts. */
bool a64_hoisted(const struct jit *j, enum a64_width w, u64 value, unsigned *reg);

/* literal.c */
bool a64_may_load_literal(const struct jit *j);
void a64_load_literal(struct jit *j, unsigned rd, u64 value);
/* rd = the address of four constants in a row. */
void a64_quad_address(struct jit *j, unsigned rd, const u64 values[static 4]);
void a64_emit_literals(struct jit *j); /* behind all code */

/* The instruction at pc can only be reached from the one before it, in the same subprogram, seen that jumps to jumps go where
 * those go: then both may be lowered together. */
static inline bool a64_fusible(const struct jit *j, u32 pc)
{
	return pc > jit_subprog(j)->start && pc < jit_subprog(j)->end && !a64_of(j)->branched[pc];
}

/* value.c */
void a64_values_reset(struct jit *j);
/* The lowering takes in one more instruction (a64_fusible). */
void a64_take_next(struct jit *j);
/* It takes in the jump behind a conditional jump that skips it. */
void a64_take_skipped(struct jit *j);
/* Nobody reads reg behind the instructions taken so far. */
static inline bool a64_dead(const struct jit *j, u8 reg)
{
	return !(a64_live_out(j, a64_of(j)->last) & 1u << reg);
}
/* From here on only what is live behind the instruction matters: a64_write and a64_set imply it. */
void a64_reads_done(struct jit *j);
static inline bool a64_value_refers(struct value v, u8 reg)
{
	if (v.kind == VALUE_SUM && v.index == reg)
		return true;
	return (v.kind == VALUE_ADD || v.kind == VALUE_LOW32 || v.kind == VALUE_SHIFT || v.kind == VALUE_SUM) &&
		v.src == reg;
}
static inline void a64_hold(struct a64 *a, u8 reg, struct value v)
{
	a->values[reg] = v;
	a->held = (u16)(v.kind == VALUE_HOME ? a->held & ~(1u << reg) : a->held | 1u << reg);
}
static inline void a64_drop(struct a64 *a, u8 reg)
{
	a64_hold(a, reg, (struct value){0});
}
static inline bool a64_is_aside(u8 place)
{
	return place >= A64_ASIDE;
}
/* Makes sure that reg's value doesn't need its own home as an operand any more. */
void a64_settle(struct jit *j, u8 reg);
bool a64_const_of(const struct jit *j, u8 reg, u64 *value);
/* A register that holds reg's value; with A64_W only the low half counts. r10 goes to `scratch`. */
unsigned a64_read(struct jit *j, enum a64_width w, u8 reg, unsigned scratch);
/* The same for what is read behind a flush. */
unsigned a64_read_lasting(struct jit *j, enum a64_width w, u8 reg, unsigned scratch);
/* For an instruction that is emitted next, before anything is brought home. */
unsigned a64_read_now(struct jit *j, enum a64_width w, u8 reg, unsigned scratch);
void a64_read_two_now(struct jit *j, enum a64_width w, u8 a, u8 b, unsigned *ma, unsigned *mb);
void a64_read_two(struct jit *j, enum a64_width w, u8 a, u8 b, unsigned *ma, unsigned *mb);
/* Like a64_read, in the home of reg itself; not for r10. */
unsigned a64_read_home(struct jit *j, u8 reg);
/* The register for the result: home, which may become another one for it, or x0 when reg is r0 and the program exits next. */
unsigned a64_write(struct jit *j, u8 reg);
/* The home that it has. */
unsigned a64_write_home(struct jit *j, u8 reg);
/* Instead of a64_write: the result is described. */
void a64_set(struct jit *j, u8 reg, struct value v);
/* A description of reg for another register to take over. */
struct value a64_copy(struct jit *j, u8 reg);
/* The same; reg itself may be forgotten when nobody reads it behind the instruction. */
struct value a64_take(struct jit *j, u8 reg);
/* Computes what v says into rd, on behalf of reg. */
void a64_emit_value(struct jit *j, unsigned rd, u8 reg, struct value v);
/* Brings to their usual homes what is in `live`. */
void a64_flush(struct jit *j, u16 live);

/* aside.c: instead of bringing home at once who needs what reg's home holds, since that is about to change, reg gets another
 * home, and they keep the old one. False, and nothing done, when nobody needs it, or it wouldn't pay. */
bool a64_step_aside(struct jit *j, u8 reg);
/* A place aside for a load that is made early; or 0. It stays as long as the load is among those. */
u8 a64_reserve_aside(struct jit *j);
/* Nobody refers to reg's home: it may as well be the usual one, if that is free. */
void a64_step_back(struct jit *j, u8 reg);
/* The place aside that is reg's usual home, if someone alive refers to it; or 0. */
u8 a64_who_is_in(struct jit *j, u8 reg);
/* Values that refer to `from` refer to `to` now. */
void a64_refer_to(struct jit *j, u8 from, u8 to);
bool a64_at_usual(const struct jit *j, u8 reg);

/* host.c */
bool a64_host_has_lse(void);

/* frame.c */
u16 a64_spare(const struct jit *j, const struct jit_subprog *s, u16 *saved);
void a64_prologue(struct jit *j);
void a64_epilogue(struct jit *j);
void a64_thunk(struct jit *j, u64 address);
/* True for an exit and for a jump to one. */
bool a64_is_exit(const struct jit *j, u32 pc);
void a64_exit(struct jit *j);
/* To the callable r2, as an exit does. */
void a64_tail_jump(struct jit *j);
/* What is being lowered can end with the exit behind it: by falling into it, or with one of its own. */
bool a64_exits_next(const struct jit *j);
/* A jump to the exit at `to` goes to one of its own, behind the subprogram, where the result is made that nobody needs
 * before. */
bool a64_has_own_exit(const struct jit *j, u32 to);
jit_label a64_own_exit(struct jit *j);
/* True when the exit behind is also for others and it pays to have one here. */
bool a64_exits_here(const struct jit *j);

/* Where memory is: base + off, or base + index, scaled or not. */
struct a64_place {
	u8 base; /* may be sp */
	u8 index;
	bool indexed, scaled; /* scaled: index << the logarithm of the size */
	s64 off;
};

/* lower_mem.c */
struct a64_place a64_place(struct jit *j, enum a64_size size, u8 reg, s32 off);
/* The place's address in a register, for instructions without offsets; may use A64_TMP. */
unsigned a64_place_reg(struct jit *j, enum a64_size size, struct a64_place p);
enum a64_size a64_size_of(struct insn i);

/* pair.c */
/* Two accesses of one size beside each other. */
bool a64_are_beside(enum a64_size size, s16 a, s16 b);
/* The load at j->pc together with another one, which may be behind others. False, and nothing done, when there is none. */
bool a64_lower_load_pair(struct jit *j, struct insn i);

/* early.c: the instruction at pc is done before its turn, with its result in `place`, or at home for 0. False: too many are. */
bool a64_early_add(struct jit *j, u32 pc, u8 place);
bool a64_is_early(const struct jit *j, u32 pc);
/* The instruction at j->pc was done before, and is through with that. */
bool a64_lower_early(struct jit *j, struct insn i);

/* step.c: base, whose place p is, with `off` added, goes a step with the access that is emitted next; rt is loaded or stored. */
bool a64_access_step(struct jit *j, u8 base, s32 off, unsigned rt, struct a64_place p, enum a64_index *index, s32 *by);

/* One function for each class; they take the instruction at j->pc and may take more. */
void a64_lower_alu(struct jit *j, struct insn i);
void a64_lower_percpu_mov(struct jit *j, struct insn i);
void a64_lower_ld(struct jit *j, struct insn i);
void a64_lower_ldx(struct jit *j, struct insn i);
void a64_lower_st(struct jit *j, struct insn i);
void a64_lower_stx(struct jit *j, struct insn i);
void a64_lower_atomic(struct jit *j, struct insn i);
void a64_lower_jump(struct jit *j, struct insn i);
void a64_lower_call(struct jit *j, struct insn i);

/* target.c: the instruction at j->pc, and those that are taken in with it. */
void a64_lower_one(struct jit *j);

/* lower_jump.c: where the conditional jump at pc leads, and how many instructions it is with the jump that it skips. */
u32 a64_branch_target(const struct jit *j, u32 pc);
u32 a64_branch_insns(const struct jit *j, u32 pc);
/* lower_jump.c: goes to `to` from here. */
void a64_goto(struct jit *j, u32 to);
/* lower_jump.c: the conditional jump needs no comparison before it, as far as it can be told from it alone. */
bool a64_has_branch_of_its_own(struct insn i);
/* lower_jump.c: dst &= value and the masking of another register behind it, up to the jumps that compare both with constants
 * and go to one place. False, and nothing done, when it isn't that. */
bool a64_lower_masked_pair(struct jit *j, u8 dst, u64 value);
/* lower_jump.c: dst &= src, or &= *value, together with a jump behind it that asks whether the result is zero, when
 * nobody else wants the result. False, and nothing done, otherwise. */
bool a64_lower_and_jump(struct jit *j, enum a64_width w, u8 dst, u8 src, const u64 *value);

#endif
