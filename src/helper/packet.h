/* Between the helpers that work on packets: the frame behind a context pointer, and moving its ends. The packet is always in
 * one piece, so what the kernel pulls or makes writable is there or isn't. */
#ifndef WEIR_HELPER_PACKET_H
#define WEIR_HELPER_PACKET_H

#include <errno.h>

#include "cpu/cpu.h"
#include "helper/functions.h"
#include "progtype/frame.h"

enum {
	ENOTSUPP_KERNEL = 524, /* ENOTSUPP: programs see this number, though user space has no name for it */
	SKB_LONGEST = 16064,   /* how long helpers make packets: what the kernel allocates in one piece, 4 pages less 320 bytes */
};

static inline struct weir_frame *frame_of(u64 ctx)
{
	return (struct weir_frame *)(uintptr_t)ctx;
}

static inline void *memory_of(u64 r)
{
	return (void *)(uintptr_t)r;
}

/* -errno as r0. */
static inline u64 fails(int err)
{
	return (u64)-(s64)err;
}

static inline const struct cpu_head *cpu_head_here(void)
{
	return (const struct cpu_head *)cpu_self();
}

/* Bytes [off, off + n) of the packet, or NULL. */
u8 *packet_at(const struct weir_frame *f, u64 off, u64 n);
/* Whether the packet can start `n` bytes earlier, with its metadata before it. */
bool packet_has_headroom(const struct weir_frame *f, u64 n);
/* Moves the start by `by` bytes (negative: earlier), metadata with it, and the length. The caller has checked the room. */
void packet_move_start(struct weir_frame *f, s64 by);
/* Puts `n` zero bytes behind the first `off`: 0 or -ENOMEM. The offsets of headers stay as they are. */
int packet_push(struct weir_frame *f, u32 off, u32 n);
/* Takes the `n` bytes behind the first `off` out: 0, or -ENOMEM when they aren't there. */
int packet_pop(struct weir_frame *f, u32 off, u32 n);
/* skb->protocol, or what a chain of VLAN tags in the packet ends with; 0: it doesn't end. */
u16 packet_inner_protocol(const struct weir_frame *f);

static inline void hash_forget(struct weir_frame *f)
{
	f->hash = f->hash_known = 0;
}

static inline bool is_ip(u16 protocol)
{
	return protocol == ETHER_IPV4 || protocol == ETHER_IPV6;
}

static inline bool is_vlan(u16 protocol)
{
	return protocol == ETHER_VLAN || protocol == ETHER_QINQ;
}

/* How far the IP header is behind the link layer header. */
static inline u32 mac_header_len(const struct weir_frame *f)
{
	return f->network_off > f->mac_off ? (u32)(f->network_off - f->mac_off) : 0;
}

#endif
