// SPDX-License-Identifier: BSD-2-Clause
/* Open-coded iterators over numbers: what bpf_for and bpf_repeat are made of.
 *
 * build: g
 * set: values u32:3 u64:40
 * run: sum tcp4 udp4
 * run: of_packet tcp4 udp4 short_ip
 * run: nested tcp4
 * run: edges tcp4
 * run: stops tcp4
 * run: again tcp4
 * run: in_map tcp4
 * run: in_callee tcp4
 * refuse: kept Unreleased reference
 * refuse: not_made expected an initialized iter_num as arg #0
 * refuse: made_twice expected uninitialized iter_num as arg #0
 * refuse: destroyed expected an initialized iter_num as arg #0
 * refuse: unchecked
 * refuse: written cannot write into rdonly_mem
 * refuse: looked_into invalid read from stack
 * refuse: counts_too_far
 * refuse: overwritten
 */
#include "corpus.h"

struct bpf_iter_num {
	__u64 opaque;
};
extern int bpf_iter_num_new(struct bpf_iter_num *it, int start, int end) __ksym;
extern int *bpf_iter_num_next(struct bpf_iter_num *it) __ksym;
extern void bpf_iter_num_destroy(struct bpf_iter_num *it) __ksym;

#define ITER(name) struct bpf_iter_num name##_space, *name = &name##_space

MAP(values, BPF_MAP_TYPE_ARRAY, __u32, __u64, 8);

SEC("xdp")
int sum(struct xdp_md *ctx)
{
	int from = (int)(ctx->data_end - ctx->data), total = 0, *n;
	ITER(it);

	bpf_iter_num_new(it, from, from + 10);
	while ((n = bpf_iter_num_next(it)))
		total += *n;
	bpf_iter_num_destroy(it);
	return total;
}

/* Every byte, each checked by itself. */
SEC("xdp")
int of_packet(struct xdp_md *ctx)
{
	__u8 *data = (void *)(long)ctx->data, *end = (void *)(long)ctx->data_end;
	__u32 crc = 0;
	int *n;
	ITER(it);

	bpf_iter_num_new(it, 0, 1500);
	while ((n = bpf_iter_num_next(it))) {
		__u32 at = (__u32)*n;

		if (at >= 1500 || data + at + 1 > end)
			break;
		crc = (crc << 5 | crc >> 27) ^ data[at];
	}
	bpf_iter_num_destroy(it);
	return (int)crc;
}

SEC("xdp")
int nested(struct xdp_md *ctx)
{
	int *a, *b, total = 0;
	ITER(outer);
	ITER(inner);

	bpf_iter_num_new(outer, 0, 20);
	while ((a = bpf_iter_num_next(outer))) {
		int most = *a;

		bpf_iter_num_new(inner, -3, most);
		while ((b = bpf_iter_num_next(inner)))
			total += *b * most;
		bpf_iter_num_destroy(inner);
	}
	bpf_iter_num_destroy(outer);
	return total;
}

static int inline_always count(int start, int end)
{
	int made, rounds = 0;
	ITER(it);

	made = bpf_iter_num_new(it, start, end);
	while (bpf_iter_num_next(it) && rounds < 5)
		rounds++;
	bpf_iter_num_destroy(it);
	return made * 8 + rounds;
}

SEC("xdp")
int edges(struct xdp_md *ctx)
{
	int hash = 0;

	hash = hash * 31 + count(0, 0);
	hash = hash * 31 + count(1, 0);
	hash = hash * 31 + count(-2, 2);
	hash = hash * 31 + count(0, 1 << 23);
	hash = hash * 31 + count(0, (1 << 23) + 1);
	hash = hash * 31 + count(-2147483647 - 1, 2147483647);
	hash = hash * 31 + count(-2147483647 - 1, -2147483645);
	hash = hash * 31 + count(2147483645, 2147483647);
	return hash;
}

SEC("xdp")
int stops(struct xdp_md *ctx)
{
	int *n, found = -1;
	ITER(it);

	bpf_iter_num_new(it, 0, 100);
	while ((n = bpf_iter_num_next(it)))
		if (*n * *n > 2000) {
			found = *n;
			break;
		}
	bpf_iter_num_destroy(it);
	return found;
}

