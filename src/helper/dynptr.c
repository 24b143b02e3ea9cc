/* Dynptrs: memory whose size is known at run time only. Made by helpers, looked into by kernel functions and helpers. */
#include "helper/dynptr.h"

#include <string.h>

#include "helper/packet.h"
#include "map/ring.h"
#include "map/ringbuf.h"

static struct dynptr *dynptr_of(u64 r)
{
	return memory_of(r);
}

static u32 size_of(const struct dynptr *d)
{
	return d->bits & DYNPTR_SIZE_MOST;
}

static enum dynptr_type type_of(const struct dynptr *d)
{
	return (enum dynptr_type)(d->bits >> DYNPTR_TYPE_SHIFT);
}

static bool is_packet(const struct dynptr *d)
{
	return type_of(d) == DYNPTR_SKB || type_of(d) == DYNPTR_XDP;
}

static u64 make(u64 at, enum dynptr_type type, u64 data, u64 size, u32 bits)
{
	*dynptr_of(at) = (struct dynptr){
		.data = data, .bits = (u32)size | (u32)type << DYNPTR_TYPE_SHIFT | bits};
	return 0;
}

static u64 make_null(u64 at, int err)
{
	*dynptr_of(at) = (struct dynptr){0};
	return fails(err);
}

static bool inside(const struct dynptr *d, u64 off, u64 n)
{
	return n <= size_of(d) && off <= size_of(d) - n;
}

/* `n` bytes at `off`, which are inside the dynptr; a packet may have become shorter than it was: NULL. */
static u8 *bytes_at(const struct dynptr *d, u64 off, u64 n)
{
	off += d->off;
	return is_packet(d) ? packet_at(frame_of(d->data), off, n) : (u8 *)memory_of(d->data) + off;
}

static u64 packet_error(const struct dynptr *d)
{
	return type_of(d) == DYNPTR_SKB ? fails(EFAULT) : fails(EINVAL);
}

u64 helper_dynptr_from_mem(u64 r1, u64 r2, u64 r3, u64 r4, u64 r5 UNUSED_ARG)
{
	if ((u32)r2 > DYNPTR_SIZE_MOST)
		return make_null(r4, E2BIG);
	return r3 ? make_null(r4, EINVAL) : make(r4, DYNPTR_LOCAL, r1, (u32)r2, 0);
}

u64 helper_ringbuf_reserve_dynptr(u64 r1, u64 r2, u64 r3, u64 r4, u64 r5 UNUSED_ARG)
{
	u32 size = (u32)r2;

	if (r3)
		return make_null(r4, EINVAL);
	if (size > DYNPTR_SIZE_MOST)
		return make_null(r4, E2BIG);
	void *record = ringbuf_reserve(memory_of(r1), size);
	return record ? make(r4, DYNPTR_RINGBUF, (uintptr_t)record, size, 0)
		      : make_null(r4, EINVAL);
}

static u64 give_back(u64 at, u32 bits, u64 flags)
{
	struct dynptr *d = dynptr_of(at);

	if (d->data)
		ring_commit(memory_of(d->data), bits, flags);
	*d = (struct dynptr){0};
	return 0;
}

u64 helper_ringbuf_submit_dynptr(
	u64 r1, u64 r2, u64 r3 UNUSED_ARG, u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG)
{
	return give_back(r1, 0, r2);
}

u64 helper_ringbuf_discard_dynptr(
	u64 r1, u64 r2, u64 r3 UNUSED_ARG, u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG)
{
	return give_back(r1, RING_DISCARD, r2);
}

u64 helper_dynptr_read(u64 r1, u64 r2, u64 r3, u64 r4, u64 r5)
{
	const struct dynptr *d = dynptr_of(r3);
	u32 n = (u32)r2, off = (u32)r4;

	if (!d->data || r5)
		return fails(EINVAL);
	if (!inside(d, off, n))
		return fails(E2BIG);
	if (!n)
		return 0;
	const u8 *from = bytes_at(d, off, n);
	if (from)
		memmove(memory_of(r1), from, n);
	return from ? 0 : packet_error(d);
}

