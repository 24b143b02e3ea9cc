/* The tree as it is held, indented, one thing a line: for dumps and tests. */
#include "rules/match.h"
#include "rules/print.h"
#include "rules/print_text.h"

static void tree_extension(
	struct buf *out, const char *kind, const struct extension *e, enum family family)
{
	bool runs = (e->match && e->match->eval) || (e->target && e->target->eval);
	const char *state = runs                                ? ""
			    : e->match || e->target || e->known ? " (not run here)"
								: " (unknown)";

	buf_printf(out, "      %s %s%s", kind, e->name, state);
	if (e->match && e->match->print)
		e->match->print(out, e->data, family);
	if (e->target && e->target->print)
		e->target->print(out, e->data, family);
	for (u32 i = 0; i < e->raw.nr; i++)
		print_raw_word(out, &e->raw.words[i]);
	buf_puts(out, "\n");
}

static void tree_rule(struct buf *out, const struct rule *r)
{
	enum family family = r->chain->table->set->family;

	buf_printf(out, "    rule %u counter %u line %u: ", r->number, r->counter, r->pos.line);
	rule_print(out, r);
	buf_puts(out, "\n");
	for (u32 i = 0; i < r->nr_matches; i++)
		tree_extension(out, "match", &r->matches[i], family);
	if (r->target == TARGET_EXT)
		tree_extension(out, "target", &r->ext, family);
}

static void tree_chain(struct buf *out, const struct chain *c)
{
	buf_printf(out, "  chain %s", c->name);
	if (c->hook != HOOK_NONE)
		buf_printf(out, " hook %d policy %s counter %u", c->hook,
			c->policy == TARGET_DROP ? "DROP" : "ACCEPT", c->policy_counter);
	buf_printf(out, " rules %u references %u reached from hooks 0x%x\n", c->nr_rules,
		c->nr_refs, c->hooks);
	for (const struct rule *r = c->rules; r; r = r->next)
		tree_rule(out, r);
}

void rules_print_tree(struct buf *out, const struct ruleset *set)
{
	buf_printf(out, "IPv%d, %u tables, %u rules, %u counters\n", set->family, set->nr_tables,
		set->nr_rules, set->nr_counters);
	for (const struct table *t = set->tables; t; t = t->next) {
		buf_printf(out, "table %s\n", t->name);
		for (const struct chain *c = t->chains; c; c = c->next)
			tree_chain(out, c);
	}
}
