/* -m conntrack: state, addresses, ports and the like of the packet's connection. */
#include "rules/addr_text.h"
#include "rules/ct_state.h"
#include "rules/options.h"
#include "rules/print_text.h"
#include "rules/proto.h"

#define EXPECTS_STATES "a list of INVALID,NEW,RELATED,ESTABLISHED,UNTRACKED,SNAT,DNAT"
#define EXPECTS_ADDRESS "ADDRESS or ADDRESS/MASK"
#define EXPECTS_PORTS "a port or FROM:TO"

static const struct bit_name status_names[] = {
	{"NONE", 1},
	{"EXPECTED", 2},
	{"SEEN_REPLY", 4},
	{"ASSURED", 8},
	{"CONFIRMED", 16},
};

static const struct bit_name dir_names[] = {{"ORIGINAL", 1}, {"REPLY", 2}};

static const char *const address_names[NR_CT_ADDRESSES] = {
	"ctorigsrc", "ctorigdst", "ctreplsrc", "ctrepldst"};

static option_error parse_states(const struct option *o, const struct option_ctx *c, void *data)
{
	struct conntrack_match *m = data;

	(void)o;
	m->has_states = true;
	m->inv_states = c->invert;
	return bits_parse(c, ct_state_names, NR_CT_STATES, &m->states);
}

static option_error parse_status(const struct option *o, const struct option_ctx *c, void *data)
{
	struct conntrack_match *m = data;

	(void)o;
	m->has_status = true;
	m->inv_status = c->invert;
	return bits_parse(c, status_names, ARRAY_LEN(status_names), &m->status);
}

static option_error parse_dir(const struct option *o, const struct option_ctx *c, void *data)
{
	struct conntrack_match *m = data;

	(void)o;
	for (size_t i = 0; i < ARRAY_LEN(dir_names); i++)
		if (str_eq_nocase(c->value, dir_names[i].name))
			m->dir = dir_names[i].bit;
	return m->dir ? NULL : "no direction";
}

static option_error parse_proto(const struct option *o, const struct option_ctx *c, void *data)
{
	struct conntrack_match *m = data;

	(void)o;
	m->has_proto = true;
	m->inv_proto = c->invert;
	return proto_parse(c->value, &m->proto) ? NULL : "no protocol";
}

/* The row's offset says which of the four addresses; host bits stay, as iptables keeps them. */
static option_error parse_address(const struct option *o, const struct option_ctx *c, void *data)
{
	struct conntrack_match *m = data;
	struct str addr, mask;
	size_t bytes = c->family == FAMILY_IPV4 ? 4 : 16;

	if (!str_split(c->value, '/', &addr, &mask))
		mask_from_prefix(m->tuple[o->offset].mask, bytes, (unsigned)bytes * 8);
	else if (!mask_parse(mask, c->family, m->tuple[o->offset].mask))
		return option_errorf(
			c, "'%.*s' is no mask", (int)(mask.len > 64 ? 64 : mask.len), mask.p);
	if (!addr_parse(addr, c->family, m->tuple[o->offset].addr))
		return option_errorf(
			c, "'%.*s' is no address", (int)(addr.len > 64 ? 64 : addr.len), addr.p);
	m->tuple[o->offset].has_addr = true;
	m->tuple[o->offset].inv_addr = c->invert;
	return NULL;
}

static option_error parse_ports(const struct option *o, const struct option_ctx *c, void *data)
{
	struct conntrack_match *m = data;

	m->tuple[o->offset].has_ports = true;
	m->tuple[o->offset].inv_ports = c->invert;
	return option_ports(
		c, NULL, &m->tuple[o->offset].ports.min, &m->tuple[o->offset].ports.max);
}

