/* rules: iptables-save text to a tree and back.
 *
 *   -- rules ARGS     the text; ARGS: -4, -6 and -l (lenient), with blanks between
 *   -- save           as ip[6]tables-save -c prints it, with the counters of the text
 *   -- list TABLE     as ip[6]tables -t TABLE -L -v -n -x --line-numbers prints it
 *   -- tree           the tree's dump
 *   -- check CHAIN    of table filter: what can't be run there, "line:col: text", or "ok"
 *   -- messages       errors and warnings instead or besides, "line:col: error: text"
 *   -- kernel HOW     for kernel.py: where ip[6]tables differs on purpose
 *
 * What is accepted must also come back the same from its own save. */
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "case.h"
#include "rules/parse.h"
#include "rules/print.h"

static const char *const levels[] = {
	[DIAG_ERROR] = "error", [DIAG_WARNING] = "warning", [DIAG_NOTE] = "note"};

static void put_messages(struct buf *out, const struct diag *d)
{
	for (size_t i = 0; i < d->nr; i++) {
		const struct diag_entry *e = &d->entries[i];

		buf_printf(
			out, "%u:%u: %s: %s\n", e->pos.line, e->pos.col, levels[e->level], e->text);
	}
}

static struct parse_opts read_args(struct str args)
{
	struct parse_opts opts = {0};
	struct str word;

	while (args.len) {
		str_split(args, ' ', &word, &args);
		if (str_eq(word, "-4"))
			opts.family = FAMILY_IPV4;
		if (str_eq(word, "-6"))
			opts.family = FAMILY_IPV6;
		if (str_eq(word, "-l"))
			opts.lenient = true;
	}
	return opts;
}

/* The counters that the text gave. */
static void file_counts(const struct ruleset *set, struct rule_count *counts)
{
	for (const struct table *t = set->tables; t; t = t->next) {
		for (const struct chain *c = t->chains; c; c = c->next) {
			if (c->hook != HOOK_NONE)
				counts[c->policy_counter] = (struct rule_count){
					c->file_counters.packets, c->file_counters.bytes};
			for (const struct rule *r = c->rules; r; r = r->next)
				counts[r->counter] = (struct rule_count){
					r->file_counters.packets, r->file_counters.bytes};
		}
	}
}

static void put_save(struct buf *out, const struct ruleset *set)
{
	struct rule_count *counts = calloc(set->nr_counters + 1u, sizeof(*counts));

	file_counts(set, counts);
	rules_print_save(out, set, counts, PRINT_COUNTERS);
	free(counts);
}

static void put_list(struct buf *out, const struct ruleset *set, const struct table *t)
{
	struct rule_count *counts = calloc(set->nr_counters + 1u, sizeof(*counts));

	file_counts(set, counts);
	rules_print_list(out, t, NULL, counts);
	free(counts);
}

static void put_check(struct tcase *c, struct buf *out, const struct ruleset *set, struct str name)
{
	struct table *t = ruleset_table(set, "filter");
	struct chain *chain = t ? table_chain(t, name) : NULL;
	struct diag d = {0};

	if (!chain) {
		case_fail(c, NULL, "no chain '%.*s' to check", (int)name.len, name.p);
		return;
	}
	if (!rules_check_runnable(set, &chain, 1, NULL, &d))
		buf_puts(out, "ok\n");
	for (size_t i = 0; i < d.nr; i++)
		buf_printf(out, "%u:%u: %s\n", d.entries[i].pos.line, d.entries[i].pos.col,
			d.entries[i].text);
	diag_fini(&d);
}

static bool print_section(
	struct tcase *c, const struct section *s, const struct ruleset *set, struct buf *out)
{
	if (str_eq(s->name, "save")) {
		put_save(out, set);
	} else if (str_eq(s->name, "tree")) {
		rules_print_tree(out, set);
	} else if (str_eq(s->name, "check")) {
		put_check(c, out, set, s->args);
	} else if (str_eq(s->name, "list")) {
		char name[32] = "";

		memcpy(name, s->args.p, s->args.len < sizeof(name) ? s->args.len : 0);
		if (ruleset_table(set, name))
			put_list(out, set, ruleset_table(set, name));
		else
			case_fail(c, s, "no table %s", name);
	} else {
		return false;
	}
	return true;
}

/* parse(print(parse(x))) prints the same. */
static void check_round_trip(struct tcase *c, const struct ruleset *set, bool lenient)
{
	struct parse_opts opts = {.family = set->family, .lenient = lenient};
	struct buf first = {0}, second = {0};
	struct ruleset *again = NULL;
	struct diag d = {0};

	put_save(&first, set);
	if (rules_parse("save", str_new((const char *)first.data, first.len), &opts, &again, &d)) {
		case_fail(c, NULL, "what was printed is refused: %s\n%s", diag_first(&d),
			buf_cstr(&first));
	} else {
		put_save(&second, again);
		if (strcmp(buf_cstr(&first), buf_cstr(&second)))
			case_fail(c, NULL, "printed and read again it prints other text:\n%s--\n%s",
				buf_cstr(&first), buf_cstr(&second));
	}
	ruleset_free(again);
	diag_fini(&d);
	buf_fini(&first);
	buf_fini(&second);
}

static void check_set(struct tcase *c, const struct ruleset *set, bool lenient)
{
	for (size_t i = 0; i < c->nr; i++) {
		struct section *s = &c->file->sections[c->first + i];
		struct buf out = {0};

		if (print_section(c, s, set, &out))
			case_expect(c, s, str_of(buf_cstr(&out)));
		buf_fini(&out);
	}
	check_round_trip(c, set, lenient);
}

static struct section *find_rules(struct tcase *c)
{
	for (size_t i = 0; i < c->nr; i++)
		if (str_eq(c->file->sections[c->first + i].name, "rules"))
			return &c->file->sections[c->first + i];
	case_fail(c, NULL, "section '-- rules' is missing");
	return NULL;
}

static void run(struct tcase *c)
{
	struct section *rules = find_rules(c), *messages = case_find(c, "messages", "");
	struct ruleset *set = NULL;
	struct buf out = {0};
	struct diag d = {0};

	if (!rules)
		return;
	struct parse_opts opts = read_args(rules->args);
	int err = rules_parse("rules", rules->body, &opts, &set, &d);
	put_messages(&out, &d);
	if (messages)
		case_expect(c, messages, str_of(buf_cstr(&out)));
	else if (out.len)
		case_fail(c, rules, "messages that were not expected:\n%s", buf_cstr(&out));
	if (!err)
		check_set(c, set, opts.lenient);
	ruleset_free(set);
	diag_fini(&d);
	buf_fini(&out);
}

const struct kind kind_rules = {"rules", run};
