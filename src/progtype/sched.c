/* Types "sched_cls" and "sched_act": packets as traffic control sees them, from the link layer header on. The result is one
 * of TC_ACT_... */
#include "progtype/skb.h"

#define SKB_COLUMN(filter, tc, cgroup) tc
static const struct ctx_field fields[] = {
#include "progtype/skb_fields.def"
};

static const u16 sched_set[] = {
	9,   /* skb_store_bytes */
	10,  /* l3_csum_replace */
	11,  /* l4_csum_replace */
	13,  /* clone_redirect */
	18,  /* skb_vlan_push */
	19,  /* skb_vlan_pop */
	20,  /* skb_get_tunnel_key */
	21,  /* skb_set_tunnel_key */
	23,  /* redirect */
	24,  /* get_route_realm */
	25,  /* perf_event_output */
	26,  /* skb_load_bytes */
	28,  /* csum_diff */
	29,  /* skb_get_tunnel_opt */
	30,  /* skb_set_tunnel_opt */
	31,  /* skb_change_proto */
	32,  /* skb_change_type */
	33,  /* skb_under_cgroup */
	34,  /* get_hash_recalc */
	38,  /* skb_change_tail */
	39,  /* skb_pull_data */
	40,  /* csum_update */
	41,  /* set_hash_invalid */
	43,  /* skb_change_head */
	46,  /* get_socket_cookie */
	47,  /* get_socket_uid */
	48,  /* set_hash */
	50,  /* skb_adjust_room */
	66,  /* skb_get_xfrm_state */
	68,  /* skb_load_bytes_relative */
	69,  /* fib_lookup */
	79,  /* skb_cgroup_id */
	83,  /* skb_ancestor_cgroup_id */
	84,  /* sk_lookup_tcp */
	85,  /* sk_lookup_udp */
	86,  /* sk_release */
	95,  /* sk_fullsock */
	96,  /* tcp_sock */
	97,  /* skb_ecn_set_ce */
	98,  /* get_listener_sock */
	99,  /* skc_lookup_tcp */
	100, /* tcp_check_syncookie */
	107, /* sk_storage_get */
	108, /* sk_storage_delete */
	110, /* tcp_gen_syncookie */
	122, /* get_netns_cookie */
	124, /* sk_assign */
	135, /* csum_level */
	151, /* skb_cgroup_classid */
	152, /* redirect_neigh */
	155, /* redirect_peer */
	163, /* check_mtu */
	192, /* skb_set_tstamp */
	204, /* tcp_raw_gen_syncookie_ipv4 */
	205, /* tcp_raw_gen_syncookie_ipv6 */
	206, /* tcp_raw_check_syncookie_ipv4 */
	207, /* tcp_raw_check_syncookie_ipv6 */
};

static bool sched_helper_allowed(u32 helper_id)
{
	return helper_id == KFUNC_dynptr_from_skb ||
	       helper_in(sched_set, ARRAY_LEN(sched_set), helper_id) ||
	       helper_in_socket_set(helper_id);
}

#define SCHED(type_, name_) \
	{ \
		.type = type_, .name = name_, .fields = fields, .nr_fields = ARRAY_LEN(fields), \
		.ctx_bytes = SKB_BYTES, .ret_min = 1, .ret_max = 0, \
		.helper_allowed = sched_helper_allowed, .packet_writable = true, \
		.runs_on_frames = true, \
	}

const struct prog_type_ops prog_type_sched_cls = SCHED(PROG_TYPE_SCHED_CLS, "sched_cls");
const struct prog_type_ops prog_type_sched_act = SCHED(PROG_TYPE_SCHED_ACT, "sched_act");
