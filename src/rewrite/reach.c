#include "rewrite/reach.h"

#include "base/alloc.h"
#include "rewrite/flow.h"

struct reach {
	const struct prog *p;
	const struct facts *f;
	u64 *reached;
	u32 *work; /* stack of those whose successors are still to be marked */
	u32 nr_work;
};

static void mark(struct reach *r, u32 pc)
{
	if (flow_bit(r->reached, pc))
		return;
	flow_set(r->reached, pc);
	r->work[r->nr_work++] = pc;
}

static void mark_successors(struct reach *r, u32 pc)
{
	struct insn i = r->p->insns[pc];
	u16 flags = r->f->insns[pc].flags;
	u32 target = flow_target(i, pc);

	if (insn_is_exit(i))
		return;
	if (insn_is_cond_jump(i)) {
		assert(!(flags & FACT_TAKEN) || !(flags & FACT_NOT_TAKEN));
		if (!(flags & FACT_TAKEN))
			mark(r, pc + 1);
		if (!(flags & FACT_NOT_TAKEN))
			mark(r, target);
		return;
	}
	if (target != FLOW_NO_TARGET)
		mark(r, target);
	if (!insn_is_ja(i))
		mark(r, pc + flow_width(i));
}

u64 *reach_find(const struct prog *p, const struct facts *f)
{
	struct reach r = {.p = p,
		.f = f,
		.reached = flow_bits(p),
		.work = mem_alloc(array_size(p->len, sizeof(*r.work)))};

	if (r.reached && r.work) {
		mark(&r, 0);
		while (r.nr_work)
			mark_successors(&r, r.work[--r.nr_work]);
		for (u32 pc = 0; pc < p->len; pc += flow_width(p->insns[pc]))
			if (flow_bit(r.reached, pc) && insn_is_ld_imm64(p->insns[pc]))
				flow_set(r.reached, pc + 1);
	} else {
		mem_free(r.reached);
		r.reached = NULL;
	}
	mem_free(r.work);
	return r.reached;
}
