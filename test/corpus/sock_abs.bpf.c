// SPDX-License-Identifier: BSD-2-Clause
/* The packet access of classic BPF: bytes, halves, words, at fixed and at computed places, and behind the end, where the
 * program ends with 0.
 *
 * run: words tcp4 udp4 eth_only
 * run: indirect tcp4 tcp4_options udp4
 * run: beyond tcp4 eth_only
 * run: in_tc tcp4 arp
 * run: header_relative tcp4
 */
#include "corpus.h"

unsigned long long load_byte(void *skb, unsigned long long off) asm("llvm.bpf.load.byte");
unsigned long long load_half(void *skb, unsigned long long off) asm("llvm.bpf.load.half");
unsigned long long load_word(void *skb, unsigned long long off) asm("llvm.bpf.load.word");

SEC("socket")
int words(struct __sk_buff *skb)
{
	return (int)(load_word(skb, 12) + load_half(skb, 2) * 3 + load_byte(skb, 9) * 7);
}

SEC("socket")
int indirect(struct __sk_buff *skb)
{
	__u32 ihl = (load_byte(skb, 0) & 15) * 4;

	return (int)(load_half(skb, ihl) << 16 | load_half(skb, ihl + 2)) +
	       (int)load_word(skb, ihl + 4);
}

SEC("socket")
int beyond(struct __sk_buff *skb)
{
	__u32 last = skb->len - 4;
	int a = (int)load_word(skb, last);

	skb->cb[0] = 1;
	a += (int)load_word(skb, last + 1);
	skb->cb[0] = 2;
	return a | 1;
}

SEC("tc")
int in_tc(struct __sk_buff *skb)
{
	__u64 type = load_half(skb, 12);

	if (type != ETHERTYPE_IP)
		return (int)type;
	skb->mark = load_byte(skb, 23);
	return (int)load_word(skb, 26);
}

/* Negative offsets: from the network and the link layer header. */
SEC("socket")
int header_relative(struct __sk_buff *skb)
{
	return (int)(load_byte(skb, -0x100000 + 9) << 8 | load_byte(skb, -0x200000 + 13));
}

char _license[] SEC("license") = "GPL";
