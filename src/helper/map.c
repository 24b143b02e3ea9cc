/* Maps. The verifier has proved that r1 is a map and that keys and values are as long as the map says. */
#include <errno.h>
#include <string.h>

#include "cpu/cpu.h"
#include "helper/functions.h"
#include "map/map.h"
#include "map/spin.h"

static struct map *map_of(u64 r)
{
	return (struct map *)(uintptr_t)r;
}

static const void *memory_of(u64 r)
{
	return (const void *)(uintptr_t)r;
}

u64 helper_map_lookup_elem(u64 r1, u64 r2, u64 r3 UNUSED_ARG, u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG)
{
	return (uintptr_t)map_lookup(map_of(r1), memory_of(r2), cpu_self());
}

u64 helper_map_update_elem(u64 r1, u64 r2, u64 r3, u64 r4, u64 r5 UNUSED_ARG)
{
	struct map *m = map_of(r1);

	return (u64)(s64)m->ops->update(m, memory_of(r2), memory_of(r3), r4, cpu_self());
}

u64 helper_map_delete_elem(u64 r1, u64 r2, u64 r3 UNUSED_ARG, u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG)
{
	struct map *m = map_of(r1);

	return (u64)(s64)m->ops->remove(m, memory_of(r2));
}

/* The value of another slot. */
u64 helper_map_lookup_percpu_elem(u64 r1, u64 r2, u64 r3, u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG)
{
	struct map *m = map_of(r1);
	u32 slot = (u32)r3;

	if (slot >= cpus_nr(m->cpus) || cpus_next(m->cpus, slot) != slot ||
		!(m->ops->flags & MAP_PER_CPU))
		return 0;
	return (uintptr_t)map_lookup(m, memory_of(r2), cpu_base(m->cpus, slot));
}

u64 helper_map_push_elem(u64 r1, u64 r2, u64 r3, u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG)
{
	struct map *m = map_of(r1);

	return (u64)(s64)(m->ops->push ? m->ops->push(m, memory_of(r2), r3) : -EOPNOTSUPP);
}

/* Queues and stacks that are empty give zeros: the program may read what it got without looking at the result. Bloom filters
 * only read the value. */
static u64 get_value(struct map *m, int (*get)(struct map *m, void *value), void *value)
{
	int err = get ? get(m, value) : -EOPNOTSUPP;

	if (err && m->spec.type != MAP_TYPE_BLOOM_FILTER)
		memset(value, 0, m->spec.value_size);
	return (u64)(s64)err;
}

u64 helper_map_pop_elem(u64 r1, u64 r2, u64 r3 UNUSED_ARG, u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG)
{
	return get_value(map_of(r1), map_of(r1)->ops->pop, (void *)(uintptr_t)r2);
}

u64 helper_map_peek_elem(u64 r1, u64 r2, u64 r3 UNUSED_ARG, u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG)
{
	return get_value(map_of(r1), map_of(r1)->ops->peek, (void *)(uintptr_t)r2);
}

u64 helper_spin_lock(
	u64 r1, u64 r2 UNUSED_ARG, u64 r3 UNUSED_ARG, u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG)
{
	spin_take((void *)(uintptr_t)r1);
	return 0;
}

u64 helper_spin_unlock(
	u64 r1, u64 r2 UNUSED_ARG, u64 r3 UNUSED_ARG, u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG)
{
	spin_drop((void *)(uintptr_t)r1);
	return 0;
}
