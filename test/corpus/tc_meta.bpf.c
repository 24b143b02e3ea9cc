// SPDX-License-Identifier: BSD-2-Clause
/* The fields of __sk_buff: read, written, in parts, handed over by the caller.
 *
 * run: read tcp4 tcp6 arp mark=7 priority=9 cb=1,2,3,4,5
 * run: write tcp4 mark=1
 * run: parts tcp4 mark=0x11223344 cb=0x01020304,0x0a0b0c0d,0,0xffffffff,1
 * run: stamps tcp4 tstamp=123456789012 wire_len=100 gso_segs=3
 * run: classid tcp4
 */
#include "corpus.h"

SEC("tc")
int read(struct __sk_buff *skb)
{
	__u32 sum = 0;

	sum = sum * 33 + skb->len;
	sum = sum * 33 + skb->protocol;
	sum = sum * 33 + skb->pkt_type;
	sum = sum * 33 + skb->mark;
	sum = sum * 33 + skb->priority;
	sum = sum * 33 + skb->queue_mapping;
	sum = sum * 33 + skb->vlan_present;
	sum = sum * 33 + skb->ifindex;
	sum = sum * 33 + skb->ingress_ifindex;
	sum = sum * 33 + skb->tc_index;
	sum = sum * 33 + skb->cb[0] + skb->cb[4];
	sum = sum * 33 + skb->hash;
	sum = sum * 33 + skb->napi_id;
	sum = sum * 33 + (skb->data_end - skb->data);
	return (int)sum;
}

SEC("tc")
int write(struct __sk_buff *skb)
{
	skb->mark += 0x100;
	skb->priority = skb->mark ^ 0xff;
	skb->tc_index = 0x12345;
	skb->queue_mapping = 3;
	skb->cb[0] = 0x01010101;
	skb->cb[1] = skb->mark;
	skb->cb[2] = 0x02020202;
	skb->cb[3] = 0xffffffff;
	skb->cb[4] = skb->len;
	skb->tc_classid = 0x10001;
	return (int)(skb->queue_mapping << 24 | skb->tc_index);
}

SEC("tc")
int parts(struct __sk_buff *skb)
{
	__u64 a, b, c, d, e;

	/* cb is at 48, mark at 8. In C the compiler would compute addresses first, which verifiers refuse. */
	asm volatile("%0 = *(u8 *)(%1 + 48)" : "=r"(a) : "r"(skb));
	asm volatile("%0 = *(u8 *)(%1 + 51)" : "=r"(b) : "r"(skb));
	asm volatile("%0 = *(u16 *)(%1 + 54)" : "=r"(c) : "r"(skb));
	asm volatile("%0 = *(u64 *)(%1 + 56)" : "=r"(d) : "r"(skb));
	asm volatile("%0 = *(u8 *)(%1 + 9)" : "=r"(e) : "r"(skb));
	asm volatile("*(u8 *)(%0 + 56) = %1" : : "r"(skb), "r"(a) : "memory");
	asm volatile("*(u16 *)(%0 + 50) = %1" : : "r"(skb), "r"(e) : "memory");
	return (int)(a + b * 3 + c * 5 + d * 7 + (d >> 32) + e * 11);
}

SEC("tc")
int stamps(struct __sk_buff *skb)
{
	__u64 t = skb->tstamp;

	skb->cb[0] = (__u32)t;
	skb->cb[1] = (__u32)(t >> 32);
	skb->cb[2] = ALONE(skb->wire_len);
	skb->cb[3] = ALONE(skb->gso_segs);
	skb->cb[4] = ALONE(skb->gso_size);
	skb->tstamp = t + 1;
	return 0;
}

SEC("classifier")
int classid(struct __sk_buff *skb)
{
	__u32 before = skb->tc_classid;

	skb->tc_classid = 0xabcd;
	return (int)(before + skb->tc_classid);
}

char _license[] SEC("license") = "GPL";
