/* Removes instructions that only compute what nobody reads, and what only they read: what inlining
 * leaves of a call's arguments. Jumps around nothing else go too, and then what only these read. */
#include <errno.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "rewrite/editor.h"
#include "rewrite/flow.h"
#include "rewrite/live.h"
#include "rewrite/passes.h"
#include "rewrite/regs.h"

enum {
	SWEEPS_MAX = 16, /* where that isn't enough the pass leaves the program alone */
	ROUNDS_MAX = 4,
};

static bool is_dead(const struct prog *p, const u16 *before, u32 pc)
{
	struct insn i = p->insns[pc];

	return regs_only_result(i) && !(live_behind(p, before, pc) & regs_written(i));
}

static bool is_idle_jump(const struct prog *p, const u32 *kept, u32 pc)
{
	struct insn i = p->insns[pc];
	u32 target = flow_target(i, pc);

	return (insn_is_cond_jump(i) || insn_is_ja(i)) && target > pc &&
	       kept[target] == kept[pc + 1];
}

/* Fills kept[] with the first instruction at or behind each that stays, backwards. Returns whether jumps go. */
static bool find_kept(const struct prog *p, const u16 *before, u32 *kept)
{
	bool jumps = false;

	kept[p->len] = p->len;
	for (u32 pc = p->len; pc-- > 0;) {
		kept[pc] = pc;
		if (p->insns[pc].code == 0) /* the second half of a 64-bit immediate */
			continue;
		if (is_idle_jump(p, kept, pc)) {
			kept[pc] = kept[pc + 1];
			jumps = true;
		} else if (is_dead(p, before, pc)) {
			kept[pc] = kept[pc + flow_width(p->insns[pc])];
		}
	}
	return jumps;
}

static void collect_edits(const struct prog *p, const u32 *kept, struct editor *e)
{
	for (u32 pc = 0; pc < p->len; pc += flow_width(p->insns[pc]))
		if (kept[pc] != pc)
			edit_remove(e, pc, flow_width(p->insns[pc]));
}

/* *again: what the jumps that went have read may be dead now. */
static int one_round(struct prog *p, struct facts *f, bool *again, struct diag *d)
{
	u16 *before = mem_zalloc(array_size(p->len, sizeof(*before)));
	u32 *kept = mem_alloc(array_size((size_t)p->len + 1, sizeof(*kept)));
	struct editor e;

	editor_init(&e, p, f);
	int err = before && kept ? live_find(p, LIVE_USEFUL, SWEEPS_MAX, before) : -ENOMEM;
	*again = !err && find_kept(p, before, kept);
	if (err == -ENOMEM)
		diag_nomem(d);
	else if (!err)
		collect_edits(p, kept, &e);
	if (err != -ENOMEM)
		err = editor_apply(&e, d);
	editor_fini(&e);
	mem_free(before);
	mem_free(kept);
	return err;
}

int dead_result_run(struct prog *p, struct facts *f, struct diag *d)
{
	bool again = true;
	int err = 0;

	for (u32 round = 0; round < ROUNDS_MAX && again && !err; round++)
		err = one_round(p, f, &again, d);
	return err;
}
