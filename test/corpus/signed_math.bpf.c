// SPDX-License-Identifier: BSD-2-Clause
/* Signed division, sign-extending loads and moves: single instructions on the newest CPU version, sequences before it.
 *
 * build: v4
 * run: divide tcp4 udp4 arp
 * run: extend tcp4 udp4 arp
 * run: loads tcp4 tcp6
 */
#include "corpus.h"

signed char c8 = -5;
short c16 = -3000;
int c32 = -70000;
long long c64 = -7000000000;

SEC("xdp")
int divide(struct xdp_md *ctx)
{
	__s64 n = (__s64)(ctx->data_end - ctx->data) - 70, r = 0;
	__s32 m = (__s32)n;

	OPAQUE(n);
	OPAQUE(m);
	r = r * 7 + n / 3;
	r = r * 7 + n % 3;
	r = r * 7 + c64 / (n ? n : 1);
	r = r * 7 + c64 % (n ? n : 1);
	r = r * 7 + m / -7;
	r = r * 7 + m % -7;
	r = r * 7 + c32 / (m ? m : -1);
	r = r * 7 + c32 % (m ? m : -1);
	return (int)(r ^ r >> 32);
}

SEC("xdp")
int extend(struct xdp_md *ctx)
{
	__u64 n = (ctx->data_end - ctx->data) * 0x9e3779b97f4a7c15;
	__s64 r = 0;

	OPAQUE(n);
	r = r * 5 + (signed char)n;
	r = r * 5 + (short)n;
	r = r * 5 + (int)n;
	r = r * 5 + (int)(signed char)(n >> 8);
	r = r * 5 + (int)(short)(n >> 16);
	r += (long long)c8 + c16 + c32 + c64;
	return (int)(r ^ r >> 32);
}

SEC("xdp")
int loads(struct xdp_md *ctx)
{
	signed char *p = (void *)(long)ctx->data;
	__s64 r;

	if ((void *)(p + 64) > (void *)(long)ctx->data_end)
		return -1;
	r = p[12] + p[20];
	r = r * 9 + *(short *)(p + 24);
	r = r * 9 + *(int *)(p + 26);
	r = r * 9 + (p[50] < 0);
	return (int)r;
}

char _license[] SEC("license") = "BSD";
