#include "generate.h"

#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "base/text.h"

u64 generator_next(struct generator *g)
{
	u64 z = g->seed += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

u32 generator_below(struct generator *g, u32 n)
{
	return (u32)(generator_next(g) >> 33) % n;
}

static bool one_in(struct generator *g, u32 n)
{
	return generator_below(g, n) == 0;
}

static u32 address_bytes(const struct generator *g)
{
	return g->family == FAMILY_IPV6 ? 16 : 4;
}

/* Addresses share prefixes, so that masks of all lengths decide something. The first byte is a
 * unicast one. */
static void fill_pool(struct generator *g)
{
	for (size_t i = 0; i < ARRAY_LEN(g->pool); i++) {
		u32 kept = i == 0 ? 0 : generator_below(g, address_bytes(g) + 1);

		memcpy(g->pool[i], g->pool[0], 16);
		for (u32 at = kept; at < 16; at++)
			g->pool[i][at] = (u8)generator_next(g);
		g->pool[i][0] = g->family == FAMILY_IPV6 ? 0x20 : 10;
	}
}

void generator_init(struct generator *g, u64 seed)
{
	static const enum hook hooks[] = {HOOK_INPUT, HOOK_FORWARD, HOOK_OUTPUT};

	*g = (struct generator){.seed = seed, .table = "filter"};
	g->family = one_in(g, 3) ? FAMILY_IPV4 : FAMILY_IPV6;
	g->hook = hooks[generator_below(g, 3)];
	fill_pool(g);
}

/* ---- rules ---- */

static const char *const hook_names[] = {"PREROUTING", "INPUT", "FORWARD", "OUTPUT", "POSTROUTING"};

struct shape { /* of one rule set */
	u32 nr_chains, chain_rules_max;
	u32 calls_one_in; /* targets */
	bool many_protos;
};

static const char *bang(struct generator *g)
{
	return one_in(g, 5) ? "! " : "";
}

static void print_address(struct generator *g, struct buf *out, const u8 *addr)
{
	if (g->family == FAMILY_IPV6)
		buf_ipv6(out, addr);
	else
		buf_ipv4(out, addr);
}

/* One of the pool, or a neighbour. */
static void some_address(struct generator *g, u8 addr[16])
{
	memcpy(addr, g->pool[generator_below(g, ARRAY_LEN(g->pool))], 16);
	if (one_in(g, 2))
		addr[1 + generator_below(g, address_bytes(g) - 1)] ^=
			(u8)(1u << generator_below(g, 8));
}

static void rule_address(struct generator *g, struct buf *out, const char *option)
{
	u32 bits = address_bytes(g) * 8;
	u8 addr[16];

	some_address(g, addr);
	buf_printf(out, " %s%s ", bang(g), option);
	print_address(g, out, addr);
	if (one_in(g, 5)) {
		u8 mask[16];

		for (size_t i = 0; i < 16; i++)
			mask[i] = one_in(g, 2) ? 0 : one_in(g, 2) ? 0xff : (u8)generator_next(g);
		buf_puts(out, "/");
		print_address(g, out, mask);
	} else if (!one_in(g, 4)) {
		buf_printf(out, "/%u",
			one_in(g, 2) ? 8 * generator_below(g, bits / 8 + 1)
				     : generator_below(g, bits + 1));
	}
}

static const char *const ifaces[] = {"eth0", "eth1", "lo", "wlan0", "a-name-of-15-by", "e"};
static const char *const iface_patterns[] = {
	"eth0", "eth+", "lo", "w+", "a-name-of-15-by", "a-name-of-14+", "+", "e", "absent0"};

static void rule_iface(struct generator *g, struct buf *out, const char *option)
{
	buf_printf(out, " %s%s %s", bang(g), option,
		iface_patterns[generator_below(g, ARRAY_LEN(iface_patterns))]);
}

static u16 port(struct generator *g)
{
	static const u16 common[] = {0, 22, 53, 80, 443, 1024, 65535};

	return one_in(g, 4) ? (u16)generator_next(g)
			    : common[generator_below(g, ARRAY_LEN(common))];
}

static void port_range(struct generator *g, struct buf *out)
{
	u16 a = port(g), b = port(g);

	if (a == b || one_in(g, 2)) /* multiport refuses a:a */
		buf_printf(out, "%u", a);
	else
		buf_printf(out, "%u:%u", a < b ? a : b, a < b ? b : a);
}

static void rule_ports(struct generator *g, struct buf *out)
{
	if (one_in(g, 3)) {
		buf_printf(out, " %s--sport ", bang(g));
		port_range(g, out);
	}
	if (!one_in(g, 3)) {
		buf_printf(out, " %s--dport ", bang(g));
		port_range(g, out);
	}
}

static void match_tcp(struct generator *g, struct buf *out)
{
	static const char *const flags[] = {
		"SYN", "ACK", "FIN", "RST", "PSH,URG", "ALL", "NONE", "SYN,ACK"};

	buf_puts(out, " -m tcp");
	rule_ports(g, out);
	if (one_in(g, 4))
		buf_printf(out, " %s--tcp-flags %s %s", bang(g), flags[generator_below(g, 8)],
			flags[generator_below(g, 8)]);
	else if (one_in(g, 4))
		buf_printf(out, " %s--syn", bang(g));
	if (one_in(g, 6))
		buf_printf(out, " %s--tcp-option %u", bang(g), 1 + generator_below(g, 9));
}

static void match_udp(struct generator *g, struct buf *out)
{
	buf_puts(out, " -m udp");
	rule_ports(g, out);
}

static void match_icmp(struct generator *g, struct buf *out)
{
	bool v6 = g->family == FAMILY_IPV6;

	buf_printf(
		out, " -m %s %s--%s-type ", v6 ? "icmp6" : "icmp", bang(g), v6 ? "icmpv6" : "icmp");
	if (!v6 && one_in(g, 8))
		buf_puts(out, "any");
	else if (one_in(g, 2))
		buf_printf(out, "%u", generator_below(g, 5) + (v6 ? 126 : 6));
	else
		buf_printf(out, "%u/%u", generator_below(g, 5), generator_below(g, 3));
}

static void match_multiport(struct generator *g, struct buf *out)
{
	static const char *const sides[] = {"sports", "dports", "ports"};
	u32 nr = 1 + generator_below(g, 5);

	buf_printf(out, " -m multiport %s--%s ", bang(g), sides[generator_below(g, 3)]);
	for (u32 i = 0; i < nr; i++) {
		buf_puts(out, i ? "," : "");
		port_range(g, out);
	}
}

static void match_mark(struct generator *g, struct buf *out)
{
	buf_printf(out, " -m mark %s--mark %u", bang(g), generator_below(g, 4));
	if (one_in(g, 2))
		buf_printf(out, "/%u", generator_below(g, 8));
}

static void match_owner(struct generator *g, struct buf *out)
{
	u32 before = (u32)out->len;

	buf_puts(out, " -m owner");
	if (one_in(g, 2))
		buf_printf(out, " %s--uid-owner %u", bang(g), generator_below(g, 4));
	else if (one_in(g, 2))
		buf_printf(out, " %s--uid-owner %u-%u", bang(g), generator_below(g, 3),
			3 + generator_below(g, 2));
	if (one_in(g, 3))
		buf_printf(out, " %s--gid-owner %u", bang(g), generator_below(g, 3));
	if (one_in(g, 3) || out->len == before + strlen(" -m owner"))
		buf_printf(out, " %s--socket-exists", bang(g));
}

static void match_length(struct generator *g, struct buf *out)
{
	u32 a = 20 + generator_below(g, 120);

	buf_printf(out, " -m length %s--length %u:%u", bang(g), a, a + generator_below(g, 60));
}

static void match_ttl(struct generator *g, struct buf *out)
{
	static const char *const ops[] = {"eq", "lt", "gt"};
	const char *name = g->family == FAMILY_IPV6 ? "hl" : "ttl";
	u32 op = generator_below(g, 3);

	buf_printf(out, " -m %s %s--%s-%s %u", name, op == 0 ? bang(g) : "", name, ops[op],
		62 + generator_below(g, 4));
}

static void match_frag(struct generator *g, struct buf *out)
{
	buf_puts(out, " -m frag");
	if (one_in(g, 2))
		buf_printf(out, " %s--fragid %u:%u", bang(g), generator_below(g, 2),
			1 + generator_below(g, 3));
	if (one_in(g, 3))
		buf_puts(out, " --fragres");
	if (one_in(g, 3))
		buf_puts(out, " --fragfirst");
	if (one_in(g, 3))
		buf_puts(out, one_in(g, 2) ? " --fragmore" : " --fraglast");
}

static void range_side(struct generator *g, struct buf *out, const char *option)
{
	const u8 *a = g->pool[generator_below(g, ARRAY_LEN(g->pool))],
		 *b = g->pool[generator_below(g, ARRAY_LEN(g->pool))];
	bool swap = memcmp(a, b, address_bytes(g)) > 0;

	buf_printf(out, " %s--%s ", bang(g), option);
	print_address(g, out, swap ? b : a);
	buf_puts(out, "-");
	print_address(g, out, swap ? a : b);
}

static void match_iprange(struct generator *g, struct buf *out)
{
	bool src = one_in(g, 2);

	buf_puts(out, " -m iprange");
	if (src)
		range_side(g, out, "src-range");
	if (!src || one_in(g, 3))
		range_side(g, out, "dst-range");
}

static void match_mac(struct generator *g, struct buf *out)
{
	buf_printf(
		out, " -m mac %s--mac-source 02:00:00:00:00:%02x", bang(g), generator_below(g, 3));
}

static void match_comment(struct generator *g, struct buf *out)
{
	buf_printf(out, " -m comment --comment \"no. %u\"", generator_below(g, 100));
}

/* Matches that any rule may have, with where the kernel lets them be. */
static const struct {
	void (*print)(struct generator *g, struct buf *out);
	bool v6_only, needs_ports, needs_owner, needs_mac;
} matches[] = {
	{.print = match_multiport, .needs_ports = true},
	{.print = match_mark},
	{.print = match_owner, .needs_owner = true},
	{.print = match_length},
	{.print = match_ttl},
	{.print = match_frag, .v6_only = true},
	{.print = match_iprange},
	{.print = match_mac, .needs_mac = true},
	{.print = match_comment},
};

static void some_match(struct generator *g, struct buf *out, bool has_ports)
{
	u32 i = generator_below(g, ARRAY_LEN(matches));

	if ((matches[i].v6_only && g->family != FAMILY_IPV6) ||
		(matches[i].needs_ports && !has_ports) ||
		(matches[i].needs_owner && g->hook != HOOK_OUTPUT) ||
		(matches[i].needs_mac && g->hook == HOOK_OUTPUT))
		return;
	matches[i].print(g, out);
}

static void rule_matches(struct generator *g, struct buf *out, const struct shape *shape)
{
	static const char *const others[] = {"all", "50", "47", "59", "43", "41", "gre", "255"};
	const char *icmp = g->family == FAMILY_IPV6 ? "ipv6-icmp" : "icmp";
	void (*proto_match)(struct generator *, struct buf *) = NULL;
	bool has_ports = false;
	const char *inv = bang(g);

	switch (generator_below(g, 8)) {
	case 0:
	case 1:
		buf_printf(out, " %s-p tcp", inv);
		proto_match = match_tcp;
		has_ports = true;
		break;
	case 2:
	case 3:
		buf_printf(out, " %s-p udp", inv);
		proto_match = match_udp;
		has_ports = true;
		break;
	case 4:
		buf_printf(out, " %s-p %s", inv, icmp);
		proto_match = match_icmp;
		break;
	case 5:
		if (shape->many_protos)
			buf_printf(out, " %s-p %u", inv, 1 + generator_below(g, 40));
		else if (*inv)
			buf_printf(out, " ! -p %s",
				others[1 + generator_below(g, ARRAY_LEN(others) - 1)]);
		else
			buf_printf(out, " -p %s", others[generator_below(g, ARRAY_LEN(others))]);
		break;
	case 6:
		buf_printf(out, " %s-p sctp", inv);
		has_ports = true;
		break;
	default:
		break;
	}
	if (*inv)
		has_ports = false;
	if (one_in(g, 6))
		some_match(g, out, has_ports);
	if (proto_match && !*inv && !one_in(g, 4))
		proto_match(g, out);
	while (one_in(g, 3))
		some_match(g, out, has_ports);
}

/* A chain may only call those behind it, so that there are no loops. */
static void rule_target(
	struct generator *g, struct buf *out, const struct shape *shape, u32 next_chain)
{
	static const char *const plain[] = {" -j ACCEPT", " -j DROP", " -j RETURN", ""};
	bool can_call = next_chain < shape->nr_chains;

	if (can_call && one_in(g, shape->calls_one_in)) {
		u32 to = next_chain + generator_below(g, shape->nr_chains - next_chain);

		buf_printf(out, " -%s chain%u", one_in(g, 3) ? "g" : "j", to);
	} else if (one_in(g, 5)) {
		buf_puts(out, " -j MARK ");
		switch (generator_below(g, 4)) {
		case 0:
			buf_printf(out, "--set-xmark %u/0x7", generator_below(g, 8));
			break;
		case 1:
			buf_printf(out, "--set-mark %u", generator_below(g, 4));
			break;
		case 2:
			buf_printf(out, "--or-mark %u", generator_below(g, 4));
			break;
		default:
			buf_printf(out, "--xor-mark %u", generator_below(g, 4));
		}
	} else if (!g->kernel && one_in(g, 6)) {
		buf_puts(out,
			one_in(g, 2) ? " -j LOG --log-prefix \"x \"" : " -j NFLOG --nflog-group 3");
	} else {
		buf_puts(out, plain[generator_below(g, ARRAY_LEN(plain))]);
	}
}

static void rule(struct generator *g, struct buf *out, const char *chain, const struct shape *shape,
	u32 next_chain)
{
	buf_printf(out, "-A %s", chain);
	if (one_in(g, 3))
		rule_address(g, out, "-s");
	if (one_in(g, 3))
		rule_address(g, out, "-d");
	if (g->hook != HOOK_OUTPUT && one_in(g, 6))
		rule_iface(g, out, "-i");
	if (g->hook != HOOK_INPUT && g->hook != HOOK_PREROUTING && one_in(g, 6))
		rule_iface(g, out, "-o");
	if (g->family == FAMILY_IPV4 && one_in(g, 8))
		buf_printf(out, " %s-f", bang(g));
	rule_matches(g, out, shape);
	rule_target(g, out, shape, next_chain);
	buf_puts(out, "\n");
}

static u32 chain_rules(struct generator *g, const struct shape *shape)
{
	return one_in(g, 8) ? 0 : generator_below(g, shape->chain_rules_max);
}

void generate_rules(struct generator *g, struct buf *out)
{
	struct shape shape = {
		.nr_chains = one_in(g, 4) ? 0 : generator_below(g, one_in(g, 8) ? 16 : 6),
		.chain_rules_max = one_in(g, 12)   ? 200
				   : one_in(g, 30) ? 700
						   : 12,
		.many_protos = one_in(g, 6),
	};
	shape.calls_one_in = shape.chain_rules_max > 100 ? shape.chain_rules_max / 4
			     : shape.nr_chains > 6       ? 8
							 : 3;
	bool mangle = g->hook == HOOK_PREROUTING || g->hook == HOOK_POSTROUTING;

	buf_printf(out, "*%s\n", g->table);
	for (u32 h = 0; h < NR_HOOKS; h++) {
		if (!mangle && (h == HOOK_PREROUTING || h == HOOK_POSTROUTING))
			continue;
		if (!strcmp(g->table, "raw") && h != HOOK_PREROUTING && h != HOOK_OUTPUT)
			continue;
		buf_printf(out, ":%s %s [0:0]\n", hook_names[h],
			h == (u32)g->hook && one_in(g, 2) ? "DROP" : "ACCEPT");
	}
	for (u32 i = 0; i < shape.nr_chains; i++)
		buf_printf(out, ":chain%u - [0:0]\n", i);
	if (g->kernel)
		buf_printf(out, "-A %s\n", hook_names[g->hook]);
	for (u32 n = 1 + chain_rules(g, &shape); n; n--)
		rule(g, out, hook_names[g->hook], &shape, 0);
	for (u32 i = 0; i < shape.nr_chains; i++) {
		char name[16];

		snprintf(name, sizeof(name), "chain%u", i);
		for (u32 n = chain_rules(g, &shape); n; n--)
			rule(g, out, name, &shape, i + 1);
	}
	buf_puts(out, "COMMIT\n");
}

/* ---- packets ---- */

static void put_be16(struct buf *b, u32 v)
{
	buf_u8(b, (u8)(v >> 8));
	buf_u8(b, (u8)v);
}

static void put_random(struct generator *g, struct buf *b, u32 nr)
{
	while (nr--)
		buf_u8(b, (u8)generator_next(g));
}

static void put_tcp(struct generator *g, struct buf *b)
{
	u32 options = one_in(g, 2) ? 0 : 4 * generator_below(g, 11);
	u32 header = one_in(g, 12) ? 4 * generator_below(g, 16) : 20 + options;
	static const u8 flags[] = {0x02, 0x12, 0x10, 0x11, 0x04, 0x18, 0x00, 0x3f};

	put_be16(b, port(g));
	put_be16(b, port(g));
	put_random(g, b, 8);
	buf_u8(b, (u8)(header / 4 << 4));
	buf_u8(b, flags[generator_below(g, 8)]);
	put_random(g, b, 6);
	for (u32 i = 0; i < options; i++)
		buf_u8(b, (u8)generator_below(g, 9));
	put_random(g, b, generator_below(g, 20));
}

static void put_upper(struct generator *g, struct buf *b, u8 proto)
{
	switch (proto) {
	case 6:
		put_tcp(g, b);
		return;
	case 1:
	case 58:
		buf_u8(b, (u8)(generator_below(g, 5) + (one_in(g, 2) ? 0 : proto == 58 ? 126 : 6)));
		buf_u8(b, (u8)generator_below(g, 3));
		put_random(g, b, 10);
		return;
	default:
		put_be16(b, port(g));
		put_be16(b, port(g));
		put_random(g, b, 4 + generator_below(g, 24));
	}
}

static u8 upper_proto(struct generator *g)
{
	static const u8 common[] = {6, 6, 6, 17, 17, 17, 132, 50, 59, 47, 41};

	if (one_in(g, 5))
		return g->family == FAMILY_IPV6 ? 58 : 1;
	return one_in(g, 12) ? (u8)generator_next(g)
			     : common[generator_below(g, ARRAY_LEN(common))];
}

/* One option that nobody knows and everybody skips: the kernel reads the hop-by-hop options in
 * front of the rules. */
static void put_options(struct generator *g, struct buf *b, u32 bytes)
{
	buf_u8(b, 0x1e);
	buf_u8(b, (u8)(bytes - 2));
	put_random(g, b, bytes - 2);
}

/* The extension headers, each with the next one's number, then the upper header. Lengths may lie.
 */
static void put_ipv6_chain(struct generator *g, struct buf *b, size_t next_at, u8 upper)
{
	static const u8 kinds[] = {0, 43, 44, 51, 60, 44};
	u32 nr = one_in(g, 2) ? 0 : one_in(g, 30) ? 100 : 1 + generator_below(g, 3);

	for (u32 i = 0; i < nr && b->len < 1500; i++) {
		u8 kind = kinds[generator_below(g, ARRAY_LEN(kinds))];

		b->data[next_at] = kind;
		next_at = b->len;
		if (kind == 44) {
			put_be16(b, one_in(g, 6) ? generator_below(g, 3) : 0);
			put_be16(b, one_in(g, 3) ? generator_below(g, 4) * 8 + generator_below(g, 2)
				    : one_in(g, 8) ? generator_below(g, 8)
						   : 0);
			put_be16(b, 0);
			put_be16(b, generator_below(g, 4));
		} else {
			u32 units = generator_below(g, 3);
			u32 bytes = kind == 51 ? (units + 2) * 4 : (units + 1) * 8;

			buf_u8(b, 0);
			buf_u8(b, (u8)(one_in(g, 25) ? generator_below(g, 256) : units));
			put_options(g, b, bytes - 2);
		}
	}
	b->data[next_at] = upper;
	put_upper(g, b, upper);
}

static void put_address(struct generator *g, struct buf *b)
{
	u8 addr[16];

	some_address(g, addr);
	buf_put(b, addr, address_bytes(g));
}

static void put_ipv6(struct generator *g, struct buf *b)
{
	u8 head[8] = {0x60, 0, 0, 0, 0, 0, 0, (u8)(61 + generator_below(g, 6))};

	buf_put(b, head, sizeof(head));
	put_address(g, b);
	put_address(g, b);
	put_ipv6_chain(g, b, 6, upper_proto(g));
}

static void put_ipv4(struct generator *g, struct buf *b)
{
	u32 options = one_in(g, 4) ? 4 * (1 + generator_below(g, 10)) : 0;
	u8 head[12] = {(u8)(0x40 | (5 + options / 4)), 0, 0, 0, 0, 1, 0, 0,
		(u8)(61 + generator_below(g, 6))};

	if (one_in(g, 4))
		store_be16(head + 6, (u16)(generator_below(g, 3) | (one_in(g, 2) ? 0x2000 : 0) |
					     (one_in(g, 8) ? 0x1000 : 0)));
	head[9] = upper_proto(g);
	buf_put(b, head, sizeof(head));
	put_address(g, b);
	put_address(g, b);
	for (u32 i = 0; i < options; i++)
		buf_u8(b, 1);
	put_upper(g, b, head[9]);
}

static void set_checksum(u8 *ip)
{
	u32 sum = 0;

	for (u32 i = 0; i < (ip[0] & 0xfu) * 4; i += 2)
		sum += load_be16(ip + i);
	sum = (sum & 0xffff) + (sum >> 16);
	store_be16(ip + 10, (u16) ~(sum + (sum >> 16)));
}

static void set_length(struct generator *g, u8 *data, size_t bytes)
{
	if (g->family == FAMILY_IPV6) {
		store_be16(data + 4, (u16)(bytes - 40));
	} else {
		store_be16(data + 2, (u16)bytes);
		set_checksum(data);
	}
}

static void set_iface(struct generator *g, char *name, bool present)
{
	if (present)
		strncpy(name, ifaces[generator_below(g, ARRAY_LEN(ifaces))], IFACE_NAME_BYTES - 1);
}

static void set_meta(struct generator *g, struct weir_packet *p, size_t bytes)
{
	p->len = (u32)bytes;
	p->direction = (u32)g->hook;
	if (g->kernel) {
		strcpy(p->in_iface, "eth0");
		p->has_mac = 1;
		memcpy(p->mac_source, (u8[]){2, 0, 0, 0, 0, (u8)generator_below(g, 3)}, 6);
		return;
	}
	p->mark = generator_below(g, 4);
	p->socket = generator_below(g, 3);
	p->uid = generator_below(g, 5);
	p->gid = generator_below(g, 4);
	p->has_mac = !one_in(g, 4);
	if (p->has_mac)
		memcpy(p->mac_source, (u8[]){2, 0, 0, 0, 0, (u8)generator_below(g, 3)}, 6);
	set_iface(g, p->in_iface, g->hook != HOOK_OUTPUT);
	set_iface(g, p->out_iface, g->hook != HOOK_INPUT);
}

void generate_packet(struct generator *g, struct generated_packet *p)
{
	struct buf b = {0};
	size_t header = g->family == FAMILY_IPV6 ? 40 : 20, bytes;

	if (g->family == FAMILY_IPV6)
		put_ipv6(g, &b);
	else
		put_ipv4(g, &b);
	assert(!b.failed && b.len <= sizeof(p->bytes));
	bytes = b.len;
	if (one_in(g, 4)) /* cut, near the end of the headers more often than not */
		bytes = header + generator_below(g, (u32)(bytes - header + 1));
	set_length(g, b.data, bytes);
	if (!g->kernel && one_in(g, 100))
		bytes = generator_below(g, (u32)header + 1);
	*p = (struct generated_packet){0};
	memcpy(p->bytes, b.data, bytes);
	p->meta.data = (u64)(uintptr_t)p->bytes;
	p->meta.data_end = p->meta.data + bytes;
	set_meta(g, &p->meta, bytes);
	buf_fini(&b);
}
