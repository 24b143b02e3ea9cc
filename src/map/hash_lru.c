/* LRU hashes: who has to go when the map is full.
 *
 * Lookups of programs and updates of keys that are there mark an element as used. A hand goes round over all elements: it
 * takes marks away, and the first without one goes. So what was used since the hand came by last time survives, and a new
 * element is safe for one round. One call takes at most MARKS_MAX marks away; if all of these were in use, the first of
 * them goes, unless it was used again meanwhile. */
#include "map/hash_chain.h"

enum { MARKS_MAX = 1024 };

static u32 next_number(struct hash *h)
{
	return 1 + atomic_fetch_add_explicit(&h->hand, 1, memory_order_relaxed) % h->nr_elems;
}

static bool is_marked(const struct hash_elem *e)
{
	return atomic_load_explicit(&e->hash, memory_order_relaxed) & HASH_USED;
}

static void unmark(struct hash_elem *e)
{
	atomic_fetch_and_explicit(&e->hash, ~HASH_USED, memory_order_relaxed);
}

/* Takes the element out of the bucket that it seems to be in. False when it is in none, in another one by now, or marked. */
static bool take(struct hash *h, u32 number)
{
	struct hash_elem *e = hash_elem_at(h, number);
	u32 hash = atomic_load_explicit(&e->hash, memory_order_relaxed);
	struct hash_bucket *b = hash_bucket_of(h, hash);
	_Atomic u32 *place = &b->head;
	bool found;

	if (!atomic_load_explicit(&e->gen, memory_order_relaxed))
		return false; /* never used */
	lock_take(&b->lock);
	while (chain_number_at(place) && chain_number_at(place) != number)
		place = &hash_elem_at(h, chain_number_at(place))->next;
	found = chain_number_at(place) && !is_marked(e);
	if (found) {
		chain_unlink(h, place);
		lock_drop_count(&b->lock);
	} else {
		lock_drop(&b->lock);
	}
	return found;
}

u32 hash_evict(struct hash *h)
{
	u32 first = 0, nr_marks = 0;

	for (u64 i = 0; i < 2 * (u64)h->nr_elems && nr_marks < MARKS_MAX; i++) {
		u32 number = next_number(h);

		if (is_marked(hash_elem_at(h, number))) {
			unmark(hash_elem_at(h, number));
			nr_marks++;
			first = first ? first : number;
		} else if (take(h, number)) {
			return number;
		}
	}
	for (u32 i = 0; first && i < MARKS_MAX; i++) {
		u32 number = 1 + (u32)(((u64)first - 1 + i) % h->nr_elems);

		if (take(h, number))
			return number;
	}
	return 0;
}
