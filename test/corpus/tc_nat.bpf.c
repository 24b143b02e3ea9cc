// SPDX-License-Identifier: BSD-2-Clause
/* Source NAT with skb_store_bytes, l3_csum_replace and l4_csum_replace, and the same by direct access.
 *
 * run: by_helpers tcp4 udp4 udp4_dns icmp4 arp tcp4_options
 * run: direct tcp4 udp4 tcp6
 * run: csum_flags udp4 tcp4
 */
#include "corpus.h"

#define TC_ACT_OK 0
#define TC_ACT_SHOT 2
#define L4_OFF(ihl) (sizeof(struct eth) + (ihl)*4)

SEC("tc")
int by_helpers(struct __sk_buff *skb)
{
	__be32 old, new = bpf_htonl(0xc6336401);
	__u32 check_at, flags = BPF_F_PSEUDO_HDR | 4;
	struct ip4 ip;

	if (skb->protocol != bpf_htons(ETHERTYPE_IP))
		return TC_ACT_OK;
	if (bpf_skb_load_bytes(skb, sizeof(struct eth), &ip, sizeof(ip)))
		return TC_ACT_SHOT;
	old = ip.src;
	if (ip.proto == PROTO_TCP) {
		check_at = L4_OFF(ip.version_ihl & 15) + 16;
	} else if (ip.proto == PROTO_UDP) {
		check_at = L4_OFF(ip.version_ihl & 15) + 6;
		flags |= BPF_F_MARK_MANGLED_0;
	} else {
		return TC_ACT_OK;
	}
	if (bpf_l4_csum_replace(skb, check_at, old, new, flags))
		return TC_ACT_SHOT;
	if (bpf_l3_csum_replace(skb, sizeof(struct eth) + 10, old, new, 4))
		return TC_ACT_SHOT;
	if (bpf_skb_store_bytes(skb, sizeof(struct eth) + 12, &new, 4, 0))
		return TC_ACT_SHOT;
	skb->mark = 0x77;
	return TC_ACT_OK;
}

SEC("tc")
int direct(struct __sk_buff *skb)
{
	void *data, *end;
	struct eth *e;
	struct ip4 *ip;
	struct tcp *t;
	__be16 old;

	if (bpf_skb_pull_data(skb, 0))
		return TC_ACT_SHOT;
	data = (void *)(long)skb->data;
	end = (void *)(long)skb->data_end;
	e = data;
	ip = (void *)(e + 1);
	t = (void *)(ip + 1);
	if ((void *)(t + 1) > end || e->type != bpf_htons(ETHERTYPE_IP) || ip->version_ihl != 0x45)
		return TC_ACT_OK;
	if (ip->proto != PROTO_TCP)
		return TC_ACT_OK;
	old = t->dport;
	t->dport = bpf_htons(8080);
	return (int)bpf_l4_csum_replace(
		skb, sizeof(*e) + sizeof(*ip) + 16, old, bpf_htons(8080), 2);
}

/* Sizes and flags of the replace helpers. */
SEC("tc")
int csum_flags(struct __sk_buff *skb)
{
	__u32 l4 = sizeof(struct eth) + sizeof(struct ip4);
	int bad = 0;

	bad |= (bpf_l3_csum_replace(skb, 24, 1, 2, 3) == -22) << 0;      /* no such size */
	bad |= (bpf_l3_csum_replace(skb, 24, 1, 2, 0x10) == -22) << 1;   /* no such flag */
	bad |= (bpf_l3_csum_replace(skb, 0x10000, 1, 2, 2) == -14) << 2; /* far away */
	bad |= (bpf_l3_csum_replace(skb, 25, 1, 2, 2) == -14) << 3;      /* odd */
	bad |= (bpf_l3_csum_replace(skb, 24, 5, 0x1234, 0) == -22) << 4; /* from is not 0 */
	bad |= (bpf_l3_csum_replace(skb, 24, 0, 0x1234, 0) == 0) << 5;
	bad |= (bpf_l4_csum_replace(skb, l4 + 6, 0, 0x4321, 0x100) == -22) << 6;
	bad |= (bpf_l4_csum_replace(skb, l4 + 6, 0, 0x4321, BPF_F_MARK_MANGLED_0) == 0) << 7;
	bad |= (bpf_l4_csum_replace(skb, l4 + 6, 0x1111, 0x2222, BPF_F_MARK_ENFORCE | 2) == 0) << 8;
	bad |= (bpf_l4_csum_replace(skb, 2000, 1, 2, 2) == -14) << 9;
	return bad;
}

char _license[] SEC("license") = "GPL";
