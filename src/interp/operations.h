/* What instructions compute, where C has no operator for it. */
#ifndef WEIR_INTERP_OPERATIONS_H
#define WEIR_INTERP_OPERATIONS_H

#include "helper/functions.h"
#include "interp/step.h"

/* RFC 9669, 4.1: a division by zero gives 0, a modulo by zero the dividend; the quotient that
 * overflows wraps. */
static inline u64 div64(u64 a, u64 b)
{
	return b ? a / b : 0;
}

static inline u64 mod64(u64 a, u64 b)
{
	return b ? a % b : a;
}

static inline u64 sdiv64(u64 a, u64 b)
{
	if (b == UINT64_MAX)
		return 0 - a;
	return b ? (u64)((s64)a / (s64)b) : 0;
}

static inline u64 smod64(u64 a, u64 b)
{
	if (b == UINT64_MAX)
		return 0;
	return b ? (u64)((s64)a % (s64)b) : a;
}

static inline u32 div32(u32 a, u32 b)
{
	return b ? a / b : 0;
}

static inline u32 mod32(u32 a, u32 b)
{
	return b ? a % b : a;
}

static inline u32 sdiv32(u32 a, u32 b)
{
	return (u32)sdiv64((u64)(s64)(s32)a, (u64)(s64)(s32)b);
}

static inline u32 smod32(u32 a, u32 b)
{
	return (u32)smod64((u64)(s64)(s32)a, (u64)(s64)(s32)b);
}

static inline void *address(u64 base, s16 off)
{
	return (void *)(uintptr_t)(base + (u64)(s64)off);
}

/* False: outside of the packet, and r0 is 0. */
static inline bool legacy_load(struct run *run, u64 at, u32 size)
{
	u64 value = helper_legacy_load(run->r[BPF_REG_6], at, size, 0, 0);
	bool there = (s64)value >= 0;

	run->r[BPF_REG_0] = there ? value : 0;
	return there;
}

#endif
