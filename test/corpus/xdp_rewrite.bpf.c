// SPDX-License-Identifier: BSD-2-Clause
/* Addresses and TTL rewritten in place: the checksums once by hand, once by csum_diff.
 *
 * build: legacy
 * run: forward tcp4 udp4 tcp6 arp ttl1
 * run: nat tcp4 udp4 icmp4
 */
#include "corpus.h"

MAP(dropped, BPF_MAP_TYPE_ARRAY, __u32, __u32, 2);

static inline_always void swap_macs(struct eth *e)
{
	__u8 mac[6];

	__builtin_memcpy(mac, e->dst, 6);
	__builtin_memcpy(e->dst, e->src, 6);
	__builtin_memcpy(e->src, mac, 6);
}

static inline_always int drop(__u32 why)
{
	__u32 *n = bpf_map_lookup_elem(&dropped, &why);

	if (n)
		*n += 1;
	return XDP_DROP;
}

SEC("xdp")
int forward(struct xdp_md *ctx)
{
	void *at = (void *)(long)ctx->data, *end = (void *)(long)ctx->data_end;
	struct eth *e = TAKE(at, end, struct eth);

	if (!e)
		return XDP_ABORTED;
	if (e->type == bpf_htons(ETHERTYPE_IP)) {
		struct ip4 *ip = TAKE(at, end, struct ip4);
		__u32 check;

		if (!ip)
			return XDP_ABORTED;
		if (ip->ttl <= 1)
			return drop(0);
		check = ip->check + bpf_htons(0x0100);
		ip->check = (__u16)(check + (check >= 0xffff));
		ip->ttl--;
	} else if (e->type == bpf_htons(ETHERTYPE_IPV6)) {
		struct ip6 *ip = TAKE(at, end, struct ip6);

		if (!ip)
			return XDP_ABORTED;
		if (ip->hops <= 1)
			return drop(1);
		ip->hops--;
	} else {
		return XDP_PASS;
	}
	swap_macs(e);
	return XDP_TX;
}

SEC("xdp")
int nat(struct xdp_md *ctx)
{
	void *at = (void *)(long)ctx->data, *end = (void *)(long)ctx->data_end;
	struct eth *e = TAKE(at, end, struct eth);
	struct ip4 *ip;
	__be32 old, new = bpf_htonl(0xac100a01);
	__s64 diff;

	if (!e || e->type != bpf_htons(ETHERTYPE_IP))
		return XDP_PASS;
	ip = TAKE(at, end, struct ip4);
	if (!ip)
		return XDP_ABORTED;
	old = ip->dst;
	ip->dst = new;
	diff = bpf_csum_diff(&old, 4, &new, 4, ~(__u32)ip->check & 0xffff);
	if (diff < 0)
		return XDP_ABORTED;
	ip->check = (__u16)~fold((__u32)diff);
	if (ip->proto == PROTO_TCP) {
		struct tcp *t = TAKE(at, end, struct tcp);

		if (!t)
			return XDP_ABORTED;
		diff = bpf_csum_diff(&old, 4, &new, 4, ~(__u32)t->check & 0xffff);
		t->check = (__u16)~fold((__u32)diff);
	} else if (ip->proto == PROTO_UDP) {
		struct udp *u = TAKE(at, end, struct udp);

		if (!u)
			return XDP_ABORTED;
		diff = bpf_csum_diff(&old, 4, &new, 4, ~(__u32)u->check & 0xffff);
		u->check = (__u16)~fold((__u32)diff);
	}
	return XDP_TX;
}

char _license[] SEC("license") = "GPL";
