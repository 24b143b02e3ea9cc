/* weir beside DPDK's engine (librte_bpf), in one run and on the same instructions: programs without loops, calls and 32-bit
 * jumps, which DPDK doesn't take.
 *
 * usage: bench-dpdk [ROUNDS]
 *
 * Prints thread CPU time, engines by turns, median of ROUNDS (default 31). "compile" is from the checked program to code that can
 * run, without freeing it; "load" has the checks in it, which are unlike: weir's follows all ways and rewrites. The last two
 * lines fit a line through the compile times. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "bench/program.h"
#include "bench/sample.h"
#include "cpu/cpu.h"
#include "dpdk.h"
#include "engine/engine.h"
#include "interp/checked.h"
#include "isa/prog.h"
#include "jit/jit.h"
#include "map/callable.h"

extern const struct bench_code dpdk_codes[];
extern const size_t dpdk_nr_codes;

enum { INSNS_MAX = 1 << 16, SAMPLE_NS = 300000, COMPILES_MAX = 16 };

struct subject {
	const struct bench_code *code;
	const struct bench_program *program; /* whose memory it wants */
	u8 *mem, *self;
	struct prog *prog;
	struct loaded *interp, *native;
	struct jit_code *compiled[COMPILES_MAX];
	u32 nr_compiled;
	struct rte_bpf *dpdk, *again[COMPILES_MAX]; /* one to run, others to be compiled again */
	u32 nr_again;
	u64 executed, result;
};

static void need(int err, const struct diag *d)
{
	if (!err)
		return;
	fprintf(stderr, "bench-dpdk: %s\n", diag_first(d));
	exit(1);
}

static void need_true(bool fine, const char *program, const char *what)
{
	if (fine)
		return;
	fprintf(stderr, "bench-dpdk: %s: %s\n", program, what);
	exit(1);
}

/* ---- weir ---- */

static struct loaded *load(const struct subject *s, enum engine_kind kind)
{
	struct engine_opts opts = {.kind = kind};
	struct loaded *l;
	struct diag d = {0};

	need(engine_load(s->prog, &opts, &l, &d), &d);
	return l;
}

static void weir_interpret(void *arg, u32 times)
{
	struct subject *s = arg;

	while (times--)
		s->result =
			loaded_run(s->interp, (uintptr_t)s->mem, s->program->mem_bytes, s->self);
}

static void weir_native(void *arg, u32 times)
{
	struct subject *s = arg;
	jit_entry entry = loaded_callable(s->native)->entry;

	while (times--)
		s->result = entry((uintptr_t)s->mem, s->program->mem_bytes, s->self);
}

static void weir_compile(void *arg, u32 times)
{
	struct subject *s = arg;
	struct diag d = {0};

	while (times--) {
		struct jit_image image = {0};

		need(jit_compile(loaded_prog(s->interp), loaded_facts(s->interp),
			     &(struct jit_opts){0}, &image, &d),
			&d);
		need(jit_code_new(&image, &s->compiled[s->nr_compiled++], &d), &d);
		jit_image_fini(&image);
	}
}

static void weir_compile_after(void *arg)
{
	struct subject *s = arg;

	while (s->nr_compiled)
		jit_code_free(s->compiled[--s->nr_compiled]);
}

static void weir_load(void *arg, u32 times)
{
	while (times--)
		loaded_free(load(arg, ENGINE_JIT));
}

/* ---- DPDK ---- */

static void interpret(void *arg, u32 times)
{
	struct subject *s = arg;

	while (times--)
		s->result = dpdk_interpret(s->dpdk, s->mem);
}

static void native(void *arg, u32 times)
{
	struct subject *s = arg;
	uint64_t (*entry)(void *) = dpdk_entry(s->dpdk);

	while (times--)
		s->result = entry(s->mem);
}

/* Each program once, since its next code would take the place of this one. */
static void compile(void *arg, u32 times)
{
	struct subject *s = arg;

	while (times--)
		need_true(!dpdk_compile(s->again[s->nr_again++]), s->code->name,
			"DPDK can't compile it");
}

static void compile_after(void *arg)
{
	struct subject *s = arg;

	while (s->nr_again)
		dpdk_compile_after(s->again[--s->nr_again]);
}

static void load_and_free(void *arg, u32 times)
{
	struct subject *s = arg;

	while (times--)
		dpdk_free(dpdk_load(s->code->insns, s->code->nr_insns, s->program->mem_bytes));
}

/* ---- a program ---- */

/* The least number of instructions that is enough for a run. */
static u64 count_executed(struct subject *s)
{
	u64 low = 0, high = INSNS_MAX;

	while (low < high) {
		u64 mid = (low + high) / 2;
		struct diag ignored = {0};

		if (interp_run_checked(s->prog, s->mem, s->program->mem_bytes, s->self, mid,
			    &s->result, &ignored))
			low = mid + 1;
		else
			high = mid;
		diag_fini(&ignored);
	}
	return low;
}

/* "line_16" runs on the memory of "line". */
static const struct bench_program *program_of(const struct bench_code *code)
{
	char name[32];

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(code->name, "_"), code->name);
	return bench_program_by_name(name);
}

