// SPDX-License-Identifier: BSD-2-Clause
/* bpf_loop and bpf_for_each_map_elem: contexts on the stack, early ends, nested loops, deleting while walking.
 *
 * build: g
 * set: numbers u32:1 u64:10
 * set: numbers u32:2 u64:20
 * set: numbers u32:3 u64:30
 * set: array u32:2 u64:5
 * run: loops tcp4 udp4
 * run: nested tcp4
 * run: too_many tcp4
 * run: each_array tcp4
 * run: each_hash tcp4
 * run: each_percpu tcp4
 * run: delete_odd tcp4
 * run: kept tcp4
 */
#include "corpus.h"

struct sum {
	__u64 total;
	__u32 calls, stop_at;
};

MAP(numbers, BPF_MAP_TYPE_HASH, __u32, __u64, 8);
MAP(array, BPF_MAP_TYPE_ARRAY, __u32, __u64, 4);
MAP(percpu, BPF_MAP_TYPE_PERCPU_ARRAY, __u32, __u64, 3);

__u64 visited;

static long add_index(__u32 i, void *arg)
{
	struct sum *s = arg;

	s->total += i;
	s->calls++;
	return i == s->stop_at;
}

static long inner(__u32 i, void *arg)
{
	visited += i + 1;
	return 0;
}

static long outer(__u32 i, void *arg)
{
	bpf_loop(i, inner, 0, 0);
	return 0;
}

static long add_value(void *map, const void *key, void *value, void *arg)
{
	struct sum *s = arg;

	s->total += *(const __u32 *)key + *(__u64 *)value;
	s->calls++;
	return s->calls == s->stop_at;
}

static long drop_odd(void *map, const void *key, void *value, void *arg)
{
	__u32 k = *(const __u32 *)key;

	if (k & 1)
		bpf_map_delete_elem(&numbers, &k);
	return 0;
}

SEC("xdp")
int loops(struct xdp_md *ctx)
{
	struct sum a = {0, 0, 1000}, b = {0, 0, 5};
	long n = bpf_loop(ctx->data_end - ctx->data, add_index, &a, 0);
	long m = bpf_loop(100, add_index, &b, 0);

	if (bpf_loop(3, add_index, &a, 1) != -22)
		return -1;
	return (int)(a.total + a.calls * 10000 + n * 1000000 + b.total * 3 + m * 7);
}

SEC("xdp")
int nested(struct xdp_md *ctx)
{
	visited = 0;
	return (int)bpf_loop(10, outer, 0, 0) * 1000 + (int)visited;
}

SEC("xdp")
int too_many(struct xdp_md *ctx)
{
	struct sum s = {};

	return (int)bpf_loop((1 << 23) + 1, add_index, &s, 0);
}

SEC("xdp")
int each_array(struct xdp_md *ctx)
{
	struct sum s = {}, t = {0, 0, 2};
	long n = bpf_for_each_map_elem(&array, add_value, &s, 0);
	long m = bpf_for_each_map_elem(&array, add_value, &t, 0);

	return (int)(s.total * 1000 + n * 100 + t.total * 10 + m);
}

SEC("xdp")
int each_hash(struct xdp_md *ctx)
{
	struct sum s = {};
	long n = bpf_for_each_map_elem(&numbers, add_value, &s, 0);

	return (int)(s.total * 100 + n * 10) +
	       (bpf_for_each_map_elem(&numbers, add_value, &s, 1) == -22);
}

SEC("xdp")
int each_percpu(struct xdp_md *ctx)
{
	struct sum s = {};
	__u32 key = 1;
	__u64 *v = bpf_map_lookup_elem(&percpu, &key);

	if (!v)
		return -1;
	*v = 17;
	return (int)bpf_for_each_map_elem(&percpu, add_value, &s, 0) * 1000 + (int)s.total;
}

SEC("xdp")
int delete_odd(struct xdp_md *ctx)
{
	return (int)bpf_for_each_map_elem(&numbers, drop_odd, 0, 0);
}

static long add_square(__u32 i, void *arg)
{
	*(__u64 *)arg += i * i;
	return i > 50;
}

/* What a loop left is stored before the next one goes on with it. */
SEC("xdp")
int kept(struct xdp_md *ctx)
{
	__u64 total = 0, copy;
	__u32 key = 1;

	bpf_loop(100, add_square, &total, 0);
	copy = total;
	bpf_map_update_elem(&array, &key, &copy, 0);
	bpf_loop(1000000, add_square, &total, 0);
	copy = total;
	key = 3;
	bpf_map_update_elem(&array, &key, &copy, 0);
	bpf_loop(100, add_square, &total, 0);
	return total;
}

char _license[] SEC("license") = "GPL";
