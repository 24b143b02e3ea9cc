/* Jump threading: a way into a block that ends with a conditional jump goes past that jump where it is known on this way
 * how the jump goes. What the block does before is done on the way: a short block is copied for it. known.c says what is
 * known. Conditional jumps of which only one way is left, because the others go past them, are decided for good.
 *
 * What can't stand twice isn't copied (calls, atomics), nor is more than a share of the program. What nobody comes to or reads
 * any more is left to dead_code and dead_result. */
#include "base/alloc.h"
#include "base/diag.h"
#include "base/limits.h"
#include "rewrite/passes.h"
#include "rewrite/reach.h"
#include "rewrite/thread.h"

enum {
	ROUNDS_MAX = 4,
	GROWTH_BASE = 16, /* instructions that any program may grow by */
	GROWTH_SHARE = 8, /* and one for so many that it has */
	/* What is longer stays as it is: jumps that don't reach any more may make a program three times as long. */
	LENGTH_MAX = PROG_MAX_INSNS / 4,
};

static void add_way(struct threading *t, struct way way, const struct thread_walk *w)
{
	if (array_grow((void **)&t->ways, &t->cap_ways, t->nr_ways + 1, sizeof(*t->ways)) ||
		array_grow((void **)&t->copied, &t->cap_copied, t->nr_copied + way.nr,
			sizeof(*t->copied))) {
		t->failed = true;
		return;
	}
	way.first = (u32)t->nr_copied;
	for (u32 i = 0; i < way.nr; i++)
		t->copied[t->nr_copied++] = w->copied[i];
	t->ways[t->nr_ways++] = way;
}

/* A jump around the move of a constant: back ends make that without jumping, which is cheaper than a way of its own. */
static bool is_selection(const struct threading *t, u32 move, u32 meet)
{
	const struct insn *i = &t->p->insns[move];

	return (i->code == (BPF_ALU64 | BPF_MOV | BPF_K) ||
		       i->code == (BPF_ALU | BPF_MOV | BPF_K)) &&
	       move > 0 && insn_is_cond_jump(i[-1]) && flow_target(i[-1], move - 1) == meet;
}

/* A way into a block, with what is known on it before and by the jump that it begins with. */
static void try_way(
	struct threading *t, enum way_kind kind, u32 from, u32 to, const struct known *known)
{
	struct insn i = t->p->insns[from];
	struct meeting *m = &t->meetings[to];
	struct way way = {.kind = kind, .from = from, .to = to};
	u16 regs = known_regs(known) | (kind == BY_JUMP ? regs_read(i) : 0);
	struct thread_walk w;

	if (m->distance == THREAD_TOO_FAR || m->asks & ~regs ||
		(kind == BY_FALL && is_selection(t, from, to)))
		return;
	w.known = *known;
	if (kind == BY_JUMP)
		known_learn(&w.known, i, true, from);
	thread_follow(t, &w, to);
	/* A way that ran on takes a goto instead. */
	if (w.end == FLOW_NO_TARGET || (kind == BY_FALL && w.saved < 2))
		return;
	u32 growth = w.nr + (kind != BY_GOTO && (w.nr || kind == BY_FALL));
	if (growth > t->room)
		return;
	t->room -= growth;
	m->past += kind != BY_FALL;
	way.end = w.end;
	way.nr = w.nr;
	add_way(t, way, &w);
}

/* Decides the jump for good, if it is known. */
static void decide(struct threading *t, const struct known *known, u32 pc)
{
	struct insn i = t->p->insns[pc];
	struct fact *f = &t->f->insns[pc];
	enum verdict v = f->flags & (FACT_TAKEN | FACT_NOT_TAKEN) ? MAYBE : known_decide(known, i);
	u32 next = v == ALWAYS ? flow_target(i, pc) : pc + 1;

	if (v == MAYBE || !thread_is_seen(t, next))
		return;
	f->flags |= v == ALWAYS ? FACT_TAKEN : FACT_NOT_TAKEN;
	t->changed = true;
}

