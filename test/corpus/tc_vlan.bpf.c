// SPDX-License-Identifier: BSD-2-Clause
/* skb_vlan_push and skb_vlan_pop, and what __sk_buff says of tags.
 *
 * run: push tcp4 vlan_tcp4 arp
 * run: push_two tcp4
 * run: pop vlan_tcp4 tcp4 qinq_udp4
 * run: fields vlan_tcp4 tcp4 qinq_udp4
 */
#include "corpus.h"

SEC("tc")
int push(struct __sk_buff *skb)
{
	long r = bpf_skb_vlan_push(skb, bpf_htons(ETHERTYPE_VLAN), 0x2064);

	skb->cb[0] = ALONE(skb->vlan_present);
	skb->cb[1] = ALONE(skb->vlan_tci);
	skb->cb[2] = ALONE(skb->vlan_proto);
	skb->cb[3] = ALONE(skb->len);
	skb->cb[4] = ALONE(skb->protocol);
	return (int)-r;
}

SEC("tc")
int push_two(struct __sk_buff *skb)
{
	long a = bpf_skb_vlan_push(skb, bpf_htons(ETHERTYPE_VLAN), 5);
	long b = bpf_skb_vlan_push(skb, bpf_htons(ETHERTYPE_QINQ), 6);
	long c = bpf_skb_vlan_push(skb, bpf_htons(0x9100), 7); /* taken for 802.1Q */

	skb->cb[0] = ALONE(skb->len);
	skb->cb[1] = ALONE(skb->protocol);
	skb->cb[2] = ALONE(skb->vlan_tci);
	skb->cb[3] = ALONE(skb->vlan_proto);
	return (int)(-a | -b << 8 | -c << 16);
}

SEC("tc")
int pop(struct __sk_buff *skb)
{
	long a = bpf_skb_vlan_pop(skb);

	skb->cb[0] = ALONE(skb->vlan_present);
	skb->cb[1] = ALONE(skb->vlan_tci);
	skb->cb[2] = ALONE(skb->len);
	skb->cb[3] = ALONE(skb->protocol);
	return (int)-a;
}

SEC("tc")
int fields(struct __sk_buff *skb)
{
	skb->cb[0] = ALONE(skb->vlan_present);
	skb->cb[1] = ALONE(skb->vlan_tci);
	skb->cb[2] = ALONE(skb->vlan_proto);
	skb->cb[3] = ALONE(skb->protocol);
	skb->cb[4] = ALONE(skb->len);
	return 0;
}

char _license[] SEC("license") = "GPL";
