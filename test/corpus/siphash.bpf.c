// SPDX-License-Identifier: BSD-2-Clause
/* A keyed hash of addresses and ports by add, rotate and xor, in 64 bits, as SYN cookies use it.
 *
 * run: cookie tcp4 udp4 tcp4_reply
 */
#include "corpus.h"

const volatile __u64 key[2] = {0x0706050403020100, 0x0f0e0d0c0b0a0908};

static inline_always __u64 rotl(__u64 x, int by)
{
	return x << by | x >> (64 - by);
}

struct state {
	__u64 a, b, c, d;
};

static inline_always void mix(struct state *s)
{
	s->a += s->b;
	s->b = rotl(s->b, 13) ^ s->a;
	s->a = rotl(s->a, 32);
	s->c += s->d;
	s->d = rotl(s->d, 16) ^ s->c;
	s->a += s->d;
	s->d = rotl(s->d, 21) ^ s->a;
	s->c += s->b;
	s->b = rotl(s->b, 17) ^ s->c;
	s->c = rotl(s->c, 32);
}

SEC("xdp")
int cookie(struct xdp_md *ctx)
{
	__u8 *p = (void *)(long)ctx->data;
	struct state s = {
		key[0] ^ 0x736f6d65, key[1] ^ 0x646f7261, key[0] ^ 0x6c796765, key[1] ^ 0x74656462};
	__u64 word;

	if ((void *)(p + 38) > (void *)(long)ctx->data_end)
		return -1;
	__builtin_memcpy(&word, p + 26, 8);
	s.d ^= word;
	mix(&s);
	mix(&s);
	s.a ^= word;
	word = (__u64)4 << 56 | *(__u32 *)(p + 34);
	s.d ^= word;
	mix(&s);
	mix(&s);
	s.a ^= word;
	s.c ^= 0xff;
	for (int i = 0; i < 4; i++)
		mix(&s);
	word = s.a ^ s.b ^ s.c ^ s.d;
	return (int)(word ^ word >> 32);
}

char _license[] SEC("license") = "BSD";
