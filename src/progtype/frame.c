/* Describing packets: what the kernel's test runs say of one that nothing else is known of. It comes from the loopback
 * device, number 1, whose link layer address is all zero, and belongs to a socket of root's. */
#include "progtype/frame.h"

#include <errno.h>
#include <string.h>

#include "base/bytes.h"
#include "progtype/types.h"

enum { /* pkt_type, linux/if_packet.h */
	PACKET_TO_HOST = 0,
	PACKET_TO_GROUP = 2,
	PACKET_TO_OTHERS = 3,
};

enum { NF_IPV4 = 2, NF_IPV6 = 10 }; /* NFPROTO_... */
enum { FAMILY_IPV4 = 2, FAMILY_IPV6 = 10, LOOPBACK = 1, LOWEST_ETHER_TYPE = 0x600 };
enum { IPV4_BYTES = 20, IPV6_BYTES = 40 };

u16 ether_protocol(const u8 *mac, const u8 *end)
{
	u16 type = load_be16(mac + 12);

	if (type >= LOWEST_ETHER_TYPE)
		return type;
	return end - mac >= ETHER_BYTES + 2 && load_be16(mac + ETHER_BYTES) == 0xffff ? ETHER_802_3
										      : ETHER_802_2;
}

static u32 packet_type(const u8 *mac)
{
	static const u8 own[6];

	if (memcmp(mac, own, sizeof(own)) == 0)
		return PACKET_TO_HOST;
	return mac[0] & 1 ? PACKET_TO_GROUP : PACKET_TO_OTHERS;
}

/* The socket has the packet's addresses. */
static void describe_socket(struct weir_frame *f, const u8 *ip, size_t len)
{
	f->has_owner = 1;
	f->cookie = 1;
	if (frame_protocol(f) == ETHER_IPV4) {
		f->family = FAMILY_IPV4;
		if (len < IPV4_BYTES)
			return;
		memcpy(&f->local_ip4, ip + 12, 4);
		memcpy(&f->remote_ip4, ip + 16, 4);
	} else if (frame_protocol(f) == ETHER_IPV6) {
		f->family = FAMILY_IPV6;
		if (len < IPV6_BYTES)
			return;
		memcpy(f->local_ip6, ip + 8, 16);
		memcpy(f->remote_ip6, ip + 24, 16);
	}
}

static void describe_xdp(struct weir_frame *f)
{
	f->room += f->data - f->room < FRAME_XDP_INFO ? f->data - f->room : FRAME_XDP_INFO;
	f->ingress_ifindex = LOOPBACK;
}

/* Traffic control sees the link layer header; other types start behind it. */
static void describe_skb(struct weir_frame *f, bool link_layer)
{
	const u8 *mac = frame_bytes(f), *end = mac + f->len;

	f->ifindex = LOOPBACK;
	f->protocol = protocol_be(ether_protocol(mac, end));
	f->pkt_type = packet_type(mac);
	describe_socket(f, mac + ETHER_BYTES, f->len - ETHER_BYTES);
	f->nf_pf = frame_protocol(f) == ETHER_IPV6 ? NF_IPV6 : NF_IPV4;
	f->network_off = ETHER_BYTES;
	if (!link_layer) {
		f->data += ETHER_BYTES;
		f->len -= ETHER_BYTES;
		f->mac_off = -ETHER_BYTES;
		f->network_off = 0;
	}
	f->meta = f->data;
	f->wire_len = f->len;
}

int frame_init_in_place(struct weir_frame *frame, u8 *buffer, size_t capacity, size_t headroom,
	size_t len, enum prog_type type)
{
	const struct prog_type_ops *ops = prog_type_ops_of(type);
	bool link_layer =
		type == PROG_TYPE_XDP || type == PROG_TYPE_SCHED_CLS || type == PROG_TYPE_SCHED_ACT;

	if (!ops || !ops->runs_on_frames || len < ETHER_BYTES || len > INT32_MAX)
		return -EINVAL;
	if (headroom > capacity || len > capacity - headroom)
		return -EINVAL;
	memset(frame, 0, sizeof(*frame));
	frame->room = (u64)(uintptr_t)buffer;
	frame->room_end = frame->room + capacity;
	frame->data = frame->meta = frame->room + headroom;
	frame->data_end = frame->data + len;
	frame->len = (u32)len;
	if (type == PROG_TYPE_XDP)
		describe_xdp(frame);
	else
		describe_skb(frame, link_layer);
	return 0;
}

int frame_init(struct weir_frame *frame, u8 *buffer, size_t capacity, size_t headroom,
	const void *bytes, size_t len, enum prog_type type)
{
	if (headroom > capacity || len > capacity - headroom)
		return -EINVAL;
	memcpy(buffer + headroom, bytes, len);
	return frame_init_in_place(frame, buffer, capacity, headroom, len, type);
}

bool frame_is_testable(const u8 *bytes, size_t len, enum prog_type type)
{
	if (len < ETHER_BYTES)
		return false;
	u16 protocol = ether_protocol(bytes, bytes + len);
	if (type == PROG_TYPE_XDP)
		return true;
	if (protocol != ETHER_IPV4 && protocol != ETHER_IPV6)
		return type != PROG_TYPE_NETFILTER;
	return len - ETHER_BYTES >= (protocol == ETHER_IPV4 ? IPV4_BYTES : IPV6_BYTES);
}

void frame_link_inside(struct weir_frame *frame)
{
	frame->inside[FRAME_INSIDE_STATE] = (u64)(uintptr_t)&frame->nf_hook;
	frame->inside[FRAME_INSIDE_SKB] = (u64)(uintptr_t)frame;
}
