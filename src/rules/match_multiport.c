/* -m multiport: up to 15 ports, a range taking the place of two. */
#include "base/bytes.h"
#include "rules/match.h"
#include "rules/matches.h"
#include "rules/options.h"
#include "rules/print_text.h"
#include "rules/proto.h"
#include "rules/upper.h"

#define EXPECTS "up to 15 ports, a range FROM:TO counting as two, with commas between"

/* NULL when multiport doesn't work with the rule's protocol. */
static const char *port_protocol(const struct rule *r)
{
	static const u8 protocols[] = {PROTO_TCP, PROTO_UDP, PROTO_UDPLITE, PROTO_SCTP, PROTO_DCCP};

	for (size_t i = 0; i < ARRAY_LEN(protocols); i++)
		if (r->proto == protocols[i] && !(r->invert & INV_PROTO))
			return proto_name(protocols[i]);
	return NULL;
}

static option_error parse_port(
	const struct option_ctx *c, struct str s, const char *proto, u16 *out)
{
	if (port_parse(s, proto, out))
		return NULL;
	return option_errorf(
		c, "'%.*s' is no port or %s service", (int)(s.len > 64 ? 64 : s.len), s.p, proto);
}

static option_error parse_one(const struct option_ctx *c, struct str s, const char *proto,
	struct multiport_match *m, u32 *slots)
{
	struct str from, to;
	bool is_range = str_split(s, ':', &from, &to);
	struct port_range *range = &m->ports[m->nr];

	*slots += is_range ? 2 : 1;
	if (*slots > MULTIPORT_SLOTS)
		return "more than 15 ports";
	option_error e = parse_port(c, from, proto, &range->min);
	if (e)
		return e;
	range->max = range->min;
	if (is_range)
		e = parse_port(c, to, proto, &range->max);
	if (e)
		return e;
	if (is_range && range->min >= range->max)
		return "a range must go up";
	m->is_range[m->nr++] = is_range;
	return NULL;
}

static option_error parse_side(
	const struct option_ctx *c, struct multiport_match *m, enum multiport_side side)
{
	const char *proto = port_protocol(c->rule);
	struct str rest = c->value, one;
	u32 slots = 0;
	bool more = true;

	if (m->nr)
		return option_conflict(c, "only one of --sports, --dports and --ports");
	if (!proto)
		return option_conflict(c, "needs '-p tcp', udp, udplite, sctp or dccp before it");
	m->side = (u8)side;
	m->inv = c->invert;
	while (more) {
		more = str_split(rest, ',', &one, &rest);
		option_error e = parse_one(c, one, proto, m, &slots);
		if (e)
			return e;
	}
	return NULL;
}

static option_error parse_sports(const struct option *o, const struct option_ctx *c, void *data)
{
	(void)o;
	return parse_side(c, data, MULTIPORT_SOURCE);
}

static option_error parse_dports(const struct option *o, const struct option_ctx *c, void *data)
{
	(void)o;
	return parse_side(c, data, MULTIPORT_DEST);
}

static option_error parse_ports(const struct option *o, const struct option_ctx *c, void *data)
{
	(void)o;
	return parse_side(c, data, MULTIPORT_EITHER);
}

static const struct option options[] = {
	{.name = "source-ports",
		.alias = "sports",
		.kind = OPTION_CUSTOM,
		.flags = OPTION_INVERT,
		.parse = parse_sports,
		.expects = EXPECTS},
	{.name = "destination-ports",
		.alias = "dports",
		.kind = OPTION_CUSTOM,
		.flags = OPTION_INVERT,
		.parse = parse_dports,
		.expects = EXPECTS},
	{.name = "ports",
		.kind = OPTION_CUSTOM,
		.flags = OPTION_INVERT,
		.parse = parse_ports,
		.expects = EXPECTS},
};

static option_error multiport_check(const void *data, const struct rule *r)
{
	const struct multiport_match *m = data;

	(void)r; /* its protocol was checked with the ports, and -p can't change afterwards */
	return m->nr ? NULL : "needs --sports, --dports or --ports";
}

static const char *const side_names[] = {
	[MULTIPORT_SOURCE] = "sports",
	[MULTIPORT_DEST] = "dports",
	[MULTIPORT_EITHER] = "ports",
};

