/* Perf event arrays, for the helper. */
#ifndef WEIR_MAP_PERF_EVENT_ARRAY_H
#define WEIR_MAP_PERF_EVENT_ARRAY_H

#include "map/map.h"

/* A record of two parts from the program on the slot whose base is `self`. index: BPF_F_CURRENT_CPU or a slot, which must be
 * the program's own. 0; -E2BIG: no such entry; -EOPNOTSUPP: another slot's; -ENOENT: there is no such slot; -ENOSPC: no room. */
int perf_event_output(struct map *m, u64 index, const void *first, u64 first_bytes, const void *second, u64 second_bytes,
	const u8 *self);

#endif
