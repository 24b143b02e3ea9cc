/* Matches and targets of a rule line: loading them and handing them their options. An extension is run here (it has ops),
 * known (iptables has it, so its options are known) or unknown (its words are kept up to the next base option). */
#include "rules/parser.h"

#include <errno.h>
#include <string.h>

#include "base/alloc.h"
#include "rules/options.h"
#include "rules/proto.h"

enum { MESSAGE_VALUE_BYTES = 64 }; /* of a wrong value that a message shows */

static const struct option *ext_options(const struct extension *e, u32 *nr)
{
	*nr = e->match ? e->match->nr_options : e->target ? e->target->nr_options : 0;
	return e->match ? e->match->options : e->target ? e->target->options : NULL;
}

static bool ext_runs(const struct extension *e)
{
	return e->match || e->target;
}

static int add_raw(struct rule_line *l, struct loaded *x, struct str text, bool quoted)
{
	if (array_grow((void **)&x->raw, &x->cap_raw, x->nr_raw + 1, sizeof(*x->raw)))
		return parser_nomem(l->p);
	x->raw[x->nr_raw++] = (struct raw_word){text, quoted};
	return 0;
}

static bool is_base_option(struct str s)
{
	if (s.len < 2 || s.p[0] != '-')
		return false;
	if (s.p[1] != '-')
		return memchr("mjgpsdiofc", s.p[1], 10) != NULL;
	s = str_new(s.p + 2, s.len - 2);
	for (size_t i = 0; base_option_at(i); i++) {
		const struct base_option *b = base_option_at(i);

		if (str_eq(s, b->name) || (b->alias && str_eq(s, b->alias)))
			return true;
	}
	return false;
}

/* All words up to the next option that belongs to the rule. */
static int take_unknown_words(struct rule_line *l, struct loaded *x)
{
	const struct words *words = &l->p->words;

	for (; l->next < words->nr; l->next++) {
		const struct word *w = &words->at[l->next];
		const struct word *after = l->next + 1 < words->nr ? w + 1 : NULL;

		if (!w->quoted && is_base_option(w->text))
			return 0;
		if (!w->quoted && str_eq(w->text, "!") && after && is_base_option(after->text))
			return 0;
		int err = add_raw(l, x, w->text, w->quoted);
		if (err)
			return err;
	}
	return 0;
}

static struct loaded *add_loaded(struct rule_line *l, const struct word *name)
{
	if (array_grow((void **)&l->loaded, &l->cap_loaded, l->nr_loaded + 1, sizeof(*l->loaded)))
		return NULL;
	struct loaded *x = &l->loaded[l->nr_loaded];
	*x = (struct loaded){.at = *name};
	x->ext.pos = parser_pos(l->p, name->col, name->width);
	l->nr_loaded++;
	return x;
}

/* Room for the data with its defaults, and the canonical name. */
static int init_loaded(struct rule_line *l, struct loaded *x, struct str written)
{
	struct extension *e = &x->ext;
	struct arena *arena = &l->p->set->arena;
	void (*init)(void *data, enum family family) = NULL;

	if (e->match || e->target) {
		size_t size = e->match ? e->match->size : e->target->size;

		init = e->match ? e->match->init : e->target->init;
		e->name = e->match ? e->match->name : e->target->name;
		e->data = arena_alloc(arena, size ? size : 1);
	} else {
		e->name = e->known ? e->known->name : arena_strndup(arena, written.p, written.len);
	}
	if (!e->name || (ext_runs(e) && !e->data))
		return parser_nomem(l->p);
	if (init)
		init(e->data, l->p->set->family);
	return 0;
}

static enum family other_family(enum family family)
{
	return family == FAMILY_IPV4 ? FAMILY_IPV6 : FAMILY_IPV4;
}

/* "match 'hl' is for IPv6 only" */
static int wrong_family(struct rule_line *l, const struct word *name, const char *what)
{
	return parser_fail(l->p, name, "%s '%.*s' is for %s only", what, (int)name->text.len,
		name->text.p, l->p->set->family == FAMILY_IPV4 ? "IPv6" : "IPv4");
}

int extension_load_match(struct rule_line *l, const struct word *name)
{
	enum family family = l->p->set->family, other = other_family(family);
	struct str text = name->text;

	if (!text.len)
		return parser_fail(l->p, name, "-m: the match's name is empty");
	if (text.len > RULES_CHAIN_NAME_MAX)
		return parser_fail(l->p, name, "-m: a match's name has at most %u characters",
			RULES_CHAIN_NAME_MAX);
	const struct match_ops *ops = match_ops_by_name(text, family);
	const struct known_extension *known = ops ? NULL : known_match_by_name(text, family);
	if (!ops && !known && (match_ops_by_name(text, other) || known_match_by_name(text, other)))
		return wrong_family(l, name, "match");
	struct loaded *x = add_loaded(l, name);
	if (!x)
		return parser_nomem(l->p);
	x->ext.match = ops;
	x->ext.known = known;
	int err = init_loaded(l, x, text);
	if (err || ops || known)
		return err;
	return take_unknown_words(l, x);
}

