/* iptables-save text to a tree, line by line: tables, chains, COMMIT here, rule lines in parse_rule.c. All errors of a file
 * are reported: after one the next line is read. */
#include "rules/parser.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"

struct pos parser_pos(const struct parser *p, u32 col, u32 width)
{
	struct pos pos = pos_text(p->set->file, p->line_no, col);

	pos.width = width;
	return pos;
}

static int fail_with_line(
	struct parser *p, struct pos pos, struct str line, const char *fmt, va_list args)
{
	struct buf text = {0};
	size_t before = p->diag ? p->diag->nr : 0;

	buf_vprintf(&text, fmt, args);
	int err = diag_fail(p->diag, pos, EINVAL, "%s", buf_cstr(&text));
	if (p->diag && p->diag->nr > before)
		diag_source(p->diag, line.p, line.len);
	buf_fini(&text);
	return err;
}

int parser_fail(struct parser *p, const struct word *w, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	int err = fail_with_line(p, parser_pos(p, w ? w->col : 1, w ? w->width : (u32)p->line.len),
		p->line, fmt, args);
	va_end(args);
	return err;
}

int parser_fail_at(struct parser *p, struct pos pos, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	int err = fail_with_line(p, pos, ruleset_line(p->set, pos), fmt, args);
	va_end(args);
	return err;
}

static void warn_with_line(struct parser *p, struct pos pos, const char *fmt, va_list args)
{
	struct buf text = {0};
	struct str line = ruleset_line(p->set, pos);
	size_t before = p->diag ? p->diag->nr : 0;

	buf_vprintf(&text, fmt, args);
	diag_warn(p->diag, pos, "%s", buf_cstr(&text));
	if (p->diag && p->diag->nr > before)
		diag_source(p->diag, line.p, line.len);
	buf_fini(&text);
}

void parser_warn(struct parser *p, const struct word *w, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	warn_with_line(p, parser_pos(p, w->col, w->width), fmt, args);
	va_end(args);
}

void parser_warn_at(struct parser *p, struct pos pos, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	warn_with_line(p, pos, fmt, args);
	va_end(args);
}

int parser_nomem(struct parser *p)
{
	return diag_nomem(p->diag);
}

bool parse_counters(struct str s, struct file_counters *out, struct str *end)
{
	struct str inside, rest, packets, bytes;
	struct file_counters counters = {.given = true};

	if (!s.len || s.p[0] != '[' ||
		!str_split(str_new(s.p + 1, s.len - 1), ']', &inside, &rest) ||
		!str_split(inside, ':', &packets, &bytes) ||
		!str_to_u64(packets, &counters.packets) || !str_to_u64(bytes, &counters.bytes))
		return false;
	*out = counters;
	*end = rest;
	return true;
}

/* The next word from byte *at on; false at the end of the line. */
static bool next_blank_word(struct str line, size_t *at, struct word *w)
{
	size_t i = *at;

	while (i < line.len && (line.p[i] == ' ' || line.p[i] == '\t'))
		i++;
	size_t from = i;
	while (i < line.len && line.p[i] != ' ' && line.p[i] != '\t')
		i++;
	*w = (struct word){.text = str_new(line.p + from, i - from),
		.col = (u32)from + 1,
		.width = (u32)(i - from)};
	*at = i;
	return i > from;
}

static int refuse_rest(struct parser *p, size_t at)
{
	struct word w;

	if (!next_blank_word(p->line, &at, &w) || p->opts->lenient)
		return 0;
	return parser_fail(p, &w, "nothing was expected behind this");
}

static int table_line(struct parser *p)
{
	struct word name;
	size_t at = 1;
	struct table *t = NULL;

	p->stray_reported = false;
	p->junk_table = true;
	p->table_pos = parser_pos(p, 1, (u32)p->line.len);
	if (!next_blank_word(p->line, &at, &name))
		return parser_fail(
			p, NULL, "a table's name was expected behind '*': %s", table_names);
	int err = ruleset_add_table(p->set, name.text, &t);
	if (err)
		return parser_nomem(p);
	if (!t)
		return parser_fail(p, &name, "no table '%.*s'; there are %s", (int)name.text.len,
			name.text.p, table_names);
	p->junk_table = false;
	p->table = t;
	table_flush(t);
	return refuse_rest(p, at);
}

static int set_policy(struct parser *p, struct chain *c, const struct word *policy)
{
	if (str_eq(policy->text, "-"))
		return 0;
	if (c->hook == HOOK_NONE)
		return parser_fail(p, policy,
			"'%s' is a user chain and has no policy: '-' was expected", c->name);
	if (str_eq(policy->text, "ACCEPT"))
		c->policy = TARGET_ACCEPT;
	else if (str_eq(policy->text, "DROP"))
		c->policy = TARGET_DROP;
	else
		return parser_fail(p, policy,
			"'%.*s' is not a policy: ACCEPT, DROP or '-' was expected",
			(int)policy->text.len, policy->text.p);
	return 0;
}

