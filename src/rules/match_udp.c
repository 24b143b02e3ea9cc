/* -m udp: ports. */
#include "base/bytes.h"
#include "rules/match.h"
#include "rules/matches.h"
#include "rules/options.h"
#include "rules/ports.h"
#include "rules/proto.h"
#include "rules/upper.h"

#define EXPECTS "a port, a service name or FROM:TO"

static option_error parse_ports(const struct option *o, const struct option_ctx *c, void *data)
{
	struct port_range *range = (struct port_range *)(void *)((u8 *)data + o->offset);

	*((bool *)data + o->invert_offset) = c->invert;
	return option_ports(c, NULL, &range->min, &range->max);
}

static const struct option options[] = {
	{.name = "source-port",
		.alias = "sport",
		.kind = OPTION_CUSTOM,
		.flags = OPTION_INVERT,
		.parse = parse_ports,
		.offset = offsetof(struct udp_match, sport),
		.invert_offset = offsetof(struct udp_match, inv_sport),
		.expects = EXPECTS},
	{.name = "destination-port",
		.alias = "dport",
		.kind = OPTION_CUSTOM,
		.flags = OPTION_INVERT,
		.parse = parse_ports,
		.offset = offsetof(struct udp_match, dport),
		.invert_offset = offsetof(struct udp_match, inv_dport),
		.expects = EXPECTS},
};

static void udp_init(void *data, enum family family)
{
	struct udp_match *m = data;

	(void)family;
	m->sport.max = m->dport.max = UINT16_MAX;
}

static option_error udp_check(const void *data, const struct rule *r)
{
	(void)data;
	return r->proto == PROTO_UDP && !(r->invert & INV_PROTO) ? NULL : "needs '-p udp'";
}

static void udp_print(struct buf *out, const void *data, enum family family)
{
	const struct udp_match *m = data;

	(void)family;
	print_port_option(out, "sport", m->sport, m->inv_sport);
	print_port_option(out, "dport", m->dport, m->inv_dport);
}

static void udp_list(struct buf *out, const void *data, enum family family)
{
	const struct udp_match *m = data;

	(void)family;
	buf_puts(out, " udp");
	list_ports(out, "spt", m->sport, m->inv_sport);
	list_ports(out, "dpt", m->dport, m->inv_dport);
}

enum { UDP_BYTES = 8 };

static bool udp_eval(const void *data, struct eval *e)
{
	const struct udp_match *m = data;
	const u8 *udp = eval_upper(e, UDP_BYTES);

	return udp && port_in(m->sport, load_be16(udp)) != m->inv_sport &&
	       port_in(m->dport, load_be16(udp + 2)) != m->inv_dport;
}

static void udp_emit(const void *data, struct emit *e)
{
	const struct udp_match *m = data;

	emit_whole_upper(e, UDP_BYTES);
	emit_port(e, UPPER_SPORT_BYTE, m->sport, m->inv_sport);
	emit_port(e, UPPER_DPORT_BYTE, m->dport, m->inv_dport);
}

static unsigned udp_needs(const void *data)
{
	(void)data;
	return NEEDS_UPPER | MATCHES_WHOLE;
}

static void udp_narrow(const void *data, struct box *box)
{
	const struct udp_match *m = data;

	narrow_port(box, BOX_SPORT, m->sport, m->inv_sport);
	narrow_port(box, BOX_DPORT, m->dport, m->inv_dport);
}

const struct match_ops match_udp = {
	.name = "udp",
	.families = FAMILIES_BOTH,
	.size = sizeof(struct udp_match),
	.options = options,
	.nr_options = ARRAY_LEN(options),
	.init = udp_init,
	.check = udp_check,
	.print = udp_print,
	.list = udp_list,
	.eval = udp_eval,
	.emit = udp_emit,
	.needs = udp_needs,
	.narrow = udp_narrow,
};
