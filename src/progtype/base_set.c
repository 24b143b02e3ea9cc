/* The helpers that belong to no program type. Whether weir has one is helper/'s business: a number
 * here only says that the type is no reason to refuse it. */
#include "progtype/types.h"

static const u16 base_set[] = {
	1,   /* map_lookup_elem */
	2,   /* map_update_elem */
	3,   /* map_delete_elem */
	5,   /* ktime_get_ns */
	6,   /* trace_printk */
	7,   /* get_prandom_u32 */
	8,   /* get_smp_processor_id */
	12,  /* tail_call */
	42,  /* get_numa_node_id */
	87,  /* map_push_elem */
	88,  /* map_pop_elem */
	89,  /* map_peek_elem */
	93,  /* spin_lock */
	94,  /* spin_unlock */
	105, /* strtol */
	106, /* strtoul */
	118, /* jiffies64 */
	125, /* ktime_get_boot_ns */
	130, /* ringbuf_output */
	131, /* ringbuf_reserve */
	132, /* ringbuf_submit */
	133, /* ringbuf_discard */
	134, /* ringbuf_query */
	153, /* per_cpu_ptr */
	154, /* this_cpu_ptr */
	164, /* for_each_map_elem */
	165, /* snprintf */
	181, /* loop */
	182, /* strncmp */
	195, /* map_lookup_percpu_elem */
	208, /* ktime_get_tai_ns */
};

static const u16 socket_set[] = {
	122, /* get_netns_cookie */
	136, /* skc_to_tcp6_sock */
	137, /* skc_to_tcp_sock */
	138, /* skc_to_tcp_timewait_sock */
	139, /* skc_to_tcp_request_sock */
	140, /* skc_to_udp6_sock */
	160, /* ktime_get_coarse_ns */
	178, /* skc_to_unix_sock */
	196, /* skc_to_mptcp_sock */
};

bool helper_in_base_set(u32 helper_id)
{
	return helper_in(base_set, ARRAY_LEN(base_set), helper_id);
}

bool helper_in_socket_set(u32 helper_id)
{
	return helper_in(socket_set, ARRAY_LEN(socket_set), helper_id) ||
	       helper_in_base_set(helper_id);
}
