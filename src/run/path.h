/* The tables that a packet passes on its way through a hook, each compiled and loaded. */
#ifndef WEIR_RUN_PATH_H
#define WEIR_RUN_PATH_H

#include "rules/compile.h"
#include "rules/tree.h"

struct cpus;
struct loaded;

enum run_engine { RUN_JIT, RUN_INTERP, RUN_EVAL };

/* One table at one hook. */
struct step {
	enum hook hook;
	struct chain *chain;
	struct loaded *loaded; /* NULL with RUN_EVAL */
};

enum { PATH_STEPS_MAX = 12 };

struct path {
	struct step steps[PATH_STEPS_MAX]; /* in the order of the kernel's hook priorities */
	u32 nr_steps;
	struct map *counters; /* NULL with RUN_EVAL */
};

struct path_opts {
	enum hook hook;    /* where the rule set is asked: PREROUTING ... POSTROUTING */
	const char *table; /* only this one; NULL: every table on the way that the rule set has */
	enum run_engine engine;
	const bool *skip; /* rules to leave out, by counter index; NULL: none */
	bool no_classifier;
};

/* The chains where packets enter, in order. Returns how many. 0, and an error in d, when the table
 * or chain isn't there. Chains of the table nat are not among them: it sees the first packet of a
 * connection only, and weir knows no connections; path_nat_chains tells which were left out. */
u32 path_chains(const struct ruleset *set, enum hook hook, const char *table, struct chain **chains,
	enum hook *hooks, struct diag *d);

/* Chains of the table nat on the way that path_chains left out; at most PATH_STEPS_MAX. */
u32 path_nat_chains(
	const struct ruleset *set, enum hook hook, const char *table, struct chain **chains);

int path_new(const struct ruleset *set, const struct path_opts *opts, struct cpus *cpus,
	struct path *out, struct diag *d);
void path_fini(struct path *p);

/* The hooks that such a packet passes, ended by HOOK_NONE. */
const enum hook *path_way(enum hook hook);

const char *hook_name(enum hook hook);    /* "INPUT" */
enum hook hook_by_name(const char *name); /* HOOK_NONE when unknown */

#endif
