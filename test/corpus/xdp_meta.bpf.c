// SPDX-License-Identifier: BSD-2-Clause
/* xdp_adjust_meta: a mark in front of the packet, read by the program that is tail-called; sizes that are refused.
 *
 * build: g
 * prog: next 0 reader
 * run: writer tcp4 udp4
 * run: sizes tcp4
 * run: reader tcp4 meta=4
 * run: reader udp4 meta=32
 */
#include "corpus.h"

struct {
	__uint(type, BPF_MAP_TYPE_PROG_ARRAY);
	__uint(key_size, 4);
	__uint(value_size, 4);
	__uint(max_entries, 2);
} next SEC(".maps");

SEC("xdp")
int writer(struct xdp_md *ctx)
{
	__u32 *meta;
	void *data;

	if (bpf_xdp_adjust_meta(ctx, -8))
		return XDP_ABORTED;
	meta = (void *)(long)ctx->data_meta;
	data = (void *)(long)ctx->data;
	if ((void *)(meta + 2) > data)
		return XDP_DROP;
	meta[0] = 0xcafe;
	meta[1] = ctx->data_end - ctx->data;
	bpf_tail_call(ctx, &next, 0);
	return XDP_ABORTED;
}

SEC("xdp")
int reader(struct xdp_md *ctx)
{
	__u32 *meta = (void *)(long)ctx->data_meta;
	void *data = (void *)(long)ctx->data;

	if ((void *)(meta + 1) > data)
		return 100;
	return (int)(meta[0] + (ctx->data - ctx->data_meta) * 0x10000);
}

SEC("xdp")
int sizes(struct xdp_md *ctx)
{
	int ok = 0;

	ok |= (bpf_xdp_adjust_meta(ctx, -4) == 0) << 0;
	ok |= (bpf_xdp_adjust_meta(ctx, -2) == -22) << 1; /* 6 is no multiple of 4 */
	ok |= (bpf_xdp_adjust_meta(ctx, -28) == 0) << 2;  /* 32 */
	ok |= (bpf_xdp_adjust_meta(ctx, -300) < 0) << 3;
	ok |= (bpf_xdp_adjust_meta(ctx, 36) == -22) << 4; /* behind data */
	ok |= (bpf_xdp_adjust_meta(ctx, 32) == 0) << 5;
	ok |= (ctx->data_meta == ctx->data) << 6;
	return ok;
}

char _license[] SEC("license") = "GPL";
