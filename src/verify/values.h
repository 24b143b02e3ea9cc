/* The state of the value analysis: see values.c. */
#ifndef WEIR_VERIFY_VALUES_H
#define WEIR_VERIFY_VALUES_H

#include "verify/verifier.h"

enum { NR_UNITS = PROG_STACK_BYTES / 4, NO_WORD = 0xff };

/* 4 bytes of the stack as a number. */
struct word {
	u32 min, max;
};

/* What is known of registers and of those stack words that matter. Pointers are numbers of which nothing is known. */
struct values {
	struct scalar regs[BPF_REG_FP];
	struct word words[]; /* value_analysis.nr_words */
};

struct value_analysis {
	struct verifier *v;
	struct fact *facts;
	u8 word_of[NR_UNITS]; /* unit n, the 4 bytes from r10 - 4 * (n + 1) on: index into words, or NO_WORD */
	u32 nr_words;
};

/* r0 ... r9 and all words: nothing known. */
void values_forget(const struct value_analysis *a, struct values *s);

/* value_step.c: one instruction that isn't a jump changes s; what s says about it becomes facts. */
void value_step(const struct value_analysis *a, struct values *s, u32 pc);

#endif
