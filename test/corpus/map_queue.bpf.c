// SPDX-License-Identifier: BSD-2-Clause
/* Queues and stacks: order, full, empty, BPF_EXIST that throws out the oldest.
 *
 * build: g
 * push: queue u64:1000
 * push: queue u64:1001
 * run: order tcp4
 * run: limits tcp4
 */
#include "corpus.h"

struct {
	__uint(type, BPF_MAP_TYPE_QUEUE);
	__uint(max_entries, 4);
	__type(value, __u64);
} queue SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_STACK);
	__uint(max_entries, 3);
	__type(value, __u32);
} stack SEC(".maps");

SEC("xdp")
int order(struct xdp_md *ctx)
{
	__u64 a = 0, b = 0, len = ctx->data_end - ctx->data;
	__u32 x = 1, y = 0, z = 0;

	if (bpf_map_peek_elem(&queue, &a) || bpf_map_pop_elem(&queue, &b) || a != b)
		return -1;
	bpf_map_push_elem(&queue, &len, BPF_ANY);
	bpf_map_push_elem(&stack, &x, BPF_ANY);
	x = 2;
	bpf_map_push_elem(&stack, &x, BPF_ANY);
	if (bpf_map_peek_elem(&stack, &y) || bpf_map_pop_elem(&stack, &z) || y != z)
		return -2;
	return (int)(a * 100 + y);
}

SEC("xdp")
int limits(struct xdp_md *ctx)
{
	__u64 v = 7;
	__u32 x = 3, out = 5;
	int ok = 0;

	for (int i = 0; i < 6; i++) {
		v++;
		ok += bpf_map_push_elem(&queue, &v, BPF_ANY) == -7;
	}
	v = 999;
	ok |= (bpf_map_push_elem(&queue, &v, BPF_EXIST) == 0) << 8;
	ok |= (bpf_map_push_elem(&queue, &v, BPF_NOEXIST) == -22) << 9;
	bpf_map_pop_elem(&stack, &out);
	ok |= (bpf_map_pop_elem(&stack, &out) == -2) << 10;
	ok |= (out == 0) << 11;
	out = 6;
	ok |= (bpf_map_peek_elem(&stack, &out) == -2) << 12;
	ok |= (out == 0) << 13;
	for (int i = 0; i < 5; i++) {
		x++;
		bpf_map_push_elem(&stack, &x, BPF_EXIST);
	}
	return ok;
}

char _license[] SEC("license") = "GPL";
