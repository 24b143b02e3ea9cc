/* -m comment: always true; the text is for people. */
#include "rules/match.h"
#include "rules/matches.h"
#include "rules/options.h"
#include "rules/print_text.h"

static option_error parse_comment(const struct option *o, const struct option_ctx *c, void *data)
{
	struct comment_match *m = data;

	(void)o;
	return option_cut(c, m->text, sizeof(m->text));
}

static const struct option options[] = {
	{.name = "comment",
		.kind = OPTION_CUSTOM,
		.flags = OPTION_REQUIRED,
		.parse = parse_comment,
		.expects = "a text of at most 255 bytes"},
};

_Static_assert(
	sizeof(((struct comment_match *)0)->text) == RULES_COMMENT_MAX + 1, "the message says so");

static void comment_print(struct buf *out, const void *data, enum family family)
{
	const struct comment_match *m = data;

	(void)family;
	buf_puts(out, " --comment");
	print_quoted(out, str_of(m->text));
}

static void comment_list(struct buf *out, const void *data, enum family family)
{
	const struct comment_match *m = data;

	(void)family;
	buf_printf(out, " /* %s */", m->text);
}

static bool comment_eval(const void *data, struct eval *e)
{
	(void)data;
	(void)e;
	return true;
}

static void comment_emit(const void *data, struct emit *e)
{
	(void)data;
	(void)e;
}

const struct match_ops match_comment = {
	.name = "comment",
	.families = FAMILIES_BOTH,
	.size = sizeof(struct comment_match),
	.options = options,
	.nr_options = ARRAY_LEN(options),
	.print = comment_print,
	.list = comment_list,
	.eval = comment_eval,
	.emit = comment_emit,
};
