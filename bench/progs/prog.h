/* What the benchmark programs are written with. Each is one function of memory, `run`, compiled twice from the same
 * text: to BPF, and to code of the host. Neither may need anything outside of its section: embed.py checks that. */
#ifndef WEIR_BENCH_PROG_H
#define WEIR_BENCH_PROG_H

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

/* How many bytes there are is an argument, as in programs about packets. The program comes first in its file: its first
 * instruction is where it starts. */
#define IN_PROGRAM __attribute__((section("program")))
#define NOINLINE __attribute__((noinline))

/* A call of bpf_get_numa_node_id; in the native form of the same C function through a pointer. */
#ifdef __bpf__
#define PROGRAM IN_PROGRAM u64 run(u8 *mem, u64 bytes)
#define HELPER() (((u64 (*)(void))42)())
#else
#define PROGRAM IN_PROGRAM u64 run(u8 *mem, u64 bytes, u64 (*helper)(u64, u64, u64, u64, u64))
#define HELPER() helper(0, 0, 0, 0, 0)
#endif

PROGRAM;

static inline u64 rotl64(u64 x, u32 by)
{
	return x << by | x >> (64 - by);
}

static inline u32 rotl32(u32 x, u32 by)
{
	return x << by | x >> (32 - by);
}

struct sip {
	u64 v0, v1, v2, v3;
};

static inline __attribute__((always_inline)) void sip_round(struct sip *s)
{
	s->v0 += s->v1;
	s->v1 = rotl64(s->v1, 13) ^ s->v0;
	s->v0 = rotl64(s->v0, 32);
	s->v2 += s->v3;
	s->v3 = rotl64(s->v3, 16) ^ s->v2;
	s->v0 += s->v3;
	s->v3 = rotl64(s->v3, 21) ^ s->v0;
	s->v2 += s->v1;
	s->v1 = rotl64(s->v1, 17) ^ s->v2;
	s->v2 = rotl64(s->v2, 32);
}

static inline __attribute__((always_inline)) struct sip sip_start(u64 k0, u64 k1)
{
	return (struct sip){k0 ^ 0x736f6d6570736575, k1 ^ 0x646f72616e646f6d,
		k0 ^ 0x6c7967656e657261, k1 ^ 0x7465646279746573};
}

static inline __attribute__((always_inline)) void sip_word(struct sip *s, u64 word)
{
	s->v3 ^= word;
	sip_round(s);
	sip_round(s);
	s->v0 ^= word;
}

/* bytes: how many there were, a multiple of 8 */
static inline __attribute__((always_inline)) u64 sip_end(struct sip *s, u64 bytes)
{
	sip_word(s, bytes << 56);
	s->v2 ^= 0xff;
	sip_round(s);
	sip_round(s);
	sip_round(s);
	sip_round(s);
	return s->v0 ^ s->v1 ^ s->v2 ^ s->v3;
}

#endif
