/* One rule line: finds options as getopt_long does for iptables and hands each to the base options or to an extension. */
#include "rules/parser.h"

#include <errno.h>
#include <string.h>

#include "base/alloc.h"

bool optional_argument_follows(const struct rule_line *l)
{
	if (l->cluster.len || l->next >= l->p->words.nr)
		return false;
	struct str text = l->p->words.at[l->next].text;
	return !text.len || (text.p[0] != '-' && text.p[0] != '!');
}

static bool is_bang(const struct word *w)
{
	return !w->quoted && str_eq(w->text, "!");
}

int option_argument(struct rule_line *l, const struct option_word *o, bool invertible,
	const char *expects, struct word *out)
{
	struct parser *p = l->p;
	const char *dashes = o->is_long ? "--" : "-";
	int name_len = (int)o->name.len;

	if (o->has_value) {
		*out = *o->word;
		out->text = o->value;
		return 0;
	}
	if (l->next < p->words.nr && invertible && is_bang(&p->words.at[l->next])) {
		const struct word *bang = &p->words.at[l->next];

		if (!p->opts->lenient)
			return parser_fail(p, bang, "'!' must stand before the option: '! %s%.*s'",
				dashes, name_len, o->name.p);
		if (l->bang)
			return parser_fail(p, bang, "'!' twice for one option");
		l->bang = bang;
		l->next++;
	}
	if (l->next >= p->words.nr)
		return parser_fail(p, o->word, "'%s%.*s' needs an argument%s%s", dashes, name_len,
			o->name.p, expects ? ": " : "", expects ? expects : "");
	*out = p->words.at[l->next++];
	return 0;
}

static int run_base(struct rule_line *l, const struct base_option *b, const struct option_word *o)
{
	struct word arg = {0};

	if (b->has_arg) {
		int err = option_argument(l, o, b->invertible, NULL, &arg);
		if (err)
			return err;
	} else if (o->has_value) {
		return parser_fail(l->p, o->word, "'--%s' takes no argument", b->name);
	}
	if (l->bang && !b->invertible)
		return parser_fail(l->p, l->bang, "'!' can't stand before '--%s'", b->name);
	return b->parse(l, b, o->word, b->has_arg ? &arg : NULL);
}

static int find_base(
	struct str name, const struct base_option **exact, const struct base_option **abbrev)
{
	int nr = 0;

	*exact = *abbrev = NULL;
	for (size_t i = 0; base_option_at(i); i++) {
		const struct base_option *b = base_option_at(i);

		if (str_eq(name, b->name) || (b->alias && str_eq(name, b->alias))) {
			*exact = b;
			return 1;
		}
		if (str_is_abbrev(name, b->name) || (b->alias && str_is_abbrev(name, b->alias))) {
			*abbrev = b;
			nr++;
		}
	}
	return nr;
}

static int unknown_option(struct rule_line *l, const struct option_word *o)
{
	const struct loaded *last = l->nr_loaded ? &l->loaded[l->nr_loaded - 1] : NULL;

	if (last)
		return parser_fail(l->p, o->word, "unknown option '--%.*s' (last loaded: %s '%s')",
			(int)o->name.len, o->name.p, last->is_target ? "target" : "match",
			last->ext.name);
	return parser_fail(l->p, o->word,
		"unknown option '--%.*s'; an option of a match needs '-m MATCH' before it",
		(int)o->name.len, o->name.p);
}

static int run_long(struct rule_line *l, const struct option_word *o)
{
	const struct base_option *exact, *abbrev;
	struct extension_option x;
	bool loaded = false;

	for (;;) {
		int nr_base = find_base(o->name, &exact, &abbrev);

		if (exact)
			return run_base(l, exact, o);
		u32 nr_ext = extension_find_option(l, o->name, &x);
		if (nr_ext && x.exact)
			return extension_set_option(l, &x, o);
		if ((u32)nr_base + nr_ext > 1)
			return parser_fail(l->p, o->word,
				"'--%.*s' may mean several options; write it out", (int)o->name.len,
				o->name.p);
		if (nr_base)
			return run_base(l, abbrev, o);
		if (nr_ext)
			return extension_set_option(l, &x, o);
		int err = extension_load_protocol(l);
		if (err < 0)
			return err;
		if (err) {
			loaded = true;
			continue;
		}
		if (loaded && l->p->opts->lenient && !l->loaded[l->nr_loaded - 1].ext.known)
			extension_unload_protocol(l);
		err = l->p->opts->lenient ? extension_keep_option(l, o) : 0;
		if (err)
			return err < 0 ? err : 0;
		return unknown_option(l, o);
	}
}

