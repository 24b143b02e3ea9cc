/* Per-CPU array: one block of values in every slot's range, at the same offset.
 *
 * What is promised: everything is lock-free and no call waits. A program gets its own slot's value and nobody else's
 * program can get it; addresses stay valid as long as the map. From outside all slots are read or written, each word (8
 * bytes) old or new, with no order between slots: a sum over slots is of values that each existed at some moment of the
 * call. Writing from outside touches no page of a slot where it doesn't change anything. */
#include <errno.h>

#include "cpu/cpu.h"
#include "map/index.h"
#include "map/spec.h"
#include "map/words.h"

enum { VALUES_ALIGN = 64 }; /* a cache line */

static int percpu_array_check_spec(const struct map_spec *spec, struct diag *d)
{
	return index_check_spec(spec, MAP_ACCESS_FLAGS, PERCPU_VALUE_BYTES_MAX, d);
}

static size_t slot_bytes(const struct map *m)
{
	return (size_t)m->value_stride * m->spec.max_entries;
}

static int percpu_array_create(struct map *m)
{
	m->layout.stride = m->value_stride;
	return percpu_alloc(m->cpus, slot_bytes(m), VALUES_ALIGN, &m->layout.base);
}

static void percpu_array_destroy(struct map *m)
{
	percpu_free(m->cpus, m->layout.base);
}

static map_word *value_at(const struct map *m, u8 *base, u32 index)
{
	return (map_word *)(base + m->layout.base + (u64)index * m->layout.stride);
}

static void *percpu_array_lookup(struct map *m, const void *key, u8 *self)
{
	u32 index = index_of(key);

	return index < m->spec.max_entries ? value_at(m, self, index) : NULL;
}

static int percpu_array_update(
	struct map *m, const void *key, const void *value, u64 flags, u8 *self)
{
	u32 index = index_of(key);
	int err = index_check_update(m, index, flags);

	if (!err)
		words_store(value_at(m, self, index), value, m->spec.value_size);
	return err;
}

static int percpu_array_write(struct map *m, const void *key, const void *value, u64 flags)
{
	u32 index = index_of(key);
	const u8 *from = value;
	int err = index_check_update(m, index, flags);

	for (u32 s = cpus_next(m->cpus, 0); !err && s < cpus_nr(m->cpus);
		s = cpus_next(m->cpus, s + 1), from += m->value_stride)
		words_store_changed(
			value_at(m, cpu_base(m->cpus, s), index), from, m->value_stride);
	return err;
}

static int percpu_array_read(struct map *m, const void *key, void *value)
{
	u32 index = index_of(key);
	u8 *to = value;

	if (index >= m->spec.max_entries)
		return -ENOENT;
	for (u32 s = cpus_next(m->cpus, 0); s < cpus_nr(m->cpus);
		s = cpus_next(m->cpus, s + 1), to += m->value_stride)
		words_load(to, value_at(m, cpu_base(m->cpus, s), index), m->value_stride);
	return 0;
}

static u64 percpu_array_memory_bytes(const struct map *m)
{
	return (u64)slot_bytes(m) * cpus_count(m->cpus);
}

const struct map_ops percpu_array_map_ops = {
	.name = "percpu_array",
	.flags = MAP_ARRAY_LIKE | MAP_PER_CPU,
	.check_spec = percpu_array_check_spec,
	.create = percpu_array_create,
	.destroy = percpu_array_destroy,
	.lookup = percpu_array_lookup,
	.update = percpu_array_update,
	.remove = index_remove,
	.read = percpu_array_read,
	.write = percpu_array_write,
	.next_key = index_next_key,
	.read_batch = index_read_batch,
	.memory_bytes = percpu_array_memory_bytes,
	.each = index_each,
};
