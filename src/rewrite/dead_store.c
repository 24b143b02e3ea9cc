/* Removes stores to stack bytes that nothing in the subprogram reads, such as a key that a lookup
 * no longer loads. Only where the frame pointer isn't copied, so that every access to the stack
 * names it: order doesn't matter then. A frame that nobody uses any more takes no room. */
#include "base/limits.h"
#include "rewrite/editor.h"
#include "rewrite/flow.h"
#include "rewrite/passes.h"
#include "rewrite/regs.h"

struct frame_use {
	bool escapes;                    /* r10 is used for more than naming an address */
	u64 read[PROG_STACK_BYTES / 64]; /* a bit for each byte, from the lowest */
};

static bool is_plain_store(struct insn i)
{
	return BPF_CLASS(i.code) == BPF_ST ||
	       (BPF_CLASS(i.code) == BPF_STX && BPF_MODE(i.code) != BPF_ATOMIC);
}

static bool names_stack(struct insn i)
{
	switch (BPF_CLASS(i.code)) {
	case BPF_LDX:
		return i.src == BPF_REG_FP;
	case BPF_ST:
		return i.dst == BPF_REG_FP;
	case BPF_STX:
		return i.dst == BPF_REG_FP && i.src != BPF_REG_FP;
	default:
		return false;
	}
}

/* The lowest byte of an access as a bit number. */
static unsigned first_bit(struct insn i)
{
	s32 at = (s32)PROG_STACK_BYTES + i.off;

	assert(at >= 0 && at + (s32)flow_access_bytes(i) <= (s32)PROG_STACK_BYTES);
	return (unsigned)at;
}

static bool is_read(const struct frame_use *use, struct insn i)
{
	for (unsigned k = 0; k < flow_access_bytes(i); k++)
		if (flow_bit(use->read, first_bit(i) + k))
			return true;
	return false;
}

static struct frame_use frame_use_of(const struct prog *p, u32 start, u32 end)
{
	struct frame_use use = {0};

	for (u32 pc = start; pc < end; pc += flow_width(p->insns[pc])) {
		struct insn i = p->insns[pc];

		if (!(regs_read(i) >> BPF_REG_FP & 1))
			continue;
		use.escapes |= !names_stack(i);
		if (names_stack(i) && !is_plain_store(i))
			for (unsigned k = 0; k < flow_access_bytes(i); k++)
				flow_set(use.read, first_bit(i) + k);
	}
	return use;
}

static void sweep_frame(const struct prog *p, struct facts *f, u32 subprog, struct editor *e)
{
	u32 start = f->subprog_start[subprog];
	u32 end = subprog + 1 < f->nr_subprogs ? f->subprog_start[subprog + 1] : p->len;
	struct frame_use use = frame_use_of(p, start, end);
	bool kept = false;

	if (use.escapes)
		return;
	for (u32 pc = start; pc < end; pc += flow_width(p->insns[pc])) {
		struct insn i = p->insns[pc];

		if (!names_stack(i))
			continue;
		if (is_plain_store(i) && !is_read(&use, i))
			edit_remove(e, pc, 1);
		else
			kept = true;
	}
	if (!kept)
		f->stack_bytes[subprog] = 0;
}

int dead_store_run(struct prog *p, struct facts *f, struct diag *d)
{
	struct editor e;

	editor_init(&e, p, f);
	for (u32 i = 0; i < f->nr_subprogs; i++)
		sweep_frame(p, f, i, &e);
	bool any = e.nr;
	int err = editor_apply(&e, d);
	editor_fini(&e);
	/* What the stores stored may have no other reader. */
	return any && !err ? dead_result_run(p, f, d) : err;
}
