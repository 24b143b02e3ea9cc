#include "verify/dynptr.h"

#include <errno.h>

#include "helper/dynptr.h"
#include "verify/memory.h"

enum { DYNPTR_SLOTS = DYNPTR_BYTES / SLOT_BYTES };

static bool slot_is_dynptr(const struct slot *s)
{
	return slot_has_spill(s) && s->reg.type == REG_DYNPTR;
}

static void slot_clear(struct slot *s)
{
	*s = (struct slot){0};
}

/* The slot of the other half. */
static u32 other_half(const struct frame *f, u32 n)
{
	return f->slots[n].reg.off ? n + 1 : n - 1;
}

static void drop_slice(struct vreg *r, void *arg)
{
	const u32 *id = arg;

	if (r->type != REG_DYNPTR && r->dynptr == *id)
		*r = reg_unknown();
}

int dynptr_overwrite(struct verifier *v, struct frame *f, u32 n)
{
	if (n >= f->nr_slots || !slot_is_dynptr(&f->slots[n]))
		return 0;
	u32 id = f->slots[n].reg.dynptr, other = other_half(f, n);
	if (f->slots[n].reg.ref)
		return refuse(v, EINVAL, "cannot overwrite referenced dynptr");
	slot_clear(&f->slots[other]);
	slot_clear(&f->slots[n]);
	state_each_reg(&v->cur, drop_slice, &id);
	return 0;
}

void dynptrs_release(struct verifier *v, u32 ref)
{
	for (u32 depth = 0; depth <= v->cur.depth; depth++) {
		struct frame *f = &v->cur.frames[depth];

		for (u32 n = 0; n < f->nr_slots; n++)
			if (slot_is_dynptr(&f->slots[n]) && f->slots[n].reg.ref == ref)
				slot_clear(&f->slots[n]);
	}
}

/* The frame, and the slot of the lower half, which a pointer to the stack names. Both stay as they are on error. */
static int find_slots(struct verifier *v, u32 regno, struct frame **f, u32 *slot)
{
	const struct vreg *r = cur_reg(v, regno);
	s64 off = r->off + r->var.smin;
	struct stack_span span;

	if (r->type != REG_STACK)
		return refuse(v, EINVAL,
			"arg#%u expected pointer to stack or const struct bpf_dynptr", regno - 1);
	if (!scalar_is_const(&r->var))
		return refuse(v, EINVAL, "dynptr has to be at a constant offset");
	if (off % SLOT_BYTES || off > -DYNPTR_BYTES)
		return refuse(v, EINVAL, "cannot pass in dynptr at an offset=%d", (int)off);
	int err = stack_span(v, regno, 0, DYNPTR_BYTES, ACCESS_WRITE, &span);
	if (err)
		return err;
	*f = span.frame;
	*slot = (u32)(-off / SLOT_BYTES) - 1;
	return 0;
}

int check_dynptr_arg(struct verifier *v, u32 regno, struct call *c)
{
	bool record = c->helper->args[regno - 1] == ARG_DYNPTR_RINGBUF;
	struct frame *f = NULL;
	u32 n = 0;
	int err = find_slots(v, regno, &f, &n);

	if (err)
		return err;
	bool is = n < f->nr_slots && slot_is_dynptr(&f->slots[n]);
	if (record && (!is || !f->slots[n].reg.ref))
		return refuse(v, EINVAL, "arg %u is an unacquired reference", regno);
	if (!is || f->slots[n].reg.off)
		return refuse(v, EINVAL, "Expected an initialized dynptr as arg #%u", regno - 1);
	c->dynptr = f->slots[n].reg;
	if (record)
		c->release_ref = c->dynptr.ref;
	return 0;
}

/* Memory that stays where it is as long as the program runs. */
static int check_lasting_mem(struct verifier *v, u32 regno)
{
	u8 type = cur_reg(v, regno)->type;

	if (type == REG_MAP_VALUE)
		return 0;
	return refuse(v, EACCES, "Unsupported reg type %s for bpf_dynptr_from_mem data",
		reg_type_name(type));
}

int check_dynptr_out(struct verifier *v, u32 regno, struct call *c)
{
	int err = find_slots(v, regno, &c->out_frame, &c->out_slot);

	if (!err && c->helper->id == HELPER_dynptr_from_mem)
		err = check_lasting_mem(v, BPF_REG_1);
	for (u32 k = 0; !err && k < DYNPTR_SLOTS; k++)
		err = dynptr_overwrite(v, c->out_frame, c->out_slot - k);
	return err;
}

static enum dynptr_type made_type(const struct call *c)
{
	switch (c->helper->id) {
	case HELPER_dynptr_from_mem:
		return DYNPTR_LOCAL;
	case HELPER_ringbuf_reserve_dynptr:
		return DYNPTR_RINGBUF;
	case HELPER_dynptr_from_skb:
		return DYNPTR_SKB;
	case HELPER_dynptr_from_xdp:
		return DYNPTR_XDP;
	}
	assert(c->helper->id == HELPER_dynptr_clone);
	return (enum dynptr_type)c->dynptr.aux;
}

void dynptr_made(struct verifier *v, const struct call *c)
{
	struct frame *f = c->out_frame;
	struct vreg r = reg_pointer(REG_DYNPTR);

	if (!f)
		return;
	r.aux = made_type(c);
	r.dynptr = new_id(v);
	r.ref = c->helper->id == HELPER_dynptr_clone ? c->dynptr.ref : c->acquired_ref;
	for (; f->nr_slots <= c->out_slot; f->nr_slots++)
		slot_clear(&f->slots[f->nr_slots]);
	for (u32 k = 0; k < DYNPTR_SLOTS; k++) {
		struct slot *s = &f->slots[c->out_slot - k];

		r.off = (s32)(k * SLOT_BYTES);
		s->reg = r;
		for (u32 n = 0; n < SLOT_BYTES; n++)
			s->bytes[n] = SLOT_SPILL;
	}
}

static bool holds_packet(const struct vreg *dynptr)
{
	return dynptr->aux == DYNPTR_SKB || dynptr->aux == DYNPTR_XDP;
}

struct vreg dynptr_mem(struct verifier *v, const struct call *c)
{
	struct vreg r = reg_pointer(REG_MEM_OR_NULL);

	r.aux = c->mem_bytes;
	r.id = new_id(v);
	r.dynptr = c->dynptr.dynptr;
	r.ref = c->dynptr.ref;
	r.of_packet = holds_packet(&c->dynptr);
	r.rdonly = c->helper->flags & HELPER_RDONLY_MEM;
	return r;
}

bool dynptr_changes_packet(const struct call *c)
{
	return c->helper->id == HELPER_dynptr_write && c->dynptr.aux == DYNPTR_SKB;
}
