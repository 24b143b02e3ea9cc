/* Array: one block of values, a multiple of 8 bytes apart.
 *
 * What is promised: everything is lock-free and no call waits. A value's address never changes and stays valid as long as
 * the map. An update writes the value word by word (8 bytes): who looks meanwhile sees each word old or new, a value of up
 * to 8 bytes never mixed. That is the kernel's promise, made exact for words. With BPF_F_LOCK it is written, or read from
 * outside, under the lock in the value, for which it waits.
 *
 * With BPF_F_MMAPABLE values start at a page and nothing else is on their pages. */
#include <errno.h>
#include <limits.h>
#include <unistd.h>

#include "base/alloc.h"
#include "map/index.h"
#include "map/spec.h"
#include "map/spin.h"
#include "map/words.h"

enum { VALUES_ALIGN = 64 }; /* a cache line */

struct array {
	void *memory;
};

static int array_check_spec(const struct map_spec *spec, struct diag *d)
{
	return index_check_spec(spec,
		BPF_F_NUMA_NODE | MAP_ACCESS_FLAGS | BPF_F_MMAPABLE | BPF_F_INNER_MAP, INT_MAX, d);
}

static size_t values_align(const struct map *m)
{
	return m->spec.flags & BPF_F_MMAPABLE ? (size_t)sysconf(_SC_PAGESIZE) : VALUES_ALIGN;
}

static size_t values_bytes(const struct map *m)
{
	size_t bytes = (size_t)m->value_stride * m->spec.max_entries;
	size_t align = values_align(m);

	return m->spec.flags & BPF_F_MMAPABLE ? (bytes + align - 1) & ~(align - 1) : bytes;
}

static int array_create(struct map *m)
{
	struct array *a = mem_zalloc(sizeof(*a));
	size_t align = values_align(m);

	if (!a)
		return -ENOMEM;
	a->memory = mem_zalloc(values_bytes(m) + align);
	if (!a->memory) {
		mem_free(a);
		return -ENOMEM;
	}
	m->layout.base = ((uintptr_t)a->memory + align - 1) & ~(uintptr_t)(align - 1);
	m->layout.stride = m->value_stride;
	m->priv = a;
	return 0;
}

static void array_destroy(struct map *m)
{
	struct array *a = m->priv;

	mem_free(a->memory);
	mem_free(a);
}

static map_word *value_at(const struct map *m, u32 index)
{
	return (map_word *)(m->layout.base + (u64)index * m->layout.stride);
}

static void *array_lookup(struct map *m, const void *key, u8 *self)
{
	u32 index = index_of(key);

	(void)self;
	return index < m->spec.max_entries ? value_at(m, index) : NULL;
}

static void store(struct map *m, map_word *at, const void *value, u64 flags)
{
	if (flags & BPF_F_LOCK)
		spin_take(spin_of(m, at));
	words_store_around(at, value, m->spec.value_size, m->spec.lock_at);
	if (flags & BPF_F_LOCK)
		spin_drop(spin_of(m, at));
}

static int array_write(struct map *m, const void *key, const void *value, u64 flags)
{
	u32 index = index_of(key);
	int err = index_check_update(m, index, flags);

	if (!err)
		store(m, value_at(m, index), value, flags);
	return err;
}

static int array_update(struct map *m, const void *key, const void *value, u64 flags, u8 *self)
{
	(void)self;
	return array_write(m, key, value, flags);
}

static int array_read(struct map *m, const void *key, void *value)
{
	u32 index = index_of(key);

	if (index >= m->spec.max_entries)
		return -ENOENT;
	words_load_around(value, value_at(m, index), m->spec.value_size, m->spec.lock_at);
	return 0;
}

static int array_read_locked(struct map *m, const void *key, void *value)
{
	void *at = array_lookup(m, key, NULL);

	if (!at)
		return -ENOENT;
	spin_take(spin_of(m, at));
	words_load_around(value, at, m->spec.value_size, m->spec.lock_at);
	spin_drop(spin_of(m, at));
	return 0;
}

static u64 array_memory_bytes(const struct map *m)
{
	return values_bytes(m);
}

const struct map_ops array_map_ops = {
	.name = "array",
	.flags = MAP_ARRAY_LIKE,
	.check_spec = array_check_spec,
	.create = array_create,
	.destroy = array_destroy,
	.lookup = array_lookup,
	.update = array_update,
	.remove = index_remove,
	.read = array_read,
	.write = array_write,
	.read_locked = array_read_locked,
	.next_key = index_next_key,
	.read_batch = index_read_batch,
	.memory_bytes = array_memory_bytes,
	.each = index_each,
};
