/* Free elements of a pool, as numbers. One lock-free stack per lane: a lane for each slot and one for everybody outside, so
 * that slots don't share a cache line unless one runs dry and takes from the others.
 *
 * Elements that were never used are not on any stack: they follow in order of their numbers, so memory of a big pool is
 * touched only as far as it is used. */
#ifndef WEIR_MAP_FREELIST_H
#define WEIR_MAP_FREELIST_H

#include <stdatomic.h>

#include "base/types.h"

struct cpus;

/* The link stands at the start of each element and means nothing while the element is in use. */
struct free_link {
	_Atomic u32 next;
};

struct lane {
	_Alignas(64) _Atomic u64 top; /* upper half counts changes (against ABA), lower half: number or 0 */
};

struct freelist {
	u8 *elems;	/* element n (1 ...) is at elems + n * stride */
	size_t stride;
	u32 nr_lanes;
	struct lane *lanes;
	void *lanes_memory;
	u32 end;	   /* numbers below are of this list */
	_Atomic u32 fresh; /* from here on up to end: never used */
};

/* The elements first ... end - 1, none of them 0. 0 or -ENOMEM. */
int freelist_init(struct freelist *f, u8 *elems, size_t stride, u32 first, u32 end, const struct cpus *cpus);
void freelist_fini(struct freelist *f);

/* An element's number, or 0 when all are in use. Lock-free; first from `lane`, then fresh, then from other lanes. */
u32 freelist_pop(struct freelist *f, u32 lane);
void freelist_push(struct freelist *f, u32 lane, u32 number);

/* The lane of a program on the slot whose base is `self`, or of outside (NULL). */
u32 lane_of(const struct cpus *cpus, const u8 *self);

#endif
