// SPDX-License-Identifier: BSD-2-Clause
/* Subprograms: static, global (verified by themselves), weak, in other sections, four deep, with structs by pointer and
 * five arguments.
 *
 * run: main_xdp tcp4 udp4
 * run: second tcp4
 * run: other_type tcp4
 */
#include "corpus.h"

struct pair {
	__u64 a, b;
};

#define NOINLINE __attribute__((noinline))

static NOINLINE __u64 leaf(__u64 x)
{
	OPAQUE(x);
	return x * x + 1;
}

static NOINLINE __u64 middle(__u64 x, __u64 y)
{
	return leaf(x) + leaf(y);
}

static NOINLINE __u64 upper(__u64 a, __u64 b, __u64 c, __u64 d, __u64 e)
{
	return middle(a, b) ^ middle(c, d) ^ leaf(e);
}

NOINLINE int global_sum(int a, int b)
{
	return (int)leaf((__u32)a) + b;
}

NOINLINE __weak int weak_one(int x)
{
	return x + 7;
}

static NOINLINE void swap_pair(struct pair *p)
{
	__u64 t = p->a;

	p->a = p->b;
	p->b = t;
}

SEC("xdp")
int main_xdp(struct xdp_md *ctx)
{
	__u64 len = ctx->data_end - ctx->data;
	struct pair p = {len, 3};

	swap_pair(&p);
	return (int)(upper(len, 2, 3, p.b, p.a) + (__u32)global_sum((int)len, 4) +
		     (__u32)weak_one(5));
}

SEC("xdp")
int second(struct xdp_md *ctx)
{
	return (int)leaf(ctx->data_end - ctx->data) + weak_one(1);
}

SEC("tc")
int other_type(struct __sk_buff *skb)
{
	return global_sum((int)skb->len, 1) + (int)middle(1, skb->len);
}

char _license[] SEC("license") = "BSD";
