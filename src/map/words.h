/* Copying keys and values between plain memory and maps, whose memory other threads may read or write meanwhile.
 *
 * Stored data is a row of 64-bit words, the last one padded with zeros, accessed atomically: whoever races with a writer
 * sees each aligned word old or new, never mixed. Programs access values with plain loads and stores of their own; on
 * our targets those that are aligned are single-copy atomic too. */
#ifndef WEIR_MAP_WORDS_H
#define WEIR_MAP_WORDS_H

#include <stdatomic.h>
#include <string.h>

#include "base/types.h"

typedef _Atomic u64 map_word;

static inline size_t words_bytes(size_t bytes)
{
	return (bytes + 7) & ~(size_t)7;
}

/* Up to 8 bytes, padded with zeros. */
static inline u64 word_from(const u8 *p, size_t bytes)
{
	u64 word = 0;

	memcpy(&word, p, bytes < 8 ? bytes : 8);
	return word;
}

/* Each store is a release: whoever reads the new word also sees what was written before the copy began. */
static inline void words_store(map_word *dst, const void *src, size_t bytes)
{
	const u8 *from = src;

	for (size_t at = 0; at < bytes; at += 8)
		atomic_store_explicit(dst++, word_from(from + at, bytes - at), memory_order_release);
}

/* As words_store, but writes only words that differ: never gives a page to a slot that only has zeros. */
static inline void words_store_changed(map_word *dst, const void *src, size_t bytes)
{
	const u8 *from = src;

	for (size_t at = 0; at < bytes; at += 8, dst++) {
		u64 word = word_from(from + at, bytes - at);

		if (atomic_load_explicit(dst, memory_order_relaxed) != word)
			atomic_store_explicit(dst, word, memory_order_release);
	}
}

/* Likewise. */
static inline void words_zero(map_word *dst, size_t bytes)
{
	for (size_t at = 0; at < bytes; at += 8, dst++)
		if (atomic_load_explicit(dst, memory_order_relaxed))
			atomic_store_explicit(dst, 0, memory_order_release);
}

/* Each load is an acquire: what the caller reads afterwards is at least as new. */
static inline void words_load(void *dst, const map_word *src, size_t bytes)
{
	u8 *to = dst;

	for (size_t at = 0; at < bytes; at += 8) {
		u64 word = atomic_load_explicit(src++, memory_order_acquire);

		memcpy(to + at, &word, bytes - at < 8 ? bytes - at : 8);
	}
}

/* As words_store, but leaves the 4 bytes at lock_at - 1 alone; 0: there are none. */
static inline void words_store_around(map_word *dst, const void *src, size_t bytes, u32 lock_at)
{
	const u8 *from = src;
	size_t lock = lock_at - 1, half = lock ^ 4;

	if (!lock_at) {
		words_store(dst, src, bytes);
		return;
	}
	words_store(dst, from, lock & ~(size_t)7);
	if (half < bytes) {
		u32 other = (u32)word_from(from + half, bytes - half);

		atomic_store_explicit((_Atomic u32 *)((u8 *)dst + half), other, memory_order_release);
	}
	for (size_t at = (lock | 7) + 1; at < bytes; at += 8)
		atomic_store_explicit(dst + at / 8, word_from(from + at, bytes - at), memory_order_release);
}

/* As words_load, with zeros in place of the lock. */
static inline void words_load_around(void *dst, const map_word *src, size_t bytes, u32 lock_at)
{
	words_load(dst, src, bytes);
	if (lock_at)
		memset((u8 *)dst + lock_at - 1, 0, sizeof(u32));
}

static inline bool words_equal(const map_word *stored, const void *key, size_t bytes)
{
	const u8 *from = key;

	for (size_t at = 0; at < bytes; at += 8)
		if (atomic_load_explicit(stored++, memory_order_acquire) != word_from(from + at, bytes - at))
			return false;
	return true;
}

#endif
