/* Type "xdp": programs see the kernel's struct xdp_md, whose packet pointers are 32 bits wide on
 * paper only. As in the kernel every field is read as a whole, none is written, and egress_ifindex belongs to programs for
 * entries of a devmap. */
#include "progtype/types.h"
#include "weir/frame.h"

enum { /* offsets in struct xdp_md, linux/bpf.h */
	XDP_MD_DATA = 0,
	XDP_MD_DATA_END = 4,
	XDP_MD_DATA_META = 8,
	XDP_MD_INGRESS_IFINDEX = 12,
	XDP_MD_RX_QUEUE_INDEX = 16,
	XDP_MD_EGRESS_IFINDEX = 20,
	XDP_MD_BYTES = 24,
};

enum { ATTACH_XDP_DEVMAP = 33 }; /* BPF_XDP_DEVMAP */

#define FIELD(name_, field, off_, kind_, attach_) \
	{ \
		.name = name_, .off = off_, .size = 4, \
		.native_off = offsetof(struct weir_frame, field), \
		.native_size = sizeof(((struct weir_frame *)NULL)->field), .kind = kind_, \
		.flags = CTX_READ, .attach = attach_ \
	}

static const struct ctx_field fields[] = {
	FIELD("data", data, XDP_MD_DATA, CTX_PACKET, 0),
	FIELD("data_end", data_end, XDP_MD_DATA_END, CTX_PACKET_END, 0),
	FIELD("data_meta", meta, XDP_MD_DATA_META, CTX_PACKET_META, 0),
	FIELD("ingress_ifindex", ingress_ifindex, XDP_MD_INGRESS_IFINDEX, CTX_SCALAR, 0),
	FIELD("rx_queue_index", rx_queue_index, XDP_MD_RX_QUEUE_INDEX, CTX_SCALAR, 0),
	FIELD("egress_ifindex", egress_ifindex, XDP_MD_EGRESS_IFINDEX, CTX_SCALAR,
		ATTACH_XDP_DEVMAP),
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
	84,  /* sk_lookup_tcp */
	85,  /* sk_lookup_udp */
	86,  /* sk_release */
	99,  /* skc_lookup_tcp */
	100, /* tcp_check_syncookie */
	110, /* tcp_gen_syncookie */
	163, /* check_mtu */
	188, /* xdp_get_buff_len */
	189, /* xdp_load_bytes */
	190, /* xdp_store_bytes */
	204, /* tcp_raw_gen_syncookie_ipv4 */
	205, /* tcp_raw_gen_syncookie_ipv6 */
	206, /* tcp_raw_check_syncookie_ipv4 */
	207, /* tcp_raw_check_syncookie_ipv6 */
};

static bool xdp_helper_allowed(u32 helper_id)
{
	return helper_id == KFUNC_dynptr_from_xdp ||
	       helper_in(xdp_set, ARRAY_LEN(xdp_set), helper_id) || helper_in_socket_set(helper_id);
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
	.runs_on_frames = true,
};
