#include "verify/iter.h"

#include <errno.h>

#include "helper/iter.h"
#include "verify/memory.h"
#include "verify/prune.h"

static const char name[] = "iter_num";

bool insn_is_iter_next(struct insn i)
{
	return insn_is_kfunc_call(i) && (u32)i.imm == HELPER_iter_num_next;
}

static bool slot_is_iter(const struct slot *s)
{
	return slot_has_spill(s) && s->reg.type == REG_ITER;
}

/* The slot that a pointer to the stack names; made if it isn't there. */
static int find_slot(struct verifier *v, u32 regno, struct slot **slot)
{
	const struct vreg *r = cur_reg(v, regno);
	s64 off = r->off + r->var.smin;
	struct stack_span span;

	if (r->type != REG_STACK)
		return refuse(
			v, EINVAL, "arg#%u expected pointer to an iterator on stack", regno - 1);
	if (!scalar_is_const(&r->var))
		return refuse(v, EINVAL, "iter has to be at a constant offset");
	if (off % SLOT_BYTES || off > -SLOT_BYTES)
		return refuse(v, EINVAL, "cannot pass in iter at an offset=%d", (int)off);
	int err = stack_span(v, regno, 0, SLOT_BYTES, ACCESS_WRITE, &span);
	if (err)
		return err;
	u32 n = (u32)(-off / SLOT_BYTES) - 1;
	for (; span.frame->nr_slots <= n; span.frame->nr_slots++)
		span.frame->slots[span.frame->nr_slots] = (struct slot){0};
	*slot = &span.frame->slots[n];
	return 0;
}

int check_iter_arg(struct verifier *v, u32 regno, struct call *c)
{
	int err = find_slot(v, regno, &c->iter);

	if (!err && !slot_is_iter(c->iter))
		return refuse(v, EINVAL, "expected an initialized %s as arg #%u", name, regno - 1);
	if (!err && c->helper->id == HELPER_iter_num_destroy)
		c->release_ref = c->iter->reg.ref;
	return err;
}

int check_iter_out(struct verifier *v, u32 regno, struct call *c)
{
	int err = find_slot(v, regno, &c->iter_made);

	if (!err && slot_is_iter(c->iter_made))
		return refuse(v, EINVAL, "expected uninitialized %s as arg #%u", name, regno - 1);
	return err;
}

void iter_made(struct verifier *v UNUSED_ARG, const struct call *c)
{
	struct slot *s = c->iter_made;

	if (!s)
		return;
	s->reg = reg_pointer(REG_ITER);
	s->reg.ref = c->acquired_ref;
	s->reg.aux = ITER_ACTIVE;
	for (u32 n = 0; n < SLOT_BYTES; n++)
		s->bytes[n] = SLOT_SPILL;
}

void iters_release(struct verifier *v, u32 ref)
{
	for (u32 depth = 0; depth <= v->cur.depth; depth++) {
		struct frame *f = &v->cur.frames[depth];

		for (u32 n = 0; n < f->nr_slots; n++)
			if (slot_is_iter(&f->slots[n]) && f->slots[n].reg.ref == ref)
				f->slots[n] = (struct slot){0};
	}
}

int iter_push(struct verifier *v, const struct call *c)
{
	int err = 0;

	if (c->iter->reg.aux == ITER_ACTIVE)
		err = branch_push(v, true);
	c->iter->reg.aux = ITER_DRAINED;
	return err;
}

void iter_enter(struct verifier *v)
{
	struct vreg next = reg_pointer(REG_MEM);

	round_widen_next(v);
	v->cur.rounds++;
	for (u32 r = BPF_REG_0; r <= BPF_REG_5; r++)
		*cur_reg(v, r) = reg_uninit();
	next.aux = sizeof(s32);
	next.rdonly = true;
	*cur_reg(v, BPF_REG_0) = next;
	v->next_pc = v->pc + 1;
}
