/* Hash types: reading, for programs and from outside. What is promised stands in hash.c. */
#include <errno.h>

#include "map/hash_chain.h"
#include "map/spin.h"

/* Reads the value of an element while it belongs to `key`: false when it doesn't (any more). */
bool hash_value_read(struct map *m, u32 number, const void *key, void *value)
{
	const struct hash *h = m->priv;
	struct hash_elem *e = hash_elem_at(h, number);
	u32 gen = atomic_load_explicit(&e->gen, memory_order_acquire);
	u8 *to = value;

	if (gen & 1 || !words_equal(e->words, key, h->key_size))
		return false;
	if (!(m->ops->flags & MAP_PER_CPU))
		words_load_around(value, hash_value_of(h, e), m->spec.value_size, m->spec.lock_at);
	else
		for (u32 s = cpus_next(m->cpus, 0); s < cpus_nr(m->cpus);
			s = cpus_next(m->cpus, s + 1), to += m->value_stride)
			words_load(to, hash_percpu_value(h, number, cpu_base(m->cpus, s)),
				m->value_stride);
	return gen == atomic_load_explicit(&e->gen, memory_order_relaxed);
}

void *hash_lookup(struct map *m, const void *key, u8 *self)
{
	struct hash *h = m->priv;
	u32 number = hash_find(h, key);

	(void)self;
	return number ? hash_value_of(h, hash_elem_at(h, number)) : NULL;
}

void *lru_hash_lookup(struct map *m, const void *key, u8 *self)
{
	struct hash *h = m->priv;
	u32 number = hash_find(h, key);

	(void)self;
	if (!number)
		return NULL;
	hash_mark_used(hash_elem_at(h, number));
	return hash_value_of(h, hash_elem_at(h, number));
}

void *percpu_hash_lookup(struct map *m, const void *key, u8 *self)
{
	struct hash *h = m->priv;
	u32 number = hash_find(h, key);

	return number ? hash_percpu_value(h, number, self) : NULL;
}

void *lru_percpu_hash_lookup(struct map *m, const void *key, u8 *self)
{
	struct hash *h = m->priv;
	u32 number = hash_find(h, key);

	if (!number)
		return NULL;
	hash_mark_used(hash_elem_at(h, number));
	return hash_percpu_value(h, number, self);
}

int hash_read(struct map *m, const void *key, void *value)
{
	u32 number;

	do {
		number = hash_find(m->priv, key);
		if (!number)
			return -ENOENT;
	} while (!hash_value_read(m, number, key, value));
	return 0;
}

int hash_read_locked(struct map *m, const void *key, void *value)
{
	struct hash *h = m->priv;
	u32 number;
	bool whole;

	do {
		number = hash_find(h, key);
		if (!number)
			return -ENOENT;

		/* Should it become another key's meanwhile, the lock is one of that value, and what was read isn't used. */
		void *lock = spin_of(m, hash_value_of(h, hash_elem_at(h, number)));

		spin_take(lock);
		whole = hash_value_read(m, number, key, value);
		spin_drop(lock);
	} while (!whole);
	return 0;
}

/* The key of the first element in buckets `from` and later. */
static int first_key(const struct hash *h, u32 from, void *key)
{
	for (u64 i = from; i <= h->last_bucket; i++) {
		struct hash_bucket *b = &h->buckets[i];

		if (!chain_number_at(&b->head))
			continue;
		lock_take(&b->lock);
		u32 number = chain_number_at(&b->head);

		if (number)
			words_load(key, hash_elem_at(h, number)->words, h->key_size);
		lock_drop(&b->lock);
		if (number)
			return 0;
	}
	return -ENOENT;
}

int hash_next_key(struct map *m, const void *key, void *next)
{
	struct hash *h = m->priv;

	if (!key)
		return first_key(h, 0, next);

	struct hash_bucket *b = hash_bucket_of(h, hash_key(key, h->key_size, &h->seed));
	u32 bucket = (u32)(b - h->buckets);

	lock_take(&b->lock);

	u32 number = chain_number_at(chain_place_of(h, b, key));
	u32 after = number ? chain_number_at(&hash_elem_at(h, number)->next) : 0;

	if (after)
		words_load(next, hash_elem_at(h, after)->words, h->key_size);
	lock_drop(&b->lock);
	if (after)
		return 0;
	return number ? bucket == h->last_bucket ? -ENOENT : first_key(h, bucket + 1, next)
		      : first_key(h, 0, next);
}

static u32 bucket_length(const struct hash *h, const struct hash_bucket *b)
{
	u32 length = 0;

	for (u32 n = atomic_load_explicit(&b->head, memory_order_relaxed); n;
		n = atomic_load_explicit(&hash_elem_at(h, n)->next, memory_order_relaxed))
		length++;
	return length;
}

/* All of a bucket or nothing: how many, or -ENOSPC when there are more than `room`. */
static s64 bucket_read(struct map *m, struct hash_bucket *b, u8 *keys, u8 *values, u32 room)
{
	const struct hash *h = m->priv;
	s64 nr = 0;

	if (!chain_number_at(&b->head))
		return 0;
	lock_take(&b->lock);
	if (bucket_length(h, b) > room) {
		lock_drop(&b->lock);
		return -ENOSPC;
	}
	for (u32 n = chain_number_at(&b->head); n; n = chain_number_at(&hash_elem_at(h, n)->next)) {
		words_load(keys, hash_elem_at(h, n)->words, h->key_size);

		bool own = hash_value_read(m, n, keys, values);

		assert(own); /* nobody gives it away under the lock */
		keys += h->key_size;
		values += map_outside_value_bytes(m);
		nr++;
	}
	lock_drop(&b->lock);
	return nr;
}

/* The cursor is the next bucket. */
int hash_read_batch(struct map *m, u64 *cursor, void *keys, void *values, u32 *count)
{
	struct hash *h = m->priv;
	u32 nr = 0;

	for (; *cursor <= h->last_bucket; ++*cursor) {
		u8 *key = (u8 *)keys + (size_t)nr * h->key_size;
		u8 *value = (u8 *)values + nr * map_outside_value_bytes(m);
		s64 got = bucket_read(m, &h->buckets[*cursor], key, value, *count - nr);

		if (got < 0) {
			*count = nr;
			return nr ? 0 : -ENOSPC;
		}
		nr += (u32)got;
	}
	*count = nr;
	return -ENOENT;
}

#define EACH_BUCKET_DONE UINT32_MAX /* in map_cursor.next */

/* Goes from element to element without a lock. One that was unlinked meanwhile leads on to what was behind it; when it has
 * become an element of another bucket, the rest of this bucket is left out. */
void *hash_each(struct map *m, struct map_cursor *c, u8 *self)
{
	const struct hash *h = m->priv;

	if (c->steps++ >= m->spec.max_entries)
		return NULL;
	for (; c->at <= h->last_bucket; c->at++, c->next = 0) {
		struct hash_bucket *b = &h->buckets[c->at];
		u32 n = c->next ? c->next : atomic_load_explicit(&b->head, memory_order_acquire);

		if (!n || n == EACH_BUCKET_DONE)
			continue;
		struct hash_elem *e = hash_elem_at(h, n);
		if (hash_bucket_of(h, atomic_load_explicit(&e->hash, memory_order_acquire)) != b)
			continue;
		u32 next = atomic_load_explicit(&e->next, memory_order_acquire);
		c->next = next ? next : EACH_BUCKET_DONE;
		c->key = (uintptr_t)e->words;
		return m->ops->flags & MAP_PER_CPU ? hash_percpu_value(h, n, self)
						   : hash_value_of(h, e);
	}
	return NULL;
}
