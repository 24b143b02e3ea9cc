/* Counts and, for tests, fails allocations; otherwise plain libc. */
#include "base/alloc.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* The only mutable globals of the library: the failure injection of the tests. */
static atomic_uint_fast64_t alloc_count;
static atomic_uint_fast64_t fail_from;

_Noreturn void assert_unreachable(const char *file, int line)
{
	fprintf(stderr, "%s:%d: unreachable code reached\n", file, line);
	abort();
}

static bool must_fail(void)
{
	u64 n = atomic_fetch_add_explicit(&alloc_count, 1, memory_order_relaxed) + 1;
	u64 from = atomic_load_explicit(&fail_from, memory_order_relaxed);

	return from && n >= from;
}

void *mem_alloc(size_t bytes)
{
	return must_fail() ? NULL : malloc(bytes ? bytes : 1);
}

void *mem_zalloc(size_t bytes)
{
	return must_fail() ? NULL : calloc(1, bytes ? bytes : 1);
}

void *mem_realloc(void *p, size_t bytes)
{
	return must_fail() ? NULL : realloc(p, bytes ? bytes : 1);
}

void mem_free(void *p)
{
	free(p);
}

void *mem_reserve(size_t bytes)
{
	void *p;

	if (must_fail())
		return NULL;
	p = mmap(NULL, bytes ? bytes : 1, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return p == MAP_FAILED ? NULL : p;
}

void mem_unreserve(void *p, size_t bytes)
{
	if (p)
		munmap(p, bytes ? bytes : 1);
}

char *mem_strndup(const char *s, size_t len)
{
	char *copy = len < SIZE_MAX ? mem_alloc(len + 1) : NULL;

	if (!copy)
		return NULL;
	if (len)
		memcpy(copy, s, len);
	copy[len] = '\0';
	return copy;
}

char *mem_strdup(const char *s)
{
	return mem_strndup(s, strlen(s));
}

size_t array_size(size_t n, size_t elem)
{
	size_t bytes;

	return __builtin_mul_overflow(n, elem, &bytes) ? SIZE_MAX : bytes;
}

int array_grow(void **array, size_t *cap, size_t need, size_t elem)
{
	if (need <= *cap)
		return 0;
	size_t want = *cap > SIZE_MAX / 2 ? need : *cap * 2;
	if (want < need)
		want = need;
	if (want < 8)
		want = 8;
	size_t bytes = array_size(want, elem);
	void *p = bytes == SIZE_MAX ? NULL : mem_realloc(*array, bytes);
	if (!p)
		return -ENOMEM;
	*array = p;
	*cap = want;
	return 0;
}

void mem_fail_at(u64 nth)
{
	u64 now = atomic_load(&alloc_count);

	atomic_store(&fail_from, nth ? now + nth : 0);
}

u64 mem_alloc_count(void)
{
	return atomic_load(&alloc_count);
}
