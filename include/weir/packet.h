/* What a compiled rule set is told about a packet: the context of weir's own program type "packet". */
#ifndef WEIR_PACKET_H
#define WEIR_PACKET_H

#include <stdint.h>

/* Who owns the packet's socket, as `-m owner` asks. */
enum weir_socket {
	WEIR_SOCKET_NONE = 0,	/* no socket: forwarded, or a reply of the kernel's without one */
	WEIR_SOCKET_KERNEL = 1, /* a socket without a file: the kernel's own */
	WEIR_SOCKET_USER = 2,	/* a socket with a file: uid and gid are those at its creation */
};

/* Filled by whoever runs the program. All numbers in host byte order. The program may change `mark` only. */
struct weir_packet {
	uint64_t data;	   /* address of the first byte of the IP header */
	uint64_t data_end; /* address behind the last byte that is there */
	uint32_t len;	   /* bytes as rules count them: the kernel's skb->len at the hook, from the IP header on */
	uint32_t mark;
	uint32_t socket; /* enum weir_socket */
	uint32_t uid, gid; /* valid with WEIR_SOCKET_USER */
	uint32_t has_mac; /* 1 when the link layer is Ethernet and mac_source is valid */
	uint8_t mac_source[8]; /* 6 bytes in wire order, 2 zero bytes */
	char in_iface[16]; /* NUL-padded; all zero when there is none */
	char out_iface[16];
	uint64_t time_ns; /* since the epoch; packet time in a replay */
	uint32_t direction; /* enum: hook number as in linux/netfilter.h, NF_INET_PRE_ROUTING 0 ... POST_ROUTING 4 */
	uint32_t reserved;
};

#endif
