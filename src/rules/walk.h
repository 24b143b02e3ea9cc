/* Finding the upper protocol of a packet in plain C. emit_walk.c does the same in BPF. */
#ifndef WEIR_RULES_WALK_H
#define WEIR_RULES_WALK_H

#include "base/types.h"

enum { IPV4_HEADER_BYTES = 20, IPV6_HEADER_BYTES = 40 };

enum ip_proto {
	PROTO_HOPOPTS = 0, PROTO_ICMP = 1, PROTO_TCP = 6, PROTO_UDP = 17, PROTO_DCCP = 33, PROTO_ROUTING = 43,
	PROTO_FRAGMENT = 44, PROTO_ESP = 50, PROTO_AH = 51, PROTO_ICMP6 = 58, PROTO_NONE = 59, PROTO_DSTOPTS = 60,
	PROTO_SCTP = 132, PROTO_MH = 135, PROTO_UDPLITE = 136,
};

struct walk {
	u8 proto;
	u32 thoff;   /* offset of the upper header, maybe past the packet's end; 0 in an IPv6 non-first fragment */
	u32 fragoff; /* IPv6: bytes; IPv4: 8-byte units */
};

/* True for the headers that a walk steps over and for "no next header", which ends it. */
bool ipv6_ext_header(u8 proto);
/* Walks from the fixed header, whose 40 bytes must be there. False: the chain can't be parsed, *w stays untouched. */
bool walk_ipv6(const u8 *data, u32 bytes, struct walk *w);
/* The IPv4 header's 20 bytes must be there. */
void walk_ipv4(const u8 *data, struct walk *w);

#endif
