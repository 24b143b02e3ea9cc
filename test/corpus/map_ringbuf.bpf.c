// SPDX-License-Identifier: BSD-2-Clause
/* The ring buffer: reserved, submitted, discarded, copied in, asked; records of sizes that aren't multiples of 8; a full
 * one.
 *
 * build: g
 * run: report tcp4 udp4 arp
 * run: drop_some tcp4 udp4
 * run: query tcp4
 * run: full tcp4
 */
#include "corpus.h"

struct event {
	__u32 len;
	__be16 type;
	__u8 mac[6];
};

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} events SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} tiny SEC(".maps");

SEC("xdp")
int report(struct xdp_md *ctx)
{
	struct eth *e = (void *)(long)ctx->data;
	struct event *ev;
	__u8 mac[5];

	if ((void *)(e + 1) > (void *)(long)ctx->data_end)
		return XDP_ABORTED;
	ev = bpf_ringbuf_reserve(&events, sizeof(*ev), 0);
	if (!ev)
		return XDP_DROP;
	ev->len = ctx->data_end - ctx->data;
	ev->type = e->type;
	__builtin_memcpy(ev->mac, e->src, 6);
	bpf_ringbuf_submit(ev, 0);
	__builtin_memcpy(mac, e->dst, 5);
	bpf_ringbuf_output(&events, mac, 5, BPF_RB_NO_WAKEUP);
	return XDP_PASS;
}

SEC("xdp")
int drop_some(struct xdp_md *ctx)
{
	__u64 *a = bpf_ringbuf_reserve(&events, 8, 0), *b;

	if (!a)
		return 1;
	b = bpf_ringbuf_reserve(&events, 24, 0);
	if (!b) {
		bpf_ringbuf_discard(a, BPF_RB_NO_WAKEUP);
		return 2;
	}
	*a = 0x1111;
	b[0] = 0x2222;
	b[1] = 0x3333;
	b[2] = ctx->data_end - ctx->data;
	bpf_ringbuf_submit(b, BPF_RB_FORCE_WAKEUP);
	bpf_ringbuf_discard(a, 0);
	return 0;
}

SEC("xdp")
int query(struct xdp_md *ctx)
{
	__u64 size = bpf_ringbuf_query(&tiny, BPF_RB_RING_SIZE),
	      before = bpf_ringbuf_query(&tiny, BPF_RB_PROD_POS), *p;
	__u64 after;

	p = bpf_ringbuf_reserve(&tiny, 100, 0);
	if (!p)
		return -1;
	p[0] = p[1] = p[2] = p[3] = p[4] = p[5] = p[6] = p[7] = p[8] = p[9] = p[10] = p[11] = 0;
	*((__u32 *)p + 24) = 0x77;
	after = bpf_ringbuf_query(&tiny, BPF_RB_PROD_POS);
	bpf_ringbuf_submit(p, 0);
	return (int)(size + (after - before) * 10000 +
		     bpf_ringbuf_query(&tiny, BPF_RB_CONS_POS) * 1000000 +
		     bpf_ringbuf_query(&tiny, 99));
}

/* Fills the buffer: how many went in, and the error then. */
SEC("xdp")
int full(struct xdp_md *ctx)
{
	__u8 record[504] = {1, 2, 3};
	long error = 0;
	int n;

	for (n = 0; n < 20; n++) {
		record[503] = (__u8)n;
		error = bpf_ringbuf_output(&tiny, record, sizeof(record), 0);
		if (error)
			break;
	}
	if (bpf_ringbuf_output(&tiny, record, 8, 4) != -22)
		return -1;
	return n << 8 | (int)-error;
}

char _license[] SEC("license") = "GPL";
