// SPDX-License-Identifier: BSD-2-Clause
/* Socket filters: how much of a packet is kept, decided by skb_load_bytes and the fields that they may read.
 *
 * build: legacy
 * run: snap tcp4 udp4 tcp6 icmp4
 * run: fields tcp4 udp6
 */
#include "corpus.h"

MAP(lengths, BPF_MAP_TYPE_HASH, __u8, __u64, 32);

SEC("socket")
int snap(struct __sk_buff *skb)
{
	__u8 first = 0, proto = 0;
	__u64 len = skb->len, *sum;

	if (bpf_skb_load_bytes(skb, 0, &first, 1))
		return 0;
	if (bpf_skb_load_bytes(skb, first >> 4 == 4 ? 9 : 6, &proto, 1))
		return 0;
	sum = bpf_map_lookup_elem(&lengths, &proto);
	if (sum)
		__sync_fetch_and_add(sum, len);
	else
		bpf_map_update_elem(&lengths, &proto, &len, BPF_ANY);
	return proto == PROTO_TCP ? 40 : proto == PROTO_UDP ? (int)len : 0;
}

SEC("socket")
int fields(struct __sk_buff *skb)
{
	skb->cb[0] = skb->protocol;
	skb->cb[1] = skb->pkt_type;
	skb->cb[2] = skb->len;
	skb->cb[3] = skb->vlan_present;
	skb->cb[4] = skb->ifindex;
	return (int)(skb->mark + skb->priority + skb->queue_mapping);
}

char _license[] SEC("license") = "Dual MIT/GPL";
