// SPDX-License-Identifier: BSD-2-Clause
/* Ethernet with up to two VLAN tags, IPv4 with options, IPv6, TCP and UDP; the verdict says what was found.
 *
 * run: parse tcp4 tcp4_options udp4 icmp4 arp vlan_tcp4 qinq_udp4 tcp6 udp6 icmp6 eth_only short_ip frag4 big_udp4
 * run: ports tcp4 udp4 udp4_dns tcp6 arp
 */
#include "corpus.h"

static inline_always int skip_vlans(void **at, void *end, __u16 *type)
{
#pragma unroll
	for (int i = 0; i < 2; i++) {
		struct vlan *v;

		if (*type != bpf_htons(ETHERTYPE_VLAN) && *type != bpf_htons(ETHERTYPE_QINQ))
			return 0;
		v = TAKE(*at, end, struct vlan);
		if (!v)
			return -1;
		*type = v->type;
	}
	return 0;
}

static inline_always int upper(void **at, void *end, __u8 *proto)
{
	struct eth *e = TAKE(*at, end, struct eth);
	__u16 type;

	if (!e)
		return -1;
	type = e->type;
	if (skip_vlans(at, end, &type))
		return -1;
	if (type == bpf_htons(ETHERTYPE_IP)) {
		struct ip4 *ip = TAKE(*at, end, struct ip4);

		if (!ip || (ip->version_ihl & 15) < 5)
			return -1;
		*proto = ip->proto;
		*at += (ip->version_ihl & 15) * 4 - sizeof(*ip);
		return 4;
	}
	if (type == bpf_htons(ETHERTYPE_IPV6)) {
		struct ip6 *ip = TAKE(*at, end, struct ip6);

		if (!ip)
			return -1;
		*proto = ip->next;
		return 6;
	}
	return 0;
}

SEC("xdp")
int parse(struct xdp_md *ctx)
{
	void *at = (void *)(long)ctx->data, *end = (void *)(long)ctx->data_end;
	__u8 proto = 0;
	int family = upper(&at, end, &proto);

	if (family < 0)
		return XDP_ABORTED;
	if (!family)
		return XDP_PASS;
	switch (proto) {
	case PROTO_TCP:
		return TAKE(at, end, struct tcp) ? XDP_TX : XDP_DROP;
	case PROTO_UDP:
		return TAKE(at, end, struct udp) ? XDP_PASS : XDP_DROP;
	case PROTO_ICMP:
	case PROTO_ICMP6:
		return XDP_REDIRECT;
	default:
		return XDP_DROP;
	}
}

SEC("xdp")
int ports(struct xdp_md *ctx)
{
	void *at = (void *)(long)ctx->data, *end = (void *)(long)ctx->data_end;
	struct udp *u;
	__u8 proto = 0;

	if (upper(&at, end, &proto) <= 0)
		return 0;
	u = TAKE(at, end, struct udp);
	if (!u)
		return -1;
	return (int)((__u32)bpf_ntohs(u->sport) << 16 | bpf_ntohs(u->dport));
}

char _license[] SEC("license") = "Dual BSD/GPL";
