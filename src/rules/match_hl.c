/* -m hl: the hop limit of IPv6. */
#include "rules/hop_limit.h"
#include "rules/match.h"
#include "rules/matches.h"
#include "rules/options.h"
#include "rules/print_text.h"

#define EXPECTS "0 to 255"

static option_error parse_value(const struct option_ctx *c, struct ttl_match *m, enum ttl_op op)
{
	u64 value = 0;

	if (m->given)
		return option_conflict(c, "only one of --hl-eq, --hl-lt and --hl-gt");
	option_error e = option_number(c, c->value, 0, UINT8_MAX, &value);
	if (e)
		return e;
	m->given = true;
	m->op = (u8)op;
	m->value = (u8)value;
	return NULL;
}

static option_error parse_eq(const struct option *o, const struct option_ctx *c, void *data)
{
	(void)o;
	return parse_value(c, data, c->invert ? TTL_NE : TTL_EQ);
}

static option_error parse_lt(const struct option *o, const struct option_ctx *c, void *data)
{
	(void)o;
	return parse_value(c, data, TTL_LT);
}

static option_error parse_gt(const struct option *o, const struct option_ctx *c, void *data)
{
	(void)o;
	return parse_value(c, data, TTL_GT);
}

static const struct option options[] = {
	{.name = "hl-eq",
		.alias = "hl",
		.kind = OPTION_CUSTOM,
		.flags = OPTION_INVERT,
		.parse = parse_eq,
		.expects = EXPECTS},
	{.name = "hl-lt", .kind = OPTION_CUSTOM, .parse = parse_lt, .expects = EXPECTS},
	{.name = "hl-gt", .kind = OPTION_CUSTOM, .parse = parse_gt, .expects = EXPECTS},
};

static option_error hl_check(const void *data, const struct rule *r)
{
	const struct ttl_match *m = data;

	(void)r;
	return m->given ? NULL : "needs one of --hl-eq, --hl-lt and --hl-gt";
}

static void hl_print(struct buf *out, const void *data, enum family family)
{
	static const char *const names[] = {
		[TTL_EQ] = "hl-eq",
		[TTL_NE] = "hl-eq",
		[TTL_LT] = "hl-lt",
		[TTL_GT] = "hl-gt",
	};
	const struct ttl_match *m = data;

	(void)family;
	print_option(out, m->op == TTL_NE, names[m->op]);
	buf_printf(out, " %u", m->value);
}

static void hl_list(struct buf *out, const void *data, enum family family)
{
	static const char *const signs[] = {
		[TTL_EQ] = "==", [TTL_NE] = "!=", [TTL_LT] = "<", [TTL_GT] = ">"};
	const struct ttl_match *m = data;

	(void)family;
	buf_printf(out, " HL match HL %s %u", signs[m->op], m->value);
}

const struct match_ops match_hl = {
	.name = "hl",
	.families = FAMILIES_V6,
	.size = sizeof(struct ttl_match),
	.options = options,
	.nr_options = ARRAY_LEN(options),
	.check = hl_check,
	.print = hl_print,
	.list = hl_list,
	.eval = hop_limit_eval,
	.emit = hop_limit_emit,
};
