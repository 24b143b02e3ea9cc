/* The header walk as ipv6_find_hdr of Linux 6.18 does it when no particular header is wanted:
 * extension headers are stepped over in any order and number; one whose length runs past the packet
 * is still stepped over. */
#include "rules/walk.h"

#include "base/bytes.h"
#include "base/limits.h"

enum {
	EXT_MIN_BYTES = 2,
	ROUTING_MIN_BYTES = 4,
	FRAGMENT_MIN_BYTES = 4,
	FRAGMENT_BYTES = 8,
	FRAGMENT_OFF = 2
};

bool ipv6_ext_header(u8 proto)
{
	switch (proto) {
	case NEXT_HOPOPTS:
	case NEXT_ROUTING:
	case NEXT_FRAGMENT:
	case NEXT_AH:
	case NEXT_NONE:
	case NEXT_DSTOPTS:
		return true;
	default:
		return false;
	}
}

static bool ends_walk(u8 proto)
{
	return !ipv6_ext_header(proto) || proto == NEXT_NONE;
}

static u32 ext_min_bytes(u8 proto)
{
	if (proto == NEXT_ROUTING)
		return ROUTING_MIN_BYTES;
	return proto == NEXT_FRAGMENT ? FRAGMENT_MIN_BYTES : EXT_MIN_BYTES;
}

/* Bytes from one header to the next. */
static u32 ext_bytes(u8 proto, const u8 *header)
{
	if (proto == NEXT_FRAGMENT)
		return FRAGMENT_BYTES;
	return proto == NEXT_AH ? (header[1] + 2u) * 4 : (header[1] + 1u) * 8;
}

/* A walk that has come to the header `proto` at `off`. */
struct place {
	u8 proto;
	u32 off, steps;
};

static bool can_step(const struct place *at, u32 bytes)
{
	return at->steps < RULES_EXT_HEADERS_MAX && at->off + ext_min_bytes(at->proto) <= bytes;
}

static bool step(struct place *at, const u8 *data)
{
	const u8 *header = data + at->off;

	at->off += ext_bytes(at->proto, header);
	at->proto = header[0];
	at->steps++;
	return at->off <= RULES_HEADER_OFF_MAX;
}

static struct place first_place(const u8 *data)
{
	return (struct place){.proto = data[6], .off = IPV6_HEADER_BYTES};
}

bool walk_ipv6(const u8 *data, u32 bytes, struct walk *w)
{
	struct place at = first_place(data);

	while (!ends_walk(at.proto)) {
		if (!can_step(&at, bytes))
			return false;
		if (at.proto == NEXT_FRAGMENT) {
			u8 next = data[at.off];
			u32 fragoff = load_be16(data + at.off + FRAGMENT_OFF) & 0xfff8u;

			if (fragoff != 0 && !ends_walk(next))
				return false;
			if (fragoff != 0) {
				*w = (struct walk){.proto = next, .fragoff = fragoff};
				return true;
			}
		}
		if (!step(&at, data))
			return false;
	}
	*w = (struct walk){.proto = at.proto, .thoff = at.off};
	return true;
}

enum frag_state walk_fragment(const u8 *data, u32 bytes, u32 *off)
{
	struct place at = first_place(data);

	while (!ends_walk(at.proto)) {
		if (!can_step(&at, bytes))
			return FRAG_UNPARSABLE;
		if (at.proto == NEXT_FRAGMENT) {
			*off = at.off;
			return at.off + FRAGMENT_BYTES <= bytes ? FRAG_FOUND : FRAG_UNPARSABLE;
		}
		if (!step(&at, data))
			return FRAG_UNPARSABLE;
	}
	return FRAG_ABSENT;
}

void walk_ipv4(const u8 *data, struct walk *w)
{
	w->proto = data[9];
	w->thoff = (data[0] & 0xfu) * 4;
	w->fragoff = load_be16(data + 6) & 0x1fffu;
}
