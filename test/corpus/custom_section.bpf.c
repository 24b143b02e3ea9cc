// SPDX-License-Identifier: BSD-2-Clause
/* Sections that don't say a type: it is given by the caller. One that begins with '?' isn't loaded unless asked for.
 *
 * type: mystery sched_cls
 * run: mystery tcp4 udp4
 * run: plain tcp4
 */
#include "corpus.h"

SEC("my_own_name")
int mystery(struct __sk_buff *skb)
{
	skb->mark = skb->len;
	return (int)skb->len * 2;
}

SEC("?xdp")
int optional(struct xdp_md *ctx)
{
	return XDP_TX;
}

SEC("xdp.frags")
int plain(struct xdp_md *ctx)
{
	return XDP_PASS;
}

char _license[] SEC("license") = "GPL";