static int new_chain(struct parser *p, const struct word *name, struct chain **out)
{
	static const char *const verdicts[] = {"ACCEPT", "DROP", "QUEUE", "RETURN"};
	const char *wrong = chain_name_error(name->text);

	if (wrong)
		return parser_fail(p, name, "%s", wrong);
	for (size_t i = 0; i < ARRAY_LEN(verdicts); i++)
		if (str_eq(name->text, verdicts[i]))
			return parser_fail(p, name, "'%s' is a target's name", verdicts[i]);
	*out = table_chain(p->table, name->text);
	if (*out && (*out)->hook == HOOK_NONE)
		return parser_fail(p, name, "chain '%s' is there already", (*out)->name);
	if (!*out)
		*out = table_add_chain(p->table, name->text);
	return *out ? 0 : parser_nomem(p);
}

/* ":NAME POLICY [p:b]"; the counters may be missing. */
static int chain_line(struct parser *p)
{
	struct word name, policy, counters;
	size_t at = 1;
	struct chain *c = NULL;
	struct str rest;

	if (!next_blank_word(p->line, &at, &name))
		return parser_fail(p, NULL, "a chain's name was expected behind ':'");
	int err = new_chain(p, &name, &c);
	if (err)
		return err;
	c->pos = parser_pos(p, name.col, name.width);
	bool has_policy = next_blank_word(p->line, &at, &policy);
	if (p->opts->lenient && has_policy &&
		policy.text.p[0] == '[') { /* ":NAME [p:b]": old versions */
		counters = policy;
	} else {
		if (!has_policy && !p->opts->lenient)
			return parser_fail(p, &name,
				"the policy is missing behind '%s': ACCEPT, DROP or, for a user "
				"chain, '-'",
				c->name);
		if (has_policy)
			err = set_policy(p, c, &policy);
		if (err)
			return err;
		if (!next_blank_word(p->line, &at, &counters))
			return 0;
	}
	if (!parse_counters(counters.text, &c->file_counters, &rest) || rest.len)
		return parser_fail(p, &counters, "bad counters: '[packets:bytes]' was expected");
	return refuse_rest(p, at);
}

/* Targets that weren't chains when their rules were read. */
static int resolve_targets(struct parser *p)
{
	for (size_t i = 0; i < p->nr_unresolved; i++) {
		struct rule *r = p->unresolved[i];
		int len = (int)r->to_name.len;

		if (!r->chain)
			continue;
		r->to = table_chain(p->table, r->to_name);
		if (!r->to) {
			parser_fail_at(p, r->target_pos,
				"'%.*s' is neither a chain of table %s nor a target", len,
				r->to_name.p, p->table->name);
		} else if (!p->opts->lenient) {
			parser_fail_at(p, r->target_pos,
				"chain '%.*s' is declared only in line %u; it must be declared "
				"before its "
				"first use",
				len, r->to_name.p, r->to->pos.line);
		}
		if (r->to)
			r->to->nr_refs++;
	}
	p->nr_unresolved = 0;
	return 0;
}

static int commit_line(struct parser *p)
{
	resolve_targets(p);
	int err = table_check(p, p->table);
	p->table = NULL;
	return err;
}

static bool is_commit(const struct parser *p)
{
	struct str line = p->line;

	while (p->opts->lenient && line.len &&
		(line.p[line.len - 1] == ' ' || line.p[line.len - 1] == '\t'))
		line.len--;
	return str_eq(line, "COMMIT");
}

static bool is_blank_line(struct str line)
{
	for (size_t i = 0; i < line.len; i++)
		if (line.p[i] != ' ' && line.p[i] != '\t')
			return false;
	return true;
}

static void strip_cr(struct parser *p)
{
	if (!p->line.len || p->line.p[p->line.len - 1] != '\r')
		return;
	p->line.len--;
	struct word end = {.col = (u32)p->line.len + 1, .width = 1};
	if (!p->opts->lenient && !p->crlf_reported)
		parser_fail(p, &end, "the line ends with CR LF; lines must end with LF");
	p->crlf_reported = true;
}

static int stray_line(struct parser *p)
{
	if (p->stray_reported)
		return 0;
	p->stray_reported = true;
	if (is_commit(p))
		return parser_fail(
			p, NULL, "COMMIT without a table: '*TABLE' was expected before it");
	return parser_fail(
		p, NULL, "outside of a table: '*TABLE' was expected before it (%s)", table_names);
}

static int table_content(struct parser *p)
{
	if (is_commit(p))
		return commit_line(p);
	if (p->line.p[0] == '*')
		return parser_fail(p, NULL, "COMMIT was expected before the next table");
	if (p->line.p[0] == ':')
		return chain_line(p);
	if (is_blank_line(p->line) && p->opts->lenient)
		return 0;
	if (is_blank_line(p->line))
		return parser_fail(p, NULL, "blanks only: an empty line has none");
	if (p->line.len > 6 && !memcmp(p->line.p, "COMMIT", 6) &&
		is_blank_line(str_new(p->line.p + 6, p->line.len - 6)))
		return parser_fail(p, NULL, "COMMIT must stand alone, but blanks follow it");
	return parse_rule_line(p);
}

