#include "verify/saved.h"

#include <errno.h>

#include "base/diag.h"

/* Loops that helpers make: the same call is walked again with the state that the last round left, until that is no news.
 * Then a path ends in a state whose own paths aren't all walked, so what its safety rests on isn't known yet; the states on
 * the way wait for it. When it finishes, what is demanded of it is demanded of every such path, until that is no news
 * either; from then on they all prune like others. A path that ends in a state that still waits is one more of these. */

enum {
	/* A walk is long from this part of the limit of instructions on. */
	LONG_WALK = 20,
};

/* A path that has ended in the kept state `to` before the marks of that were complete. */
struct turn {
	struct turn *next;
	struct saved *from; /* the state at its end */
	struct saved *to;
};

/* The kept state of the round before, on the current path. */
static struct saved *round_before(struct verifier *v, struct saved *s)
{
	for (; s; s = s->next)
		if (same_calls(v, s))
			return s;
	return NULL;
}

/* A number that differs from round to round and that nothing rests on: any will do. When the walk has become long, also one
 * that something may rest on: else rounds that count something are walked one by one, each with all that comes behind the
 * loop. That loses knowledge only, so a program may be refused that would have been accepted with more patience. */
static void widen(const struct item *before, struct vreg *now, u32 bytes, bool long_walk)
{
	if (before->reg.type != REG_SCALAR || now->type != REG_SCALAR ||
		(before->reg.precise && !long_walk) || scalar_equal(&before->reg.var, &now->var))
		return;
	*now = reg_unknown();
	if (bytes < SLOT_BYTES)
		now->var = scalar_zext(&now->var, bytes * 8);
}

static void widen_all(struct verifier *v, const struct saved *before)
{
	bool long_walk = v->stats.insns_walked > v->opts.max_insns / LONG_WALK;

	for (u32 n = 0; before && n < before->nr; n++) {
		const struct item *it = &before->items[n];
		struct frame *f = &v->cur.frames[it->frame];

		if (!it->is_slot)
			widen(it, &f->regs[it->index], SLOT_BYTES, long_walk);
		else if (it->bytes[0] == SLOT_SPILL && it->index < f->nr_slots &&
			 slot_has_spill(&f->slots[it->index]))
			widen(it, &f->slots[it->index].reg, slot_spill_bytes(&f->slots[it->index]),
				long_walk);
	}
}

void round_widen(struct verifier *v)
{
	widen_all(v, round_before(v, v->pruner->lists[v->pc].open));
}

void round_widen_next(struct verifier *v)
{
	struct saved *here = v->pruner->parent;

	assert(here == v->pruner->lists[v->pc].open);
	widen_all(v, round_before(v, here->next));
}

struct saved *round_find(struct verifier *v)
{
	u32 n = 0;

	for (struct saved *s = v->pruner->lists[v->pc].open; s && n < LOOK_BACK; s = s->next, n++)
		if (state_matches(v, s, MATCH_ALL))
			return s;
	return NULL;
}

static struct turn *turn_new(struct verifier *v)
{
	struct turn **head = &v->pruner->free_turns, *t = *head;

	if (!t)
		return arena_alloc(&v->arena, sizeof(*t));
	*head = t->next;
	return t;
}

static void turn_drop(struct verifier *v, struct turn *t)
{
	saved_drop(v, t->from);
	t->next = v->pruner->free_turns;
	v->pruner->free_turns = t;
}

static void wait_for(struct saved *s, struct saved *head)
{
	if (s->waits)
		return; /* for one outside of head; or inside, then that waits for head itself */
	s->waits = head;
	s->next_waiting = head->first_waiting;
	head->first_waiting = s;
}

int round_close(struct verifier *v, struct saved *to, struct saved *head, u32 nr)
{
	struct turn *t = turn_new(v);

	if (!t)
		return diag_nomem(v->diag);
	*t = (struct turn){.next = head->turns, .from = save(v, nr), .to = to};
	if (!t->from)
		return diag_nomem(v->diag);
	head->turns = t;
	for (struct saved *s = v->pruner->parent; s != head; s = s->parent)
		wait_for(s, head);
	demand_as_of(v, to, t->from); /* what is known of that now keeps numbers from being forgotten */
	return 0;
}

/* The marks of s aren't complete before those of s->waits are. */
static void hand_on(struct saved *s)
{
	struct saved *head = s->waits;

	while (s->first_waiting) {
		struct saved *w = s->first_waiting;

		s->first_waiting = w->next_waiting;
		w->waits = NULL;
		wait_for(w, head);
	}
	while (s->turns) {
		struct turn *t = s->turns;

		s->turns = t->next;
		t->next = head->turns;
		head->turns = t;
	}
}

static void settle(struct verifier *v, struct saved *s)
{
	u64 before;

	do {
		before = v->pruner->marks;
		for (struct turn *t = s->turns; t; t = t->next)
			demand_as_of(v, t->to, t->from);
	} while (v->pruner->marks != before);
	while (s->turns) {
		struct turn *t = s->turns;

		s->turns = t->next;
		turn_drop(v, t);
	}
	for (; s->first_waiting; s->first_waiting = s->first_waiting->next_waiting)
		s->first_waiting->waits = NULL;
}

void round_finish(struct verifier *v, struct saved *s)
{
	if (s->waits)
		hand_on(s);
	else
		settle(v, s);
}
