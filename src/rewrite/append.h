/* Subprograms that a pass adds behind the end of a program. No instruction moves; calls of the new one are the pass's to
 * make (edit_jump). */
#ifndef WEIR_REWRITE_APPEND_H
#define WEIR_REWRITE_APPEND_H

#include "verify/facts.h"

struct diag;

/* Instructions of a subprogram to be; zeroed is empty. Jumps and calls among them are as in the program they are put into,
 * which is to be told by `start`. */
struct code {
	u32 start; /* pc of the first one */
	struct insn *insns;
	size_t nr, cap;
	bool failed; /* sticky: out of memory */
};

void code_add(struct code *c, struct insn i);
void code_fini(struct code *c);
/* A local call of the subprogram that starts at pc. */
void code_call(struct code *c, u32 pc);
/* A jump whose target is still to come; code_land then makes it go to the next instruction added. */
size_t code_jump(struct code *c, struct insn jump);
void code_land(struct code *c, size_t jump);
/* A jump back to the at-th instruction. */
void code_jump_back(struct code *c, struct insn jump, size_t at);

/* c->start must be p->len. The new instructions get FACT_SEEN. 0, -ENOMEM or -E2BIG; then p stays as it was. */
int code_append(struct prog *p, struct facts *f, struct code *c, u32 stack_bytes, struct diag *d);

#endif
