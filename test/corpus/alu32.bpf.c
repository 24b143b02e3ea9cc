// SPDX-License-Identifier: BSD-2-Clause
/* 32-bit arithmetic, comparisons and shifts, with values that would show wrong upper halves.
 *
 * run: arithmetic tcp4 udp4 arp
 * run: shifts tcp4 udp4
 * run: compares tcp4 udp4 arp
 */
#include "corpus.h"

static __attribute__((noinline)) __u32 u(__u32 x)
{
	OPAQUE(x);
	return x;
}

SEC("xdp")
int arithmetic(struct xdp_md *ctx)
{
	__u32 n = u(ctx->data_end - ctx->data), r = 0;

	r = r * 37 + (n - 1000);
	r = r * 37 + (0xffffffff + n);
	r = r * 37 + (n * 0x10001);
	r = r * 37 + (0xdeadbeef / n);
	r = r * 37 + (0xdeadbeef % n);
	r = r * 37 + (n & 0x55);
	r = r * 37 + (~n | 0xf0);
	r = r * 37 + (n ^ 0x80000000);
	r = r * 37 + (__u32) - (__s32)n;
	r = r * 37 + (__u8)(n * 3);
	r = r * 37 + (__u16)(n * 3000);
	r = r * 37 + (__u32)((__u64)n * 0x100000001 >> 16);
	return (int)r;
}

SEC("xdp")
int shifts(struct xdp_md *ctx)
{
	__u32 n = u(ctx->data_end - ctx->data), r = 0, by = n & 31;
	__s32 s = (__s32)(n | 0x80000000);

	r = r * 41 + (n << by);
	r = r * 41 + (0x87654321 >> by);
	r = r * 41 + (__u32)(s >> by);
	r = r * 41 + (__u32)(s >> 7);
	r = r * 41 + (n << 27);
	r = r * 41 + (n >> 3);
	r = r * 41 + (n << 5 | n >> 27);
	return (int)r;
}

SEC("xdp")
int compares(struct xdp_md *ctx)
{
	__u32 n = u(ctx->data_end - ctx->data);
	__u32 v[4] = {0, n, 0x7fffffff, 0x80000000};
	int r = 0;

	for (int i = 0; i < 4; i++) {
		__u32 x = u(v[i]);

		for (int k = 0; k < 4; k++) {
			__u32 y = u(v[k]);

			r = r * 3 + (x < y);
			r = r * 3 + ((__s32)x < (__s32)y);
			r = r * 3 + (x >= y) + ((__s32)x > (__s32)y);
			if (x & y)
				r += 5;
		}
	}
	return r;
}

char _license[] SEC("license") = "BSD";
