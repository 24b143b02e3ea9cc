/* SPDX-License-Identifier: BSD-2-Clause
 * What programs of the corpus share: includes, headers of packets, maps that can be declared in both ways. */
#ifndef WEIR_CORPUS_H
#define WEIR_CORPUS_H

#include <linux/bpf.h>
#include <linux/types.h>

#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

/* Objects without BTF declare maps the old way; the kernel's side of the comparison is always built the new one. */
#ifdef LEGACY_MAPS
struct legacy_map {
	__u32 type, key_size, value_size, max_entries, map_flags;
};
#define MAP_FLAGS(name, map_type, key_type, value_type, entries, flags)                                                \
	struct legacy_map SEC("maps") name = {map_type, sizeof(key_type), sizeof(value_type), entries, flags}
#else
#define MAP_FLAGS(name, map_type, key_type, value_type, entries, flags)                                                \
	struct {                                                                                                       \
		__uint(type, map_type);                                                                                \
		__type(key, key_type);                                                                                 \
		__type(value, value_type);                                                                             \
		__uint(max_entries, entries);                                                                          \
		__uint(map_flags, flags);                                                                              \
	} name SEC(".maps")
#endif
#define MAP(name, map_type, key_type, value_type, entries)                                                             \
	MAP_FLAGS(name, map_type, key_type, value_type, entries, 0)

#define inline_always inline __attribute__((always_inline))
#define PACKED __attribute__((packed))
/* A field of a context, read by itself: compilers would read two neighbours at once, which verifiers refuse. */
#define ALONE(field) (*(volatile __typeof__(field) *)&(field))
/* Keeps the compiler from knowing a value. */
#define OPAQUE(x) asm volatile("" : "+r"(x))

#define ETHERTYPE_IP 0x0800
#define ETHERTYPE_ARP 0x0806
#define ETHERTYPE_VLAN 0x8100
#define ETHERTYPE_QINQ 0x88a8
#define ETHERTYPE_IPV6 0x86dd

enum { PROTO_ICMP = 1, PROTO_IPIP = 4, PROTO_TCP = 6, PROTO_UDP = 17, PROTO_ICMP6 = 58 };

struct eth {
	__u8 dst[6], src[6];
	__be16 type;
} PACKED;

struct vlan {
	__be16 tci, type;
};

struct ip4 {
	__u8 version_ihl, tos;
	__be16 len, id, frag;
	__u8 ttl, proto;
	__u16 check;
	__be32 src, dst;
};

struct ip6 {
	__be32 flow;
	__be16 payload;
	__u8 next, hops;
	__be32 src[4], dst[4];
};

struct tcp {
	__be16 sport, dport;
	__be32 seq, ack;
	__be16 flags, window;
	__u16 check;
	__be16 urgent;
};

struct udp {
	__be16 sport, dport, len;
	__u16 check;
};

struct icmp {
	__u8 type, code;
	__u16 check;
	__be16 id, seq;
};

/* The header behind `at`, moved on, or NULL where the packet ends before. */
#define TAKE(at, end, type) ((void *)((type *)(at) + 1) <= (end) ? ((at) += sizeof(type), (type *)((at) - sizeof(type))) : (type *)0)

static inline_always __u16 fold(__u32 sum)
{
	sum = (sum & 0xffff) + (sum >> 16);
	sum = (sum & 0xffff) + (sum >> 16);
	return (__u16)sum;
}

#endif
