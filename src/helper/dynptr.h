/* What a dynptr is: between its helpers and the verifier, which knows the type of each. */
#ifndef WEIR_HELPER_DYNPTR_H
#define WEIR_HELPER_DYNPTR_H

#include "base/types.h"

enum dynptr_type { DYNPTR_NONE, DYNPTR_LOCAL, DYNPTR_RINGBUF, DYNPTR_SKB, DYNPTR_XDP };

/* On the program's stack, where the verifier keeps the program from looking into it. */
struct dynptr {
	u64 data; /* memory; of packets the frame, so that it may change; 0: the dynptr holds nothing */
	u32 off;
	u32 bits; /* size, and the ones below */
};

enum {
	DYNPTR_BYTES = 16,
	DYNPTR_SIZE_MOST = (1 << 24) - 1,
	DYNPTR_TYPE_SHIFT = 28,
	DYNPTR_RDONLY = 1 << 27,
};

_Static_assert(sizeof(struct dynptr) == DYNPTR_BYTES, "the size of struct bpf_dynptr");

#endif
