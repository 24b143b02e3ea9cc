// SPDX-License-Identifier: BSD-2-Clause
/* Maps of maps: inner maps given in the source, from outside, and none.
 *
 * build: g
 * inner: outer_hash u32:9 inner_b
 * run: use tcp4 udp4
 * run: missing tcp4
 */
#include "corpus.h"

struct inner {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 4);
	__type(key, __u32);
	__type(value, __u64);
};

struct inner inner_a SEC(".maps"), inner_b SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 4);
	__type(key, __u32);
	__array(values, struct inner);
} outer_array SEC(".maps") = {
	.values = {[0] = &inner_a, [2] = &inner_b},
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH_OF_MAPS);
	__uint(max_entries, 4);
	__type(key, __u32);
	__array(
		values, struct {
			__uint(type, BPF_MAP_TYPE_ARRAY);
			__uint(max_entries, 4);
			__type(key, __u32);
			__type(value, __u64);
		});
} outer_hash SEC(".maps");

struct inner_hash {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 8);
	__type(key, __u32);
	__type(value, __u32);
} by_len SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 1);
	__type(key, __u32);
	__array(values, struct inner_hash);
} hashes SEC(".maps") = {
	.values = {&by_len},
};

static inline_always int add(void *outer, __u32 which, __u32 slot, __u64 by)
{
	void *in = bpf_map_lookup_elem(outer, &which);
	__u64 *v;

	if (!in)
		return -1;
	v = bpf_map_lookup_elem(in, &slot);
	if (!v)
		return -2;
	*v += by;
	return 0;
}

SEC("xdp")
int use(struct xdp_md *ctx)
{
	__u32 len = ctx->data_end - ctx->data, zero = 0, *n;
	void *in;
	int r = 0;

	r |= add(&outer_array, 0, 1, len);
	r |= add(&outer_array, 2, 3, 1);
	r |= add(&outer_hash, 9, 0, 5); /* inner_b again */
	in = bpf_map_lookup_elem(&hashes, &zero);
	if (!in)
		return -3;
	n = bpf_map_lookup_elem(in, &len);
	if (n)
		*n += 1;
	else
		r |= (int)bpf_map_update_elem(in, &len, &zero, BPF_NOEXIST);
	return r;
}

SEC("xdp")
int missing(struct xdp_md *ctx)
{
	return add(&outer_array, 1, 0, 1) * 1000 + add(&outer_array, 77, 0, 1) * 100 +
	       add(&outer_hash, 1, 0, 1) * 10 + add(&outer_array, 0, 4, 1);
}

char _license[] SEC("license") = "GPL";
