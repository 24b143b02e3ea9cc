/* Which rules packets can come to. */
#ifndef WEIR_RULES_REACH_H
#define WEIR_RULES_REACH_H

#include "rules/tree.h"

/* True when no packet comes to the rules behind this one: it asks nothing and has a verdict. */
bool rule_ends_chain(const struct rule *r);

/* The reachable rule behind r, NULL at the end. */
static inline struct rule *rule_reach_next(const struct rule *r)
{
	return rule_ends_chain(r) ? NULL : r->next;
}

#endif
