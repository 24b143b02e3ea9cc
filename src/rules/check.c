/* What of a rule set can't be run here, rule by rule. */
#include <errno.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "rules/match.h"
#include "rules/known.h"
#include "rules/parse.h"
#include "rules/reach.h"

struct finding {
	const struct extension *ext; /* NULL: the built-in target QUEUE */
	const char *what;            /* "match" or "target"; NULL: nothing found */
	struct pos pos;
};

struct check {
	bool *unsupported;
	struct finding *found; /* one for each rule */
	size_t nr_found, cap_found;
	struct chain *
		*todo; /* reached, still to be looked into; each chain comes here once at most */
	u32 nr_todo;
	bool *seen; /* by chain.index */
};

static bool match_runs(const struct extension *e)
{
	return e->match && e->match->eval;
}

static bool target_runs(const struct extension *e)
{
	return e->target && e->target->eval;
}

/* One error for each rule: the first thing in it that can't be run. */
static int check_rule(struct check *c, const struct rule *r)
{
	struct finding bad = {0};

	for (u32 i = 0; i < r->nr_matches && !bad.what; i++)
		if (!match_runs(&r->matches[i]))
			bad = (struct finding){&r->matches[i], "match", r->matches[i].pos};
	if (!bad.what && r->target == TARGET_EXT && !target_runs(&r->ext))
		bad = (struct finding){&r->ext, "target", r->ext.pos};
	if (!bad.what && r->target == TARGET_QUEUE)
		bad = (struct finding){NULL, "target", r->target_pos};
	if (!bad.what)
		return 0;
	if (c->unsupported)
		c->unsupported[r->counter] = true;
	if (array_grow((void **)&c->found, &c->cap_found, c->nr_found + 1, sizeof(*c->found)))
		return -ENOMEM;
	c->found[c->nr_found++] = bad;
	return 0;
}

static void reach(struct check *c, struct chain *chain)
{
	if (c->seen[chain->index])
		return;
	c->seen[chain->index] = true;
	c->todo[c->nr_todo++] = chain;
}

static int check_chain(struct check *c, const struct chain *chain)
{
	for (const struct rule *r = chain->rules; r; r = rule_reach_next(r)) {
		if (check_rule(c, r))
			return -ENOMEM;
		if (r->to)
			reach(c, r->to);
	}
	return 0;
}

static int check_chains(struct check *c, struct chain *const *chains, u32 nr_chains)
{
	for (u32 i = 0; i < nr_chains; i++)
		reach(c, chains[i]);
	while (c->nr_todo)
		if (check_chain(c, c->todo[--c->nr_todo]))
			return -ENOMEM;
	return 0;
}

static int compare_findings(const void *a, const void *b)
{
	const struct pos *x = &((const struct finding *)a)->pos,
			 *y = &((const struct finding *)b)->pos;

	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return (x->col > y->col) - (x->col < y->col);
}

static const char *reason(const struct extension *e)
{
	if (!e)
		return "it needs a program that takes packets from the queue";
	const char *needs = e->known    ? e->known->needs
			    : e->match  ? e->match->why_not
			    : e->target ? e->target->why_not
					: "weir doesn't know it";

	return needs ? needs : "it is only read and printed";
}

static void report(const struct ruleset *set, const struct finding *f, struct diag *d)
{
	size_t before = d ? d->nr : 0;

	diag_fail(d, f->pos, ENOTSUP, "%s '%s' can't be run here: %s", f->what,
		f->ext ? f->ext->name : "QUEUE", reason(f->ext));
	if (d && d->nr > before) {
		struct str line = ruleset_line(set, f->pos);

		diag_source(d, line.p, line.len);
	}
}

u32 rules_check_runnable(const struct ruleset *set, struct chain *const *chains, u32 nr_chains,
	bool *unsupported, struct diag *d)
{
	struct check c = {.unsupported = unsupported};
	u32 nr = UINT32_MAX;

	c.seen = mem_zalloc(array_size(set->nr_chains, sizeof(*c.seen)));
	c.todo = mem_alloc(array_size(set->nr_chains, sizeof(struct chain *)));
	if (!c.seen || !c.todo || check_chains(&c, chains, nr_chains)) {
		diag_nomem(d);
		goto out;
	}
	if (c.nr_found)
		qsort(c.found, c.nr_found, sizeof(*c.found), compare_findings);
	for (size_t i = 0; i < c.nr_found; i++)
		report(set, &c.found[i], d);
	nr = (u32)c.nr_found;
out:
	mem_free(c.found);
	mem_free(c.seen);
	mem_free(c.todo);
	return nr;
}
