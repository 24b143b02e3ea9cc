/* CPU slots and per-CPU memory.
 *
 * A slot is what a CPU is to a BPF program in the kernel: while a thread holds slot s, programs that it runs see
 * bpf_get_smp_processor_id() == s and own the per-CPU data of s. Each slot has an address range of its own with the same
 * layout; an allocation is an offset, and its address on slot s is cpu_base(s) + offset. */
#ifndef WEIR_CPU_CPU_H
#define WEIR_CPU_CPU_H

#include "base/types.h"

struct diag;

/* What stands at offset 0 of every slot's range; offsets are part of the ABI of inlined code. */
struct cpu_head {
	u32 number; /* of this slot */
	u32 reserved;
	struct cpus *cpus;
	u64 scratch[6]; /* engine use: e.g. this run's packet time, tail call count */
};

enum { CPU_HEAD_NUMBER_OFF = 0, CPU_HEAD_BYTES = 64 };

struct cpus;

/* Reserves nr_slots ranges (1 ... CPU_SLOTS_MAX). 0, -EINVAL, -ENOMEM. */
int cpus_new(u32 nr_slots, struct cpus **out, struct diag *d);
void cpus_free(struct cpus *c);
u32 cpus_nr(const struct cpus *c);

/* The calling thread takes a slot: 0, -EBUSY when another thread holds it, -EINVAL when it doesn't exist. Takes and
 * releases nest for the thread that holds the slot. Any thread, at any time. */
int cpu_take(struct cpus *c, u32 slot);
void cpu_release(struct cpus *c, u32 slot);

/* Start of the slot's range. */
u8 *cpu_base(const struct cpus *c, u32 slot);

/* Base of the slot whose program this thread is running, or NULL: set by cpu_enter around a run, read by helpers. */
u8 *cpu_self(void);
/* Makes `base` this thread's current slot, returns what was before (to restore). */
u8 *cpu_enter(u8 *base);

/* Allocates `bytes` in every slot (zeroed), aligned to at least 8 and at most 64: *off > 0. -ENOMEM when the range is full.
 * Thread-safe. */
int percpu_alloc(struct cpus *c, size_t bytes, size_t align, u64 *off);
void percpu_free(struct cpus *c, u64 off);

static inline void *percpu_ptr(const struct cpus *c, u32 slot, u64 off)
{
	return cpu_base(c, slot) + off;
}

#endif
