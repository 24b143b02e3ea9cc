#include "map/freelist.h"

#include <errno.h>

#include "base/alloc.h"
#include "cpu/cpu.h"

static struct free_link *link_of(const struct freelist *f, u32 number)
{
	return (struct free_link *)(f->elems + number * f->stride);
}

int freelist_init(
	struct freelist *f, u8 *elems, size_t stride, u32 first, u32 end, const struct cpus *cpus)
{
	size_t align = _Alignof(struct lane);

	assert(first > 0);
	*f = (struct freelist){
		.elems = elems, .stride = stride, .nr_lanes = cpus_nr(cpus) + 1, .end = end};
	atomic_init(&f->fresh, first);
	f->lanes_memory = mem_zalloc(f->nr_lanes * sizeof(*f->lanes) + align);
	if (!f->lanes_memory)
		return -ENOMEM;
	f->lanes = (struct lane *)(((uintptr_t)f->lanes_memory + align - 1) & ~(align - 1));
	return 0;
}

void freelist_fini(struct freelist *f)
{
	mem_free(f->lanes_memory);
}

static u64 next_top(u64 top, u32 number)
{
	return ((top >> 32) + 1) << 32 | number;
}

static u32 lane_pop(struct freelist *f, struct lane *lane)
{
	u64 top = atomic_load_explicit(&lane->top, memory_order_acquire);
	u32 number, below;

	do {
		number = (u32)top;
		if (!number)
			return 0;
		/* Another thread may pop the element meanwhile; then this is stale, but so is `top`. */
		below = atomic_load_explicit(&link_of(f, number)->next, memory_order_relaxed);
	} while (!atomic_compare_exchange_weak_explicit(&lane->top, &top, next_top(top, below),
		memory_order_acq_rel, memory_order_acquire));
	return number;
}

static u32 fresh_pop(struct freelist *f)
{
	u32 number = atomic_load_explicit(&f->fresh, memory_order_relaxed);

	do {
		if (number == f->end)
			return 0;
	} while (!atomic_compare_exchange_weak_explicit(
		&f->fresh, &number, number + 1, memory_order_relaxed, memory_order_relaxed));
	return number;
}

u32 freelist_pop(struct freelist *f, u32 lane)
{
	u32 number = lane_pop(f, &f->lanes[lane]);

	if (!number)
		number = fresh_pop(f);
	for (u32 i = 1; !number && i < f->nr_lanes; i++)
		number = lane_pop(f, &f->lanes[(lane + i) % f->nr_lanes]);
	return number;
}

void freelist_push(struct freelist *f, u32 lane, u32 number)
{
	struct lane *l = &f->lanes[lane];
	u64 top = atomic_load_explicit(&l->top, memory_order_relaxed);

	do {
		atomic_store_explicit(&link_of(f, number)->next, (u32)top, memory_order_relaxed);
	} while (!atomic_compare_exchange_weak_explicit(
		&l->top, &top, next_top(top, number), memory_order_acq_rel, memory_order_relaxed));
}

u32 lane_of(const struct cpus *cpus, const u8 *self)
{
	const struct cpu_head *head = (const struct cpu_head *)self;

	return head && head->cpus == cpus ? head->number : cpus_nr(cpus);
}
