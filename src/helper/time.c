/* Clocks, in nanoseconds. */
#include <time.h>

#include "helper/functions.h"

static u64 clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (u64)now.tv_sec * 1000000000u + (u64)now.tv_nsec;
}

/* Since boot, without the time that the machine slept. */
u64 helper_ktime_get_ns(u64 r1 UNUSED_ARG, u64 r2 UNUSED_ARG, u64 r3 UNUSED_ARG, u64 r4 UNUSED_ARG,
	u64 r5 UNUSED_ARG)
{
	return clock_ns(CLOCK_MONOTONIC);
}

/* Since boot. */
u64 helper_ktime_get_boot_ns(u64 r1 UNUSED_ARG, u64 r2 UNUSED_ARG, u64 r3 UNUSED_ARG,
	u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG)
{
	return clock_ns(CLOCK_BOOTTIME);
}
