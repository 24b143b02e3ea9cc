/* Hash of maps: maps by key, in a hash table of pointers. Programs get the map itself; from outside it is filled with
 * map_set_map and reads as the maps' ids.
 *
 * What is promised: lookups are lock-free; a key that is replaced is found old or new, and while one key is taken out and
 * another put in, a lookup of the first may find the second's map, as in the kernel: it never finds one that is gone. A map
 * that was replaced or taken out stays until every run that may have found it is over. Setting waits for others that set. */
#include <errno.h>
#include <string.h>

#include "base/alloc.h"
#include "base/bytes.h"
#include "base/diag.h"
#include "cpu/cpu.h"
#include "map/inner.h"
#include "map/lock.h"
#include "map/refuse.h"
#include "map/spec.h"

struct map_hash {
	struct map_lock lock; /* setting, and reading an entry's id */
	struct map *table;    /* a hash, whose values are struct map * */
	u8 key[];             /* for the walk at the end */
};

/* The table as the map's description wants it. */
static struct map_spec table_spec(const struct map_spec *spec)
{
	struct map_spec table = *spec;

	table.type = MAP_TYPE_HASH;
	table.value_size = sizeof(struct map *);
	table.flags &= ~(MAP_ACCESS_FLAGS);
	table.inner = NULL;
	return table;
}

static int hash_of_maps_check_spec(const struct map_spec *spec, struct diag *d)
{
	int err = inner_check_spec(spec, d);
	struct map_spec table = table_spec(spec);

	if (!err)
		err = spec_check_flags(spec,
			BPF_F_NO_PREALLOC | BPF_F_NUMA_NODE | MAP_ACCESS_FLAGS | BPF_F_ZERO_SEED,
			d);
	return err ? err : map_ops_of(MAP_TYPE_HASH)->check_spec(&table, d);
}

static int hash_of_maps_create(struct map *m)
{
	struct map_spec table = table_spec(&m->spec);
	struct map_hash *h = mem_zalloc(sizeof(*h) + m->spec.key_size);
	struct diag d = {0};

	if (!h)
		return -ENOMEM;
	int err = map_new(&table, m->cpus, &h->table, &d);
	diag_fini(&d);
	if (err) {
		mem_free(h);
		return err;
	}
	map_get(m->spec.inner);
	m->priv = h;
	return 0;
}

/* The map at this key, or NULL. */
static struct map *entry_at(const struct map_hash *h, const void *key)
{
	const _Atomic(struct map *) *at = h->table->ops->lookup(h->table, key, NULL);

	return at ? atomic_load_explicit(at, memory_order_acquire) : NULL;
}

static void hash_of_maps_destroy(struct map *m)
{
	struct map_hash *h = m->priv;

	while (!map_next_key(h->table, NULL, h->key)) {
		struct map *entry = entry_at(h, h->key);

		map_remove(h->table, h->key);
		map_put(entry);
	}
	map_put(h->table);
	map_put(m->spec.inner);
	mem_free(h);
}

static void *hash_of_maps_lookup(struct map *m, const void *key, u8 *self)
{
	(void)self;
	return entry_at(m->priv, key);
}

static int set_locked(
	struct map *m, const void *key, struct map *entry, u64 flags, struct map **old)
{
	struct map_hash *h = m->priv;
	struct map *before = entry_at(h, key);
	int err = entry ? h->table->ops->write(h->table, key, &entry, flags)
			: h->table->ops->remove(h->table, key);

	if (!err)
		*old = before;
	return err;
}

static int hash_of_maps_set_map(struct map *m, const void *key, struct map *entry, u64 flags)
{
	struct map_hash *h = m->priv;
	struct map *old = NULL;
	int err = entry ? inner_check(m, entry) : 0;

	if (err)
		return err;
	struct retiree *r = retiree_new(m->cpus);
	if (!r)
		return -ENOMEM;
	lock_take(&h->lock);
	err = set_locked(m, key, entry, flags, &old);
	if (!err && entry)
		map_get(entry);
	lock_drop(&h->lock);
	if (old)
		inner_retire(m, r, old);
	else
		retiree_free(r);
	return err;
}

static int hash_of_maps_remove(struct map *m, const void *key)
{
	return hash_of_maps_set_map(m, key, NULL, BPF_ANY);
}

static int hash_of_maps_read(struct map *m, const void *key, void *value)
{
	struct map_hash *h = m->priv;

	lock_take(&h->lock);
	const struct map *entry = entry_at(h, key);
	u32 id = entry ? entry->id : 0;
	lock_drop(&h->lock);
	if (!id)
		return -ENOENT;
	store_le32(value, id);
	return 0;
}

static int hash_of_maps_next_key(struct map *m, const void *key, void *next)
{
	struct map_hash *h = m->priv;

	return h->table->ops->next_key(h->table, key, next);
}

static u64 hash_of_maps_memory_bytes(const struct map *m)
{
	const struct map_hash *h = m->priv;

	return h->table->ops->memory_bytes(h->table);
}

const struct map_ops hash_of_maps_map_ops = {
	.name = "hash_of_maps",
	.check_spec = hash_of_maps_check_spec,
	.create = hash_of_maps_create,
	.destroy = hash_of_maps_destroy,
	.lookup = hash_of_maps_lookup,
	.update = refuse_update,
	.remove = hash_of_maps_remove,
	.read = hash_of_maps_read,
	.write = refuse_write,
	.next_key = hash_of_maps_next_key,
	.memory_bytes = hash_of_maps_memory_bytes,
	.set_map = hash_of_maps_set_map,
};
