/* Random programs that end, read only what was written, and access only what is theirs. */
#ifndef WEIR_TEST_JIT_RANDOM_CODE_H
#define WEIR_TEST_JIT_RANDOM_CODE_H

#include "isa/builder.h"

enum { RANDOM_MEM_BYTES = 256, RANDOM_REGION_BYTES = 256 };

enum random_kind {
	RANDOM_INTERNAL,   /* with per-CPU addresses, which passes make, and calls of TEST_HELPER_MIX */
	RANDOM_VERIFIABLE, /* such as verifiers accept, if the memory is a packet; results don't depend on addresses */
};

/* Writes one of about n pieces of code; r1 is RANDOM_MEM_BYTES of memory, the per-CPU range RANDOM_REGION_BYTES. */
void random_code(struct builder *b, enum random_kind kind, u64 seed, unsigned n);

#endif
