/* Chains of elements in buckets, and what the files of the hash types share besides. Whoever calls a function of chains holds
 * the bucket's lock. */
#ifndef WEIR_MAP_HASH_CHAIN_H
#define WEIR_MAP_HASH_CHAIN_H

#include "cpu/cpu.h"
#include "map/hash.h"

static inline map_word *hash_value_of(const struct hash *h, struct hash_elem *e)
{
	return (map_word *)((u8 *)e + h->value_off);
}

static inline map_word *hash_percpu_value(const struct hash *h, u32 number, u8 *base)
{
	return (map_word *)(base + hash_percpu_off(h, number));
}

/* Where the number of the element with the key stands (a head or a `next`), or where the chain ends. */
static inline _Atomic u32 *chain_place_of(const struct hash *h, struct hash_bucket *b, const void *key)
{
	_Atomic u32 *place = &b->head;
	u32 n;

	while ((n = atomic_load_explicit(place, memory_order_relaxed))) {
		struct hash_elem *e = hash_elem_at(h, n);

		if (words_equal(e->words, key, h->key_size))
			break;
		place = &e->next;
	}
	return place;
}

static inline u32 chain_number_at(_Atomic u32 *place)
{
	return atomic_load_explicit(place, memory_order_relaxed);
}

/* Links element `number` at `place` in front of `next`. */
static inline void chain_link(const struct hash *h, _Atomic u32 *place, u32 number, u32 next)
{
	atomic_store_explicit(&hash_elem_at(h, number)->next, next, memory_order_release);
	atomic_store_explicit(place, number, memory_order_release);
}

static inline void chain_unlink(const struct hash *h, _Atomic u32 *place)
{
	atomic_store_explicit(
		place, chain_number_at(&hash_elem_at(h, chain_number_at(place))->next), memory_order_release);
}

/* Reads the value of an element while it belongs to `key`: false when it doesn't (any more). */
bool hash_value_read(struct map *m, u32 number, const void *key, void *value);

/* LRU: takes an element that wasn't used lately out of its bucket. Its number, which nobody else has, or 0 when others have
 * them all in their hands at the moment. */
u32 hash_evict(struct hash *h);

/* Of map_ops. */
void *hash_lookup(struct map *m, const void *key, u8 *self);
void *percpu_hash_lookup(struct map *m, const void *key, u8 *self);
void *lru_hash_lookup(struct map *m, const void *key, u8 *self);
void *lru_percpu_hash_lookup(struct map *m, const void *key, u8 *self);
int hash_read(struct map *m, const void *key, void *value);
int hash_read_locked(struct map *m, const void *key, void *value);
int hash_next_key(struct map *m, const void *key, void *next);
int hash_read_batch(struct map *m, u64 *cursor, void *keys, void *values, u32 *count);
void *hash_each(struct map *m, struct map_cursor *c, u8 *self);

#endif
