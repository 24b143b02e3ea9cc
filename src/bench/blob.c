#include "bench/blob.h"

#include <string.h>
#include <sys/mman.h>

#include "base/alloc.h"

enum { LINE_BYTES = 64 };

struct bench_blob {
	u8 *map;
	size_t bytes;
	u8 *entry;
};

struct bench_blob *bench_blob_new(const u8 *code, size_t bytes, u32 offset)
{
	struct bench_blob *b = mem_zalloc(sizeof(*b));

	if (!b)
		return NULL;
	/* A line in front: what some sanitizers look at before a function. */
	b->bytes = bytes + offset + LINE_BYTES;
	b->map = mmap(NULL, b->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (b->map == MAP_FAILED) {
		mem_free(b);
		return NULL;
	}
	b->entry = b->map + LINE_BYTES + offset;
	memcpy(b->entry, code, bytes);
	if (mprotect(b->map, b->bytes, PROT_READ | PROT_EXEC)) {
		bench_blob_free(b);
		return NULL;
	}
	__builtin___clear_cache((char *)b->entry, (char *)b->entry + bytes);
	return b;
}

void bench_blob_free(struct bench_blob *b)
{
	if (!b)
		return;
	munmap(b->map, b->bytes);
	mem_free(b);
}

jit_entry bench_blob_entry(const struct bench_blob *b)
{
	jit_entry entry;

	memcpy(&entry, &b->entry, sizeof(entry));
	return entry;
}

struct bench_blob *bench_blob_return(void)
{
#if defined(__aarch64__)
	static const u8 code[] = {0xc0, 0x03, 0x5f, 0xd6};
#else
	static const u8 code[] = {0xc3};
#endif
	return bench_blob_new(code, sizeof(code), 0);
}

void bench_entry_run(void *entry, u32 times)
{
	const struct bench_entry *e = entry;
	u8 mem[LINE_BYTES] = {0};

	for (u32 i = 0; i < times; i++)
		e->entry((uintptr_t)mem, sizeof(mem), e->self);
}
