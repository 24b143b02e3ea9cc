// SPDX-License-Identifier: BSD-2-Clause
/* Bloom filters: what was put in is always found; an empty one finds nothing.
 *
 * build: g
 * push: seen u64:42
 * run: use tcp4 udp4
 */
#include "corpus.h"

struct {
	__uint(type, BPF_MAP_TYPE_BLOOM_FILTER);
	__uint(max_entries, 100);
	__uint(map_extra, 3);
	__type(value, __u64);
} seen SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_BLOOM_FILTER);
	__uint(max_entries, 10);
	__type(value, __u32);
} empty SEC(".maps");

SEC("xdp")
int use(struct xdp_md *ctx)
{
	__u64 v = 42;
	__u32 w = 5;
	int missed = 0, ok = 0;

	ok |= (bpf_map_peek_elem(&seen, &v) == 0) << 8;
	ok |= (bpf_map_peek_elem(&empty, &w) == -2) << 9;
	ok |= (bpf_map_push_elem(&seen, &v, BPF_EXIST) == -22) << 10;
	for (v = 1; v < 64; v++)
		if (bpf_map_push_elem(&seen, &v, BPF_ANY))
			missed++;
	for (v = 1; v < 64; v++)
		if (bpf_map_peek_elem(&seen, &v))
			missed++;
	return ok | missed;
}

char _license[] SEC("license") = "GPL";
