/* Building and changing a tree while its text is read: what -N, -A, -I, -D, -R, -F, -X, -E and -P do to it. */
#ifndef WEIR_RULES_TREE_EDIT_H
#define WEIR_RULES_TREE_EDIT_H

#include "rules/tree.h"

/* A table that iptables has, with its built-in chains and policy ACCEPT; *out = NULL when there is none of that name.
 * 0 or -ENOMEM. The same table again gives the one that is there. */
int ruleset_add_table(struct ruleset *set, struct str name, struct table **out);
/* Names of all tables, for messages. */
extern const char table_names[];

/* What "*table" does to a table that is there: no rules, no user chains; policies stay. */
void table_flush(struct table *t);
/* A user chain; NULL when out of memory. The caller has made sure that the name is new and short enough. */
struct chain *table_add_chain(struct table *t, struct str name);
void table_remove_chain(struct table *t, struct chain *c);
void chain_rename(struct chain *c, struct str name);
void chain_flush(struct chain *c);
void chain_append(struct chain *c, struct rule *r);
/* Puts r at position `number` (1-based); false when the chain is shorter than number - 1. */
bool chain_insert(struct chain *c, struct rule *r, u32 number);
/* Takes a rule out; `before` is the one before it, NULL for the first. */
void chain_remove(struct chain *c, struct rule *before, struct rule *r);

/* Puts chains in their printed order, numbers rules and counters. 0 or -ENOMEM. */
int ruleset_finish(struct ruleset *set);

#endif
