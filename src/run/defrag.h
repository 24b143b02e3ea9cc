/* IPv4 reassembly as the kernel does it between PREROUTING and INPUT (RFC 791, and overlaps refused
 * as RFC 5722 asks). */
#ifndef WEIR_RUN_DEFRAG_H
#define WEIR_RUN_DEFRAG_H

#include "base/types.h"
#include "weir/packet.h"

struct defrag;

/* One per worker; not thread-safe. NULL: out of memory. */
struct defrag *defrag_new(void);
void defrag_free(struct defrag *f);

enum defrag_result {
	DEFRAG_WHOLE, /* not a fragment */
	DEFRAG_HELD,  /* kept, or dropped as duplicate, overlap or out of memory */
	DEFRAG_COMPLETE,
};

/* p: a packet that input_receive passed, all of its p->len bytes there. With DEFRAG_COMPLETE *p
 * becomes the datagram: what is known of its first fragment (interface, MAC, mark, owner), and data
 * that is valid until the next call. An incomplete datagram is given up 30 s after its first
 * arrival, by p->time_ns. */
enum defrag_result defrag_add(struct defrag *f, struct weir_packet *p);

/* The number of fragments that the last DEFRAG_COMPLETE was made of. */
u32 defrag_nr_fragments(const struct defrag *f);

#endif
