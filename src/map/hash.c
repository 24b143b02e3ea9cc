/* Hash types: hash, per-CPU hash, and both as LRU, buckets of chained elements. Finding is in hash_find.c, reading in
 * hash_read.c, eviction in hash_lru.c.
 *
 * What is promised:
 * - Lookups of programs and reads from outside take no lock and never wait; a key that is there all the time is found.
 * - A program's pointer into a value stays readable and writable as long as the map. When the key is deleted, or replaced by
 *   an update (hash), the memory may become another key's value at once, as in the kernel, so late writes may land there.
 * - Hash: an update puts a whole new value in the place of the old one; a lookup gets either, never a mix. Reads from
 *   outside return a value as one update wrote it, and never another key's; words that programs write in place meanwhile
 *   are old or new each.
 * - Per-CPU hash: an update writes in place, word by word, a program's only its own slot. A new key's value is zero on the
 *   slots that its creator didn't write.
 * - Updates and deletes lock the key's bucket only, for the time of copying one key and value. Memory is all there from the
 *   beginning; -E2BIG comes exactly when max_entries keys are there. With BPF_F_NO_PREALLOC the same memory is only
 *   reserved, and pages come at their first use.
 * - LRU: an update with a new key never fails for want of room; another key goes, as hash_lru.c says, as if it were deleted.
 *   Reads from outside don't count as use.
 * - Values with a lock: nothing but programs and BPF_F_LOCK ever touches the lock. With BPF_F_LOCK a value that is there is
 *   written in place, under its lock.
 * - Walks and batches see a key that is there all the time, each key of a bucket once; next_key of a key that is gone starts
 *   again. */
#include "map/hash_chain.h"

#include <errno.h>
#include <sched.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/limits.h"
#include "map/spec.h"
#include "map/spin.h"

#define MAX_ENTRIES_LIMIT (1u << 31) /* so many buckets fit into 32 bits */

enum {
	ELEM_BYTES_LIMIT = (4 << 20) - 48, /* kernel: KMALLOC_MAX_SIZE - sizeof(struct htab_elem) */
	OUTSIDE_SPARES =
		16, /* so many threads outside can replace at once; more wait for each other */
	PAGE_BYTES = 4096,
};

/* ---- creation ---- */

static int check_spec(const struct map_spec *spec, u32 known_flags, struct diag *d)
{
	int err = spec_check_flags(spec, known_flags, d);

	if (!err)
		err = spec_check_not_empty(spec, d);
	if (err)
		return err;
	if ((u64)spec->key_size + spec->value_size >= ELEM_BYTES_LIMIT)
		return diag_fail(d, pos_none(), E2BIG,
			"map '%.15s': key and value are %llu bytes, must be below %d", spec->name,
			(unsigned long long)spec->key_size + spec->value_size, ELEM_BYTES_LIMIT);
	if (spec->max_entries > MAX_ENTRIES_LIMIT)
		return diag_fail(d, pos_none(), E2BIG,
			"map '%.15s': max_entries is %u, type %s has at most %u", spec->name,
			spec->max_entries, map_type_name(spec->type), MAX_ENTRIES_LIMIT);
	return 0;
}

static int hash_check_spec(const struct map_spec *spec, struct diag *d)
{
	return check_spec(
		spec, BPF_F_NO_PREALLOC | BPF_F_NUMA_NODE | MAP_ACCESS_FLAGS | BPF_F_ZERO_SEED, d);
}

static int percpu_hash_check_spec(const struct map_spec *spec, struct diag *d)
{
	int err = check_spec(spec, BPF_F_NO_PREALLOC | MAP_ACCESS_FLAGS | BPF_F_ZERO_SEED, d);

	return err ? err : spec_check_value_size(spec, PERCPU_VALUE_BYTES_MAX, E2BIG, d);
}

/* What is said of flags comes first, as in the kernel. */
static int lru_check_spec(const struct map_spec *spec, u32 known_flags, struct diag *d)
{
	int err = spec_check_flags(spec, known_flags | BPF_F_NO_PREALLOC, d);

	if (err)
		return err;
	if (spec->flags & BPF_F_NO_PREALLOC)
		return diag_fail(d, pos_none(), EOPNOTSUPP,
			"map '%.15s': type %s can't have the flag BPF_F_NO_PREALLOC (0x1)",
			spec->name, map_type_name(spec->type));
	return check_spec(spec, known_flags, d);
}

