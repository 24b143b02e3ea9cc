/* Lookups in hash tables, without finding out at run time what kind of map it is. */
#include "map/hash.h"

#include "helper/functions.h"

#define LOOKUP(name) \
	u64 helper_##name(u64 r1, u64 r2, u64 r3 UNUSED_ARG, u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG) \
	{ \
		return name((const struct map *)(uintptr_t)r1, (const void *)(uintptr_t)r2); \
	}
LOOKUP(hash_value_4)
LOOKUP(hash_value_8)
LOOKUP(hash_value_16)
LOOKUP(hash_value_any)
LOOKUP(hash_percpu_4)
LOOKUP(hash_percpu_8)
LOOKUP(hash_percpu_16)
LOOKUP(hash_percpu_any)
LOOKUP(lru_value_4)
LOOKUP(lru_value_8)
LOOKUP(lru_value_16)
LOOKUP(lru_value_any)
LOOKUP(lru_percpu_4)
LOOKUP(lru_percpu_8)
LOOKUP(lru_percpu_16)
LOOKUP(lru_percpu_any)
#undef LOOKUP
