/* What the files of the public interface share: the objects behind the opaque names. */
#ifndef WEIR_ENGINE_API_H
#define WEIR_ENGINE_API_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/types.h"
#include "weir/weir.h"

struct weir_engine {
	struct cpus *cpus;
	unsigned announce; /* enum weir_announce */
	unsigned harden; /* enum weir_harden */
	_Atomic u32 refs; /* the user's, and one of each slot, map and program */
};

struct weir_slot {
	struct weir_engine *engine; /* one reference */
	pthread_t thread;           /* whose it is */
	u32 number;
	u8 *base;
	const struct weir_env *env; /* that it has set, or NULL */
};

struct weir_map {
	struct weir_engine *engine; /* one reference */
	struct map *map;            /* likewise */
};

/* Whether the calling thread may run on it what belongs to `engine`. NULL ok. */
static inline bool slot_fits(const struct weir_slot *slot, const struct weir_engine *engine)
{
	return slot && slot->engine == engine && pthread_equal(slot->thread, pthread_self());
}

/* What is made of engine->harden: letters of passes on request, and whether code has landing pads. */
const char *engine_passes(const struct weir_engine *engine);
bool engine_has_pads(const struct weir_engine *engine);
void engine_get(struct weir_engine *engine);
void engine_put(struct weir_engine *engine);

#endif