static int lru_hash_check_spec(const struct map_spec *spec, struct diag *d)
{
	u32 numa = spec->flags & BPF_F_NO_COMMON_LRU ? 0 : BPF_F_NUMA_NODE;

	return lru_check_spec(
		spec, BPF_F_NO_COMMON_LRU | numa | MAP_ACCESS_FLAGS | BPF_F_ZERO_SEED, d);
}

static int lru_percpu_hash_check_spec(const struct map_spec *spec, struct diag *d)
{
	int err = lru_check_spec(spec, BPF_F_NO_COMMON_LRU | MAP_ACCESS_FLAGS | BPF_F_ZERO_SEED, d);

	return err ? err : spec_check_value_size(spec, PERCPU_VALUE_BYTES_MAX, E2BIG, d);
}

/* The smallest x with 2^x >= n. */
static u32 log2_up(u32 n)
{
	return n <= 1 ? 0 : 32 - (u32)__builtin_clz(n - 1);
}

/* Gives the elements of a preallocated map their pages. */
static void touch(u8 *p, size_t bytes)
{
	if (bytes > MAP_TOUCH_BYTES_MAX)
		return;
	for (size_t at = 0; at < bytes; at += PAGE_BYTES)
		*(volatile u8 *)(p + at) = 0;
}

static int elems_new(struct hash *h, size_t nr, bool prealloc)
{
	h->elems_bytes = array_size(nr, h->elem_bytes);
	h->reserved = !prealloc;
	h->elems = prealloc ? mem_zalloc(h->elems_bytes) : mem_reserve(h->elems_bytes);
	if (!h->elems)
		return -ENOMEM;
	if (prealloc)
		touch(h->elems, h->elems_bytes);
	return 0;
}

static void hash_destroy(struct map *m)
{
	struct hash *h = m->priv;

	freelist_fini(&h->free);
	freelist_fini(&h->spares);
	if (h->reserved)
		mem_unreserve(h->elems, h->elems_bytes);
	else
		mem_free(h->elems);
	percpu_free(m->cpus, h->percpu_off);
	mem_free(h->buckets);
	mem_free(h);
}

static size_t percpu_bytes(const struct map *m)
{
	return ((size_t)m->spec.max_entries + 1) * m->value_stride;
}

static int parts_new(struct map *m, struct hash *h, u32 nr_spares)
{
	u32 max = m->spec.max_entries;
	u32 bits = max > 1 ? log2_up(max) : 1; /* so that the shift is one */
	int err;

	h->buckets = mem_zalloc(array_size((size_t)1 << bits, sizeof(*h->buckets)));
	if (!h->buckets)
		return -ENOMEM;
	h->last_bucket = (u32)(((u64)1 << bits) - 1);
	h->shift = 64 - bits;
	h->nr_elems = max + nr_spares;
	err = elems_new(h, 1 + (size_t)max + nr_spares, !(m->spec.flags & BPF_F_NO_PREALLOC));
	if (!err)
		err = freelist_init(&h->free, h->elems, h->elem_bytes, 1, max + 1, m->cpus);
	if (!err)
		err = freelist_init(
			&h->spares, h->elems, h->elem_bytes, max + 1, max + 1 + nr_spares, m->cpus);
	if (!err && m->ops->flags & MAP_PER_CPU)
		err = percpu_alloc(m->cpus, percpu_bytes(m), 8, &h->percpu_off);
	return err;
}

static int hash_create(struct map *m)
{
	bool per_cpu = m->ops->flags & MAP_PER_CPU;
	struct hash *h;
	int err;

	h = mem_zalloc(sizeof(*h));
	if (!h)
		return -ENOMEM;
	h->key_size = m->spec.key_size;
	h->value_off = (u32)(sizeof(struct hash_elem) + words_bytes(h->key_size));
	h->value_stride = m->value_stride;
	h->elem_bytes = h->value_off + (per_cpu ? 0 : m->value_stride);
	h->seed = hash_seed_new(m->spec.flags & BPF_F_ZERO_SEED);
	m->priv = h;
	err = parts_new(m, h, per_cpu ? 0 : cpus_nr(m->cpus) + OUTSIDE_SPARES);
	if (err)
		hash_destroy(m);
	return err;
}

static u64 hash_memory_bytes(const struct map *m)
{
	const struct hash *h = m->priv;
	u64 values = h->percpu_off ? (u64)percpu_bytes(m) * cpus_count(m->cpus) : 0;

	return h->elems_bytes + ((u64)h->last_bucket + 1) * sizeof(*h->buckets) + values;
}

/* ---- elements and their values ---- */

