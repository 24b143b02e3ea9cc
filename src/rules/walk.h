/* Finding the upper protocol of a packet in plain C. emit_walk.c does the same in BPF. */
#ifndef WEIR_RULES_WALK_H
#define WEIR_RULES_WALK_H

#include "base/types.h"

enum { IPV4_HEADER_BYTES = 20, IPV6_HEADER_BYTES = 40 };

/* Values of next-header fields that the walk or rules treat in a special way. */
enum next_header {
	NEXT_HOPOPTS = 0,
	NEXT_ICMP = 1,
	NEXT_TCP = 6,
	NEXT_UDP = 17,
	NEXT_ROUTING = 43,
	NEXT_FRAGMENT = 44,
	NEXT_AH = 51,
	NEXT_ICMP6 = 58,
	NEXT_NONE = 59,
	NEXT_DSTOPTS = 60,
};

struct walk {
	u8 proto;
	u32 thoff;   /* offset of the upper header, maybe past the packet's end; 0 in an IPv6
			non-first fragment */
	u32 fragoff; /* IPv6: bytes; IPv4: 8-byte units */
};

/* True for the headers that a walk steps over and for "no next header", which ends it. */
bool ipv6_ext_header(u8 proto);
/* Walks from the fixed header, whose 40 bytes must be there. False: the chain can't be parsed, *w
 * stays untouched. */
bool walk_ipv6(const u8 *data, u32 bytes, struct walk *w);
/* The IPv4 header's 20 bytes must be there. */
void walk_ipv4(const u8 *data, struct walk *w);

enum frag_state { FRAG_ABSENT, FRAG_FOUND, FRAG_UNPARSABLE };
/* The first IPv6 fragment header: *off is where its 8 bytes are, with FRAG_FOUND. */
enum frag_state walk_fragment(const u8 *data, u32 bytes, u32 *off);

#endif
