// SPDX-License-Identifier: BSD-2-Clause
/* Memory on the stack: structs copied, cleared, compared, unions, packed fields, bit fields, arrays of structs.
 *
 * run: copies tcp4 udp4
 * run: bit_fields tcp4 udp4
 * run: packed tcp4 arp
 */
#include "corpus.h"

struct inner {
	__u8 a;
	__u16 b;
	__u32 c;
	__u64 d;
};

struct outer {
	struct inner in[3];
	union {
		__u64 wide;
		__u32 halves[2];
		__u8 bytes[8];
	} u;
};

struct flags {
	__u32 low : 3, middle : 13, high : 16;
	__s32 sign : 5;
	__u64 big : 40;
};

struct odd {
	__u8 a;
	__u32 b;
	__u64 c;
	__u16 d;
} PACKED;

SEC("xdp")
int copies(struct xdp_md *ctx)
{
	__u32 len = ctx->data_end - ctx->data;
	struct outer x, y;
	__u64 sum = 0;

	__builtin_memset(&x, 0, sizeof(x));
	for (int i = 0; i < 3; i++) {
		x.in[i].a = (__u8)(len + i);
		x.in[i].b = (__u16)(len * 300 + i);
		x.in[i].c = len * 70000;
		x.in[i].d = (__u64)len << 33;
	}
	x.u.wide = 0x0102030405060708ull * len;
	y = x;
	y.in[1] = x.in[2];
	y.u.bytes[3] = 0xee;
	__builtin_memcpy(&y.in[0], &x.in[1], sizeof(x.in[0]));
	for (int i = 0; i < 3; i++)
		sum = sum * 13 + y.in[i].a + y.in[i].b + y.in[i].c + y.in[i].d;
	sum = sum * 13 + y.u.halves[0] + y.u.halves[1];
	return (int)(sum ^ sum >> 32);
}

SEC("xdp")
int bit_fields(struct xdp_md *ctx)
{
	__u32 len = ctx->data_end - ctx->data;
	volatile struct flags f = {0};

	f.low = len;
	f.middle = len * 99;
	f.high = len * 999;
	f.sign = (int)len;
	f.big = (__u64)len << 30;
	return (int)(f.low + f.middle * 3 + f.high * 5 + (__u32)f.sign * 7 + (__u32)(f.big >> 20));
}

SEC("xdp")
int packed(struct xdp_md *ctx)
{
	struct odd *o = (void *)(long)ctx->data, copy;
	__u64 sum;

	if ((void *)(o + 2) > (void *)(long)ctx->data_end)
		return -1;
	copy = o[1];
	sum = o->a + o->b + o->c + o->d;
	sum = sum * 3 + copy.a + copy.b + copy.c + copy.d;
	o->c = sum;
	o[1].b = copy.b + 1;
	return (int)(sum ^ sum >> 32);
}

char _license[] SEC("license") = "BSD";
