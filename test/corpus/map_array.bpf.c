// SPDX-License-Identifier: BSD-2-Clause
/* Arrays: keys at and behind the end, flags of updates, deletes, big values, values that are mapped into user space.
 *
 * build: g
 * set: plain u32:3 u64:1000
 * run: use tcp4 udp4
 * run: big tcp4
 */
#include "corpus.h"

struct big {
	__u32 words[300];
	__u8 odd[3];
};

MAP(plain, BPF_MAP_TYPE_ARRAY, __u32, __u64, 5);
MAP(large, BPF_MAP_TYPE_ARRAY, __u32, struct big, 2);
MAP_FLAGS(mapped, BPF_MAP_TYPE_ARRAY, __u32, __u32, 3, BPF_F_MMAPABLE);
MAP_FLAGS(fixed, BPF_MAP_TYPE_ARRAY, __u32, __u32, 3, BPF_F_RDONLY_PROG);

SEC("xdp")
int use(struct xdp_md *ctx)
{
	__u32 key = 3, behind = 5;
	__u64 value = 77, *v = bpf_map_lookup_elem(&plain, &key);
	int ok = 0;

	if (!v)
		return -1;
	*v += ctx->data_end - ctx->data;
	ok |= (!bpf_map_lookup_elem(&plain, &behind)) << 0;
	ok |= (bpf_map_update_elem(&plain, &behind, &value, BPF_ANY) == -7) << 1;
	ok |= (bpf_map_update_elem(&plain, &key, &value, BPF_NOEXIST) == -17) << 2;
	key = 1;
	ok |= (bpf_map_update_elem(&plain, &key, &value, BPF_EXIST) == 0) << 3;
	ok |= (bpf_map_update_elem(&plain, &key, &value, 99) == -22) << 4;
	ok |= (bpf_map_delete_elem(&plain, &key) == -22) << 5;
	key = 2;
	ok |= (bpf_map_update_elem(&mapped, &key, &key, 0) == 0) << 6;
	v = bpf_map_lookup_elem(&fixed, &key);
	ok |= (v && *(__u32 *)v == 0) << 7;
	return ok;
}

SEC("xdp")
int big(struct xdp_md *ctx)
{
	__u32 key = 1;
	struct big *b = bpf_map_lookup_elem(&large, &key);

	if (!b)
		return -1;
	for (__u32 i = 0; i < 300; i++)
		b->words[i] = i * i;
	b->odd[2] = 9;
	b->odd[0] = b->words[16] & 0xff;
	return (int)b->words[299];
}

char _license[] SEC("license") = "GPL";
