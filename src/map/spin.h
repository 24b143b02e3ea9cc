/* The struct bpf_spin_lock in values of arrays and hashes: a map_lock that counts nothing, so 0 means free. It stays where it
 * is when the value around it is copied, and lives on when a hash's element becomes another key's. */
#ifndef WEIR_MAP_SPIN_H
#define WEIR_MAP_SPIN_H

#include "map/lock.h"
#include "map/map.h"

/* For programs: `lock` is that field. Waiting takes until the holder's program gives it up, which the verifier makes sure of. */
static inline void spin_take(void *lock)
{
	lock_take(lock);
}

static inline void spin_drop(void *lock)
{
	lock_drop(lock);
}

/* The lock in a value of m, whose spec.lock_at isn't 0. */
static inline void *spin_of(const struct map *m, void *value)
{
	return (u8 *)value + m->spec.lock_at - 1;
}

#endif
