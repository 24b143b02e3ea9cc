/* Liveness of registers, backwards over the whole program until nothing changes. */
#include "rewrite/live.h"

#include <errno.h>

#include "base/alloc.h"
#include "rewrite/flow.h"
#include "rewrite/regs.h"

u16 live_behind(const struct prog *p, const u16 *before, u32 pc)
{
	struct insn i = p->insns[pc];

	if (insn_is_exit(i))
		return 0;
	if (insn_is_ja(i))
		return before[flow_target(i, pc)];
	u16 next = before[pc + flow_width(i)];
	return insn_is_cond_jump(i) ? next | before[flow_target(i, pc)] : next;
}

static u16 live_before(struct insn i, enum live_kind kind, u16 behind)
{
	/* An instruction that is itself dead keeps nothing alive. */
	if (kind == LIVE_USEFUL && regs_only_result(i) && !(behind & regs_written(i)))
		return behind;
	return (u16)((behind & ~regs_written(i)) | regs_read(i));
}

static bool sweep(const struct prog *p, enum live_kind kind, u16 *before, const u64 *second_halves)
{
	bool changed = false;

	for (u32 pc = p->len; pc-- > 0;) {
		if (flow_bit(second_halves, pc))
			continue;
		u16 live = live_before(p->insns[pc], kind, live_behind(p, before, pc));

		changed |= live != before[pc];
		before[pc] = live;
	}
	return changed;
}

int live_find(const struct prog *p, enum live_kind kind, unsigned sweeps, u16 *before)
{
	u64 *second_halves = flow_second_halves(p);
	int err = second_halves ? -E2BIG : -ENOMEM;

	for (u32 pc = 0; pc < p->len; pc++)
		before[pc] = 0;
	while (second_halves && err && sweeps--)
		if (!sweep(p, kind, before, second_halves))
			err = 0;
	mem_free(second_halves);
	return err;
}
