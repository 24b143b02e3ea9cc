/* What a program is for the interpreter: one step for each instruction, at the same index, with all looked up that can be
 * looked up before the run. */
#ifndef WEIR_INTERP_STEP_H
#define WEIR_INTERP_STEP_H

#include "base/limits.h"
#include "helper/helper.h"
#include "isa/op.h"
#include "isa/prog.h"

struct guard;
struct run;
struct step;

/* Does the step and those behind it, or returns the one to go on with; NULL: the program has left, r0 is its result. `last` is
 * what the step before wrote, if that is known when the program is loaded (enum from). */
typedef const struct step *(*step_fn)(const struct step *s, struct run *run, u64 last);

struct step {
	step_fn run;
	union {
		struct {
			s32 imm;
			s16 off;
			u8 dst, src;
		};
		const struct step *to; /* ja, gotol, call_local */
		helper_fn helper;      /* call_helper */
		u64 value;	       /* of a 64-bit immediate load, in its second half */
	};
};

_Static_assert(sizeof(struct step) == 2 * sizeof(u64) || sizeof(void *) != 8, "four steps are a cache line");

struct frame {
	const struct step *ret; /* where the caller goes on */
	u64 saved[4];		/* r6 ... r9 of the caller */
	u8 stack[PROG_STACK_BYTES] __attribute__((aligned(16)));
};

struct run {
	u64 r[BPF_NR_REGS];
	u8 *self;
	struct frame *frame; /* the running one */
	struct guard *guard; /* of the checked interpreter */
	u64 last;	     /* of a step that returned */
	struct frame frames[PROG_MAX_FRAMES];
};

/* Where a step finds its operands. Everything that a step writes goes to run->r, so there they always are; but what has just
 * been written there can't be read back at once, and programs mostly go on with what they have just computed. */
enum from {
	FROM_regs,
	FROM_dst, /* dst's value is in `last` */
	FROM_src, /* src's is */
	NR_FROM
};

/* A step's function for each row of ops.def. */
typedef step_fn step_table[NR_OPS];

/* Two steps behind each other and the function that does both. */
struct step_pair {
	u8 first, first_from, second, second_from; /* enum op_id, enum from */
	step_fn run;
};

/* All functions of an interpreter. */
struct step_set {
	const step_fn *tables[NR_FROM]; /* step_table */
	step_fn tail_jump;		/* for calls of this name */
	const struct step_pair *pairs;
	size_t nr_pairs;
};

/* The steps of a program, for mem_free. NULL: out of memory. */
struct step *steps_new(const struct prog *p, const struct step_set *set);

/* Before the first step. */
static inline void run_start(struct run *run, u64 r1, u64 r2, u8 *self)
{
	for (u32 i = 0; i < BPF_NR_REGS; i++)
		run->r[i] = 0;
	run->r[BPF_REG_1] = r1;
	run->r[BPF_REG_2] = r2;
	run->self = self;
	run->last = 0;
	run->frame = run->frames;
	run->r[BPF_REG_FP] = (u64)(uintptr_t)(run->frame->stack + PROG_STACK_BYTES);
}

#endif
