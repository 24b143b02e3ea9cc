/* Hash tables from inside: the layout, and lookups without going through map_ops, for code that the rewriting passes make. */
#ifndef WEIR_MAP_HASH_H
#define WEIR_MAP_HASH_H

#include "map/freelist.h"
#include "map/hash_key.h"
#include "map/lock.h"
#include "map/map.h"

/* LRU: the element was used since eviction came by. */
#define HASH_USED 1u

struct hash_elem {
	struct free_link free;
	_Atomic u32 next; /* in the bucket: number or 0; kept when unlinked, so that readers find on */
	_Atomic u32 gen;  /* odd while key and value are being written; 0: never used */
	_Atomic u32 hash; /* of the key, with HASH_USED in place of the lowest bit, which no bucket's number depends on */
	map_word words[]; /* the key, then (hash) the value */
};

struct hash_bucket {
	_Atomic u32 head; /* number or 0 */
	struct map_lock lock; /* of head and all `next`; counts elements unlinked */
};

struct hash {
	struct hash_bucket *buckets;
	u8 *elems; /* element n (1 ...) is at elems + n * elem_bytes; there is no element 0 */
	u32 last_bucket; /* number */
	u32 shift; /* of a wide hash to the right: the bucket's number; 63 at most */
	u32 elem_bytes;
	u32 key_size;
	u32 value_off;	    /* from the element; hash only */
	u32 value_stride;
	u64 percpu_off;	    /* per-CPU hash: of the values in every slot */
	struct hash_seed seed;
	struct freelist free;	/* max_entries elements */
	struct freelist spares; /* hash only: what an update replaces an element with */
	size_t elems_bytes;
	bool reserved; /* elems: from mem_reserve, else from mem_zalloc */
	u32 nr_elems; /* with spares */
	_Atomic u32 hand; /* LRU: see hash_lru.c */
};

static inline struct hash_elem *hash_elem_at(const struct hash *h, u32 number)
{
	return (struct hash_elem *)(h->elems + (size_t)number * h->elem_bytes);
}

static inline struct hash_bucket *hash_bucket_of(const struct hash *h, u32 hash)
{
	return &h->buckets[((u64)hash << 32) >> h->shift];
}

static inline void hash_mark_used(struct hash_elem *e)
{
	if (!(atomic_load_explicit(&e->hash, memory_order_relaxed) & HASH_USED))
		atomic_fetch_or_explicit(&e->hash, HASH_USED, memory_order_relaxed);
}

static inline u64 hash_percpu_off(const struct hash *h, u32 number)
{
	return h->percpu_off + (u64)number * h->value_stride;
}

/* The number of the element that has the key, or 0. Lock-free. */
u32 hash_find(const struct hash *h, const void *key);

/* Lookups in the map without map_ops, each made for one size of keys in bytes. */
/* Hash: the value's address or 0. */
u64 hash_value_4(const struct map *m, const void *key);
u64 hash_value_8(const struct map *m, const void *key);
u64 hash_value_16(const struct map *m, const void *key);
u64 hash_value_any(const struct map *m, const void *key);
/* Per-CPU hash: the value's offset in every slot's range, or 0. */
u64 hash_percpu_4(const struct map *m, const void *key);
u64 hash_percpu_8(const struct map *m, const void *key);
u64 hash_percpu_16(const struct map *m, const void *key);
u64 hash_percpu_any(const struct map *m, const void *key);
/* LRU: likewise, and the element counts as used. */
u64 lru_value_4(const struct map *m, const void *key);
u64 lru_value_8(const struct map *m, const void *key);
u64 lru_value_16(const struct map *m, const void *key);
u64 lru_value_any(const struct map *m, const void *key);
u64 lru_percpu_4(const struct map *m, const void *key);
u64 lru_percpu_8(const struct map *m, const void *key);
u64 lru_percpu_16(const struct map *m, const void *key);
u64 lru_percpu_any(const struct map *m, const void *key);

#endif
