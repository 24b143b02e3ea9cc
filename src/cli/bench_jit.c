/* weir bench jit: the programs of bench/progs/ as compiled C, as native code of ours, interpreted, and in the kernel. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "bench/blob.h"
#include "bench/clock.h"
#include "bench/count.h"
#include "bench/sample.h"
#include "bench/subject.h"
#include "cli/bench_cli.h"
#include "cpu/cpu.h"

enum { ROWS_MAX = 32, SAMPLE_NS = 250000, CALLS = 64 /* of the programs calls and helper */ };
enum arch { X86_64, ARM64, ARCHS };
static const char *const arch_names[ARCHS] = {"x86_64", "arm64"};

/* Executed instructions of one run. */
struct counts {
	bool known;
	double native, jit, interp;
};

struct row {
	const struct bench_program *program;
	u32 nr_insns, native_bytes, jit_bytes;
	u64 executed;
	double ns[BENCH_ENGINES];     /* 0: not measured */
	double spread[BENCH_ENGINES]; /* slowest place / fastest */
	char kernel_why[160];
	struct counts counts[ARCHS];
};

struct compile_cost {
	double fixed_us, insn_ns;
};

struct jit_bench {
	const struct bench_cli *cli;
	struct cpus *cpus;
	struct row rows[ROWS_MAX];
	u32 nr_rows;
	struct compile_cost compile;
};

/* ---- measuring ---- */

/* All ways of one program by turns, and the kernel's empty one, which is to be taken off. */
struct ways {
	struct bench_way way[2 * BENCH_PLACES + 2];
	struct bench_case cases[2 * BENCH_PLACES + 3];
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
	for (u32 i = 0; i < BENCH_PLACES; i++) {
		add_way(w, s, BENCH_NATIVE, i);
		add_way(w, s, BENCH_JIT, i);
	}
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

static int sample_subject(
	struct jit_bench *b, struct row *row, struct bench_subject *s, struct bench_subject *empty)
{
	struct ways w = {0};
	struct bench_way empty_way = {empty, BENCH_KERNEL, 0};

	fill_ways(&w, s);
	w.cases[w.nr] = (struct bench_case){.run = bench_way_run, .arg = &empty_way};
	u32 nr = w.nr + (s->kernel.program >= 0 && empty->kernel.program >= 0);
	int err = bench_sample(w.cases, nr, b->cli->repeats, SAMPLE_NS);
	if (err)
		return err;
	for (int e = 0; e < BENCH_ENGINES; e++)
		read_places(row, &w, (enum bench_engine)e);
	if (s->program == empty->program)
		row->ns[BENCH_KERNEL] = 0;
	else if (nr > w.nr)
		row->ns[BENCH_KERNEL] -= w.cases[w.nr].median;
	return 0;
}

static int measure_row(struct jit_bench *b, const struct bench_program *p,
	struct bench_subject *empty, struct diag *d)
{
	struct row *row = &b->rows[b->nr_rows];
	struct bench_subject s;
	int err = bench_subject_open(&s, p, b->cpus, true, d);

