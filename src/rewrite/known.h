/* What is known at a place of a program walked from its start: registers that are constants, and how comparisons came out
 * whose operands weren't written since. Knowledge has the place where it was won: it still holds where ways meet if all of
 * them come from behind that place, since whatever happened to it in between was seen. */
#ifndef WEIR_REWRITE_KNOWN_H
#define WEIR_REWRITE_KNOWN_H

#include "rewrite/regs.h"
#include "verify/facts.h"
#include "verify/range.h"

enum { KNOWN_COMPARISONS = 6 };

struct known_comparison {
	struct insn jump;
	bool taken;
	u16 regs; /* that it compares */
	u32 since;
};

struct known {
	u16 constants; /* a bit for each register */
	u16 compared;  /* registers of the comparisons */
	u64 value[BPF_NR_REGS];
	u32 since[BPF_NR_REGS]; /* of the constants */
	struct known_comparison comparisons[KNOWN_COMPARISONS]; /* the last ones, oldest first */
	u32 nr_comparisons;
};

static inline u16 known_regs(const struct known *k)
{
	return k->constants | k->compared;
}

static inline void known_nothing(struct known *k)
{
	k->constants = k->compared = 0;
	k->nr_comparisons = 0;
}

/* Whether known_step has anything to do; quick, and mostly it hasn't. */
static inline bool known_changes(const struct known *k, struct insn i, const struct fact *f)
{
	enum { ALU = 1 << BPF_ALU | 1 << BPF_ALU64 };

	if (regs_written(i) & known_regs(k) || f->flags & FACT_DST_KNOWN || insn_is_ld_imm64(i))
		return true;
	if (!(ALU >> BPF_CLASS(i.code) & 1))
		return false;
	switch (BPF_OP(i.code)) {
	case BPF_MOV:
		return BPF_SRC(i.code) == BPF_K || k->constants >> i.src & 1;
	case BPF_AND:
	case BPF_MUL:
		return true;
	default:
		return false;
	}
}

/* The instruction at pc runs, which is no jump. */
void known_step(struct known *k, struct insn i, struct insn next, const struct fact *f, u32 pc);
/* The instruction writes one of *regs, of which something is to be known behind it. Changes them to those of which something must be
 * known before; false: nothing will be known of what it writes. Asks for no more than known_step needs. */
bool known_before(struct insn i, const struct fact *f, u16 *regs);
/* The conditional jump went this way; known since pc. */
void known_learn(struct known *k, struct insn jump, bool taken, u32 pc);
/* Other ways arrive here, the first of them from `first`. */
void known_meet(struct known *k, u32 first);
/* Which way the conditional jump goes: MAYBE unless something is known of every register that it compares. */
enum verdict known_decide(const struct known *k, struct insn jump);
/* Writes to *out what sets the same register to the constant that it is behind the instruction, if one instruction can and
 * it isn't such a one itself. */
bool known_as_move(const struct known *k, struct insn i, struct insn *out);

#endif
