/* The one place that changes a program behind the verifier. A pass collects its edits in rising
 * order and applies them at once, in time linear in the program. Jumps, local calls, subprogram
 * addresses, source lines, facts and subprogram starts then say what they said before, about the
 * new positions.
 *
 * All pcs given to edit_* are those of the program before editor_apply. A jump to an instruction
 * that was replaced, or that something was inserted before, arrives at the first new instruction; a
 * jump to a removed one arrives behind it. */
#ifndef WEIR_REWRITE_EDITOR_H
#define WEIR_REWRITE_EDITOR_H

#include "verify/facts.h"

struct diag;

struct edit;
struct edit_insn;

struct editor {
	struct prog *p;  /* borrowed */
	struct facts *f; /* borrowed */
	struct edit *edits;
	size_t nr, cap;
	struct edit_insn *insns; /* of all edits, one behind the other */
	size_t nr_insns, cap_insns;
	u32 nr_labels;
	bool has_lines; /* some new instruction has a source line of its own */
	bool failed; /* sticky: out of memory, reported by editor_apply */
};

void editor_init(struct editor *e, struct prog *p, struct facts *f);
void editor_fini(struct editor *e);

/* Puts `n` instructions in place of `nr_old` at pc; either may be 0. Jumps among them are relative
 * to each other and may go just behind the last. No jump may go into the middle of what is
 * replaced, unless it is dead. New instructions get no facts but FACT_SEEN, where the old one at pc
 * has it. */
void edit_replace(struct editor *e, u32 pc, u32 nr_old, const struct insn *insns, u32 n);
/* Replaces the jump at pc by `jump`, which goes to the (old) instruction or label `target`. */
void edit_jump(struct editor *e, u32 pc, struct insn jump, u32 target);
/* The i-th instruction of the last edit is a jump to the (old) instruction or label `target`. */
void edit_exit(struct editor *e, u32 i, u32 target);
/* Gives the i-th instruction of the last edit this fact. */
void edit_fact(struct editor *e, u32 i, struct fact fact);

/* The i-th instruction of the last edit comes from the source line of the old instruction at pc. Without: from the line of
 * the place where it is put. */
void edit_line(struct editor *e, u32 i, u32 pc);

/* A name for a new instruction, as target of jumps of other edits; edit_bind says that it is the i-th of the last edit. */
u32 edit_label(struct editor *e);
void edit_bind(struct editor *e, u32 i, u32 label);

static inline void edit_insert(struct editor *e, u32 pc, const struct insn *insns, u32 n)
{
	edit_replace(e, pc, 0, insns, n);
}

/* What a subprogram that starts at pc does first: calls arrive at it, jumps behind it. The first
 * edit at pc. */
void edit_enter(struct editor *e, u32 pc, const struct insn *insns, u32 n);

/* Puts instructions behind the one before pc, as part of its subprogram: no jump arrives at them, but those to a label. */
void edit_append(struct editor *e, u32 pc, const struct insn *insns, u32 n);

static inline void edit_remove(struct editor *e, u32 pc, u32 n)
{
	edit_replace(e, pc, n, NULL, 0);
}

/* Applies all edits and forgets them. A jump that no longer reaches becomes a gotol, or a short
 * jump to one. 0, -ENOMEM, or -E2BIG when the program gets longer than PROG_MAX_INSNS; the program
 * stays as it was then. */
int editor_apply(struct editor *e, struct diag *d);

#endif