/* A name that is neither a chain nor a target is taken for a target that weir doesn't know when options of it follow. */
static bool unknown_target_follows(struct rule_line *l)
{
	const struct words *words = &l->p->words;
	size_t at = l->next;

	if (at < words->nr && str_eq(words->at[at].text, "!"))
		at++;
	if (at >= words->nr)
		return false;
	struct str s = words->at[at].text;
	return s.len > 2 && s.p[0] == '-' && s.p[1] == '-' && !is_base_option(s);
}

int extension_load_target(struct rule_line *l, const struct word *name)
{
	enum family family = l->p->set->family, other = other_family(family);
	struct str text = name->text;
	const struct target_ops *ops = target_ops_by_name(text, family);
	const struct known_extension *known = ops ? NULL : known_target_by_name(text, family);
	bool is_chain = table_chain(l->p->table, text) != NULL;

	if (!ops && !known && !is_chain &&
		(target_ops_by_name(text, other) || known_target_by_name(text, other)))
		return wrong_family(l, name, "target");
	l->rule->target = TARGET_JUMP;
	if (!ops && !known && (is_chain || !unknown_target_follows(l)))
		return 0;
	struct loaded *x = add_loaded(l, name);
	if (!x)
		return parser_nomem(l->p);
	l->rule->target = TARGET_EXT;
	x->is_target = true;
	x->ext.target = ops;
	x->ext.known = known;
	int err = init_loaded(l, x, text);
	if (err || ops || known)
		return err;
	return take_unknown_words(l, x);
}

static bool is_loaded_match(
	const struct rule_line *l, const struct match_ops *ops, const struct known_extension *known)
{
	for (size_t i = 0; i < l->nr_loaded; i++) {
		const struct loaded *x = &l->loaded[i];

		if (!x->is_target && x->ext.match == ops && x->ext.known == known)
			return true;
	}
	return false;
}

/* A match that is there already has no more options the second time. */
int extension_load_protocol(struct rule_line *l)
{
	enum family family = l->p->set->family;
	struct str text = l->proto_word.text;

	if (!text.len || l->proto_used)
		return 0;
	struct word name = l->proto_word;
	if (!match_ops_by_name(text, family) && !known_match_by_name(text, family)) {
		const char *proto = proto_name((u8)l->rule->proto);

		if (!proto)
			return 0;
		name.text = str_of(proto);
	}
	const struct match_ops *ops = match_ops_by_name(name.text, family);
	const struct known_extension *known = ops ? NULL : known_match_by_name(name.text, family);
	if ((!ops && !known) || is_loaded_match(l, ops, known))
		return 0;
	l->proto_used = true;
	int err = extension_load_match(l, &name);
	return err ? err : 1;
}

void extension_unload_protocol(struct rule_line *l)
{
	struct loaded *last = &l->loaded[--l->nr_loaded];

	assert(l->proto_used && last->values.nr == 0 && last->nr_raw == 0);
	mem_free(last->raw);
	mem_free(last->values.at);
	l->proto_used = false;
}

/* Two names of one option count as one. */
static void consider(struct extension_option *best, u32 *nr, const struct extension_option *x,
	struct str name, struct str full, struct str alias)
{
	bool exact = (full.len == name.len && !memcmp(full.p, name.p, name.len)) ||
		     (alias.len && alias.len == name.len && !memcmp(alias.p, name.p, name.len));
	bool abbrev = (name.len && name.len <= full.len && !memcmp(full.p, name.p, name.len)) ||
		      (alias.len && name.len <= alias.len && !memcmp(alias.p, name.p, name.len));

	if (exact && !best->exact) {
		*best = *x;
		best->exact = true;
		*nr = 1;
	} else if (abbrev && !best->exact) {
		if (!*nr)
			*best = *x;
		++*nr;
	}
}