static void cond_jump(struct threading *t, struct known *known, u32 pc)
{
	struct insn i = t->p->insns[pc];
	u32 to = flow_target(i, pc);

	if (t->decides)
		decide(t, known, pc);
	if (to != pc + 1 && !(thread_flags(t, pc) & FACT_NOT_TAKEN))
		try_way(t, BY_JUMP, pc, to, known);
	known_learn(known, i, false, pc);
}

/* A jump, call or exit; returns whether it may run on into the next instruction. */
static bool jump(struct threading *t, struct known *known, u32 pc)
{
	struct insn i = t->p->insns[pc];

	if (insn_is_cond_jump(i)) {
		cond_jump(t, known, pc);
		return !(thread_flags(t, pc) & FACT_TAKEN);
	}
	if (insn_is_ja(i)) {
		try_way(t, BY_GOTO, pc, flow_target(i, pc), known);
		return false;
	}
	known_step(known, i, i, &t->f->insns[pc], pc);
	return !insn_is_exit(i);
}

/* What is known where the instruction at pc begins, but of the one before it. */
static void arrive(struct threading *t, struct known *known, u32 pc, bool fell)
{
	const struct meeting *m = &t->meetings[pc];

	if (m->jumps && fell)
		try_way(t, BY_FALL, pc - 1, pc, known);
	if (!fell && !m->jumps)
		known_nothing(known);
	if (m->jumps)
		known_meet(known, m->first);
	/* Only one comes here. */
	if (!fell && m->jumps == 1 && m->first && insn_is_cond_jump(t->p->insns[m->first]))
		known_learn(known, t->p->insns[m->first], true, pc - 1);
}

static void find_ways(struct threading *t)
{
	const struct insn *insns = t->p->insns;
	struct known known = {0};
	bool fell = false;

	for (u32 pc = 0; pc < t->p->len && !t->failed; pc += flow_width(insns[pc])) {
		/* What comes behind one that is seen is seen. */
		if (!fell && !thread_is_seen(t, pc)) {
			known_nothing(&known);
			continue;
		}
		if (!fell || t->meetings[pc].jumps)
			arrive(t, &known, pc, fell);
		fell = true;
		if (insn_is_jump_class(insns[pc]))
			fell = jump(t, &known, pc);
		else if (known_changes(&known, insns[pc], &t->f->insns[pc]))
			known_step(&known, insns[pc],
				insn_is_ld_imm64(insns[pc]) ? insns[pc + 1] : insns[pc],
				&t->f->insns[pc], pc);
	}
}

/* What the ways have left over is no longer there for those that look for more. */
static int forget_unreached(const struct prog *p, struct facts *f, struct diag *d)
{
	u64 *reached = reach_find(p, f);

	if (!reached)
		return diag_nomem(d);
	for (u32 pc = 0; pc < p->len; pc++)
		if (!flow_bit(reached, pc))
			f->insns[pc].flags &= (u16)~FACT_SEEN;
	mem_free(reached);
	return 0;
}

static int one_round(struct threading *t, struct diag *d)
{
	int err = 0;

	if (!thread_meet(t))
		err = diag_nomem(d);
	else if (t->worth_looking || t->decides)
		find_ways(t);
	if (t->failed)
		err = diag_nomem(d);
	if (!err && t->nr_ways)
		err = thread_edit(t, d);
	if (!err && t->changed)
		err = forget_unreached(t->p, t->f, d);
	mem_free(t->meetings);
	mem_free(t->starts);
	mem_free(t->ways);
	mem_free(t->copied);
	return err;
}

int thread_run(struct prog *p, struct facts *f, struct diag *d)
{
	u32 room = GROWTH_BASE + p->len / GROWTH_SHARE;

	for (u32 round = 0; round < ROUNDS_MAX && p->len <= LENGTH_MAX; round++) {
		struct threading t = {.p = p, .f = f, .room = room, .decides = round > 0};
		int err = one_round(&t, d);

		if (err || !t.changed)
			return err;
		room = t.room;
	}
	return 0;
}
