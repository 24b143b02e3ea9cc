/* -m iprange: source and destination between two addresses, ends included. */
#include <string.h>

#include "rules/match.h"
#include "rules/matches.h"
#include "rules/options.h"
#include "rules/addr_text.h"
#include "rules/print_text.h"

#define EXPECTS "ADDRESS or FROM-TO"

static option_error parse_range(const struct option_ctx *c, u8 min[16], u8 max[16])
{
	struct str from, to;

	if (!str_split(c->value, '-', &from, &to))
		to = from;
	if (!addr_parse(from, c->family, min))
		return option_errorf(c, "'%.*s' is not an address", (int)(from.len > 64 ? 64 : from.len), from.p);
	if (!addr_parse(to, c->family, max))
		return option_errorf(c, "'%.*s' is not an address", (int)(to.len > 64 ? 64 : to.len), to.p);
	if (memcmp(min, max, 16) > 0)
		*c->warning = "never matches: the first address is above the second";
	return NULL;
}

static option_error parse_src(const struct option *o, const struct option_ctx *c, void *data)
{
	struct iprange_match *m = data;

	(void)o;
	m->has_src = true;
	m->inv_src = c->invert;
	return parse_range(c, m->src_min, m->src_max);
}

static option_error parse_dst(const struct option *o, const struct option_ctx *c, void *data)
{
	struct iprange_match *m = data;

	(void)o;
	m->has_dst = true;
	m->inv_dst = c->invert;
	return parse_range(c, m->dst_min, m->dst_max);
}

static const struct option options[] = {
	{ .name = "src-range", .kind = OPTION_CUSTOM, .flags = OPTION_INVERT, .parse = parse_src, .expects = EXPECTS },
	{ .name = "dst-range", .kind = OPTION_CUSTOM, .flags = OPTION_INVERT, .parse = parse_dst, .expects = EXPECTS },
};

static option_error iprange_check(const void *data, const struct rule *r)
{
	const struct iprange_match *m = data;

	(void)r;
	return m->has_src || m->has_dst ? NULL : "needs --src-range or --dst-range";
}

static void put_range(struct buf *out, const u8 *min, const u8 *max, enum family family)
{
	print_address(out, min, family);
	buf_puts(out, "-");
	print_address(out, max, family);
}

static void iprange_print(struct buf *out, const void *data, enum family family)
{
	const struct iprange_match *m = data;

	if (m->has_src) {
		print_option(out, m->inv_src, "src-range ");
		put_range(out, m->src_min, m->src_max, family);
	}
	if (m->has_dst) {
		print_option(out, m->inv_dst, "dst-range ");
		put_range(out, m->dst_min, m->dst_max, family);
	}
}

static void iprange_list(struct buf *out, const void *data, enum family family)
{
	const struct iprange_match *m = data;

	if (m->has_src) {
		buf_puts(out, m->inv_src ? " source IP range ! " : " source IP range ");
		put_range(out, m->src_min, m->src_max, family);
	}
	if (m->has_dst) {
		buf_puts(out, m->inv_dst ? " destination IP range ! " : " destination IP range ");
		put_range(out, m->dst_min, m->dst_max, family);
	}
}

const struct match_ops match_iprange = {
	.name = "iprange",
	.families = FAMILIES_BOTH,
	.size = sizeof(struct iprange_match),
	.options = options,
	.nr_options = ARRAY_LEN(options),
	.check = iprange_check,
	.print = iprange_print,
	.list = iprange_list,
};