static int parse_line(struct parser *p)
{
	strip_cr(p);
	if (!p->line.len || p->line.p[0] == '#')
		return 0;
	if (p->table)
		return table_content(p);
	if (p->line.p[0] == '*')
		return table_line(p);
	if (p->junk_table) {
		p->junk_table = !is_commit(p);
		return 0;
	}
	if (is_blank_line(p->line) && p->opts->lenient)
		return 0;
	return stray_line(p);
}

static int note_line(struct parser *p)
{
	struct ruleset *set = p->set;

	if (array_grow((void **)&p->lines, &p->cap_lines, p->line_no + 1u, sizeof(*p->lines)))
		return -ENOMEM;
	p->lines[p->line_no++] = (u32)(p->line.p - set->text.p);
	set->lines = p->lines;
	set->nr_lines = p->line_no;
	return 0;
}

/* The line offsets move into the set. */
static int keep_lines(struct parser *p)
{
	u32 *lines = arena_array(&p->set->arena, p->set->nr_lines, sizeof(*lines));

	if (!lines)
		return -ENOMEM;
	if (p->set->nr_lines)
		memcpy(lines, p->lines, p->set->nr_lines * sizeof(*lines));
	p->set->lines = lines;
	return 0;
}

static int parse_lines(struct parser *p)
{
	struct str rest = p->set->text;

	while (lex_line(&rest, &p->line)) {
		if (note_line(p))
			return parser_nomem(p);
		if (parse_line(p) == -ENOMEM)
			return -ENOMEM;
	}
	if (p->table) {
		parser_fail_at(
			p, p->table_pos, "table %s has no COMMIT at its end", p->table->name);
		return commit_line(p);
	}
	return 0;
}

/* A NUL byte is in no text: one message says it all, where the lines of a binary file would give thousands. */
static int refuse_binary(struct parser *p)
{
	struct str text = p->set->text;
	const char *nul = text.len ? memchr(text.p, '\0', text.len) : NULL, *start = text.p;
	u32 line = 1;

	if (!nul)
		return 0;
	for (const char *at = text.p; at < nul; at++)
		if (*at == '\n') {
			line++;
			start = at + 1;
		}
	return diag_fail(p->diag, pos_text(p->set->file, line, (u32)(nul - start) + 1), EINVAL,
		"a byte 0x00: this is not a text file as ip[6]tables-save writes it");
}

static int parse_set(struct parser *p)
{
	struct ruleset *set = p->set;

	if (set->text.len > RULES_FILE_BYTES_MAX)
		return diag_fail(p->diag, pos_text(set->file, 0, 0), EINVAL,
			"the file has more than %u bytes (RULES_FILE_BYTES_MAX)",
			RULES_FILE_BYTES_MAX);
	if (refuse_binary(p))
		return -EINVAL;
	set->family = p->opts->family;
	if (set->family == FAMILY_NONE)
		set->family = family_guess(set->file, set->text, &set->arena);
	if (set->family == FAMILY_NONE)
		return diag_fail(p->diag, pos_text(set->file, 0, 0), EINVAL,
			"nothing in the file tells whether it is for IPv4 or IPv6; say -4 or -6");
	int err = parse_lines(p);
	if (!err)
		err = ruleset_finish(set) || keep_lines(p) ? parser_nomem(p) : 0;
	return err;
}

static int compare_messages(const void *a, const void *b)
{
	const struct pos *x = &((const struct diag_entry *)a)->pos,
			 *y = &((const struct diag_entry *)b)->pos;

	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return (x->col > y->col) - (x->col < y->col);
}

/* What is checked at COMMIT comes late; readers want the file's order. */
static void sort_messages(struct diag *d, size_t from)
{
	if (d->nr > from)
		qsort(d->entries + from, d->nr - from, sizeof(*d->entries), compare_messages);
}

int rules_parse(const char *file, struct str text, const struct parse_opts *opts,
	struct ruleset **out, struct diag *d)
{
	struct diag own = {0};
	struct diag *diag = d ? d : &own;
	struct parser p = {.opts = opts, .diag = diag};
	size_t before = diag->nr_errors, nr_before = diag->nr;

	p.set = mem_zalloc(sizeof(*p.set));
	if (!p.set)
		return diag_nomem(d);
	p.set->file = file;
	p.set->text = text;
	int err = parse_set(&p);
	if (!err && diag->nr_errors > before)
		err = -EINVAL;
	sort_messages(diag, nr_before);
	words_fini(&p.words);
	mem_free(p.unresolved);
	mem_free(p.lines);
	diag_fini(&own);
	if (err) {
		ruleset_free(p.set);
		return err;
	}
	*out = p.set;
	return 0;
}

void ruleset_free(struct ruleset *set)
{
	if (!set)
		return;
	arena_fini(&set->arena);
	mem_free(set);
}
