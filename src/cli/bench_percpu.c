/* weir bench percpu: the classic per-CPU counters in all forms, with one and two threads, and where their time goes. */
#include "cli/bench_percpu.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "bench/blob.h"
#include "bench/clock.h"
#include "bench/count.h"
#include "bench/sample.h"
#include "cpu/cpu.h"
#include "map/callable.h"

enum { SAMPLE_NS = 1000000 };

static bool is_wanted(const struct percpu_bench *b, u32 which)
{
	return !b->cli->only || !strcmp(b->cli->only, bench_counter_at(which)->name);
}

/* ---- rates ---- */

struct worker {
	pthread_t thread;
	pthread_barrier_t *start;
	struct cpus *cpus;
	u32 slot;
	struct bench_runner runner;
	u32 times;
	u64 ns;
};

static void *work(void *arg)
{
	struct worker *w = arg;

	cpu_take(w->cpus, w->slot);
	w->runner.self = cpu_base(w->cpus, w->slot);
	u8 *before = cpu_enter(w->runner.self);
	bench_runner_run(&w->runner, 1);
	pthread_barrier_wait(w->start);
	w->ns = clock_cpu_ns();
	bench_runner_run(&w->runner, w->times);
	w->ns = clock_cpu_ns() - w->ns;
	cpu_enter(before);
	cpu_release(w->cpus, w->slot);
	return NULL;
}

/* CPU nanoseconds for one run, the mean of all threads; < 0: no thread could be had. */
static double run_threads(
	struct cpus *cpus, const struct bench_runner *runner, u32 threads, u32 times)
{
	struct worker workers[BENCH_THREADS_MAX];
	pthread_barrier_t start;
	double ns = 0;
	u32 started = 0;
	int err = 0;

	pthread_barrier_init(&start, NULL, threads);
	for (; started < threads; started++) {
		struct worker *w = &workers[started];

		*w = (struct worker){.start = &start,
			.cpus = cpus,
			.slot = started,
			.runner = *runner,
			.times = times};
		err = pthread_create(&w->thread, NULL, work, w);
		if (err)
			break;
	}
	if (err) {
		complain("thread %u can't be started: %s", started, thread_error_text(err));
		exit(EXIT_SYSTEM); /* the others wait for it */
	}
	for (u32 i = 0; i < threads; i++) {
		pthread_join(workers[i].thread, NULL);
		ns += (double)workers[i].ns;
	}
	pthread_barrier_destroy(&start);
	return ns / threads / times;
}

/* One counter in all its forms, by turns. */
struct contest {
	const struct bench_counter *counter;
	struct bench_increment ours[BENCH_FORMS];
	struct bench_kernel kernel, empty;
	char why[200]; /* the kernel takes no part */
	struct bench_runner runners[WAYS];
	bool takes_part[WAYS];
	u32 times[WAYS];
	u64 runs[BENCH_FORMS];
	double *samples[WAYS][BENCH_THREADS_MAX];
};

/* False: c->why says why not. */
static bool open_kernel(struct contest *c, const struct bench_counter *counter)
{
	if (!bench_increment_kernel(&c->kernel, counter)) {
		snprintf(c->why, sizeof(c->why), "%s", c->kernel.why);
		return false;
	}
	if (bench_increment_kernel(&c->empty, NULL))
		return true;
	snprintf(c->why, sizeof(c->why), "the empty program doesn't run: %s", c->empty.why);
	return false;
}

static int open_contest(
	struct contest *c, const struct bench_counter *counter, struct cpus *cpus, struct diag *d)
{
	int err = 0;

