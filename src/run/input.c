/* Sources: RFC 791, 1122, 8200, 8504, and the behaviour of Linux 6.18 as measured. */
#include "run/input.h"

#include "base/bytes.h"
#include "base/text.h"

enum { IPV4_HEADER_BYTES = 20, IPV6_HEADER_BYTES = 40, PROTO_HOPOPTS = 0, PROTO_IGMP = 2 };

const char *input_reason_text(enum input_reason reason)
{
	static const char *const texts[NR_INPUT_REASONS] = {
		[INPUT_PASSES] = "passed",
		[INPUT_SHORT] = "shorter than an IP header",
		[INPUT_VERSION] = "wrong IP version",
		[INPUT_CUT] = "cut short by the capture",
		[INPUT_LENGTH] = "length in the header not that of the frame",
		[INPUT_CHECKSUM] = "bad header checksum",
		[INPUT_SOURCE] = "multicast or loopback source",
		[INPUT_SCOPE] = "destination of loopback or interface-local scope",
		[INPUT_HOPOPTS] = "bad hop-by-hop options",
		[INPUT_OPTIONS] = "bad IP options or source routing",
		[INPUT_MARTIAN] = "martian source",
		[INPUT_NOT_JOINED] = "multicast group not joined",
		[INPUT_NOT_LOCAL] = "destination not this host's",
		[INPUT_NOT_FORWARDED] = "not to be forwarded",
		[INPUT_FRAGMENT] = "fragment of a datagram that never got complete",
	};

	return texts[reason];
}

/* ---- IPv6 ---- */

enum hop_option {
	HOP_PAD1 = 0,
	HOP_PADN = 1,
	HOP_ROUTER_ALERT = 5,
	HOP_CALIPSO = 7,
	HOP_IOAM = 49,
	HOP_JUMBO = 194,
};

enum {
	HOP_OPTIONS_MAX = 8,
	HOP_PADDING_MAX = 7
}; /* the kernel's net.ipv6.max_hbh_opts_number; RFC 4942, 2.1.9.5 */

/* One option at `off` from the IP header, of `bytes` with its head, is acceptable. *len changes for
 * a jumbogram. */
static bool hop_option_ok(const u8 *ip, u32 off, u32 bytes, u32 have, u32 *len)
{
	u32 jumbo;

	switch (ip[off]) {
	case HOP_ROUTER_ALERT:
		return bytes == 4;
	case HOP_CALIPSO: /* refused where no labels are configured, which is everywhere */
		return false;
	case HOP_IOAM:
		return off % 4 == 0;
	case HOP_JUMBO:
		if (bytes != 6 || off % 4 != 2)
			return false;
		jumbo = load_be32(ip + off + 2);
		if (jumbo <= UINT16_MAX || load_be16(ip + 4) || jumbo > have - IPV6_HEADER_BYTES)
			return false;
		*len = jumbo + IPV6_HEADER_BYTES;
		return true;
	default: /* the two high bits say what to do with an unknown one: 0 is to go on */
		return ip[off] >> 6 == 0;
	}
}

static bool hop_padding_ok(const u8 *option, u32 bytes)
{
	for (u32 i = 2; i < bytes; i++)
		if (option[i])
			return false;
	return true;
}

static bool hop_options_ok(const u8 *ip, u32 have, u32 *len)
{
	u32 off = IPV6_HEADER_BYTES, padding = 0, options = 0;

	if (have < off + 8)
		return false;
	u32 end = off + (ip[off + 1] + 1u) * 8;
	if (end > have)
		return false;
	off += 2;
	while (off < end) {
		u32 left = end - off;

		if (ip[off] == HOP_PAD1) {
			off++;
			if (++padding > HOP_PADDING_MAX)
				return false;
			continue;
		}
		u32 bytes = left < 2 ? 0 : ip[off + 1] + 2u;
		if (!bytes || bytes > left)
			return false;
		if (ip[off] == HOP_PADN) {
			padding += bytes;
			if (padding > HOP_PADDING_MAX || !hop_padding_ok(ip + off, bytes))
				return false;
		} else {
			padding = 0;
			if (++options > HOP_OPTIONS_MAX ||
				!hop_option_ok(ip, off, bytes, have, len))
				return false;
		}
		off += bytes;
	}
	return true;
}

static bool ipv6_is_loopback(const u8 *addr)
{
	return load_be64(addr) == 0 && load_be64(addr + 8) == 1;
}

static enum input_reason ipv6_addresses(const u8 *src, const u8 *dst, bool loopback)
{
	if (src[0] == 0xff || (!loopback && ipv6_is_loopback(src)))
		return INPUT_SOURCE;
	if (!loopback && (ipv6_is_loopback(dst) || (dst[0] == 0xff && (dst[1] & 0xf) == 1)))
		return INPUT_SCOPE;
	return dst[0] == 0xff && (dst[1] & 0xf) == 0 ? INPUT_SCOPE : INPUT_PASSES;
}

