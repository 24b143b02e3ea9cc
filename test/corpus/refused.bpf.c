// SPDX-License-Identifier: BSD-2-Clause
/* Programs that must be refused, one reason each.
 *
 * build: legacy
 * refuse: no_bounds_check invalid access to packet
 * refuse: maybe_null invalid mem access 'map_value_or_null'
 * refuse: behind_value invalid access to map value
 * refuse: wrong_type
 * refuse: stale_packet invalid mem access 'scalar'
 * refuse: endless infinite loop detected
 * refuse: uninitialised R5 !read_ok
 * refuse: writes_context invalid bpf_context access
 * refuse: off_by_one invalid access to packet
 * run: fine tcp4
 */
#include "corpus.h"

MAP(values, BPF_MAP_TYPE_ARRAY, __u32, __u64, 4);
MAP(bytes, BPF_MAP_TYPE_HASH, __u32, __u8, 4);

SEC("xdp")
int fine(struct xdp_md *ctx)
{
	return XDP_PASS;
}

SEC("xdp")
int no_bounds_check(struct xdp_md *ctx)
{
	return *(__u8 *)(long)ctx->data;
}

SEC("xdp")
int off_by_one(struct xdp_md *ctx)
{
	__u8 *p = (void *)(long)ctx->data;

	if (p + 14 > (__u8 *)(long)ctx->data_end)
		return 0;
	return p[14];
}

SEC("xdp")
int maybe_null(struct xdp_md *ctx)
{
	__u32 key = 1;
	__u64 *v = bpf_map_lookup_elem(&values, &key);

	return (int)*v;
}

SEC("xdp")
int behind_value(struct xdp_md *ctx)
{
	__u32 key = 1;
	__u64 *v = bpf_map_lookup_elem(&values, &key);

	return v ? (int)v[ctx->rx_queue_index & 3] : 0;
}

SEC("xdp")
int wrong_type(struct xdp_md *ctx)
{
	return (int)bpf_skb_load_bytes((void *)ctx, 0, 0, 0);
}

SEC("xdp")
int stale_packet(struct xdp_md *ctx)
{
	__u8 *p = (void *)(long)ctx->data;

	if (p + 14 > (__u8 *)(long)ctx->data_end)
		return 0;
	if (bpf_xdp_adjust_head(ctx, 4))
		return 1;
	return p[3];
}

SEC("xdp")
int endless(struct xdp_md *ctx)
{
	__u64 n = ctx->rx_queue_index;

	while (n != 1) {
		asm volatile("" : "+r"(n));
		n |= 0;
	}
	return 0;
}

SEC("xdp")
int uninitialised(struct xdp_md *ctx)
{
	__u64 r;

	asm volatile("%0 = r5" : "=r"(r));
	return (int)r;
}

SEC("xdp")
int writes_context(struct xdp_md *ctx)
{
	ctx->data = 5;
	return 0;
}

char _license[] SEC("license") = "Dual BSD/GPL";
