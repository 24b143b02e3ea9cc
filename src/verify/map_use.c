/* Which helpers may be called with which types of maps. Some types are for some helpers only, some helpers for some types
 * only, all others may meet. */
#include "helper/helper.h"
#include "verify/verifier.h"

enum { USES_MAX = 5 };

/* A map of this type may only be given to these helpers, by the kernel's numbers. */
static const struct {
	enum map_type type;
	u32 helpers[USES_MAX];
} for_some_helpers[] = {
	{MAP_TYPE_PROG_ARRAY, {12}},                         /* tail_call */
	{MAP_TYPE_PERF_EVENT_ARRAY, {22, 25, 55, 111, 121}}, /* perf_event_read ... xdp_output */
	{MAP_TYPE_ARRAY_OF_MAPS, {1}},                       /* map_lookup_elem */
	{MAP_TYPE_HASH_OF_MAPS, {1}},
	{MAP_TYPE_DEVMAP, {1, 51}}, /* redirect_map */
	{MAP_TYPE_DEVMAP_HASH, {1, 51}},
	{MAP_TYPE_CPUMAP, {51}},
	{MAP_TYPE_XSKMAP, {1, 51}},
	{MAP_TYPE_QUEUE, {87, 88, 89}}, /* map_push_elem, pop, peek */
	{MAP_TYPE_STACK, {87, 88, 89}},
	{MAP_TYPE_RINGBUF, {130, 131, 134, 198}}, /* ringbuf_output ... reserve_dynptr */
	{MAP_TYPE_BLOOM_FILTER, {87, 89}},
};

/* This helper only takes maps of these types. */
static const struct {
	u32 helper;
	enum map_type types[USES_MAX];
} for_some_types[] = {
	{12, {MAP_TYPE_PROG_ARRAY}},
	{22, {MAP_TYPE_PERF_EVENT_ARRAY}},
	{25, {MAP_TYPE_PERF_EVENT_ARRAY}},
	{55, {MAP_TYPE_PERF_EVENT_ARRAY}},
	{111, {MAP_TYPE_PERF_EVENT_ARRAY}},
	{121, {MAP_TYPE_PERF_EVENT_ARRAY}},
	{51, {MAP_TYPE_DEVMAP, MAP_TYPE_DEVMAP_HASH, MAP_TYPE_CPUMAP, MAP_TYPE_XSKMAP}},
	{87, {MAP_TYPE_QUEUE, MAP_TYPE_STACK, MAP_TYPE_BLOOM_FILTER}},
	{88, {MAP_TYPE_QUEUE, MAP_TYPE_STACK}},
	{89, {MAP_TYPE_QUEUE, MAP_TYPE_STACK, MAP_TYPE_BLOOM_FILTER}},
	{130, {MAP_TYPE_RINGBUF}},
	{131, {MAP_TYPE_RINGBUF}},
	{134, {MAP_TYPE_RINGBUF}},
	{195, {MAP_TYPE_PERCPU_ARRAY, MAP_TYPE_PERCPU_HASH, MAP_TYPE_LRU_PERCPU_HASH}},
	{198, {MAP_TYPE_RINGBUF}},
};

bool map_use_allowed(enum map_type type, u32 helper)
{
	bool allowed = true;

	for (size_t i = 0; i < ARRAY_LEN(for_some_helpers); i++) {
		if (for_some_helpers[i].type != type)
			continue;
		allowed = false;
		for (u32 n = 0; n < USES_MAX; n++)
			allowed |= for_some_helpers[i].helpers[n] == helper;
	}
	for (size_t i = 0; allowed && i < ARRAY_LEN(for_some_types); i++) {
		if (for_some_types[i].helper != helper)
			continue;
		allowed = false;
		for (u32 n = 0; n < USES_MAX; n++)
			allowed |= for_some_types[i].types[n] == type;
	}
	return allowed;
}
