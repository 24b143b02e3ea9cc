// SPDX-License-Identifier: BSD-2-Clause
/* Dynptrs by helpers: over map values and ring buffer records; read, written, looked into, out of bounds.
 *
 * build: g
 * run: over_value tcp4 udp4
 * run: record tcp4
 * run: bad tcp4
 */
#include "corpus.h"

struct value {
	__u8 bytes[64];
};

MAP(store, BPF_MAP_TYPE_ARRAY, __u32, struct value, 1);

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} ring SEC(".maps");

SEC("xdp")
int over_value(struct xdp_md *ctx)
{
	__u32 zero = 0, len = ctx->data_end - ctx->data;
	struct value *v = bpf_map_lookup_elem(&store, &zero);
	__u64 back = 0, *in;
	struct bpf_dynptr d;

	if (!v)
		return -1;
	if (bpf_dynptr_from_mem(v->bytes, sizeof(v->bytes), 0, &d))
		return -2;
	if (bpf_dynptr_write(&d, 5, &len, sizeof(len), 0))
		return -3;
	if (bpf_dynptr_read(&back, sizeof(back), &d, 4, 0))
		return -4;
	in = bpf_dynptr_data(&d, 16, sizeof(*in));
	if (!in)
		return -5;
	*in += 3;
	return (int)(back >> 8);
}

SEC("xdp")
int record(struct xdp_md *ctx)
{
	__u32 len = ctx->data_end - ctx->data, two = 2;
	struct bpf_dynptr d;
	long r;

	r = bpf_ringbuf_reserve_dynptr(&ring, len, 0, &d);
	if (!r) {
		bpf_dynptr_write(&d, 0, &len, sizeof(len), 0);
		r = bpf_dynptr_write(&d, len - 4, &two, sizeof(two), 0);
		r += bpf_dynptr_write(&d, len - 3, &two, sizeof(two), 0);
	}
	bpf_ringbuf_submit_dynptr(&d, 0);
	r += bpf_ringbuf_reserve_dynptr(&ring, 8, 0, &d) * 1000;
	bpf_ringbuf_discard_dynptr(&d, 0);
	return (int)r;
}

SEC("xdp")
int bad(struct xdp_md *ctx)
{
	__u32 zero = 0;
	struct value *v = bpf_map_lookup_elem(&store, &zero);
	struct bpf_dynptr d;
	__u64 x = 1;
	int ok = 0;

	if (!v)
		return -1;
	ok |= (bpf_dynptr_from_mem(v->bytes, 64, 1, &d) == -22) << 0;
	ok |= (bpf_dynptr_read(&x, 8, &d, 0, 0) == -22) << 1; /* nothing in it */
	ok |= (bpf_dynptr_from_mem(v->bytes, 64, 0, &d) == 0) << 2;
	ok |= (bpf_dynptr_read(&x, 8, &d, 57, 0) == -7) << 3;
	ok |= (bpf_dynptr_write(&d, 60, &x, 8, 0) == -7) << 4;
	ok |= (bpf_dynptr_read(&x, 8, &d, 0, 1) == -22) << 5;
	ok |= (bpf_dynptr_write(&d, 0, &x, 8, 1) == -22) << 6;
	ok |= (!bpf_dynptr_data(&d, 60, 8)) << 7;
	ok |= (bpf_dynptr_read(&x, 8, &d, 56, 0) == 0) << 8;
	return ok;
}

char _license[] SEC("license") = "GPL";
