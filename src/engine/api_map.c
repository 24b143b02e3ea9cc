/* Public interface: maps. */
#include <errno.h>
#include <string.h>

#include "base/alloc.h"
#include "cpu/cpu.h"
#include "engine/api.h"
#include "engine/error.h"
#include "map/map.h"

_Static_assert(WEIR_MAP_HASH == (int)MAP_TYPE_HASH && WEIR_MAP_ARRAY == (int)MAP_TYPE_ARRAY &&
		       WEIR_MAP_PERCPU_HASH == (int)MAP_TYPE_PERCPU_HASH &&
		       WEIR_MAP_PERCPU_ARRAY == (int)MAP_TYPE_PERCPU_ARRAY &&
		       WEIR_MAP_LPM_TRIE == (int)MAP_TYPE_LPM_TRIE,
	"public numbers are those inside");
_Static_assert(WEIR_ANY == BPF_ANY && WEIR_NOEXIST == BPF_NOEXIST && WEIR_EXIST == BPF_EXIST,
	"public flags are those inside");

int weir_map_new(struct weir_engine *engine, const struct weir_map_spec *spec,
	struct weir_map **map, struct weir_error *error)
{
	struct diag d = {0};
	const char *null = !engine ? "engine" : !spec ? "spec" : !map ? "map" : NULL;

	if (null)
		return error_null(error, null);
	struct map_spec inside = {
		.type = (enum map_type)spec->type,
		.key_size = spec->key_size,
		.value_size = spec->value_size,
		.max_entries = spec->max_entries,
		.flags = spec->flags,
	};
	struct weir_map *m = mem_zalloc(sizeof(*m));

	if (spec->name)
		strncpy(inside.name, spec->name, sizeof(inside.name) - 1);
	int err = m ? map_new(&inside, engine->cpus, &m->map, &d) : -ENOMEM;
	if (err) {
		mem_free(m);
		error_fill(error, err, &d);
	} else {
		engine_get(engine);
		m->engine = engine;
		*map = m;
	}
	diag_fini(&d);
	return err;
}

void weir_map_free(struct weir_map *map)
{
	if (!map)
		return;
	map_put(map->map);
	engine_put(map->engine);
	mem_free(map);
}

size_t weir_map_value_bytes(const struct weir_map *map)
{
	return map ? map_outside_value_bytes(map->map) : 0;
}

int weir_map_lookup(const struct weir_map *map, const void *key, void *value)
{
	return map && key && value ? map_read(map->map, key, value) : -EINVAL;
}

/* The value as it is outside, all slots. *values is to be freed, and NULL on failure. */
static int read_all(const struct map *m, const void *key, u8 **values)
{
	*values = mem_alloc(map_outside_value_bytes(m));
	int err = *values ? map_read((struct map *)m, key, *values) : -ENOMEM;

	if (err) {
		mem_free(*values);
		*values = NULL;
	}
	return err;
}

int weir_map_lookup_slot(const struct weir_map *map, const void *key, u32 slot, void *value)
{
	if (!map || !key || !value)
		return -EINVAL;
	const struct map *m = map->map;
	u8 *values = NULL;

	if (!(m->ops->flags & MAP_PER_CPU) || slot >= cpus_nr(m->cpus))
		return -EINVAL;
	int err = read_all(m, key, &values);
	if (!err)
		memcpy(value, values + (size_t)slot * m->value_stride, m->spec.value_size);
	mem_free(values);
	return err;
}

int weir_map_sum(const struct weir_map *map, const void *key, u64 *sums)
{
	if (!map || !key || !sums)
		return -EINVAL;
	const struct map *m = map->map;
	size_t words = m->spec.value_size / sizeof(u64);
	u32 slots = m->ops->flags & MAP_PER_CPU ? cpus_nr(m->cpus) : 1;
	u8 *values = NULL;

	if (m->spec.value_size % sizeof(u64))
		return -EINVAL;
	int err = read_all(m, key, &values);
	if (err)
		return err;
	memset(sums, 0, m->spec.value_size);
	for (u32 slot = 0; slot < slots; slot++)
		for (size_t w = 0; w < words; w++)
			sums[w] += ((const u64 *)(const void *)values)[slot * words + w];
	mem_free(values);
	return 0;
}

int weir_map_update(struct weir_map *map, const void *key, const void *value, u64 flags)
{
	return map && key && value ? map_write(map->map, key, value, flags) : -EINVAL;
}

int weir_map_delete(struct weir_map *map, const void *key)
{
	return map && key ? map_remove(map->map, key) : -EINVAL;
}

int weir_map_next(const struct weir_map *map, const void *key, void *next)
{
	return map && next ? map_next_key(map->map, key, next) : -EINVAL;
}
