/* Random programs of network types that call helpers, with packets and contexts for them: accepted by every verifier. */
#ifndef TEST_HELPER_PACKET_RANDOM_H
#define TEST_HELPER_PACKET_RANDOM_H

#include "isa/prog.h"

enum {
	RANDOM_INSNS = 1024,
	RANDOM_PACKET_BYTES = 2048,
	RANDOM_SKB_BYTES = 192, /* struct __sk_buff */
	RANDOM_XDP_BYTES = 24,	/* struct xdp_md */
	RANDOM_CTX_BYTES = RANDOM_SKB_BYTES,
};

struct random_case {
	enum prog_type type;
	u32 attach_type;
	struct insn insns[RANDOM_INSNS];
	u32 nr;
	u8 bytes[RANDOM_PACKET_BYTES]; /* of XDP metadata first */
	u32 len;
	u8 ctx[RANDOM_CTX_BYTES];
	u32 ctx_bytes;
};

/* The same for the same seed. */
void random_case_make(struct random_case *c, u64 seed);

#endif