/* A value to be stored, and by whom. */
struct put {
	const void *value;
	u8 *self; /* a program on this slot, or NULL: from outside, with values of all slots */
};

static void percpu_put(struct map *m, u32 number, const struct put *put)
{
	const struct hash *h = m->priv;
	const u8 *from = put->value;

	if (put->self) {
		words_store(
			hash_percpu_value(h, number, put->self), put->value, m->spec.value_size);
		return;
	}
	for (u32 s = cpus_next(m->cpus, 0); s < cpus_nr(m->cpus);
		s = cpus_next(m->cpus, s + 1), from += m->value_stride)
		words_store_changed(
			hash_percpu_value(h, number, cpu_base(m->cpus, s)), from, m->value_stride);
}

static void percpu_zero(struct map *m, u32 number)
{
	for (u32 s = cpus_next(m->cpus, 0); s < cpus_nr(m->cpus); s = cpus_next(m->cpus, s + 1))
		words_zero(
			hash_percpu_value(m->priv, number, cpu_base(m->cpus, s)), m->value_stride);
}

/* Writes an element that is in no bucket, so readers may only be there by mistake. The value comes before the key: who
 * finds the key also finds the value. */
static void fill(struct map *m, u32 number, const void *key, u32 hash, const struct put *put)
{
	const struct hash *h = m->priv;
	struct hash_elem *e = hash_elem_at(h, number);
	u32 gen = atomic_load_explicit(&e->gen, memory_order_relaxed);

	atomic_store_explicit(&e->gen, gen + 1, memory_order_relaxed);
	if (!(m->ops->flags & MAP_PER_CPU)) {
		words_store_around(
			hash_value_of(h, e), put->value, m->spec.value_size, m->spec.lock_at);
	} else {
		if (gen && put->self)
			percpu_zero(m, number);
		percpu_put(m, number, put);
	}
	words_store(e->words, key, h->key_size);
	atomic_store_explicit(&e->hash, hash, memory_order_release);
	atomic_store_explicit(&e->gen, gen + 2, memory_order_release);
}

/* ---- updates; these drop the lock ---- */

static int insert(
	struct map *m, struct hash_bucket *b, const void *key, u32 hash, const struct put *put)
{
	struct hash *h = m->priv;
	u32 number = freelist_pop(&h->free, lane_of(m->cpus, put->self));

	if (number) {
		fill(m, number, key, hash & ~HASH_USED, put);
		chain_link(h, &b->head, number, chain_number_at(&b->head));
	}
	lock_drop(&b->lock);
	return number ? 0 : -E2BIG;
}

/* -EAGAIN when all spares are in others' hands at the moment. */
static int replace(struct map *m, struct hash_bucket *b, _Atomic u32 *place, const void *key,
	u32 hash, const struct put *put)
{
	struct hash *h = m->priv;
	u32 lane = lane_of(m->cpus, put->self);
	u32 spare = freelist_pop(&h->spares, lane);
	u32 old = chain_number_at(place);

	if (!spare) {
		lock_drop(&b->lock);
		return -EAGAIN;
	}
	fill(m, spare, key, hash | HASH_USED, put);
	chain_link(h, place, spare, chain_number_at(&hash_elem_at(h, old)->next));
	lock_drop_count(&b->lock);
	freelist_push(&h->spares, lane, old);
	return 0;
}

/* Writes the value of a key in place: per-CPU hash, or under the lock in the value. */
static void overwrite(struct map *m, u32 number, const struct put *put)
{
	struct hash_elem *e = hash_elem_at(m->priv, number);

	if (m->ops->flags & MAP_PER_CPU) {
		percpu_put(m, number, put);
	} else {
		map_word *at = hash_value_of(m->priv, e);

		spin_take(spin_of(m, at));
		words_store_around(at, put->value, m->spec.value_size, m->spec.lock_at);
		spin_drop(spin_of(m, at));
	}
	if (m->ops->flags & MAP_LRU)
		hash_mark_used(e);
}

static int try_put(struct map *m, const void *key, const struct put *put, u64 flags)
{
	struct hash *h = m->priv;
	u32 hash = hash_key(key, h->key_size, &h->seed);
	struct hash_bucket *b = hash_bucket_of(h, hash);

	lock_take(&b->lock);

	_Atomic u32 *place = chain_place_of(h, b, key);
	u32 old = chain_number_at(place);
	int err = old && flags & BPF_NOEXIST ? -EEXIST : !old && flags & BPF_EXIST ? -ENOENT : 0;

	if (!err && !old)
		return insert(m, b, key, hash, put);
	if (!err && !(m->ops->flags & MAP_PER_CPU) && !(flags & BPF_F_LOCK))
		return replace(m, b, place, key, hash, put);
	if (!err)
		overwrite(m, old, put);
	lock_drop(&b->lock);
	return err;
}

