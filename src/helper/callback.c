/* Helpers that call the program back: their loops are code of the program (rewrite/callbacks.c), which asks here for a map's
 * next element. */
#include "cpu/cpu.h"
#include "helper/functions.h"
#include "map/map.h"

/* r1: the map, r2: struct map_cursor. */
u64 helper_map_each(u64 r1, u64 r2, u64 r3 UNUSED_ARG, u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG)
{
	struct map *m = (struct map *)(uintptr_t)r1;

	return (uintptr_t)m->ops->each(m, (struct map_cursor *)(uintptr_t)r2, cpu_self());
}
