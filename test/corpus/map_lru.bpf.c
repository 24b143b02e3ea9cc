// SPDX-License-Identifier: BSD-2-Clause
/* LRU hashes below their size, where nothing is thrown out, and filled beyond it, where inserting never fails.
 *
 * build: g
 * ignore: map crowded
 * ignore: map crowded_percpu
 * run: below tcp4 udp4
 * run: beyond tcp4
 */
#include "corpus.h"

MAP(lru, BPF_MAP_TYPE_LRU_HASH, __u32, __u64, 1000);
MAP(lru_percpu, BPF_MAP_TYPE_LRU_PERCPU_HASH, __u32, __u64, 1000);
MAP(crowded, BPF_MAP_TYPE_LRU_HASH, __u32, __u32, 64);
MAP(crowded_percpu, BPF_MAP_TYPE_LRU_PERCPU_HASH, __u32, __u32, 64);

SEC("xdp")
int below(struct xdp_md *ctx)
{
	__u64 value = ctx->data_end - ctx->data, *v;
	__u32 key = (__u32)value;
	int ok = 0;

	ok |= (bpf_map_update_elem(&lru, &key, &value, BPF_NOEXIST) == 0) << 0;
	ok |= (bpf_map_update_elem(&lru, &key, &value, BPF_NOEXIST) == -17) << 1;
	v = bpf_map_lookup_elem(&lru, &key);
	if (v)
		*v *= 2;
	key = 5000;
	ok |= (bpf_map_update_elem(&lru, &key, &value, BPF_EXIST) == -2) << 2;
	ok |= (bpf_map_delete_elem(&lru, &key) == -2) << 3;
	ok |= (bpf_map_update_elem(&lru_percpu, &key, &value, BPF_ANY) == 0) << 4;
	v = bpf_map_lookup_elem(&lru_percpu, &key);
	if (v)
		*v += 3;
	key = 1;
	ok |= (bpf_map_update_elem(&lru, &key, &value, BPF_ANY) == 0) << 5;
	ok |= (bpf_map_delete_elem(&lru, &key) == 0) << 6;
	return ok;
}

static long insert(__u32 key, void *arg)
{
	int *failed = arg;
	__u32 *v;

	*failed += bpf_map_update_elem(&crowded, &key, &key, BPF_ANY) != 0;
	*failed += bpf_map_update_elem(&crowded_percpu, &key, &key, BPF_ANY) != 0;
	v = bpf_map_lookup_elem(&crowded, &key); /* what was just put in is there */
	*failed += !v || *v != key;
	return 0;
}

SEC("xdp")
int beyond(struct xdp_md *ctx)
{
	int failed = 0;

	bpf_loop(300, insert, &failed, 0);
	return failed;
}

char _license[] SEC("license") = "GPL";
