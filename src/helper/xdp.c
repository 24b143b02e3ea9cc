/* XDP: moving a packet's ends within its buffer, and reading and writing it. */
#include <string.h>

#include "helper/packet.h"

enum { META_MOST = 255, META_STEP = 4, OFF_MOST = 0xffff };

u64 helper_xdp_adjust_head(u64 r1, u64 r2, u64 r3 UNUSED_ARG, u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG)
{
	struct weir_frame *f = frame_of(r1);
	s64 by = (s32)r2;

	if (by < 0 ? !packet_has_headroom(f, (u64)-by) : by > (s64)f->len - ETHER_BYTES)
		return fails(EINVAL);
	packet_move_start(f, by);
	return 0;
}

u64 helper_xdp_adjust_meta(u64 r1, u64 r2, u64 r3 UNUSED_ARG, u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG)
{
	struct weir_frame *f = frame_of(r1);
	s64 by = (s32)r2, meta_bytes = (s64)(f->data - f->meta) - by;

	if (meta_bytes < 0 || meta_bytes > (s64)(f->data - f->room))
		return fails(EINVAL);
	if (meta_bytes % META_STEP || meta_bytes > META_MOST)
		return fails(EACCES);
	f->meta += (u64)by;
	return 0;
}

u64 helper_xdp_adjust_tail(u64 r1, u64 r2, u64 r3 UNUSED_ARG, u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG)
{
	struct weir_frame *f = frame_of(r1);
	s64 by = (s32)r2;

	if (by > (s64)(f->room_end - f->data_end) || (s64)f->len + by < ETHER_BYTES)
		return fails(EINVAL);
	if (by > 0)
		memset(memory_of(f->data_end), 0, (size_t)by);
	f->data_end += (u64)by;
	f->len += (u32)by;
	return 0;
}

u64 helper_xdp_get_buff_len(
	u64 r1, u64 r2 UNUSED_ARG, u64 r3 UNUSED_ARG, u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG)
{
	return frame_of(r1)->len;
}

/* The bytes, or NULL with *err set. */
static u8 *bytes_at(u64 ctx, u32 off, u32 n, u64 *err)
{
	u8 *at = NULL;

	if (off > OFF_MOST || n > OFF_MOST)
		*err = fails(EFAULT);
	else if (!(at = packet_at(frame_of(ctx), off, n)))
		*err = fails(EINVAL);
	return at;
}

u64 helper_xdp_load_bytes(u64 r1, u64 r2, u64 r3, u64 r4, u64 r5 UNUSED_ARG)
{
	u64 err = 0;
	const u8 *from = bytes_at(r1, (u32)r2, (u32)r4, &err);

	if (from)
		memmove(memory_of(r3), from, (u32)r4);
	return err;
}

u64 helper_xdp_store_bytes(u64 r1, u64 r2, u64 r3, u64 r4, u64 r5 UNUSED_ARG)
{
	u64 err = 0;
	u8 *to = bytes_at(r1, (u32)r2, (u32)r4, &err);

	if (to)
		memmove(to, memory_of(r3), (u32)r4);
	return err;
}
