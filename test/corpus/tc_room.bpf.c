// SPDX-License-Identifier: BSD-2-Clause
/* skb_adjust_room: UDP tunnels put in at the network layer, MAC-in-something, and taken out; what it refuses.
 *
 * run: udp_tunnel tcp4 udp4 arp
 * run: mac_mode tcp4 tcp6
 * run: shrink ipip tcp4
 * run: refusals tcp4 arp
 */
#include "corpus.h"

static inline_always __u16 ip_check(const struct ip4 *ip)
{
	const __u16 *w = (const void *)ip;
	__u32 sum = 0;

#pragma unroll
	for (int i = 0; i < 10; i++)
		sum += w[i];
	return (__u16)~fold(sum);
}

SEC("tc")
int udp_tunnel(struct __sk_buff *skb)
{
	struct {
		struct ip4 ip;
		struct udp udp;
	} h = {};
	__u32 len = skb->len - sizeof(struct eth);

	if (skb->protocol != bpf_htons(ETHERTYPE_IP))
		return 0;
	if (bpf_skb_adjust_room(skb, sizeof(h), BPF_ADJ_ROOM_MAC,
		    BPF_F_ADJ_ROOM_FIXED_GSO | BPF_F_ADJ_ROOM_ENCAP_L3_IPV4 |
			    BPF_F_ADJ_ROOM_ENCAP_L4_UDP))
		return 2;
	h.ip.version_ihl = 0x45;
	h.ip.len = bpf_htons(len + sizeof(h));
	h.ip.ttl = 33;
	h.ip.proto = PROTO_UDP;
	h.ip.src = bpf_htonl(0x0a090807);
	h.ip.dst = bpf_htonl(0x0a090806);
	h.ip.check = ip_check(&h.ip);
	h.udp.sport = bpf_htons(5000);
	h.udp.dport = bpf_htons(6635);
	h.udp.len = bpf_htons(len + sizeof(h.udp));
	if (bpf_skb_store_bytes(skb, sizeof(struct eth), &h, sizeof(h), BPF_F_INVALIDATE_HASH))
		return 3;
	skb->cb[0] = skb->len;
	return 1;
}

SEC("tc")
int mac_mode(struct __sk_buff *skb)
{
	long net = bpf_skb_adjust_room(skb, 8, BPF_ADJ_ROOM_NET, 0);
	long mac = bpf_skb_adjust_room(skb, 12, BPF_ADJ_ROOM_MAC, 0);

	skb->cb[0] = skb->len;
	skb->cb[1] = skb->data_end - skb->data;
	return (int)(-net | -mac << 8);
}

SEC("tc")
int shrink(struct __sk_buff *skb)
{
	__u8 proto = 0;
	long r;

	if (bpf_skb_load_bytes(skb, sizeof(struct eth) + 9, &proto, 1) || proto != PROTO_IPIP)
		return 9;
	r = bpf_skb_adjust_room(skb, -(int)sizeof(struct ip4), BPF_ADJ_ROOM_MAC, 0);
	skb->cb[0] = skb->len;
	return (int)-r;
}

SEC("tc")
int refusals(struct __sk_buff *skb)
{
	__u32 no = 0;

	no |= (bpf_skb_adjust_room(skb, 0, BPF_ADJ_ROOM_MAC, 0) == 0) << 0;
	no |= (bpf_skb_adjust_room(skb, 8, 7, 0) != 0) << 1;
	no |= (bpf_skb_adjust_room(skb, 8, BPF_ADJ_ROOM_MAC, 1ull << 50) == -22) << 2;
	no |= (bpf_skb_adjust_room(skb, 100000, BPF_ADJ_ROOM_MAC, 0) != 0) << 3;
	no |= (bpf_skb_adjust_room(skb, -2000, BPF_ADJ_ROOM_MAC, 0) != 0) << 4;
	no |= (bpf_skb_adjust_room(skb, -1000, BPF_ADJ_ROOM_NET, 0) != 0) << 5;
	skb->cb[0] = skb->len;
	return (int)no;
}

char _license[] SEC("license") = "GPL";
