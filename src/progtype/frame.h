/* A struct weir_frame for bytes, as the kernel's BPF_PROG_TEST_RUN fills struct xdp_buff and struct sk_buff. */
#ifndef WEIR_PROGTYPE_FRAME_H
#define WEIR_PROGTYPE_FRAME_H

#include "isa/prog.h"
#include "weir/frame.h"

enum {
	ETHER_BYTES = 14,
	FRAME_XDP_HEADROOM = 256,
	FRAME_XDP_INFO = 40, /* at the start of the headroom, not for programs: struct xdp_frame */
	FRAME_SKB_HEADROOM = 256, /* the kernel makes more when it is needed: what helpers here have to do with */
};

/* EtherTypes and packet types, as frames have them. */
enum {
	ETHER_IPV4 = 0x0800,
	ETHER_IPV6 = 0x86dd,
	ETHER_VLAN = 0x8100,
	ETHER_QINQ = 0x88a8,
	ETHER_802_3 = 0x0001, /* no EtherType, but a length: raw 802.3 */
	ETHER_802_2 = 0x0004, /* LLC */
};

/* Copies an Ethernet frame to buffer + headroom and describes it for programs of this type (one of those whose context is
 * struct weir_frame). -EINVAL: `len` is below 14 or doesn't fit. *frame borrows the buffer. */
int frame_init(struct weir_frame *frame, u8 *buffer, size_t capacity, size_t headroom, const void *bytes, size_t len,
	enum prog_type type);
/* The same for a frame that lies at buffer + headroom already. */
int frame_init_in_place(struct weir_frame *frame, u8 *buffer, size_t capacity, size_t headroom, size_t len,
	enum prog_type type);

/* Whether the kernel's test runs take such a frame: of struct __sk_buff they want IP headers whole, for netfilter there must
 * be one. */
bool frame_is_testable(const u8 *bytes, size_t len, enum prog_type type);

/* The number behind a link layer header at `mac` of a frame that ends at `end`: its EtherType, or how the kernel calls the
 * kinds of frames without one. `mac` has 14 bytes at least. */
u16 ether_protocol(const u8 *mac, const u8 *end);

/* Fills what programs of type netfilter find through pointers; valid as long as the frame stays where it is. */
void frame_link_inside(struct weir_frame *frame);

static inline u8 *frame_bytes(const struct weir_frame *f)
{
	return (u8 *)(uintptr_t)f->data;
}

/* f->protocol, host byte order. */
static inline u16 frame_protocol(const struct weir_frame *f)
{
	return (u16)((f->protocol & 0xff) << 8 | (f->protocol >> 8 & 0xff));
}

static inline u32 protocol_be(u16 protocol)
{
	return (u32)((protocol & 0xff) << 8 | protocol >> 8);
}

#endif
