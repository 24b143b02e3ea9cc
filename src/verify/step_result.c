/* What a helper call leaves behind: its result, and pointers that are invalid from then on. */
#include <errno.h>

#include "verify/dynptr.h"
#include "verify/iter.h"

static void drop_packet_pointer(struct vreg *r, void *arg)
{
	(void)arg;
	if (r->of_packet || reg_is_packet(r) || r->type == REG_PACKET_END)
		*r = reg_unknown();
}

void drop_packet_pointers(struct verifier *v)
{
	state_each_reg(&v->cur, drop_packet_pointer, NULL);
}

static struct vreg call_result(struct verifier *v, const struct call *c)
{
	const struct helper *h = c->helper;
	struct vreg r;

	switch (h->ret) {
	case RET_VOID:
		return reg_uninit();
	case RET_INTEGER:
		return h->ret_min > h->ret_max
			       ? reg_unknown()
			       : reg_scalar(scalar_between_signed(h->ret_min, h->ret_max));
	case RET_MAP_VALUE_OR_NULL:
		r = reg_pointer(REG_MAP_VALUE_OR_NULL);
		r.id = new_id(v);
		r.aux = c->map_index;
		r.inner = c->inner;
		r.not_null = c->key_in_range;
		if (r.not_null)
			r.deps = c->key_deps;
		return r;
	case RET_RINGBUF_MEM_OR_NULL:
		r = reg_pointer(REG_RINGBUF_MEM_OR_NULL);
		r.aux = c->mem_bytes;
		r.id = r.ref = c->acquired_ref;
		return r;
	case RET_DYNPTR_MEM_OR_NULL:
		return dynptr_mem(v, c);
	case RET_ITER_NEXT:
		return reg_const(0);
	}
	UNREACHABLE();
}

int acquire(struct verifier *v, struct ref ref)
{
	struct state *s = &v->cur;

	if (s->nr_refs == ARRAY_LEN(s->refs))
		return refuse(v, E2BIG, "more than %u references are held at once",
			(u32)ARRAY_LEN(s->refs));
	s->refs[s->nr_refs++] = ref;
	return 0;
}

static void drop_pointer(struct vreg *r, void *arg)
{
	const u32 *ref = arg;

	if (r->ref == *ref)
		*r = reg_unknown();
}

static void release(struct verifier *v, u32 ref)
{
	ref_drop(&v->cur, ref);
	dynptrs_release(v, ref);
	iters_release(v, ref);
	state_each_reg(&v->cur, drop_pointer, &ref);
}

static int take_lock(struct verifier *v, struct ref lock)
{
	if (held_lock(&v->cur))
		return refuse(v, EINVAL, "Locking two bpf_spin_locks are not allowed");
	return acquire(v, lock);
}

static int give_lock(struct verifier *v, struct ref lock)
{
	const struct ref *held = held_lock(&v->cur);

	if (!held)
		return refuse(v, EINVAL, "bpf_spin_unlock without taking a lock");
	if (held->id != lock.id || held->map != lock.map || held->inner != lock.inner)
		return refuse(v, EINVAL, "bpf_spin_unlock of different lock");
	held_lock_drop(&v->cur);
	return 0;
}

/* References that come and go with the call. */
static int change_refs(struct verifier *v, struct call *c)
{
	if (c->release_ref)
		release(v, c->release_ref);
	if (c->lock.lock)
		return c->helper->flags & HELPER_UNLOCKS ? give_lock(v, c->lock)
							 : take_lock(v, c->lock);
	if (c->helper->ret != RET_RINGBUF_MEM_OR_NULL && !c->iter_made &&
		c->helper->id != HELPER_ringbuf_reserve_dynptr)
		return 0;
	if (!c->iter_made)
		new_id(v); /* the kernel numbers pointers that may be null before the reference */
	c->acquired_ref = new_id(v);
	return acquire(v, (struct ref){.id = c->acquired_ref, .pc = v->pc});
}

int finish_call(struct verifier *v, struct call *c)
{
	int err = change_refs(v, c);

	if (err)
		return err;
	for (u32 r = BPF_REG_1; r <= BPF_REG_5; r++)
		*cur_reg(v, r) = reg_uninit();
	/* Behind a tail call is only who didn't make it. */
	dynptr_made(v, c);
	iter_made(v, c);
	if ((c->helper->flags & HELPER_CHANGES_PACKET && c->helper->id != HELPER_tail_call) ||
		dynptr_changes_packet(c))
		drop_packet_pointers(v);
	*cur_reg(v, BPF_REG_0) = call_result(v, c);
	return 0;
}
