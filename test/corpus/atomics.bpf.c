// SPDX-License-Identifier: BSD-2-Clause
/* Atomics of 32 and 64 bits: with and without the old value, exchange, compare and exchange, on maps and on the stack.
 *
 * build: v3
 * run: wide tcp4 udp4
 * run: narrow tcp4 udp4
 * run: on_stack tcp4
 */
#include "corpus.h"

__u64 a = 1, b = 0xff00ff00, c = 3, d = 4, e = 5, f;
__u32 g = 10, h = 0xffff0000, i = 30, j = 40;

SEC("xdp")
int wide(struct xdp_md *ctx)
{
	__u64 len = ctx->data_end - ctx->data, r = 0;

	__sync_fetch_and_add(&f, len);
	r = r * 31 + __sync_fetch_and_add(&a, len);
	r = r * 31 + __sync_fetch_and_and(&b, len | 0xf000);
	r = r * 31 + __sync_fetch_and_or(&c, len << 40);
	r = r * 31 + __sync_fetch_and_xor(&d, len);
	r = r * 31 + __sync_lock_test_and_set(&e, len);
	r = r * 31 + __sync_val_compare_and_swap(&e, len, 77);
	r = r * 31 + __sync_val_compare_and_swap(&e, 1, 78);
	return (int)(r ^ r >> 32);
}

SEC("xdp")
int narrow(struct xdp_md *ctx)
{
	__u32 len = ctx->data_end - ctx->data, r = 0;

	r = r * 31 + __sync_fetch_and_add(&g, 0xffffffff);
	r = r * 31 + __sync_fetch_and_or(&h, len);
	r = r * 31 + __sync_fetch_and_xor(&i, len);
	r = r * 31 + __sync_lock_test_and_set(&j, len);
	r = r * 31 + __sync_val_compare_and_swap(&j, len, 0x80000000);
	return (int)r;
}

SEC("xdp")
int on_stack(struct xdp_md *ctx)
{
	volatile __u64 v = 9;
	__u64 old = __sync_fetch_and_add(&v, 5);

	return (int)(old * 100 + v);
}

char _license[] SEC("license") = "BSD";
