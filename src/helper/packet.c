#include "helper/packet.h"

#include <string.h>

#include "base/bytes.h"

enum { VLAN_BYTES = 4, MOST_VLAN_TAGS = 8 };

u8 *packet_at(const struct weir_frame *f, u64 off, u64 n)
{
	return off <= f->len && n <= f->len - off ? frame_bytes(f) + off : NULL;
}

bool packet_has_headroom(const struct weir_frame *f, u64 n)
{
	return f->meta - f->room >= n;
}

void packet_move_start(struct weir_frame *f, s64 by)
{
	u64 meta_bytes = f->data - f->meta;

	if (meta_bytes)
		memmove(memory_of(f->meta + (u64)by), memory_of(f->meta), meta_bytes);
	f->meta += (u64)by;
	f->data += (u64)by;
	f->len -= (u32)by;
}

int packet_push(struct weir_frame *f, u32 off, u32 n)
{
	/* A header may be cut off. */
	u32 before = off < f->len ? off : f->len;

	if (!packet_has_headroom(f, n))
		return -ENOMEM;
	packet_move_start(f, -(s64)n);
	memmove(frame_bytes(f), frame_bytes(f) + n, before);
	memset(frame_bytes(f) + before, 0, n);
	return 0;
}

int packet_pop(struct weir_frame *f, u32 off, u32 n)
{
	u8 *old = frame_bytes(f);

	if (!packet_at(f, off, n))
		return -ENOMEM;
	u8 *start = old + n;
	memmove(start, old, off);
	packet_move_start(f, n);
	return 0;
}

u16 packet_inner_protocol(const struct weir_frame *f)
{
	u16 type = frame_protocol(f);
	u64 off = f->mac_len ? (u64)f->mac_len - VLAN_BYTES : ETHER_BYTES;

	for (u32 n = MOST_VLAN_TAGS; is_vlan(type); off += VLAN_BYTES) {
		const u8 *tag = packet_at(f, off, VLAN_BYTES);

		if (!tag || !--n)
			return 0;
		type = load_be16(tag + 2);
	}
	return type;
}
