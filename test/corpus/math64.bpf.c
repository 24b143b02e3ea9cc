// SPDX-License-Identifier: BSD-2-Clause
/* 64-bit arithmetic: multiplication and division by constants and not, 128-bit products by halves, square roots, and
 * division by zero, which is defined.
 *
 * run: divide tcp4 udp4 arp
 * run: product tcp4 udp4
 * run: root tcp4 udp4
 */
#include "corpus.h"

SEC("xdp")
int divide(struct xdp_md *ctx)
{
	__u64 n = (ctx->data_end - ctx->data) * 0xfedcba9876543211, d = ctx->data_end - ctx->data,
	      zero = d - d, r = 0;

	OPAQUE(n);
	OPAQUE(d);
	OPAQUE(zero);
	r = r * 11 + n / 10;
	r = r * 11 + n % 1000000007;
	r = r * 11 + n / d;
	r = r * 11 + n % d;
	r = r * 11 + n / (d << 33);
	r = r * 11 + n % (d << 33);
	r = r * 11 + (n >> 63) + (n << 9) + (__u64)((__s64)n >> 13);
	return (int)(r ^ r >> 32);
}

SEC("xdp")
int product(struct xdp_md *ctx)
{
	__u64 a = (ctx->data_end - ctx->data) * 0xfedcba9876543211, b = ~a, low, high;
	__u64 al = (__u32)a, ah = a >> 32, bl = (__u32)b, bh = b >> 32, mid;

	mid = ah * bl + (al * bl >> 32);
	low = a * b;
	high = ah * bh + (mid >> 32) + ((al * bh + (__u32)mid) >> 32);
	return (int)(low ^ low >> 32 ^ high ^ high >> 32);
}

SEC("xdp")
int root(struct xdp_md *ctx)
{
	__u64 n = (ctx->data_end - ctx->data) * 0x1234 & 0xfffff, bit = 1ull << 18, r = 0;

#pragma unroll
	for (int i = 0; i < 10; i++, bit >>= 2) {
		/* All ones or zero, without a branch: paths would double each time. */
		__u64 fits = ((n - (r + bit)) >> 63) - 1;

		n -= (r + bit) & fits;
		r = (r >> 1) + (bit & fits);
	}
	return (int)r;
}

char _license[] SEC("license") = "BSD";