u32 extension_find_option(struct rule_line *l, struct str name, struct extension_option *out)
{
	struct extension_option best = {0};
	u32 nr = 0;

	for (size_t i = l->nr_loaded; i-- > 0 && !best.exact;) {
		struct loaded *x = &l->loaded[i];
		u32 nr_options;
		const struct option *options = ext_options(&x->ext, &nr_options);

		for (u32 k = 0; k < nr_options; k++) {
			struct extension_option at = {.of = x, .option = &options[k], .index = k};
			const char *alias = options[k].alias;

			consider(&best, &nr, &at, name, str_of(options[k].name),
				str_of(alias ? alias : ""));
		}
		struct extension_option at = {.of = x};
		struct str rest = str_of(x->ext.known ? x->ext.known->options : "");
		for (; known_option_next(&rest, &at.known); at.index++)
			consider(&best, &nr, &at, name, at.known.name, str_of(""));
	}
	*out = best;
	return nr;
}

static int add_value(struct rule_line *l, struct known_values *values, const struct known_value *v)
{
	if (array_grow((void **)&values->at, &values->cap, values->nr + 1, sizeof(*values->at)))
		return parser_nomem(l->p);
	values->at[values->nr++] = *v;
	return 0;
}

int extension_keep_option(struct rule_line *l, const struct option_word *o)
{
	struct loaded *last = l->nr_loaded ? &l->loaded[l->nr_loaded - 1] : NULL;
	struct known_value v = {.row = UINT32_MAX, .name = o->name, .invert = l->bang != NULL};

	if (!last || !last->ext.known)
		return 0;
	if (o->has_value)
		v.args[v.nr_args++] = (struct raw_word){.text = o->value};
	while (v.nr_args < ARRAY_LEN(v.args) && optional_argument_follows(l)) {
		const struct word *w = &l->p->words.at[l->next++];

		v.args[v.nr_args++] = (struct raw_word){w->text, w->quoted};
	}
	int err = add_value(l, &last->values, &v);
	parser_warn(l->p, o->word, "'%s' has no option '--%.*s'; it is kept as it stands",
		last->ext.name, (int)o->name.len, o->name.p);
	return err ? err : 1;
}

static int set_known(
	struct rule_line *l, const struct extension_option *x, const struct option_word *o)
{
	struct known_values *values = &x->of->values;
	const struct known_option *known = &x->known;
	struct known_value v = {.row = x->index, .name = known->name};

	assert(known->nr_args + known->optional_arg <= ARRAY_LEN(v.args));
	for (size_t i = 0; i < values->nr; i++)
		if (values->at[i].row == v.row && !known_repeats(x->of->ext.known))
			return parser_fail(l->p, o->word, "'--%.*s' was given before",
				(int)o->name.len, o->name.p);
	v.nr_args = known->nr_args + (known->optional_arg && optional_argument_follows(l));
	for (u32 i = 0; i < v.nr_args; i++) {
		struct word arg;
		struct option_word again = *o;

		again.has_value = o->has_value && !i;
		int err = option_argument(l, &again, true, NULL, &arg);
		if (err)
			return err;
		v.args[i] = (struct raw_word){arg.text, arg.quoted && !o->has_value};
	}
	v.invert = l->bang != NULL;
	return add_value(l, values, &v);
}

static int set_runnable(
	struct rule_line *l, const struct extension_option *x, const struct option_word *o)
{
	const struct option *option = x->option;
	bool invertible = option->flags & OPTION_INVERT;
	const char *warning = NULL;
	bool conflict = false;
	struct option_ctx c = {
		.family = l->p->set->family,
		.rule = l->rule,
		.arena = &l->p->set->arena,
		.warning = &warning,
		.conflict = &conflict,
	};
	struct word arg[2] = {*o->word, *o->word};
	u64 bit = 1ull << x->index;
	int name_len = (int)o->name.len;

	assert(x->index < 64);
	for (u32 i = 0; i < option_nr_args(option); i++) {
		struct option_word again = *o;

		again.has_value = o->has_value && !i;
		int err = option_argument(l, &again, invertible && !i, option->expects, &arg[i]);
		if (err)
			return err;
	}
	if (!option_nr_args(option) && o->has_value)
		return parser_fail(
			l->p, o->word, "'--%.*s' takes no argument", name_len, o->name.p);
	if (l->bang && !invertible)
		return parser_fail(
			l->p, l->bang, "'!' can't stand before '--%.*s'", name_len, o->name.p);
	if (x->of->seen & bit)
		return parser_fail(l->p, o->word, "'--%.*s' was given before", name_len, o->name.p);
	x->of->seen |= bit;
	c.invert = l->bang != NULL;
	c.value = arg[0].text;
	c.value2 = arg[1].text;
	option_error wrong = option_set(option, &c, x->of->ext.data);
	if (!wrong && warning)
		parser_warn(l->p, &arg[0], "--%.*s: %s", name_len, o->name.p, warning);
	if (!wrong)
		return 0;
	if (!option_nr_args(option) || conflict)
		return parser_fail(l->p, o->word, "--%.*s: %s", name_len, o->name.p, wrong);
	return parser_fail(l->p, &arg[0], "--%.*s '%.*s': %s%s%s", name_len, o->name.p,
		(int)(c.value.len > MESSAGE_VALUE_BYTES ? MESSAGE_VALUE_BYTES : c.value.len),
		c.value.p, wrong, option->expects ? "; right is " : "",
		option->expects ? option->expects : "");
}

