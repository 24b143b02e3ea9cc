// SPDX-License-Identifier: BSD-2-Clause
/* perf_event_output: records, with bytes of the packet behind them, on this CPU and on one that has no reader.
 *
 * build: g
 * run: sample tcp4 udp4
 * run: sample_skb tcp4
 * run: errors tcp4
 */
#include "corpus.h"

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, 4);
	__uint(value_size, 4);
} events SEC(".maps");

struct record {
	__u64 len;
	__u32 kind, pad;
};

SEC("xdp")
int sample(struct xdp_md *ctx)
{
	struct record r = {ctx->data_end - ctx->data, 1, 0};
	long a = bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU, &r, sizeof(r));
	long b =
		bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU | 20ull << 32, &r, sizeof(r));

	return (int)(-a | -b << 8);
}

SEC("tc")
int sample_skb(struct __sk_buff *skb)
{
	struct record r = {skb->len, 2, 0};
	long error = bpf_perf_event_output(
		skb, &events, BPF_F_CURRENT_CPU | (__u64)skb->len << 32, &r, 12);

	return (int)-error;
}

SEC("xdp")
int errors(struct xdp_md *ctx)
{
	__u64 v = 1;
	int ok = 0;

	ok |= (bpf_perf_event_output(ctx, &events, 4000, &v, 8) == -7) << 0;
	ok |= (bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU | 60000ull << 32, &v, 8) ==
		      -14)
	      << 1;
	ok |= (bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU | 1ull << 60, &v, 8) == -22)
	      << 2;
	return ok;
}

char _license[] SEC("license") = "GPL";
