/* -m icmp: type and code of ICMP; type 255 matches every packet. */
#include "rules/icmp_type.h"
#include "rules/proto.h"

static const struct icmp_name names[] = {
	/* name, type, codes */
	{"any", 255, 0, 255},
	{"echo-reply", 0, 0, 255},
	{"pong", 0, 0, 255},
	{"destination-unreachable", 3, 0, 255},
	{"network-unreachable", 3, 0, 0},
	{"host-unreachable", 3, 1, 1},
	{"protocol-unreachable", 3, 2, 2},
	{"port-unreachable", 3, 3, 3},
	{"fragmentation-needed", 3, 4, 4},
	{"source-route-failed", 3, 5, 5},
	{"network-unknown", 3, 6, 6},
	{"host-unknown", 3, 7, 7},
	{"network-prohibited", 3, 9, 9},
	{"host-prohibited", 3, 10, 10},
	{"TOS-network-unreachable", 3, 11, 11},
	{"TOS-host-unreachable", 3, 12, 12},
	{"communication-prohibited", 3, 13, 13},
	{"host-precedence-violation", 3, 14, 14},
	{"precedence-cutoff", 3, 15, 15},
	{"source-quench", 4, 0, 255},
	{"redirect", 5, 0, 255},
	{"network-redirect", 5, 0, 0},
	{"host-redirect", 5, 1, 1},
	{"TOS-network-redirect", 5, 2, 2},
	{"TOS-host-redirect", 5, 3, 3},
	{"echo-request", 8, 0, 255},
	{"ping", 8, 0, 255},
	{"router-advertisement", 9, 0, 255},
	{"router-solicitation", 10, 0, 255},
	{"time-exceeded", 11, 0, 255},
	{"ttl-exceeded", 11, 0, 255},
	{"ttl-zero-during-transit", 11, 0, 0},
	{"ttl-zero-during-reassembly", 11, 1, 1},
	{"parameter-problem", 12, 0, 255},
	{"ip-header-bad", 12, 0, 0},
	{"required-option-missing", 12, 1, 1},
	{"timestamp-request", 13, 0, 255},
	{"timestamp-reply", 14, 0, 255},
	{"address-mask-request", 17, 0, 255},
	{"address-mask-reply", 18, 0, 255},
};

static option_error parse_type(const struct option *o, const struct option_ctx *c, void *data)
{
	struct icmp_match *m = data;
	option_error e = icmp_parse_type(c, names, ARRAY_LEN(names), m);

	(void)o;
	m->any = m->type == UINT8_MAX;
	return e;
}

static const struct option options[] = {
	{.name = "icmp-type",
		.kind = OPTION_CUSTOM,
		.flags = OPTION_INVERT | OPTION_REQUIRED,
		.parse = parse_type,
		.expects = "TYPE, TYPE/CODE or a name such as echo-request"},
};

static option_error icmp_check(const void *data, const struct rule *r)
{
	(void)data;
	return r->proto == PROTO_ICMP && !(r->invert & INV_PROTO) ? NULL : "needs '-p icmp'";
}

static void icmp_print(struct buf *out, const void *data, enum family family)
{
	(void)family;
	icmp_print_type(out, "icmp-type", data);
}

static void icmp_list(struct buf *out, const void *data, enum family family)
{
	(void)family;
	buf_puts(out, " icmp");
	icmp_list_type(out, data);
}

const struct match_ops match_icmp = {
	.name = "icmp",
	.families = FAMILIES_V4,
	.size = sizeof(struct icmp_match),
	.options = options,
	.nr_options = ARRAY_LEN(options),
	.check = icmp_check,
	.print = icmp_print,
	.list = icmp_list,
	.eval = icmp_eval,
	.emit = icmp_emit,
	.needs = icmp_needs,
};
