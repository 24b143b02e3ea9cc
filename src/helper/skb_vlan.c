/* VLAN tags (IEEE 802.1Q). One is beside the packet, in the frame's vlan_ fields; what is pushed beyond it moves into the packet,
 * and comes out again when that is popped. */
#include <string.h>

#include "base/bytes.h"
#include "helper/packet.h"

enum { VLAN_BYTES = 4, ADDRESSES = 12 };

static void tag_set(struct weir_frame *f, u16 protocol, u16 tci)
{
	f->vlan_proto = protocol_be(protocol);
	f->vlan_tci = tci;
	f->vlan_present = f->vlan_proto || tci;
}

/* The kernel works at the link layer header, and only where the packet starts there. */
static int check_start(const struct weir_frame *f)
{
	return f->mac_off ? -EINVAL : 0;
}

static void note_mac_len(struct weir_frame *f)
{
	f->mac_len = (u16)(f->network_off - f->mac_off);
}

/* The tag beside the packet goes behind the addresses. */
static int tag_insert(struct weir_frame *f)
{
	u16 protocol = (u16)(f->vlan_proto >> 8 | (f->vlan_proto & 0xff) << 8);
	int err = check_start(f);

	if (!err)
		err = packet_push(f, ADDRESSES, VLAN_BYTES);
	if (err)
		return err;
	store_be16(frame_bytes(f) + ADDRESSES, protocol);
	store_be16(frame_bytes(f) + ADDRESSES + 2, (u16)f->vlan_tci);
	f->protocol = f->vlan_proto;
	if (f->transport_off)
		f->transport_off += VLAN_BYTES;
	return 0;
}

u64 helper_skb_vlan_push(u64 r1, u64 r2, u64 r3, u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG)
{
	struct weir_frame *f = frame_of(r1);
	u16 protocol = __builtin_bswap16((u16)r2);
	int err = f->vlan_present ? tag_insert(f) : 0;

	if (!err)
		tag_set(f, is_vlan(protocol) ? protocol : ETHER_VLAN, (u16)r3);
	note_mac_len(f);
	return (u64)(s64)err;
}

/* Takes a tag out of the packet: 0 or -errno. */
static int tag_take(struct weir_frame *f, u16 *tci)
{
	int err = check_start(f);

	if (err)
		return err;
	if (!packet_at(f, 0, ETHER_BYTES + VLAN_BYTES))
		return -ENOMEM;
	*tci = load_be16(frame_bytes(f) + ETHER_BYTES);
	packet_pop(f, ADDRESSES, VLAN_BYTES);
	f->protocol = protocol_be(ether_protocol(frame_bytes(f), memory_of(f->data_end)));
	if (f->transport_off)
		f->transport_off -= VLAN_BYTES;
	f->network_off -= VLAN_BYTES;
	if (f->network_off < ETHER_BYTES)
		f->network_off = ETHER_BYTES;
	note_mac_len(f);
	return 0;
}

static int tag_drop(struct weir_frame *f)
{
	u16 tci;

	if (f->vlan_present) {
		f->vlan_present = f->vlan_tci = f->vlan_proto = 0;
		return 0;
	}
	return tag_take(f, &tci);
}

static int vlan_pop(struct weir_frame *f)
{
	u16 tci;

	if (!f->vlan_present && !is_vlan(frame_protocol(f)))
		return 0;
	int err = tag_drop(f);
	if (err || !is_vlan(frame_protocol(f)))
		return err;
	u16 protocol = frame_protocol(f);
	err = tag_take(f, &tci);
	if (!err)
		tag_set(f, protocol, tci);
	return err;
}

u64 helper_skb_vlan_pop(
	u64 r1, u64 r2 UNUSED_ARG, u64 r3 UNUSED_ARG, u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG)
{
	struct weir_frame *f = frame_of(r1);
	int err = vlan_pop(f);

	note_mac_len(f);
	return (u64)(s64)err;
}
