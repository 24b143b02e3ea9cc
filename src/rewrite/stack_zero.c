/* Programs may read stack that they haven't written, as padding of a key. What was there before is
 * nobody's business, and engines would differ: a subprogram that may do that begins with zeros in
 * these slots. */
#include "base/alloc.h"
#include "rewrite/editor.h"
#include "rewrite/passes.h"

enum { SLOT_BYTES = 8, NR_SLOTS = 64 };

static void zero_slots(struct editor *e, u32 pc, u64 slots)
{
	struct insn stores[NR_SLOTS];
	u32 nr = 0;

	for (u32 n = 0; n < NR_SLOTS; n++)
		if (slots >> n & 1)
			stores[nr++] = (struct insn){.code = BPF_ST | BPF_MEM | BPF_DW,
				.dst = BPF_REG_FP,
				.off = (s16)(-SLOT_BYTES * (s32)(n + 1))};
	if (nr)
		edit_enter(e, pc, stores, nr);
	for (u32 n = 0; n < nr; n++)
		edit_fact(e, n,
			(struct fact){.flags = FACT_SEEN, .mem = MEM_STACK, .off = stores[n].off});
}

int stack_zero_run(struct prog *p, struct facts *f, struct diag *d)
{
	struct editor e;

	if (!f->uninit_slots)
		return 0;
	editor_init(&e, p, f);
	for (u32 n = 0; n < f->nr_subprogs; n++)
		zero_slots(&e, f->subprog_start[n], f->uninit_slots[n]);
	int err = editor_apply(&e, d);
	editor_fini(&e);
	if (!err) {
		mem_free(f->uninit_slots);
		f->uninit_slots = NULL;
	}
	return err;
}
