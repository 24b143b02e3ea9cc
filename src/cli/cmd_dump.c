/* weir dump: what a rule set is at each stage on its way to machine code. */
#include <errno.h>
#include <string.h>

#include "base/alloc.h"
#include "cli/cli.h"
#include "cli/listing.h"
#include "cpu/cpu.h"
#include "isa/isa.h"
#include "isa/prog.h"
#include "jit/jit.h"
#include "map/map.h"
#include "rewrite/rewrite.h"
#include "rules/compile.h"
#include "rules/parse.h"
#include "rules/print.h"
#include "run/path.h"
#include "verify/verify.h"

struct dump_cli {
	const char *stage, *table, *passes, *skip_passes;
	enum hook hook;
	bool hook_given, lenient, no_classifier, skip_unsupported;
	enum family family;
	enum percpu_base percpu;
};

/* A stage prints one program, which it may use up. */
struct dump_stage {
	const char *name;
	int (*print)(const struct dump_cli *c, struct prog *p, struct buf *out, struct diag *d);
};

static int print_bpf(const struct dump_cli *c, struct prog *p, struct buf *out, struct diag *d)
{
	(void)c;
	(void)d;
	prog_print(out, p);
	return 0;
}

static int run_passes(const struct dump_cli *c, struct prog *p, struct facts *facts,
	struct buf *dump_to, struct diag *d)
{
	struct rewrite_opts opts = {.dump = c->passes, .dump_to = dump_to, .skip = c->skip_passes};
	int err = verify(p, NULL, facts, NULL, d);

	return err ? err : rewrite(p, facts, &opts, d);
}

static int print_rewritten(
	const struct dump_cli *c, struct prog *p, struct buf *out, struct diag *d)
{
	struct facts facts = {0};
	int err = run_passes(c, p, &facts, out, d);

	if (!err && !c->passes)
		prog_print(out, p);
	facts_fini(&facts);
	return err;
}

static int print_machine(const struct dump_cli *c, struct prog *p, struct buf *out, struct diag *d)
{
	struct jit_opts opts = {.target = jit_target_by_name(c->stage), .percpu = c->percpu};
	struct jit_image image = {0};
	struct facts facts = {0};
	int err = run_passes(c, p, &facts, NULL, d);

	if (!err)
		err = jit_compile(p, &facts, &opts, &image, d);
	if (!err)
		err = listing_print(out, p, &image, d);
	jit_image_fini(&image);
	facts_fini(&facts);
	return err;
}

static int print_log(const struct dump_cli *c, struct prog *p, struct buf *out, struct diag *d)
{
	struct verify_opts opts = {.log_level = 2, .log = out};
	struct facts facts = {0};
	int err = verify(p, &opts, &facts, NULL, d);

	(void)c;
	facts_fini(&facts);
	return err;
}

static const struct dump_stage stages[] = {
	{"tree", NULL}, /* of the whole rule set, not of a program */
	{"bpf", print_bpf},
	{"verifier", print_log},
	{"rewritten", print_rewritten},
	{"x86_64", print_machine},
	{"arm64", print_machine},
};

static bool set_stage(void *opts, const char *arg)
{
	for (size_t i = 0; i < ARRAY_LEN(stages); i++)
		if (!strcmp(arg, stages[i].name)) {
			((struct dump_cli *)opts)->stage = arg;
			return true;
		}
	return false;
}

static bool set_table(void *opts, const char *arg)
{
	((struct dump_cli *)opts)->table = arg;
	return *arg != '\0';
}

static bool set_chain(void *opts, const char *arg)
{
	struct dump_cli *c = opts;

	c->hook = hook_by_name(arg);
	c->hook_given = true;
	return c->hook != HOOK_NONE;
}

static bool is_pass(char letter, bool optional)
{
	const struct pass *p;

	for (size_t i = 0; (p = pass_at(i)); i++)
		if (p->letter == letter)
			return !optional || !p->needed;
	return false;
}

/* Letters of passes, or "*". */
static bool are_passes(const char *arg, bool optional)
{
	if (!strcmp(arg, "*"))
		return true;
	for (const char *c = arg; *c; c++)
		if (!is_pass(*c, optional))
			return false;
	return *arg != '\0';
}

static bool set_passes(void *opts, const char *arg)
{
	((struct dump_cli *)opts)->passes = arg;
	return are_passes(arg, false);
}

static bool set_skip_passes(void *opts, const char *arg)
{
	((struct dump_cli *)opts)->skip_passes = arg;
	return are_passes(arg, true);
}

static bool set_percpu(void *opts, const char *arg)
{
	static const char *const names[] = {[PERCPU_PINNED] = "pinned",
		[PERCPU_THREAD] = "thread",
		[PERCPU_KERNEL] = "kernel",
		[PERCPU_KERNEL_VHE] = "kernel-vhe"};

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (!strcmp(arg, names[i])) {
			((struct dump_cli *)opts)->percpu = (enum percpu_base)i;
			return true;
		}
	return false;
}

static bool set_v4(void *opts, const char *arg)
{
	(void)arg;
	return choose_family(&((struct dump_cli *)opts)->family, FAMILY_IPV4);
}

static bool set_v6(void *opts, const char *arg)
{
	(void)arg;
	return choose_family(&((struct dump_cli *)opts)->family, FAMILY_IPV6);
}

