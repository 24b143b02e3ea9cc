// SPDX-License-Identifier: BSD-2-Clause
/* redirect and clone_redirect: what they return, and that the packet stays whole.
 *
 * run: redirect tcp4
 * run: clone tcp4 arp
 * run: flags tcp4
 */
#include "corpus.h"

SEC("tc")
int redirect(struct __sk_buff *skb)
{
	return (int)bpf_redirect(skb->ifindex, 0);
}

SEC("tc")
int clone(struct __sk_buff *skb)
{
	long r = bpf_clone_redirect(skb, skb->ifindex, BPF_F_INGRESS);
	__u8 byte = 0x42;

	bpf_skb_store_bytes(skb, 20, &byte, 1, 0);
	return (int)-r;
}

SEC("tc")
int flags(struct __sk_buff *skb)
{
	int ok = 0;

	ok |= (bpf_redirect(1, BPF_F_INGRESS) == 7) << 0;
	ok |= (bpf_redirect(1, 0x80) == 2) << 1;
	ok |= (bpf_clone_redirect(skb, 1, 0x80) == -22) << 2;
	ok |= (bpf_redirect_neigh(1, 0, 0, 1) == 2) << 3;
	ok |= (bpf_redirect_peer(1, 1) == 2) << 4;
	return ok;
}

char _license[] SEC("license") = "GPL";
