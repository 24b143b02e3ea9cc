/* A tree as text: ip[6]tables-save, and the listing of ip[6]tables -L -v -n -x --line-numbers. */
#ifndef WEIR_RULES_PRINT_H
#define WEIR_RULES_PRINT_H

#include "rules/tree.h"

struct buf;

/* Counters of a whole rule set, by rule.counter and chain.policy_counter. */
struct rule_count {
	u64 packets, bytes;
};

enum print_flags {
	PRINT_COUNTERS = 1 << 0, /* `[p:b]` before each rule, as ip[6]tables-save -c */
};

/* As ip[6]tables-save -c prints it but for the two comment lines with dates. counts NULL: zeros. */
void rules_print_save(struct buf *out, const struct ruleset *set, const struct rule_count *counts, u32 flags);
/* One rule as save prints it, "-A INPUT -s ...", without counters and line end. */
void rule_print(struct buf *out, const struct rule *r);
/* One table as ip[6]tables -t T -L -v -n -x --line-numbers prints it. chain NULL: all chains. */
void rules_print_list(struct buf *out, const struct table *t, const struct chain *chain, const struct rule_count *counts);
/* Indented text of the tree as it is held, for dumps and tests. */
void rules_print_tree(struct buf *out, const struct ruleset *set);

#endif