	if (err)
		return err;
	*row = (struct row){.program = p,
		.nr_insns = s.code->nr_insns,
		.native_bytes = s.code->native_bytes,
		.jit_bytes = s.jit_bytes,
		.executed = s.executed};
	snprintf(row->kernel_why, sizeof(row->kernel_why), "%s", s.kernel.why);
	err = sample_subject(b, row, &s, empty);
	bench_subject_close(&s);
	if (err)
		return diag_nomem(d);
	b->nr_rows++;
	return 0;
}

static bool is_wanted(const struct jit_bench *b, const struct bench_program *p)
{
	return !b->cli->only || !strcmp(b->cli->only, p->name);
}

static int measure_rows(struct jit_bench *b, struct diag *d)
{
	const struct bench_program *p;
	struct bench_subject empty;
	int err = bench_subject_open(&empty, bench_program_by_name("empty"), b->cpus, true, d);

	if (err)
		return err;
	for (size_t i = 0; !err && (p = bench_program_at(i)); i++)
		if (is_wanted(b, p))
			err = measure_row(b, p, &empty, d);
	bench_subject_close(&empty);
	return err;
}

/* Of the shortest program, and the slope over it that fits all others best. */
static int measure_compiling(struct jit_bench *b, struct diag *d)
{
	struct bench_compile compiles[ROWS_MAX];
	struct bench_case cases[ROWS_MAX];
	double product = 0, square = 0, fixed = 0;
	size_t n = 0;
	int err = 0;

	for (; !err && n < bench_nr_codes; n++) {
		err = bench_compile_open(&compiles[n], bench_codes[n].name, d);
		cases[n] = (struct bench_case){.run = bench_compile_run, .arg = &compiles[n]};
	}
	if (!err && bench_sample(cases, n, b->cli->repeats, SAMPLE_NS))
		err = diag_nomem(d);
	for (size_t i = 0; !err && i < n; i++)
		if (!strcmp(bench_codes[i].name, "empty"))
			fixed = cases[i].median;
	for (size_t i = 0; !err && i < n; i++) {
		product += compiles[i].nr_insns * (cases[i].median - fixed);
		square += (double)compiles[i].nr_insns * compiles[i].nr_insns;
	}
	for (size_t i = 0; i < n; i++)
		bench_compile_close(&compiles[i]);
	b->compile = (struct compile_cost){fixed / 1000, product / square};
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

static void read_counts(void *arg, const char *text)
{
	struct jit_bench *b = arg;
	char arch[16], name[32];
	struct counts c = {.known = true};

	if (sscanf(text, "count %15s %31s %lf %lf %lf", arch, name, &c.native, &c.jit, &c.interp) !=
		5)
		return;
	for (u32 i = 0; i < b->nr_rows; i++)
		for (int a = 0; a < ARCHS; a++)
			if (!strcmp(name, b->rows[i].program->name) && !strcmp(arch, arch_names[a]))
				b->rows[i].counts[a] = c;
}

/* ---- the programs' table ---- */

static double ratio(const struct row *r, enum bench_engine of, enum bench_engine to)
{
	return r->ns[of] > 0 && r->ns[to] > 0 ? r->ns[of] / r->ns[to] : 0;
}

static void put_number(struct buf *out, int width, int digits, double value)
{
	if (value > 0)
		buf_printf(out, " %*.*f", width, digits, value);
	else
		buf_printf(out, " %*s", width, "-");
}

static void print_times(struct jit_bench *b, struct buf *out)
{
	buf_puts(out, "ns for a run, thread CPU time; places: the slowest of the code's places / "
		      "the fastest\n");
	buf_printf(out, "%-10s %5s %7s %6s %6s %9s %6s %9s %6s %7s %9s %7s %9s %8s\n", "program",
		"insns", "run", "C bytes", "bytes", "C", "places", "jit", "places", "jit/C",
		"kernel", "jit/k", "interp", "ns/insn");
	for (u32 i = 0; i < b->nr_rows; i++) {
		const struct row *r = &b->rows[i];

		buf_printf(out, "%-10s %5u %7llu %7u %6u", r->program->name, r->nr_insns,
			(unsigned long long)r->executed, r->native_bytes, r->jit_bytes);
		put_number(out, 9, 1, r->ns[BENCH_NATIVE]);
		put_number(out, 6, 2, r->spread[BENCH_NATIVE]);
		put_number(out, 9, 1, r->ns[BENCH_JIT]);
		put_number(out, 6, 2, r->spread[BENCH_JIT]);
		put_number(out, 7, 2, ratio(r, BENCH_JIT, BENCH_NATIVE));
		put_number(out, 9, 1, r->ns[BENCH_KERNEL]);
		put_number(out, 7, 2, ratio(r, BENCH_JIT, BENCH_KERNEL));
		put_number(out, 9, 0, r->ns[BENCH_INTERP]);
		put_number(out, 8, 2, r->ns[BENCH_INTERP] / (double)r->executed);
		buf_puts(out, "\n");
	}
	for (u32 i = 0; i < b->nr_rows; i++)
		if (b->rows[i].ns[BENCH_KERNEL] <= 0 && *b->rows[i].kernel_why)
			buf_printf(out, "kernel, %s: %s\n", b->rows[i].program->name,
				b->rows[i].kernel_why);
}

static bool has_counts(const struct jit_bench *b)
{
	for (u32 i = 0; i < b->nr_rows; i++)
		if (b->rows[i].counts[X86_64].known || b->rows[i].counts[ARM64].known)
			return true;
	return false;
}

static void print_counted(struct jit_bench *b, struct buf *out)
{
	buf_puts(out,
		"\nexecuted instructions of a run; per insn: jit's for each BPF instruction\n");
	buf_printf(out, "%-10s %7s", "", "BPF");
	for (int a = 0; a < ARCHS; a++)
		buf_printf(out, " | %6s: C %7s %6s %8s %9s %6s", arch_names[a], "jit", "jit/C",
			"per insn", "interp", "/insn");
	buf_puts(out, "\n");
	for (u32 i = 0; i < b->nr_rows; i++) {
		const struct row *r = &b->rows[i];

		buf_printf(out, "%-10s %7llu", r->program->name, (unsigned long long)r->executed);
		for (int a = 0; a < ARCHS; a++) {
			const struct counts *c = &r->counts[a];

			buf_puts(out, " |");
			put_number(out, 9, 0, c->native);
			put_number(out, 7, 0, c->jit);
			put_number(out, 6, 2, c->known ? c->jit / c->native : 0);
			put_number(out, 8, 2, c->jit / (double)r->executed);
			put_number(out, 9, 0, c->interp);
			put_number(out, 6, 1, c->interp / (double)r->executed);
		}
		buf_puts(out, "\n");
	}
}

static void print_rows_json(struct jit_bench *b, struct buf *out)
{
	for (u32 i = 0; i < b->nr_rows; i++) {
		const struct row *r = &b->rows[i];

		buf_printf(out,
			"%s{\"name\":\"%s\",\"loop\":%s,\"insns\":%u,\"executed\":%llu,\"c_bytes\":"
			"%u,\"jit_bytes\":%u,"
			"\"c_ns\":%.2f,\"jit_ns\":%.2f,\"interp_ns\":%.2f,\"c_places\":%.3f,\"jit_"
			"places\":%.3f",
			i ? ",\n" : "", r->program->name, r->program->is_loop ? "true" : "false",
			r->nr_insns, (unsigned long long)r->executed, r->native_bytes, r->jit_bytes,
			r->ns[BENCH_NATIVE], r->ns[BENCH_JIT], r->ns[BENCH_INTERP],
			r->spread[BENCH_NATIVE], r->spread[BENCH_JIT]);
		if (r->ns[BENCH_KERNEL] > 0)
			buf_printf(out, ",\"kernel_ns\":%.2f", r->ns[BENCH_KERNEL]);
		for (int a = 0; a < ARCHS; a++)
			if (r->counts[a].known)
				buf_printf(out, ",\"%s\":{\"c\":%.0f,\"jit\":%.0f,\"interp\":%.0f}",
					arch_names[a], r->counts[a].native, r->counts[a].jit,
					r->counts[a].interp);
		buf_puts(out, "}");
	}
}

/* ---- figures ---- */

/* Geometric mean over the loops of what `of` says of each, and the highest; values of 0 are left out. */
struct mean {
	double mean, most;
	const char *worst;
	u32 n;
};

typedef double (*row_fn)(const struct row *r, int arch);

static struct mean mean_of(const struct jit_bench *b, row_fn of, int arch)
{
	struct mean m = {0};
	double logs = 0;

	for (u32 i = 0; i < b->nr_rows; i++) {
		double value = b->rows[i].program->is_loop ? of(&b->rows[i], arch) : 0;

		if (value <= 0)
			continue;
		logs += log(value);
		m.n++;
		if (value > m.most) {
			m.most = value;
			m.worst = b->rows[i].program->name;
		}
	}
	m.mean = m.n ? exp(logs / m.n) : 0;
	return m;
}

static double jit_to_native(const struct row *r, int arch)
{
	(void)arch;
	return ratio(r, BENCH_JIT, BENCH_NATIVE);
}

static double jit_to_kernel(const struct row *r, int arch)
{
	(void)arch;
	return ratio(r, BENCH_JIT, BENCH_KERNEL);
}

static double interp_per_insn(const struct row *r, int arch)
{
	(void)arch;
	return r->ns[BENCH_INTERP] / (double)r->executed;
}

static double counted_to_native(const struct row *r, int arch)
{
	return r->counts[arch].known ? r->counts[arch].jit / r->counts[arch].native : 0;
}

static double counted_per_insn(const struct row *r, int arch)
{
	return r->counts[arch].jit / (double)r->executed;
}

static double interp_counted_per_insn(const struct row *r, int arch)
{
	return r->counts[arch].interp / (double)r->executed;
}

static const struct row *row_of(const struct jit_bench *b, const char *name)
{
	for (u32 i = 0; i < b->nr_rows; i++)
		if (!strcmp(b->rows[i].program->name, name))
			return &b->rows[i];
	return NULL;
}

struct figures {
	struct bench_figure f[40];
	size_t n;
};

static struct bench_figure *new_figure(
	struct figures *all, const char *name, const char *unit, double limit)
{
	struct bench_figure *f = &all->f[all->n++];

	*f = (struct bench_figure){.name = name, .unit = unit, .limit = limit};
	return f;
}

static void add_mean(struct figures *all, const char *name, const char *unit, double limit,
	struct mean m, const char *lacks)
{
	struct bench_figure *f = new_figure(all, name, unit, limit);

	if (m.n)
		bench_know(f, m.mean, "geometric mean of %u loops; worst %.2f (%s)", m.n, m.most,
			m.worst);
	else
		bench_unknown(f, "%s", lacks);
}

static void add_worst(struct figures *all, const char *name, double limit, struct mean m)
{
	struct bench_figure *f = new_figure(all, name, "", limit);

	if (m.n)
		bench_know(f, m.most, "%s", m.worst);
}

static void add_calls(struct figures *all, const struct jit_bench *b, const char *name,
	const char *program, u32 calls, double limit)
{
	const struct row *r = row_of(b, program);
	struct bench_figure *f = new_figure(all, name, "ns", limit);

	if (r)
		bench_know(f, r->ns[BENCH_JIT] / calls, "compiled C %.2f",
			r->ns[BENCH_NATIVE] / calls);
}

static void add_times(struct figures *all, struct jit_bench *b)
{
	bool x86 = !strcmp(bench_arch(), "x86_64");
	struct mean m = mean_of(b, jit_to_native, 0);

	add_mean(all, "time / compiled C", "", x86 ? 1.00 : 0, m, "no loop was run");
	add_worst(all, "time / compiled C, worst loop", x86 ? 1.25 : 0, m);
	add_mean(all, "time / the kernel's JIT", "", 0.80, mean_of(b, jit_to_kernel, 0),
		"the kernel runs programs for root only");
}

static void add_counts(struct figures *all, struct jit_bench *b)
{
	static const char *const lacks = "no qemu, or no weir for it: --qemu";

	add_mean(all, "executed instructions / compiled C, arm64", "", 1.05,
		mean_of(b, counted_to_native, ARM64), lacks);
	add_mean(all, "executed instructions / compiled C, x86-64", "", 0,
		mean_of(b, counted_to_native, X86_64), lacks);
	add_mean(all, "host instructions per BPF instruction, x86-64", "", 0.95,
		mean_of(b, counted_per_insn, X86_64), lacks);
	add_mean(all, "host instructions per BPF instruction, arm64", "", 0.95,
		mean_of(b, counted_per_insn, ARM64), lacks);
}

static void add_interp(struct figures *all, struct jit_bench *b)
{
	static const char *const lacks = "no qemu, or no weir for it: --qemu";

	add_mean(all, "interpreter, per BPF instruction", "ns", 1.2, mean_of(b, interp_per_insn, 0),
		"no loop was run");
	add_mean(all, "interpreter, host instructions per BPF insn, x86-64", "", 10,
		mean_of(b, interp_counted_per_insn, X86_64), lacks);
	add_mean(all, "interpreter, host instructions per BPF insn, arm64", "", 10,
		mean_of(b, interp_counted_per_insn, ARM64), lacks);
}

static void add_compiling(struct figures *all, const struct jit_bench *b)
{
	if (b->compile.fixed_us > 0) {
		bench_know(new_figure(all, "compile time, fixed", "us", 10), b->compile.fixed_us,
			"the empty program, with its executable memory");
		bench_know(new_figure(all, "compile time, per instruction", "ns", 60),
			b->compile.insn_ns, "fitted over %zu programs", bench_nr_codes);
	}
	bench_know(new_figure(all, "code of 'return 0', x86-64", "B", 8),
		bench_empty_bytes("x86_64"), "%s", "");
	bench_know(new_figure(all, "code of 'return 0', arm64", "B", 12),
		bench_empty_bytes("arm64"), "%s", "");
}

static void make_figures(struct figures *all, struct jit_bench *b)
{
	add_times(all, b);
	add_counts(all, b);
	add_compiling(all, b);
	add_calls(all, b, "call of an empty program", "empty", 1, 2.2);
	add_calls(all, b, "call of a helper", "helper", CALLS, 2.0);
	add_calls(all, b, "local call", "calls", CALLS, 0);
	add_interp(all, b);
}

static int print_all(struct jit_bench *b)
{
	struct figures all = {0};
	struct buf out = {0};
	bool json = b->cli->json;

	make_figures(&all, b);
	if (json) {
		buf_printf(
			&out, "{\"bench\":\"jit\",\"host\":\"%s\",\"programs\":[\n", bench_arch());
		print_rows_json(b, &out);
		buf_puts(&out, "],\n\"figures\":[\n");
		bench_print_figures(&out, all.f, all.n, true);
		buf_puts(&out, "]}\n");
	} else {
		print_times(b, &out);
		if (has_counts(b))
			print_counted(b, &out);
		buf_puts(&out, "\n");
		bench_print_figures(&out, all.f, all.n, false);
	}
	int code = write_out(stdout, &out);
	buf_fini(&out);
	return code;
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
	int err = b->cli->counts ? print_all_counts(b, d) : measure_rows(b, d);

	if (b->cli->counts || err)
		return err;
	if (!b->cli->only)
		err = measure_compiling(b, d);
	if (!err)
		bench_ask_qemu(b->cli, "jit", read_counts, b);
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
		return EXIT_SYSTEM;
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
		code = print_all(b);
	diag_fini(&d);
	mem_free(b);
	return code;
}
