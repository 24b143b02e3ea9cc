/* Follows one way from where it meets others: which instructions it does, past which jumps it goes. */
#include "rewrite/thread.h"

enum { BLOCKS_MAX = 6 }; /* that a way goes through */

struct blocks {
	struct {
		u32 start, end;
	} walked[BLOCKS_MAX];
	u32 nr;
};

static bool was_walked(const struct blocks *b, u32 pc)
{
	for (u32 i = 0; i < b->nr; i++)
		if (pc >= b->walked[i].start && pc <= b->walked[i].end)
			return true;
	return false;
}

/* The walk so far, which may lead further than the way does in the end. */
struct progress {
	struct thread_walk *w;
	struct blocks blocks;
	u32 nr, saved;
};

static void copy(struct progress *g, struct insn i, u32 pc)
{
	g->w->copied[g->nr++] = (struct copied){i, pc};
}

/* Instructions up to the jump that ends the block at pc; false: not to be copied, or too many. */
static bool walk_block(const struct threading *t, struct progress *g, u32 *pc)
{
	struct known *known = &g->w->known;
	u32 start = *pc;

	for (;; *pc += flow_width(t->p->insns[*pc])) {
		struct insn i = t->p->insns[*pc], next = {0};
		u32 width = flow_width(i);

		if (!thread_is_seen(t, *pc))
			return false;
		if (insn_is_cond_jump(i) || insn_is_ja(i))
			break;
		if (!thread_may_copy(i) || g->nr + width > THREAD_COPIED_MAX)
			return false;
		if (width == 2)
			next = t->p->insns[*pc + 1];
		known_step(known, i, next, &t->f->insns[*pc], *pc);
		if (width == 1)
			g->saved += known_as_move(known, i, &i);
		copy(g, i, *pc);
		if (width == 2)
			copy(g, next, *pc + 1);
	}
	g->blocks.walked[g->blocks.nr].start = start;
	g->blocks.walked[g->blocks.nr++].end = *pc;
	return true;
}

/* Where the jump at pc goes on this way, or FLOW_NO_TARGET; *asked: it wasn't decided anyway. */
static u32 go_on(const struct threading *t, const struct progress *g, u32 pc, bool *asked)
{
	struct insn i = t->p->insns[pc];
	u16 flags = thread_flags(t, pc);
	enum verdict v = flags & FACT_TAKEN || insn_is_ja(i) ? ALWAYS
			 : flags & FACT_NOT_TAKEN            ? NEVER
							     : MAYBE;

	*asked = v == MAYBE;
	if (v == MAYBE)
		v = known_decide(&g->w->known, i);
	u32 next = v == ALWAYS ? flow_target(i, pc) : pc + 1;
	return v == MAYBE || !thread_is_seen(t, next) || was_walked(&g->blocks, next)
		       ? FLOW_NO_TARGET
		       : next;
}

void thread_follow(const struct threading *t, struct thread_walk *w, u32 pc)
{
	struct progress g = {.w = w};

	w->end = FLOW_NO_TARGET;
	w->nr = w->saved = 0;
	while (g.blocks.nr < BLOCKS_MAX && walk_block(t, &g, &pc)) {
		u32 behind = pc + 1;
		bool asked;

		pc = go_on(t, &g, pc, &asked);
		if (pc == FLOW_NO_TARGET)
			break;
		g.saved += pc == behind ? 1 : 2;
		/* What is only passed is passed for nothing, once a jump is. */
		if (asked || (w->end != FLOW_NO_TARGET && w->nr == g.nr)) {
			w->end = pc;
			w->nr = g.nr;
			w->saved = g.saved;
		}
	}
}
