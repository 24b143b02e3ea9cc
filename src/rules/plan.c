/* Decides, before any code is written, what plan.h lists. A chain that one rule calls is written in
 * place; one that several call becomes a subprogram, unless it is tiny or calls would nest deeper
 * than programs may. */
#include "rules/plan.h"

#include <errno.h>

#include "rules/classify.h"
#include "rules/match.h"
#include "rules/walk.h"

enum {
	/* Of the frames a program may have, one is the program's own and one is left to counting
	   (compile_chain.c). */
	CALL_FRAMES = PROG_MAX_CALL_DEPTH - 2,
	TINY_RULES = 2, /* written in place everywhere: a call costs more */
};

static u32 hash_of(const struct chain *c)
{
	return (u32)((uintptr_t)c / _Alignof(max_align_t) * 0x9e3779b1u);
}

struct chain_plan *plan_of(const struct plan *p, const struct chain *c)
{
	for (u32 at = hash_of(c) & p->hash_mask;; at = (at + 1) & p->hash_mask) {
		if (p->by_chain[at] == NULL || p->by_chain[at]->chain == c)
			return p->by_chain[at];
	}
}

static void add_chain(struct plan *p, const struct chain *c)
{
	u32 at = hash_of(c) & p->hash_mask;

	while (p->by_chain[at] != NULL)
		at = (at + 1) & p->hash_mask;
	p->by_chain[at] = &p->chains[p->nr_chains++];
	p->by_chain[at]->chain = c;
}

bool plan_skips(const struct plan *p, const struct rule *r)
{
	return r->dead || (p->skip != NULL && p->skip[r->counter]);
}

unsigned rule_needs(const struct rule *r)
{
	unsigned needs = 0;

	for (u32 i = 0; i < r->nr_matches; i++) {
		const struct match_ops *ops = r->matches[i].match;

		if (ops->needs != NULL)
			needs |= ops->needs(r->matches[i].data);
	}
	if (r->has_proto)
		needs |= PLAN_PROTO;
	if (r->fragment)
		needs |= PLAN_FRAGOFF;
	return needs;
}

static int refuse(
	const struct rule *r, const struct extension *ext, const char *what, struct diag *d)
{
	const struct ruleset *set = r->chain->table->set;
	struct str line = ruleset_line(set, ext->pos);
	int ret = diag_fail(d, ext->pos, ENOTSUP, "%s '%s' can't be run here", what, ext->name);

	diag_source(d, line.p, line.len);
	return ret;
}

static int check_rule(const struct rule *r, struct diag *d)
{
	for (u32 i = 0; i < r->nr_matches; i++)
		if (r->matches[i].match == NULL || r->matches[i].match->emit == NULL)
			return refuse(r, &r->matches[i], "match", d);
	if (r->target == TARGET_EXT && (r->ext.target == NULL || r->ext.target->emit == NULL))
		return refuse(r, &r->ext, "target", d);
	return 0;
}

static void give_class(struct plan *p, u8 proto)
{
	if (proto == 0 || p->class_of[proto] != 0 || p->nr_classes == NR_UPPER_CLASSES)
		return;
	p->classes[p->nr_classes] = proto;
	p->class_of[proto] = (u8)p->nr_classes++;
}

static bool calls(const struct rule *r)
{
	return r->target == TARGET_JUMP || r->target == TARGET_GOTO;
}

/* The chain that the deepest jumps lead to behind as many as may nest. */
static int refuse_depth(const struct chain *start, struct diag *d)
{
	const struct chain *c = start;

	for (u32 depth = 0; depth <= RULES_JUMP_DEPTH_MAX;) {
		const struct rule *r = c->rules;

		while (!calls(r) || r->to->jump_depth + (r->target == TARGET_JUMP) != c->jump_depth)
			r = r->next;
		depth += r->target == TARGET_JUMP;
		c = r->to;
	}
	return diag_fail(d, c->pos, E2BIG,
		"chain '%s' is nested deeper than the %u jumps that a program can have inside each "
		"other",
		c->name, RULES_JUMP_DEPTH_MAX);
}

