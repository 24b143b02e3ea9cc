/* weir dump: what a rule set or a BPF object is at each stage on its way to machine code. */
#include <string.h>

#include "cli/dump_cli.h"
#include "rewrite/rewrite.h"
#include "run/path.h"

static bool set_stage(void *opts, const char *arg)
{
	((struct dump_cli *)opts)->stage = arg;
	return is_program_stage(arg) || !strcmp(arg, "tree") || !strcmp(arg, "elf");
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

enum which { ANY_PASS, SKIPPED_PASS, ADDED_PASS };

static bool is_pass(char letter, enum which which)
{
	const struct pass *p;

	for (size_t i = 0; (p = pass_at(i)); i++)
		if (p->letter == letter)
			return which == ANY_PASS ||
			       p->kind == (which == SKIPPED_PASS ? PASS_OPTIONAL : PASS_ON_REQUEST);
	return false;
}

/* Letters of passes, or "*". */
static bool are_passes(const char *arg, enum which which)
{
	if (!strcmp(arg, "*"))
		return true;
	for (const char *c = arg; *c; c++)
		if (!is_pass(*c, which))
			return false;
	return *arg != '\0';
}

static bool set_passes(void *opts, const char *arg)
{
	((struct dump_cli *)opts)->passes = arg;
	return are_passes(arg, ANY_PASS);
}

static bool set_skip_passes(void *opts, const char *arg)
{
	((struct dump_cli *)opts)->skip_passes = arg;
	return are_passes(arg, SKIPPED_PASS);
}

static bool set_added_passes(void *opts, const char *arg)
{
	((struct dump_cli *)opts)->added_passes = arg;
	return are_passes(arg, ADDED_PASS);
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
	{"stage", 's', "STAGE",
		"tree (rules), elf (objects), bpf (default), verifier, rewritten, x86_64, arm64, "
		"side",
		set_stage, "one of tree, elf, bpf, verifier, rewritten, x86_64, arm64, side"},
	OBJECT_PROG_OPTION("objects: only this program (default: all)"),
	OBJECT_OPTIONS,
	OBJECT_MEM_OPTION,
	{"table", 't', "TABLE", "rules: only this table (default: all on the packet's way)",
		set_table, "a table's name"},
	{"chain", 'c', "CHAIN", "rules: the built-in chain (default INPUT)", set_chain,
		"one of PREROUTING, INPUT, FORWARD, OUTPUT, POSTROUTING"},
	{"passes", 'd', "LETTERS", "rewritten: print before and after these passes; * is all",
		set_passes, "letters of passes (man weir lists them)"},
	{"without", 0, "LETTERS", "leave these optional passes out; * is all", set_skip_passes,
		"letters of passes that can be left out (man weir lists them)"},
	{"with", 0, "LETTERS", "run these passes on request too: h hides constants",
		set_added_passes, "letters of passes on request"},
	{"percpu", 0, "BASE", "per-CPU base: pinned (default), thread, kernel, kernel-vhe",
		set_percpu, "one of pinned, thread, kernel, kernel-vhe"},
	{"ipv4", '4', NULL, "the rules are iptables'", set_v4, "for use with -6"},
	{"ipv6", '6', NULL, "the rules are ip6tables'", set_v6, "for use with -4"},
	{"lenient", 0, NULL, "repair what old versions wrote", set_lenient, ""},
	{"skip-unsupported", 0, NULL, "leave out rules that can't be run here", set_skip, ""},
	{"no-classifier", 0, NULL, "compile rule after rule, for comparison", set_no_classifier,
		""},
};

/* Options that say nothing about this kind of file. NULL: fine. */
static const char *why_not(const struct dump_cli *c, bool object)
{
	if (object && (c->table || c->hook_given || c->lenient || c->skip_unsupported ||
			      c->no_classifier || c->family))
		return "--table, --chain, --lenient, --skip-unsupported, --no-classifier, -4 and "
		       "-6 are for rule sets";
	if (!object && (c->object.prog || c->object.type || c->object.mem_bytes || c->object.btf ||
			       c->object.kconfig))
		return "--prog, --type, --mem-size, --btf and --kconfig are for BPF objects";
	return NULL;
}

static bool is_one_of(const char *stage, const char *const *stages)
{
	for (; *stages; stages++)
		if (!strcmp(stage, *stages))
			return true;
	return false;
}

/* Options that say nothing about this stage. NULL: fine. */
static const char *why_not_here(const struct dump_cli *c)
{
	static const char *const behind_passes[] = {"rewritten", "x86_64", "arm64", "side", NULL};

	if (c->passes && strcmp(c->stage, "rewritten"))
		return "-d, --passes is for --stage rewritten";
	if ((c->skip_passes || c->added_passes) && !is_one_of(c->stage, behind_passes))
		return "--without and --with are for stages behind the passes: rewritten, x86_64, "
		       "arm64, side";
	if (c->percpu && !is_one_of(c->stage, behind_passes + 1))
		return "--percpu is for machine code: --stage x86_64, arm64, side";
	const char *added = c->added_passes ? c->added_passes : "";
	for (const char *p = c->passes; p && *p; p++)
		if (is_pass(*p, ADDED_PASS) && strcmp(added, "*") && !strchr(added, *p))
			return "-d, --passes names a pass that runs on request only: see --with";
	return NULL;
}

static int dump_main(void *opts, char **args, u32 nr_args)
{
	struct dump_cli *c = opts;
	struct buf out = {0};
	int code;

	(void)nr_args;
	if (!c->stage)
		c->stage = "bpf";
	if (!c->hook_given)
		c->hook = HOOK_INPUT;
	const char *why = why_not(c, is_elf_file(args[0]));
	if (!why)
		why = why_not_here(c);
	if (why) {
		complain("%s: %s", args[0], why);
		return EXIT_USAGE;
	}
	if (is_elf_file(args[0])) {
#ifdef HAVE_OBJ
		code = dump_object(c, args[0], &out);
#else
		complain(
			"%s: this weir was built without libelf, which reads BPF objects", args[0]);
		code = EXIT_REFUSED;
#endif
	} else if (!strcmp(c->stage, "elf")) {
		complain("%s: is no ELF file", args[0]);
		code = EXIT_REFUSED;
	} else {
		code = dump_rules(c, args[0], &out);
	}
	if (out.len || !code) {
		int written = write_out(stdout, &out);

		code = code ? code : written;
	}
	buf_fini(&out);
	return code;
}

const struct subcommand cmd_dump = {
	.name = "dump",
	.summary = "print what a rule set or BPF object becomes: tree, BPF, machine code",
	.usage = "RULES|OBJ [--stage STAGE] [options]",
	.examples = "examples:\n"
		    "  weir dump rules.v6 --stage tree            what was read\n"
		    "  weir dump rules.v6                         the BPF program of INPUT, rule "
		    "by rule\n"
		    "  weir dump rules.v6 --stage rewritten -d m  before and after inlining the "
		    "map lookups\n"
		    "  weir dump rules.v6 --stage arm64 -c OUTPUT ARM64 code, on any machine\n"
		    "  weir dump prog.o --stage side              C source, BPF, x86-64 and ARM64 "
		    "side by side\n",
	.options = dump_options,
	.nr_options = ARRAY_LEN(dump_options),
	.min_args = 1,
	.max_args = 1,
	.opts_bytes = sizeof(struct dump_cli),
	.run = dump_main,
};
