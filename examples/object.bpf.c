/* Counts packets per length, up to the map's size. Build: clang -O2 -g -target bpf -c object.bpf.c */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 64);
	__type(key, __u32);
	__type(value, __u64);
} lengths SEC(".maps");

SEC("xdp")
int count(struct xdp_md *ctx)
{
	__u32 len = ctx->data_end - ctx->data;
	__u64 *n = bpf_map_lookup_elem(&lengths, &len);

	if (!n)
		return XDP_DROP;
	*n += 1;
	return XDP_PASS;
}

char _license[] SEC("license") = "GPL";