int extension_set_option(
	struct rule_line *l, const struct extension_option *x, const struct option_word *o)
{
	return x->option ? set_runnable(l, x, o) : set_known(l, x, o);
}

static int check_required(struct rule_line *l, const struct loaded *x)
{
	u32 nr;
	const struct option *options = ext_options(&x->ext, &nr);

	for (u32 i = 0; i < nr; i++)
		if ((options[i].flags & OPTION_REQUIRED) && !(x->seen & 1ull << i))
			return parser_fail(l->p, &x->at, "%s '%s' needs '--%s'%s%s",
				x->is_target ? "target" : "match", x->ext.name, options[i].name,
				options[i].expects ? ", " : "",
				options[i].expects ? options[i].expects : "");
	return 0;
}

/* Options that are spellings of one, like --set-mark and --or-mark, exclude each other. */
static int refuse_twice(struct rule_line *l, const struct loaded *x)
{
	const struct known_values *values = &x->values;

	for (size_t i = 1; i < values->nr && !known_repeats(x->ext.known); i++) {
		const struct known_value *v = &values->at[i];

		if (v->row == values->at[i - 1].row && v->row != UINT32_MAX)
			return parser_fail(l->p, &x->at,
				"'%s': several options for what is printed as '--%.*s'",
				x->ext.name, (int)v->name.len, v->name.p);
	}
	return 0;
}

static int put_known_words(struct rule_line *l, struct loaded *x)
{
	static const char dashes[] = "--";
	const struct known_values *values = &x->values;
	int err = known_tidy(x->ext.known, l->p->set->family, &l->p->set->arena, &x->values);

	if (!err)
		err = refuse_twice(l, x);
	for (size_t i = 0; i < values->nr && !err; i++) {
		const struct known_value *v = &values->at[i];
		char *full = arena_alloc(&l->p->set->arena, v->name.len + sizeof(dashes));

		if (!full)
			return parser_nomem(l->p);
		memcpy(full, dashes, 2);
		memcpy(full + 2, v->name.p, v->name.len);
		err = v->invert ? add_raw(l, x, str_new("!", 1), false) : 0;
		if (!err)
			err = add_raw(l, x, str_new(full, v->name.len + 2), false);
		for (u32 k = 0; k < v->nr_args && !err; k++)
			err = add_raw(l, x, v->args[k].text, v->args[k].quoted);
	}
	return err == -ENOMEM ? parser_nomem(l->p) : err;
}

static int finish_loaded(struct rule_line *l, struct loaded *x)
{
	int err = check_required(l, x);

	if (err)
		return err;
	option_error (*check)(const void *data, const struct rule *r) =
		x->ext.match    ? x->ext.match->check
		: x->ext.target ? x->ext.target->check
				: NULL;
	option_error wrong = check ? check(x->ext.data, l->rule) : NULL;
	if (wrong)
		return parser_fail(l->p, &x->at, "%s '%s': %s", x->is_target ? "target" : "match",
			x->ext.name, wrong);
	const char *table = x->ext.target ? x->ext.target->table : NULL;
	if (table && strcmp(table, l->p->table->name))
		return parser_fail(l->p, &x->at, "target '%s' can be used in table %s only",
			x->ext.name, table);
	err = x->ext.known ? put_known_words(l, x) : 0;
	if (err || !x->nr_raw)
		return err;
	x->ext.raw.words = arena_array(&l->p->set->arena, x->nr_raw, sizeof(*x->raw));
	if (!x->ext.raw.words)
		return parser_nomem(l->p);
	memcpy(x->ext.raw.words, x->raw, x->nr_raw * sizeof(*x->raw));
	x->ext.raw.nr = (u32)x->nr_raw;
	return 0;
}

int extension_finish(struct rule_line *l)
{
	struct rule *r = l->rule;

	r->matches = arena_array(&l->p->set->arena, l->nr_loaded, sizeof(*r->matches));
	if (!r->matches)
		return parser_nomem(l->p);
	for (size_t i = 0; i < l->nr_loaded; i++) {
		struct loaded *x = &l->loaded[i];
		int err = finish_loaded(l, x);

		if (err)
			return err;
		if (x->is_target)
			r->ext = x->ext;
		else
			r->matches[r->nr_matches++] = x->ext;
	}
	return 0;
}
