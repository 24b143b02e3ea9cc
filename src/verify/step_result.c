/* What a helper call leaves behind: its result, and pointers that are invalid from then on. */
#include "verify/call.h"

static void drop_packet_pointer(struct vreg *r, void *arg)
{
	(void)arg;
	if (reg_is_packet(r) || r->type == REG_PACKET_END)
		*r = reg_uninit();
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
		r.not_null = c->key_in_range;
		if (r.not_null)
			r.deps = c->key_deps;
		return r;
	case RET_RINGBUF_MEM_OR_NULL:
	case RET_DYNPTR_MEM_OR_NULL:
		break;
	}
	UNREACHABLE();
}

int finish_call(struct verifier *v, const struct call *c)
{
	for (u32 r = BPF_REG_1; r <= BPF_REG_5; r++)
		*cur_reg(v, r) = reg_uninit();
	if (c->helper->flags & HELPER_CHANGES_PACKET)
		state_each_reg(&v->cur, drop_packet_pointer, NULL);
	*cur_reg(v, BPF_REG_0) = call_result(v, c);
	return 0;
}