	*c = (struct contest){.counter = counter,
		.kernel = {.map = -1, .program = -1},
		.empty = {.map = -1, .program = -1}};
	for (int f = 0; !err && f < BENCH_FORMS; f++) {
		if (!bench_has_form(counter, (enum bench_form)f))
			continue;
		err = bench_increment_open(
			&c->ours[f], counter, (enum bench_form)f, BENCH_INCREMENT, cpus, d);
		c->runners[f].program = &c->ours[f];
		c->takes_part[f] = true;
	}
	c->takes_part[WAY_C] = true;
	if (!err && open_kernel(c, counter)) {
		c->runners[WAY_KERNEL].kernel = &c->kernel;
		c->runners[WAY_EMPTY].kernel = &c->empty;
		c->takes_part[WAY_KERNEL] = c->takes_part[WAY_EMPTY] = true;
	}
	return err;
}

static void close_contest(struct contest *c)
{
	for (int f = 0; f < BENCH_FORMS; f++)
		bench_increment_close(&c->ours[f]);
	bench_kernel_close(&c->kernel);
	bench_kernel_close(&c->empty);
}

static double sample(struct percpu_bench *b, struct contest *c, int way, u32 threads)
{
	double ns = run_threads(b->cpus, &c->runners[way], threads, c->times[way]);

	if (way < BENCH_FORMS)
		c->runs[way] += threads * (u64)(c->times[way] + 1);
	return ns;
}

static void choose_times(struct percpu_bench *b, struct contest *c, int way)
{
	c->times[way] = 1024;
	while (sample(b, c, way, 1) * c->times[way] < (double)SAMPLE_NS && c->times[way] < 1u << 24)
		c->times[way] *= 2;
}

/* For the kernel an empty run is taken off before, and what is left is so many increments. */
static struct rate rate_of(const double *ns, u32 n, u32 threads, double off, u32 copies)
{
	struct rate r = {.known = true};
	double squares = 0;

	for (u32 i = 0; i < n; i++)
		r.mean += threads * copies * 1000 / fmax(ns[i] - off, 0.1) / n;
	for (u32 i = 0; i < n; i++)
		squares += pow(threads * copies * 1000 / fmax(ns[i] - off, 0.1) - r.mean, 2);
	r.deviation = sqrt(squares / (n - 1));
	return r;
}

static void conclude(struct percpu_bench *b, const struct contest *c, u32 which, u32 repeats)
{
	for (u32 t = 0; t < BENCH_THREADS_MAX; t++) {
		double empty = c->takes_part[WAY_EMPTY]
				       ? bench_median(c->samples[WAY_EMPTY][t], repeats)
				       : 0;

		if (!t)
			b->kernel_empty_ns = empty;
		for (int w = 0; w < WAY_EMPTY; w++)
			if (c->takes_part[w])
				b->rates[which][w][t] = rate_of(c->samples[w][t], repeats, t + 1,
					w == WAY_KERNEL ? empty : 0,
					w == WAY_KERNEL ? BENCH_KERNEL_COPIES : 1);
	}
}

static int check_counts(const struct contest *c, struct diag *d)
{
	for (int f = 0; f < BENCH_FORMS; f++)
		if (c->takes_part[f] && !bench_increment_is(&c->ours[f], c->counter, c->runs[f]))
			return diag_fail(d, pos_none(), EPROTO,
				"%s, %s: the counter isn't what it must be", c->counter->name,
				bench_form_names[f]);
	return 0;
}

static int hold_contest(struct percpu_bench *b, struct contest *c, u32 which, struct diag *d)
{
	u32 repeats = b->cli->repeats;
	double *samples =
		mem_alloc(array_size((size_t)WAYS * BENCH_THREADS_MAX * repeats, sizeof(*samples)));

	if (!samples)
		return diag_nomem(d);
	for (int w = 0; w < WAYS; w++) {
		for (u32 t = 0; t < BENCH_THREADS_MAX; t++)
			c->samples[w][t] = samples + ((u32)w * BENCH_THREADS_MAX + t) * repeats;
		if (c->takes_part[w])
			choose_times(b, c, w);
	}
	for (u32 r = 0; r < repeats; r++)
		for (int w = 0; w < WAYS; w++)
			for (u32 t = 0; c->takes_part[w] && t < BENCH_THREADS_MAX; t++)
				c->samples[w][t][r] = sample(b, c, w, t + 1);
	conclude(b, c, which, repeats);
	mem_free(samples);
	return check_counts(c, d);
}

