/* weir's maps beside the kernel's and liburcu's hash table, in one run: the same random keys, all of which are there. weir and
 * the kernel run the same BPF program; liburcu's table is called from C.
 *
 * usage: bench-beside [ROUNDS [TEXT]]     TEXT: only subjects whose name contains it
 *
 * Prints nanoseconds of CPU time per operation and thread, engines interleaved, median of ROUNDS (default 11), and how long
 * weir takes compared with the better of the others. Needs root for the kernel's part. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "beside.h"
#include "bench/clock.h"

enum { ROUNDS_MAX = 101, NR_ENGINES = 3, ROUND_NS = 4000000 };

static const struct engine *const engines[NR_ENGINES] = {
	&engine_weir, &engine_kernel, &engine_urcu};

static const struct subject subjects[] = {
	{"hash, 4-byte keys, 1K", WEIR_MAP_HASH, 4, 1 << 10},
	{"hash, 8-byte keys, 64K", WEIR_MAP_HASH, 8, 1 << 16},
	{"hash, 16-byte keys, 64K", WEIR_MAP_HASH, 16, 1 << 16},
	{"hash, 4-byte keys, 1M", WEIR_MAP_HASH, 4, 1 << 20},
	{"LRU hash, 4-byte keys, 1K", WEIR_MAP_LRU_HASH, 4, 1 << 10},
	{"per-CPU hash, 4-byte keys, 1K", WEIR_MAP_PERCPU_HASH, 4, 1 << 10},
	{"per-CPU hash, 8-byte keys, 64K", WEIR_MAP_PERCPU_HASH, 8, 1 << 16},
	{"array, 1K", WEIR_MAP_ARRAY, 4, 1 << 10},
	{"per-CPU array, 1K", WEIR_MAP_PERCPU_ARRAY, 4, 1 << 10},
};

struct worker {
	pthread_t thread;
	pthread_barrier_t *start;
	const struct engine *engine;
	void *table;
	unsigned number;
	uint32_t batches;
	uint64_t ns;
};

static void *work(void *arg)
{
	struct worker *w = arg;

	pthread_barrier_wait(w->start);
	w->ns = clock_cpu_ns();
	w->engine->run(w->table, w->number, w->batches);
	w->ns = clock_cpu_ns() - w->ns;
	return NULL;
}

/* Nanoseconds per operation and thread. */
static double measure(const struct engine *engine, void *table, unsigned threads, uint32_t batches)
{
	struct worker workers[THREADS_MAX];
	pthread_barrier_t start;
	double ns = 0;

	pthread_barrier_init(&start, NULL, threads);
	for (unsigned i = 0; i < threads; i++) {
		workers[i] = (struct worker){.start = &start,
			.engine = engine,
			.table = table,
			.number = i,
			.batches = batches};
		if (pthread_create(&workers[i].thread, NULL, work, &workers[i]))
			exit(1);
	}
	for (unsigned i = 0; i < threads; i++) {
		pthread_join(workers[i].thread, NULL);
		ns += (double)workers[i].ns;
	}
	pthread_barrier_destroy(&start);
	return ns / threads / batches / (double)BATCH;
}

/* So many that a round takes its time, and what a call costs besides hardly counts. */
static uint32_t batches_for(const struct engine *engine, void *table)
{
	uint32_t batches = 8;

	while (measure(engine, table, 1, batches) * (double)BATCH * batches < (double)ROUND_NS)
		batches *= 2;
	return batches;
}

static void print_row(const struct subject *s, enum op op, unsigned threads, const double *ns)
{
	double best = 0;

	printf("%-31s %-6s %7u", s->name, op == LOOKUP ? "lookup" : "update", threads);
	for (size_t e = 0; e < NR_ENGINES; e++) {
		if (ns[e] > 0)
			printf(" %9.1f", ns[e]);
		else
			printf(" %9s", "-");
		if (e && ns[e] > 0 && (best <= 0 || ns[e] < best))
			best = ns[e];
	}
	if (best > 0)
		printf(" %9.2f", ns[0] / best);
	printf("\n");
	fflush(stdout);
}

static void compare(const struct subject *s, enum op op, size_t rounds)
{
	static double samples[THREADS_MAX][NR_ENGINES][ROUNDS_MAX];
	void *tables[NR_ENGINES];
	uint32_t batches[NR_ENGINES];

	for (size_t e = 0; e < NR_ENGINES; e++) {
		tables[e] = engines[e]->open(s, op);
		batches[e] = tables[e] ? batches_for(engines[e], tables[e]) : 0;
	}
	for (size_t r = 0; r < rounds; r++)
		for (size_t e = 0; e < NR_ENGINES; e++)
			for (unsigned t = 0; tables[e] && t < THREADS_MAX; t++)
				samples[t][e][r] =
					measure(engines[e], tables[e], t + 1, batches[e]);
	for (unsigned t = 0; t < THREADS_MAX; t++) {
		double ns[NR_ENGINES] = {0};

		for (size_t e = 0; e < NR_ENGINES; e++)
			if (tables[e])
				ns[e] = bench_median(samples[t][e], rounds);
		print_row(s, op, t + 1, ns);
	}
	for (size_t e = 0; e < NR_ENGINES; e++)
		if (tables[e])
			engines[e]->close(tables[e]);
}

int main(int argc, char **argv)
{
	size_t rounds = argc > 1 ? strtoul(argv[1], NULL, 0) : 11;

	if (rounds < 1 || rounds > ROUNDS_MAX) {
		fprintf(stderr, "bench-beside: 1 to %d rounds\n", ROUNDS_MAX);
		return 1;
	}
	printf("%-31s %-6s %7s", "ns per operation", "", "threads");
	for (size_t e = 0; e < NR_ENGINES; e++)
		printf(" %9s", engines[e]->name);
	printf(" %9s\n", "weir/best");
	for (size_t i = 0; i < sizeof(subjects) / sizeof(subjects[0]); i++) {
		if (argc > 2 && !strstr(subjects[i].name, argv[2]))
			continue;
		compare(&subjects[i], LOOKUP, rounds);
		compare(&subjects[i], UPDATE, rounds);
	}
	return 0;
}
