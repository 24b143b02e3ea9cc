/* -m tcp: ports, flags, presence of an option. */
#include "base/bytes.h"
#include "rules/counters.h"
#include "rules/match.h"
#include "rules/matches.h"
#include "rules/options.h"
#include "rules/ports.h"
#include "rules/print_text.h"
#include "rules/proto.h"
#include "rules/upper.h"

#define EXPECTS "a port, a service name or FROM:TO"

enum {
	TCP_FIN = 0x01,
	TCP_SYN = 0x02,
	TCP_RST = 0x04,
	TCP_PSH = 0x08,
	TCP_ACK = 0x10,
	TCP_URG = 0x20,
	TCP_ALL = 0x3f
};

/* In the order in which they are printed. */
static const struct {
	const char *name;
	u8 bits;
} flag_names[] = {
	{"FIN", TCP_FIN},
	{"SYN", TCP_SYN},
	{"RST", TCP_RST},
	{"PSH", TCP_PSH},
	{"ACK", TCP_ACK},
	{"URG", TCP_URG},
	{"ALL", TCP_ALL},
	{"NONE", 0},
};

static option_error parse_ports(const struct option *o, const struct option_ctx *c, void *data)
{
	struct port_range *range = (struct port_range *)(void *)((u8 *)data + o->offset);

	*((bool *)data + o->invert_offset) = c->invert;
	return option_ports(c, "tcp", &range->min, &range->max);
}

/* Empty names between commas are skipped, as strtok does. */
static option_error parse_flag_list(const struct option_ctx *c, struct str s, u8 *out)
{
	struct str name;
	bool more = true;
	u8 bits = 0;

	while (more) {
		size_t i = 0;

		more = str_split(s, ',', &name, &s);
		if (!name.len)
			continue;
		while (i < ARRAY_LEN(flag_names) && !str_eq_nocase(name, flag_names[i].name))
			i++;
		if (i == ARRAY_LEN(flag_names))
			return option_errorf(c, "'%.*s' is no TCP flag",
				(int)(name.len > 32 ? 32 : name.len), name.p);
		bits |= flag_names[i].bits;
	}
	*out = bits;
	return NULL;
}

static option_error parse_flags(const struct option *o, const struct option_ctx *c, void *data)
{
	struct tcp_match *m = data;

	(void)o;
	if (m->has_flags)
		return option_conflict(c, "only one of --syn and --tcp-flags");
	m->has_flags = true;
	m->inv_flags = c->invert;
	option_error e = parse_flag_list(c, c->value, &m->flags_mask);
	return e ? e : parse_flag_list(c, c->value2, &m->flags_comp);
}

static option_error parse_syn(const struct option *o, const struct option_ctx *c, void *data)
{
	struct tcp_match *m = data;

	(void)o;
	if (m->has_flags)
		return option_conflict(c, "only one of --syn and --tcp-flags");
	m->has_flags = true;
	m->inv_flags = c->invert;
	m->flags_mask = TCP_FIN | TCP_SYN | TCP_RST | TCP_ACK;
	m->flags_comp = TCP_SYN;
	return NULL;
}

static const struct option options[] = {
	{.name = "source-port",
		.alias = "sport",
		.kind = OPTION_CUSTOM,
		.flags = OPTION_INVERT,
		.parse = parse_ports,
		.offset = offsetof(struct tcp_match, sport),
		.invert_offset = offsetof(struct tcp_match, inv_sport),
		.expects = EXPECTS},
	{.name = "destination-port",
		.alias = "dport",
		.kind = OPTION_CUSTOM,
		.flags = OPTION_INVERT,
		.parse = parse_ports,
		.offset = offsetof(struct tcp_match, dport),
		.invert_offset = offsetof(struct tcp_match, inv_dport),
		.expects = EXPECTS},
	{.name = "syn",
		.kind = OPTION_CUSTOM,
		.flags = OPTION_INVERT | OPTION_NO_ARG,
		.parse = parse_syn},
	{.name = "tcp-flags",
		.kind = OPTION_CUSTOM,
		.flags = OPTION_INVERT | OPTION_TWO_ARGS,
		.parse = parse_flags,
		.expects = "two lists of FIN,SYN,RST,PSH,ACK,URG, or ALL or NONE: those looked at, "
			   "those set"},
	{.name = "tcp-option",
		.kind = OPTION_U8,
		.flags = OPTION_INVERT,
		.offset = offsetof(struct tcp_match, option),
		.invert_offset = offsetof(struct tcp_match, inv_option),
		.min = 1,
		.max = UINT8_MAX,
		.expects = "an option's number, 1 to 255"},
};

static void tcp_init(void *data, enum family family)
{
	struct tcp_match *m = data;

	(void)family;
	m->sport.max = m->dport.max = UINT16_MAX;
}

static option_error tcp_check(const void *data, const struct rule *r)
{
	(void)data;
	return r->proto == PROTO_TCP && !(r->invert & INV_PROTO) ? NULL : "needs '-p tcp'";
}

static void print_flag_list(struct buf *out, u8 bits)
{
	const char *comma = "";

	if (!bits)
		buf_puts(out, "NONE");
	for (size_t i = 0; flag_names[i].bits != TCP_ALL; i++) {
		if (!(bits & flag_names[i].bits))
			continue;
		buf_printf(out, "%s%s", comma, flag_names[i].name);
		comma = ",";
	}
}

static void tcp_print(struct buf *out, const void *data, enum family family)
{
	const struct tcp_match *m = data;

	(void)family;
	print_port_option(out, "sport", m->sport, m->inv_sport);
	print_port_option(out, "dport", m->dport, m->inv_dport);
	if (m->option || m->inv_option) {
		print_option(out, m->inv_option, "tcp-option");
		buf_printf(out, " %u", m->option);
	}
	if (m->flags_mask || m->inv_flags) {
		print_option(out, m->inv_flags, "tcp-flags");
		buf_puts(out, " ");
		print_flag_list(out, m->flags_mask);
		buf_puts(out, " ");
		print_flag_list(out, m->flags_comp);
	}
}

