/* weir bench jit: the programs of bench/progs/ as compiled C, as native code of ours, interpreted, and in the kernel. */
#include "cli/bench_jit.h"

#include <errno.h>
#include <string.h>

#include "base/alloc.h"
#include "bench/blob.h"
#include "bench/clock.h"
#include "bench/count.h"
#include "bench/counter.h"
#include "bench/sample.h"
#include "cpu/cpu.h"
#include "map/map.h"

enum { SAMPLE_NS = 250000 };

/* ---- measuring ---- */

/* All ways of one program by turns, and the kernel's empty one, which is to be taken off. */
struct ways {
	struct bench_way way[2 * BENCH_PLACES + 3];
	struct bench_case cases[2 * BENCH_PLACES + 5];
	u32 nr;
};

static void add_way(struct ways *w, struct bench_subject *s, enum bench_engine engine, u32 place)
{
	w->way[w->nr] = (struct bench_way){s, engine, place};
	w->cases[w->nr] = (struct bench_case){.run = bench_way_run, .arg = &w->way[w->nr]};
	w->nr++;
}

static void fill_ways(struct ways *w, struct bench_subject *s)
{
	for (u32 i = 0; i < s->places; i++) {
		add_way(w, s, BENCH_NATIVE, i);
		add_way(w, s, BENCH_JIT, i);
	}
	if (s->plain)
		add_way(w, s, BENCH_PLAIN, 0);
	add_way(w, s, BENCH_INTERP, 0);
	if (s->kernel.program >= 0)
		add_way(w, s, BENCH_KERNEL, 0);
}

/* The middle of the places' medians, and how far the places lie apart. */
static void read_places(struct row *row, const struct ways *w, enum bench_engine engine)
{
	double places[BENCH_PLACES];
	size_t n = 0;

	for (u32 i = 0; i < w->nr; i++)
		if (w->way[i].engine == engine)
			places[n++] = w->cases[i].median;
	if (!n)
		return;
	row->ns[engine] = bench_median(places, n); /* sorts them */
	row->spread[engine] = places[n - 1] / places[0];
}

/* There is a figure of the kernel, or a reason why not. */
static void look_at_kernel(struct row *row, const struct bench_subject *s,
	const struct bench_subject *empty, double empty_ns)
{
	size_t bytes = sizeof(row->kernel_why);

	if (s->kernel.program < 0)
		snprintf(row->kernel_why, bytes, "%s", s->kernel.why);
	else if (empty->kernel.program < 0)
		snprintf(row->kernel_why, bytes, "the empty program doesn't run: %s",
			empty->kernel.why);
	else if (s->program == empty->program)
		snprintf(row->kernel_why, bytes,
			"a run of it takes %.1f ns, which are taken off what the others take",
			empty_ns);
	else if (row->ns[BENCH_KERNEL] <= 0)
		snprintf(row->kernel_why, bytes, "takes no longer than the empty program");
	if (*row->kernel_why)
		row->ns[BENCH_KERNEL] = 0;
}

/* Runs of the empty program are taken off the kernel's, where a run costs much besides; to compare with these, off ours too. */
static int sample_subject(
	struct jit_bench *b, struct row *row, struct bench_subject *s, struct bench_subject *empty)
{
	struct ways w = {0};
	struct bench_way empty_jit = {empty, BENCH_JIT, 0}, empty_kernel = {empty, BENCH_KERNEL, 0};

	fill_ways(&w, s);
	u32 nr = w.nr;
	struct bench_case *jit_case = &w.cases[nr++], *kernel_case = &w.cases[nr];

	*jit_case = (struct bench_case){.run = bench_way_run, .arg = &empty_jit};
	*kernel_case = (struct bench_case){.run = bench_way_run, .arg = &empty_kernel};
	if (s->kernel.program >= 0 && empty->kernel.program >= 0) {
		w.cases[w.nr - 1].less = kernel_case;
		nr++;
	}
	if (bench_sample(w.cases, nr, b->cli->repeats, SAMPLE_NS))
		return -ENOMEM;
	for (int e = 0; e < BENCH_ENGINES; e++)
		read_places(row, &w, (enum bench_engine)e);
	row->empty_ns = jit_case->median;
	look_at_kernel(row, s, empty, kernel_case->median);
	return 0;
}

