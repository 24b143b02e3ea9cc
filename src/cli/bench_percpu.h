/* What `weir bench percpu` has measured: bench_percpu.c fills it, bench_percpu_print.c makes tables of it. */
#ifndef WEIR_CLI_BENCH_PERCPU_H
#define WEIR_CLI_BENCH_PERCPU_H

#include "bench/counter.h"
#include "cli/bench_cli.h"

enum {
	COUNTERS = 5,
	BODIES = 8,
	/* ways of one counter: our forms, C, the kernel, and the kernel's empty program */
	WAY_C = BENCH_FORMS,
	WAY_KERNEL,
	WAY_EMPTY,
	WAYS,
};

/* Millions in a second. */
struct rate {
	bool known;
	double mean, deviation;
};

/* Of one form of one counter, each stage with all before it; 0: not known. */
struct parts {
	double ns[BENCH_STAGES];
	double insns[ARCHS][BENCH_STAGES];
};

struct percpu_bench {
	const struct bench_cli *cli;
	struct cpus *cpus;
	struct rate rates[COUNTERS][WAYS][BENCH_THREADS_MAX];
	double kernel_empty_ns; /* an empty run there, which its rates are without; 0: not measured */
	char kernel_why[COUNTERS][200]; /* there are no rates of it */
	struct parts parts[COUNTERS][BENCH_FORMS];
	/* arm64: executed instructions, 0: not known; those between prologue and epilogue, and all */
	double bodies[BODIES], totals[BODIES];
};

/* Everything, as text or JSON, to standard output: an exit code. */
int bench_percpu_print(const struct percpu_bench *b);

#endif