static void tcp_list(struct buf *out, const void *data, enum family family)
{
	const struct tcp_match *m = data;

	(void)family;
	buf_puts(out, " tcp");
	list_ports(out, "spt", m->sport, m->inv_sport);
	list_ports(out, "dpt", m->dport, m->inv_dport);
	if (m->option || m->inv_option)
		buf_printf(out, " option=%s%u", m->inv_option ? "!" : "", m->option);
	if (m->flags_mask || m->inv_flags)
		buf_printf(out, " flags:%s0x%02X/0x%02X", m->inv_flags ? "!" : "", m->flags_mask,
			m->flags_comp);
}

enum { TCP_BYTES = 20, TCP_OFF_BYTE = 12, TCP_FLAGS_BYTE = 13 };

/* Kinds 0 and 1 are one byte, a length of 0 counts as 1, and kind 0 doesn't end the list: as the kernel reads it. */
static bool eval_option(const struct tcp_match *m, struct eval *e, const u8 *tcp)
{
	u32 bytes = (tcp[TCP_OFF_BYTE] >> 4) * 4u;

	if (bytes < TCP_BYTES || e->thoff + bytes > e->bytes) {
		e->hotdrop = true;
		return false;
	}
	for (u32 at = TCP_BYTES; at < bytes;) {
		if (tcp[at] == m->option)
			return !m->inv_option;
		u32 len = tcp[at] < 2 || at + 1 == bytes ? 1 : tcp[at + 1];

		at += len ? len : 1;
	}
	return m->inv_option;
}

static bool tcp_eval(const void *data, struct eval *e)
{
	const struct tcp_match *m = data;

	if (e->family == FAMILY_IPV4 && e->fragoff == 1)
		e->hotdrop = true; /* the header's second half alone: an old way past filters */
	const u8 *tcp = eval_upper(e, TCP_BYTES);

	if (!tcp)
		return false;
	if (port_in(m->sport, load_be16(tcp)) == m->inv_sport ||
		port_in(m->dport, load_be16(tcp + 2)) == m->inv_dport)
		return false;
	if (((tcp[TCP_FLAGS_BYTE] & m->flags_mask) == m->flags_comp) == m->inv_flags)
		return false;
	return !m->option || eval_option(m, e, tcp);
}

static void emit_flags(struct emit *e, const struct tcp_match *m)
{
	if (!m->flags_mask && !m->flags_comp && !m->inv_flags)
		return;
	emit_be_load(e, ATOM_UPPER, 1, UPPER_FLAGS_BYTE, BPF_REG_0);
	bld_alu32_imm(e->b, BPF_AND, BPF_REG_0, m->flags_mask);
	bld_jmp32_imm(
		e->b, m->inv_flags ? BPF_JEQ : BPF_JNE, BPF_REG_0, m->flags_comp, emit_miss(e));
}

/* The header walk found out which options are there (emit_walk.c). */
static void emit_option(struct emit *e, const struct tcp_match *m)
{
	struct spot there = emit_spot(e);

	bld_load(e->b, BPF_W, BPF_REG_0, REG_COUNTERS, SCRATCH_OPTIONS_BAD_OFF);
	bld_jmp_imm(e->b, BPF_JNE, BPF_REG_0, 0, emit_hotdrop(e));
	bld_load(e->b, BPF_B, BPF_REG_0, REG_COUNTERS, (s16)(SCRATCH_OPTIONS_OFF + m->option / 8));
	if (m->inv_option) {
		bld_jmp_imm(e->b, BPF_JSET, BPF_REG_0, 1 << m->option % 8, emit_miss(e));
		return;
	}
	bld_jmp_imm(e->b, BPF_JSET, BPF_REG_0, 1 << m->option % 8, spot_use(&there));
	bld_ja(e->b, emit_miss(e));
	emit_bind(e, &there);
}

static void tcp_emit(const void *data, struct emit *e)
{
	const struct tcp_match *m = data;

	if (e->family == FAMILY_IPV4 && e->mode != EMIT_WHOLE)
		emit_upper_jump(e, UPPER_SECOND, emit_hotdrop(e));
	emit_whole_upper(e, TCP_BYTES);
	emit_port(e, UPPER_SPORT_BYTE, m->sport, m->inv_sport);
	emit_port(e, UPPER_DPORT_BYTE, m->dport, m->inv_dport);
	emit_flags(e, m);
	if (m->option)
		emit_option(e, m);
}

static unsigned tcp_needs(const void *data)
{
	const struct tcp_match *m = data;

	return NEEDS_UPPER | MATCHES_WHOLE | (m->option ? NEEDS_TCP_OPTIONS | MAY_HOTDROP : 0);
}

static void tcp_narrow(const void *data, struct box *box)
{
	const struct tcp_match *m = data;

	narrow_port(box, BOX_SPORT, m->sport, m->inv_sport);
	narrow_port(box, BOX_DPORT, m->dport, m->inv_dport);
}

const struct match_ops match_tcp = {
	.name = "tcp",
	.families = FAMILIES_BOTH,
	.size = sizeof(struct tcp_match),
	.options = options,
	.nr_options = ARRAY_LEN(options),
	.init = tcp_init,
	.check = tcp_check,
	.print = tcp_print,
	.list = tcp_list,
	.eval = tcp_eval,
	.emit = tcp_emit,
	.needs = tcp_needs,
	.narrow = tcp_narrow,
};
