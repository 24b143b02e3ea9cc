/* Puts ways into the program: where the copied instructions stand, and how one gets to them and from them. */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "rewrite/editor.h"
#include "rewrite/gen.h"
#include "rewrite/thread.h"

enum { SAME_MAX = 8 }; /* ways that are asked whether the next is the same */

/* Where the copies of a conditional jump stand: just before where they go to, if nothing runs into them there, else behind
 * the next goto or exit. */
static void place_copies(struct threading *t, struct way *w, u64 *taken, u32 *next_end)
{
	bool stands_alone =
		w->end > 0 && !flow_bit(t->starts, w->end) && !flow_bit(taken, w->end) &&
		(insn_is_exit(t->p->insns[w->end - 1]) || insn_is_ja(t->p->insns[w->end - 1]));

	if (stands_alone) {
		flow_set(taken, w->end);
		w->place = w->end;
		w->runs_on = true;
		return;
	}
	u32 pc = *next_end > w->from ? *next_end : w->from + 1;
	while (!insn_is_exit(t->p->insns[pc]) && !insn_is_ja(t->p->insns[pc]))
		pc++;
	*next_end = pc;
	w->place = pc + 1;
}

/* The same copies, to the same end? */
static bool are_same(const struct threading *t, const struct way *a, const struct way *b)
{
	if (a->kind != BY_JUMP || b->kind != BY_JUMP || a->end != b->end || a->nr != b->nr)
		return false;
	for (u32 i = 0; i < a->nr; i++) {
		const struct copied *x = &t->copied[a->first + i], *y = &t->copied[b->first + i];

		if (x->pc != y->pc || x->insn.code != y->insn.code || x->insn.imm != y->insn.imm)
			return false;
	}
	return true;
}

/* Many ways, one behind the other, are often the same: those to where a chain of tests fails. */
static const struct way *find_same(const struct threading *t, u32 n)
{
	for (u32 back = 1; back <= SAME_MAX && back <= n; back++)
		if (t->ways[n - back].label && are_same(t, &t->ways[n - back], &t->ways[n]))
			return &t->ways[n - back];
	return NULL;
}

/* A piece of a way that stands somewhere in the program; edits need them in order. */
struct piece {
	u32 pc;
	u32 rank; /* of those at one place */
	u32 way;
};

enum { RANK_APART, RANK_RUNS_ON, RANK_IN_PLACE };

static int by_place(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;

	if (x->pc != y->pc)
		return x->pc < y->pc ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return (x->way > y->way) - (x->way < y->way);
}

/* The copies stand where conditional jumps find them. */
static void put_apart(struct threading *t, struct editor *e, u32 n, u64 *taken, u32 *next_end,
	struct piece *pieces, u32 *nr)
{
	struct way *w = &t->ways[n];
	const struct way *same = find_same(t, n);

	if (same) {
		w->label = same->label;
		return;
	}
	w->label = edit_label(e);
	place_copies(t, w, taken, next_end);
	pieces[(*nr)++] = (struct piece){w->place, w->runs_on ? RANK_RUNS_ON : RANK_APART, n};
}

/* Where each piece stands; returns how many there are. */
static u32 place_all(struct threading *t, struct editor *e, u64 *taken, struct piece *pieces)
{
	u32 nr = 0, next_end = 0;

	for (u32 n = 0; n < t->nr_ways; n++) {
		struct way *w = &t->ways[n];

		if (w->kind == BY_FALL) {
			/* If no other comes, its jump can be decided where it is. */
			if (t->meetings[w->to].past < t->meetings[w->to].jumps)
				pieces[nr++] = (struct piece){w->to, RANK_APART, n};
			continue;
		}
		pieces[nr++] = (struct piece){w->from, RANK_IN_PLACE, n};
		if (w->kind == BY_JUMP && w->nr)
			put_apart(t, e, n, taken, &next_end, pieces, &nr);
	}
	qsort(pieces, nr, sizeof(*pieces), by_place);
	return nr;
}

/* What is known of a copy: what is known of the original, unless it has become the move of a constant. */
static struct fact fact_of(const struct threading *t, const struct copied *c)
{
	struct insn original = t->p->insns[c->pc];
	struct fact moved = {.flags = FACT_SEEN | FACT_DST_KNOWN, .value = (u64)(s64)c->insn.imm};

	return c->insn.code == original.code && c->insn.imm == original.imm ? t->f->insns[c->pc]
									    : moved;
}

/* The copies and, unless they run on into it, a goto to where they lead. */
static void edit_copies(const struct threading *t, struct editor *e, const struct piece *at)
{
	const struct way *w = &t->ways[at->way];
	const struct copied *copied = t->copied + w->first;
	struct insn insns[THREAD_COPIED_MAX + 1];
	u32 n = w->nr;

	for (u32 i = 0; i < n; i++)
		insns[i] = copied[i].insn;
	if (!w->runs_on)
		insns[n++] = gen_ja(0);
	if (at->rank == RANK_IN_PLACE)
		edit_replace(e, at->pc, 1, insns, n);
	else
		edit_append(e, at->pc, insns, n);
	for (u32 i = 0; i < w->nr; i++) {
		edit_fact(e, i, fact_of(t, &copied[i]));
		edit_line(e, i, copied[i].pc);
	}
	if (!w->runs_on) {
		edit_fact(e, w->nr, (struct fact){.flags = FACT_SEEN});
		edit_line(e, w->nr, w->nr ? copied[w->nr - 1].pc : w->from);
		edit_exit(e, w->nr, w->end);
	}
	if (w->label)
		edit_bind(e, 0, w->label);
}

static void edit_piece(const struct threading *t, struct editor *e, const struct piece *at)
{
	const struct way *w = &t->ways[at->way];

	if (w->kind != BY_JUMP || at->rank != RANK_IN_PLACE) {
		edit_copies(t, e, at);
		return;
	}
	edit_jump(e, w->from, t->p->insns[w->from], w->label ? w->label : w->end);
	edit_fact(e, 0, t->f->insns[w->from]);
}

int thread_edit(struct threading *t, struct diag *d)
{
	struct piece *pieces = mem_alloc(array_size(2 * t->nr_ways, sizeof(*pieces)));
	u64 *taken = flow_bits(t->p);
	struct editor e;
	int err = 0;

	editor_init(&e, t->p, t->f);
	if (!pieces || !taken) {
		err = diag_nomem(d);
	} else {
		u32 nr = place_all(t, &e, taken, pieces);

		for (u32 i = 0; i < nr; i++)
			edit_piece(t, &e, &pieces[i]);
		t->changed |= nr > 0;
		err = editor_apply(&e, d);
	}
	editor_fini(&e);
	mem_free(pieces);
	mem_free(taken);
	return err;
}
