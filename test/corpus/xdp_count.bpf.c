// SPDX-License-Identifier: BSD-2-Clause
/* Packets and bytes per protocol, in arrays, shared and per CPU.
 *
 * build: legacy
 * run: count tcp4 udp4 udp4_dns tcp6 arp icmp4 tcp4 vlan_tcp4 eth_only big_udp4
 */
#include "corpus.h"

struct counter {
	__u64 packets, bytes;
};

MAP(per_proto, BPF_MAP_TYPE_PERCPU_ARRAY, __u32, struct counter, 256);
MAP(per_size, BPF_MAP_TYPE_ARRAY, __u32, __u64, 8);
MAP(per_ethertype, BPF_MAP_TYPE_PERCPU_HASH, __u16, struct counter, 16);

static inline_always void add(struct counter *c, __u64 bytes)
{
	c->packets++;
	c->bytes += bytes;
}

static inline_always void count_type(__u16 type, __u64 bytes)
{
	struct counter *c = bpf_map_lookup_elem(&per_ethertype, &type), first = {1, bytes};

	if (c)
		add(c, bytes);
	else
		bpf_map_update_elem(&per_ethertype, &type, &first, BPF_NOEXIST);
}

SEC("xdp")
int count(struct xdp_md *ctx)
{
	void *at = (void *)(long)ctx->data, *end = (void *)(long)ctx->data_end;
	__u64 bytes = end - at, *slot;
	struct eth *e = TAKE(at, end, struct eth);
	__u32 proto = 255, size;
	struct counter *c;

	if (!e)
		return XDP_ABORTED;
	size = bytes < 64 ? 0 : bytes < 128 ? 1 : bytes < 512 ? 2 : 3;
	count_type(e->type, bytes);
	if (e->type == bpf_htons(ETHERTYPE_IP)) {
		struct ip4 *ip = TAKE(at, end, struct ip4);

		if (ip)
			proto = ip->proto;
	} else if (e->type == bpf_htons(ETHERTYPE_IPV6)) {
		struct ip6 *ip = TAKE(at, end, struct ip6);

		if (ip)
			proto = ip->next;
	}
	c = bpf_map_lookup_elem(&per_proto, &proto);
	if (!c)
		return XDP_ABORTED;
	add(c, bytes);
	slot = bpf_map_lookup_elem(&per_size, &size);
	if (slot)
		__sync_fetch_and_add(slot, 1);
	return XDP_PASS;
}

char _license[] SEC("license") = "GPL";
