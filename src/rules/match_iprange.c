/* -m iprange: source and destination between two addresses, ends included. */
#include <string.h>

#include "base/bytes.h"
#include "rules/emit.h"
#include "rules/eval.h"
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
		return option_errorf(c, "'%.*s' is not an address",
			(int)(from.len > 64 ? 64 : from.len), from.p);
	if (!addr_parse(to, c->family, max))
		return option_errorf(
			c, "'%.*s' is not an address", (int)(to.len > 64 ? 64 : to.len), to.p);
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
	{.name = "src-range",
		.kind = OPTION_CUSTOM,
		.flags = OPTION_INVERT,
		.parse = parse_src,
		.expects = EXPECTS},
	{.name = "dst-range",
		.kind = OPTION_CUSTOM,
		.flags = OPTION_INVERT,
		.parse = parse_dst,
		.expects = EXPECTS},
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

static bool side_matches(const u8 *addr, const u8 *min, const u8 *max, size_t bytes, bool invert)
{
	return (memcmp(addr, min, bytes) >= 0 && memcmp(addr, max, bytes) <= 0) != invert;
}

static bool iprange_eval(const void *data, struct eval *e)
{
	const struct iprange_match *m = data;
	bool v6 = e->family == FAMILY_IPV6;
	size_t bytes = v6 ? 16 : 4;

	if (m->has_src &&
		!side_matches(e->data + (v6 ? 8 : 12), m->src_min, m->src_max, bytes, m->inv_src))
		return false;
	return !m->has_dst ||
	       side_matches(e->data + (v6 ? 24 : 16), m->dst_min, m->dst_max, bytes, m->inv_dst);
}

/* r0, r1: an address as two numbers. Goes to `below` when it is less than `limit`. */
static void emit_below(struct emit *e, const u8 *limit, struct spot *below)
{
	struct spot not_below = emit_spot(e);

	bld_const(e->b, BPF_REG_5, load_be64(limit));
	bld_jmp_reg(e->b, BPF_JLT, BPF_REG_0, BPF_REG_5, spot_use(below));
	bld_jmp_reg(e->b, BPF_JNE, BPF_REG_0, BPF_REG_5, spot_use(&not_below));
	bld_const(e->b, BPF_REG_5, load_be64(limit + 8));
	bld_jmp_reg(e->b, BPF_JLT, BPF_REG_1, BPF_REG_5, spot_use(below));
	emit_bind(e, &not_below);
}

static void emit_above(struct emit *e, const u8 *limit, struct spot *above)
{
	struct spot not_above = emit_spot(e);

	bld_const(e->b, BPF_REG_5, load_be64(limit));
	bld_jmp_reg(e->b, BPF_JGT, BPF_REG_0, BPF_REG_5, spot_use(above));
	bld_jmp_reg(e->b, BPF_JNE, BPF_REG_0, BPF_REG_5, spot_use(&not_above));
	bld_const(e->b, BPF_REG_5, load_be64(limit + 8));
	bld_jmp_reg(e->b, BPF_JGT, BPF_REG_1, BPF_REG_5, spot_use(above));
	emit_bind(e, &not_above);
}

static void emit_ipv6_side(struct emit *e, s16 off, const u8 *min, const u8 *max, bool invert)
{
	struct spot outside = emit_spot(e);
	struct spot *to = invert ? &outside : e->miss;

	emit_be_load(e, ATOM_PACKET, 8, off, BPF_REG_0);
	emit_be_load(e, ATOM_PACKET, 8, (s16)(off + 8), BPF_REG_1);
	emit_below(e, min, to);
	emit_above(e, max, to);
	if (invert)
		bld_ja(e->b, emit_miss(e));
	emit_bind(e, &outside);
}

static void emit_side(struct emit *e, bool source, const u8 *min, const u8 *max, bool invert)
{
	if (e->family == FAMILY_IPV6) {
		emit_ipv6_side(e, source ? 8 : 24, min, max, invert);
	} else {
		emit_be_load(e, ATOM_PACKET, 4, source ? 12 : 16, BPF_REG_0);
		emit_range(e, BPF_REG_0, load_be32(min), load_be32(max), UINT32_MAX, invert);
	}
}

static void iprange_emit(const void *data, struct emit *e)
{
	const struct iprange_match *m = data;

	if (m->has_src)
		emit_side(e, true, m->src_min, m->src_max, m->inv_src);
	if (m->has_dst)
		emit_side(e, false, m->dst_min, m->dst_max, m->inv_dst);
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
	.eval = iprange_eval,
	.emit = iprange_emit,
};
