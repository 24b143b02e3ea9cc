/* Allocates offsets, the same in every slot: first fit in the gaps of one sorted array of what is in use. Maps are few and
 * big, so searching is cheap, and one array can't disagree with itself.
 *
 * Fresh pages are zero and nobody but the slot's thread touches them first. Memory that is freed is made zero again at
 * once, without giving pages to slots that never had them: whole pages go back to the system, words of shared pages are
 * written only where they aren't zero (reading a page that was never written makes none). */
#include "cpu/cpu.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"
#include "cpu/slots.h"

enum {
	ALIGN_MIN = 8,
	ALIGN_MAX = 64,
	OPEN_STEP_BYTES = 1 << 16, /* a whole number of pages on every host */
};

static u64 round_up(u64 n, u64 to)
{
	return (n + to - 1) & ~(to - 1);
}

/* The first gap that fits: *off its start, *at the index that the new extent gets. */
static int gap_find(const struct cpus *c, u64 bytes, u64 align, u64 *off, size_t *at)
{
	u64 end = 0;

	for (size_t i = 0; i <= c->nr_used; i++) {
		u64 limit = i < c->nr_used ? c->used[i].off : PERCPU_SLOT_BYTES;
		u64 start = round_up(end, align);

		if (start <= limit && limit - start >= bytes) {
			*off = start;
			*at = i;
			return 0;
		}
		if (i < c->nr_used)
			end = c->used[i].off + c->used[i].bytes;
	}
	return -ENOMEM;
}

/* Makes every slot's first `end` bytes accessible. */
static int open_to(struct cpus *c, u64 end)
{
	u64 open_bytes = round_up(end, OPEN_STEP_BYTES);

	if (open_bytes <= c->open_bytes)
		return 0;
	for (u32 s = 0; s < c->nr; s++)
		if (mprotect(cpu_base(c, s) + c->open_bytes, open_bytes - c->open_bytes,
			    PROT_READ | PROT_WRITE))
			return -ENOMEM;
	c->open_bytes = open_bytes;
	return 0;
}

static int alloc_locked(struct cpus *c, u64 bytes, u64 align, u64 *off)
{
	u64 start;
	size_t at;
	int err = array_grow((void **)&c->used, &c->cap_used, c->nr_used + 1, sizeof(*c->used));

	if (!err)
		err = gap_find(c, bytes, align, &start, &at);
	if (!err)
		err = open_to(c, start + bytes);
	if (err)
		return err;
	memmove(c->used + at + 1, c->used + at, (c->nr_used - at) * sizeof(*c->used));
	c->used[at] = (struct percpu_extent){.off = start, .bytes = bytes};
	c->nr_used++;
	*off = start;
	return 0;
}

int percpu_alloc(struct cpus *c, size_t bytes, size_t align, u64 *off)
{
	int err;

	assert(align <= ALIGN_MAX && !(align & (align - 1)));
	if (bytes > PERCPU_SLOT_BYTES)
		return -ENOMEM;
	pthread_mutex_lock(&c->lock);
	err = alloc_locked(c, round_up(bytes ? bytes : 1, ALIGN_MIN),
		align < ALIGN_MIN ? ALIGN_MIN : align, off);
	pthread_mutex_unlock(&c->lock);
	return err;
}

static void zero_words(u8 *from, u8 *to)
{
	for (u64 *word = (u64 *)from; word < (u64 *)to; word++)
		if (*word)
			*word = 0;
}

static void zero_range(u8 *from, u8 *to)
{
	u64 page = (u64)sysconf(_SC_PAGESIZE);
	u8 *first_page = (u8 *)round_up((uintptr_t)from, page);
	u8 *end_page = (u8 *)((uintptr_t)to & ~(uintptr_t)(page - 1));

	if (first_page >= end_page ||
		madvise(first_page, (size_t)(end_page - first_page), MADV_DONTNEED)) {
		zero_words(from, to);
		return;
	}
	zero_words(from, first_page);
	zero_words(end_page, to);
}

void percpu_free(struct cpus *c, u64 off)
{
	size_t at = 0;

	if (!off)
		return;
	pthread_mutex_lock(&c->lock);
	while (at < c->nr_used && c->used[at].off != off)
		at++;
	assert(at < c->nr_used);
	for (u32 s = 0; s < c->nr; s++)
		zero_range(cpu_base(c, s) + off, cpu_base(c, s) + off + c->used[at].bytes);
	c->nr_used--;
	memmove(c->used + at, c->used + at + 1, (c->nr_used - at) * sizeof(*c->used));
	pthread_mutex_unlock(&c->lock);
}
