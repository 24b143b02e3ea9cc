/* Type "netfilter": programs see the kernel's struct bpf_nf_ctx, two pointers, which the engine puts into the frame. The result
 * is NF_DROP or NF_ACCEPT. */
#include "progtype/types.h"
#include "weir/frame.h"

enum { NF_CTX_BYTES = 16, ATTACH_NETFILTER = 45 /* BPF_NETFILTER */ };

#define FIELD(name_, off_, n, kind_) \
	{ \
		.name = name_, .off = off_, .size = 8, \
		.native_off = offsetof(struct weir_frame, inside) + 8 * (n), .native_size = 8, \
		.kind = kind_, .flags = CTX_READ \
	}

static const struct ctx_field fields[] = {
	FIELD("state", 0, FRAME_INSIDE_STATE, CTX_NF_STATE),
	FIELD("skb", 8, FRAME_INSIDE_SKB, CTX_NF_SKB),
};

#undef FIELD

static const struct attach_rule attach_rules[] = {
	{.type = ATTACH_NETFILTER, .ret_min = 0, .ret_max = 1},
};

static bool netfilter_helper_allowed(u32 helper_id)
{
	return helper_id == KFUNC_dynptr_from_skb || helper_in_base_set(helper_id);
}

const struct prog_type_ops prog_type_netfilter = {
	.type = PROG_TYPE_NETFILTER,
	.name = "netfilter",
	.fields = fields,
	.nr_fields = ARRAY_LEN(fields),
	.ctx_bytes = NF_CTX_BYTES,
	.attach_rules = attach_rules,
	.nr_attach_rules = ARRAY_LEN(attach_rules),
	.helper_allowed = netfilter_helper_allowed,
	.runs_on_frames = true,
};
