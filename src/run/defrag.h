/* IPv4 reassembly as the kernel does it between PREROUTING and INPUT (RFC 791, and overlaps refused as RFC 5722 asks). */
#ifndef WEIR_RUN_DEFRAG_H
#define WEIR_RUN_DEFRAG_H

#include "base/types.h"

struct defrag;

/* One per worker; not thread-safe. NULL: out of memory. */
struct defrag *defrag_new(void);
void defrag_free(struct defrag *f);

enum defrag_result {
	DEFRAG_WHOLE,	/* not a fragment */
	DEFRAG_HELD,	/* kept, or dropped as duplicate, overlap or out of memory */
	DEFRAG_COMPLETE, /* *packet and *bytes are the datagram, valid until the next call */
};

/* ip: a packet that input_receive passed, `bytes` = its total length, all there. time_ns: for the 30 s after which an
 * incomplete datagram is given up. */
enum defrag_result defrag_add(struct defrag *f, const u8 *ip, u32 bytes, u64 time_ns, const u8 **packet, u32 *out_bytes);

/* User data that travels with a datagram's fragments: the number of fragments that the last DEFRAG_COMPLETE was made of. */
u32 defrag_nr_fragments(const struct defrag *f);

#endif
