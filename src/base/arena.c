/* Blocks of growing size, bump allocation inside them. */
#include "base/arena.h"

#include <stdalign.h>
#include <string.h>

#include "base/alloc.h"

enum { ARENA_BLOCK_BYTES = 16 * 1024 };

struct arena_block {
	struct arena_block *older;
	alignas(max_align_t) u8 bytes[];
};

static bool arena_add_block(struct arena *a, size_t bytes)
{
	size_t size = bytes > ARENA_BLOCK_BYTES ? bytes : ARENA_BLOCK_BYTES;
	struct arena_block *block = NULL;

	if (size <= SIZE_MAX - sizeof(*block))
		block = mem_alloc(sizeof(*block) + size);
	if (!block)
		return false;
	block->older = a->blocks;
	a->blocks = block;
	a->next = block->bytes;
	a->left = size;
	return true;
}

void *arena_alloc(struct arena *a, size_t bytes)
{
	const size_t align = alignof(max_align_t);

	if (bytes > SIZE_MAX - align)
		return NULL;
	size_t size = bytes ? (bytes + align - 1) & ~(align - 1)
			    : align; /* also nothing has an address */
	if (size > a->left && !arena_add_block(a, size))
		return NULL;
	void *p = a->next;
	a->next += size;
	a->left -= size;
	a->total_bytes += size;
	return memset(p, 0, size);
}

void *arena_array(struct arena *a, size_t n, size_t elem)
{
	size_t bytes = array_size(n, elem);

	return bytes == SIZE_MAX ? NULL : arena_alloc(a, bytes);
}

char *arena_strndup(struct arena *a, const char *s, size_t len)
{
	char *copy = len < SIZE_MAX ? arena_alloc(a, len + 1) : NULL;

	return copy ? memcpy(copy, s, len) : NULL;
}

void arena_fini(struct arena *a)
{
	while (a->blocks) {
		struct arena_block *older = a->blocks->older;

		mem_free(a->blocks);
		a->blocks = older;
	}
	*a = (struct arena){0};
}