static int look_at(struct plan *p, const struct rule *r, struct diag *d)
{
	int err = check_rule(r, d);

	if (err != 0)
		return err;
	p->needs |= rule_needs(r);
	if (r->has_proto)
		give_class(p, (u8)r->proto);
	return 0;
}

/* The rule's chain, if that is to be visited before the rules behind it. */
static const struct chain *callee(const struct plan *p, const struct rule *r)
{
	return calls(r) && plan_of(p, r->to) == NULL ? r->to : NULL;
}

/* Callees first, so that they come before their callers. stack: the rule at hand of each chain on
 * the way, as many as there are chains. */
static int visit(struct plan *p, const struct rule **stack, struct diag *d)
{
	const struct chain *c = p->start, *to;
	const struct rule *r = c->rules;
	u32 depth = 0;

	for (;;) {
		if (r == NULL) {
			add_chain(p, c);
			if (depth == 0)
				return 0;
			r = stack[--depth];
			c = r->chain;
		}
		if (!plan_skips(p, r)) {
			to = callee(p, r);
			if (to != NULL) {
				stack[depth++] = r;
				c = to;
				r = c->rules;
				continue;
			}
			int err = look_at(p, r, d);

			if (err != 0)
				return err;
		}
		r = r->next;
	}
}

/* A classifier may write a rule's code several times, and with it what is in place there. */
static u32 sites_of(const struct chain *caller, const struct compile_opts *opts)
{
	return opts->no_classifier || !classify_wants(caller) ? 1 : 2;
}

static void count_sites(struct plan *p, const struct compile_opts *opts)
{
	for (u32 i = 0; i < p->nr_chains; i++) {
		const struct chain *c = p->chains[i].chain;

		for (const struct rule *r = c->rules; r != NULL; r = r->next)
			if (!plan_skips(p, r) && calls(r))
				plan_of(p, r->to)->sites += sites_of(c, opts);
	}
}

static bool is_tiny(const struct chain *c)
{
	if (c->nr_rules > TINY_RULES)
		return false;
	for (const struct rule *r = c->rules; r != NULL; r = r->next)
		if (calls(r))
			return false;
	return true;
}

static u32 at_least(u32 *value, u32 least)
{
	if (*value < least)
		*value = least;
	return *value;
}

/* Chains that double what is below them a thousand times over must not wrap around. */
static u64 capped_sum(u64 a, u64 b)
{
	static const u64 cap = (u64)1 << 40;

	return a + b < cap ? a + b : cap;
}

/* Fills below, above and rules from what is in place now. */
static void measure(struct plan *p)
{
	for (u32 i = 0; i < p->nr_chains; i++) {
		struct chain_plan *cp = &p->chains[i];

		cp->below = cp->above = 0;
		cp->rules = cp->ways = cp->chain->nr_rules;
		for (const struct rule *r = cp->chain->rules; r != NULL; r = r->next) {
			if (plan_skips(p, r) || !calls(r))
				continue;
			const struct chain_plan *to = plan_of(p, r->to);

			at_least(&cp->below, to->below + !to->placed);
			cp->ways = capped_sum(cp->ways, to->ways);
			if (to->placed)
				cp->rules = capped_sum(cp->rules, to->rules);
		}
	}
	for (u32 i = p->nr_chains; i-- > 0;) {
		const struct chain_plan *cp = &p->chains[i];

		for (const struct rule *r = cp->chain->rules; r != NULL; r = r->next)
			if (!plan_skips(p, r) && calls(r)) {
				struct chain_plan *to = plan_of(p, r->to);

				at_least(&to->above, cp->above + !to->placed);
			}
	}
}

static bool is_larger(const struct chain_plan *a, const struct chain_plan *b)
{
	return b == NULL || a->ways * a->sites > b->ways * b->sites;
}

