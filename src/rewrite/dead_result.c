/* Removes instructions that only compute what nobody reads, and what only they read: what inlining
 * leaves of a call's arguments. Liveness of registers, backwards; an instruction that is itself
 * dead keeps nothing alive. */
#include "base/alloc.h"
#include "base/diag.h"
#include "rewrite/editor.h"
#include "rewrite/flow.h"
#include "rewrite/passes.h"
#include "rewrite/regs.h"

/* Sweeps over the program until nothing changes: two for straight code, one more for each nesting
 * of loops. Where that isn't enough the pass leaves the program alone. */
enum { SWEEPS_MAX = 16 };

/* Registers live before the instruction at pc, for those live behind it. */
static u16 live_before(struct insn i, u16 behind)
{
	if (regs_only_result(i) && !(behind & regs_written(i)))
		return behind;
	return (u16)((behind & ~regs_written(i)) | regs_read(i));
}

/* Registers live behind pc. */
static u16 live_behind(const struct prog *p, const u16 *before, u32 pc)
{
	struct insn i = p->insns[pc];

	if (insn_is_exit(i))
		return 0;
	if (insn_is_ja(i))
		return before[flow_target(i, pc)];
	u16 next = before[pc + flow_width(i)];
	return insn_is_cond_jump(i) ? next | before[flow_target(i, pc)] : next;
}

static bool sweep(const struct prog *p, u16 *before, const u64 *second_halves)
{
	bool changed = false;

	for (u32 pc = p->len; pc-- > 0;) {
		if (flow_bit(second_halves, pc))
			continue;
		u16 live = live_before(p->insns[pc], live_behind(p, before, pc));

		changed |= live != before[pc];
		before[pc] = live;
	}
	return changed;
}

static bool find_live(const struct prog *p, u16 *before, const u64 *second_halves)
{
	for (int n = 0; n < SWEEPS_MAX; n++)
		if (!sweep(p, before, second_halves))
			return true;
	return false;
}

static void collect_edits(const struct prog *p, const u16 *before, struct editor *e)
{
	for (u32 pc = 0; pc < p->len; pc += flow_width(p->insns[pc])) {
		struct insn i = p->insns[pc];

		if (regs_only_result(i) && !(live_behind(p, before, pc) & regs_written(i)))
			edit_remove(e, pc, flow_width(i));
	}
}

int dead_result_run(struct prog *p, struct facts *f, struct diag *d)
{
	u16 *before = mem_zalloc(array_size(p->len, sizeof(*before)));
	u64 *second_halves = flow_second_halves(p);
	struct editor e;
	int err = 0;

	editor_init(&e, p, f);
	if (!before || !second_halves)
		err = diag_nomem(d);
	else if (find_live(p, before, second_halves))
		collect_edits(p, before, &e);
	if (!err)
		err = editor_apply(&e, d);
	editor_fini(&e);
	mem_free(before);
	mem_free(second_halves);
	return err;
}