static int measure_row(
	struct jit_bench *b, struct row *row, struct bench_subject *empty, struct diag *d)
{
	struct bench_subject s;
	int err = bench_subject_open(&s, row->program, b->cpus, true, d);

	if (err)
		return err;
	row->nr_insns = s.code->nr_insns;
	row->native_bytes = s.code->native_bytes;
	row->plain_bytes = s.code->plain_bytes;
	row->jit_bytes = s.jit_bytes;
	row->executed = s.executed;
	err = sample_subject(b, row, &s, empty);
	bench_subject_close(&s);
	return err ? diag_nomem(d) : 0;
}

static bool is_wanted(const struct jit_bench *b, const struct bench_program *p)
{
	return !b->cli->only || !strcmp(b->cli->only, p->name);
}

static void choose_rows(struct jit_bench *b)
{
	const struct bench_program *p;

	for (size_t i = 0; (p = bench_program_at(i)); i++)
		if (is_wanted(b, p))
			b->rows[b->nr_rows++].program = p;
}

static int measure_rows(struct jit_bench *b, struct diag *d)
{
	struct bench_subject empty;
	int err = bench_subject_open(&empty, bench_program_by_name("empty"), b->cpus, true, d);

	if (err)
		return err;
	for (u32 i = 0; !err && i < b->nr_rows; i++)
		err = measure_row(b, &b->rows[i], &empty, d);
	bench_subject_close(&empty);
	return err;
}

struct compiles {
	struct bench_compile compiles[ROWS_MAX];
	struct bench_case cases[ROWS_MAX];
	size_t n;
};

static int add_compile(struct compiles *all, const char *name, bool bytes_only, struct diag *d)
{
	struct bench_compile *c = &all->compiles[all->n];
	int err = bench_compile_open(c, name, d);

	if (err)
		return err;
	c->bytes_only = bytes_only;
	all->cases[all->n++] = (struct bench_case){.run = bench_compile_run,
		.arg = c,
		.after = bench_compile_after,
		.times_max = BENCH_COMPILES_MAX};
	return 0;
}

/* Of the shortest program, and the slope over it that fits all others best. */
static struct compile_cost fit_compiles(const struct compiles *all)
{
	double fixed = all->cases[0].median, product = 0, square = 0;

	for (size_t i = 2; i < all->n; i++) {
		double insns = all->compiles[i].nr_insns;

		product += insns * (all->cases[i].median - fixed);
		square += insns * insns;
	}
	return (struct compile_cost){fixed / 1000, all->cases[1].median / 1000, product / square};
}

static int measure_compiling(struct jit_bench *b, struct diag *d)
{
	struct compiles *all = mem_zalloc(sizeof(*all));
	int err = all ? 0 : diag_nomem(d);

	if (err)
		return err;
	err = add_compile(all, "empty", false, d);
	if (!err)
		err = add_compile(all, "empty", true, d);
	for (size_t i = 0; !err && i < bench_nr_codes; i++)
		err = add_compile(all, bench_codes[i].name, false, d);
	if (!err && bench_sample(all->cases, all->n, b->cli->repeats, SAMPLE_NS))
		err = diag_nomem(d);
	if (!err)
		b->compile = fit_compiles(all);
	for (size_t i = 0; i < all->n; i++)
		bench_compile_close(&all->compiles[i]);
	mem_free(all);
	return err;
}

/* A loop of lookups, less the loop without. */
static int measure_lookups(struct jit_bench *b, struct diag *d)
{
	static const u32 types[] = {0, MAP_TYPE_ARRAY, MAP_TYPE_PERCPU_ARRAY};
	struct bench_increment programs[ARRAY_LEN(types)] = {0};
	struct bench_runner runners[ARRAY_LEN(types)];
	struct bench_case cases[ARRAY_LEN(types)];
	int err = 0;

	for (size_t i = 0; !err && i < ARRAY_LEN(types); i++) {
		err = bench_lookup_open(&programs[i], types[i], b->cpus, d);
		runners[i] = (struct bench_runner){
			.program = &programs[i], .self = cpu_base(b->cpus, 0)};
		cases[i] = (struct bench_case){.run = bench_runner_run, .arg = &runners[i]};
	}
	if (!err && bench_sample(cases, ARRAY_LEN(types), b->cli->repeats, SAMPLE_NS))
		err = diag_nomem(d);
	if (!err)
		b->lookups = (struct lookup_cost){
			(cases[1].median - cases[0].median) / (double)BENCH_LOOKUPS,
			(cases[2].median - cases[0].median) / (double)BENCH_LOOKUPS};
	for (size_t i = 0; i < ARRAY_LEN(types); i++)
		bench_increment_close(&programs[i]);
	return err;
}

