/* Public interface: rule sets, filters and their counters. */
#include "weir/rules.h"

#include <errno.h>
#include <stdatomic.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "engine/api.h"
#include "engine/engine.h"
#include "engine/error.h"
#include "isa/prog.h"
#include "map/map.h"
#include "rules/compile.h"
#include "rules/counters.h"
#include "rules/parse.h"
#include "rules/print.h"

_Static_assert(WEIR_IPV4 == (int)FAMILY_IPV4 && WEIR_IPV6 == (int)FAMILY_IPV6 &&
		       WEIR_FAMILY_ANY == (int)FAMILY_NONE,
	"public numbers are those inside");
_Static_assert(WEIR_DROP == (int)VERDICT_DROP && WEIR_ACCEPT == (int)VERDICT_ACCEPT &&
		       WEIR_HOTDROP == (int)VERDICT_HOTDROP,
	"public numbers are those inside");

struct weir_rules {
	struct ruleset *set;
	char *name, *text; /* which the set borrows */
	_Atomic u32 refs;  /* the user's, and one of each filter */
};

struct weir_filter {
	struct weir_engine *engine; /* one reference */
	struct weir_rules *rules;   /* one reference */
	const struct chain *start;
	struct map *counters;
	struct loaded *loaded;
	u32 *lines; /* of rules, by counter index */
	u32 nr_skipped;
};

static void rules_put(struct weir_rules *rules)
{
	if (atomic_fetch_sub(&rules->refs, 1) != 1)
		return;
	if (rules->set != NULL)
		ruleset_free(rules->set);
	mem_free(rules->name);
	mem_free(rules->text);
	mem_free(rules);
}

void weir_rules_free(struct weir_rules *rules)
{
	if (rules != NULL)
		rules_put(rules);
}

enum weir_family weir_rules_family(const struct weir_rules *rules)
{
	return rules != NULL ? (enum weir_family)rules->set->family : WEIR_FAMILY_ANY;
}

static int parse(struct weir_rules *rules, size_t len, enum weir_family family, struct diag *d)
{
	struct parse_opts opts = {.family = (enum family)family};

	if (rules->name == NULL || rules->text == NULL)
		return diag_nomem(d);
	if (family != WEIR_FAMILY_ANY && family != WEIR_IPV4 && family != WEIR_IPV6)
		return diag_fail(d, pos_none(), EINVAL,
			"family %u is not known: 4, 6, or 0 for any", (unsigned)family);
	return rules_parse(rules->name, str_new(rules->text, len), &opts, &rules->set, d);
}

int weir_rules_parse(const char *name, const char *text, size_t len, enum weir_family family,
	struct weir_rules **rules, struct weir_error *error)
{
	const char *null = text == NULL && len > 0 ? "text" : rules == NULL ? "rules" : NULL;
	struct diag d = {0};

	if (null != NULL)
		return error_null(error, null);
	struct weir_rules *new = mem_zalloc(sizeof(*new));
	int err = -ENOMEM;

	if (new != NULL) {
		atomic_init(&new->refs, 1);
		new->name = mem_strdup(name != NULL ? name : "rules");
		new->text = mem_strndup(text, len);
		err = parse(new, len, family, &d);
	}
	if (err == 0) {
		*rules = new;
	} else {
		weir_rules_free(new);
		error_fill(error, err, &d);
	}
	diag_fini(&d);
	return err;
}

static struct chain *chain_named(
	const struct weir_rules *rules, const struct weir_filter_spec *spec, struct diag *d)
{
	const char *table_name = spec->table != NULL ? spec->table : "filter";
	const char *chain_name = spec->chain != NULL ? spec->chain : "INPUT";
	const struct table *t = ruleset_table(rules->set, table_name);
	struct chain *c = t != NULL ? table_chain(t, str_of(chain_name)) : NULL;

	if (t == NULL)
		diag_fail(d, pos_none(), ENOENT, "the rule set has no table '%s'", table_name);
	else if (c == NULL || c->hook == HOOK_NONE)
		diag_fail(d, pos_none(), ENOENT, "table '%s' has no built-in chain '%s'",
			table_name, chain_name);
	return c != NULL && c->hook != HOOK_NONE ? c : NULL;
}

static int fill_lines(struct weir_filter *f, struct diag *d)
{
	const struct ruleset *set = f->rules->set;

	f->lines = mem_zalloc(array_size(set->nr_counters, sizeof(*f->lines)));
	if (f->lines == NULL)
		return diag_nomem(d);
	for (const struct table *t = set->tables; t != NULL; t = t->next)
		for (const struct chain *c = t->chains; c != NULL; c = c->next)
			for (const struct rule *r = c->rules; r != NULL; r = r->next)
				f->lines[r->counter] = r->pos.line;
	return 0;
}

static int load(struct weir_filter *f, const struct weir_filter_spec *spec, const bool *skip,
	struct diag *d)
{
	struct compile_opts compile = {.skip = skip};
	struct engine_opts engine = {
		.kind = spec->mode == WEIR_MODE_INTERPRETER ? ENGINE_INTERP : ENGINE_JIT,
		.fall_back = spec->mode == WEIR_MODE_AUTO,
	};
	struct prog *prog = NULL;

	if ((unsigned)spec->mode > WEIR_MODE_INTERPRETER)
		return diag_fail(
			d, pos_none(), EINVAL, "mode %u is not known", (unsigned)spec->mode);
	int err = rules_compile(f->start, f->counters, &compile, &prog, d);

