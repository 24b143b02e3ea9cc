/* Maps as BTF defines them: every attribute, static and global, inside each other, with entries. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

struct key {
	__u32 a;
	__u16 b, c;
};

struct value {
	struct bpf_spin_lock lock;
	__u32 n;
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 100);
	__type(key, struct key);
	__type(value, __u64);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(pinning, LIBBPF_PIN_BY_NAME);
	__uint(numa_node, 0);
} hash SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 4);
	__uint(key_size, 4);
	__uint(value_size, 8);
} hits SEC(".maps");

#ifndef GLOBAL_ONLY /* libbpf takes no static maps */
static
#endif
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 2);
	__type(key, __u32);
	__type(value, struct value);
} locked SEC(".maps");

struct inner {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 3);
	__type(key, __u32);
	__type(value, __u32);
};

struct inner in1 SEC(".maps"), in2 SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 4);
	__type(key, __u32);
	__array(values, struct inner);
} outer SEC(".maps") = {.values = {[1] = &in1, [3] = &in2}};

struct {
	__uint(type, BPF_MAP_TYPE_BLOOM_FILTER);
	__uint(max_entries, 64);
	__type(value, __u32);
	__uint(map_extra, 3);
} bloom SEC(".maps");

int second(struct xdp_md *ctx);

struct {
	__uint(type, BPF_MAP_TYPE_PROG_ARRAY);
	__uint(max_entries, 8);
	__uint(key_size, 4);
	__array(values, int(struct xdp_md *));
} jumps SEC(".maps") = {.values = {[5] = (void *)&second}};

SEC("xdp")
int first(struct xdp_md *ctx)
{
	struct key k = {1, 2, 3};
	__u64 one = 1, *v;
	__u32 i = 1, *entry;
	struct value *l;
	void *map;

	bpf_map_update_elem(&hash, &k, &one, BPF_ANY);
	v = bpf_map_lookup_elem(&hits, &i);
	if (v)
		*v += 5;
	l = bpf_map_lookup_elem(&locked, &i);
	if (l) {
		bpf_spin_lock(&l->lock);
		l->n += 7;
		bpf_spin_unlock(&l->lock);
	}
	map = bpf_map_lookup_elem(&outer, &i);
	if (map) {
		i = 2;
		entry = bpf_map_lookup_elem(map, &i);
		if (entry)
			*entry = 77;
	}
	bpf_map_push_elem(&bloom, &i, BPF_ANY);
	bpf_tail_call(ctx, &jumps, 5);
	return XDP_ABORTED;
}

SEC("xdp")
int second(struct xdp_md *ctx)
{
	return XDP_TX;
}

char _license[] SEC("license") = "GPL";
