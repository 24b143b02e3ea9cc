// SPDX-License-Identifier: BSD-2-Clause
/* xdp_adjust_tail: trimmed to what IP says, grown with zeros, and the limits of both.
 *
 * run: trim tcp4_padded tcp4 arp
 * run: grow tcp4 udp4
 * run: limits tcp4 eth_only big_udp4
 */
#include "corpus.h"

SEC("xdp")
int trim(struct xdp_md *ctx)
{
	void *data = (void *)(long)ctx->data, *end = (void *)(long)ctx->data_end;
	struct eth *e = data;
	struct ip4 *ip = (void *)(e + 1);
	int have, want;

	if ((void *)(ip + 1) > end || e->type != bpf_htons(ETHERTYPE_IP))
		return XDP_PASS;
	have = (int)(end - data);
	want = (int)sizeof(*e) + bpf_ntohs(ip->len);
	if (want >= have)
		return XDP_DROP;
	return bpf_xdp_adjust_tail(ctx, want - have) ? XDP_ABORTED : XDP_TX;
}

SEC("xdp")
int grow(struct xdp_md *ctx)
{
	int have = (int)(ctx->data_end - ctx->data);
	__u8 *data, *end;

	if (bpf_xdp_adjust_tail(ctx, 16))
		return XDP_ABORTED;
	data = (void *)(long)ctx->data;
	end = (void *)(long)ctx->data_end;
	if ((int)(ctx->data_end - ctx->data) != have + 16)
		return XDP_DROP;
	data += have & 0x3ff;
	OPAQUE(data);
	if (data + 16 > end)
		return XDP_DROP;
	data[0] = 0xaa;
	data[15] = 0x55;
	return XDP_PASS;
}

SEC("xdp")
int limits(struct xdp_md *ctx)
{
	int grown = 0, error = 0;

	for (int i = 0; i < 40; i++) {
		error = (int)bpf_xdp_adjust_tail(ctx, 128);
		if (error)
			break;
		grown++;
	}
	if (bpf_xdp_adjust_tail(ctx, -5000) != -22)
		return 1;
	if (bpf_xdp_adjust_tail(ctx, 14 - (int)(ctx->data_end - ctx->data)))
		return 2;
	if (bpf_xdp_adjust_tail(ctx, -1) != -22)
		return 3;
	return grown << 8 | -error;
}

char _license[] SEC("license") = "BSD";
