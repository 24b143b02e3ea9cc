/* The tables of weir bench jit, and the figures. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "bench/count.h"
#include "bench/counter.h"
#include "cli/bench_jit.h"

enum { CALLS = 64 /* of the programs calls and helper */ };

/* ---- the programs' table ---- */

/* Both without what an empty run costs. */
static double row_to_kernel(const struct row *r)
{
	double net = r->ns[BENCH_JIT] - r->empty_ns;

	return r->ns[BENCH_KERNEL] > 0 && net > 0 ? net / r->ns[BENCH_KERNEL] : 0;
}

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

/* Programs without the kernel's time for one reason stand in one line, where the first of them is met. */
static void print_kernel_lacks(const struct jit_bench *b, u32 first, struct buf *out)
{
	const char *why = b->rows[first].kernel_why;

	for (u32 i = 0; i < first; i++)
		if (!strcmp(b->rows[i].kernel_why, why))
			return;
	buf_puts(out, "kernel");
	for (u32 i = first; i < b->nr_rows; i++)
		if (!strcmp(b->rows[i].kernel_why, why))
			buf_printf(out, ", %s", b->rows[i].program->name);
	buf_printf(out, ": %s\n", why);
}

/* Why there is a "-". */
static void print_lacks(const struct jit_bench *b, struct buf *out)
{
	for (u32 i = 0; i < b->nr_rows; i++) {
		const struct row *r = &b->rows[i];

		if (!r->plain_bytes)
			buf_printf(out,
				"C, -O2, %s: the compiler's code has constants elsewhere, and "
				"can't stand alone\n",
				r->program->name);
		if (*r->kernel_why)
			print_kernel_lacks(b, i, out);
		else if (row_to_kernel(r) <= 0)
			buf_printf(out, "jit/k, %s: takes no longer than the empty program\n",
				r->program->name);
	}
}

static void print_times(struct jit_bench *b, struct buf *out)
{
	buf_puts(out, "ns for a run, thread CPU time; places: the slowest of the code's places / "
		      "the fastest; "
		      "C: loops stay loops; C, -O2: unrolled, vectorised\n");
	buf_printf(out, "%-10s %5s %7s %6s %6s %9s %6s %9s %9s %6s %7s %9s %7s %9s %8s\n",
		"program", "insns", "run", "C bytes", "bytes", "C", "places", "C, -O2", "jit",
		"places", "jit/C", "kernel", "jit/k", "interp", "ns/insn");
	for (u32 i = 0; i < b->nr_rows; i++) {
		const struct row *r = &b->rows[i];

		buf_printf(out, "%-10s %5u %7llu %7u %6u", r->program->name, r->nr_insns,
			(unsigned long long)r->executed, r->native_bytes, r->jit_bytes);
		put_number(out, 9, 1, r->ns[BENCH_NATIVE]);
		put_number(out, 6, 2, r->spread[BENCH_NATIVE]);
		put_number(out, 9, 1, r->ns[BENCH_PLAIN]);
		put_number(out, 9, 1, r->ns[BENCH_JIT]);
		put_number(out, 6, 2, r->spread[BENCH_JIT]);
		put_number(out, 7, 2, ratio(r, BENCH_JIT, BENCH_NATIVE));
		put_number(out, 9, 1, r->ns[BENCH_KERNEL]);
		put_number(out, 7, 2, row_to_kernel(r));
		put_number(out, 9, 0, r->ns[BENCH_INTERP]);
		put_number(out, 8, 2, r->ns[BENCH_INTERP] / (double)r->executed);
		buf_puts(out, "\n");
	}
	print_lacks(b, out);
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
		buf_printf(out, " | %6s: C %7s %6s %8s %9s %6s", bench_arch_names[a], "jit",
			"jit/C", "per insn", "interp", "/insn");
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
		if (r->ns[BENCH_PLAIN] > 0)
			buf_printf(out, ",\"c_o2_ns\":%.2f", r->ns[BENCH_PLAIN]);
		if (r->ns[BENCH_KERNEL] > 0)
			buf_printf(out, ",\"kernel_ns\":%.2f", r->ns[BENCH_KERNEL]);
		else
			buf_puts(out, ",\"kernel_why\":");
		if (*r->kernel_why)
			buf_json_string(out, r->kernel_why, strlen(r->kernel_why));
		for (int a = 0; a < ARCHS; a++)
			if (r->counts[a].known)
				buf_printf(out, ",\"%s\":{\"c\":%.0f,\"jit\":%.0f,\"interp\":%.0f}",
					bench_arch_names[a], r->counts[a].native, r->counts[a].jit,
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
	return row_to_kernel(r);
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

/* The kernel ran none. */
static const char *why_no_loop(const struct jit_bench *b)
{
	for (u32 i = 0; i < b->nr_rows; i++)
		if (b->rows[i].program->is_loop && *b->rows[i].kernel_why)
			return b->rows[i].kernel_why;
	return "no loop was run";
}

static void add_times(struct figures *all, struct jit_bench *b)
{
	bool x86 = !strcmp(bench_arch(), "x86_64");
	struct mean m = mean_of(b, jit_to_native, 0);

	add_mean(all, "time / compiled C", "", x86 ? 1.00 : 0, m, "no loop was run");
	add_worst(all, "time / compiled C, worst loop", x86 ? 1.25 : 0, m);
	add_mean(all, "time / the kernel's JIT", "", 0.80, mean_of(b, jit_to_kernel, 0),
		why_no_loop(b));
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
			"the empty program; %.2f us without its executable memory",
			b->compile.bytes_us);
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
	if (b->compile.fixed_us > 0) {
		bench_know(new_figure(all, "array lookup inlined", "ns", 0.7), b->lookups.array_ns,
			"with the load, of %d in a loop, the loop taken off", BENCH_LOOKUPS);
		bench_know(new_figure(all, "per-CPU array lookup inlined", "ns", 0.7),
			b->lookups.percpu_ns, "likewise");
	}
	add_interp(all, b);
}

int bench_jit_print(struct jit_bench *b)
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
