/* Where ways meet, how many come from where, and how far each such place is from a conditional jump that could be decided on a
 * way to it. Many programs have no place where one could: for these this is all that is done. */
#include "base/alloc.h"
#include "rewrite/thread.h"

/* What the next conditional jump asks, before some instruction. */
struct question {
	u16 asks;
	u8 distance;
};

static const struct question none = {.distance = THREAD_TOO_FAR};

/* The same as where the jump leads; what is behind us isn't known yet. */
static struct question question_at(
	const struct threading *t, u32 pc, u32 next, struct question behind)
{
	const struct meeting *m = &t->meetings[next];

	return next > pc ? (struct question){m->asks, m->distance} : behind;
}

/* The same before an instruction as behind it, but for what it does itself. */
static struct question step_asks(
	const struct threading *t, struct insn i, u32 pc, struct question behind)
{
	unsigned distance = behind.distance + flow_width(i);
	struct question q = {behind.asks, (u8)distance};

	if (distance > THREAD_COPIED_MAX || !thread_may_copy(i))
		return none;
	return !(q.asks & regs_written(i)) || known_before(i, &t->f->insns[pc], &q.asks) ? q : none;
}

/* What jumps to `to` comes from `from`, if it is a jump, else from anywhere. */
static void note_arrival(struct threading *t, u32 from, u32 to, bool is_jump)
{
	struct meeting *m = &t->meetings[to];
	u32 first = is_jump && from < to ? from : 0;

	m->first = m->jumps++ && m->first < first ? m->first : first;
	/* Where a jump leads back we are asked when we come there. */
	t->worth_looking |= from < to && m->distance != THREAD_TOO_FAR;
}

/* The address of a subprogram. */
static void note_address(struct threading *t, struct insn i, u32 pc)
{
	u32 to = flow_target(i, pc);

	if (to != FLOW_NO_TARGET && thread_is_seen(t, pc))
		note_arrival(t, pc, to, false);
}

static struct question note_jump(struct threading *t, struct insn i, u32 pc)
{
	static const struct question anything = {0};
	u32 to = flow_target(i, pc);
	u16 flags = thread_flags(t, pc);

	if (to == FLOW_NO_TARGET)
		return none;
	if ((flags & (FACT_SEEN | FACT_NOT_TAKEN)) == FACT_SEEN)
		note_arrival(t, pc, to, !insn_is_local_call(i));
	if (insn_is_local_call(i))
		return none;
	if (insn_is_ja(i))
		return question_at(t, pc, to, none);
	if (flags & (FACT_TAKEN | FACT_NOT_TAKEN))
		return question_at(t, pc, flags & FACT_TAKEN ? to : pc + 1, anything);
	return (struct question){regs_read(i), 0};
}

/* Backwards over the program, so that what is asked is known where a jump leads. */
static void note_all(struct threading *t)
{
	struct question q = none;

	for (u32 pc = t->p->len; pc-- > 0;) {
		const struct insn *i = &t->p->insns[pc];
		struct meeting *m = &t->meetings[pc];

		m->distance = THREAD_TOO_FAR;
		if (insn_is_jump_class(*i)) {
			q = note_jump(t, *i, pc);
		} else if (q.distance != THREAD_TOO_FAR && i->code) {
			q = step_asks(t, *i, pc, q);
		}
		if (insn_is_ld_imm64(*i))
			note_address(t, *i, pc);
		if (q.distance == THREAD_TOO_FAR ||
			!i->code) /* the second half of a 64-bit immediate */
			continue;
		m->asks = q.asks;
		m->distance = q.distance;
		t->worth_looking |= m->jumps > 0;
	}
}

bool thread_meet(struct threading *t)
{
	t->meetings = mem_zalloc(array_size(t->p->len, sizeof(*t->meetings)));
	t->starts = flow_bits(t->p);
	if (!t->meetings || !t->starts)
		return false;
	note_all(t);
	for (u32 i = 0; i < t->f->nr_subprogs; i++)
		flow_set(t->starts, t->f->subprog_start[i]);
	return true;
}