/* Sums up what is_larger compares: names the chain that weighs most. */
static int refuse_size(const struct plan *p, u64 ways, u64 limit, struct diag *d)
{
	const struct chain_plan *largest = NULL;

	for (u32 i = 0; i < p->nr_chains; i++)
		if (p->chains[i].chain != p->start && is_larger(&p->chains[i], largest))
			largest = &p->chains[i];
	assert(largest != NULL);
	return diag_fail(d, largest->chain->pos, E2BIG,
		"chain '%s' and others call each other so much that there are %llu rules on the "
		"ways through them; a program can "
		"have %llu",
		largest->chain->name, (unsigned long long)ways, (unsigned long long)limit);
}

static int check_size(const struct plan *p, struct diag *d)
{
	u64 nr_rules = 0, code = 0, ways = plan_of(p, p->start)->ways;

	for (u32 i = 0; i < p->nr_chains; i++) {
		const struct chain_plan *cp = &p->chains[i];

		nr_rules += cp->chain->nr_rules;
		if (!cp->placed || cp->chain == p->start)
			code += cp->rules;
	}
	if (ways > nr_rules + PLAN_MAX_WAYS)
		return refuse_size(p, ways, nr_rules + PLAN_MAX_WAYS, d);
	if (code > nr_rules + PLAN_MAX_RULES)
		return refuse_size(p, code, nr_rules + PLAN_MAX_RULES, d);
	return 0;
}

/* While calls nest too deep: the cheapest chain on a longest path goes in place. */
static int flatten(struct plan *p, struct diag *d)
{
	for (;;) {
		struct chain_plan *best = NULL;

		measure(p);
		u32 depth = plan_of(p, p->start)->below;

		if (depth <= CALL_FRAMES)
			return check_size(p, d);
		for (u32 i = 0; i < p->nr_chains; i++) {
			struct chain_plan *cp = &p->chains[i];

			if (!cp->placed && cp->above + cp->below == depth &&
				(best == NULL || cp->rules * cp->sites < best->rules * best->sites))
				best = cp;
		}
		assert(best != NULL);
		best->placed = true;
	}
}

static int plan_chains(struct plan *p, const struct compile_opts *opts, struct diag *d)
{
	u32 slots = 4;

	while (slots < 2 * p->start->table->nr_chains)
		slots *= 2;
	p->hash_mask = slots - 1;
	p->by_chain = arena_array(&p->arena, slots, sizeof(struct chain_plan *));
	p->chains = arena_array(&p->arena, p->start->table->nr_chains, sizeof(*p->chains));
	const struct rule **stack =
		arena_array(&p->arena, p->start->table->nr_chains, sizeof(*stack));

	if (p->by_chain == NULL || p->chains == NULL || stack == NULL)
		return diag_nomem(d);
	if (p->start->jump_depth > RULES_JUMP_DEPTH_MAX)
		return refuse_depth(p->start, d);
	int err = visit(p, stack, d);

	if (err != 0)
		return err;
	count_sites(p, opts);
	for (u32 i = 0; i < p->nr_chains; i++) {
		struct chain_plan *cp = &p->chains[i];

		cp->placed = cp->chain == p->start || cp->sites == 1 || is_tiny(cp->chain);
	}
	return flatten(p, d);
}

int plan_init(
	struct plan *p, const struct chain *start, const struct compile_opts *opts, struct diag *d)
{
	*p = (struct plan){.start = start,
		.family = start->table->set->family,
		.skip = opts->skip,
		.nr_classes = 1};
	/* TCP always has a class: for the others, the upper word holds the protocol's number where
	 * TCP has its flags. */
	give_class(p, NEXT_TCP);
	give_class(p, NEXT_UDP);
	give_class(p, p->family == FAMILY_IPV6 ? NEXT_ICMP6 : NEXT_ICMP);
	int err = plan_chains(p, opts, d);

	if (err != 0)
		plan_fini(p);
	return err;
}

void plan_fini(struct plan *p)
{
	arena_fini(&p->arena);
}
