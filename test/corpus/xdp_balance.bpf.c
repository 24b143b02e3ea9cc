// SPDX-License-Identifier: BSD-2-Clause
/* A load balancer: flows hashed over a ring of servers, the destination and its checksum rewritten.
 *
 * build: legacy
 * set: servers u32:0 c0a80a01+020000000001+0000
 * set: servers u32:1 c0a80a02+020000000002+0000
 * set: servers u32:2 c0a80a03+020000000003+0000
 * run: balance tcp4 udp4 udp4_dns tcp4_reply tcp4_options arp
 */
#include "corpus.h"

#define SERVERS 3

struct server {
	__be32 addr;
	__u8 mac[6];
	__u16 pad;
};

MAP(servers, BPF_MAP_TYPE_ARRAY, __u32, struct server, SERVERS);
MAP(load, BPF_MAP_TYPE_PERCPU_ARRAY, __u32, __u64, SERVERS);

static inline_always __u32 rotate(__u32 v, int by)
{
	return v << by | v >> (32 - by);
}

/* Three rounds of mixing, of no particular origin. */
static inline_always __u32 mix(__u32 a, __u32 b, __u32 c)
{
	a ^= 0x9e3779b9;
	b += rotate(a, 7) ^ c;
	c = rotate(c + b, 13) * 0x85ebca6b;
	a += rotate(c, 17) ^ b;
	b = (b ^ b >> 15) * 0xc2b2ae35;
	c ^= rotate(a, 5) + b;
	return c ^ c >> 16;
}

SEC("xdp")
int balance(struct xdp_md *ctx)
{
	void *at = (void *)(long)ctx->data, *end = (void *)(long)ctx->data_end;
	struct eth *e = TAKE(at, end, struct eth);
	struct server *s;
	struct ip4 *ip;
	struct udp *u;
	__u32 which, sum;
	__u64 *n;

	if (!e || e->type != bpf_htons(ETHERTYPE_IP))
		return XDP_PASS;
	ip = TAKE(at, end, struct ip4);
	if (!ip || ip->version_ihl != 0x45)
		return XDP_DROP;
	u = TAKE(at, end, struct udp);
	if (!u)
		return XDP_DROP;
	which = mix(ip->src, ip->dst, (__u32)u->sport << 16 | u->dport) % SERVERS;
	s = bpf_map_lookup_elem(&servers, &which);
	n = bpf_map_lookup_elem(&load, &which);
	if (!s || !n)
		return XDP_ABORTED;
	*n += bpf_ntohs(ip->len);
	sum = (__u16)~ip->check;
	sum += (__u16) ~(ip->dst & 0xffff) + (__u16) ~(ip->dst >> 16);
	sum += (s->addr & 0xffff) + (s->addr >> 16);
	ip->check = (__u16)~fold(sum);
	ip->dst = s->addr;
	__builtin_memcpy(e->dst, s->mac, 6);
	return XDP_TX;
}

char _license[] SEC("license") = "GPL";
