/* weir bench addr: what comparing IPv6 addresses under a mask takes, and what llvm-mca thinks of ways to write it. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "bench/addr.h"
#include "bench/addr_function.h"
#include "bench/count.h"
#include "cli/bench_cli.h"
#include "cpu/cpu.h"

enum { MODELS_MAX = 8, VARIANTS_MAX = 16, FIGURES_MAX = 64 };

static const struct {
	enum bench_arch arch;
	const char *cpu;
} models[] = {
	{ARM64, "cortex-a55"},
	{ARM64, "cortex-a76"},
	{ARM64, "neoverse-n1"},
	{ARM64, "neoverse-v2"},
	{X86_64, "skylake"},
	{X86_64, "znver4"},
};

/* others: what gcc 12 makes of the function, and the kernel's JIT of programs, on arm64. */
static const struct {
	const char *name, *others;
	double limit;
} cases[ADDR_CASES] = {
	[ADDR_FUNCTION] = {"C function, addresses and mask in memory, as bool", "10", 9},
	[ADDR_DYNAMIC] = {"in a program, address and mask from a map value, branch", "15", 10},
	[ADDR_32] = {"constant /32, with the branch", "6", 4},
	[ADDR_64] = {"constant /64, with the branch", "6", 4},
	[ADDR_48] = {"constant /48, with the branch", "8", 4},
	[ADDR_128] = {"constant /128, dense, with the branch", "16", 7},
	[ADDR_PREFIXES] = {"any prefix length, the worst of 1 to 128", "7-17", 7},
	[ADDR_MASKS] = {"non-contiguous masks, the worst of 64", "7-17", 9},
	[ADDR_RULES] = {"16 rules with different sources /48, the last matches", "", 60},
};

struct count {
	bool known;
	double insns;
	u32 worst;
};

struct opinion {
	bool known;
	struct bench_mca mca;
};

struct addr_bench {
	const struct bench_cli *cli;
	struct count counts[ARCHS][ADDR_CASES];
	struct buf text[ARCHS]; /* of the C function */
	struct opinion opinions[VARIANTS_MAX][MODELS_MAX];
};

/* ---- what a child under qemu prints ---- */

static void print_text(const char *text)
{
	for (const char *end; (end = strchr(text, '\n')); text = end + 1)
		printf("asm %s %.*s\n", bench_arch(), (int)(end - text), text);
}

static int print_counts(struct diag *d)
{
	struct cpus *cpus;
	int err = cpus_new(1, &cpus, d);

	if (err)
		return err;
	err = cpu_take(cpus, 0);
	u8 *before = cpu_enter(cpu_base(cpus, 0));
	for (int i = 0; !err && i < ADDR_CASES; i++) {
		double insns;
		u32 worst;

		err = bench_addr_count((enum bench_addr_case)i, cpus, &insns, &worst, d);
		if (!err)
			printf("addr %s %d %.0f %u\n", bench_arch(), i, insns, worst);
		fflush(stdout);
	}
	cpu_enter(before);
	cpu_release(cpus, 0);
	cpus_free(cpus);
	print_text(bench_addr_text);
	fflush(stdout);
	return err;
}

static bool read_counts(void *arg, const char *text)
{
	struct addr_bench *b = arg;
	struct count c = {.known = true};
	char arch[16];
	unsigned which;
	int at = 0;

	if (sscanf(text, "addr %15s %u %lf %u", arch, &which, &c.insns, &c.worst) == 4 &&
		which < ADDR_CASES && bench_arch_of(arch) >= 0) {
		b->counts[bench_arch_of(arch)][which] = c;
		return true;
	}
	if (sscanf(text, "asm %15s %n", arch, &at) == 1 && at && bench_arch_of(arch) >= 0)
		buf_puts(&b->text[bench_arch_of(arch)], text + at);
	return false;
}

/* ---- llvm-mca ---- */

static const char *text_of(struct addr_bench *b, const struct bench_variant *v)
{
	struct buf *compiled = &b->text[bench_arch_of(v->arch)];

	return v->text ? v->text : compiled->len ? buf_cstr(compiled) : NULL;
}

static void ask_mca(struct addr_bench *b)
{
	const struct bench_variant *v;

	for (size_t i = 0; (v = bench_variant_at(i)); i++)
		for (size_t m = 0; m < ARRAY_LEN(models); m++) {
			const char *text = text_of(b, v);
			struct opinion *o = &b->opinions[i][m];

			if (text && models[m].arch == (enum bench_arch)bench_arch_of(v->arch))
				o->known = bench_mca(v->arch, models[m].cpu, text, &o->mca);
		}
}

/* The least over all ways of one architecture but the compiled function. */
static bool best_of(const struct addr_bench *b, size_t model, struct bench_mca *best)
{
	const struct bench_variant *v;
	bool found = false;

	for (size_t i = 0; (v = bench_variant_at(i)); i++) {
		const struct opinion *o = &b->opinions[i][model];

		if (!o->known || !v->text)
			continue;
		best->throughput =
			found ? fmin(best->throughput, o->mca.throughput) : o->mca.throughput;
		best->latency =
			found && best->latency < o->mca.latency ? best->latency : o->mca.latency;
		found = true;
	}
	return found;
}

/* What the compiler made of the function. */
static const struct opinion *function_of(const struct addr_bench *b, size_t model)
{
	const struct bench_variant *v;

	for (size_t i = 0; (v = bench_variant_at(i)); i++)
		if (!v->text && (enum bench_arch)bench_arch_of(v->arch) == models[model].arch)
			return &b->opinions[i][model];
	return NULL;
}

/* ---- figures ---- */

