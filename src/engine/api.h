/* What the files of the public interface share: the objects behind the opaque names. */
#ifndef WEIR_ENGINE_API_H
#define WEIR_ENGINE_API_H

#include <stdatomic.h>

#include "base/types.h"
#include "weir/weir.h"

struct weir_engine {
	struct cpus *cpus;
	_Atomic u32 refs; /* the user's, and one of each slot, map and program */
};

struct weir_slot {
	struct weir_engine *engine; /* one reference */
	u32 number;
	u8 *base;
};

struct weir_map {
	struct weir_engine *engine; /* one reference */
	struct map *map;            /* likewise */
};

void engine_get(struct weir_engine *engine);
void engine_put(struct weir_engine *engine);

#endif
