// SPDX-License-Identifier: BSD-2-Clause
/* Spin locks in map values: taken around an update of several fields; values copied without the lock.
 *
 * build: g
 * set: buckets u32:1 u32:0+u32:500+u64:0+u64:0
 * run: police tcp4 tcp4 udp4 arp
 * run: copy tcp4
 */
#include "corpus.h"

struct bucket {
	struct bpf_spin_lock lock;
	__u32 tokens;
	__u64 passed, dropped;
};

MAP(buckets, BPF_MAP_TYPE_ARRAY, __u32, struct bucket, 3);
MAP(flows, BPF_MAP_TYPE_HASH, __u32, struct bucket, 8);

SEC("tc")
int police(struct __sk_buff *skb)
{
	__u32 key = 1, len = skb->len;
	struct bucket *b = bpf_map_lookup_elem(&buckets, &key);
	int ok;

	if (!b)
		return -1;
	bpf_spin_lock(&b->lock);
	ok = b->tokens >= len;
	if (ok) {
		b->tokens -= len;
		b->passed++;
	} else {
		b->dropped++;
		b->tokens += 100;
	}
	bpf_spin_unlock(&b->lock);
	return ok ? 0 : 2;
}

SEC("tc")
int copy(struct __sk_buff *skb)
{
	struct bucket new = {{}, 7, 8, 9}, *b;
	__u32 key = skb->len;
	int ok = 0;

	ok |= (bpf_map_update_elem(&flows, &key, &new, BPF_ANY) == 0) << 0;
	new.tokens = 70;
	ok |= (bpf_map_update_elem(&flows, &key, &new, BPF_F_LOCK) == 0) << 1;
	ok |= (bpf_map_update_elem(&flows, &key, &new, BPF_F_LOCK | BPF_NOEXIST) == -17) << 2;
	b = bpf_map_lookup_elem(&flows, &key);
	if (!b)
		return -1;
	bpf_spin_lock(&b->lock);
	b->passed += b->tokens;
	bpf_spin_unlock(&b->lock);
	key = 2;
	ok |= (bpf_map_update_elem(&buckets, &key, &new, BPF_F_LOCK) == 0) << 3;
	return ok << 8 | (int)b->passed;
}

char _license[] SEC("license") = "GPL";
