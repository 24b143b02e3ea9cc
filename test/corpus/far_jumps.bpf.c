// SPDX-License-Identifier: BSD-2-Clause
/* A function so long that jumps over it don't fit into 16 bits: only the newest CPU version has an instruction for that.
 *
 * build: v4
 * run: far tcp4 udp4
 */
#include "corpus.h"

SEC("xdp")
int far(struct xdp_md *ctx)
{
	__u64 len = ctx->data_end - ctx->data, r = len;

	if (len > 60)
		asm goto("gotol %l[behind]" : : : : behind);
	asm volatile(".rept 17000\n%0 *= 3\n%0 ^= 5\n.endr" : "+r"(r));
	asm goto("gotol %l[back]" : : : : back);
behind:
	return (int)r;
back:
	return (int)(r ^ r >> 32);
}

char _license[] SEC("license") = "BSD";
