// SPDX-License-Identifier: BSD-2-Clause
/* The hash and the socket of a packet: what can be set, and what is unknown.
 *
 * run: hash tcp4 udp4
 * run: owner tcp4
 */
#include "corpus.h"

SEC("tc")
int hash(struct __sk_buff *skb)
{
	__u32 h;

	bpf_set_hash(skb, 0x1234567);
	h = skb->hash;
	bpf_set_hash_invalid(skb);
	return (int)(h == 0x1234567) << 1 | (skb->hash == 0);
}

SEC("tc")
int owner(struct __sk_buff *skb)
{
	__u64 a = bpf_get_socket_cookie(skb), b = bpf_get_socket_cookie(skb);

	return (int)(a == b) << 1 | (a != 0);
}

char _license[] SEC("license") = "GPL";
