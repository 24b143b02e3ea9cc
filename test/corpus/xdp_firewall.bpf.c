// SPDX-License-Identifier: BSD-2-Clause
/* A stateless block list by address and port, and connections seen, with structs as keys.
 *
 * build: legacy
 * set: blocked 0a000001+0035+11+00 u8:1
 * run: firewall tcp4 udp4 udp4_dns tcp4 tcp4_reply udp4_dns arp frag4 icmp4
 */
#include "corpus.h"

struct rule {
	__be32 addr;
	__be16 port;
	__u8 proto, pad;
};

struct flow {
	__be32 addrs[2];
	__be16 ports[2];
	__u32 proto;
};

struct seen {
	__u64 packets;
	__u32 flags, last_len;
};

MAP(blocked, BPF_MAP_TYPE_HASH, struct rule, __u8, 16);
MAP(flows, BPF_MAP_TYPE_HASH, struct flow, struct seen, 64);
MAP(verdicts, BPF_MAP_TYPE_PERCPU_ARRAY, __u32, __u64, 5);

static inline_always int verdict(__u32 v)
{
	__u64 *n = bpf_map_lookup_elem(&verdicts, &v);

	if (n)
		*n += 1;
	return (int)v;
}

/* The same key for both directions. */
static inline_always void set_flow(struct flow *f, struct ip4 *ip, __be16 sport, __be16 dport)
{
	int swap = bpf_ntohl(ip->src) > bpf_ntohl(ip->dst);

	f->addrs[0] = swap ? ip->dst : ip->src;
	f->addrs[1] = swap ? ip->src : ip->dst;
	f->ports[0] = swap ? dport : sport;
	f->ports[1] = swap ? sport : dport;
	f->proto = ip->proto;
}

SEC("xdp")
int firewall(struct xdp_md *ctx)
{
	void *at = (void *)(long)ctx->data, *end = (void *)(long)ctx->data_end;
	struct eth *e = TAKE(at, end, struct eth);
	struct seen first = {}, *s;
	struct rule r = {};
	struct flow f = {};
	struct ip4 *ip;
	struct udp *ports;

	if (!e || e->type != bpf_htons(ETHERTYPE_IP))
		return verdict(XDP_PASS);
	ip = TAKE(at, end, struct ip4);
	if (!ip)
		return verdict(XDP_ABORTED);
	if (ip->frag & bpf_htons(0x1fff))
		return verdict(XDP_DROP);
	if (ip->proto != PROTO_TCP && ip->proto != PROTO_UDP)
		return verdict(XDP_PASS);
	ports = TAKE(at, end, struct udp);
	if (!ports)
		return verdict(XDP_ABORTED);
	r.addr = ip->src;
	r.port = ports->dport;
	r.proto = ip->proto;
	if (bpf_map_lookup_elem(&blocked, &r))
		return verdict(XDP_DROP);
	set_flow(&f, ip, ports->sport, ports->dport);
	s = bpf_map_lookup_elem(&flows, &f);
	if (!s) {
		first.packets = 1;
		first.last_len = bpf_ntohs(ip->len);
		if (bpf_map_update_elem(&flows, &f, &first, BPF_NOEXIST))
			return verdict(XDP_ABORTED);
		return verdict(XDP_TX);
	}
	s->packets++;
	s->last_len = bpf_ntohs(ip->len);
	s->flags |= 1u << (s->packets & 31);
	return verdict(XDP_PASS);
}

char _license[] SEC("license") = "GPL";
