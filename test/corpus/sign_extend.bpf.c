// SPDX-License-Identifier: BSD-2-Clause
/* Sign extension and signed comparisons as every CPU version compiles them.
 *
 * run: extend tcp4 udp4 arp
 * run: loads tcp4 tcp6
 * run: clamp tcp4 udp4 arp big_udp4
 */
#include "corpus.h"

signed char c8 = -5;
short c16 = -3000;
int c32 = -70000;
long long c64 = -7000000000;

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

SEC("xdp")
int clamp(struct xdp_md *ctx)
{
	__s64 n = (__s64)(ctx->data_end - ctx->data) - 60;
	int s = (int)n * 1000000;

	OPAQUE(n);
	OPAQUE(s);
	if (n < -10)
		n = -10;
	if (n > 30)
		n = 30;
	if (s < -5)
		s = -5;
	else if (s > 2000000000)
		s = 2;
	return (int)n * 1000 + s % 1000u;
}

char _license[] SEC("license") = "BSD";
