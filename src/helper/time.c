/* Clocks: this machine's, or those of the slot's environment. */
#include <time.h>

#include "cpu/cpu.h"
#include "helper/functions.h"

enum { NS_PER_S = 1000000000, NS_PER_JIFFY = NS_PER_S / 250 };

static u64 machine_clock(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (u64)now.tv_sec * NS_PER_S + (u64)now.tv_nsec;
}

static u64 clock_now(enum weir_clock clock)
{
	static const clockid_t ids[] = {
		[WEIR_CLOCK_MONOTONIC] = CLOCK_MONOTONIC,
		[WEIR_CLOCK_BOOT] = CLOCK_BOOTTIME,
		[WEIR_CLOCK_MONOTONIC_COARSE] = CLOCK_MONOTONIC_COARSE,
		[WEIR_CLOCK_TAI] = CLOCK_TAI,
		[WEIR_CLOCK_JIFFIES] = CLOCK_MONOTONIC_COARSE,
	};
	const struct weir_env *env = ((const struct cpu_head *)cpu_self())->env;

	if (env && env->now)
		return env->now(env->arg, clock);
	u64 ns = machine_clock(ids[clock]);
	return clock == WEIR_CLOCK_JIFFIES ? ns / NS_PER_JIFFY : ns;
}

#define CLOCK(name, clock) \
	u64 helper_##name(u64 r1 UNUSED_ARG, u64 r2 UNUSED_ARG, u64 r3 UNUSED_ARG, \
		u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG) \
	{ \
		return clock_now(clock); \
	}
CLOCK(ktime_get_ns, WEIR_CLOCK_MONOTONIC)
CLOCK(ktime_get_boot_ns, WEIR_CLOCK_BOOT)
CLOCK(ktime_get_coarse_ns, WEIR_CLOCK_MONOTONIC_COARSE)
CLOCK(ktime_get_tai_ns, WEIR_CLOCK_TAI)
CLOCK(jiffies64, WEIR_CLOCK_JIFFIES)
#undef CLOCK
