// SPDX-License-Identifier: BSD-2-Clause
/* skb_change_head, skb_change_tail, skb_change_proto, skb_change_type.
 *
 * run: head tcp4
 * run: tail tcp4 udp4 big_udp4
 * run: to_ipv6 tcp4 arp
 * run: to_ipv4 tcp6 tcp4
 * run: type tcp4
 */
#include "corpus.h"

SEC("tc")
int head(struct __sk_buff *skb)
{
	long a = bpf_skb_change_head(skb, 14, 0);
	long b = bpf_skb_change_head(skb, 8, 1);
	struct eth e = {{2, 0, 0, 0, 0, 9}, {2, 0, 0, 0, 0, 8}, bpf_htons(0x88b5)};

	if (!a)
		bpf_skb_store_bytes(skb, 0, &e, sizeof(e), 0);
	skb->cb[0] = skb->len;
	return (int)(-a | -b << 8);
}

SEC("tc")
int tail(struct __sk_buff *skb)
{
	long a = bpf_skb_change_tail(skb, 60, 0);
	long b = bpf_skb_change_tail(skb, skb->len + 20, 0);
	long c = bpf_skb_change_tail(skb, 3, 0);
	long d = bpf_skb_change_tail(skb, 64, 1);

	skb->cb[0] = skb->len;
	return (int)(-a | -b << 8 | -c << 16 | -d << 24);
}

SEC("tc")
int to_ipv6(struct __sk_buff *skb)
{
	struct ip6 h = {bpf_htonl(0x60000000), 0, PROTO_TCP, 64, {1, 2, 3, 4}, {5, 6, 7, 8}};
	__be16 type = bpf_htons(ETHERTYPE_IPV6);
	long r = bpf_skb_change_proto(skb, bpf_htons(ETHERTYPE_IPV6), 0);

	skb->cb[0] = skb->len;
	skb->cb[1] = skb->protocol;
	if (r)
		return (int)-r;
	bpf_skb_store_bytes(skb, 12, &type, 2, 0);
	bpf_skb_store_bytes(skb, 14, &h, sizeof(h), 0);
	return 0;
}

SEC("tc")
int to_ipv4(struct __sk_buff *skb)
{
	long r = bpf_skb_change_proto(skb, bpf_htons(ETHERTYPE_IP), 0);
	__be16 type = bpf_htons(ETHERTYPE_IP);

	skb->cb[0] = skb->len;
	skb->cb[1] = skb->protocol;
	if (!r)
		bpf_skb_store_bytes(skb, 12, &type, 2, 0);
	return (int)-r;
}

SEC("tc")
int type(struct __sk_buff *skb)
{
	long a, b;

	skb->cb[0] = skb->pkt_type;
	a = bpf_skb_change_type(skb, 0);
	skb->cb[1] = skb->pkt_type;
	b = bpf_skb_change_type(skb, 9);
	skb->cb[2] = skb->pkt_type;
	return (int)(-a | -b << 8);
}

char _license[] SEC("license") = "GPL";
