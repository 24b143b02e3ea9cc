/* The tables of `weir bench`: figures with what is to be reached. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/alloc.h"
#include "bench/count.h"
#include "cli/bench_cli.h"

const char *const bench_arch_names[ARCHS] = {"x86_64", "arm64"};

int bench_arch_of(const char *name)
{
	for (int a = 0; a < ARCHS; a++)
		if (!strcmp(name, bench_arch_names[a]))
			return a;
	return -1;
}

void bench_know(struct bench_figure *f, double value, const char *remark, ...)
{
	va_list args;

	f->known = isfinite(value);
	f->value = value;
	va_start(args, remark);
	vsnprintf(f->remark, sizeof(f->remark), remark, args);
	va_end(args);
}

void bench_unknown(struct bench_figure *f, const char *why, ...)
{
	va_list args;

	f->known = false;
	va_start(args, why);
	vsnprintf(f->remark, sizeof(f->remark), why, args);
	va_end(args);
}

/* What is printed is what is compared: 1.004 reaches 1.00. */
static double rounded(double value)
{
	return round(value * 100) / 100;
}

static bool reached(const struct bench_figure *f)
{
	return rounded(f->value) <= f->limit;
}

static const char *mark_of(const struct bench_figure *f)
{
	if (f->limit <= 0)
		return "";
	if (!f->known)
		return "?";
	return reached(f) ? "ok" : "MISSED";
}

static void print_text(struct buf *out, const struct bench_figure *f)
{
	char measured[32] = "-", limit[32] = "";

	if (f->known)
		snprintf(measured, sizeof(measured), "%.2f", f->value);
	if (f->limit > 0)
		snprintf(limit, sizeof(limit), "<= %.2f", f->limit);
	buf_printf(out, "%-66s %10s %-12s %10s  %-6s %s\n", f->name, measured, f->unit, limit,
		mark_of(f), f->remark);
}

static void print_json(struct buf *out, const struct bench_figure *f)
{
	buf_puts(out, "{\"name\":");
	buf_json_string(out, f->name, strlen(f->name));
	buf_puts(out, ",\"unit\":");
	buf_json_string(out, f->unit, strlen(f->unit));
	if (f->known)
		buf_printf(out, ",\"measured\":%.4f", f->value);
	else
		buf_puts(out, ",\"measured\":null");
	if (f->limit > 0)
		buf_printf(out, ",\"to_reach\":%.2f", f->limit);
	if (f->limit > 0 && f->known)
		buf_printf(out, ",\"reached\":%s", reached(f) ? "true" : "false");
	buf_puts(out, ",\"remark\":");
	buf_json_string(out, f->remark, strlen(f->remark));
	buf_puts(out, "}");
}

void bench_print_figures(struct buf *out, const struct bench_figure *figures, size_t n, bool json)
{
	if (!json)
		buf_printf(out, "%-66s %10s %-12s %10s\n", "figure", "measured", "", "to reach");
	for (size_t i = 0; i < n; i++) {
		if (json && i)
			buf_puts(out, ",\n");
		(json ? print_json : print_text)(out, &figures[i]);
	}
}

/* Who takes a command's lines, and how many were counts. */
struct listener {
	bool (*line)(void *arg, const char *text);
	void *arg;
	u32 taken;
};

static void hear(void *arg, const char *text)
{
	struct listener *l = arg;

	l->taken += l->line(l->arg, text);
}

/* A command that says nothing is no weir under qemu. */
static int ask(const struct bench_cli *c, const char *command, const char *what,
	struct listener *to, struct diag *d)
{
	struct buf all = {0};

	to->taken = 0;
	buf_printf(&all, "%s bench %s --counts", command, what);
	if (c->only)
		buf_printf(&all, " --only '%s'", c->only);
	int err = all.failed ? diag_nomem(d) : bench_command(buf_cstr(&all), hear, to, d);
	if (!err && !to->taken)
		err = diag_fail(d, pos_none(), EINVAL,
			"'%s' printed no counts; a command is wanted that runs weir under qemu "
			"with the plugin qemu_count.so",
			buf_cstr(&all));
	buf_fini(&all);
	return err;
}

/* Builds that happen to be around may be old ones: they are no reason not to measure. */
static void ask_around(const struct bench_cli *c, const char *what, struct listener *to)
{
	char command[3000];

	for (int a = 0; a < ARCHS; a++) {
		struct diag d = {0};

		if (bench_qemu(bench_arch_names[a], command, sizeof(command)) &&
			ask(c, command, what, to, &d))
			complain("no counts: %s", diag_first(&d));
		diag_fini(&d);
	}
}

int bench_ask_qemu(const struct bench_cli *c, const char *what,
	bool (*line)(void *arg, const char *text), void *arg, struct diag *d)
{
	struct listener to = {.line = line, .arg = arg};
	int err = 0;

	fflush(stdout);
	for (u32 i = 0; !err && i < c->nr_commands; i++)
		err = ask(c, c->commands[i], what, &to, d);
	if (!c->no_qemu && !c->nr_commands)
		ask_around(c, what, &to);
	return err;
}
