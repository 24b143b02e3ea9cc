/* What the kernel's IP layer does with a packet before a hook sees it: a replay must lose the same
 * packets, and cut the others to the same length, or its counters are not the kernel's. */
#ifndef WEIR_RUN_INPUT_H
#define WEIR_RUN_INPUT_H

#include "rules/tree.h"

/* Why a packet doesn't get to the hook. */
enum input_reason {
	INPUT_PASSES = 0,
	/* before PREROUTING: ip_rcv, ipv6_rcv */
	INPUT_SHORT, /* shorter than an IP header */
	INPUT_VERSION,
	INPUT_CUT,      /* the capture holds only its first bytes */
	INPUT_LENGTH,   /* the header says more bytes than the frame has, or impossibly few */
	INPUT_CHECKSUM, /* IPv4 header */
	INPUT_SOURCE,   /* IPv6: multicast or loopback */
	INPUT_SCOPE,    /* IPv6: loopback or interface-local destination from the wire */
	INPUT_HOPOPTS,  /* IPv6: malformed hop-by-hop options, or one that asks to be discarded */
	/* between PREROUTING and INPUT or FORWARD: routing */
	INPUT_OPTIONS,       /* IPv4: malformed options, source routing */
	INPUT_MARTIAN,       /* IPv4: impossible source */
	INPUT_NOT_JOINED,    /* multicast group that the host didn't join */
	INPUT_NOT_LOCAL,     /* destination isn't the host's: link-local, or in a foreign prefix */
	INPUT_NOT_FORWARDED, /* hop limit used up, or an address that must not be forwarded */
	INPUT_FRAGMENT,      /* IPv4: waits for the rest of its datagram, or never completed one */
	NR_INPUT_REASONS
};

/* "multicast group not joined": what is printed beside their number. */
const char *input_reason_text(enum input_reason reason);

struct prefix {
	u8 addr[16]; /* IPv4: the first 4 bytes */
	u32 bits;
	enum family family;
};

/* Which destinations are the host's own. Unicast addresses all are, but for link-local ones, as on
 * a host with `ip route add local default dev lo`. */
struct host {
	bool any_destination; /* link-local and multicast too */
	const u8 (
		*groups)[16]; /* joined multicast groups; IPv4 ones in the first 4 bytes, rest 0 */
	u32 nr_groups;
	const struct prefix *foreign; /* unicast addresses that aren't the host's */
	u32 nr_foreign;
};

struct input_opts {
	bool loopback;  /* it came in by the loopback device */
	bool outgoing;  /* the host sends it: only its length is of interest */
	bool count_cut; /* take a packet that the capture cut short as if it were whole */
};

/* The checks before PREROUTING. bytes: there are from the IP header on; wire_bytes: there were.
 * *len: the packet's length as rules count it, behind it is link-layer padding. */
enum input_reason input_receive(enum family family, const u8 *ip, u32 bytes, u32 wire_bytes,
	const struct input_opts *opts, u32 *len);
/* The routing decision before INPUT, of a packet that input_receive passed. */
enum input_reason input_deliver(enum family family, const u8 *ip, const struct host *host);
/* The routing decision before FORWARD. */
enum input_reason input_forward(enum family family, const u8 *ip);

/* RFC 1071 over a header of `bytes` (even): 0 when the checksum in it is right; with that field zero, what belongs there. */
u16 input_ipv4_checksum(const u8 *ip, u32 bytes);

#endif