static int measure_rates(struct percpu_bench *b, u32 which, struct diag *d)
{
	struct contest c;
	int err = open_contest(&c, bench_counter_at(which), b->cpus, d);

	if (!err)
		err = hold_contest(b, &c, which, d);
	memcpy(b->kernel_why[which], c.why, sizeof(c.why));
	close_contest(&c);
	return err;
}

/* ---- where the time goes ---- */

struct stages {
	struct bench_increment programs[BENCH_STAGES];
	struct bench_runner runners[BENCH_STAGES];
};

static void close_stages(struct stages *s)
{
	for (int i = 0; i < BENCH_STAGES; i++)
		bench_increment_close(&s->programs[i]);
}

static int open_stages(
	struct percpu_bench *b, struct stages *s, u32 which, enum bench_form form, struct diag *d)
{
	int err = 0;

	*s = (struct stages){0};
	for (int i = 0; !err && i < BENCH_STAGES; i++) {
		err = bench_increment_open(&s->programs[i], bench_counter_at(which), form,
			(enum bench_stage)i, b->cpus, d);
		s->runners[i] = (struct bench_runner){
			.program = &s->programs[i], .self = cpu_base(b->cpus, 0)};
	}
	if (err)
		close_stages(s);
	return err;
}

static int measure_parts(struct percpu_bench *b, u32 which, enum bench_form form, struct diag *d)
{
	struct bench_case cases[BENCH_STAGES];
	struct stages s;
	int err = open_stages(b, &s, which, form, d);

	if (err)
		return err;
	for (int i = 0; i < BENCH_STAGES; i++)
		cases[i] = (struct bench_case){.run = bench_runner_run, .arg = &s.runners[i]};
	if (bench_sample(cases, BENCH_STAGES, b->cli->repeats, SAMPLE_NS / 4))
		err = diag_nomem(d);
	for (int i = 0; !err && i < BENCH_STAGES; i++)
		b->parts[which][form].ns[i] = cases[i].median;
	close_stages(&s);
	return err;
}

/* ---- counting, and what a child under qemu prints ---- */

static int print_parts(struct percpu_bench *b, u32 which, enum bench_form form, struct diag *d)
{
	struct stages s;
	int err = open_stages(b, &s, which, form, d);

	if (err)
		return err;
	printf("parts %s %u %d", bench_arch(), which, (int)form);
	for (int i = 0; i < BENCH_STAGES; i++)
		printf(" %.0f", bench_count(bench_runner_run, &s.runners[i]));
	printf("\n");
	close_stages(&s);
	return 0;
}

/* The program alone, without what calls it: `around` is what a function that only returns costs, less its return. */
static int print_body(struct percpu_bench *b, u32 which, double around, struct diag *d)
{
	struct bench_increment i;
	int err = bench_increment_open(
		&i, bench_body_at(which), BENCH_PINNED, BENCH_INCREMENT, b->cpus, d);

	if (err)
		return err;
	struct bench_entry entry = {loaded_callable(i.loaded)->entry, cpu_base(b->cpus, 0)};
	double total = bench_count(bench_entry_run, &entry) - around;
	printf("body %s %u %.0f %u\n", bench_arch(), which, total, i.frame_insns);
	bench_increment_close(&i);
	return 0;
}

static int print_counts(struct percpu_bench *b, struct diag *d)
{
	struct bench_blob *just_return = bench_blob_return();
	int err = 0;

	if (!just_return)
		return diag_nomem(d);
	struct bench_entry entry = {bench_blob_entry(just_return), NULL};
	double around = bench_count(bench_entry_run, &entry) - 1;
	for (u32 i = 0; !err && i < BODIES; i++)
		err = print_body(b, i, around, d);
	for (u32 i = 0; i < COUNTERS; i++)
		for (int f = 0; !err && f < BENCH_FORMS; f++)
			if (is_wanted(b, i) &&
				bench_has_form(bench_counter_at(i), (enum bench_form)f))
				err = print_parts(b, i, (enum bench_form)f, d);
	bench_blob_free(just_return);
	fflush(stdout);
	return err;
}

