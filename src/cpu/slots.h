/* What the files of src/cpu/ share. */
#ifndef WEIR_CPU_SLOTS_H
#define WEIR_CPU_SLOTS_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/limits.h"
#include "cpu/cpu.h"

/* A slot's owner stands apart from the slot's memory: any thread may ask for it. */
struct cpu_owner {
	_Alignas(64) _Atomic uintptr_t thread; /* 0: free */
	u32 depth;			       /* of nested takes; the owner's */
};

struct percpu_extent {
	u64 off;
	u64 bytes;
};

struct cpus {
	u8 *base; /* slot s: base + s * PERCPU_SLOT_BYTES */
	u32 nr;
	u32 nr_present;
	u64 present[CPU_SLOTS_MAX / 64]; /* a bit for each slot that exists */
	bool fence; /* no membarrier(2) here: cpu_enter orders by itself */
	u64 seed;   /* of the slots' random numbers */
	struct cpu_owner *owners;
	void *owners_memory;

	pthread_mutex_t lock; /* the rest */
	struct percpu_extent *used; /* sorted by offset, disjoint */
	size_t nr_used;
	size_t cap_used;
	u64 open_bytes; /* of each slot's range: accessible */

	_Atomic u32 last_id;
	pthread_mutex_t retired_lock; /* the rest */
	struct retiree *retired_first, **retired_last; /* in the order of retirement */
	_Atomic u32 nr_retired; /* a hint without the lock */
};

/* No slot runs any more: gives up all that was retired, and what that retires. */
void retired_drop_all(struct cpus *c);

#endif
