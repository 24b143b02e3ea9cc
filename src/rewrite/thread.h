/* What the files of the pass "thread" share: thread_meet.c says where a way may be worth looking for, thread.c looks,
 * thread_way.c follows one, thread_edit.c puts those that were found into the program. */
#ifndef WEIR_REWRITE_THREAD_H
#define WEIR_REWRITE_THREAD_H

#include "rewrite/flow.h"
#include "rewrite/known.h"

struct diag;

enum {
	THREAD_COPIED_MAX = 6, /* instructions copied for one way */
	THREAD_TOO_FAR = UINT8_MAX,
};

/* Where ways meet. */
struct meeting {
	u32 first;   /* the lowest instruction that jumps here; 0: some jump or call from behind */
	u32 jumps;   /* how many */
	u32 past;    /* of these, how many go past it from now on */
	u16 asks;    /* registers of which something must be known here if the next conditional jump is to be decided */
	u8 distance; /* of that jump: instructions to copy, or THREAD_TOO_FAR, also when it can't be decided here */
};

struct copied {
	struct insn insn;
	u32 pc; /* of the original */
};

enum way_kind {
	BY_GOTO, /* copies stand in place of the goto */
	BY_JUMP, /* of a conditional jump: behind a goto or exit */
	BY_FALL, /* behind the instruction that runs on into the block */
};

/* A way from `from` to `to`, that does the copied instructions and goes to `end`. */
struct way {
	enum way_kind kind;
	u32 from, to, end;
	u32 first, nr; /* in copied[] */
	u32 place;     /* BY_JUMP, BY_FALL: before which instruction the copies stand */
	u32 label;     /* BY_JUMP: of the copies */
	bool runs_on;  /* into what is at place, which is the end */
};

struct threading {
	struct prog *p;
	struct facts *f;
	struct meeting *meetings; /* one for each instruction */
	u64 *starts;		  /* of subprograms */
	struct way *ways;
	size_t nr_ways, cap_ways;
	struct copied *copied;
	size_t nr_copied, cap_copied;
	u32 room;	    /* instructions that the program may still grow by */
	bool worth_looking; /* at one place at least where ways meet, a jump could be decided */
	bool decides;	    /* jumps in place: the verifier hasn't seen the program as it is */
	bool changed, failed;
};

static inline u16 thread_flags(const struct threading *t, u32 pc)
{
	return t->f->insns[pc].flags;
}

static inline bool thread_is_seen(const struct threading *t, u32 pc)
{
	return thread_flags(t, pc) & FACT_SEEN;
}

/* May stand twice. */
static inline bool thread_may_copy(struct insn i)
{
	enum { ALWAYS_MAY = 1 << BPF_ALU | 1 << BPF_ALU64 | 1 << BPF_LDX | 1 << BPF_ST };

	return ALWAYS_MAY >> BPF_CLASS(i.code) & 1 || (insn_is_ld_imm64(i) && i.src != LD_IMM64_FUNC) ||
	       (BPF_CLASS(i.code) == BPF_STX && BPF_MODE(i.code) != BPF_ATOMIC);
}

/* Fills t->meetings, t->starts and t->worth_looking. False: out of memory. */
bool thread_meet(struct threading *t);

/* Instructions that a way does. */
struct thread_walk {
	struct known known;
	struct copied copied[THREAD_COPIED_MAX];
	u32 nr;	   /* of these, up to where it ends */
	u32 end;   /* where it leads, or FLOW_NO_TARGET: it passes no jump that isn't decided anyway */
	u32 saved; /* instructions that needn't run: jumps, and what has become the move of a constant, which often nobody reads */
};

/* Follows the way that arrives at pc, where w->known is known, as far as it is known where it goes. */
void thread_follow(const struct threading *t, struct thread_walk *w, u32 pc);

/* Puts t->ways into the program. 0, -ENOMEM, -E2BIG. */
int thread_edit(struct threading *t, struct diag *d);

#endif
