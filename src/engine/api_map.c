/* Public interface: maps. */
#include <errno.h>
#include <string.h>

#include "base/alloc.h"
#include "cpu/cpu.h"
#include "engine/api.h"
#include "engine/error.h"
#include "map/map.h"

#define SAME_NUMBER(type) \
	_Static_assert(WEIR_MAP_##type == (int)MAP_TYPE_##type, "public numbers are those inside")
SAME_NUMBER(HASH);
SAME_NUMBER(ARRAY);
SAME_NUMBER(PROG_ARRAY);
SAME_NUMBER(PERF_EVENT_ARRAY);
SAME_NUMBER(PERCPU_HASH);
SAME_NUMBER(PERCPU_ARRAY);
SAME_NUMBER(LRU_HASH);
SAME_NUMBER(LRU_PERCPU_HASH);
SAME_NUMBER(LPM_TRIE);
SAME_NUMBER(ARRAY_OF_MAPS);
SAME_NUMBER(HASH_OF_MAPS);
SAME_NUMBER(DEVMAP);
SAME_NUMBER(CPUMAP);
SAME_NUMBER(XSKMAP);
SAME_NUMBER(QUEUE);
SAME_NUMBER(STACK);
SAME_NUMBER(DEVMAP_HASH);
SAME_NUMBER(RINGBUF);
SAME_NUMBER(BLOOM_FILTER);
#undef SAME_NUMBER
_Static_assert(WEIR_ANY == BPF_ANY && WEIR_NOEXIST == BPF_NOEXIST && WEIR_EXIST == BPF_EXIST &&
		       WEIR_LOCK == BPF_F_LOCK,
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
		.extra = spec->map_extra,
		.inner = spec->inner ? spec->inner->map : NULL,
		.lock_at = spec->lock_at,
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
	map_put_outside(map->map);
	cpus_reap(map->engine->cpus);
	engine_put(map->engine);
	mem_free(map);
}

int weir_map_info(const struct weir_map *map, struct weir_map_spec *spec)
{
	if (!map || !spec)
		return -EINVAL;
	const struct map_spec *inside = &map->map->spec;

	*spec = (struct weir_map_spec){
		.name = inside->name,
		.type = (enum weir_map_type)inside->type,
		.key_size = inside->key_size,
		.value_size = inside->value_size,
		.max_entries = inside->max_entries,
		.flags = inside->flags,
		.map_extra = inside->extra,
		.lock_at = inside->lock_at,
	};
	return 0;
}

const char *weir_map_type_name(enum weir_map_type type)
{
	const struct map_ops *ops = map_ops_of((enum map_type)type);

	return ops ? ops->name : NULL;
}

/* NULL is the key of maps that have none. */
static bool key_fits(const struct weir_map *map, const void *key)
{
	return map && (key || !map->map->spec.key_size);
}

int weir_map_set_map(struct weir_map *map, const void *key, struct weir_map *entry, u64 flags)
{
	if (!map || !key || (entry && entry->engine != map->engine))
		return -EINVAL;
	int err = map_set_map(map->map, key, entry ? entry->map : NULL, flags);
	cpus_reap(map->engine->cpus);
	return err;
}

int weir_map_fd(struct weir_map *map)
{
	return map ? map_event(map->map) : -EINVAL;
}

int weir_map_consume(struct weir_map *map, weir_record_fn fn, void *arg, u64 *lost)
{
	return map && fn ? map_consume(map->map, fn, arg, lost) : -EINVAL;
}

u32 weir_map_id(const struct weir_map *map)
{
	return map ? map->map->id : 0;
}

size_t weir_map_value_bytes(const struct weir_map *map)
{
	return map ? map_outside_value_bytes(map->map) : 0;
}

int weir_map_lookup(const struct weir_map *map, const void *key, void *value)
{
	return key_fits(map, key) && value ? map_read(map->map, key, value) : -EINVAL;
}

/* Whether a caller's idea of the map's sizes is right. */
static bool sizes_fit(const struct weir_map *map, size_t key_bytes, size_t value_bytes)
{
	return map && key_bytes == map->map->spec.key_size &&
	       value_bytes == map_outside_value_bytes(map->map);
}

int weir_map_lookup_sized(const struct weir_map *map, const void *key, size_t key_bytes,
	void *value, size_t value_bytes, u64 flags)
{
	if (!sizes_fit(map, key_bytes, value_bytes) || !key_fits(map, key) || !value)
		return -EINVAL;
	return map_read_flags(map->map, key, value, flags);
}

int weir_map_update_sized(struct weir_map *map, const void *key, size_t key_bytes,
	const void *value, size_t value_bytes, u64 flags)
{
	if (!sizes_fit(map, key_bytes, value_bytes))
		return -EINVAL;
	return weir_map_update(map, key, value, flags);
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

/* How many slots stand before this one. */
static u32 index_of_slot(const struct cpus *cpus, u32 slot)
{
	u32 index = 0;

	for (u32 s = cpus_next(cpus, 0); s < slot; s = cpus_next(cpus, s + 1))
		index++;
	return index;
}

int weir_map_lookup_slot(const struct weir_map *map, const void *key, u32 slot, void *value)
{
	if (!map || !key || !value)
		return -EINVAL;
	const struct map *m = map->map;
	u8 *values = NULL;

	if (!(m->ops->flags & MAP_PER_CPU) || slot >= cpus_nr(m->cpus) ||
		cpus_next(m->cpus, slot) != slot)
		return -EINVAL;
	int err = read_all(m, key, &values);
	if (!err)
		memcpy(value, values + (size_t)index_of_slot(m->cpus, slot) * m->value_stride,
			m->spec.value_size);
	mem_free(values);
	return err;
}

int weir_map_sum(const struct weir_map *map, const void *key, u64 *sums)
{
	if (!map || !key || !sums)
		return -EINVAL;
	const struct map *m = map->map;
	size_t words = m->spec.value_size / sizeof(u64);
	u32 slots = m->ops->flags & MAP_PER_CPU ? cpus_count(m->cpus) : 1;
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
	return key_fits(map, key) && value ? map_write(map->map, key, value, flags) : -EINVAL;
}

int weir_map_delete(struct weir_map *map, const void *key)
{
	return key_fits(map, key) ? map_remove(map->map, key) : -EINVAL;
}

int weir_map_next(const struct weir_map *map, const void *key, void *next)
{
	return map && next ? map_next_key(map->map, key, next) : -EINVAL;
}

int weir_map_freeze(struct weir_map *map)
{
	return map ? map_freeze(map->map) : -EINVAL;
}

int weir_map_push(struct weir_map *map, const void *value, u64 flags)
{
	return map && value ? map_push(map->map, value, flags) : -EINVAL;
}

int weir_map_pop(struct weir_map *map, void *value)
{
	return map && value ? map_pop(map->map, value) : -EINVAL;
}

int weir_map_peek(struct weir_map *map, void *value)
{
	return map && value ? map_peek(map->map, value) : -EINVAL;
}

int weir_map_lookup_and_delete(struct weir_map *map, const void *key, void *value)
{
	return key_fits(map, key) && value ? map_read_and_remove(map->map, key, value) : -EINVAL;
}

void *weir_map_array_values(struct weir_map *map, size_t *stride)
{
	if (!map || !stride || map->map->spec.type != MAP_TYPE_ARRAY)
		return NULL;
	*stride = map->map->layout.stride;
	return (void *)(uintptr_t)map->map->layout.base;
}
