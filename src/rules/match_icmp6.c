/* -m icmp6: type and code of ICMPv6. */
#include "rules/icmp_type.h"
#include "rules/proto.h"

static const struct icmp_name names[] = {
	/* name, type, codes */
	{"destination-unreachable", 1, 0, 255},
	{"no-route", 1, 0, 0},
	{"communication-prohibited", 1, 1, 1},
	{"beyond-scope", 1, 2, 2},
	{"address-unreachable", 1, 3, 3},
	{"port-unreachable", 1, 4, 4},
	{"failed-policy", 1, 5, 5},
	{"reject-route", 1, 6, 6},
	{"packet-too-big", 2, 0, 255},
	{"time-exceeded", 3, 0, 255},
	{"ttl-exceeded", 3, 0, 255},
	{"ttl-zero-during-transit", 3, 0, 0},
	{"ttl-zero-during-reassembly", 3, 1, 1},
	{"parameter-problem", 4, 0, 255},
	{"bad-header", 4, 0, 0},
	{"unknown-header-type", 4, 1, 1},
	{"unknown-option", 4, 2, 2},
	{"echo-request", 128, 0, 255},
	{"ping", 128, 0, 255},
	{"echo-reply", 129, 0, 255},
	{"pong", 129, 0, 255},
	{"router-solicitation", 133, 0, 255},
	{"router-advertisement", 134, 0, 255},
	{"neighbour-solicitation", 135, 0, 255},
	{"neighbor-solicitation", 135, 0, 255},
	{"neighbour-advertisement", 136, 0, 255},
	{"neighbor-advertisement", 136, 0, 255},
	{"redirect", 137, 0, 255},
};

static option_error parse_type(const struct option *o, const struct option_ctx *c, void *data)
{
	(void)o;
	return icmp_parse_type(c, names, ARRAY_LEN(names), data);
}

static const struct option options[] = {
	{.name = "icmpv6-type",
		.kind = OPTION_CUSTOM,
		.flags = OPTION_INVERT | OPTION_REQUIRED,
		.parse = parse_type,
		.expects = "TYPE, TYPE/CODE or a name such as echo-request"},
};

static option_error icmp6_check(const void *data, const struct rule *r)
{
	(void)data;
	return r->proto == PROTO_ICMPV6 && !(r->invert & INV_PROTO) ? NULL : "needs '-p icmpv6'";
}

static void icmp6_print(struct buf *out, const void *data, enum family family)
{
	(void)family;
	icmp_print_type(out, "icmpv6-type", data);
}

static void icmp6_list(struct buf *out, const void *data, enum family family)
{
	(void)family;
	buf_puts(out, " ipv6-icmp");
	icmp_list_type(out, data);
}

static const char *const aliases[] = {"icmpv6", "ipv6-icmp", NULL};

const struct match_ops match_icmp6 = {
	.name = "icmp6",
	.aliases = aliases,
	.families = FAMILIES_V6,
	.size = sizeof(struct icmp_match),
	.options = options,
	.nr_options = ARRAY_LEN(options),
	.check = icmp6_check,
	.print = icmp6_print,
	.list = icmp6_list,
	.eval = icmp_eval,
	.emit = icmp_emit,
	.needs = icmp_needs,
};
