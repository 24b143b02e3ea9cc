/* The header walk as ipv6_find_hdr of Linux 6.18 does it when no particular header is wanted: extension headers are
 * stepped over in any order and number; one whose length runs past the packet is still stepped over. */
#include "rules/walk.h"

#include "base/bytes.h"
#include "base/limits.h"

enum { EXT_MIN_BYTES = 2, ROUTING_MIN_BYTES = 4, FRAGMENT_MIN_BYTES = 4, FRAGMENT_BYTES = 8, FRAGMENT_OFF = 2 };

bool ipv6_ext_header(u8 proto)
{
	switch (proto) {
	case PROTO_HOPOPTS:
	case PROTO_ROUTING:
	case PROTO_FRAGMENT:
	case PROTO_AH:
	case PROTO_NONE:
	case PROTO_DSTOPTS:
		return true;
	default:
		return false;
	}
}

static bool ends_walk(u8 proto)
{
	return !ipv6_ext_header(proto) || proto == PROTO_NONE;
}

static u32 ext_min_bytes(u8 proto)
{
	if (proto == PROTO_ROUTING)
		return ROUTING_MIN_BYTES;
	return proto == PROTO_FRAGMENT ? FRAGMENT_MIN_BYTES : EXT_MIN_BYTES;
}

bool walk_ipv6(const u8 *data, u32 bytes, struct walk *w)
{
	u8 proto = data[6];
	u32 off = IPV6_HEADER_BYTES;

	for (u32 n = 0; !ends_walk(proto); n++) {
		if (n == RULES_EXT_HEADERS_MAX || off + ext_min_bytes(proto) > bytes)
			return false;
		const u8 *header = data + off;

		if (proto == PROTO_FRAGMENT) {
			u32 fragoff = load_be16(header + FRAGMENT_OFF) & 0xfff8u;

			if (fragoff != 0) {
				if (!ends_walk(header[0]))
					return false;
				*w = (struct walk){.proto = header[0], .fragoff = fragoff};
				return true;
			}
			off += FRAGMENT_BYTES;
		} else if (proto == PROTO_AH) {
			off += (header[1] + 2u) * 4;
		} else {
			off += (header[1] + 1u) * 8;
		}
		proto = header[0];
		if (off > RULES_HEADER_OFF_MAX)
			return false;
	}
	*w = (struct walk){.proto = proto, .thoff = off};
	return true;
}

void walk_ipv4(const u8 *data, struct walk *w)
{
	w->proto = data[9];
	w->thoff = (data[0] & 0xfu) * 4;
	w->fragoff = load_be16(data + 6) & 0x1fffu;
}
