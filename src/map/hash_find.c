/* Finding a key while others insert, replace and remove.
 *
 * A reader goes from element to element and may stand on one that is unlinked, given to another key and linked elsewhere.
 * - Unlinked elements keep their `next`, so going on finds whatever was behind it.
 * - An element is given away only after the count of the bucket it was unlinked from went up (lock_drop_count). So a reader
 *   that was led astray and found nothing sees the count changed and starts again. A miss with the same count is a miss.
 * - Replacing links the new element where the old one was, with one store: a key that exists all the time is never missed.
 * - A key of one word is read at once. A longer one could be read half old and half new: `gen` tells, then the reader
 *   starts again. */
#include <string.h>

#include "map/hash.h"

#define ALWAYS_INLINE inline __attribute__((always_inline))

enum match { OTHER, SAME, CHANGED };

static ALWAYS_INLINE enum match match(
	const struct hash_elem *e, const void *key, size_t key_size, u32 hash)
{
	if (key_size <= 8)
		return words_equal(e->words, key, key_size) ? SAME : OTHER;

	u32 gen = atomic_load_explicit(&e->gen, memory_order_acquire);

	if ((atomic_load_explicit(&e->hash, memory_order_acquire) | HASH_USED) !=
			(hash | HASH_USED) ||
		!words_equal(e->words, key, key_size))
		return OTHER;
	return gen & 1 || gen != atomic_load_explicit(&e->gen, memory_order_relaxed) ? CHANGED
										     : SAME;
}

/* The element's address is what finding it took, and lookups of values want it; so both. */
struct found {
	u32 n; /* 0: no such key */
	struct hash_elem *elem;
};

static ALWAYS_INLINE struct found find(const struct hash *h, const void *key, size_t key_size)
{
	u64 wide = hash_key_wide(key, key_size, &h->seed);
	const struct hash_bucket *b = &h->buckets[wide >> h->shift];
	u32 count;

again:
	count = lock_count(&b->lock);
	for (u32 n = atomic_load_explicit(&b->head, memory_order_acquire); n;) {
		struct hash_elem *e = hash_elem_at(h, n);
		enum match found = match(e, key, key_size, (u32)(wide >> 32));

		if (found == SAME)
			return (struct found){n, e};
		if (found == CHANGED)
			goto again;
		n = atomic_load_explicit(&e->next, memory_order_acquire);
	}
	if (lock_count(&b->lock) != count)
		goto again;
	return (struct found){0};
}

/* A key of one word stays in a register, whatever the table's words turn out to be. */
static ALWAYS_INLINE struct found find_key(const struct hash *h, const void *key, size_t key_size)
{
	u64 word = 0;

	if (key_size > sizeof(word))
		return find(h, key, key_size);
	memcpy(&word, key, key_size < sizeof(word) ? key_size : sizeof(word));
	return find(h, &word, key_size);
}

u32 hash_find(const struct hash *h, const void *key)
{
	switch (h->key_size) {
	case 4:
		return find_key(h, key, 4).n;
	case 8:
		return find_key(h, key, 8).n;
	case 16:
		return find_key(h, key, 16).n;
	}
	return find_key(h, key, h->key_size).n;
}

enum mark { LEAVE, MARK };

static ALWAYS_INLINE struct found lookup(
	const struct hash *h, const void *key, size_t key_size, enum mark mark)
{
	struct found f = find_key(h, key, key_size);

	if (f.n && mark == MARK)
		hash_mark_used(f.elem);
	return f;
}

static ALWAYS_INLINE u64 lookup_value(
	const struct map *m, const void *key, size_t key_size, enum mark mark)
{
	const struct hash *h = m->priv;
	struct found f = lookup(h, key, key_size, mark);

	return f.n ? (uintptr_t)f.elem + h->value_off : 0;
}

static ALWAYS_INLINE u64 lookup_percpu(
	const struct map *m, const void *key, size_t key_size, enum mark mark)
{
	const struct hash *h = m->priv;
	struct found f = lookup(h, key, key_size, mark);

	return f.n ? hash_percpu_off(h, f.n) : 0;
}

#define LOOKUP(suffix, key_size) \
	u64 hash_value_##suffix(const struct map *m, const void *key) \
	{ \
		return lookup_value(m, key, key_size, LEAVE); \
	} \
	u64 hash_percpu_##suffix(const struct map *m, const void *key) \
	{ \
		return lookup_percpu(m, key, key_size, LEAVE); \
	} \
	u64 lru_value_##suffix(const struct map *m, const void *key) \
	{ \
		return lookup_value(m, key, key_size, MARK); \
	} \
	u64 lru_percpu_##suffix(const struct map *m, const void *key) \
	{ \
		return lookup_percpu(m, key, key_size, MARK); \
	}
LOOKUP(4, 4)
LOOKUP(8, 8)
LOOKUP(16, 16)
LOOKUP(any, m->spec.key_size)
#undef LOOKUP
