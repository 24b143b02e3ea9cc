/* A lock in four bytes that also counts what was unlinked under it. Waiters sleep (futex) instead of spinning: the holder
 * may have lost its CPU to them.
 *
 * Word: bit 0 locked, bit 1 somebody sleeps, the rest a count that wraps after 2^30. */
#ifndef WEIR_MAP_LOCK_H
#define WEIR_MAP_LOCK_H

#include <stdatomic.h>

#include "base/types.h"

struct map_lock {
	_Atomic u32 word;
};

void lock_take(struct map_lock *l);
void lock_drop(struct map_lock *l);
/* As lock_drop, and counts: readers that began before will notice. */
void lock_drop_count(struct map_lock *l);

/* For readers without the lock: the count so far. */
static inline u32 lock_count(const struct map_lock *l)
{
	return atomic_load_explicit(&l->word, memory_order_acquire) >> 2;
}

#endif
