/* All heap memory of weir comes through here, so that tests can make the Nth allocation fail. */
#ifndef WEIR_BASE_ALLOC_H
#define WEIR_BASE_ALLOC_H

#include "base/types.h"

/* As malloc, calloc(1, n), realloc and free; a size of 0 gives a valid pointer. NULL when out of
 * memory. */
void *mem_alloc(size_t bytes);
void *mem_zalloc(size_t bytes);
void *mem_realloc(void *p, size_t bytes);
void mem_free(void *p);
char *mem_strdup(const char *s);
/* `len` bytes of `s` and a NUL. */
char *mem_strndup(const char *s, size_t len);

/* Zeroed pages that count against no limit and take memory only where they are written: for pools
 * of which perhaps little is ever used. NULL when the address space is full. mem_unreserve takes
 * the same size. */
void *mem_reserve(size_t bytes);
void mem_unreserve(void *p, size_t bytes);

/* n * elem, or SIZE_MAX (which no allocation can satisfy) when that overflows. */
size_t array_size(size_t n, size_t elem);

/* Makes room for `need` elements in a growing array: *array and *cap change only on success.
 * Returns 0 or -ENOMEM. Call as array_grow((void **)&a, &cap, need, sizeof(*a)). */
int array_grow(void **array, size_t *cap, size_t need, size_t elem);

/* Test hook: the nth allocation from now on (1 = the next) and all after it fail; 0 turns it off.
 */
void mem_fail_at(u64 nth);
/* Test hook: allocations made so far by this process. */
u64 mem_alloc_count(void);

#endif
