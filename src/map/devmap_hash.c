/* Devmap by key: a hash table of devmap values, which programs may look at.
 *
 * What is promised is what a hash promises. As in the kernel an update with BPF_EXIST makes a key that isn't there. */
#include <errno.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "map/redirect.h"
#include "map/refuse.h"
#include "map/spec.h"

enum { MAX_ENTRIES_LOG2 = 31 };

static struct map *table_of(const struct map *m)
{
	return m->priv;
}

static int devmap_hash_check_spec(const struct map_spec *spec, struct diag *d)
{
	int err = devmap_check_spec(spec, d);

	if (!err && spec->max_entries > 1u << MAX_ENTRIES_LOG2)
		return diag_fail(d, pos_none(), EINVAL,
			"map '%.15s': max_entries is %u, type devmap_hash has at most %u",
			spec->name, spec->max_entries, 1u << MAX_ENTRIES_LOG2);
	return err;
}

static int devmap_hash_create(struct map *m)
{
	struct map_spec spec = m->spec;
	struct diag d = {0};
	struct map *table;

	spec.type = MAP_TYPE_HASH;
	spec.flags = BPF_F_NO_PREALLOC;
	int err = map_new(&spec, m->cpus, &table, &d);
	diag_fini(&d);
	if (err)
		return err;
	m->priv = table;
	m->spec.flags |= BPF_F_RDONLY_PROG;
	return 0;
}

static void devmap_hash_destroy(struct map *m)
{
	map_put(table_of(m));
}

static void *devmap_hash_lookup(struct map *m, const void *key, u8 *self)
{
	return map_lookup(table_of(m), key, self);
}

static int devmap_hash_remove(struct map *m, const void *key)
{
	return map_remove(table_of(m), key);
}

static int devmap_hash_read(struct map *m, const void *key, void *value)
{
	return map_read(table_of(m), key, value);
}

static int devmap_hash_write(struct map *m, const void *key, const void *value, u64 flags)
{
	struct devmap_value v = {0};

	memcpy(&v, value, m->spec.value_size);
	if (flags > BPF_EXIST || !v.ifindex)
		return -EINVAL;
	if (flags == BPF_NOEXIST && map_lookup(table_of(m), key, NULL))
		return -EEXIST;
	if ((s32)v.program > 0)
		return -EINVAL;
	v.program = 0;
	return map_write(table_of(m), key, &v, flags == BPF_NOEXIST ? BPF_NOEXIST : BPF_ANY);
}

static int devmap_hash_next_key(struct map *m, const void *key, void *next)
{
	return map_next_key(table_of(m), key, next);
}

static u64 devmap_hash_memory_bytes(const struct map *m)
{
	return table_of(m)->ops->memory_bytes(table_of(m));
}

const struct map_ops devmap_hash_map_ops = {
	.name = "devmap_hash",
	.check_spec = devmap_hash_check_spec,
	.create = devmap_hash_create,
	.destroy = devmap_hash_destroy,
	.lookup = devmap_hash_lookup,
	.update = refuse_update,
	.remove = devmap_hash_remove,
	.read = devmap_hash_read,
	.write = devmap_hash_write,
	.next_key = devmap_hash_next_key,
	.memory_bytes = devmap_hash_memory_bytes,
};