static void open_subject(struct subject *s, const struct bench_code *code, struct cpus *cpus)
{
	*s = (struct subject){.code = code, .program = program_of(code), .self = cpu_base(cpus, 0)};
	s->mem = mem_zalloc(s->program->mem_bytes);
	s->prog = prog_new(code->name, PROG_TYPE_RAW);
	s->program->fill(s->mem, s->program->mem_bytes);
	s->prog->raw_mem_bytes = s->program->mem_bytes;
	need_true(!prog_set_insns(s->prog, (const struct insn *)code->insns, code->nr_insns),
		code->name, "no memory");
	s->interp = load(s, ENGINE_INTERP);
	s->native = load(s, ENGINE_JIT);
	s->dpdk = dpdk_load(code->insns, code->nr_insns, s->program->mem_bytes);
	need_true(s->dpdk && dpdk_entry(s->dpdk), code->name, "DPDK doesn't take it");
	for (u32 i = 0; i < COMPILES_MAX; i++) {
		s->again[i] = dpdk_load(code->insns, code->nr_insns, s->program->mem_bytes);
		need_true(s->again[i], code->name, "no memory");
		dpdk_compile_after(s->again[i]);
		dpdk_compile_ready(s->again[i]);
	}
	s->executed = count_executed(s);
}

static void check(struct subject *s, void (*run)(void *, u32), const char *who)
{
	u64 expected = s->result;

	run(s, 1);
	need_true(s->result == expected, s->code->name, who);
}

/* Compile times for the fit. */
struct line_fit {
	double n, x, y, xx, xy;
};

static void add_point(struct line_fit *f, double x, double y)
{
	f->n++;
	f->x += x;
	f->y += y;
	f->xx += x * x;
	f->xy += x * y;
}

static void print_fit(const char *name, const struct line_fit *f)
{
	double slope = (f->n * f->xy - f->x * f->y) / (f->n * f->xx - f->x * f->x);

	printf("%s compiles in %.1f us + %.1f ns for each instruction\n", name,
		(f->y - slope * f->x) / f->n / 1e3, slope);
}

static void measure(struct subject *s, u32 rounds, struct line_fit fits[2])
{
	struct bench_case cases[] = {
		{.run = weir_interpret, .arg = s},
		{.run = interpret, .arg = s},
		{.run = weir_native, .arg = s},
		{.run = native, .arg = s},
		{.run = weir_compile,
			.arg = s,
			.after = weir_compile_after,
			.times_max = COMPILES_MAX},
		{.run = compile, .arg = s, .after = compile_after, .times_max = COMPILES_MAX},
		{.run = weir_load, .arg = s},
		{.run = load_and_free, .arg = s},
	};
	double executed = (double)s->executed;

	check(s, weir_interpret, "weir's interpreter differs");
	check(s, interpret, "DPDK's interpreter differs");
	check(s, weir_native, "weir's native code differs");
	check(s, native, "DPDK's native code differs");
	need_true(!bench_sample(cases, ARRAY_LEN(cases), rounds, SAMPLE_NS), s->code->name,
		"no memory");
	printf("%-9s %6u %6.0f | %6.2f %6.2f | %8.1f %8.1f | %8.1f %8.1f | %9.1f %8.1f\n",
		s->code->name, s->code->nr_insns, executed, cases[0].median / executed,
		cases[1].median / executed, cases[2].median, cases[3].median, cases[4].median / 1e3,
		cases[5].median / 1e3, cases[6].median / 1e3, cases[7].median / 1e3);
	fflush(stdout);
	add_point(&fits[0], s->code->nr_insns, cases[4].median);
	add_point(&fits[1], s->code->nr_insns, cases[5].median);
}

static void close_subject(struct subject *s)
{
	dpdk_free(s->dpdk);
	compile(s, COMPILES_MAX); /* what dpdk_free takes away */
	for (u32 i = 0; i < COMPILES_MAX; i++)
		dpdk_free(s->again[i]);
	loaded_free(s->interp);
	loaded_free(s->native);
	prog_free(s->prog);
	mem_free(s->mem);
}

int main(int argc, char **argv)
{
	static struct subject s;
	u32 rounds = argc > 1 ? (u32)strtoul(argv[1], NULL, 0) : 31;
	struct line_fit fits[2] = {0};
	struct cpus *cpus;
	struct diag d = {0};

	if (rounds < 1 || rounds > BENCH_REPEATS_MAX) {
		fprintf(stderr, "bench-dpdk: 1 to %d rounds\n", BENCH_REPEATS_MAX);
		return 1;
	}
	need(cpus_new(1, &cpus, &d), &d);
	need(cpu_take(cpus, 0), &d);
	u8 *before = cpu_enter(cpu_base(cpus, 0));
	printf("%23s | %13s | %17s | %17s | %18s\n", "instructions", "interp, ns/insn",
		"native, ns a run", "compile, us", "load, us");
	printf("%-9s %6s %6s | %6s %6s | %8s %8s | %8s %8s | %9s %8s\n", "", "all", "run", "weir",
		"DPDK", "weir", "DPDK", "weir", "DPDK", "weir", "DPDK");
	for (size_t i = 0; i < dpdk_nr_codes; i++) {
		open_subject(&s, &dpdk_codes[i], cpus);
		measure(&s, rounds, fits);
		close_subject(&s);
	}
	print_fit("weir", &fits[0]);
	print_fit("DPDK", &fits[1]);
	cpu_enter(before);
	cpu_release(cpus, 0);
	cpus_free(cpus);
	return 0;
}
