/* What frames say about packets besides their bytes. */
#include "base/bytes.h"
#include "helper/packet.h"

enum { TYPE_MOST = 3 };  /* PACKET_OTHERHOST: types that programs may change, and change to */
enum { NOBODY = 65534 }; /* what a user without a number here is called */
enum { CLOCK_KIND_REAL = 0, CLOCK_KIND_MONOTONIC = 1, CLOCK_KIND_TAI = 2 };
enum { ECN = 3, ECN_NONE = 0 };

u64 helper_skb_change_type(u64 r1, u64 r2, u64 r3 UNUSED_ARG, u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG)
{
	struct weir_frame *f = frame_of(r1);

	if (f->pkt_type > TYPE_MOST || (u32)r2 > TYPE_MOST)
		return fails(EINVAL);
	f->pkt_type = (u32)r2;
	return 0;
}

u64 helper_set_hash(u64 r1, u64 r2, u64 r3 UNUSED_ARG, u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG)
{
	struct weir_frame *f = frame_of(r1);

	f->hash = (u32)r2;
	f->hash_known = 1;
	return 0;
}

u64 helper_set_hash_invalid(
	u64 r1, u64 r2 UNUSED_ARG, u64 r3 UNUSED_ARG, u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG)
{
	hash_forget(frame_of(r1));
	return 0;
}

static u32 mix(u32 hash, u32 word)
{
	hash = (hash ^ word) * 0x9e3779b1u;
	return hash ^ hash >> 15;
}

/* Addresses, protocol and, of TCP, UDP and the like, ports. */
static u32 hash_of_ip(const u8 *ip, u32 from, u32 bytes, u8 protocol, const u8 *upper)
{
	static const u8 with_ports[] = {6, 17, 33, 132, 136};
	u32 hash = mix(0, protocol);

	for (u32 at = from; at < from + bytes; at += 4)
		hash = mix(hash, load_le32(ip + at));
	for (u32 i = 0; upper && i < ARRAY_LEN(with_ports); i++)
		if (with_ports[i] == protocol)
			hash = mix(hash, load_le32(upper));
	return hash;
}

/* The kernel's hashes have a key that nobody is told, so ours are as good: the same for all packets of a flow, never 0. */
static u32 flow_hash(const struct weir_frame *f)
{
	enum { IPV4_BYTES = 20, IPV6_BYTES = 40 };
	u16 protocol = packet_inner_protocol(f);
	u64 off = (u64)(s64)f->network_off;
	const u8 *ip = f->network_off < 0 ? NULL : packet_at(f, off, IPV4_BYTES);
	u32 hash = mix(0, protocol);

	if (protocol == ETHER_IPV4 && ip) {
		bool fragment = load_be16(ip + 6) & 0x3fff;
		u64 header = (u64)(ip[0] & 0xf) * 4;

		hash = hash_of_ip(
			ip, 12, 8, ip[9], fragment ? NULL : packet_at(f, off + header, 4));
	} else if (protocol == ETHER_IPV6 && ip && packet_at(f, off, IPV6_BYTES)) {
		hash = hash_of_ip(ip, 8, 32, ip[6], packet_at(f, off + IPV6_BYTES, 4));
	}
	return hash ? hash : 1;
}

u64 helper_get_hash_recalc(
	u64 r1, u64 r2 UNUSED_ARG, u64 r3 UNUSED_ARG, u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG)
{
	struct weir_frame *f = frame_of(r1);

	if (!f->hash_known && !f->hash)
		f->hash = flow_hash(f);
	f->hash_known = 1;
	return f->hash;
}

u64 helper_get_socket_cookie(
	u64 r1, u64 r2 UNUSED_ARG, u64 r3 UNUSED_ARG, u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG)
{
	return frame_of(r1)->cookie;
}

u64 helper_get_socket_uid(
	u64 r1, u64 r2 UNUSED_ARG, u64 r3 UNUSED_ARG, u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG)
{
	const struct weir_frame *f = frame_of(r1);

	return f->has_owner ? f->uid : NOBODY;
}

u64 helper_skb_set_tstamp(u64 r1, u64 r2, u64 r3, u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG)
{
	struct weir_frame *f = frame_of(r1);
	u32 kind = (u32)r3;

	if (!is_ip(frame_protocol(f)))
		return fails(EOPNOTSUPP);
	if (kind > CLOCK_KIND_TAI || (kind != CLOCK_KIND_REAL && !r2))
		return fails(EINVAL);
	f->tstamp = r2;
	f->tstamp_type = kind;
	return 0;
}

/* RFC 3168: only packets whose sender knows of it are marked. The checksum follows (RFC 1624). */
static u64 mark_ipv4(u8 *ip)
{
	u16 ecn = (ip[1] + 1) & ECN, csum = load_le16(ip + 10);

	if (!(ecn & 2))
		return !ecn;
	u16 add = (u16)(__builtin_bswap16(0xfffb) + __builtin_bswap16(ecn));
	u16 sum = (u16)(csum + add);
	store_le16(ip + 10, (u16)(sum + (sum < add)));
	ip[1] |= ECN;
	return 1;
}

static u64 mark_ipv6(u8 *ip)
{
	if ((ip[1] >> 4 & ECN) == ECN_NONE)
		return 0;
	ip[1] |= ECN << 4;
	return 1;
}

u64 helper_skb_ecn_set_ce(
	u64 r1, u64 r2 UNUSED_ARG, u64 r3 UNUSED_ARG, u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG)
{
	enum { IPV4_BYTES = 20, IPV6_BYTES = 40 };
	const struct weir_frame *f = frame_of(r1);
	u16 protocol = packet_inner_protocol(f);
	bool ipv4 = protocol == ETHER_IPV4;

	if (!is_ip(protocol) || f->network_off < 0)
		return 0;
	u8 *ip = packet_at(f, (u64)f->network_off, ipv4 ? IPV4_BYTES : IPV6_BYTES);
	if (!ip)
		return 0;
	return ipv4 ? mark_ipv4(ip) : mark_ipv6(ip);
}
