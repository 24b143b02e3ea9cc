/* weir dump RULES: the programs that a rule set becomes. */
#include <errno.h>
#include <string.h>

#include "base/alloc.h"
#include "cli/dump_cli.h"
#include "cpu/cpu.h"
#include "isa/prog.h"
#include "map/map.h"
#include "rules/compile.h"
#include "rules/parse.h"
#include "rules/print.h"
#include "run/path.h"

static int dump_chain(const struct dump_cli *c, struct chain *chain, struct map *counters,
	const bool *skip, struct buf *out, struct diag *d)
{
	struct compile_opts opts = {.skip = skip, .no_classifier = c->no_classifier};
	struct prog *p;
	int err = rules_compile(chain, counters, &opts, &p, d);

	if (err)
		return err;
	buf_printf(out, "; %s %s\n", chain->table->name, chain->name);
	err = dump_program(c, p, out, d);
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

int dump_rules(const struct dump_cli *c, const char *path, struct buf *out)
{
	struct diag d = {0};
	struct buf text = {0};
	struct ruleset *set = NULL;
	int err = load_rules(path, c->family, c->lenient, &text, &set, &d);

	if (!err && !strcmp(c->stage, "tree"))
		rules_print_tree(out, set);
	else if (!err)
		err = dump_programs(c, set, out, &d);
	report(&d);
	drop_result(out, err);
	ruleset_free(set);
	buf_fini(&text);
	diag_fini(&d);
	return exit_code_of(err);
}
