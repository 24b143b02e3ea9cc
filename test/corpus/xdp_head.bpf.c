// SPDX-License-Identifier: BSD-2-Clause
/* xdp_adjust_head: IPv4 in IPv4 put around a packet and taken off, and where the helper says no.
 *
 * run: encap tcp4 udp4 arp
 * run: decap ipip tcp4
 * run: limits tcp4 eth_only big_udp4
 */
#include "corpus.h"

static inline_always __u16 ip_check(struct ip4 *ip)
{
	__u32 sum = 0;
	__u16 *w = (__u16 *)ip;

#pragma unroll
	for (int i = 0; i < 10; i++)
		sum += w[i];
	return (__u16)~fold(sum);
}

SEC("xdp")
int encap(struct xdp_md *ctx)
{
	void *data = (void *)(long)ctx->data, *end = (void *)(long)ctx->data_end;
	struct eth *e = data, *outer_eth, copy;
	struct ip4 *inner, *outer;
	__u16 len;

	if ((void *)(e + 1) + sizeof(struct ip4) > end || e->type != bpf_htons(ETHERTYPE_IP))
		return XDP_PASS;
	inner = (void *)(e + 1);
	len = bpf_ntohs(inner->len);
	copy = *e;
	if (bpf_xdp_adjust_head(ctx, -(int)sizeof(*outer)))
		return XDP_ABORTED;
	data = (void *)(long)ctx->data;
	end = (void *)(long)ctx->data_end;
	outer_eth = data;
	outer = (void *)(outer_eth + 1);
	if ((void *)(outer + 1) > end)
		return XDP_ABORTED;
	*outer_eth = copy;
	outer->version_ihl = 0x45;
	outer->tos = 0;
	outer->len = bpf_htons(len + sizeof(*outer));
	outer->id = bpf_htons(0x1234);
	outer->frag = 0;
	outer->ttl = 64;
	outer->proto = PROTO_IPIP;
	outer->check = 0;
	outer->src = bpf_htonl(0xc0a80001);
	outer->dst = bpf_htonl(0xc0a80002);
	outer->check = ip_check(outer);
	return XDP_TX;
}

SEC("xdp")
int decap(struct xdp_md *ctx)
{
	void *data = (void *)(long)ctx->data, *end = (void *)(long)ctx->data_end;
	struct eth *e = data, copy;
	struct ip4 *ip = (void *)(e + 1);

	if ((void *)(ip + 1) > end || e->type != bpf_htons(ETHERTYPE_IP) || ip->proto != PROTO_IPIP)
		return XDP_PASS;
	copy = *e;
	if (bpf_xdp_adjust_head(ctx, sizeof(*ip)))
		return XDP_ABORTED;
	data = (void *)(long)ctx->data;
	end = (void *)(long)ctx->data_end;
	if (data + sizeof(copy) > end)
		return XDP_ABORTED;
	__builtin_memcpy(data, &copy, sizeof(copy));
	return XDP_TX;
}

/* Tries steps of headroom until there is none; the result tells how many worked and the last error. */
SEC("xdp")
int limits(struct xdp_md *ctx)
{
	int steps = 0, error = 0;

	for (int i = 0; i < 40; i++) {
		error = (int)bpf_xdp_adjust_head(ctx, -8);
		if (error)
			break;
		steps++;
	}
	if (bpf_xdp_adjust_head(ctx, 10000) != -22)
		return 1;
	return steps << 8 | -error;
}

char _license[] SEC("license") = "BSD";