static void put_ports(struct buf *out, const struct multiport_match *m)
{
	for (u32 i = 0; i < m->nr; i++) {
		buf_printf(out, "%s%u", i ? "," : "", m->ports[i].min);
		if (m->is_range[i])
			buf_printf(out, ":%u", m->ports[i].max);
	}
}

static void multiport_print(struct buf *out, const void *data, enum family family)
{
	const struct multiport_match *m = data;

	(void)family;
	print_option(out, m->inv, side_names[m->side]);
	buf_puts(out, " ");
	put_ports(out, m);
}

static void multiport_list(struct buf *out, const void *data, enum family family)
{
	const struct multiport_match *m = data;

	(void)family;
	buf_printf(out, " multiport %s %s", side_names[m->side], m->inv ? " !" : "");
	put_ports(out, m);
}

enum { PORTS_BYTES = 4 };

static bool in_some_range(const struct multiport_match *m, u16 port)
{
	for (u32 i = 0; i < m->nr; i++)
		if (port_in(m->ports[i], port))
			return true;
	return false;
}

static bool multiport_eval(const void *data, struct eval *e)
{
	const struct multiport_match *m = data;
	const u8 *ports = eval_upper(e, PORTS_BYTES);

	if (!ports)
		return false;
	bool fits = (m->side != MULTIPORT_DEST && in_some_range(m, load_be16(ports))) ||
		    (m->side != MULTIPORT_SOURCE && in_some_range(m, load_be16(ports + 2)));
	return fits != m->inv;
}

/* Goes to `found` when the port is in a range of the list, else on. */
static void emit_list(
	struct emit *e, const struct multiport_match *m, enum upper_byte byte, struct spot *found)
{
	emit_be_load(e, ATOM_UPPER, 2, (s16)byte, BPF_REG_0);
	for (u32 i = 0; i < m->nr; i++) {
		struct port_range r = m->ports[i];
		struct spot below = emit_spot(e);

		if (r.min == r.max) {
			bld_jmp32_imm(e->b, BPF_JEQ, BPF_REG_0, r.min, spot_use(found));
		} else {
			bld_jmp32_imm(e->b, BPF_JLT, BPF_REG_0, r.min, spot_use(&below));
			bld_jmp32_imm(e->b, BPF_JLE, BPF_REG_0, r.max, spot_use(found));
		}
		emit_bind(e, &below);
	}
}

static void multiport_emit(const void *data, struct emit *e)
{
	const struct multiport_match *m = data;
	struct spot found = emit_spot(e);
	struct spot *in_list = m->inv ? e->miss : &found;

	emit_whole_upper(e, PORTS_BYTES);
	if (m->side != MULTIPORT_DEST)
		emit_list(e, m, UPPER_SPORT_BYTE, in_list);
	if (m->side != MULTIPORT_SOURCE)
		emit_list(e, m, UPPER_DPORT_BYTE, in_list);
	if (!m->inv)
		bld_ja(e->b, emit_miss(e));
	emit_bind(e, &found);
}

static unsigned multiport_needs(const void *data)
{
	(void)data;
	return NEEDS_UPPER;
}

static void multiport_narrow(const void *data, struct box *box)
{
	const struct multiport_match *m = data;
	struct port_range all = {UINT16_MAX, 0};

	if (m->inv || m->side == MULTIPORT_EITHER)
		return;
	for (u32 i = 0; i < m->nr; i++) {
		all.min = m->ports[i].min < all.min ? m->ports[i].min : all.min;
		all.max = m->ports[i].max > all.max ? m->ports[i].max : all.max;
	}
	box_cut(box, m->side == MULTIPORT_SOURCE ? BOX_SPORT : BOX_DPORT, all.min, all.max);
}

const struct match_ops match_multiport = {
	.name = "multiport",
	.families = FAMILIES_BOTH,
	.size = sizeof(struct multiport_match),
	.options = options,
	.nr_options = ARRAY_LEN(options),
	.check = multiport_check,
	.print = multiport_print,
	.list = multiport_list,
	.eval = multiport_eval,
	.emit = multiport_emit,
	.needs = multiport_needs,
	.narrow = multiport_narrow,
};
