// SPDX-License-Identifier: BSD-2-Clause
/* CRC-32 of a packet by a table in .rodata, and Adler-32.
 *
 * build: v2
 * run: crc tcp4 udp4 udp4_dns
 * run: adler tcp4 udp4
 */
#include "corpus.h"

#define R1(c) ((c)&1 ? 0xedb88320u ^ (c) >> 1 : (c) >> 1)
#define R4(c) R1(R1(R1(R1((__u32)(c)))))
/* The table by nibbles: sixteen entries. */
static const volatile __u32 table[16] = {R4(0), R4(1), R4(2), R4(3), R4(4), R4(5), R4(6), R4(7),
	R4(8), R4(9), R4(10), R4(11), R4(12), R4(13), R4(14), R4(15)};

SEC("xdp")
int crc(struct xdp_md *ctx)
{
	__u8 *p = (void *)(long)ctx->data, *end = (void *)(long)ctx->data_end;
	__u32 c = 0xffffffff;

	for (int i = 0; i < 256; i++) {
		if (p + 1 > end)
			break;
		c ^= *p++;
		c = table[c & 15] ^ c >> 4;
		c = table[c & 15] ^ c >> 4;
	}
	return (int)~c;
}

SEC("xdp")
int adler(struct xdp_md *ctx)
{
	__u8 *p = (void *)(long)ctx->data, *end = (void *)(long)ctx->data_end;
	__u32 a = 1, b = 0;

	for (int i = 0; i < 256; i++) {
		if (p + 1 > end)
			break;
		a = (a + *p++) % 65521;
		b = (b + a) % 65521;
	}
	return (int)(b << 16 | a);
}

char _license[] SEC("license") = "BSD";
