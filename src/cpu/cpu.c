/* Slots: who holds which, which are running, and when all that ran at some moment have left (grace periods).
 *
 * cpu_enter must be cheap, since it brackets every run, and the asking side is rare. So the store that says "running" is
 * not ordered before the run's loads by a fence: cpu_grace_start makes every thread of the process execute one with
 * membarrier(2). Either the membarrier finds the store done, and the slot is seen running, or the run's loads come after
 * it and can't find what was unlinked before. Where membarrier is not to be had, cpu_enter has the fence. */
#include "cpu/cpu.h"

#include <errno.h>
#include <linux/membarrier.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "cpu/slots.h"

_Static_assert(
	sizeof(struct cpu_head) == CPU_HEAD_BYTES, "cpu_head is part of the ABI of inlined code");
_Static_assert(offsetof(struct cpu_head, number) == CPU_HEAD_NUMBER_OFF, "likewise");
_Static_assert(offsetof(struct cpu_head, tail_calls) == CPU_HEAD_TAIL_CALLS_OFF, "likewise");

static _Thread_local u8 *self;
static _Thread_local char identity; /* its address is this thread's name among living threads */

static uintptr_t me(void)
{
	return (uintptr_t)&identity;
}

static long membarrier(int command)
{
	return syscall(SYS_membarrier, command, 0, 0);
}

static u64 seed_new(void)
{
	u64 seed;
	struct timespec now;

	if (getrandom(&seed, sizeof(seed), GRND_NONBLOCK) == sizeof(seed))
		return seed;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (u64)now.tv_nsec * 0x9e3779b97f4a7c15u ^ (u64)now.tv_sec ^ (u64)getpid() << 32;
}

static int owners_new(struct cpus *c)
{
	size_t align = _Alignof(struct cpu_owner);

	c->owners_memory = mem_zalloc(array_size(c->nr, sizeof(*c->owners)) + align);
	if (!c->owners_memory)
		return -ENOMEM;
	c->owners = (struct cpu_owner *)(((uintptr_t)c->owners_memory + align - 1) & ~(align - 1));
	return 0;
}

static int ranges_reserve(struct cpus *c, struct diag *d)
{
	size_t bytes = (size_t)c->nr * PERCPU_SLOT_BYTES;
	void *p = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED)
		return diag_fail(d, pos_none(), ENOMEM,
			"can't reserve %zu bytes of address space for %u slots of %u bytes", bytes,
			c->nr, PERCPU_SLOT_BYTES);
	c->base = p;
	return 0;
}

static bool is_present(const u64 *present, u32 slot)
{
	return present[slot / 64] >> (slot % 64) & 1;
}

int cpus_new_sparse(const u64 *present, u32 nr_slots, struct cpus **out, struct diag *d)
{
	struct cpus *c;
	int err;

	if (nr_slots < 1 || nr_slots > CPU_SLOTS_MAX)
		return diag_fail(d, pos_none(), EINVAL,
			"%u CPU slots asked for, 1 to %u are possible", nr_slots, CPU_SLOTS_MAX);
	c = mem_zalloc(sizeof(*c));
	if (!c)
		return diag_nomem(d);
	c->nr = nr_slots;
	for (u32 s = 0; s < nr_slots; s++)
		if (is_present(present, s)) {
			c->present[s / 64] |= 1ull << (s % 64);
			c->nr_present++;
		}
	pthread_mutex_init(&c->lock, NULL);
	pthread_mutex_init(&c->retired_lock, NULL);
	c->retired_last = &c->retired_first;
	c->seed = seed_new();
	c->fence = membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) != 0;
	err = owners_new(c) ? diag_nomem(d) : ranges_reserve(c, d);
	if (!err) {
		u64 head_off;

		err = percpu_alloc(c, CPU_HEAD_BYTES, CPU_HEAD_BYTES, &head_off);
		if (err)
			diag_nomem(d);
		else
			assert(head_off == 0);
	}
	if (err) {
		cpus_free(c);
		return err;
	}
	*out = c;
	return 0;
}

int cpus_new(u32 nr_slots, struct cpus **out, struct diag *d)
{
	u64 all[CPU_SLOTS_MAX / 64];

	memset(all, 0xff, sizeof(all));
	return cpus_new_sparse(all, nr_slots, out, d);
}

