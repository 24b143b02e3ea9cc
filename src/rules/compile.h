/* A built-in chain and all it can reach, compiled to one BPF program. */
#ifndef WEIR_RULES_COMPILE_H
#define WEIR_RULES_COMPILE_H

#include "rules/eval.h"
#include "rules/tree.h"

struct cpus;
struct map;
struct prog;

struct compile_opts {
	const bool *skip;   /* one bool per counter index: rules to leave out; NULL: none */
	bool no_classifier; /* straight-line code only, rule after rule: the simple version, kept as
			       an oracle */
};

/* Counters of a rule set: one per-CPU array for all its programs; what is in it is counters.h's
 * business. */
int rules_counters_new(
	const struct ruleset *set, struct cpus *cpus, struct map **out, struct diag *d);
/* Sum over slots into counts[set->nr_counters]. */
int rules_counters_read(const struct ruleset *set, struct map *counters, struct rule_count *counts);

/* The rules that logged packets on the slot whose base is `self` since the last call, in order:
 * their counter indexes into events[cap]. Returns how many there were; those beyond cap or
 * LOG_EVENTS_MAX (counters.h) are lost but counted. Called by the thread that holds the slot, after
 * each packet. */
u32 rules_log_take(struct map *counters, u8 *self, u32 *events, u32 cap);

/* Program of type PROG_TYPE_PACKET; r0 = enum verdict. Lines of the program name the rules (line,
 * col, rule text). opts may be NULL. 0; -ENOTSUP for a rule that can't be run and isn't skipped;
 * -E2BIG; -ENOMEM. */
int rules_compile(const struct chain *start, struct map *counters, const struct compile_opts *opts,
	struct prog **out, struct diag *d);

#endif
