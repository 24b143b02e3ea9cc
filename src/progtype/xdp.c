/* Type "xdp": programs see the kernel's struct xdp_md, whose packet pointers are 32 bits wide on
 * paper only; the runner passes struct xdp_ctx. As in the kernel every field is read as a whole,
 * none is written, and egress_ifindex belongs to another attach type. */
#include "progtype/types.h"

enum { /* offsets in struct xdp_md, linux/bpf.h */
	XDP_MD_DATA = 0,
	XDP_MD_DATA_END = 4,
	XDP_MD_DATA_META = 8,
	XDP_MD_INGRESS_IFINDEX = 12,
	XDP_MD_RX_QUEUE_INDEX = 16,
	XDP_MD_BYTES = 24,
};

#define FIELD(field, off_, kind_) \
	{ \
		.name = #field, .off = off_, .size = 4, \
		.native_off = offsetof(struct xdp_ctx, field), \
		.native_size = sizeof(((struct xdp_ctx *)NULL)->field), .kind = kind_, \
		.flags = CTX_READ \
	}

static const struct ctx_field fields[] = {
	FIELD(data, XDP_MD_DATA, CTX_PACKET),
	FIELD(data_end, XDP_MD_DATA_END, CTX_PACKET_END),
	FIELD(data_meta, XDP_MD_DATA_META, CTX_PACKET_META),
	FIELD(ingress_ifindex, XDP_MD_INGRESS_IFINDEX, CTX_SCALAR),
	FIELD(rx_queue_index, XDP_MD_RX_QUEUE_INDEX, CTX_SCALAR),
};

#undef FIELD

static const u16 xdp_set[] = {
	23,  /* redirect */
	25,  /* perf_event_output */
	28,  /* csum_diff */
	44,  /* xdp_adjust_head */
	51,  /* redirect_map */
	54,  /* xdp_adjust_meta */
	65,  /* xdp_adjust_tail */
	69,  /* fib_lookup */
	163, /* check_mtu */
	188, /* xdp_get_buff_len */
	189, /* xdp_load_bytes */
	190, /* xdp_store_bytes */
};

static bool xdp_helper_allowed(u32 helper_id)
{
	for (size_t i = 0; i < ARRAY_LEN(xdp_set); i++)
		if (xdp_set[i] == helper_id)
			return true;
	return helper_in_base_set(helper_id);
}

const struct prog_type_ops prog_type_xdp = {
	.type = PROG_TYPE_XDP,
	.name = "xdp",
	.fields = fields,
	.nr_fields = ARRAY_LEN(fields),
	.ctx_bytes = XDP_MD_BYTES,
	.ret_min = 1,
	.ret_max = 0,
	.helper_allowed = xdp_helper_allowed,
	.packet_writable = true,
};
