#include "run/path.h"

#include <errno.h>
#include <string.h>

#include "engine/engine.h"
#include "isa/prog.h"
#include "map/map.h"

static const char *const hook_names[NR_HOOKS] = {
	[HOOK_PREROUTING] = "PREROUTING",
	[HOOK_INPUT] = "INPUT",
	[HOOK_FORWARD] = "FORWARD",
	[HOOK_OUTPUT] = "OUTPUT",
	[HOOK_POSTROUTING] = "POSTROUTING",
};

const char *hook_name(enum hook hook)
{
	return hook_names[hook];
}

enum hook hook_by_name(const char *name)
{
	for (int i = 0; i < NR_HOOKS; i++)
		if (!strcmp(name, hook_names[i]))
			return (enum hook)i;
	return HOOK_NONE;
}

/* Tables at a hook by priority: raw -300, mangle -150, nat -100 or 100, filter 0, security 50. The
 * nat table's two sides stand where the kernel has them: destinations before filter, sources behind
 * it. */
static const char *const table_order[NR_HOOKS][5] = {
	[HOOK_PREROUTING] = {"raw", "mangle", "nat"},
	[HOOK_INPUT] = {"mangle", "filter", "security", "nat"},
	[HOOK_FORWARD] = {"mangle", "filter", "security"},
	[HOOK_OUTPUT] = {"raw", "mangle", "nat", "filter", "security"},
	[HOOK_POSTROUTING] = {"mangle", "nat"},
};

/* The hooks passed by a packet that is asked about at one of them, up to the last. */
static const enum hook hook_way[NR_HOOKS][4] = {
	[HOOK_PREROUTING] = {HOOK_PREROUTING, HOOK_NONE},
	[HOOK_INPUT] = {HOOK_PREROUTING, HOOK_INPUT, HOOK_NONE},
	[HOOK_FORWARD] = {HOOK_PREROUTING, HOOK_FORWARD, HOOK_POSTROUTING, HOOK_NONE},
	[HOOK_OUTPUT] = {HOOK_OUTPUT, HOOK_POSTROUTING, HOOK_NONE},
	[HOOK_POSTROUTING] = {HOOK_POSTROUTING, HOOK_NONE},
};

const enum hook *path_way(enum hook hook)
{
	return hook_way[hook];
}

static struct chain *builtin_chain(const struct table *t, enum hook hook)
{
	for (struct chain *c = t ? t->chains : NULL; c; c = c->next)
		if (c->hook == hook)
			return c;
	return NULL;
}

static bool is_nat(const struct chain *c)
{
	return !strcmp(c->table->name, "nat");
}

/* All chains on the way, nat's too. */
static u32 whole_way(
	const struct ruleset *set, enum hook hook, struct chain **chains, enum hook *hooks)
{
	u32 n = 0;

	for (size_t i = 0; hook_way[hook][i] != HOOK_NONE; i++) {
		enum hook at = hook_way[hook][i];

		for (size_t t = 0; t < ARRAY_LEN(table_order[at]) && table_order[at][t]; t++) {
			struct chain *c = builtin_chain(ruleset_table(set, table_order[at][t]), at);

			if (!c)
				continue;
			chains[n] = c;
			hooks[n++] = at;
		}
	}
	return n;
}

static u32 one_table(const struct ruleset *set, enum hook hook, const char *table,
	struct chain **chains, enum hook *hooks, struct diag *d)
{
	const struct table *t = ruleset_table(set, table);
	struct chain *c = builtin_chain(t, hook);

	if (!t)
		diag_fail(d, pos_text(set->file, 0, 0), ENOENT, "has no table %s", table);
	else if (!c)
		diag_fail(d, pos_text(set->file, 0, 0), ENOENT, "table %s has no chain %s", table,
			hook_name(hook));
	else if (is_nat(c))
		diag_fail(d, c->pos, ENOTSUP,
			"table nat can't be run here: it counts connections, and that needs a flow "
			"table");
	else {
		chains[0] = c;
		hooks[0] = hook;
		return 1;
	}
	return 0;
}

u32 path_chains(const struct ruleset *set, enum hook hook, const char *table, struct chain **chains,
	enum hook *hooks, struct diag *d)
{
	u32 n = 0;

	if (table)
		return one_table(set, hook, table, chains, hooks, d);
	u32 all = whole_way(set, hook, chains, hooks);
	for (u32 i = 0; i < all; i++) {
		if (is_nat(chains[i]))
			continue;
		chains[n] = chains[i];
		hooks[n++] = hooks[i];
	}
	if (!n)
		diag_fail(d, pos_text(set->file, 0, 0), ENOENT,
			"has no table to run with a chain %s or on the way to it", hook_name(hook));
	return n;
}

u32 path_nat_chains(
	const struct ruleset *set, enum hook hook, const char *table, struct chain **chains)
{
	enum hook hooks[PATH_STEPS_MAX];
	u32 n = 0, all = table ? 0 : whole_way(set, hook, chains, hooks);

	for (u32 i = 0; i < all; i++)
		if (is_nat(chains[i]))
			chains[n++] = chains[i];
	return n;
}

static int step_load(
	struct step *s, struct map *counters, const struct path_opts *opts, struct diag *d)
{
	struct compile_opts compile = {.skip = opts->skip, .no_classifier = opts->no_classifier};
	struct engine_opts engine = {.kind = opts->engine == RUN_JIT ? ENGINE_JIT : ENGINE_INTERP};
	struct prog *prog;
	int err = rules_compile(s->chain, counters, &compile, &prog, d);

	if (err)
		return err;
	err = engine_load(prog, &engine, &s->loaded, d);
	prog_free(prog);
	return err;
}

int path_new(const struct ruleset *set, const struct path_opts *opts, struct cpus *cpus,
	struct path *out, struct diag *d)
{
	struct chain *chains[PATH_STEPS_MAX];
	enum hook hooks[PATH_STEPS_MAX];
	struct path p = {.nr_steps = path_chains(set, opts->hook, opts->table, chains, hooks, d)};
	int err = p.nr_steps ? 0 : -ENOENT;

	if (!err && opts->engine != RUN_EVAL)
		err = rules_counters_new(set, cpus, &p.counters, d);
	for (u32 i = 0; !err && i < p.nr_steps; i++) {
		p.steps[i] = (struct step){.hook = hooks[i], .chain = chains[i]};
		if (opts->engine != RUN_EVAL)
			err = step_load(&p.steps[i], p.counters, opts, d);
	}
	if (err) {
		path_fini(&p);
		return err;
	}
	*out = p;
	return 0;
}

void path_fini(struct path *p)
{
	for (u32 i = 0; i < p->nr_steps; i++)
		loaded_free(p->steps[i].loaded);
	map_put(p->counters);
	*p = (struct path){0};
}
