#include "rules/counters.h"

#include <errno.h>

#include "base/alloc.h"
#include "base/bytes.h"
#include "cpu/cpu.h"
#include "map/map.h"

static u32 nr_values(const struct ruleset *set)
{
	u32 nr = (set->nr_counters + COUNTERS_PER_VALUE - 1) / COUNTERS_PER_VALUE;

	return nr == 0 ? 1 : nr;
}

int rules_counters_new(
	const struct ruleset *set, struct cpus *cpus, struct map **out, struct diag *d)
{
	struct map_spec spec = {
		.name = "rule_counters",
		.type = MAP_TYPE_PERCPU_ARRAY,
		.key_size = sizeof(u32),
		.value_size = COUNTERS_VALUE_BYTES,
		.max_entries = nr_values(set),
	};

	return map_new(&spec, cpus, out, d);
}

static void add_value(struct rule_count *counts, u32 nr, const u8 *value)
{
	for (u32 i = 0; i < nr; i++) {
		const u8 *at = value + COUNTERS_OFF + (size_t)i * COUNTER_BYTES;

		counts[i].packets += load_le64(at);
		counts[i].bytes += load_le64(at + 8);
	}
}

int rules_counters_read(const struct ruleset *set, struct map *counters, struct rule_count *counts)
{
	size_t total = map_outside_value_bytes(counters);
	u8 *values = mem_alloc(total);
	int err = values == NULL ? -ENOMEM : 0;

	memset(counts, 0, array_size(set->nr_counters, sizeof(*counts)));
	for (u32 key = 0; key < nr_values(set) && err == 0; key++) {
		u32 first = key * COUNTERS_PER_VALUE;
		u32 nr = set->nr_counters - first < COUNTERS_PER_VALUE ? set->nr_counters - first
								       : COUNTERS_PER_VALUE;

		err = map_read(counters, &key, values);
		for (size_t at = 0; err == 0 && at < total; at += counters->value_stride)
			add_value(counts + first, nr, values + at);
	}
	mem_free(values);
	return err;
}

u32 rules_log_take(struct map *counters, u8 *self, u32 *events, u32 cap)
{
	static const u32 key = 0;
	u8 *value = map_lookup(counters, &key, self);
	u32 nr = load_le32(value + LOG_NR_OFF);

	for (u32 i = 0; i < nr && i < LOG_EVENTS_MAX && i < cap; i++)
		events[i] = load_le32(value + LOG_EVENTS_OFF + i * sizeof(u32));
	store_le32(value + LOG_NR_OFF, 0);
	return nr;
}
