// SPDX-License-Identifier: BSD-2-Clause
/* LPM tries changed by programs: prefixes within prefixes, replaced, deleted, too long, a full one.
 *
 * build: g
 * run: change tcp4
 * run: full tcp4
 */
#include "corpus.h"

struct key {
	__u32 bits;
	__u8 bytes[5];
	__u8 pad[3];
};

struct {
	__uint(type, BPF_MAP_TYPE_LPM_TRIE);
	__uint(max_entries, 6);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(key_size, 9);
	__type(value, __u32);
} trie SEC(".maps");

static __attribute__((noinline)) int put(__u32 bits, __u8 a, __u8 b, __u32 value)
{
	struct key k = {bits, {a, b, a, b, a}};

	return (int)bpf_map_update_elem(&trie, &k, &value, BPF_ANY);
}

static __attribute__((noinline)) int get(__u32 bits, __u8 a, __u8 b)
{
	struct key k = {bits, {a, b, a, b, a}};
	__u32 *v = bpf_map_lookup_elem(&trie, &k);

	return v ? (int)*v : -1;
}

SEC("xdp")
int change(struct xdp_md *ctx)
{
	struct key k = {8, {0x80}};
	__u32 value = 9;
	int ok = 0;

	ok |= (put(0, 0, 0, 1) == 0) << 0;
	ok |= (put(8, 0x80, 0, 2) == 0) << 1;
	ok |= (put(13, 0x80, 0xf8, 3) == 0) << 2;
	ok |= (put(40, 0x80, 0xff, 4) == 0) << 3;
	ok |= (put(41, 0x80, 0xff, 4) == -22) << 4;
	ok |= (get(40, 1, 2) == 1) << 5;
	ok |= (get(40, 0x80, 2) == 2) << 6;
	ok |= (get(40, 0x80, 0xf9) == 3) << 7;
	ok |= (get(40, 0x80, 0xff) == 4) << 8;
	ok |= (get(12, 0x80, 0xf8) == 2) << 9;
	ok |= (bpf_map_update_elem(&trie, &k, &value, BPF_NOEXIST) == -17) << 10;
	ok |= (bpf_map_delete_elem(&trie, &k) == 0) << 11;
	ok |= (bpf_map_delete_elem(&trie, &k) == -2) << 12;
	ok |= (get(40, 0x80, 2) == 1) << 13;
	ok |= (bpf_map_update_elem(&trie, &k, &value, BPF_EXIST) == -2) << 14;
	return ok;
}

SEC("xdp")
int full(struct xdp_md *ctx)
{
	int error = 0, i;

	for (i = 0; i < 10; i++) {
		error = put(16, 0x40 + i, i, 100 + i);
		if (error)
			break;
	}
	return i << 8 | -error;
}

char _license[] SEC("license") = "GPL";
