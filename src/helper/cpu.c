/* The slot that a program runs on, and its random numbers. */
#include "cpu/cpu.h"
#include "helper/functions.h"

static struct cpu_head *head(void)
{
	return (struct cpu_head *)cpu_self();
}

u64 helper_get_smp_processor_id(u64 r1 UNUSED_ARG, u64 r2 UNUSED_ARG, u64 r3 UNUSED_ARG,
	u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG)
{
	return head()->number;
}

/* Slots are threads, which may be anywhere. */
u64 helper_get_numa_node_id(u64 r1 UNUSED_ARG, u64 r2 UNUSED_ARG, u64 r3 UNUSED_ARG,
	u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG)
{
	return 0;
}

/* splitmix64: one step of a 64-bit state and a mix of it, of which the better upper half is given. */
u64 helper_get_prandom_u32(u64 r1 UNUSED_ARG, u64 r2 UNUSED_ARG, u64 r3 UNUSED_ARG,
	u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG)
{
	u64 z = head()->random += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return (z ^ z >> 31) >> 32;
}