struct figures {
	struct bench_figure f[FIGURES_MAX];
	char names[FIGURES_MAX][96];
	size_t n;
};

static struct bench_figure *new_figure(
	struct figures *all, const char *arch, const char *name, const char *unit, double limit)
{
	struct bench_figure *f = &all->f[all->n];

	snprintf(all->names[all->n], sizeof(all->names[0]), "%s: %s", arch, name);
	*f = (struct bench_figure){.name = all->names[all->n++], .unit = unit, .limit = limit};
	return f;
}

static void add_count(struct figures *all, const struct addr_bench *b, int arch, int i)
{
	const struct count *c = &b->counts[arch][i];
	struct bench_figure *f = new_figure(all, bench_arch_names[arch], cases[i].name,
		"instructions", arch == ARM64 ? cases[i].limit : 0);
	char others[32] = "";

	if (arch == ARM64 && *cases[i].others)
		snprintf(others, sizeof(others), "gcc, the kernel: %s", cases[i].others);
	if (!c->known)
		bench_unknown(f, "no qemu, or no weir for it: --qemu");
	else if (i == ADDR_PREFIXES)
		bench_know(f, c->insns, "%s%s/%u", others, *others ? "; " : "", c->worst);
	else
		bench_know(f, c->insns, "%s", others);
}

static void add_opinions(struct figures *all, const struct addr_bench *b, size_t model)
{
	const struct opinion *o = function_of(b, model);
	struct bench_mca best = {0};
	char name[64];

	snprintf(name, sizeof(name), "C function / best way, throughput, %s", models[model].cpu);
	struct bench_figure *f = new_figure(all, bench_arch_names[models[model].arch], name, "", 1);
	snprintf(name, sizeof(name), "C function / best way, latency, %s", models[model].cpu);
	struct bench_figure *g = new_figure(all, bench_arch_names[models[model].arch], name, "", 1);
	if (!o || !o->known || !best_of(b, model, &best)) {
		bench_unknown(
			f, "no llvm-mca, or no text of the function (it comes with the counts)");
		bench_unknown(g, "likewise");
		return;
	}
	bench_know(f, o->mca.throughput / best.throughput, "%.2f cycles, best %.2f",
		o->mca.throughput, best.throughput);
	bench_know(g, (double)o->mca.latency / best.latency, "%u cycles, best %u", o->mca.latency,
		best.latency);
}

static void make_figures(struct figures *all, const struct addr_bench *b)
{
	for (int a = ARCHS - 1; a >= 0; a--)
		for (int i = 0; i < ADDR_CASES; i++)
			add_count(all, b, a, i);
	for (size_t m = 0; m < ARRAY_LEN(models); m++)
		add_opinions(all, b, m);
}

static void print_opinions(const struct addr_bench *b, struct buf *out, bool json)
{
	const struct bench_variant *v;
	bool first = true;

	for (size_t i = 0; (v = bench_variant_at(i)); i++)
		for (size_t m = 0; m < ARRAY_LEN(models); m++) {
			const struct opinion *o = &b->opinions[i][m];

			if (!o->known)
				continue;
			buf_printf(out,
				json ? "%s{\"arch\":\"%s\",\"way\":\"%s\",\"cpu\":\"%s\",\"insns\":"
				       "%u,\"throughput\":%.2f,"
				       "\"latency\":%u}"
				     : "%s%-8s %-22s %-12s %6u %10.2f %8u\n",
				json && !first ? ",\n" : "", v->arch, v->name, models[m].cpu,
				o->mca.insns, o->mca.throughput, o->mca.latency);
			first = false;
		}
}

static int print_all(const struct addr_bench *b)
{
	struct figures *all = mem_zalloc(sizeof(*all));
	struct buf out = {0};

	if (!all)
		return out_of_memory();
	make_figures(all, b);
	if (b->cli->json) {
		buf_printf(&out, "{\"bench\":\"addr\",\"host\":\"%s\",\"ways\":[\n", bench_arch());
		print_opinions(b, &out, true);
		buf_puts(&out, "],\n\"figures\":[\n");
		bench_print_figures(&out, all->f, all->n, true);
		buf_puts(&out, "]}\n");
	} else {
		buf_puts(
			&out, "llvm-mca: cycles from one compare to the next, and for one alone\n");
		buf_printf(&out, "%-8s %-22s %-12s %6s %10s %8s\n", "", "way", "cpu",
			"instructions", "throughput", "latency");
		print_opinions(b, &out, false);
		buf_puts(&out, "\nexecuted instructions of the compare alone, and the function "
			       "beside the best way to write it\n");
		bench_print_figures(&out, all->f, all->n, false);
	}
	int code = write_out(stdout, &out);
	buf_fini(&out);
	mem_free(all);
	return code;
}

static int measure(struct addr_bench *b, struct diag *d)
{
	struct buf *own = &b->text[bench_arch_of(bench_arch())];
	int err = bench_ask_qemu(b->cli, "addr", read_counts, b, d);

	if (err)
		return err;
	if (!own->len)
		buf_puts(own, bench_addr_text);
	ask_mca(b);
	return 0;
}

int bench_addr(const struct bench_cli *c)
{
	struct addr_bench *b = mem_zalloc(sizeof(*b));
	struct diag d = {0};

	if (!b)
		return out_of_memory();
	b->cli = c;
	int err = c->counts ? print_counts(&d) : measure(b, &d);
	report(&d);
	int code = exit_code_of(err);
	if (!err && !c->counts)
		code = print_all(b);
	for (int a = 0; a < ARCHS; a++)
		buf_fini(&b->text[a]);
	diag_fini(&d);
	mem_free(b);
	return code;
}
