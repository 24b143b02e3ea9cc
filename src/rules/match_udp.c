/* -m udp: ports. */
#include "rules/match.h"
#include "rules/matches.h"
#include "rules/options.h"
#include "rules/ports.h"
#include "rules/proto.h"

#define EXPECTS "a port, a service name or FROM:TO"

static option_error parse_ports(const struct option *o, const struct option_ctx *c, void *data)
{
	struct port_range *range = (struct port_range *)(void *)((u8 *)data + o->offset);

	*((bool *)data + o->invert_offset) = c->invert;
	return option_ports(c, "udp", &range->min, &range->max);
}

static const struct option options[] = {
	{ .name = "source-port", .alias = "sport", .kind = OPTION_CUSTOM, .flags = OPTION_INVERT, .parse = parse_ports,
		.offset = offsetof(struct udp_match, sport), .invert_offset = offsetof(struct udp_match, inv_sport),
		.expects = EXPECTS },
	{ .name = "destination-port", .alias = "dport", .kind = OPTION_CUSTOM, .flags = OPTION_INVERT, .parse = parse_ports,
		.offset = offsetof(struct udp_match, dport), .invert_offset = offsetof(struct udp_match, inv_dport),
		.expects = EXPECTS },
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
};
