/* Finding a key while others insert, replace and remove.
 *
 * A reader goes from element to element and may stand on one that is unlinked, given to another key and linked elsewhere.
 * - Unlinked elements keep their `next`, so going on finds whatever was behind it.
 * - An element is given away only after the count of the bucket it was unlinked from went up (lock_drop_count). So a reader
 *   that was led astray and found nothing sees the count changed and starts again. A miss with the same count is a miss.
 * - Replacing links the new element where the old one was, with one store: a key that exists all the time is never missed.
 * - A key of one word is read at once. A longer one could be read half old and half new: `gen` tells, then the reader
 *   starts again. */
#include "map/hash.h"

#define ALWAYS_INLINE inline __attribute__((always_inline))

enum match { OTHER, SAME, CHANGED };

static ALWAYS_INLINE enum match match(const struct hash_elem *e, const void *key, size_t key_size, u32 hash)
{
	if (key_size <= 8)
		return words_equal(e->words, key, key_size) ? SAME : OTHER;

	u32 gen = atomic_load_explicit(&e->gen, memory_order_acquire);

	if (atomic_load_explicit(&e->hash, memory_order_acquire) != hash || !words_equal(e->words, key, key_size))
		return OTHER;
	return gen & 1 || gen != atomic_load_explicit(&e->gen, memory_order_relaxed) ? CHANGED : SAME;
}

static ALWAYS_INLINE u32 find(const struct hash *h, const void *key, size_t key_size)
{
	u32 hash = hash_key(key, key_size, &h->seed);
	const struct hash_bucket *b = &h->buckets[hash & h->mask];
	u32 count;

again:
	count = lock_count(&b->lock);
	for (u32 n = atomic_load_explicit(&b->head, memory_order_acquire); n;) {
		const struct hash_elem *e = hash_elem_at(h, n);
		enum match found = match(e, key, key_size, hash);

		if (found == SAME)
			return n;
		if (found == CHANGED)
			goto again;
		n = atomic_load_explicit(&e->next, memory_order_acquire);
	}
	if (lock_count(&b->lock) != count)
		goto again;
	return 0;
}

u32 hash_find(const struct hash *h, const void *key)
{
	switch (h->key_size) {
	case 4:
		return find(h, key, 4);
	case 8:
		return find(h, key, 8);
	case 16:
		return find(h, key, 16);
	}
	return find(h, key, h->key_size);
}

static ALWAYS_INLINE u64 lookup_value(const struct map *m, const void *key, size_t key_size)
{
	const struct hash *h = m->priv;
	u32 n = find(h, key, key_size);

	return n ? (uintptr_t)hash_elem_at(h, n) + h->value_off : 0;
}

static ALWAYS_INLINE u64 lookup_percpu(const struct map *m, const void *key, size_t key_size)
{
	const struct hash *h = m->priv;
	u32 n = find(h, key, key_size);

	return n ? hash_percpu_off(h, n) : 0;
}

#define LOOKUP(kind, suffix, key_size)                                                                            \
	static u64 kind##_##suffix(const struct map *m, const void *key)                                          \
	{                                                                                                         \
		return kind(m, key, key_size);                                                                    \
	}
LOOKUP(lookup_value, 4, 4)
LOOKUP(lookup_value, 8, 8)
LOOKUP(lookup_value, 16, 16)
LOOKUP(lookup_value, any, m->spec.key_size)
LOOKUP(lookup_percpu, 4, 4)
LOOKUP(lookup_percpu, 8, 8)
LOOKUP(lookup_percpu, 16, 16)
LOOKUP(lookup_percpu, any, m->spec.key_size)
#undef LOOKUP

static const struct {
	u32 key_size; /* 0: any */
	hash_lookup_fn value, percpu;
} lookups[] = {
	{4, lookup_value_4, lookup_percpu_4},
	{8, lookup_value_8, lookup_percpu_8},
	{16, lookup_value_16, lookup_percpu_16},
	{0, lookup_value_any, lookup_percpu_any},
};

hash_lookup_fn hash_lookup_fn_of(const struct map *m)
{
	size_t i = 0;

	if (m->spec.type != MAP_TYPE_HASH && m->spec.type != MAP_TYPE_PERCPU_HASH)
		return NULL;
	while (lookups[i].key_size && lookups[i].key_size != m->spec.key_size)
		i++;
	return m->ops->flags & MAP_PER_CPU ? lookups[i].percpu : lookups[i].value;
}
