/* What the kernel checks when a table is loaded: loops, how deep jumps nest, and that extensions stand only where packets of their hooks come by.
 * Both look only at what packets can reach, so a loop that nothing leads to is fine. */
#include "rules/parser.h"
#include "rules/reach.h"

#include <errno.h>
#include <string.h>

#include "base/alloc.h"

struct walk { /* from one built-in chain */
	struct parser *p;
	struct table *table;
	u32 hook_bit;
	struct {
		struct chain *chain;
		struct rule *next;
	} * stack;
	u32 depth;
};

enum { ON_STACK = 1u << 31 }; /* in chain.hooks while the walk is inside the chain */

static void push(struct walk *w, struct chain *c)
{
	c->hooks |= w->hook_bit | ON_STACK;
	w->stack[w->depth].chain = c;
	w->stack[w->depth].next = c->rules;
	w->depth++;
}

static int report_loop(struct walk *w, const struct rule *r)
{
	return parser_fail_at(w->p, r->target_pos, "loop: chain %s leads back to chain %s",
		r->chain->name, r->to->name);
}

/* All chains that c leads to are measured. */
static void measure(struct chain *c)
{
	c->jump_depth = 0;
	for (const struct rule *r = c->rules; r; r = rule_reach_next(r)) {
		u32 depth = r->to ? r->to->jump_depth + (r->target == TARGET_JUMP) : 0;

		if (c->jump_depth < depth)
			c->jump_depth = depth;
	}
}

/* Depth first, each chain once for each hook. */
static void walk_from(struct walk *w, struct chain *start)
{
	push(w, start);
	while (w->depth) {
		struct chain *c = w->stack[w->depth - 1].chain;
		struct rule *r = w->stack[w->depth - 1].next;

		if (!r) {
			c->hooks &= ~(u32)ON_STACK;
			measure(c);
			w->depth--;
			continue;
		}
		w->stack[w->depth - 1].next = rule_reach_next(r);
		if (!r->to)
			continue;
		if (r->to->hooks & ON_STACK)
			report_loop(w, r);
		else if (!(r->to->hooks & w->hook_bit))
			push(w, r->to);
	}
}

static const char *const hook_names[NR_HOOKS] = {
	"PREROUTING", "INPUT", "FORWARD", "OUTPUT", "POSTROUTING"};

static void check_hooks(struct parser *p, const struct rule *r)
{
	for (u32 i = 0; i < r->nr_matches; i++) {
		const struct extension *e = &r->matches[i];
		u32 bad = e->match && e->match->hooks ? r->chain->hooks & ~e->match->hooks : 0;

		if (bad && p->opts->lenient) /* Android's kernels allow it */
			parser_warn_at(p, e->pos,
				"match '%s' is refused by most kernels in chain %s: packets come "
				"there from %s",
				e->name, r->chain->name, hook_names[__builtin_ctz(bad)]);
		else if (bad)
			parser_fail_at(p, e->pos,
				"match '%s' can't be used in chain %s: packets come there from %s",
				e->name, r->chain->name, hook_names[__builtin_ctz(bad)]);
	}
}

int table_check(struct parser *p, struct table *t)
{
	struct walk w = {.p = p, .table = t};

	w.stack = mem_alloc(array_size(t->nr_chains + 1u, sizeof(*w.stack)));
	if (!w.stack)
		return parser_nomem(p);
	for (struct chain *c = t->chains; c; c = c->next)
		c->hooks = c->jump_depth = 0;
	for (struct chain *c = t->chains; c; c = c->next) {
		if (c->hook == HOOK_NONE)
			continue;
		w.hook_bit = 1u << c->hook;
		walk_from(&w, c);
		if (t->set->jump_depth < c->jump_depth)
			t->set->jump_depth = c->jump_depth;
	}
	mem_free(w.stack);
	for (struct chain *c = t->chains; c; c = c->next) {
		for (struct rule *r = c->rules; r; r = rule_reach_next(r))
			check_hooks(p, r);
	}
	return 0;
}
