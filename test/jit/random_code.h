/* Random programs that end, read only what was written, and access only what is theirs. */
#ifndef WEIR_TEST_JIT_RANDOM_CODE_H
#define WEIR_TEST_JIT_RANDOM_CODE_H

#include "isa/builder.h"
#include "jit/jit.h"

enum { RANDOM_MEM_BYTES = 256, RANDOM_REGION_BYTES = 256, RANDOM_VARIANTS = 3 };

/* What a program works on. */
struct random_work {
	u8 mem[RANDOM_MEM_BYTES];
	u8 region[RANDOM_REGION_BYTES]; /* this slot's per-CPU range */
};

enum random_kind {
	RANDOM_INTERNAL,   /* with per-CPU addresses, which passes make, and calls of TEST_HELPER_MIX */
	RANDOM_VERIFIABLE, /* such as verifiers accept, if the memory is a packet; results don't depend on addresses */
};

/* Writes one of about n pieces of code; r1 is RANDOM_MEM_BYTES of memory, the per-CPU range RANDOM_REGION_BYTES. */
void random_code(struct builder *b, enum random_kind kind, u64 seed, unsigned n);

/* What the memory holds before the program of this seed runs. */
void random_fill(struct random_work *w, u64 seed);
/* The peepholes that program is compiled without, the nth time of RANDOM_VARIANTS; and the other options. */
u64 random_without(u64 seed, unsigned n);
struct jit_opts random_opts(u64 seed, u64 without);
/* How large the program of this seed is: small ones come first. */
unsigned random_size(u64 seed);

#endif