	if (err == 0)
		err = engine_load(prog, &engine, &f->loaded, d);
	prog_free(prog);
	return err;
}

static int build(struct weir_filter *f, const struct weir_filter_spec *spec, struct diag *d)
{
	const struct ruleset *set = f->rules->set;
	struct chain *start = chain_named(f->rules, spec, d);
	struct diag unsupported = {0};

	if (start == NULL)
		return -ENOENT;
	f->start = start;
	bool *skip = mem_zalloc(array_size(set->nr_counters, sizeof(*skip)));

	if (skip == NULL)
		return diag_nomem(d);
	int err = fill_lines(f, d);

	if (err == 0 && spec->skip_unsupported)
		f->nr_skipped = rules_check_runnable(set, &start, 1, skip, &unsupported);
	if (err == 0)
		err = rules_counters_new(set, f->engine->cpus, &f->counters, d);
	if (err == 0)
		err = load(f, spec, skip, d);
	diag_fini(&unsupported);
	mem_free(skip);
	return err;
}

int weir_filter_new(struct weir_engine *engine, struct weir_rules *rules,
	const struct weir_filter_spec *spec, struct weir_filter **filter, struct weir_error *error)
{
	const char *null = engine == NULL   ? "engine"
			   : rules == NULL  ? "rules"
			   : spec == NULL   ? "spec"
			   : filter == NULL ? "filter"
					    : NULL;
	struct diag d = {0};
	int err = -ENOMEM;

	if (null != NULL)
		return error_null(error, null);
	struct weir_filter *f = mem_zalloc(sizeof(*f));

	if (f != NULL) {
		engine_get(engine);
		f->engine = engine;
		atomic_fetch_add(&rules->refs, 1);
		f->rules = rules;
		err = build(f, spec, &d);
	}
	if (err == 0) {
		*filter = f;
	} else {
		weir_filter_free(f);
		error_fill(error, err, &d);
	}
	diag_fini(&d);
	return err;
}

void weir_filter_free(struct weir_filter *filter)
{
	if (filter == NULL)
		return;
	loaded_free(filter->loaded);
	map_put(filter->counters);
	mem_free(filter->lines);
	rules_put(filter->rules);
	engine_put(filter->engine);
	mem_free(filter);
}

uint32_t weir_filter_skipped(const struct weir_filter *filter)
{
	return filter != NULL ? filter->nr_skipped : 0;
}

bool weir_filter_is_native(const struct weir_filter *filter)
{
	return filter != NULL && loaded_kind(filter->loaded) == ENGINE_JIT;
}

int weir_filter_run(const struct weir_filter *filter, struct weir_slot *slot,
	struct weir_packet *packet, enum weir_verdict *verdict)
{
	if (filter == NULL || !slot_fits(slot, filter->engine) || packet == NULL || verdict == NULL)
		return -EINVAL;
	*verdict = (enum weir_verdict)loaded_run(
		filter->loaded, (u64)(uintptr_t)packet, 0, slot->base);
	return 0;
}

size_t weir_filter_logged(
	const struct weir_filter *filter, struct weir_slot *slot, uint32_t *lines, size_t cap)
{
	u32 events[LOG_EVENTS_MAX];

	if (filter == NULL || !slot_fits(slot, filter->engine) || (lines == NULL && cap > 0))
		return 0;
	u32 nr = rules_log_take(filter->counters, slot->base, events, LOG_EVENTS_MAX);

	for (size_t i = 0; i < nr && i < LOG_EVENTS_MAX && i < cap; i++)
		lines[i] = filter->lines[events[i]];
	return nr;
}

static struct rule_count *read_counts(const struct weir_filter *f)
{
	struct rule_count *counts =
		mem_alloc(array_size(f->rules->set->nr_counters, sizeof(*counts)));

	if (counts != NULL && rules_counters_read(f->rules->set, f->counters, counts) != 0) {
		mem_free(counts);
		return NULL;
	}
	return counts;
}

/* The counter's index, or UINT32_MAX. */
static u32 find_counter(const struct chain *c, u32 number)
{
	if (number == 0)
		return c->hook != HOOK_NONE ? c->policy_counter : UINT32_MAX;
	for (const struct rule *r = c->rules; r != NULL; r = r->next)
		if (r->number == number)
			return r->counter;
	return UINT32_MAX;
}

int weir_filter_counter(const struct weir_filter *filter, const char *chain, uint32_t number,
	struct weir_counter *counter)
{
	if (filter == NULL || chain == NULL || counter == NULL)
		return -EINVAL;
	const struct chain *c = table_chain(filter->start->table, str_of(chain));
	u32 at = c != NULL ? find_counter(c, number) : UINT32_MAX;

	if (at == UINT32_MAX)
		return -ENOENT;
	struct rule_count *counts = read_counts(filter);

	if (counts == NULL)
		return -ENOMEM;
	*counter = (struct weir_counter){counts[at].packets, counts[at].bytes};
	mem_free(counts);
	return 0;
}

int weir_filter_save(const struct weir_filter *filter, char **text)
{
	if (filter == NULL || text == NULL)
		return -EINVAL;
	struct rule_count *counts = read_counts(filter);
	struct buf out = {0};

	if (counts == NULL)
		return -ENOMEM;
	rules_print_save(&out, filter->rules->set, counts, PRINT_COUNTERS);
	mem_free(counts);
	char *copy = out.failed ? NULL : mem_strdup(buf_cstr(&out));

	buf_fini(&out);
	if (copy == NULL)
		return -ENOMEM;
	*text = copy;
	return 0;
}
