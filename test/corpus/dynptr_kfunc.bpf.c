// SPDX-License-Identifier: BSD-2-Clause
/* Dynptrs over packets, which kernel functions make: slices, sizes, read-only packets.
 *
 * build: g
 * run: over_skb tcp4 udp4
 * run: over_xdp tcp4
 * run: shape udp4
 */
#include "corpus.h"

extern int bpf_dynptr_from_skb(struct __sk_buff *skb, __u64 flags, struct bpf_dynptr *ptr) __ksym;
extern int bpf_dynptr_from_xdp(struct xdp_md *xdp, __u64 flags, struct bpf_dynptr *ptr) __ksym;
extern void *bpf_dynptr_slice(
	const struct bpf_dynptr *ptr, __u32 off, void *buffer, __u32 size) __ksym;
extern void *bpf_dynptr_slice_rdwr(
	const struct bpf_dynptr *ptr, __u32 off, void *buffer, __u32 size) __ksym;
extern int bpf_dynptr_adjust(const struct bpf_dynptr *ptr, __u32 start, __u32 end) __ksym;
extern __u32 bpf_dynptr_size(const struct bpf_dynptr *ptr) __ksym;
extern _Bool bpf_dynptr_is_null(const struct bpf_dynptr *ptr) __ksym;
extern _Bool bpf_dynptr_is_rdonly(const struct bpf_dynptr *ptr) __ksym;
extern int bpf_dynptr_clone(const struct bpf_dynptr *ptr, struct bpf_dynptr *clone) __ksym;

SEC("tc")
int over_skb(struct __sk_buff *skb)
{
	__u8 buffer[sizeof(struct ip4)] = {};
	struct bpf_dynptr d;
	__be32 addr = bpf_htonl(0x0a0b0c0d);
	struct ip4 *ip;

	if (bpf_dynptr_from_skb(skb, 0, &d))
		return -1;
	ip = bpf_dynptr_slice(&d, sizeof(struct eth), buffer, sizeof(buffer));
	if (!ip)
		return -2;
	skb->cb[0] = ip->proto;
	if (bpf_dynptr_write(&d, sizeof(struct eth) + 12, &addr, 4, 0))
		return -3;
	return (int)bpf_dynptr_size(&d);
}

SEC("xdp")
int over_xdp(struct xdp_md *ctx)
{
	struct bpf_dynptr d;
	struct eth buffer, *e;
	__u32 word = 0;

	if (bpf_dynptr_from_xdp(ctx, 0, &d))
		return -1;
	e = bpf_dynptr_slice_rdwr(&d, 0, &buffer, sizeof(buffer));
	if (!e)
		return -2;
	e->dst[5] = 0x99;
	if (bpf_dynptr_read(&word, 4, &d, 26, 0))
		return -3;
	if (!bpf_dynptr_read(&word, 4, &d, bpf_dynptr_size(&d) - 3, 0))
		return -4;
	return (int)bpf_dynptr_size(&d);
}

SEC("tc")
int shape(struct __sk_buff *skb)
{
	struct bpf_dynptr d, copy;
	__u32 size;
	int ok = 0;

	if (bpf_dynptr_from_skb(skb, 0, &d))
		return -1;
	size = bpf_dynptr_size(&d);
	ok |= !bpf_dynptr_is_null(&d) << 0;
	ok |= !bpf_dynptr_is_rdonly(&d) << 1;
	ok |= (bpf_dynptr_adjust(&d, 14, size - 2) == 0) << 2;
	ok |= (bpf_dynptr_size(&d) == size - 16) << 3;
	ok |= (bpf_dynptr_clone(&d, &copy) == 0) << 4;
	ok |= (bpf_dynptr_adjust(&copy, size, size) == -34) << 5;
	ok |= (bpf_dynptr_adjust(&copy, 5, 4) == -22) << 6;
	ok |= (bpf_dynptr_size(&copy) == size - 16) << 7;
	return ok;
}

char _license[] SEC("license") = "GPL";
