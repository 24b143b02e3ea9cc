/* Bloom filter: bits, of which each value sets a few.
 *
 * What is promised: everything is lock-free and no call waits. A value is found by every peek that begins after its push has
 * ended; one that was never pushed is found rarely: with max_entries values in it about as often as 2^-hashes, the
 * number of bits being a power of two that is at least hashes * max_entries / ln 2. */
#include <errno.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "map/hash_key.h"
#include "map/no_keys.h"
#include "map/spec.h"

enum { HASHES_MAX = 15, HASHES_DEFAULT = 5, WORD_BITS = 64 };

struct bloom {
	u64 last_bit; /* number of bits - 1 */
	u32 nr_hashes;
	struct hash_seed seed;
	_Atomic u64 *words;
};

static int bloom_check_spec(const struct map_spec *spec, struct diag *d)
{
	int err = spec_check_value_size(spec, VALUE_BYTES_MAX, E2BIG, d);

	if (!err)
		err = no_keys_check_spec(
			spec, BPF_F_NUMA_NODE | BPF_F_ZERO_SEED | MAP_ACCESS_FLAGS, d);
	if (!err && spec->extra > HASHES_MAX)
		return diag_fail(d, pos_none(), EINVAL,
			"map '%.15s': map_extra is 0x%llx, the number of hashes of a bloom_filter "
			"is at most %d",
			spec->name, (unsigned long long)spec->extra, HASHES_MAX);
	return err;
}

/* A power of two, at least n * hashes / ln 2. */
static u64 bits_for(u64 n, u64 hashes)
{
	u64 want = n * hashes * 1443 / 1000 + 1; /* below 2^37 */
	u64 bits = WORD_BITS;

	while (bits < want)
		bits *= 2;
	return bits;
}

static size_t words_size(const struct bloom *b)
{
	return (size_t)((b->last_bit + 1) / 8);
}

static int bloom_create(struct map *m)
{
	struct bloom *b = mem_zalloc(sizeof(*b));

	if (!b)
		return -ENOMEM;
	b->nr_hashes = m->spec.extra ? (u32)m->spec.extra : HASHES_DEFAULT;
	b->last_bit = bits_for(m->spec.max_entries, b->nr_hashes) - 1;
	b->seed = hash_seed_new(m->spec.flags & BPF_F_ZERO_SEED);
	b->words = mem_zalloc(words_size(b));
	if (!b->words) {
		mem_free(b);
		return -ENOMEM;
	}
	m->priv = b;
	return 0;
}

static void bloom_destroy(struct map *m)
{
	struct bloom *b = m->priv;

	mem_free(b->words);
	mem_free(b);
}

/* The bit that the nth hash function gives for what the value hashed to. */
static u64 bit_of(const struct bloom *b, u64 hash, u32 n)
{
	return hash_mix(hash + n * 0x9e3779b97f4a7c15u, b->seed.b) & b->last_bit;
}

static int bloom_push(struct map *m, const void *value, u64 flags)
{
	const struct bloom *b = m->priv;
	u64 hash = hash_key_long(value, m->spec.value_size, &b->seed);

	if (flags != BPF_ANY)
		return -EINVAL;
	for (u32 n = 0; n < b->nr_hashes; n++) {
		u64 bit = bit_of(b, hash, n);

		atomic_fetch_or_explicit(
			&b->words[bit / WORD_BITS], 1ull << bit % WORD_BITS, memory_order_relaxed);
	}
	return 0;
}

static int bloom_peek(struct map *m, void *value)
{
	const struct bloom *b = m->priv;
	u64 hash = hash_key_long(value, m->spec.value_size, &b->seed);

	for (u32 n = 0; n < b->nr_hashes; n++) {
		u64 bit = bit_of(b, hash, n);
		u64 word = atomic_load_explicit(&b->words[bit / WORD_BITS], memory_order_relaxed);

		if (!(word >> bit % WORD_BITS & 1))
			return -ENOENT;
	}
	return 0;
}

static int no_remove(struct map *m UNUSED_ARG, const void *key UNUSED_ARG)
{
	return -EOPNOTSUPP;
}

static int no_next_key(struct map *m UNUSED_ARG, const void *key UNUSED_ARG, void *next UNUSED_ARG)
{
	return -EOPNOTSUPP;
}

static u64 bloom_memory_bytes(const struct map *m)
{
	return words_size(m->priv);
}

const struct map_ops bloom_filter_map_ops = {
	.name = "bloom_filter",
	.check_spec = bloom_check_spec,
	.create = bloom_create,
	.destroy = bloom_destroy,
	.lookup = no_keys_lookup,
	.update = no_keys_update,
	.remove = no_remove,
	.read = no_keys_read,
	.write = no_keys_write,
	.next_key = no_next_key,
	.read_and_remove = no_keys_read_and_remove,
	.memory_bytes = bloom_memory_bytes,
	.push = bloom_push,
	.peek = bloom_peek,
};