u64 helper_dynptr_write(u64 r1, u64 r2, u64 r3, u64 r4, u64 r5)
{
	const struct dynptr *d = dynptr_of(r1);
	u32 n = (u32)r4, off = (u32)r2;

	if (!d->data || d->bits & DYNPTR_RDONLY)
		return fails(EINVAL);
	if (!inside(d, off, n))
		return fails(E2BIG);
	if (type_of(d) == DYNPTR_SKB)
		return helper_skb_store_bytes(d->data, d->off + off, r3, n, r5);
	if (r5)
		return fails(EINVAL);
	u8 *to = n ? bytes_at(d, off, n) : NULL;
	if (to)
		memmove(to, memory_of(r3), n);
	return to || !n ? 0 : packet_error(d);
}

u64 helper_dynptr_data(u64 r1, u64 r2, u64 r3, u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG)
{
	const struct dynptr *d = dynptr_of(r1);

	if (!d->data || !inside(d, (u32)r2, (u32)r3) || is_packet(d) || d->bits & DYNPTR_RDONLY)
		return 0;
	return (uintptr_t)bytes_at(d, (u32)r2, (u32)r3);
}

static u64 from_packet(u64 frame, u64 flags, u64 at, enum dynptr_type type, u32 bits)
{
	return flags ? make_null(at, EINVAL) : make(at, type, frame, frame_of(frame)->len, bits);
}

u64 helper_dynptr_from_skb(u64 r1, u64 r2, u64 r3, u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG)
{
	return from_packet(r1, r2, r3, DYNPTR_SKB, 0);
}

u64 helper_dynptr_from_skb_rdonly(u64 r1, u64 r2, u64 r3, u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG)
{
	return from_packet(r1, r2, r3, DYNPTR_SKB, DYNPTR_RDONLY);
}

u64 helper_dynptr_from_xdp(u64 r1, u64 r2, u64 r3, u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG)
{
	return from_packet(r1, r2, r3, DYNPTR_XDP, 0);
}

/* Packets are in one piece: nothing needs the program's buffer. */
u64 helper_dynptr_slice(u64 r1, u64 r2, u64 r3 UNUSED_ARG, u64 r4, u64 r5 UNUSED_ARG)
{
	const struct dynptr *d = dynptr_of(r1);

	if (!d->data || !inside(d, (u32)r2, (u32)r4))
		return 0;
	return (uintptr_t)bytes_at(d, (u32)r2, (u32)r4);
}

u64 helper_dynptr_slice_rdwr(u64 r1, u64 r2, u64 r3, u64 r4, u64 r5)
{
	return dynptr_of(r1)->bits & DYNPTR_RDONLY ? 0 : helper_dynptr_slice(r1, r2, r3, r4, r5);
}

u64 helper_dynptr_adjust(u64 r1, u64 r2, u64 r3, u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG)
{
	struct dynptr *d = dynptr_of(r1);
	u32 start = (u32)r2, end = (u32)r3;

	if (!d->data || start > end)
		return fails(EINVAL);
	if (end > size_of(d))
		return fails(ERANGE);
	d->off += start;
	d->bits = (d->bits & ~(u32)DYNPTR_SIZE_MOST) | (end - start);
	return 0;
}

u64 helper_dynptr_is_null(
	u64 r1, u64 r2 UNUSED_ARG, u64 r3 UNUSED_ARG, u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG)
{
	return !dynptr_of(r1)->data;
}

u64 helper_dynptr_is_rdonly(
	u64 r1, u64 r2 UNUSED_ARG, u64 r3 UNUSED_ARG, u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG)
{
	return dynptr_of(r1)->data && dynptr_of(r1)->bits & DYNPTR_RDONLY;
}

u64 helper_dynptr_size(
	u64 r1, u64 r2 UNUSED_ARG, u64 r3 UNUSED_ARG, u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG)
{
	const struct dynptr *d = dynptr_of(r1);

	return d->data ? size_of(d) : (u32)fails(EINVAL);
}

u64 helper_dynptr_clone(u64 r1, u64 r2, u64 r3 UNUSED_ARG, u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG)
{
	struct dynptr d = *dynptr_of(r1);

	*dynptr_of(r2) = d;
	return d.data ? 0 : fails(EINVAL);
}
