/* The tables of weir bench percpu. */
#include <math.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "bench/count.h"
#include "cli/bench_percpu.h"

static const char *const way_names[] = {
	[WAY_C] = "C, a thread-local counter", [WAY_KERNEL] = "the kernel, less the run"};

static void print_rates(const struct percpu_bench *b, struct buf *out)
{
	buf_puts(out, "million increments a second, mean and standard deviation; x: to the first "
		      "form, C: to C\n");
	buf_printf(out, "%-18s %-30s %18s %6s %6s %18s %6s %6s\n", "counter", "form", "1 thread",
		"x", "C", "2 threads", "x", "C");
	for (u32 i = 0; i < COUNTERS; i++) {
		for (int w = 0; w < WAY_EMPTY; w++) {
			if (w == WAY_KERNEL && *b->kernel_why[i])
				buf_printf(out, "%-18s %-30s %9s    %s\n",
					bench_counter_at(i)->name, way_names[w], "-",
					b->kernel_why[i]);
			if (!b->rates[i][w][0].known)
				continue;
			buf_printf(out, "%-18s %-30s", bench_counter_at(i)->name,
				w < BENCH_FORMS ? bench_form_names[w] : way_names[w]);
			for (u32 t = 0; t < BENCH_THREADS_MAX; t++) {
				struct rate r = b->rates[i][w][t];

				buf_printf(out, " %9.1f +- %5.1f %6.2f %6.2f", r.mean, r.deviation,
					r.mean / b->rates[i][BENCH_CALLED][t].mean,
					r.mean / b->rates[i][WAY_C][t].mean);
			}
			buf_puts(out, "\n");
		}
	}
	if (b->kernel_empty_ns > 0)
		buf_printf(out,
			"the kernel's trigger, a run of an empty program by BPF_PROG_TEST_RUN: "
			"%.1f ns\n",
			b->kernel_empty_ns);
}

/* The patch series that let the kernel's JITs inline these, in its authors' words. */
static const struct {
	const char *machine;
	double before[3], after[3];
} published[] = {
	{"arm64/KVM", {23.8, 23.3, 12.3}, {24.6, 23.7, 12.6}},
	{"powerpc64", {40.7, 39.4, 24.9}, {55.2, 56.3, 26.2}},
	{"riscv64/qemu", {1.127, 1.121, 0}, {1.138, 1.366, 0}},
};

static void print_published(struct buf *out)
{
	buf_puts(out, "\npublished for the kernel, helpers called -> inlined, million a second\n");
	buf_printf(out, "%-18s %24s %24s %24s\n", "", "glob-arr-inc", "arr-inc", "hash-inc");
	for (size_t i = 0; i < ARRAY_LEN(published); i++) {
		buf_printf(out, "%-18s", published[i].machine);
		for (int k = 0; k < 3; k++) {
			double before = published[i].before[k], after = published[i].after[k];

			if (before > 0)
				buf_printf(out, " %8.4g -> %6.4g %+4.0f %%", before, after,
					(after / before - 1) * 100);
		}
		buf_puts(out, "\n");
	}
}

/* What each stage adds; a counter with a constant key asks for no CPU. */
static void put_parts(struct buf *out, const double *sums, int digits)
{
	if (sums[BENCH_INCREMENT] <= 0) {
		buf_printf(out, " | %6s %6s %6s %6s %6s", "-", "-", "-", "-", "-");
		return;
	}
	buf_printf(out, " | %6.*f %6.*f %6.*f %6.*f %6.*f", digits, sums[BENCH_TRIGGER], digits,
		sums[BENCH_CPU] - sums[BENCH_TRIGGER], digits,
		sums[BENCH_ADDRESS] - sums[BENCH_CPU], digits,
		sums[BENCH_INCREMENT] - sums[BENCH_ADDRESS], digits, sums[BENCH_INCREMENT]);
}

/* Ticks of the time-stamp counter in a nanosecond; 0 where there is none. */
static double ticks_per_ns(void)
{
#if defined(__x86_64__)
	struct timespec from, to;
	u64 ticks = __builtin_ia32_rdtsc();
	double ns;

	clock_gettime(CLOCK_MONOTONIC, &from);
	do {
		clock_gettime(CLOCK_MONOTONIC, &to);
		ns = (double)(to.tv_sec - from.tv_sec) * 1e9 + (double)(to.tv_nsec - from.tv_nsec);
	} while (ns < 20e6);
	return (double)(__builtin_ia32_rdtsc() - ticks) / ns;
#else
	return 0;
#endif
}

static void print_parts_table(const struct percpu_bench *b, struct buf *out)
{
	double ticks = ticks_per_ns();

	buf_puts(out, "\nwhere it goes: the trigger (a run of a program that returns 0), the CPU's "
		      "number, the address with the "
		      "load, add and store\n");
	if (ticks > 0)
		buf_printf(out,
			"no hardware counter of cycles is read: a nanosecond is %.2f cycles of the "
			"time-stamp counter\n",
			ticks);
	buf_printf(out, "%-45s | %-34s | %-34s | %-34s\n", "", "ns",
		"executed instructions, x86-64", "arm64");
	buf_printf(out, "%-18s %-26s", "counter", "form");
	for (int i = 0; i < 1 + ARCHS; i++)
		buf_printf(out, " | %6s %6s %6s %6s %6s", "trig", "cpu", "addr", "add", "all");
	buf_puts(out, "\n");
	for (u32 i = 0; i < COUNTERS; i++) {
		for (int f = 0; f < BENCH_FORMS; f++) {
			if (b->parts[i][f].ns[0] <= 0)
				continue;
			buf_printf(
				out, "%-18s %-26s", bench_counter_at(i)->name, bench_form_names[f]);
			put_parts(out, b->parts[i][f].ns, 2);
			for (int a = 0; a < ARCHS; a++)
				put_parts(out, b->parts[i][f].insns[a], 0);
			buf_puts(out, "\n");
		}
	}
	buf_puts(out, "\n");
}

