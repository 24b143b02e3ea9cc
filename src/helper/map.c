/* Maps. The verifier has proved that r1 is a map and that keys and values are as long as the map says. */
#include "cpu/cpu.h"
#include "helper/functions.h"
#include "map/map.h"

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
