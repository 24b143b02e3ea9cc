// SPDX-License-Identifier: BSD-2-Clause
/* Byte swaps of 16, 32 and 64 bits, conditional and not; bits counted and found.
 *
 * run: swaps tcp4 udp4 tcp6
 * run: bits tcp4 udp4 arp
 */
#include "corpus.h"

SEC("xdp")
int swaps(struct xdp_md *ctx)
{
	__u8 *p = (void *)(long)ctx->data;
	__u64 r;

	if ((void *)(p + 40) > (void *)(long)ctx->data_end)
		return -1;
	r = bpf_ntohs(*(__u16 *)(p + 12));
	r = r * 3 + bpf_ntohl(*(__u32 *)(p + 26));
	r = r * 3 + bpf_be64_to_cpu(*(__u64 *)(p + 30));
	r = r * 3 + __builtin_bswap16(*(__u16 *)(p + 16));
	r = r * 3 + __builtin_bswap32((__u32)r);
	r = r * 3 + __builtin_bswap64(r);
	r = r * 3 + (bpf_htonl(0x01020304) == *(__u32 *)p);
	*(__u64 *)(p + 32) = bpf_cpu_to_be64(r);
	return (int)(r ^ r >> 32);
}

static inline_always __u32 ones(__u64 x)
{
	x -= x >> 1 & 0x5555555555555555;
	x = (x & 0x3333333333333333) + (x >> 2 & 0x3333333333333333);
	x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0f;
	return (__u32)(x * 0x0101010101010101 >> 56);
}

SEC("xdp")
int bits(struct xdp_md *ctx)
{
	__u64 n = (ctx->data_end - ctx->data) * 0x123456789abcdef, log = 0;

	OPAQUE(n);
	for (__u64 x = n; x > 1 && log < 64; x >>= 1)
		log++;
	return (int)(ones(n) * 100 + log);
}

char _license[] SEC("license") = "BSD";
