/* What the files of `weir bench` share. */
#ifndef WEIR_CLI_BENCH_CLI_H
#define WEIR_CLI_BENCH_CLI_H

#include "cli/cli.h"

enum { BENCH_COMMANDS_MAX = 4 };

enum bench_arch { X86_64, ARM64, ARCHS };
extern const char *const bench_arch_names[ARCHS]; /* as bench_arch() and JSON have them */
int bench_arch_of(const char *name);		  /* -1: another */

struct bench_cli {
	const char *only; /* NULL: all */
	const char *commands[BENCH_COMMANDS_MAX]; /* that run weir under qemu */
	u32 nr_commands;
	bool no_qemu;
	u32 repeats;
	bool json, list, counts;
};

/* One line of the tables: a figure, and what it shall be at most. */
struct bench_figure {
	const char *name;
	const char *unit;
	double limit; /* 0: there is none */
	bool known;
	double value;
	char remark[160]; /* where it isn't known, why */
};

/* "figure, measured, to reach, mark"; as JSON a list of objects. */
void bench_print_figures(struct buf *out, const struct bench_figure *figures, size_t n, bool json);
/* Sets one. */
void bench_know(struct bench_figure *f, double value, const char *remark, ...) PRINTF_LIKE(3, 4);
/* It couldn't be measured. */
void bench_unknown(struct bench_figure *f, const char *why, ...) PRINTF_LIKE(2, 3);

/* Runs `weir bench WHAT --counts` for both architectures, as far as it can, and hands over the lines; line says whether it
 * was one with counts. -errno: a command of --qemu counts nothing. */
int bench_ask_qemu(const struct bench_cli *c, const char *what, bool (*line)(void *arg, const char *text), void *arg,
	struct diag *d);

int bench_jit(const struct bench_cli *c);
int bench_addr(const struct bench_cli *c);
int bench_percpu(const struct bench_cli *c);

#endif
