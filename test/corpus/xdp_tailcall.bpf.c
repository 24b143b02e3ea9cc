// SPDX-License-Identifier: BSD-2-Clause
/* Tail calls: a static prog array, a dispatcher by protocol, a program that calls itself until the limit, an empty entry,
 * an index behind the end, a call out of a subprogram.
 *
 * build: g
 * run: dispatch tcp4 udp4 icmp4 arp
 * run: forever tcp4 udp4
 * run: missing tcp4
 * run: from_subprogram tcp4 arp
 */
#include "corpus.h"

int on_tcp(struct xdp_md *ctx);
int on_udp(struct xdp_md *ctx);
int forever(struct xdp_md *ctx);

struct {
	__uint(type, BPF_MAP_TYPE_PROG_ARRAY);
	__uint(max_entries, 20);
	__type(key, __u32);
	__array(values, int(struct xdp_md *));
} by_proto SEC(".maps") = {
	.values = {[PROTO_TCP] = &on_tcp, [PROTO_UDP] = &on_udp, [3] = &forever},
};

MAP(calls, BPF_MAP_TYPE_ARRAY, __u32, __u64, 4);

static inline_always __u64 bump(__u32 which)
{
	__u64 *n = bpf_map_lookup_elem(&calls, &which);

	return n ? ++*n : 0;
}

SEC("xdp")
int on_tcp(struct xdp_md *ctx)
{
	bump(0);
	return XDP_TX;
}

SEC("xdp")
int on_udp(struct xdp_md *ctx)
{
	bump(1);
	return XDP_DROP;
}

SEC("xdp")
int dispatch(struct xdp_md *ctx)
{
	void *at = (void *)(long)ctx->data, *end = (void *)(long)ctx->data_end;
	struct eth *e = TAKE(at, end, struct eth);
	struct ip4 *ip;

	if (!e || e->type != bpf_htons(ETHERTYPE_IP))
		return XDP_PASS;
	ip = TAKE(at, end, struct ip4);
	if (!ip)
		return XDP_ABORTED;
	bpf_tail_call(ctx, &by_proto, ip->proto);
	return XDP_REDIRECT;
}

SEC("xdp")
int forever(struct xdp_md *ctx)
{
	__u64 n = bump(2);

	bpf_tail_call(ctx, &by_proto, 3);
	return (int)n + 1000;
}

SEC("xdp")
int missing(struct xdp_md *ctx)
{
	bpf_tail_call(ctx, &by_proto, 5);
	bpf_tail_call(ctx, &by_proto, 20);
	bpf_tail_call(ctx, &by_proto, 0xffffffff);
	return 55;
}

static __attribute__((noinline)) int through(struct xdp_md *ctx, __u32 index)
{
	bump(3);
	bpf_tail_call(ctx, &by_proto, index);
	return 7;
}

/* The call ends the subprogram only: what it returns comes back here. */
SEC("xdp")
int from_subprogram(struct xdp_md *ctx)
{
	int a = through(ctx, PROTO_TCP), b = through(ctx, 19);

	return a * 100 + b * 10 + 1;
}

char _license[] SEC("license") = "GPL";