static const struct option options[] = {
	{.name = "ctstate",
		.kind = OPTION_CUSTOM,
		.flags = OPTION_INVERT,
		.parse = parse_states,
		.expects = EXPECTS_STATES},
	{.name = "ctproto",
		.kind = OPTION_CUSTOM,
		.flags = OPTION_INVERT,
		.parse = parse_proto,
		.expects = "a protocol's name or number"},
	{.name = "ctorigsrc",
		.kind = OPTION_CUSTOM,
		.flags = OPTION_INVERT,
		.parse = parse_address,
		.offset = CT_ORIG_SRC,
		.expects = EXPECTS_ADDRESS},
	{.name = "ctorigdst",
		.kind = OPTION_CUSTOM,
		.flags = OPTION_INVERT,
		.parse = parse_address,
		.offset = CT_ORIG_DST,
		.expects = EXPECTS_ADDRESS},
	{.name = "ctreplsrc",
		.kind = OPTION_CUSTOM,
		.flags = OPTION_INVERT,
		.parse = parse_address,
		.offset = CT_REPL_SRC,
		.expects = EXPECTS_ADDRESS},
	{.name = "ctrepldst",
		.kind = OPTION_CUSTOM,
		.flags = OPTION_INVERT,
		.parse = parse_address,
		.offset = CT_REPL_DST,
		.expects = EXPECTS_ADDRESS},
	{.name = "ctorigsrcport",
		.kind = OPTION_CUSTOM,
		.flags = OPTION_INVERT,
		.parse = parse_ports,
		.offset = CT_ORIG_SRC,
		.expects = EXPECTS_PORTS},
	{.name = "ctorigdstport",
		.kind = OPTION_CUSTOM,
		.flags = OPTION_INVERT,
		.parse = parse_ports,
		.offset = CT_ORIG_DST,
		.expects = EXPECTS_PORTS},
	{.name = "ctreplsrcport",
		.kind = OPTION_CUSTOM,
		.flags = OPTION_INVERT,
		.parse = parse_ports,
		.offset = CT_REPL_SRC,
		.expects = EXPECTS_PORTS},
	{.name = "ctrepldstport",
		.kind = OPTION_CUSTOM,
		.flags = OPTION_INVERT,
		.parse = parse_ports,
		.offset = CT_REPL_DST,
		.expects = EXPECTS_PORTS},
	{.name = "ctstatus",
		.kind = OPTION_CUSTOM,
		.flags = OPTION_INVERT,
		.parse = parse_status,
		.expects = "a list of NONE,EXPECTED,SEEN_REPLY,ASSURED,CONFIRMED"},
	{.name = "ctexpire",
		.kind = OPTION_RANGE_U32,
		.flags = OPTION_INVERT,
		.offset = offsetof(struct conntrack_match, expire),
		.invert_offset = offsetof(struct conntrack_match, inv_expire),
		.seen_offset = offsetof(struct conntrack_match, has_expire),
		.expects = "seconds or FROM:TO"},
	{.name = "ctdir",
		.kind = OPTION_CUSTOM,
		.parse = parse_dir,
		.expects = "ORIGINAL or REPLY"},
};

static option_error conntrack_check(const void *data, const struct rule *r)
{
	const struct conntrack_match *m = data;
	bool any = m->has_states || m->has_status || m->has_proto || m->has_expire || m->dir;

	(void)r;
	for (size_t i = 0; i < NR_CT_ADDRESSES; i++)
		any = any || m->tuple[i].has_addr || m->tuple[i].has_ports;
	return any ? NULL : "needs at least one option";
}

/* Listing and save differ only in the dashes. */
static void put_name(
	struct buf *out, const char *dashes, bool invert, const char *name, const char *suffix)
{
	buf_printf(out, "%s %s%s%s", invert ? " !" : "", dashes, name, suffix);
}

static void put_addresses(
	struct buf *out, const struct conntrack_match *m, const char *dashes, enum family family)
{
	int bits = family == FAMILY_IPV4 ? 32 : 128;

	for (size_t i = 0; i < NR_CT_ADDRESSES; i++) {
		if (!m->tuple[i].has_addr)
			continue;
		put_name(out, dashes, m->tuple[i].inv_addr, address_names[i], " ");
		print_address(out, m->tuple[i].addr, family);
		if (mask_to_prefix(m->tuple[i].mask, (size_t)bits / 8) != bits)
			print_mask(out, m->tuple[i].mask, family);
	}
}

static void put_range(struct buf *out, u32 min, u32 max)
{
	buf_printf(out, " %u", min);
	if (min != max)
		buf_printf(out, ":%u", max);
}

static void put_values(
	struct buf *out, const struct conntrack_match *m, const char *dashes, enum family family)
{
	if (m->has_states) {
		put_name(out, dashes, m->inv_states, "ctstate", "");
		bits_print(out, ct_state_names, NR_CT_STATES, m->states);
	}
	if (m->has_proto) {
		put_name(out, dashes, m->inv_proto, "ctproto", "");
		buf_printf(out, " %u", m->proto);
	}
	put_addresses(out, m, dashes, family);
	for (size_t i = 0; i < NR_CT_ADDRESSES; i++) {
		if (!m->tuple[i].has_ports)
			continue;
		put_name(out, dashes, m->tuple[i].inv_ports, address_names[i], "port");
		put_range(out, m->tuple[i].ports.min, m->tuple[i].ports.max);
	}
	if (m->has_status) {
		put_name(out, dashes, m->inv_status, "ctstatus", "");
		bits_print(out, status_names, ARRAY_LEN(status_names), m->status);
	}
	if (m->has_expire) {
		put_name(out, dashes, m->inv_expire, "ctexpire", "");
		put_range(out, m->expire.min, m->expire.max);
	}
	if (m->dir) {
		put_name(out, dashes, false, "ctdir", "");
		bits_print(out, dir_names, ARRAY_LEN(dir_names), m->dir);
	}
}

static void conntrack_print(struct buf *out, const void *data, enum family family)
{
	put_values(out, data, "--", family);
}

static void conntrack_list(struct buf *out, const void *data, enum family family)
{
	put_values(out, data, "", family);
}

const struct match_ops match_conntrack = {
	.name = "conntrack",
	.families = FAMILIES_BOTH,
	.size = sizeof(struct conntrack_match),
	.options = options,
	.nr_options = ARRAY_LEN(options),
	.check = conntrack_check,
	.print = conntrack_print,
	.list = conntrack_list,
	.why_not = "it needs a flow table",
};