/* ---- counting ---- */

/* What a child under qemu prints for a program: read_counts reads it. */
static int print_counts(
	struct jit_bench *b, const struct bench_program *p, double around, struct diag *d)
{
	struct bench_subject s;
	int err = bench_subject_open(&s, p, b->cpus, false, d);

	if (err)
		return err;
	struct bench_way native = {&s, BENCH_NATIVE, 0}, jit = {&s, BENCH_JIT, 0},
			 interp = {&s, BENCH_INTERP, 0};

	printf("count %s %s %.0f %.0f %.0f\n", bench_arch(), p->name,
		bench_count(bench_way_run, &native) - around,
		bench_count(bench_way_run, &jit) - around,
		bench_count(bench_way_run, &interp) - around);
	fflush(stdout);
	bench_subject_close(&s);
	return 0;
}

static int print_all_counts(struct jit_bench *b, struct diag *d)
{
	struct bench_blob *just_return = bench_blob_return();
	const struct bench_program *p;
	int err = 0;

	if (!just_return)
		return diag_nomem(d);
	double around = bench_count(bench_return_run, just_return) - 1;

	for (size_t i = 0; !err && (p = bench_program_at(i)); i++)
		if (is_wanted(b, p))
			err = print_counts(b, p, around, d);
	bench_blob_free(just_return);
	return err;
}

static bool read_counts(void *arg, const char *text)
{
	struct jit_bench *b = arg;
	char arch[16], name[32];
	struct counts c = {.known = true};

	if (sscanf(text, "count %15s %31s %lf %lf %lf", arch, name, &c.native, &c.jit, &c.interp) !=
			5 ||
		bench_arch_of(arch) < 0)
		return false;
	for (u32 i = 0; i < b->nr_rows; i++)
		if (!strcmp(name, b->rows[i].program->name))
			b->rows[i].counts[bench_arch_of(arch)] = c;
	return true;
}

/* ---- the command ---- */

static int list_programs(void)
{
	const struct bench_program *p;

	for (size_t i = 0; (p = bench_program_at(i)); i++)
		printf("%-10s %s\n", p->name, p->what);
	return EXIT_OK;
}

static int measure(struct jit_bench *b, struct diag *d)
{
	if (b->cli->counts)
		return print_all_counts(b, d);
	choose_rows(b);
	/* First, since a wrong command should be known before all the rest is measured. */
	int err = bench_ask_qemu(b->cli, "jit", read_counts, b, d);
	if (!err)
		err = measure_rows(b, d);
	if (!err && !b->cli->only)
		err = measure_compiling(b, d);
	if (!err && !b->cli->only)
		err = measure_lookups(b, d);
	return err;
}

static int run_on_slot(struct jit_bench *b, struct diag *d)
{
	int err = cpus_new(1, &b->cpus, d);

	if (err)
		return err;
	err = cpu_take(b->cpus, 0);
	if (!err) {
		u8 *before = cpu_enter(cpu_base(b->cpus, 0));

		err = measure(b, d);
		cpu_enter(before);
		cpu_release(b->cpus, 0);
	}
	cpus_free(b->cpus);
	return err;
}

int bench_jit(const struct bench_cli *c)
{
	struct jit_bench *b = mem_zalloc(sizeof(*b));
	struct diag d = {0};

	if (!b)
		return out_of_memory();
	if (c->list || (c->only && !bench_program_by_name(c->only))) {
		mem_free(b);
		if (c->list)
			return list_programs();
		complain("there is no program '%s': see --list", c->only);
		return EXIT_USAGE;
	}
	b->cli = c;
	int err = run_on_slot(b, &d);
	report(&d);
	int code = err ? exit_code_of(err) : EXIT_OK;
	if (!err && !c->counts)
		code = bench_jit_print(b);
	diag_fini(&d);
	mem_free(b);
	return code;
}