static bool read_counts(void *arg, const char *text)
{
	struct percpu_bench *b = arg;
	char arch[16];
	unsigned which, form, frame;
	double n[BENCH_STAGES];

	if (sscanf(text, "body %15s %u %lf %u", arch, &which, &n[0], &frame) == 4 &&
		which < BODIES && bench_arch_of(arch) >= 0) {
		if (bench_arch_of(arch) == ARM64) {
			b->totals[which] = n[0];
			b->bodies[which] = n[0] - frame;
		}
		return true;
	}
	if (sscanf(text, "parts %15s %u %u %lf %lf %lf %lf", arch, &which, &form, &n[0], &n[1],
		    &n[2], &n[3]) != 7 ||
		which >= COUNTERS || form >= BENCH_FORMS || bench_arch_of(arch) < 0)
		return false;
	memcpy(b->parts[which][form].insns[bench_arch_of(arch)], n, sizeof(n));
	return true;
}

/* ---- the command ---- */

static int measure_all(struct percpu_bench *b, struct diag *d)
{
	int err = 0;

	for (u32 i = 0; !err && i < COUNTERS; i++)
		err = is_wanted(b, i) ? measure_rates(b, i, d) : 0;
	return err;
}

static int on_slot(struct percpu_bench *b, struct diag *d)
{
	int err = cpu_take(b->cpus, 0);

	if (err)
		return err;
	u8 *before = cpu_enter(cpu_base(b->cpus, 0));
	if (b->cli->counts)
		err = print_counts(b, d);
	for (u32 i = 0; !b->cli->counts && i < COUNTERS; i++)
		for (int f = 0; !err && f < BENCH_FORMS; f++)
			if (is_wanted(b, i) &&
				bench_has_form(bench_counter_at(i), (enum bench_form)f))
				err = measure_parts(b, i, (enum bench_form)f, d);
	cpu_enter(before);
	cpu_release(b->cpus, 0);
	return err;
}

static int measure(struct percpu_bench *b, struct diag *d)
{
	int err = cpus_new(BENCH_THREADS_MAX, &b->cpus, d);

	if (err)
		return err;
	/* First, since a wrong command should be known before all the rest is measured. */
	if (!b->cli->counts)
		err = bench_ask_qemu(b->cli, "percpu", read_counts, b, d);
	if (!err && !b->cli->counts)
		err = measure_all(b, d);
	if (!err)
		err = on_slot(b, d);
	cpus_free(b->cpus);
	return err;
}

static int list_counters(void)
{
	const struct bench_counter *c;

	for (size_t i = 0; (c = bench_counter_at(i)); i++)
		puts(c->name);
	return EXIT_OK;
}

static bool is_counter(const char *name)
{
	const struct bench_counter *c;

	for (size_t i = 0; (c = bench_counter_at(i)); i++)
		if (!strcmp(c->name, name))
			return true;
	return false;
}

int bench_percpu(const struct bench_cli *c)
{
	struct percpu_bench *b = mem_zalloc(sizeof(*b));
	struct diag d = {0};

	if (!b)
		return out_of_memory();
	if (c->list || (c->only && !is_counter(c->only))) {
		mem_free(b);
		if (c->list)
			return list_counters();
		complain("there is no counter '%s': see --list", c->only);
		return EXIT_USAGE;
	}
	b->cli = c;
	int err = measure(b, &d);
	report(&d);
	int code = err ? exit_code_of(err) : EXIT_OK;
	if (!err && !c->counts)
		code = bench_percpu_print(b);
	diag_fini(&d);
	mem_free(b);
	return code;
}
