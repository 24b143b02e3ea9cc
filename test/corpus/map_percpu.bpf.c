// SPDX-License-Identifier: BSD-2-Clause
/* Per-CPU arrays and hashes: this CPU's values, another one's, sizes that are rounded up from outside.
 *
 * build: g
 * set: hash u32:7 u32:70
 * run: here tcp4 udp4
 * run: other_cpu tcp4
 */
#include "corpus.h"

struct odd {
	__u8 bytes[11];
};

MAP(array, BPF_MAP_TYPE_PERCPU_ARRAY, __u32, struct odd, 3);
MAP(hash, BPF_MAP_TYPE_PERCPU_HASH, __u32, __u32, 8);
MAP_FLAGS(lazy, BPF_MAP_TYPE_PERCPU_HASH, __u64, __u64, 8, BPF_F_NO_PREALLOC);

SEC("xdp")
int here(struct xdp_md *ctx)
{
	__u32 key = 2, *v;
	__u64 wide = 1ull << 40, one = 1;
	struct odd *o = bpf_map_lookup_elem(&array, &key);
	int ok = 0;

	if (!o)
		return -1;
	o->bytes[0]++;
	o->bytes[10] += 2;
	key = 7;
	v = bpf_map_lookup_elem(&hash, &key);
	if (v)
		*v += 1;
	key = 8;
	ok |= (bpf_map_update_elem(&hash, &key, &key, BPF_EXIST) == -2) << 0;
	ok |= (bpf_map_update_elem(&hash, &key, &key, BPF_ANY) == 0) << 1;
	ok |= (bpf_map_delete_elem(&hash, &key) == 0) << 2;
	ok |= (bpf_map_update_elem(&lazy, &wide, &one, BPF_ANY) == 0) << 3;
	ok |= (bpf_map_update_elem(&lazy, &wide, &one, BPF_NOEXIST) == -17) << 4;
	return ok;
}

SEC("xdp")
int other_cpu(struct xdp_md *ctx)
{
	__u32 key = 1, cpu = bpf_get_smp_processor_id();
	struct odd *o = bpf_map_lookup_percpu_elem(&array, &key, 1), *self, *none;
	__u32 *v;

	self = bpf_map_lookup_percpu_elem(&array, &key, cpu);
	none = bpf_map_lookup_percpu_elem(&array, &key, 4096);
	if (!o || !self || none)
		return -1;
	o->bytes[1] = 0x11;
	self->bytes[2] = 0x22;
	key = 7;
	v = bpf_map_lookup_percpu_elem(&hash, &key, 1);
	return v ? (int)*v : -2;
}

char _license[] SEC("license") = "GPL";