void cpus_free(struct cpus *c)
{
	if (!c)
		return;
	for (u32 s = 0; c->owners && s < c->nr; s++)
		assert(!atomic_load(&c->owners[s].thread));
	retired_drop_all(c);
	if (c->base)
		munmap(c->base, (size_t)c->nr * PERCPU_SLOT_BYTES);
	mem_free(c->used);
	mem_free(c->owners_memory);
	pthread_mutex_destroy(&c->lock);
	pthread_mutex_destroy(&c->retired_lock);
	mem_free(c);
}

u32 cpus_nr(const struct cpus *c)
{
	return c->nr;
}

u32 cpus_count(const struct cpus *c)
{
	return c->nr_present;
}

u32 cpus_next(const struct cpus *c, u32 slot)
{
	while (slot < c->nr && !is_present(c->present, slot))
		slot++;
	return slot;
}

u32 cpus_next_id(struct cpus *c)
{
	return atomic_fetch_add_explicit(&c->last_id, 1, memory_order_relaxed) + 1;
}

u8 *cpu_base(const struct cpus *c, u32 slot)
{
	assert(slot < c->nr);
	return c->base + (size_t)slot * PERCPU_SLOT_BYTES;
}

static struct cpu_head *head_of(const struct cpus *c, u32 slot)
{
	return (struct cpu_head *)cpu_base(c, slot);
}

/* The first owner of a slot writes its head; later owners find it written. */
static void head_fill(struct cpus *c, u32 slot)
{
	struct cpu_head *head = head_of(c, slot);

	if (head->cpus)
		return;
	head->number = slot;
	head->random = c->seed + slot * 0xd1342543de82ef95u;
	head->cpus = c;
}

int cpu_take(struct cpus *c, u32 slot)
{
	uintptr_t nobody = 0;
	struct cpu_owner *owner;

	if (slot >= c->nr || !is_present(c->present, slot))
		return -EINVAL;
	owner = &c->owners[slot];
	if (atomic_load_explicit(&owner->thread, memory_order_relaxed) == me()) {
		owner->depth++;
		return 0;
	}
	if (!atomic_compare_exchange_strong_explicit(
		    &owner->thread, &nobody, me(), memory_order_acquire, memory_order_relaxed))
		return -EBUSY;
	owner->depth = 1;
	head_fill(c, slot);
	return 0;
}

void cpu_release(struct cpus *c, u32 slot)
{
	struct cpu_owner *owner;

	assert(slot < c->nr);
	owner = &c->owners[slot];
	assert(atomic_load_explicit(&owner->thread, memory_order_relaxed) == me());
	if (--owner->depth)
		return;
	assert(self != cpu_base(c, slot));
	atomic_store_explicit(&owner->thread, 0, memory_order_release);
}

u8 *cpu_self(void)
{
	return self;
}

/* Only the slot's owner counts, so a load and a store do. */
static void runs_step(u8 *base, memory_order order)
{
	struct cpu_head *head = (struct cpu_head *)base;
	u32 runs = atomic_load_explicit(&head->runs, memory_order_relaxed);

	atomic_store_explicit(&head->runs, runs + 1, order);
}

u8 *cpu_enter(u8 *base)
{
	u8 *before = self;

	if (base == before)
		return before;
	if (before)
		runs_step(before, memory_order_release);
	self = base;
	if (!base)
		return before;
	assert(((struct cpu_head *)base)->cpus); /* somebody took the slot */
	runs_step(base, memory_order_relaxed);
	if (((struct cpu_head *)base)->cpus->fence)
		atomic_fetch_add(&((struct cpu_head *)base)->runs, 0);
	else
		atomic_signal_fence(memory_order_seq_cst);
	return before;
}

void cpu_grace_start(const struct cpus *c, u32 *seen)
{
	if (!c->fence)
		membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
	for (u32 s = 0; s < c->nr; s++)
		seen[s] = atomic_load(&head_of(c, s)->runs);
}

bool cpu_grace_over(const struct cpus *c, const u32 *seen)
{
	for (u32 s = 0; s < c->nr; s++) {
		bool was_running = seen[s] & 1;

		if (was_running &&
			atomic_load_explicit(&head_of(c, s)->runs, memory_order_acquire) == seen[s])
			return false;
	}
	return true;
}
