/* While jumps around moves are planned as selects: shared by the files that do it. */
#ifndef WEIR_JIT_ARM64_SELECT_H
#define WEIR_JIT_ARM64_SELECT_H

#include "jit/arm64/lower.h"

enum { STEPS_MAX = 6, PICKS_MAX = 3, WINDOW = 12, CONST_REGS_MAX = 2 };

/* A way from the jump on: at[n] is where it is after n instructions, jumps included. */
struct way {
	u32 at[STEPS_MAX + 1];
	u32 nr;
};

/* What a register holds when the ways meet, in terms of what registers held at the jump. */
struct result {
	bool is_const;
	bool narrow; /* 32 bits, the upper half is zero */
	u8 reg;
	u8 op; /* enum a64_csel: what the selecting operation must do to reg */
	u64 value;
};

struct operand {
	bool is_const;
	u8 reg;
	u64 value;
};

/* dst = condition ? n : op(m). */
struct pick {
	u8 dst;
	u8 op; /* enum a64_csel */
	u8 width;
	bool inverted; /* the condition is that the jump is not made */
	struct operand n, m;
};

struct a64_select {
	u32 jump, next; /* instructions [jump, next) are taken in */
	u32 last; /* of them, where what is live behind it is what is live where the ways meet */
	u16 writes, touches; /* registers that the ways write; that they, or the jump, read or write */
	u32 nr_picks;
	struct pick picks[PICKS_MAX];
};

/* While one jump is looked at. */
struct plan {
	struct jit *j;
	struct a64_select s;
	struct way ways[2]; /* behind the jump, and where it goes */
	u32 nr[2];          /* instructions of each up to where they meet */
	u32 meet;
	u32 cost[2];
	u32 cost_select;
	u32 nr_consts; /* that need registers */
};

/* Leaves 32 bits. */
bool a64_select_cuts(struct insn i);
/* From pc on, as far as it is moves. */
void a64_select_walk(const struct jit *j, u32 pc, struct way *w);
/* The first place that both ways come to. */
bool a64_select_meeting(struct plan *p);
/* What the registers hold at the end of a way, which it may write. */
bool a64_select_follow(struct plan *p, unsigned n, struct result *now);
bool a64_select_extent(struct plan *p);
/* What branches and moves cost; selecting begins with the comparison. */
void a64_select_count(struct plan *p);
bool a64_select_same(struct operand a, struct operand b);
/* What is selected, all that is live where the ways meet and differs there. False: too much, or nothing. */
bool a64_select_add_picks(struct plan *p);
/* Picks whose destinations others read can come in an order where each is read before it is written. */
bool a64_select_have_order(const struct a64_select *s);

#endif
