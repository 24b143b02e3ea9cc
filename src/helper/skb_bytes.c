/* Reading and writing packets of struct __sk_buff through helpers. */
#include <string.h>

#include "base/bytes.h"
#include "helper/packet.h"

enum { RECOMPUTE_CSUM = 1 << 0, INVALIDATE_HASH = 1 << 1 }; /* BPF_F_... */
enum { START_MAC = 0, START_NET = 1, RELATIVE_MOST = 0xffff };

u64 helper_skb_store_bytes(u64 r1, u64 r2, u64 r3, u64 r4, u64 r5)
{
	struct weir_frame *f = frame_of(r1);
	u32 off = (u32)r2, n = (u32)r4;

	if (r5 & ~(u64)(RECOMPUTE_CSUM | INVALIDATE_HASH))
		return fails(EINVAL);
	u8 *to = off <= INT32_MAX ? packet_at(f, off, n) : NULL;
	if (!to)
		return fails(EFAULT);
	memmove(to, memory_of(r3), n);
	if (r5 & INVALIDATE_HASH)
		hash_forget(f);
	return 0;
}

/* Copies n bytes, or clears them when there is nothing to copy. */
static u64 load(void *to, const u8 *from, u32 n)
{
	if (from)
		memmove(to, from, n);
	else
		memset(to, 0, n);
	return from ? 0 : fails(EFAULT);
}

u64 helper_skb_load_bytes(u64 r1, u64 r2, u64 r3, u64 r4, u64 r5 UNUSED_ARG)
{
	u32 off = (u32)r2, n = (u32)r4;

	return load(memory_of(r3), off <= INT32_MAX ? packet_at(frame_of(r1), off, n) : NULL, n);
}

/* The byte `off` behind a header, which may lie before the packet's start. */
static const u8 *behind_header(const struct weir_frame *f, s64 header, u32 off, u32 n)
{
	s64 from = header + off;

	if (from < -(s64)(f->data - f->room) || from + n > (s64)f->len)
		return NULL;
	return frame_bytes(f) + from;
}

u64 helper_skb_load_bytes_relative(u64 r1, u64 r2, u64 r3, u64 r4, u64 r5)
{
	const struct weir_frame *f = frame_of(r1);
	u32 off = (u32)r2, n = (u32)r4, start = (u32)r5;
	const u8 *from = NULL;

	if (off <= RELATIVE_MOST && start <= START_NET)
		from = behind_header(f, start == START_MAC ? f->mac_off : f->network_off, off, n);
	return load(memory_of(r3), from, n);
}

/* Below 0 offsets count from the IP header or the link layer header. */
u64 helper_legacy_load(u64 r1, u64 r2, u64 r3, u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG)
{
	enum { NET_OFF = -0x100000, LINK_OFF = -0x200000 }; /* SKF_... */
	const struct weir_frame *f = frame_of(r1);
	s32 off = (s32)r2;
	u32 n = (u32)r3;
	const u8 *from = NULL;

	if (off >= 0)
		from = packet_at(f, (u32)off, n);
	else if (off >= NET_OFF)
		from = behind_header(f, f->network_off, (u32)(off - NET_OFF), n);
	else if (off >= LINK_OFF)
		from = behind_header(f, f->mac_off, (u32)(off - LINK_OFF), n);
	if (!from)
		return fails(EFAULT);
	return n == 1 ? *from : n == 2 ? load_be16(from) : load_be32(from);
}

/* Packets are in one piece already. */
u64 helper_skb_pull_data(u64 r1, u64 r2, u64 r3 UNUSED_ARG, u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG)
{
	return (u32)r2 <= frame_of(r1)->len ? 0 : fails(ENOMEM);
}
