// SPDX-License-Identifier: BSD-2-Clause
/* Routes by longest prefix, IPv4 and IPv6, filled from outside.
 *
 * build: g
 * set: routes4 u32:0+0a000000 u32:0
 * set: routes4 u32:8+0a000000 u32:1
 * set: routes4 u32:24+0a000100 u32:2
 * set: routes4 u32:32+0a000002 u32:3
 * set: routes6 u32:32+20010db8000000000000000000000000 u32:4
 * set: routes6 u32:128+20010db8000000000000000000000002 u32:3
 * run: route tcp4 udp4 icmp4 tcp6 udp6 arp
 */
#include "corpus.h"

struct key4 {
	__u32 bits;
	__be32 addr;
};

struct key6 {
	__u32 bits;
	__be32 addr[4];
};

struct {
	__uint(type, BPF_MAP_TYPE_LPM_TRIE);
	__uint(max_entries, 64);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, struct key4);
	__type(value, __u32);
} routes4 SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_LPM_TRIE);
	__uint(max_entries, 64);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, struct key6);
	__type(value, __u32);
} routes6 SEC(".maps");

MAP(hits, BPF_MAP_TYPE_ARRAY, __u32, __u64, 5);

SEC("xdp")
int route(struct xdp_md *ctx)
{
	void *at = (void *)(long)ctx->data, *end = (void *)(long)ctx->data_end;
	struct eth *e = TAKE(at, end, struct eth);
	__u32 *hop = 0, which;
	__u64 *hit;

	if (!e)
		return XDP_ABORTED;
	if (e->type == bpf_htons(ETHERTYPE_IP)) {
		struct ip4 *ip = TAKE(at, end, struct ip4);
		struct key4 key = {32};

		if (!ip)
			return XDP_ABORTED;
		key.addr = ip->dst;
		hop = bpf_map_lookup_elem(&routes4, &key);
	} else if (e->type == bpf_htons(ETHERTYPE_IPV6)) {
		struct ip6 *ip = TAKE(at, end, struct ip6);
		struct key6 key = {128};

		if (!ip)
			return XDP_ABORTED;
		__builtin_memcpy(key.addr, ip->dst, sizeof(key.addr));
		hop = bpf_map_lookup_elem(&routes6, &key);
	}
	if (!hop)
		return XDP_PASS;
	which = *hop;
	hit = bpf_map_lookup_elem(&hits, &which);
	if (hit)
		++*hit;
	return (int)(100 + which);
}

char _license[] SEC("license") = "GPL";
