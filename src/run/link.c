/* One row for each link type: how long its header is and where it names the protocol. */
#include "run/link.h"

#include <errno.h>

#include "base/buf.h"
#include "base/bytes.h"
#include "base/diag.h"

enum {
	ETHERTYPE_IPV4 = 0x0800,
	ETHERTYPE_VLAN = 0x8100,
	ETHERTYPE_QINQ = 0x88a8,
	ETHERTYPE_QINQ_OLD = 0x9100,
	ETHERTYPE_IPV6 = 0x86dd,
	PPP_IPV4 = 0x0021,
	PPP_IPV6 = 0x0057,
};

struct cursor {
	const u8 *p;
	u32 left, wire_left;
};

static bool cursor_skip(struct cursor *c, u32 bytes)
{
	if (c->left < bytes)
		return false;
	c->p += bytes;
	c->left -= bytes;
	c->wire_left = c->wire_left > bytes ? c->wire_left - bytes : 0;
	return true;
}

static enum family by_ethertype(struct cursor *c, u16 type)
{
	while (type == ETHERTYPE_VLAN || type == ETHERTYPE_QINQ || type == ETHERTYPE_QINQ_OLD) {
		if (!cursor_skip(c, 4))
			return FAMILY_NONE;
		type = load_be16(c->p - 2);
	}
	return type == ETHERTYPE_IPV6   ? FAMILY_IPV6
	       : type == ETHERTYPE_IPV4 ? FAMILY_IPV4
					: FAMILY_NONE;
}

static enum family by_version(struct cursor *c)
{
	unsigned version = c->left ? c->p[0] >> 4 : 0;

	return version == 6 ? FAMILY_IPV6 : version == 4 ? FAMILY_IPV4 : FAMILY_NONE;
}

static enum family parse_ethernet(struct cursor *c, struct link_packet *out)
{
	if (!cursor_skip(c, 14))
		return FAMILY_NONE;
	out->mac_source = c->p - 8;
	return by_ethertype(c, load_be16(c->p - 2));
}

/* Cooked captures say how the host saw the packet: 0 to it, 1 broadcast, 2 multicast, 3 to others,
 * 4 from it. */
static enum direction cooked_direction(u16 type)
{
	return type == 4 ? DIRECTION_OUT : type < 3 ? DIRECTION_IN : DIRECTION_UNKNOWN;
}

static enum family parse_sll(struct cursor *c, struct link_packet *out)
{
	enum { ARPHRD_ETHER = 1, ADDR_OFF = 6, ADDR_BYTES = 6 };

	if (!cursor_skip(c, 16))
		return FAMILY_NONE;
	const u8 *head = c->p - 16;
	out->direction = cooked_direction(load_be16(head));
	if (load_be16(head + 2) == ARPHRD_ETHER && load_be16(head + 4) == ADDR_BYTES)
		out->mac_source = head + ADDR_OFF;
	return by_ethertype(c, load_be16(head + 14));
}

static enum family parse_sll2(struct cursor *c, struct link_packet *out)
{
	enum { ARPHRD_ETHER = 1, ADDR_BYTES = 6 };

	if (!cursor_skip(c, 20))
		return FAMILY_NONE;
	const u8 *head = c->p - 20;
	out->direction = cooked_direction(head[10]);
	if (load_be16(head + 8) == ARPHRD_ETHER && head[11] == ADDR_BYTES)
		out->mac_source = head + 12;
	return by_ethertype(c, load_be16(head));
}

static enum family parse_raw(struct cursor *c, struct link_packet *out)
{
	(void)out;
	return by_version(c);
}

/* BSD loopback: four bytes of address family, in the byte order of whoever wrote it; the packet's
 * version is surer. */
static enum family parse_null(struct cursor *c, struct link_packet *out)
{
	(void)out;
	return cursor_skip(c, 4) ? by_version(c) : FAMILY_NONE;
}

/* RFC 1661, 1662: address and control bytes may be there, the protocol may be compressed to one
 * byte. */
static enum family parse_ppp(struct cursor *c, struct link_packet *out)
{
	(void)out;
	if (c->left >= 2 && c->p[0] == 0xff && c->p[1] == 0x03)
		cursor_skip(c, 2);
	if (!c->left)
		return FAMILY_NONE;
	u16 protocol = c->p[0];
	if (protocol & 1)
		cursor_skip(c, 1);
	else if (cursor_skip(c, 2))
		protocol = load_be16(c->p - 2);
	return protocol == PPP_IPV6   ? FAMILY_IPV6
	       : protocol == PPP_IPV4 ? FAMILY_IPV4
				      : FAMILY_NONE;
}

/* RFC 2516 session: version/type, code, session id, length, then PPP's protocol. */
static enum family parse_pppoe(struct cursor *c, struct link_packet *out)
{
	return cursor_skip(c, 6) ? parse_ppp(c, out) : FAMILY_NONE;
}

struct link_type {
	u32 number;
	const char *name;
	enum family (*parse)(struct cursor *c, struct link_packet *out);
};

/* Numbers and names as tcpdump.org lists them. */
static const struct link_type link_types[] = {
	{0, "NULL", parse_null},
	{1, "EN10MB", parse_ethernet},
	{9, "PPP", parse_ppp},
	{50, "PPP_SERIAL", parse_ppp},
	{51, "PPP_ETHER", parse_pppoe},
	{LINKTYPE_RAW, "RAW", parse_raw},
	{108, "LOOP", parse_null},
	{113, "LINUX_SLL", parse_sll},
	{228, "IPV4", parse_raw},
	{229, "IPV6", parse_raw},
	{276, "LINUX_SLL2", parse_sll2},
};

static const struct link_type *link_find(u32 link)
{
	for (size_t i = 0; i < ARRAY_LEN(link_types); i++)
		if (link_types[i].number == link)
			return &link_types[i];
	return NULL;
}

const char *link_name(u32 link)
{
	const struct link_type *type = link_find(link);

	return type ? type->name : NULL;
}

void link_names(struct buf *out)
{
	for (size_t i = 0; i < ARRAY_LEN(link_types); i++)
		buf_printf(out, "%s%s", i ? ", " : "", link_types[i].name);
}

void link_parse(const struct record *r, struct link_packet *out)
{
	struct cursor c = {r->data, r->bytes, r->wire_bytes > r->bytes ? r->wire_bytes : r->bytes};
	const struct link_type *type = link_find(r->link);

	assert(type); /* the caller asked link_name first */
	*out = (struct link_packet){.direction = r->direction};
	out->family = type->parse(&c, out);
	out->ip = c.p;
	out->bytes = c.left;
	out->wire_bytes = c.wire_left;
}

int link_check(const struct record *r, struct diag *d)
{
	struct buf names = {0};

	if (link_name(r->link))
		return 0;
	link_names(&names);
	int err = diag_fail(d, pos_none(), EPROTONOSUPPORT,
		"packet %llu: link type %u can't be read here; there are %s",
		(unsigned long long)r->number, r->link, buf_cstr(&names));
	buf_fini(&names);
	return err;
}
