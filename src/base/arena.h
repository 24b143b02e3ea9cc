/* Memory that lives and dies together: one arena for one compile, parse or verification. */
#ifndef WEIR_BASE_ARENA_H
#define WEIR_BASE_ARENA_H

#include "base/types.h"

struct arena_block;

/* Zero-initialised is ready for use. Not for concurrent use. */
struct arena {
	struct arena_block *blocks;
	u8 *next;
	size_t left;
	size_t total_bytes; /* handed out so far */
};

/* Zeroed memory, aligned for any type, a valid pointer also for 0 bytes; NULL when out of memory.
 * Freed by arena_fini only. */
void *arena_alloc(struct arena *a, size_t bytes);
/* Zeroed array; NULL also when n * elem overflows. */
void *arena_array(struct arena *a, size_t n, size_t elem);
/* A copy of `len` bytes with a NUL behind; NULL when out of memory. */
char *arena_strndup(struct arena *a, const char *s, size_t len);
void arena_fini(struct arena *a);

#endif
