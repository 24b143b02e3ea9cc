// SPDX-License-Identifier: BSD-2-Clause
/* Answers echo requests: addresses swapped, type changed, checksum adjusted.
 *
 * run: echo icmp4 icmp4_reply tcp4 icmp6
 */
#include "corpus.h"

static __attribute__((noinline)) void swap_bytes(__u8 *a, __u8 *b)
{
	__u8 t = *a;

	*a = *b;
	*b = t;
}

SEC("xdp")
int echo(struct xdp_md *ctx)
{
	void *at = (void *)(long)ctx->data, *end = (void *)(long)ctx->data_end;
	struct eth *e = TAKE(at, end, struct eth);
	struct icmp *icmp;
	struct ip4 *ip;
	__be32 addr;
	__u32 sum;

	if (!e || e->type != bpf_htons(ETHERTYPE_IP))
		return XDP_PASS;
	ip = TAKE(at, end, struct ip4);
	if (!ip || ip->proto != PROTO_ICMP)
		return XDP_PASS;
	icmp = TAKE(at, end, struct icmp);
	if (!icmp || icmp->type != 8 || icmp->code)
		return XDP_DROP;
	icmp->type = 0;
	sum = icmp->check + bpf_htons(0x0800);
	icmp->check = (__u16)(sum + (sum >= 0xffff));
	addr = ip->src;
	ip->src = ip->dst;
	ip->dst = addr;
	for (int i = 0; i < 6; i++)
		swap_bytes(&e->dst[i], &e->src[i]);
	return XDP_TX;
}

char _license[] SEC("license") = "BSD";
