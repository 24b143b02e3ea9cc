// SPDX-License-Identifier: BSD-2-Clause
/* Hashes: every flag, a full one, deletes, keys of odd sizes, without preallocation.
 *
 * build: legacy
 * set: small u32:100 u32:1
 * run: flags tcp4 tcp4
 * run: fill tcp4
 * run: odd tcp4 udp4
 */
#include "corpus.h"

struct odd_key {
	__u8 bytes[13];
};

struct odd_value {
	__u8 bytes[5];
};

MAP(small, BPF_MAP_TYPE_HASH, __u32, __u32, 4);
MAP(full, BPF_MAP_TYPE_HASH, __u64, __u64, 8);
MAP_FLAGS(lazy, BPF_MAP_TYPE_HASH, struct odd_key, struct odd_value, 10, BPF_F_NO_PREALLOC);

SEC("xdp")
int flags(struct xdp_md *ctx)
{
	__u32 key = 100, value = 5, *v;
	int ok = 0;

	ok |= (bpf_map_update_elem(&small, &key, &value, BPF_NOEXIST) == -17) << 0;
	ok |= (bpf_map_update_elem(&small, &key, &value, BPF_EXIST) == 0) << 1;
	key = 101;
	ok |= (bpf_map_update_elem(&small, &key, &value, BPF_EXIST) == -2) << 2;
	ok |= (bpf_map_update_elem(&small, &key, &value, BPF_NOEXIST) == 0) << 3;
	ok |= (bpf_map_update_elem(&small, &key, &value, 3) == -22) << 4;
	v = bpf_map_lookup_elem(&small, &key);
	if (v)
		*v = 6;
	key = 102;
	ok |= (bpf_map_delete_elem(&small, &key) == -2) << 5;
	key = 101;
	v = bpf_map_lookup_elem(&small, &key);
	ok |= (v && *v == 6) << 6;
	ok |= (bpf_map_delete_elem(&small, &key) == 0) << 7;
	ok |= (!bpf_map_lookup_elem(&small, &key)) << 8;
	return ok;
}

SEC("xdp")
int fill(struct xdp_md *ctx)
{
	int stored = 0;
	long error = 0;

	for (__u64 i = 0; i < 12; i++) {
		__u64 key = i * 0x9e3779b97f4a7c15;

		error = bpf_map_update_elem(&full, &key, &i, BPF_ANY);
		if (error)
			break;
		stored++;
	}
	return stored << 8 | (int)-error;
}

SEC("xdp")
int odd(struct xdp_md *ctx)
{
	struct odd_key key = {"thirteen chr"};
	struct odd_value value = {{1, 2, 3, 4, 5}}, *v;
	__u32 len = ctx->data_end - ctx->data;

	key.bytes[12] = (__u8)len;
	bpf_map_update_elem(&lazy, &key, &value, BPF_ANY);
	key.bytes[0] = 'T';
	value.bytes[4] = 50;
	bpf_map_update_elem(&lazy, &key, &value, BPF_ANY);
	v = bpf_map_lookup_elem(&lazy, &key);
	if (!v)
		return -1;
	v->bytes[0] = 99;
	return v->bytes[0] + v->bytes[4];
}

char _license[] SEC("license") = "GPL";