/* Behind the last one there is none for good; and the place can be used again. */
SEC("xdp")
int again(struct xdp_md *ctx)
{
	int rounds = 0;
	ITER(it);

	bpf_iter_num_new(it, 0, 3);
	while (bpf_iter_num_next(it))
		rounds++;
	if (bpf_iter_num_next(it))
		rounds += 100;
	bpf_iter_num_destroy(it);
	bpf_iter_num_new(it, 0, 7);
	while (bpf_iter_num_next(it))
		rounds += 10;
	bpf_iter_num_destroy(it);
	return rounds;
}

SEC("xdp")
int in_map(struct xdp_md *ctx)
{
	__u64 total = 0;
	int *n;
	ITER(it);

	bpf_iter_num_new(it, 0, 12);
	while ((n = bpf_iter_num_next(it))) {
		__u32 key = (__u32)*n;
		__u64 *value = bpf_map_lookup_elem(&values, &key);

		if (!value)
			continue;
		*value += key;
		total += *value;
	}
	bpf_iter_num_destroy(it);
	return (int)total;
}

static __attribute__((noinline)) int take(struct bpf_iter_num *it)
{
	int *n = bpf_iter_num_next(it);

	return n ? *n : -1;
}

SEC("xdp")
int in_callee(struct xdp_md *ctx)
{
	int total = 0;
	ITER(it);

	bpf_iter_num_new(it, 5, 8);
	total += take(it);
	total += take(it) * 10;
	total += take(it) * 100;
	total += take(it) * 1000;
	bpf_iter_num_destroy(it);
	return total;
}

SEC("xdp")
int kept(struct xdp_md *ctx)
{
	ITER(it);

	bpf_iter_num_new(it, 0, 3);
	return 0;
}

SEC("xdp")
int not_made(struct xdp_md *ctx)
{
	ITER(it);

	return bpf_iter_num_next(it) != 0;
}

SEC("xdp")
int made_twice(struct xdp_md *ctx)
{
	ITER(it);

	bpf_iter_num_new(it, 0, 3);
	bpf_iter_num_new(it, 0, 3);
	bpf_iter_num_destroy(it);
	return 0;
}

SEC("xdp")
int destroyed(struct xdp_md *ctx)
{
	ITER(it);

	bpf_iter_num_new(it, 0, 3);
	bpf_iter_num_destroy(it);
	return bpf_iter_num_next(it) != 0;
}

SEC("xdp")
int unchecked(struct xdp_md *ctx)
{
	int n;
	ITER(it);

	bpf_iter_num_new(it, 0, 3);
	n = *bpf_iter_num_next(it);
	bpf_iter_num_destroy(it);
	return n;
}

SEC("xdp")
int written(struct xdp_md *ctx)
{
	int *n;
	ITER(it);

	bpf_iter_num_new(it, 0, 3);
	n = bpf_iter_num_next(it);
	if (n)
		*n = 1;
	bpf_iter_num_destroy(it);
	return 0;
}

SEC("xdp")
int looked_into(struct xdp_md *ctx)
{
	int n;
	ITER(it);

	bpf_iter_num_new(it, 0, 3);
	n = *(volatile int *)it;
	bpf_iter_num_destroy(it);
	return n;
}

/* Rounds that the verifier can't count, so that the place isn't known. */
SEC("xdp")
int counts_too_far(struct xdp_md *ctx)
{
	__u32 key = 0, at = 0;
	__u8 *value = bpf_map_lookup_elem(&values, &key);
	ITER(it);

	if (!value)
		return 0;
	bpf_iter_num_new(it, 0, 3);
	while (bpf_iter_num_next(it))
		at++;
	bpf_iter_num_destroy(it);
	return value[at];
}

SEC("xdp")
int overwritten(struct xdp_md *ctx)
{
	ITER(it);

	bpf_iter_num_new(it, 0, 3);
	*(volatile __u64 *)it = 0;
	return 0;
}

char _license[] SEC("license") = "GPL";
