/* What `weir bench jit` has measured: bench_jit.c fills it, bench_jit_print.c makes tables of it. */
#ifndef WEIR_CLI_BENCH_JIT_H
#define WEIR_CLI_BENCH_JIT_H

#include "bench/subject.h"
#include "cli/bench_cli.h"

enum { ROWS_MAX = 32 };

/* Executed instructions of one run. */
struct counts {
	bool known;
	double native, jit, interp;
};

struct row {
	const struct bench_program *program;
	u32 nr_insns, native_bytes, plain_bytes, jit_bytes;
	u64 executed;
	double ns[BENCH_ENGINES];     /* 0: not measured */
	double spread[BENCH_ENGINES]; /* slowest place / fastest */
	double empty_ns; /* our code of the empty program, in the same turns */
	char kernel_why[200]; /* there is no time of it */
	struct counts counts[ARCHS];
};

struct compile_cost {
	double fixed_us, bytes_us /* without executable memory */, insn_ns;
};

/* Inlined lookups, the loop around them left out; 0: not measured. */
struct lookup_cost {
	double array_ns, percpu_ns;
};

struct jit_bench {
	const struct bench_cli *cli;
	struct cpus *cpus;
	struct row rows[ROWS_MAX];
	u32 nr_rows;
	struct compile_cost compile;
	struct lookup_cost lookups;
};

/* Everything, as text or JSON, to standard output: an exit code. */
int bench_jit_print(struct jit_bench *b);

#endif
