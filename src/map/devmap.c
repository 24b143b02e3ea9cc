/* Devmap, cpumap and xskmap: targets of bpf_redirect_map by index. A value is an interface and a program (devmap), the length
 * of a queue and a program (cpumap), a socket (xskmap); values that the kernel takes for "empty the entry" do so here.
 *
 * What is promised: everything is lock-free and no call waits. A lookup finds the entry old or new; a value's address stays
 * valid as long as the map, with what is there then. */
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "base/alloc.h"
#include "base/bytes.h"
#include "base/diag.h"
#include "map/index.h"
#include "map/redirect.h"
#include "map/refuse.h"
#include "map/spec.h"

enum {
	CPUMAP_CPUS_MAX = 8192,   /* the most that kernels are built for (NR_CPUS) */
	CPUMAP_QUEUE_MAX = 16384, /* kernel: packets */
};

struct entry {
	_Atomic u64 value;
	_Atomic u64 used;
};

static int check_sizes(
	const struct map_spec *spec, u32 second_value_size, u32 flags, struct diag *d)
{
	int err = spec_check_flags(spec, flags, d);

	if (!err)
		err = spec_check_not_empty(spec, d);
	if (err)
		return err;
	if (spec->key_size != sizeof(u32))
		return diag_fail(d, pos_none(), EINVAL,
			"map '%.15s': key_size is %u bytes, type %s has 4", spec->name,
			spec->key_size, map_type_name(spec->type));
	if (spec->value_size != sizeof(u32) && spec->value_size != second_value_size)
		return diag_fail(d, pos_none(), EINVAL,
			"map '%.15s': value_size is %u bytes, type %s has 4%s", spec->name,
			spec->value_size, map_type_name(spec->type),
			second_value_size == sizeof(u32) ? "" : " or 8");
	return 0;
}

int devmap_check_spec(const struct map_spec *spec, struct diag *d)
{
	return check_sizes(spec, sizeof(struct devmap_value),
		BPF_F_NUMA_NODE | BPF_F_RDONLY | BPF_F_WRONLY, d);
}

static int cpumap_check_spec(const struct map_spec *spec, struct diag *d)
{
	int err = check_sizes(spec, 2 * sizeof(u32), BPF_F_NUMA_NODE, d);

	if (!err && spec->max_entries > CPUMAP_CPUS_MAX)
		return diag_fail(d, pos_none(), E2BIG,
			"map '%.15s': max_entries is %u, type cpumap has at most %d", spec->name,
			spec->max_entries, CPUMAP_CPUS_MAX);
	return err;
}

static int xskmap_check_spec(const struct map_spec *spec, struct diag *d)
{
	return check_sizes(spec, sizeof(u32), BPF_F_NUMA_NODE | BPF_F_RDONLY | BPF_F_WRONLY, d);
}

/* Programs look, but don't write. */
static int entries_create(struct map *m)
{
	m->priv = mem_zalloc(array_size(m->spec.max_entries, sizeof(struct entry)));
	if (!m->priv)
		return -ENOMEM;
	m->spec.flags |= BPF_F_RDONLY_PROG;
	return 0;
}

static int cpumap_create(struct map *m)
{
	m->priv = mem_zalloc(array_size(m->spec.max_entries, sizeof(struct entry)));
	return m->priv ? 0 : -ENOMEM;
}

static void entries_destroy(struct map *m)
{
	mem_free(m->priv);
}

static struct entry *entry_at(const struct map *m, const void *key)
{
	u32 index = index_of(key);

	return index < m->spec.max_entries ? (struct entry *)m->priv + index : NULL;
}

static void *entries_lookup(struct map *m, const void *key, u8 *self)
{
	struct entry *e = entry_at(m, key);

	(void)self;
	return e && atomic_load_explicit(&e->used, memory_order_acquire) ? (void *)&e->value : NULL;
}

static int entries_read(struct map *m, const void *key, void *value)
{
	struct entry *e = entry_at(m, key);

	if (!e || !atomic_load_explicit(&e->used, memory_order_acquire))
		return -ENOENT;
	u64 word = atomic_load_explicit(&e->value, memory_order_relaxed);
	memcpy(value, &word, m->spec.value_size);
	return 0;
}

static int entries_remove(struct map *m, const void *key)
{
	struct entry *e = entry_at(m, key);

	if (!e)
		return -EINVAL;
	atomic_store_explicit(&e->used, 0, memory_order_release);
	return 0;
}

static int check_update(const struct map *m, const void *key, u64 flags)
{
	if (flags > BPF_EXIST)
		return -EINVAL;
	if (index_of(key) >= m->spec.max_entries)
		return -E2BIG;
	return flags == BPF_NOEXIST ? -EEXIST : 0;
}

static void entry_set(struct map *m, const void *key, const void *value)
{
	struct entry *e = entry_at(m, key);
	u64 word = 0;

	memcpy(&word, value, m->spec.value_size);
	atomic_store_explicit(&e->value, word, memory_order_relaxed);
	atomic_store_explicit(&e->used, 1, memory_order_release);
}

/* Two words of 32 bits; the second one, a program's descriptor, may be missing. */
static struct devmap_value words_of(const struct map *m, const void *value)
{
	struct devmap_value v = {0};

	memcpy(&v, value, m->spec.value_size);
	return v;
}

static bool names_program(struct devmap_value v)
{
	return (s32)v.program > 0;
}

static int devmap_write(struct map *m, const void *key, const void *value, u64 flags)
{
	struct devmap_value v = words_of(m, value);
	int err = check_update(m, key, flags);

	if (err)
		return err;
	if (names_program(v))
		return -EINVAL;
	if (!v.ifindex)
		return entries_remove(m, key);
	v.program = 0;
	entry_set(m, key, &v);
	return 0;
}

static int cpumap_write(struct map *m, const void *key, const void *value, u64 flags)
{
	struct devmap_value v =
		words_of(m, value); /* length of the queue instead of an interface */
	int err = check_update(m, key, flags);

	if (err)
		return err;
	if (v.ifindex > CPUMAP_QUEUE_MAX)
		return -EOVERFLOW;
	if (!v.ifindex)
		return entries_remove(m, key);
	if (names_program(v))
		return -ENOMEM; /* the kernel's word for all that keeps it from making an entry */
	v.program = 0;
	entry_set(m, key, &v);
	return 0;
}

static int xskmap_write(struct map *m, const void *key, const void *value, u64 flags)
{
	int err = check_update(m, key, flags);

	if (!err)
		entry_set(m, key, value);
	return err;
}

static u64 entries_memory_bytes(const struct map *m)
{
	return (u64)m->spec.max_entries * sizeof(struct entry);
}

#define TYPE(type, create_) \
	const struct map_ops type##_map_ops = { \
		.name = #type, \
		.check_spec = type##_check_spec, \
		.create = create_, \
		.destroy = entries_destroy, \
		.lookup = entries_lookup, \
		.update = refuse_update, \
		.remove = entries_remove, \
		.read = entries_read, \
		.write = type##_write, \
		.next_key = index_next_key, \
		.memory_bytes = entries_memory_bytes, \
	};
TYPE(devmap, entries_create)
TYPE(cpumap, cpumap_create)
TYPE(xskmap, entries_create)
#undef TYPE