static void make_room(struct map *m, const struct put *put)
{
	struct hash *h = m->priv;
	u32 number = hash_evict(h);

	if (number)
		freelist_push(&h->free, lane_of(m->cpus, put->self), number);
	else
		sched_yield();
}

static int hash_put(struct map *m, const void *key, const struct put *put, u64 flags)
{
	if ((flags & ~(u64)BPF_F_LOCK) > BPF_EXIST || (flags & BPF_F_LOCK && !m->spec.lock_at))
		return -EINVAL;
	for (;;) {
		int err = try_put(m, key, put, flags);

		if (err == -EAGAIN)
			sched_yield();
		else if (err == -E2BIG && m->ops->flags & MAP_LRU)
			make_room(m, put);
		else
			return err;
	}
}

static int hash_update(struct map *m, const void *key, const void *value, u64 flags, u8 *self)
{
	const struct put put = {.value = value, .self = self};

	return hash_put(m, key, &put, flags);
}

static int hash_write(struct map *m, const void *key, const void *value, u64 flags)
{
	const struct put put = {.value = value};

	return hash_put(m, key, &put, flags);
}

/* value NULL: nobody wants it. */
static int take_out(struct map *m, const void *key, void *value)
{
	struct hash *h = m->priv;
	struct hash_bucket *b = hash_bucket_of(h, hash_key(key, h->key_size, &h->seed));

	lock_take(&b->lock);

	_Atomic u32 *place = chain_place_of(h, b, key);
	u32 number = chain_number_at(place);

	if (!number) {
		lock_drop(&b->lock);
		return -ENOENT;
	}
	if (value) {
		bool own = hash_value_read(m, number, key, value);

		assert(own); /* nobody gives it away under the lock */
	}
	chain_unlink(h, place);
	lock_drop_count(&b->lock);
	freelist_push(&h->free, lane_of(m->cpus, cpu_self()), number);
	return 0;
}

static int hash_remove(struct map *m, const void *key)
{
	return take_out(m, key, NULL);
}

const struct map_ops hash_map_ops = {
	.name = "hash",
	.check_spec = hash_check_spec,
	.create = hash_create,
	.destroy = hash_destroy,
	.lookup = hash_lookup,
	.update = hash_update,
	.remove = hash_remove,
	.read = hash_read,
	.write = hash_write,
	.read_locked = hash_read_locked,
	.next_key = hash_next_key,
	.read_and_remove = take_out,
	.read_batch = hash_read_batch,
	.memory_bytes = hash_memory_bytes,
	.each = hash_each,
};

const struct map_ops percpu_hash_map_ops = {
	.name = "percpu_hash",
	.flags = MAP_PER_CPU,
	.check_spec = percpu_hash_check_spec,
	.create = hash_create,
	.destroy = hash_destroy,
	.lookup = percpu_hash_lookup,
	.update = hash_update,
	.remove = hash_remove,
	.read = hash_read,
	.write = hash_write,
	.next_key = hash_next_key,
	.read_and_remove = take_out,
	.read_batch = hash_read_batch,
	.memory_bytes = hash_memory_bytes,
	.each = hash_each,
};

const struct map_ops lru_hash_map_ops = {
	.name = "lru_hash",
	.flags = MAP_LRU,
	.check_spec = lru_hash_check_spec,
	.create = hash_create,
	.destroy = hash_destroy,
	.lookup = lru_hash_lookup,
	.update = hash_update,
	.remove = hash_remove,
	.read = hash_read,
	.write = hash_write,
	.next_key = hash_next_key,
	.read_and_remove = take_out,
	.read_batch = hash_read_batch,
	.memory_bytes = hash_memory_bytes,
	.each = hash_each,
};

const struct map_ops lru_percpu_hash_map_ops = {
	.name = "lru_percpu_hash",
	.flags = MAP_PER_CPU | MAP_LRU,
	.check_spec = lru_percpu_hash_check_spec,
	.create = hash_create,
	.destroy = hash_destroy,
	.lookup = lru_percpu_hash_lookup,
	.update = hash_update,
	.remove = hash_remove,
	.read = hash_read,
	.write = hash_write,
	.next_key = hash_next_key,
	.read_and_remove = take_out,
	.read_batch = hash_read_batch,
	.memory_bytes = hash_memory_bytes,
	.each = hash_each,
};