static int run_letter(struct rule_line *l)
{
	struct option_word o = {.word = l->cluster_word, .name = str_new(l->cluster.p, 1)};
	const struct base_option *b = base_option_by_letter(l->cluster.p[0]);

	l->cluster = str_new(l->cluster.p + 1, l->cluster.len - 1);
	if (!b)
		return parser_fail(l->p, o.word, "unknown option '-%c'", o.name.p[0]);
	if (b->has_arg && l->cluster.len) {
		o.has_value = true;
		o.value = l->cluster;
		l->cluster.len = 0;
	}
	return run_base(l, b, &o);
}

/* The next option with all its arguments. */
static int run_word(struct rule_line *l)
{
	struct parser *p = l->p;

	if (l->cluster.len)
		return run_letter(l);
	const struct word *w = &p->words.at[l->next++];
	struct str text = w->text;
	if (str_eq(text, "!")) {
		if (l->bang)
			return parser_fail(p, w, "'!' twice for one option");
		l->bang = w;
		return 0;
	}
	if (text.len < 2 || text.p[0] != '-')
		return parser_fail(p, w, "bad argument '%.*s': an option was expected here",
			(int)text.len, text.p);
	int err;
	if (text.p[1] == '-') {
		struct option_word o = {.word = w, .is_long = true};

		o.has_value = str_split(str_new(text.p + 2, text.len - 2), '=', &o.name, &o.value);
		err = o.name.len ? run_long(l, &o)
				 : parser_fail(p, w, "bad argument '%.*s'", (int)text.len, text.p);
	} else {
		l->cluster = str_new(text.p + 1, text.len - 1);
		l->cluster_word = w;
		err = run_letter(l);
	}
	if (!l->cluster.len)
		l->bang = NULL;
	return err;
}

static void rule_line_fini(struct rule_line *l)
{
	for (size_t i = 0; i < l->nr_loaded; i++) {
		mem_free(l->loaded[i].raw);
		mem_free(l->loaded[i].values.at);
	}
	mem_free(l->loaded);
	mem_free(l->src.at);
	mem_free(l->dst.at);
}

static int run_words(struct rule_line *l)
{
	struct parser *p = l->p;

	while (l->cluster.len || l->next < p->words.nr) {
		int err = run_word(l);
		if (err || l->skip)
			return err;
	}
	if (l->bang)
		return parser_fail(p, l->bang, "nothing follows '!'");
	if (l->command == COMMAND_NONE)
		return parser_fail(p, NULL,
			"no command: a line inside a table begins with ':', '-A CHAIN', 'COMMIT' "
			"or the like");
	int err = read_addresses(l);
	if (!err)
		err = extension_finish(l);
	return err ? err : command_execute(l);
}

int parse_rule_line(struct parser *p)
{
	struct rule_line l = {.p = p};
	struct str rest = p->line;
	u32 bad = 0;

	l.rule = arena_alloc(&p->set->arena, sizeof(*l.rule));
	if (!l.rule)
		return parser_nomem(p);
	if (p->line.len && p->line.p[0] == '[') {
		struct word counters = {.col = 1, .width = (u32)p->line.len};

		if (!parse_counters(p->line, &l.rule->file_counters, &rest)) {
			parser_fail(p, &counters, "bad counters: '[packets:bytes]' was expected");
			return 0;
		}
		l.given |= 1u << ('c' - 'a'); /* then -c can't follow */
	}
	switch (lex_words(p->line, (size_t)(rest.p - p->line.p), &p->set->arena, &p->words, &bad)) {
	case LEX_NO_MEMORY:
		return parser_nomem(p);
	case LEX_CONTROL_CHARACTER:
		parser_fail_at(p, parser_pos(p, bad, 1),
			"control character 0x%02x; is this a text file?", (u8)p->line.p[bad - 1]);
		return 0;
	case LEX_OPEN_QUOTE:
		parser_fail_at(p, parser_pos(p, bad, 0),
			"the quote that opens here isn't closed in this line");
		return 0;
	case LEX_OK:
		break;
	}
	l.rule->pos = parser_pos(p, p->words.nr ? p->words.at[0].col : 1, (u32)p->line.len);
	int err = run_words(&l);
	rule_line_fini(&l);
	return err == -ENOMEM ? err : 0;
}
