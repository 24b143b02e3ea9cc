#include "verify/prune.h"

#include <errno.h>

#include "base/buf.h"
#include "base/diag.h"
#include "verify/log.h"
#include "verify/saved.h"

int prune_init(struct verifier *v)
{
	struct pruner *p = arena_alloc(&v->arena, sizeof(*p));

	if (!p)
		return diag_nomem(v->diag);
	p->lists = arena_array(&v->arena, v->prog->len, sizeof(*p->lists));
	if (!p->lists)
		return diag_nomem(v->diag);
	v->pruner = p;
	return 0;
}

void prune_restart(struct verifier *v)
{
	assert(!v->pruner->pending);
	v->pruner->parent = NULL;
	v->pruner->insns_since = v->stats.insns_walked;
	v->pruner->jumps_since = v->jumps_walked;
}

/* Arriving. */

/* Has the current path been in this very state before? */
static bool is_endless(struct verifier *v, u64 hash)
{
	u32 n = 0;

	for (struct saved *s = v->pruner->lists[v->pc].open; s && n < LOOK_BACK; s = s->next, n++)
		if (s->hash == hash && state_matches(v, s, MATCH_EQUAL))
			return true;
	return false;
}

/* A finished state that covers the current one, moved to the front of its list. */
static struct saved *find_cover(struct verifier *v)
{
	struct list *l = &v->pruner->lists[v->pc];

	for (struct saved **link = &l->finished; *link; link = &(*link)->next) {
		struct saved *s = *link;

		if (!state_matches(v, s, s->waits ? MATCH_ALL : MATCH_COVERS))
			continue;
		*link = s->next;
		s->next = l->finished;
		l->finished = s;
		return s;
	}
	return NULL;
}

/* The least recently useful one that no path in a round leads through. */
static void forget_one(struct verifier *v, struct list *l)
{
	struct saved **last = NULL;

	for (struct saved **link = &l->finished; *link; link = &(*link)->next)
		if (!(*link)->waits)
			last = link;
	if (!last)
		return;
	struct saved *s = *last;
	*last = s->next;
	saved_drop(v, s);
	l->nr_finished--;
}

/* All paths from s are walked: from now on it prunes. */
static void finish(struct verifier *v, struct saved *s)
{
	struct list *l = &v->pruner->lists[s->pc];

	assert(l->open == s);
	l->open = s->next;
	s->next = l->finished;
	l->finished = s;
	round_finish(v, s);
	if (++l->nr_finished > v->stats.states_per_insn)
		v->stats.states_per_insn = l->nr_finished;
	if (l->nr_finished > KEEP_PER_PC)
		forget_one(v, l);
}

static int keep(struct verifier *v, u32 nr, u64 hash)
{
	struct pruner *p = v->pruner;
	struct saved *s = save(v, nr);

	if (!s)
		return diag_nomem(v->diag);
	v->stats.states_total++;
	s->hash = hash;
	s->branches = 1;
	s->next = p->lists[v->pc].open;
	p->lists[v->pc].open = s;
	p->parent = s;
	p->insns_since = v->stats.insns_walked;
	p->jumps_since = v->jumps_walked;
	reset_deps(v);
	return 0;
}

int prune_arrive(struct verifier *v, enum arrival *what)
{
	struct pruner *p = v->pruner;

	if (order_names(&v->cur.order, (u16)~v->live[v->pc].regs))
		v->cur.order.may = 0; /* nobody will ask again */
	bool loops = v->is_loop[v->pc];
	if (loops)
		v->cur.order.may = 0;
	if (v->next_round) {
		round_widen(v);
		v->next_round = false;
	}
	u32 nr = collect(v, true);
	u64 hash = hash_items(p->scratch, nr);

	*what = ARRIVAL_GO_ON;
	if (!loops && is_endless(v, hash))
		return refuse(v, EINVAL, "infinite loop detected at insn %u", v->pc);
	struct saved *cover = find_cover(v);
	if (cover) {
		*what = ARRIVAL_PRUNED;
		if (cover->waits)
			return round_close(v, cover, cover->waits, nr);
		demand_as(v, cover);
		return 0;
	}
	struct saved *round = loops ? round_find(v) : NULL;
	if (round) {
		*what = ARRIVAL_PRUNED;
		return round_close(v, round, round, nr);
	}
	if (!loops && v->stats.insns_walked - p->insns_since < KEEP_AFTER_INSNS &&
		v->jumps_walked - p->jumps_since < KEEP_AFTER_JUMPS)
		return 0;
	return keep(v, nr, hash);
}

int branch_push(struct verifier *v, bool taken)
{
	struct pruner *p = v->pruner;

	if (p->nr_pending >= VERIFY_MAX_BRANCHES)
		return refuse(
			v, E2BIG, "The sequence of %u jumps is too complex.", p->nr_pending + 1);
	struct saved *s = save(v, collect(v, false));
	if (!s)
		return diag_nomem(v->diag);
	s->taken = taken;
	s->insns_since = v->stats.insns_walked - p->insns_since;
	s->jumps_since = v->jumps_walked - p->jumps_since;
	s->log_len = v->opts.log ? v->opts.log->len : 0;
	s->next = p->pending;
	p->pending = s;
	p->nr_pending++;
	if (p->nr_pending > v->stats.branches_peak)
		v->stats.branches_peak = p->nr_pending;
	if (p->parent)
		p->parent->branches++;
	return 0;
}

/* One path from each kept state above is walked to its end. */
static void finish_path(struct verifier *v)
{
	struct saved *s = v->pruner->parent;

	while (s && --s->branches == 0) {
		struct saved *parent = s->parent;

		finish(v, s);
		s = parent;
	}
}

bool branch_pop(struct verifier *v, bool *taken)
{
	struct pruner *p = v->pruner;
	struct saved *s = p->pending;

	finish_path(v);
	if (!s)
		return false;
	restore(v, s);
	log_rewind(v, s->log_len);
	v->pc = s->pc;
	*taken = s->taken;
	p->parent = s->parent;
	p->insns_since = v->stats.insns_walked - s->insns_since;
	p->jumps_since = v->jumps_walked - s->jumps_since;
	p->pending = s->next;
	p->nr_pending--;
	saved_drop(v, s);
	return true;
}
