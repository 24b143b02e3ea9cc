/* weir bench: how fast is native code here, beside compiled C and the kernel? */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "bench/count.h"
#include "bench/sample.h"
#include "cli/bench_cli.h"

enum { REPEATS_DEFAULT = 31 };

#ifndef HAVE_BENCH
int bench_jit(const struct bench_cli *c)
{
	(void)c;
	complain("this weir was built without the programs of this benchmark: they want a clang "
		 "that compiles BPF (Debian: "
		 "clang) when weir is built; then 'meson setup --reconfigure -Dbench=enabled "
		 "BUILD'");
	return EXIT_REFUSED;
}
#endif

static const struct {
	const char *name;
	int (*run)(const struct bench_cli *c);
} benches[] = {
	{"jit", bench_jit},
	{"percpu", bench_percpu},
	{"addr", bench_addr},
};

static bool is_plain(const char *name)
{
	return *name && strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_-") == strlen(name);
}

/* Options that say nothing to this benchmark. NULL: fine. */
static const char *why_not(const struct bench_cli *c, const char *name)
{
	if (!strcmp(name, "addr") && (c->only || c->list || c->repeats))
		return "addr counts instructions: it has no --only, --list, --repeats";
	if (!strcmp(name, "percpu") && c->repeats == 1)
		return "percpu prints deviations: --repeats is 2 at least, and 10 if they are to "
		       "mean something";
	if (c->list && c->json)
		return "--list prints names only, not as JSON";
	if (c->no_qemu && c->nr_commands)
		return "--qemu none, or --qemu with a command";
	return NULL;
}

static int bench_main(void *opts, char **args, u32 nr_args)
{
	struct bench_cli *c = opts;
	const char *why = why_not(c, args[0]);

	(void)nr_args;
	if (why) {
		complain("bench: %s", why);
		return EXIT_USAGE;
	}
	if (!c->repeats)
		c->repeats = REPEATS_DEFAULT;
	for (size_t i = 0; i < ARRAY_LEN(benches); i++)
		if (!strcmp(args[0], benches[i].name))
			return benches[i].run(c);
	complain("there is no benchmark '%s'; there are jit, percpu, addr", args[0]);
	return EXIT_USAGE;
}

static bool set_json(void *opts, const char *arg)
{
	(void)arg;
	((struct bench_cli *)opts)->json = true;
	return true;
}

static bool set_list(void *opts, const char *arg)
{
	(void)arg;
	((struct bench_cli *)opts)->list = true;
	return true;
}

static bool set_only(void *opts, const char *arg)
{
	((struct bench_cli *)opts)->only = arg;
	return is_plain(arg);
}

static bool set_repeats(void *opts, const char *arg)
{
	u64 n;

	if (!str_to_u64(str_of(arg), &n) || n < 1 || n > BENCH_REPEATS_MAX)
		return false;
	((struct bench_cli *)opts)->repeats = (u32)n;
	return true;
}

static bool set_qemu(void *opts, const char *arg)
{
	struct bench_cli *c = opts;

	if (!strcmp(arg, "none")) {
		c->no_qemu = true;
		return true;
	}
	if (c->nr_commands == BENCH_COMMANDS_MAX)
		return false;
	c->commands[c->nr_commands++] = arg;
	return true;
}

static bool set_counts(void *opts, const char *arg)
{
	(void)arg;
	((struct bench_cli *)opts)->counts = true;
	return bench_counting();
}

static const struct cli_option bench_options[] = {
	{"only", 0, "NAME", "only this program", set_only, "a name"},
	{"repeats", 0, "N", "samples of each (default 31)", set_repeats, "a number from 1 to 1001"},
	{"qemu", 0, "COMMAND...",
		"weir under qemu with the plugin qemu_count.so, to count executed instructions; "
		"may be "
		"repeated; 'none': don't count (default: the builds found around this one)",
		set_qemu, "one of at most 4 commands"},
	{"counts", 0, NULL,
		"print executed instructions only, as a run under qemu does for another",
		set_counts, "possible outside of qemu with the plugin qemu_count.so"},
	{"list", 0, NULL, "print the programs' names", set_list, ""},
	{"json", 0, NULL, "print as JSON", set_json, ""},
};

const struct subcommand cmd_bench = {
	.name = "bench",
	.summary = "measure native code beside compiled C, the interpreter and the kernel",
	.usage = "jit|percpu|addr [options]",
	.examples = "examples:\n"
		    "  weir bench jit                                   the whole table; as root "
		    "with the kernel's column\n"
		    "  weir bench jit --only murmur --repeats 5         one program, quickly\n"
		    "  weir bench jit --qemu 'qemu-aarch64 -L / -plugin build/bench/qemu_count.so "
		    "build-arm64/weir'\n"
		    "\n"
		    "exit code: 0 measured, whatever came out; 1 something can't be run or gave a "
		    "wrong result, 2 wrong command\n"
		    "line, 4 memory ran out\n",
	.options = bench_options,
	.nr_options = ARRAY_LEN(bench_options),
	.min_args = 1,
	.max_args = 1,
	.opts_bytes = sizeof(struct bench_cli),
	.run = bench_main,
};