static enum input_reason ipv6_receive(
	const u8 *ip, u32 bytes, u32 wire_bytes, const struct input_opts *opts, u32 *len)
{
	if (bytes < IPV6_HEADER_BYTES)
		return bytes < wire_bytes ? INPUT_CUT : INPUT_SHORT;
	if (ip[0] >> 4 != 6)
		return INPUT_VERSION;
	enum input_reason reason =
		opts->outgoing ? INPUT_PASSES : ipv6_addresses(ip + 8, ip + 24, opts->loopback);
	if (reason)
		return reason;
	u32 have = opts->count_cut ? wire_bytes : bytes, payload = load_be16(ip + 4);
	*len = have;
	if (payload || ip[6] != PROTO_HOPOPTS) {
		if (payload + IPV6_HEADER_BYTES > have)
			return payload + IPV6_HEADER_BYTES <= wire_bytes ? INPUT_CUT : INPUT_LENGTH;
		*len = payload + IPV6_HEADER_BYTES;
	}
	u32 seen = *len < bytes ? *len : bytes;
	if (!opts->outgoing && ip[6] == PROTO_HOPOPTS && !hop_options_ok(ip, seen, len))
		return INPUT_HOPOPTS;
	return INPUT_PASSES;
}

static bool host_joined(const struct host *host, const u8 *group, u32 bytes)
{
	for (u32 i = 0; i < host->nr_groups; i++)
		if (!memcmp(host->groups[i], group, bytes))
			return true;
	return false;
}

static bool host_foreign(const struct host *host, enum family family, const u8 *addr, u32 bytes)
{
	u8 mask[16];

	for (u32 i = 0; i < host->nr_foreign; i++) {
		const struct prefix *p = &host->foreign[i];
		u8 differs = 0;

		if (p->family != family)
			continue;
		mask_from_prefix(mask, bytes, p->bits);
		for (u32 k = 0; k < bytes; k++)
			differs |= (u8)((addr[k] ^ p->addr[k]) & mask[k]);
		if (!differs)
			return true;
	}
	return false;
}

static bool ipv6_is_link_local(const u8 *addr)
{
	return addr[0] == 0xfe && (addr[1] & 0xc0) == 0x80;
}

static enum input_reason ipv6_deliver(const u8 *ip, const struct host *host)
{
	const u8 *dst = ip + 24;

	if (dst[0] == 0xff)
		return host_joined(host, dst, 16) ? INPUT_PASSES : INPUT_NOT_JOINED;
	bool local = !ipv6_is_link_local(dst) && !host_foreign(host, FAMILY_IPV6, dst, 16);
	return local ? INPUT_PASSES : INPUT_NOT_LOCAL;
}

static enum input_reason ipv6_forward(const u8 *ip)
{
	const u8 *src = ip + 8, *dst = ip + 24;
	bool unspecified = load_be64(src) == 0 && load_be64(src + 8) == 0;

	if (ip[7] <= 1 || unspecified || ipv6_is_link_local(src) || dst[0] == 0xff)
		return INPUT_NOT_FORWARDED;
	return INPUT_PASSES;
}

/* ---- IPv4 ---- */

u16 input_ipv4_checksum(const u8 *ip, u32 bytes)
{
	u32 sum = 0;

	for (u32 i = 0; i < bytes; i += 2)
		sum += load_be16(ip + i);
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return (u16)~sum;
}

static enum input_reason ipv4_receive(
	const u8 *ip, u32 bytes, u32 wire_bytes, const struct input_opts *opts, u32 *len)
{
	if (bytes < IPV4_HEADER_BYTES)
		return bytes < wire_bytes ? INPUT_CUT : INPUT_SHORT;
	u32 header = (ip[0] & 0xfu) * 4, total = load_be16(ip + 2);
	if (ip[0] >> 4 != 4)
		return INPUT_VERSION;
	if (header < IPV4_HEADER_BYTES)
		return INPUT_LENGTH;
	if (header > bytes)
		return header <= wire_bytes ? INPUT_CUT : INPUT_LENGTH;
	if (!opts->outgoing && input_ipv4_checksum(ip, header))
		return INPUT_CHECKSUM;
	if (total < header || total > wire_bytes)
		return INPUT_LENGTH;
	if (total > bytes && !opts->count_cut)
		return INPUT_CUT;
	*len = total;
	return INPUT_PASSES;
}

enum ipv4_option {
	IPV4_OPT_END = 0,
	IPV4_OPT_NOP = 1,
	IPV4_OPT_RECORD_ROUTE = 7,
	IPV4_OPT_TIMESTAMP = 68,
	IPV4_OPT_LSRR = 131,
	IPV4_OPT_CIPSO = 134,
	IPV4_OPT_SSRR = 137,
	IPV4_OPT_ROUTER_ALERT = 148,
};

static bool record_route_ok(const u8 *o, u32 bytes)
{
	if (bytes < 3 || o[2] < 4)
		return false;
	return o[2] > bytes || o[2] + 3u <= bytes;
}

