/* Records for somebody outside: ring buffers and perf event arrays. */
#include <errno.h>

#include "cpu/cpu.h"
#include "helper/functions.h"
#include "map/perf_event_array.h"
#include "map/ring.h"
#include "map/ringbuf.h"
#include "weir/frame.h"

#define WAKEUP_FLAGS (BPF_RB_NO_WAKEUP | BPF_RB_FORCE_WAKEUP)
#define INDEX_MASK 0xffffffffull       /* BPF_F_INDEX_MASK */
#define CTXLEN_MASK (0xfffffull << 32) /* BPF_F_CTXLEN_MASK */

static struct map *map_of(u64 r)
{
	return (struct map *)(uintptr_t)r;
}

static void *memory_of(u64 r)
{
	return (void *)(uintptr_t)r;
}

static u64 fails(int err)
{
	return (u64) - (s64)err;
}

u64 helper_ringbuf_output(u64 r1, u64 r2, u64 r3, u64 r4, u64 r5 UNUSED_ARG)
{
	if (r4 & ~(u64)WAKEUP_FLAGS)
		return fails(EINVAL);
	return (u64)(s64)ringbuf_output(map_of(r1), memory_of(r2), r3, r4);
}

u64 helper_ringbuf_reserve(u64 r1, u64 r2, u64 r3, u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG)
{
	return r3 ? 0 : (uintptr_t)ringbuf_reserve(map_of(r1), r2);
}

u64 helper_ringbuf_submit(u64 r1, u64 r2, u64 r3 UNUSED_ARG, u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG)
{
	ring_commit(memory_of(r1), 0, r2);
	return 0;
}

u64 helper_ringbuf_discard(u64 r1, u64 r2, u64 r3 UNUSED_ARG, u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG)
{
	ring_commit(memory_of(r1), RING_DISCARD, r2);
	return 0;
}

u64 helper_ringbuf_query(u64 r1, u64 r2, u64 r3 UNUSED_ARG, u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG)
{
	return ringbuf_query(map_of(r1), r2);
}

/* The context is a frame: every type that may call this has one. */
u64 helper_perf_event_output(u64 r1, u64 r2, u64 r3, u64 r4, u64 r5)
{
	const struct weir_frame *frame = memory_of(r1);
	u64 packet_bytes = (r3 & CTXLEN_MASK) >> 32;

	if (r3 & ~(CTXLEN_MASK | INDEX_MASK))
		return fails(EINVAL);
	if (packet_bytes > frame->data_end - frame->data)
		return fails(EFAULT);
	return (u64)(s64)perf_event_output(map_of(r2), r3 & INDEX_MASK, memory_of(r4), r5,
		memory_of(frame->data), packet_bytes, cpu_self());
}
