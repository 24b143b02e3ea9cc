#include "map/lock.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
	LOCKED = 1,
	SLEEPERS = 2,
	COUNT_STEP = 4,
	SPINS = 64, /* about as long as the lock is usually held */
};

static void pause_cpu(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#endif
}

static bool try_take(struct map_lock *l, u32 extra)
{
	u32 word = atomic_load_explicit(&l->word, memory_order_relaxed);

	return !(word & LOCKED) &&
	       atomic_compare_exchange_weak_explicit(&l->word, &word, word | LOCKED | extra,
		       memory_order_acquire, memory_order_relaxed);
}

/* A sleeper takes the lock with SLEEPERS set, for there may be others. */
static void take_sleeping(struct map_lock *l)
{
	while (!try_take(l, SLEEPERS)) {
		u32 word = atomic_fetch_or_explicit(&l->word, SLEEPERS, memory_order_relaxed) |
			   SLEEPERS;

		if (word & LOCKED)
			syscall(SYS_futex, &l->word, FUTEX_WAIT_PRIVATE, word, NULL, NULL, 0);
	}
}

void lock_take(struct map_lock *l)
{
	for (unsigned i = 0; i < SPINS; i++) {
		if (try_take(l, 0))
			return;
		pause_cpu();
	}
	take_sleeping(l);
}

static void drop(struct map_lock *l, u32 step)
{
	u32 word = atomic_load_explicit(&l->word, memory_order_relaxed);
	u32 count = (word + step) & ~(u32)(LOCKED | SLEEPERS);

	if (atomic_exchange_explicit(&l->word, count, memory_order_release) & SLEEPERS)
		syscall(SYS_futex, &l->word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

void lock_drop(struct map_lock *l)
{
	drop(l, 0);
}

void lock_drop_count(struct map_lock *l)
{
	drop(l, COUNT_STEP);
}
