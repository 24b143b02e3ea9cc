/* Array of maps: maps by index. Programs get the map itself; from outside it is filled with map_set_map and reads as the
 * maps' ids.
 *
 * What is promised: lookups are lock-free and find the entry old or new. A map that was replaced or taken out stays until
 * every run that may have found it is over. Setting waits for others that set. */
#include <errno.h>
#include <limits.h>

#include "base/alloc.h"
#include "base/bytes.h"
#include "cpu/cpu.h"
#include "map/index.h"
#include "map/inner.h"
#include "map/lock.h"
#include "map/refuse.h"
#include "map/spec.h"

struct map_array {
	struct map_lock lock; /* setting, and reading an entry's id */
	_Atomic(struct map *) entries[];
};

static int array_of_maps_check_spec(const struct map_spec *spec, struct diag *d)
{
	int err = inner_check_spec(spec, d);

	return err ? err
		   : index_check_spec(
			     spec, BPF_F_NUMA_NODE | BPF_F_RDONLY | BPF_F_WRONLY, INT_MAX, d);
}

static int array_of_maps_create(struct map *m)
{
	struct map_array *a =
		mem_zalloc(sizeof(*a) + array_size(m->spec.max_entries, sizeof(a->entries[0])));

	if (!a)
		return -ENOMEM;
	map_get(m->spec.inner);
	m->layout.base = (uintptr_t)a->entries;
	m->layout.stride = sizeof(a->entries[0]);
	m->priv = a;
	return 0;
}

static void array_of_maps_destroy(struct map *m)
{
	struct map_array *a = m->priv;

	for (u32 n = 0; n < m->spec.max_entries; n++)
		map_put(atomic_load_explicit(&a->entries[n], memory_order_relaxed));
	map_put(m->spec.inner);
	mem_free(a);
}

static void *array_of_maps_lookup(struct map *m, const void *key, u8 *self)
{
	struct map_array *a = m->priv;
	u32 index = index_of(key);

	(void)self;
	if (index >= m->spec.max_entries)
		return NULL;
	return atomic_load_explicit(&a->entries[index], memory_order_acquire);
}

/* entry NULL: takes out. */
static int put(struct map *m, u32 index, struct map *entry)
{
	struct map_array *a = m->priv;
	struct retiree *r = retiree_new(m->cpus);

	if (!r)
		return -ENOMEM;
	if (entry)
		map_get(entry);
	lock_take(&a->lock);
	struct map *old = atomic_exchange(&a->entries[index], entry);
	lock_drop(&a->lock);
	if (old)
		inner_retire(m, r, old);
	else
		retiree_free(r);
	return old || entry ? 0 : -ENOENT;
}

static int array_of_maps_set_map(struct map *m, const void *key, struct map *entry, u64 flags)
{
	u32 index = index_of(key);

	if (flags != BPF_ANY)
		return -EINVAL;
	if (index >= m->spec.max_entries)
		return -E2BIG;
	int err = entry ? inner_check(m, entry) : 0;
	return err ? err : put(m, index, entry);
}

static int array_of_maps_remove(struct map *m, const void *key)
{
	return array_of_maps_set_map(m, key, NULL, BPF_ANY);
}

static int array_of_maps_read(struct map *m, const void *key, void *value)
{
	struct map_array *a = m->priv;

	lock_take(&a->lock);
	const struct map *entry = array_of_maps_lookup(m, key, NULL);
	u32 id = entry ? entry->id : 0;
	lock_drop(&a->lock);
	if (!id)
		return -ENOENT;
	store_le32(value, id);
	return 0;
}

static u64 array_of_maps_memory_bytes(const struct map *m)
{
	return (u64)m->spec.max_entries * m->layout.stride;
}

const struct map_ops array_of_maps_map_ops = {
	.name = "array_of_maps",
	.check_spec = array_of_maps_check_spec,
	.create = array_of_maps_create,
	.destroy = array_of_maps_destroy,
	.lookup = array_of_maps_lookup,
	.update = refuse_update,
	.remove = array_of_maps_remove,
	.read = array_of_maps_read,
	.write = refuse_write,
	.next_key = index_next_key,
	.memory_bytes = array_of_maps_memory_bytes,
	.set_map = array_of_maps_set_map,
};