static bool set_lenient(void *opts, const char *arg)
{
	(void)arg;
	((struct dump_cli *)opts)->lenient = true;
	return true;
}

static bool set_no_classifier(void *opts, const char *arg)
{
	(void)arg;
	((struct dump_cli *)opts)->no_classifier = true;
	return true;
}

static bool set_skip(void *opts, const char *arg)
{
	(void)arg;
	((struct dump_cli *)opts)->skip_unsupported = true;
	return true;
}

static const struct cli_option dump_options[] = {
	{"stage", 's', "STAGE", "tree, bpf (default), verifier, rewritten, x86_64 or arm64",
		set_stage, "one of tree, bpf, verifier, rewritten, x86_64, arm64"},
	{"table", 't', "TABLE", "only this table (default: all on the packet's way)", set_table,
		"a table's name"},
	{"chain", 'c', "CHAIN", "the built-in chain (default INPUT)", set_chain,
		"one of PREROUTING, INPUT, FORWARD, OUTPUT, POSTROUTING"},
	{"passes", 'd', "LETTERS", "rewritten: print before and after these passes; * is all",
		set_passes, "letters of passes (man weir lists them)"},
	{"without", 0, "LETTERS", "leave these optional passes out; * is all", set_skip_passes,
		"letters of passes that can be left out (man weir lists them)"},
	{"percpu", 0, "BASE", "per-CPU base: pinned (default), thread, kernel, kernel-vhe",
		set_percpu, "one of pinned, thread, kernel, kernel-vhe"},
	{"ipv4", '4', NULL, "the rules are iptables'", set_v4, "for use with -6"},
	{"ipv6", '6', NULL, "the rules are ip6tables'", set_v6, "for use with -4"},
	{"lenient", 0, NULL, "repair what old versions wrote", set_lenient, ""},
	{"skip-unsupported", 0, NULL, "leave out rules that can't be run here", set_skip, ""},
	{"no-classifier", 0, NULL, "compile rule after rule, for comparison", set_no_classifier,
		""},
};

static int dump_chain(const struct dump_cli *c, struct chain *chain, struct map *counters,
	const bool *skip, struct buf *out, struct diag *d)
{
	struct compile_opts opts = {.skip = skip, .no_classifier = c->no_classifier};
	struct prog *p;
	int err = rules_compile(chain, counters, &opts, &p, d);

	if (err)
		return err;
	buf_printf(out, "; %s %s\n", chain->table->name, chain->name);
	for (size_t i = 0; i < ARRAY_LEN(stages); i++)
		if (!strcmp(stages[i].name, c->stage))
			err = stages[i].print(c, p, out, d);
	prog_free(p);
	return err;
}

static int dump_programs(
	const struct dump_cli *c, const struct ruleset *set, struct buf *out, struct diag *d)
{
	struct chain *chains[PATH_STEPS_MAX];
	enum hook hooks[PATH_STEPS_MAX];
	u32 n = path_chains(set, c->hook, c->table, chains, hooks, d);
	bool *skip = mem_zalloc(set->nr_counters + 1);
	struct cpus *cpus = NULL;
	struct map *counters = NULL;
	int err = !n ? -ENOENT : !skip ? diag_nomem(d) : 0;

	if (!err && rules_check_runnable(set, chains, n, skip, d) && !c->skip_unsupported)
		err = -ENOTSUP;
	if (!err)
		err = cpus_new(1, &cpus, d);
	if (!err)
		err = rules_counters_new(set, cpus, &counters, d);
	for (u32 i = 0; !err && i < n; i++)
		err = dump_chain(c, chains[i], counters, skip, out, d);
	map_put(counters);
	cpus_free(cpus);
	mem_free(skip);
	return err;
}

static int dump_main(void *opts, char **args, u32 nr_args)
{
	struct dump_cli *c = opts;
	struct diag d = {0};
	struct buf text = {0}, out = {0};
	struct ruleset *set = NULL;

	(void)nr_args;
	if (!c->stage)
		c->stage = "bpf";
	if (!c->hook_given)
		c->hook = HOOK_INPUT;
	int err = load_rules(args[0], c->family, c->lenient, &text, &set, &d);
	if (!err && !strcmp(c->stage, "tree"))
		rules_print_tree(&out, set);
	else if (!err)
		err = dump_programs(c, set, &out, &d);
	report(&d);
	int code = exit_code_of(err);
	if (out.len) {
		int written = write_out(stdout, &out);

		code = code ? code : written;
	}
	ruleset_free(set);
	buf_fini(&out);
	buf_fini(&text);
	diag_fini(&d);
	return code;
}

const struct subcommand cmd_dump = {
	.name = "dump",
	.summary = "print what a rule set becomes: tree, BPF, machine code",
	.usage = "RULES [--stage STAGE] [options]",
	.examples = "examples:\n"
		    "  weir dump rules.v6 --stage tree            what was read\n"
		    "  weir dump rules.v6                         the BPF program of INPUT, rule "
		    "by rule\n"
		    "  weir dump rules.v6 --stage rewritten -d m  before and after inlining the "
		    "map lookups\n"
		    "  weir dump rules.v6 --stage arm64 -c OUTPUT ARM64 code, on any machine\n",
	.options = dump_options,
	.nr_options = ARRAY_LEN(dump_options),
	.min_args = 1,
	.max_args = 1,
	.opts_bytes = sizeof(struct dump_cli),
	.run = dump_main,
};
