/* Type "socket_filter": the packet starts at the IP header and is read through helpers and legacy loads only. The result is
 * how many bytes of it are kept. */
#include "progtype/skb.h"

#define SKB_COLUMN(filter, tc, cgroup) filter
static const struct ctx_field fields[] = {
#include "progtype/skb_fields.def"
};

static const u16 socket_filter_set[] = {
	25,  /* perf_event_output */
	26,  /* skb_load_bytes */
	46,  /* get_socket_cookie */
	47,  /* get_socket_uid */
	68,  /* skb_load_bytes_relative */
	122, /* get_netns_cookie */
};

bool helper_in_socket_filter_set(u32 helper_id)
{
	return helper_id == KFUNC_dynptr_from_skb ||
	       helper_in(socket_filter_set, ARRAY_LEN(socket_filter_set), helper_id) ||
	       helper_in_socket_set(helper_id);
}

const struct prog_type_ops prog_type_socket_filter = {
	.type = PROG_TYPE_SOCKET_FILTER,
	.name = "socket_filter",
	.fields = fields,
	.nr_fields = ARRAY_LEN(fields),
	.ctx_bytes = SKB_BYTES,
	.ret_min = 1,
	.ret_max = 0,
	.helper_allowed = helper_in_socket_filter_set,
	.runs_on_frames = true,
};
