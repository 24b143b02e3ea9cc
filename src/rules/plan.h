/* What one program needs: the chains it can reach and how each becomes code, the protocols its
 * rules ask for, and how much of a packet's headers must be read. */
#ifndef WEIR_RULES_PLAN_H
#define WEIR_RULES_PLAN_H

#include "rules/compile.h"
#include "rules/emit.h"

struct chain_plan {
	const struct chain *chain;
	u32 sites;   /* rules that jump or go here */
	bool placed; /* in place at each site; else a subprogram */
	u32 below;   /* frames that calls from here can need */
	u32 above;   /* frames above a call to here */
	u64 rules;   /* of the chain and all that is in place in it */
	u64 ways; /* rules that a verifier comes by, which looks at a chain once for each way to it
		   */
	/* Of the subprograms, one for each kind of code. */
	label_t entry[NR_EMIT_MODES];
	bool called[NR_EMIT_MODES], written[NR_EMIT_MODES];
};

struct plan {
	struct arena arena;
	const struct chain *start;
	enum family family;
	const bool *skip;
	struct chain_plan *chains; /* callees before callers, the last is the start */
	u32 nr_chains;
	struct chain_plan **by_chain; /* open hash table */
	u32 hash_mask;
	unsigned needs; /* enum match_needs of all rules, and the ones below */
	u8 class_of[256];
	u8 classes[NR_UPPER_CLASSES]; /* protocols with a class, [1] ... [nr_classes - 1] */
	u32 nr_classes;
};

enum plan_needs {
	PLAN_PROTO = 1 << 16,   /* some rule has -p */
	PLAN_FRAGOFF = 1 << 17, /* IPv4: some rule has -f */
};

/* Code that is in place more than once may make a program this many rules longer than the rule set.
 */
#define PLAN_MAX_RULES 100000u
/* And all ways through the chains may together be this many rules longer: a verifier gives up at
 * VERIFY_MAX_INSNS, and a rule takes it about 30 instructions, for packets with whole and with odd
 * headers together. */
#define PLAN_MAX_WAYS (VERIFY_MAX_INSNS / 30)

int plan_init(
	struct plan *p, const struct chain *start, const struct compile_opts *opts, struct diag *d);
void plan_fini(struct plan *p);
struct chain_plan *plan_of(const struct plan *p, const struct chain *c);
bool plan_skips(const struct plan *p, const struct rule *r);
unsigned rule_needs(const struct rule *r);

/* Reads the headers into the upper word and the scratch memory (emit_walk.c): what the needs ask
 * for, once per packet. */
void emit_walk(struct emit *e, const struct plan *p);

#endif
