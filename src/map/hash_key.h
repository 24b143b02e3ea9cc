/* Hashing of keys with two random numbers that nobody outside knows, so that nobody can choose keys that collide.
 *
 * One multiplication for each 8 bytes (for each 16 where the size is 16) and one more to finish: with the first alone, keys
 * at equal distances crowd in a few buckets for one random number in thirty (distance 256) to a thousand. */
#ifndef WEIR_MAP_HASH_KEY_H
#define WEIR_MAP_HASH_KEY_H

#include "map/words.h"

struct hash_seed {
	u64 a, b;
	u64 spread; /* HASH_SPREAD, from where code has it sooner than as an immediate */
};

#define HASH_SPREAD 0x9e3779b97f4a7c15u

static inline u64 hash_mix(u64 a, u64 b)
{
	__uint128_t product = (__uint128_t)a * b;

	return (u64)product ^ (u64)(product >> 64);
}

/* Random, or always the same. */
struct hash_seed hash_seed_new(bool fixed);

/* Before the last multiplication. */
static inline u64 hash_key_long(const void *key, size_t bytes, const struct hash_seed *seed)
{
	const u8 *p = key;
	u64 hash;

	if (bytes <= 8)
		return hash_mix(word_from(p, bytes) ^ seed->a, seed->b);
	if (bytes == 16)
		return hash_mix(word_from(p, 8) ^ seed->a, word_from(p + 8, 8) ^ seed->b);
	hash = seed->a;
	for (size_t at = 0; at < bytes; at += 8)
		hash = hash_mix(word_from(p + at, bytes - at) ^ hash, seed->b);
	return hash;
}

/* Its upper bits are the best; the hash is the upper half. */
static inline u64 hash_key_wide(const void *key, size_t bytes, const struct hash_seed *seed)
{
	return hash_key_long(key, bytes, seed) * seed->spread;
}

static inline u32 hash_key(const void *key, size_t bytes, const struct hash_seed *seed)
{
	return (u32)(hash_key_wide(key, bytes, seed) >> 32);
}

#endif
