/* A program being written: compile.c frames it, compile_chain.c writes the chains. */
#ifndef WEIR_RULES_CODE_H
#define WEIR_RULES_CODE_H

#include "rules/eval.h"
#include "rules/plan.h"

/* What a subprogram returns beside verdicts: the packet goes on behind the call. */
enum { VERDICT_CONTINUE = 3, NR_VERDICTS = 3 };

/* What verdicts of rules mean in code of compile_groups.c: in the first group, note the rule and go
 * on to the second; in the second, leave to the noted rule when that stands before. */
struct group {
	struct spot *second, *noted; /* one of them */
};

/* A chain that a rule goes to, to be written in place behind the one it goes from. */
struct later {
	const struct chain *chain;
	label_t start;
	enum emit_mode mode;
	struct later *next;
};

struct code {
	struct emit e;
	struct plan *plan;
	bool plain;                /* rule after rule, nothing else */
	const struct group *group; /* NULL: verdicts are final */
	struct later *later;       /* of the chain in place at hand */
	struct arena arena;        /* while chains are laid out */
	bool failed;               /* out of memory; sticky */
	/* Ends of the function at hand. */
	struct spot hotdrop, leave;                                  /* leave: r0 is the result */
	struct spot count_near[NR_VERDICTS], count_far[NR_VERDICTS]; /* count, then that verdict */
	struct spot far; /* the subprogram that counts beyond the first value */
};

/* What is true of every packet that comes to a rule's code; see struct emit. */
struct known {
	const struct atom *atom;
	u32 bits;
	bool src_holds, dst_holds;
};

/* Starts and ends a function: the ends are written when something goes there. */
void code_begin(struct code *c);
void code_end(struct code *c);
/* Counts and leaves with a verdict. */
void code_verdict(struct code *c, u32 counter, enum verdict v);
/* The chain's rules; true when a packet can fall through behind them. RETURN goes to *ret, the end
 * of the chain may too. */
bool code_chain(struct code *c, const struct chain *chain, struct spot *ret);
/* The same with all chains that its rules go to, one behind the other. */
bool code_chains(struct code *c, const struct chain *chain, struct spot *ret);
/* The rule's tests, counter and target. True when a packet can get behind it. */
bool code_rule(struct code *c, const struct rule *r, const struct known *known, struct spot *ret);
/* The same, but packets that don't match go to *miss. True when those that do can get behind it. */
bool code_rule_to(struct code *c, const struct rule *r, const struct known *known,
	struct spot *miss, struct spot *ret);
/* The base match only. */
void code_base(struct code *c, const struct rule *r, const struct known *known, struct spot *miss);
/* Instructions from here on are the rule's. */
void code_source(struct code *c, const struct rule *r);
/* As code_chain, for quick running; nothing falls through (compile_tree.c). */
void code_tree(struct code *c, const struct chain *chain, struct spot *ret);
/* A rule's ACCEPT or DROP, with its count, in code of a group. */
void code_group_verdict(struct code *c, const struct rule *r);
/* Subprograms that were called, and the counting one. */
void code_subprograms(struct code *c, u32 map);

#endif
