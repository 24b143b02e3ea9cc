#include "one_map.h"

int enter(void **state)
{
	struct cpus *c;

	if (cpus_new(SLOTS, &c, NULL) || cpu_take(c, 1))
		return -1;
	cpu_enter(cpu_base(c, 1));
	*state = c;
	return 0;
}

int leave(void **state)
{
	cpu_enter(NULL);
	cpu_release(*state, 1);
	cpus_free(*state);
	return 0;
}

struct map *map_of(struct cpus *c, enum map_type type, u32 key_size, u32 value_size,
	u32 max_entries, u32 flags)
{
	const struct map_spec spec = {.name = "m",
		.type = type,
		.key_size = key_size,
		.value_size = value_size,
		.max_entries = max_entries,
		.flags = flags};
	struct map *m;

	assert_int_equal(map_new(&spec, c, &m, NULL), 0);
	return m;
}

void *look(struct map *m, const void *key)
{
	return map_lookup(m, key, cpu_self());
}

int update(struct map *m, const void *key, const void *value, u64 flags)
{
	return m->ops->update(m, key, value, flags, cpu_self());
}