/* What the kernel 6.12 executes of each body, and what is to be reached. */
static const struct {
	double kernel, limit;
	bool with_frame;
} body_limits[BODIES] = {{13, 3, true}, {2, 1, false}, {13, 7, false}, {21, 5, false},
	{24, 4, false}, {21, 45, false}, {24, 46, false}, {30, 10, true}};

static void make_figures(
	const struct percpu_bench *b, struct bench_figure *figures, char names[][64])
{
	for (u32 i = 0; i < BODIES; i++) {
		struct bench_figure *f = &figures[i];
		double value = body_limits[i].with_frame ? b->totals[i] : b->bodies[i];
		bool callee = !!strstr(bench_body_at(i)->name, "hash");

		snprintf(names[i], 64, "arm64 instructions: %s", bench_body_at(i)->name);
		*f = (struct bench_figure){
			.name = names[i], .unit = "", .limit = body_limits[i].limit};
		if (b->totals[i] > 0)
			bench_know(f, value,
				"kernel 6.12: %.0f%s; here with prologue and epilogue %.0f",
				body_limits[i].kernel, callee ? " and the lookup" : "",
				b->totals[i]);
		else
			bench_unknown(f, "kernel 6.12: %.0f; no qemu, or no weir for it: --qemu",
				body_limits[i].kernel);
	}
}

static void print_rates_json(const struct percpu_bench *b, struct buf *out)
{
	bool first = true;

	for (u32 i = 0; i < COUNTERS; i++)
		for (int w = 0; w < WAY_EMPTY; w++)
			for (u32 t = 0; t < BENCH_THREADS_MAX; t++) {
				struct rate r = b->rates[i][w][t];

				if (!r.known)
					continue;
				buf_printf(out,
					"%s{\"counter\":\"%s\",\"form\":\"%s\",\"threads\":%u,"
					"\"million_per_s\":%.3f,"
					"\"deviation\":%.3f,\"to_called\":%.4f,\"to_c\":%.4f}",
					first ? "" : ",\n", bench_counter_at(i)->name,
					w < BENCH_FORMS ? bench_form_names[w] : way_names[w], t + 1,
					r.mean, r.deviation,
					r.mean / b->rates[i][BENCH_CALLED][t].mean,
					r.mean / b->rates[i][WAY_C][t].mean);
				first = false;
			}
}

static void print_lacks_json(const struct percpu_bench *b, struct buf *out)
{
	bool first = true;

	for (u32 i = 0; i < COUNTERS; i++) {
		if (!*b->kernel_why[i])
			continue;
		buf_printf(out, "%s{\"counter\":\"%s\",\"why\":", first ? "" : ",\n",
			bench_counter_at(i)->name);
		buf_json_string(out, b->kernel_why[i], strlen(b->kernel_why[i]));
		buf_puts(out, "}");
		first = false;
	}
}

static void put_array(struct buf *out, const char *name, const double *values)
{
	buf_printf(out, ",\"%s\":[%.3f,%.3f,%.3f,%.3f]", name, values[0], values[1], values[2],
		values[3]);
}

/* Sums: each stage with all before it. */
static void print_parts_json(const struct percpu_bench *b, struct buf *out)
{
	bool first = true;

	for (u32 i = 0; i < COUNTERS; i++)
		for (int f = 0; f < BENCH_FORMS; f++) {
			const struct parts *p = &b->parts[i][f];

			if (p->ns[0] <= 0)
				continue;
			buf_printf(out, "%s{\"counter\":\"%s\",\"form\":\"%s\"", first ? "" : ",\n",
				bench_counter_at(i)->name, bench_form_names[f]);
			put_array(out, "ns", p->ns);
			for (int a = 0; a < ARCHS; a++)
				if (p->insns[a][0] > 0)
					put_array(out, bench_arch_names[a], p->insns[a]);
			buf_puts(out, "}");
			first = false;
		}
}

int bench_percpu_print(const struct percpu_bench *b)
{
	struct bench_figure figures[BODIES];
	char names[BODIES][64];
	struct buf out = {0};

	make_figures(b, figures, names);
	if (b->cli->json) {
		buf_printf(&out, "{\"bench\":\"percpu\",\"host\":\"%s\",", bench_arch());
		if (b->kernel_empty_ns > 0)
			buf_printf(&out, "\"kernel_empty_ns\":%.2f,", b->kernel_empty_ns);
		buf_puts(&out, "\"rates\":[\n");
		print_rates_json(b, &out);
		buf_puts(&out, "],\n\"kernel_lacks\":[\n");
		print_lacks_json(b, &out);
		buf_puts(&out, "],\n\"parts\":[\n");
		print_parts_json(b, &out);
		buf_puts(&out, "],\n\"figures\":[\n");
		bench_print_figures(&out, figures, BODIES, true);
		buf_puts(&out, "]}\n");
	} else {
		print_rates(b, &out);
		print_published(&out);
		print_parts_table(b, &out);
		bench_print_figures(&out, figures, BODIES, false);
	}
	int code = write_out(stdout, &out);
	buf_fini(&out);
	return code;
}
