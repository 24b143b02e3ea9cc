/* Removes what never runs: instructions that no path reaches, conditional jumps that are decided,
 * jumps to what comes next anyway. Reads FACT_TAKEN and FACT_NOT_TAKEN, and follows the program from
 * its start by these. */
#include "base/alloc.h"
#include "base/diag.h"
#include "rewrite/editor.h"
#include "rewrite/flow.h"
#include "rewrite/gen.h"
#include "rewrite/passes.h"

struct sweep {
	const struct prog *p;
	const struct facts *f;
	u64 *live; /* a bit for each instruction that some path reaches */
	u64 *drop; /* and for each live one that isn't needed */
	u32 *work; /* stack of live instructions whose successors are still to be marked */
	u32 nr_work;
};

static void mark(struct sweep *s, u32 pc)
{
	if (flow_bit(s->live, pc))
		return;
	flow_set(s->live, pc);
	s->work[s->nr_work++] = pc;
}

static bool always_taken(const struct sweep *s, u32 pc)
{
	return s->f->insns[pc].flags & FACT_TAKEN;
}

static bool never_taken(const struct sweep *s, u32 pc)
{
	return s->f->insns[pc].flags & FACT_NOT_TAKEN;
}

static void mark_successors(struct sweep *s, u32 pc)
{
	struct insn i = s->p->insns[pc];
	u32 target = flow_target(i, pc);

	if (insn_is_exit(i))
		return;
	if (insn_is_cond_jump(i)) {
		assert(!always_taken(s, pc) || !never_taken(s, pc));
		if (!always_taken(s, pc))
			mark(s, pc + 1);
		if (!never_taken(s, pc))
			mark(s, target);
		return;
	}
	if (target != FLOW_NO_TARGET)
		mark(s, target);
	if (!insn_is_ja(i))
		mark(s, pc + flow_width(i));
}

static void mark_live(struct sweep *s)
{
	mark(s, 0);
	while (s->nr_work)
		mark_successors(s, s->work[--s->nr_work]);
	/* The second half of a 64-bit load is as live as the first. */
	for (u32 pc = 0; pc < s->p->len; pc += flow_width(s->p->insns[pc]))
		if (flow_bit(s->live, pc) && insn_is_ld_imm64(s->p->insns[pc]))
			flow_set(s->live, pc + 1);
}

/* Drops jumps that are never taken or go where the next kept instruction is. Going backwards,
 * next[pc] is known for all that a forward jump can reach: the first kept instruction at or behind
 * pc. */
static void drop_idle_jumps(struct sweep *s, u32 *next)
{
	next[s->p->len] = s->p->len;
	for (u32 pc = s->p->len; pc-- > 0;) {
		struct insn i = s->p->insns[pc];

		next[pc] = next[pc + 1];
		if (!flow_bit(s->live, pc))
			continue;
		bool pair_end =
			pc && flow_bit(s->live, pc - 1) && insn_is_ld_imm64(s->p->insns[pc - 1]);
		if (!pair_end && (insn_is_cond_jump(i) || insn_is_ja(i))) {
			u32 target = flow_target(i, pc);
			bool idle = target > pc && next[target] == next[pc + 1];

			if (idle || (insn_is_cond_jump(i) && never_taken(s, pc))) {
				flow_set(s->drop, pc);
				continue;
			}
		}
		next[pc] = pc;
	}
}

static bool kept(const struct sweep *s, u32 pc)
{
	return flow_bit(s->live, pc) && !flow_bit(s->drop, pc);
}

static void collect_edits(const struct sweep *s, struct editor *e)
{
	for (u32 pc = 0; pc < s->p->len;) {
		u32 n = 0;

		while (pc + n < s->p->len && !kept(s, pc + n))
			n++;
		if (n) {
			edit_remove(e, pc, n);
			pc += n;
			continue;
		}
		struct insn i = s->p->insns[pc];
		if (insn_is_cond_jump(i) && always_taken(s, pc))
			edit_jump(e, pc, gen_ja(0), flow_target(i, pc));
		pc += flow_width(i);
	}
}

int dead_code_run(struct prog *p, struct facts *f, struct diag *d)
{
	struct sweep s = {
		.p = p,
		.f = f,
		.live = flow_bits(p),
		.drop = flow_bits(p),
		.work = mem_alloc(array_size(p->len, sizeof(*s.work))),
	};
	u32 *next = mem_alloc(array_size((size_t)p->len + 1, sizeof(*next)));
	struct editor e;
	int err = 0;

	editor_init(&e, p, f);
	if (!s.live || !s.drop || !s.work || !next) {
		err = diag_nomem(d);
		goto out;
	}
	mark_live(&s);
	drop_idle_jumps(&s, next);
	collect_edits(&s, &e);
	err = editor_apply(&e, d);
out:
	editor_fini(&e);
	mem_free(s.live);
	mem_free(s.drop);
	mem_free(s.work);
	mem_free(next);
	return err;
}
