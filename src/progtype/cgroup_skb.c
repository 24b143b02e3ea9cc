/* Type "cgroup_skb": the packet starts at the IP header and can't be written. The result says whether it may pass and, going
 * out, whether its sender should slow down. */
#include "progtype/skb.h"

#define SKB_COLUMN(filter, tc, cgroup) cgroup
static const struct ctx_field fields[] = {
#include "progtype/skb_fields.def"
};

static const u16 cgroup_skb_set[] = {
	79,  /* skb_cgroup_id */
	81,  /* get_local_storage */
	83,  /* skb_ancestor_cgroup_id */
	84,  /* sk_lookup_tcp */
	85,  /* sk_lookup_udp */
	86,  /* sk_release */
	95,  /* sk_fullsock */
	96,  /* tcp_sock */
	97,  /* skb_ecn_set_ce */
	98,  /* get_listener_sock */
	99,  /* skc_lookup_tcp */
	107, /* sk_storage_get */
	108, /* sk_storage_delete */
	128, /* sk_cgroup_id */
	129, /* sk_ancestor_cgroup_id */
};

static bool cgroup_skb_helper_allowed(u32 helper_id)
{
	return helper_in(cgroup_skb_set, ARRAY_LEN(cgroup_skb_set), helper_id) ||
	       helper_in_socket_filter_set(helper_id);
}

static const struct attach_rule attach_rules[] = {
	{.type = 0, .ret_min = 0, .ret_max = 1}, /* BPF_CGROUP_INET_INGRESS */
	{.type = 1, .ret_min = 0, .ret_max = 3}, /* BPF_CGROUP_INET_EGRESS */
};

const struct prog_type_ops prog_type_cgroup_skb = {
	.type = PROG_TYPE_CGROUP_SKB,
	.name = "cgroup_skb",
	.fields = fields,
	.nr_fields = ARRAY_LEN(fields),
	.ctx_bytes = SKB_BYTES,
	.attach_rules = attach_rules,
	.nr_attach_rules = ARRAY_LEN(attach_rules),
	.helper_allowed = cgroup_skb_helper_allowed,
	.runs_on_frames = true,
};
