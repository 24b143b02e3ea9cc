/* Open-coded iterators over numbers: bpf_for and bpf_repeat are made of these kernel functions. An iterator lies on the
 * program's stack, where the verifier keeps the program from looking into it. */
#include "helper/iter.h"

#include <errno.h>

#include "helper/packet.h"

enum { NUMBERS_MAX = 8 << 20 }; /* kernel: BPF_MAX_LOOPS */

/* From the first number on, up to but without the second one. */
u64 helper_iter_num_new(u64 r1, u64 r2, u64 r3, u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG)
{
	struct iter_num *it = memory_of(r1);
	s64 start = (s32)r2, end = (s32)r3;

	*it = (struct iter_num){0};
	if (start > end)
		return fails(EINVAL);
	if (end - start > NUMBERS_MAX)
		return fails(E2BIG);
	/* One before the first; the difference may leave an s32, and comes back with the next addition. */
	*it = (struct iter_num){(s32)(u32)(start - 1), (s32)end};
	return 0;
}

/* The address of the next number, or 0, and again 0 from then on. */
u64 helper_iter_num_next(
	u64 r1, u64 r2 UNUSED_ARG, u64 r3 UNUSED_ARG, u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG)
{
	struct iter_num *it = memory_of(r1);
	s32 next = (s32)((u32)it->now + 1);

	if (next >= it->end) {
		*it = (struct iter_num){0};
		return 0;
	}
	it->now = next;
	return (u64)(uintptr_t)&it->now;
}

u64 helper_iter_num_destroy(
	u64 r1, u64 r2 UNUSED_ARG, u64 r3 UNUSED_ARG, u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG)
{
	struct iter_num *it = memory_of(r1);

	*it = (struct iter_num){0};
	return 0;
}
