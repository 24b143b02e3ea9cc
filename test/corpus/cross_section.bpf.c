// SPDX-License-Identifier: BSD-2-Clause
/* Global functions whose arguments are described by BTF: the context, memory that may be NULL, scalars, results that
 * callers know nothing of.
 *
 * build: g
 * run: entry tcp4 udp4
 * run: null_mem tcp4
 * run: in_tc tcp4
 */
#include "corpus.h"

struct totals {
	__u64 bytes;
	__u32 packets, last;
};

MAP(totals, BPF_MAP_TYPE_ARRAY, __u32, struct totals, 1);

__attribute__((noinline)) int length(struct xdp_md *ctx)
{
	return (int)(ctx->data_end - ctx->data);
}

__attribute__((noinline)) int account(struct totals *t, __u32 len)
{
	if (!t)
		return -1;
	t->bytes += len;
	t->last = len;
	return (int)++t->packets;
}

__attribute__((noinline)) int weight(const struct totals *t)
{
	struct totals zero = {1, 2, 3};

	if (!t)
		t = &zero;
	return (int)t->bytes + (int)t->packets;
}

__attribute__((noinline)) __u64 wide(__u64 x)
{
	return x << 32 | 5;
}

SEC("xdp")
int entry(struct xdp_md *ctx)
{
	struct totals local = {}, *t;
	__u32 zero = 0, len = (__u32)length(ctx);

	t = bpf_map_lookup_elem(&totals, &zero);
	if (!t)
		return -1;
	account(&local, 10);
	account(t, len);
	return account(&local, len) * 1000000 + weight(t) + weight(&local) + (int)(wide(len) >> 30);
}

SEC("xdp")
int null_mem(struct xdp_md *ctx)
{
	return account(0, 1) + weight(0);
}

SEC("tc")
int in_tc(struct __sk_buff *skb)
{
	struct totals local = {skb->len, 0, 0};

	return account(&local, 1) + weight(&local);
}

char _license[] SEC("license") = "GPL";
