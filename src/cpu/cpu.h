/* CPU slots and per-CPU memory.
 *
 * A slot is what a CPU is to a BPF program in the kernel: while a thread holds slot s, programs that it runs see
 * bpf_get_smp_processor_id() == s and own the per-CPU data of s. Each slot has an address range of its own with the same
 * layout; an allocation is an offset, and its address on slot s is cpu_base(s) + offset. */
#ifndef WEIR_CPU_CPU_H
#define WEIR_CPU_CPU_H

#include <stdatomic.h>

#include "base/types.h"
#include "weir/env.h"

struct diag;

/* What stands at offset 0 of every slot's range; offsets are part of the ABI of inlined code. Filled by the first
 * cpu_take of the slot, so that its page belongs to the slot's thread. */
struct cpu_head {
	u32 number;	  /* of this slot */
	_Atomic u32 runs; /* odd while programs run on the slot: see cpu_enter */
	struct cpus *cpus;
	u64 random;	/* state of bpf_get_prandom_u32 */
	const struct weir_env *env; /* of the slot's owner, borrowed; NULL: none */
	u64 tail_calls;	 /* made in the run that is going on */
	struct weir_frame *frame; /* that the program running is for, if its type has one */
	u32 frame_type; /* enum prog_type of that program */
	u32 pad;
	u64 reserved[1]; /* a cache line in all */
};

enum { CPU_HEAD_NUMBER_OFF = 0, CPU_HEAD_TAIL_CALLS_OFF = 32, CPU_HEAD_BYTES = 64 };

struct cpus;

/* Reserves nr_slots ranges (1 ... CPU_SLOTS_MAX). 0, -EINVAL, -ENOMEM. */
int cpus_new(u32 nr_slots, struct cpus **out, struct diag *d);
/* The same with those slots only that have their bit in `present`; nr_slots is 1 + the highest number. */
int cpus_new_sparse(const u64 *present, u32 nr_slots, struct cpus **out, struct diag *d);
/* No slot may be held and no per-CPU memory in use any more. NULL ok. */
void cpus_free(struct cpus *c);
u32 cpus_nr(const struct cpus *c); /* 1 + the highest number of a slot */
u32 cpus_count(const struct cpus *c); /* slots that exist */
/* The first slot that exists from number `slot` on; cpus_nr() behind the last. */
u32 cpus_next(const struct cpus *c, u32 slot);

/* The calling thread takes a slot: 0, -EBUSY when another thread holds it, -EINVAL when it doesn't exist. Takes and
 * releases nest for the thread that holds the slot. Any thread, at any time. A thread must release what it holds before
 * it ends. */
int cpu_take(struct cpus *c, u32 slot);
void cpu_release(struct cpus *c, u32 slot);

/* Start of the slot's range. */
u8 *cpu_base(const struct cpus *c, u32 slot);

/* Base of the slot whose program this thread is running, or NULL: set by cpu_enter around a run, read by helpers. */
u8 *cpu_self(void);
/* Makes `base` (of a slot that this thread holds, or NULL) this thread's current slot, returns what was before (to
 * restore). From the change to a slot until the change away from it the slot counts as running, and what programs on it
 * found in maps stays readable: so bracket a run or a batch of runs, never a wait for packets. Entering the slot that is
 * current already changes nothing (nested runs). */
u8 *cpu_enter(u8 *base);

/* Grace periods, for memory that programs may still be looking at after it was unlinked. cpu_grace_start notes which
 * slots are running; cpu_grace_over says whether each of those has left its run since then, so that nobody can hold a
 * pointer to what was unlinked before cpu_grace_start. Neither waits. `seen` has room for cpus_nr() numbers. */
void cpu_grace_start(const struct cpus *c, u32 *seen);
bool cpu_grace_over(const struct cpus *c, const u32 *seen);

/* Giving something up once all runs of now are over. What it takes is allocated ahead, so that giving up can't fail; NULL: no
 * memory. */
struct retiree;
struct retiree *retiree_new(const struct cpus *c);
void retiree_free(struct retiree *r); /* it isn't needed after all; NULL ok */
/* What was unlinked before: drop(what) is called when its time has come, in a later cpus_retire, cpus_reap or cpus_free, on
 * that thread, or now. r is given away. drop may retire other things. */
void cpus_retire(struct cpus *c, struct retiree *r, void (*drop)(void *what), void *what);
void cpus_reap(struct cpus *c);
/* A number that nothing else of these slots has: 1 and up. */
u32 cpus_next_id(struct cpus *c);

/* Allocates `bytes` in every slot (zeroed), aligned to at least 8 and at most 64: *off > 0. -ENOMEM when the range is full.
 * Thread-safe. Touches no page of any slot. */
int percpu_alloc(struct cpus *c, size_t bytes, size_t align, u64 *off);
/* Nobody may use the memory any more. It is zero again afterwards, on every slot. 0 is ignored. */
void percpu_free(struct cpus *c, u64 off);

static inline void *percpu_ptr(const struct cpus *c, u32 slot, u64 off)
{
	return cpu_base(c, slot) + off;
}

#endif
