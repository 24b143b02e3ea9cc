/* weir check: is a rule file right, and how would ip[6]tables-save print it? */
#include <errno.h>
#include <string.h>

#include "base/alloc.h"
#include "cli/cli.h"
#include "rules/parse.h"
#include "rules/print.h"

struct check_cli {
	enum family family;
	bool lenient, quiet, counters, runnable;
};

static bool set_v4(void *opts, const char *arg)
{
	(void)arg;
	return choose_family(&((struct check_cli *)opts)->family, FAMILY_IPV4);
}

static bool set_v6(void *opts, const char *arg)
{
	(void)arg;
	return choose_family(&((struct check_cli *)opts)->family, FAMILY_IPV6);
}

static bool set_lenient(void *opts, const char *arg)
{
	(void)arg;
	((struct check_cli *)opts)->lenient = true;
	return true;
}

static bool set_quiet(void *opts, const char *arg)
{
	(void)arg;
	((struct check_cli *)opts)->quiet = true;
	return true;
}

static bool set_counters(void *opts, const char *arg)
{
	(void)arg;
	((struct check_cli *)opts)->counters = true;
	return true;
}

static bool set_runnable(void *opts, const char *arg)
{
	(void)arg;
	((struct check_cli *)opts)->runnable = true;
	return true;
}

static const struct cli_option check_options[] = {
	{"ipv4", '4', NULL, "the rules are iptables'", set_v4, "for use with -6"},
	{"ipv6", '6', NULL, "the rules are ip6tables'", set_v6, "for use with -4"},
	{"lenient", 0, NULL, "repair what old versions wrote ('-s ! x', CRLF, ...)", set_lenient,
		""},
	{"counters", 'c', NULL, "print a counter, zero, before each rule, as save -c does",
		set_counters, ""},
	{"runnable", 'r', NULL, "also say which rules of any chain can't be run here", set_runnable,
		""},
	{"quiet", 'q', NULL, "only check, print nothing", set_quiet, ""},
};

/* Every rule of the file, whether packets get there or not; the table nat can't be run at all. */
static int check_all_runnable(const struct ruleset *set, struct diag *d)
{
	struct chain **chains = mem_alloc(array_size(set->nr_chains, sizeof(struct chain *)));
	u32 n = 0, bad = 0;

	if (!chains)
		return diag_nomem(d);
	for (const struct table *t = set->tables; t; t = t->next) {
		bool nat = !strcmp(t->name, "nat");

		if (nat)
			diag_fail(d, t->chains->pos, ENOTSUP,
				"table nat can't be run here: it counts connections, and that "
				"needs a flow table");
		bad += nat;
		for (struct chain *c = t->chains; c && !nat; c = c->next)
			chains[n++] = c;
	}
	bad += rules_check_runnable(set, chains, n, NULL, d);
	mem_free(chains);
	return bad ? -ENOTSUP : 0;
}

static void warn_unknown(
	const struct ruleset *set, const struct extension *e, const char *what, struct diag *d)
{
	if (e->match || e->target || e->known)
		return;
	diag_warn(d, e->pos,
		"weir doesn't know the %s '%s' and can't check its options; they are kept as they "
		"are",
		what, e->name);
	struct str line = ruleset_line(set, e->pos);
	diag_source(d, line.p, line.len);
}

/* A typing error in a module's name must not pass in silence. */
static void warn_all_unknown(const struct ruleset *set, struct diag *d)
{
	for (const struct table *t = set->tables; t; t = t->next)
		for (const struct chain *c = t->chains; c; c = c->next)
			for (const struct rule *r = c->rules; r; r = r->next) {
				for (u32 i = 0; i < r->nr_matches; i++)
					warn_unknown(set, &r->matches[i], "match", d);
				if (r->target == TARGET_EXT)
					warn_unknown(set, &r->ext, "target", d);
			}
}

static int check_main(void *opts, char **args, u32 nr_args)
{
	struct check_cli *c = opts;
	struct diag d = {0};
	struct buf text = {0}, out = {0};
	struct ruleset *set = NULL;
	int err = load_rules(args[0], c->family, c->lenient, &text, &set, &d), code;

	(void)nr_args;
	if (!err)
		warn_all_unknown(set, &d);
	if (!err && c->runnable)
		err = check_all_runnable(set, &d);
	report(&d);
	code = exit_code_of(err);
	if (!err && !c->quiet) {
		rules_print_save(&out, set, NULL, c->counters ? PRINT_COUNTERS : 0);
		code = write_out(stdout, &out);
	}
	ruleset_free(set);
	buf_fini(&out);
	buf_fini(&text);
	diag_fini(&d);
	return code;
}

const struct subcommand cmd_check = {
	.name = "check",
	.summary = "check a rule file and print it as ip[6]tables-save would",
	.usage = "RULES [options]",
	.examples = "examples:\n"
		    "  weir check rules.v6                 errors with line and column, or the "
		    "rules in save's form\n"
		    "  weir check -q rules.v4 && echo ok   only the exit code\n"
		    "  ip6tables-save | weir check -6 -    from a pipe\n",
	.options = check_options,
	.nr_options = ARRAY_LEN(check_options),
	.min_args = 1,
	.max_args = 1,
	.opts_bytes = sizeof(struct check_cli),
	.run = check_main,
};