static bool timestamp_ok(const u8 *o, u32 bytes)
{
	enum { TIME_ONLY = 0, TIME_AND_ADDRESS = 1, PRESPECIFIED = 3, OVERFLOW_MAX = 15 };

	if (bytes < 4 || o[2] < 5)
		return false;
	u32 flag = o[3] & 0xf;
	if (o[2] > bytes)
		return flag == PRESPECIFIED || o[3] >> 4 != OVERFLOW_MAX;
	u32 need = flag == TIME_AND_ADDRESS || flag == PRESPECIFIED ? 7 : 3;
	return o[2] + need <= bytes;
}

static bool ipv4_option_ok(const u8 *o, u32 bytes)
{
	switch (o[0]) {
	case IPV4_OPT_LSRR:
	case IPV4_OPT_SSRR:  /* hosts don't accept source routes by default */
	case IPV4_OPT_CIPSO: /* refused where no labels are configured, which is everywhere */
		return false;
	case IPV4_OPT_RECORD_ROUTE:
		return record_route_ok(o, bytes);
	case IPV4_OPT_TIMESTAMP:
		return timestamp_ok(o, bytes);
	case IPV4_OPT_ROUTER_ALERT:
		return bytes >= 4;
	default:
		return true;
	}
}

static bool ipv4_options_ok(const u8 *ip, u32 header)
{
	u32 off = IPV4_HEADER_BYTES, record_routes = 0, timestamps = 0;

	while (off < header && ip[off] != IPV4_OPT_END) {
		u32 left = header - off;

		if (ip[off] == IPV4_OPT_NOP) {
			off++;
			continue;
		}
		u32 bytes = left < 2 ? 0 : ip[off + 1];
		if (bytes < 2 || bytes > left || !ipv4_option_ok(ip + off, bytes))
			return false;
		record_routes += ip[off] == IPV4_OPT_RECORD_ROUTE;
		timestamps += ip[off] == IPV4_OPT_TIMESTAMP;
		off += bytes;
	}
	return record_routes <= 1 && timestamps <= 1;
}

static bool ipv4_is_multicast(const u8 *addr)
{
	return addr[0] >> 4 == 0xe;
}

static bool ipv4_is_limited_broadcast(const u8 *addr)
{
	return load_be32(addr) == UINT32_MAX;
}

/* Since Linux 5.3 the rest of 0.0.0.0/8 is ordinary unicast. */
static bool ipv4_is_zero(const u8 *addr)
{
	return load_be32(addr) == 0;
}

static enum input_reason ipv4_deliver(const u8 *ip, const struct host *host)
{
	static const u8 local_groups[3] = {224, 0, 0};
	const u8 *src = ip + 12, *dst = ip + 16;
	bool bad_source = ipv4_is_multicast(src) || ipv4_is_limited_broadcast(src);

	if (!ipv4_options_ok(ip, (ip[0] & 0xfu) * 4))
		return INPUT_OPTIONS;
	if (ipv4_is_multicast(dst)) {
		if (!host->any_destination && !host_joined(host, dst, 4))
			return INPUT_NOT_JOINED;
		bool zero_ok =
			ip[9] == PROTO_IGMP || !memcmp(dst, local_groups, sizeof(local_groups));
		return bad_source || (ipv4_is_zero(src) && !zero_ok) ? INPUT_MARTIAN : INPUT_PASSES;
	}
	if (bad_source)
		return INPUT_MARTIAN;
	if (ipv4_is_limited_broadcast(dst) || (ipv4_is_zero(src) && ipv4_is_zero(dst)))
		return INPUT_PASSES;
	if (ipv4_is_zero(src) || ipv4_is_zero(dst))
		return INPUT_MARTIAN;
	return !host->any_destination && host_foreign(host, FAMILY_IPV4, dst, 4) ? INPUT_NOT_LOCAL
										 : INPUT_PASSES;
}

static enum input_reason ipv4_forward(const u8 *ip)
{
	const u8 *src = ip + 12, *dst = ip + 16;

	if (!ipv4_options_ok(ip, (ip[0] & 0xfu) * 4))
		return INPUT_OPTIONS;
	if (ipv4_is_multicast(src) || ipv4_is_limited_broadcast(src) || ipv4_is_zero(src) ||
		src[0] == 127)
		return INPUT_MARTIAN;
	if (ip[8] <= 1 || ipv4_is_multicast(dst) || ipv4_is_limited_broadcast(dst) ||
		ipv4_is_zero(dst) || dst[0] == 127)
		return INPUT_NOT_FORWARDED;
	return INPUT_PASSES;
}

/* ---- both ---- */

enum input_reason input_receive(enum family family, const u8 *ip, u32 bytes, u32 wire_bytes,
	const struct input_opts *opts, u32 *len)
{
	return family == FAMILY_IPV6 ? ipv6_receive(ip, bytes, wire_bytes, opts, len)
				     : ipv4_receive(ip, bytes, wire_bytes, opts, len);
}

enum input_reason input_deliver(enum family family, const u8 *ip, const struct host *host)
{
	if (family == FAMILY_IPV4)
		return ipv4_deliver(ip, host);
	return host->any_destination ? INPUT_PASSES : ipv6_deliver(ip, host);
}

enum input_reason input_forward(enum family family, const u8 *ip)
{
	return family == FAMILY_IPV6 ? ipv6_forward(ip) : ipv4_forward(ip);
}
