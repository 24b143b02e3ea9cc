/* The interpreter alone, on the programs of `weir bench jit`: nanoseconds of thread CPU time for each
 * BPF instruction. bench/layouts links it with the interpreter at many places.
 *
 * usage: bench-interp [ROUNDS [WITHOUT]]     WITHOUT: a program that is left out
 *
 * Programs by turns; prints each program's least of ROUNDS (default 15), since what else runs on a machine only adds, and
 * the loops' geometric mean. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "bench/clock.h"
#include "bench/subject.h"
#include "cpu/cpu.h"

enum { PROGRAMS_MAX = 32 };

static const double sample_ns = 300000;

struct row {
	struct bench_subject subject;
	u32 times; /* of a sample */
	double ns; /* for each instruction; the least so far */
};

static void need(int err, struct diag *d)
{
	if (!err)
		return;
	fprintf(stderr, "bench-interp: %s\n", diag_first(d));
	exit(1);
}

/* Nanoseconds of a run. */
static double sample(struct row *r)
{
	struct bench_way way = {&r->subject, BENCH_INTERP, 0};
	u64 start = clock_cpu_ns();

	bench_way_run(&way, r->times);
	return (double)(clock_cpu_ns() - start) / r->times;
}

static void open_row(struct row *r, const struct bench_program *p, struct cpus *cpus)
{
	struct diag d = {0};

	need(bench_subject_open(&r->subject, p, cpus, false, &d), &d);
	r->times = 1;
	while (sample(r) * r->times < sample_ns)
		r->times *= 2;
	r->ns = INFINITY;
}

static void measure(struct row *rows, u32 n, u32 rounds)
{
	for (u32 round = 0; round < rounds; round++)
		for (u32 i = 0; i < n; i++)
			rows[i].ns = fmin(
				rows[i].ns, sample(&rows[i]) / (double)rows[i].subject.executed);
}

static void print_rows(const struct row *rows, u32 n)
{
	double sum = 0;
	u32 loops = 0;

	for (u32 i = 0; i < n; i++) {
		const struct bench_program *p = rows[i].subject.program;

		printf("%s %.3f\n", p->name, rows[i].ns);
		if (p->is_loop) {
			sum += log(rows[i].ns);
			loops++;
		}
	}
	printf("loops %.3f\n", exp(sum / loops));
}

int main(int argc, char **argv)
{
	static struct row rows[PROGRAMS_MAX];
	u32 rounds = argc > 1 ? (u32)strtoul(argv[1], NULL, 0) : 15, n = 0;
	const struct bench_program *p;
	struct cpus *cpus;
	struct diag d = {0};

	need(cpus_new(1, &cpus, &d), &d);
	need(cpu_take(cpus, 0), &d);
	u8 *before = cpu_enter(cpu_base(cpus, 0));
	for (size_t i = 0; (p = bench_program_at(i)) && n < PROGRAMS_MAX; i++)
		if (argc < 3 || strcmp(p->name, argv[2]) != 0)
			open_row(&rows[n++], p, cpus);
	measure(rows, n, rounds);
	print_rows(rows, n);
	while (n)
		bench_subject_close(&rows[--n].subject);
	cpu_enter(before);
	cpu_release(cpus, 0);
	cpus_free(cpus);
	return 0;
}
