/* Removes instructions that only compute what nobody reads, and what only they read: what inlining
 * leaves of a call's arguments. */
#include <errno.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "rewrite/editor.h"
#include "rewrite/flow.h"
#include "rewrite/live.h"
#include "rewrite/passes.h"
#include "rewrite/regs.h"

/* Where that isn't enough the pass leaves the program alone. */
enum { SWEEPS_MAX = 16 };

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
	struct editor e;

	editor_init(&e, p, f);
	int err = before ? live_find(p, LIVE_USEFUL, SWEEPS_MAX, before) : -ENOMEM;
	if (err == -ENOMEM)
		diag_nomem(d);
	else if (!err)
		collect_edits(p, before, &e);
	if (err != -ENOMEM)
		err = editor_apply(&e, d);
	editor_fini(&e);
	mem_free(before);
	return err;
}
