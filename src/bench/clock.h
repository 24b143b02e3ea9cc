/* What benchmarks measure with: thread CPU time, medians, and under qemu executed guest
 * instructions. */
#ifndef WEIR_BENCH_CLOCK_H
#define WEIR_BENCH_CLOCK_H

#include "base/types.h"

/* CPU time of this thread in nanoseconds; wall clocks mean nothing on a shared machine. */
u64 clock_cpu_ns(void);
/* Sorts and returns the middle one. */
double bench_median(double *samples, size_t n);
/* Guest instructions executed so far, as qemu_count.c's plugin tells; 0 when it isn't loaded. */
u64 guest_insns(void);

#endif
