/* Samples of thread CPU time, of several things by turns. */
#ifndef WEIR_BENCH_SAMPLE_H
#define WEIR_BENCH_SAMPLE_H

#include "base/types.h"

enum { BENCH_REPEATS_MAX = 1001 };

struct bench_case {
	/* Does the thing `times` times. */
	void (*run)(void *arg, u32 times);
	void *arg;
	void (*after)(void *arg); /* what isn't measured; NULL: nothing */
	u32 times_max; /* 0: as many as it takes */
	const struct bench_case *less; /* whose sample of the same turn is taken off; NULL: nothing */
	/* What came out: nanoseconds for one time. */
	double median, mean, deviation, least, most;
	u32 times; /* of one sample */
	double *samples;
};

/* Takes `repeats` samples of each case, all cases by turns, each for about `sample_ns`. 0 or -ENOMEM. */
int bench_sample(struct bench_case *cases, size_t n, u32 repeats, u64 sample_ns);

#endif
