/* Making packets longer and shorter: at the end, at the start, between headers, from one IP version to the other. */
#include <string.h>

#include "helper/packet.h"

enum { IPV4_BYTES = 20, IPV6_BYTES = 40 };
enum { MODE_NET = 0, MODE_MAC = 1, DIFF_MOST = 0xfff }; /* BPF_ADJ_ROOM_... */
enum {                                                  /* BPF_F_ADJ_ROOM_... */
	FIXED_GSO = 1 << 0,
	ENCAP_L3_IPV4 = 1 << 1,
	ENCAP_L3_IPV6 = 1 << 2,
	ENCAP_L4_GRE = 1 << 3,
	ENCAP_L4_UDP = 1 << 4,
	NO_CSUM_RESET = 1 << 5,
	ENCAP_L2_ETH = 1 << 6,
	DECAP_L3_IPV4 = 1 << 7,
	DECAP_L3_IPV6 = 1 << 8,
	ENCAP_L3 = ENCAP_L3_IPV4 | ENCAP_L3_IPV6,
	DECAP_L3 = DECAP_L3_IPV4 | DECAP_L3_IPV6,
	ENCAP_L4 = ENCAP_L4_GRE | ENCAP_L4_UDP,
	L2_LEN_SHIFT = 56,
};

static bool has_all(u64 flags, u64 wanted)
{
	return (flags & wanted) == wanted;
}

/* Packets of several segments. No frame says what kind they are, and then the kernel makes no room in them. */
static bool is_gso(const struct weir_frame *f)
{
	return f->gso_size;
}

static void gso_forget(struct weir_frame *f)
{
	f->gso_size = f->gso_segs = 0;
}

/* Room between headers: those before it stay where they are, counted from the packet's start. */
static int net_push(struct weir_frame *f, u32 off, u32 n)
{
	int err = packet_push(f, off, n);

	if (!err && f->transport_off && f->transport_off != f->network_off)
		f->transport_off += (s32)n;
	return err;
}

static int net_pop(struct weir_frame *f, u32 off, u32 n)
{
	int err = packet_pop(f, off, n);

	if (!err && f->transport_off)
		f->transport_off -= (s32)n;
	return err;
}

u64 helper_skb_change_proto(u64 r1, u64 r2, u64 r3, u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG)
{
	struct weir_frame *f = frame_of(r1);
	u16 from = frame_protocol(f), to = __builtin_bswap16((u16)r2);
	u32 off = mac_header_len(f);
	int err;

	if (r3)
		return fails(EINVAL);
	if (from == ETHER_IPV4 && to == ETHER_IPV6)
		err = net_push(f, off, IPV6_BYTES - IPV4_BYTES);
	else if (from == ETHER_IPV6 && to == ETHER_IPV4)
		err = net_pop(f, off, IPV6_BYTES - IPV4_BYTES);
	else
		return fails(ENOTSUPP_KERNEL);
	if (err)
		return (u64)(s64)err;
	f->protocol = protocol_be(to);
	hash_forget(f);
	return 0;
}

/* Headers that are known of stay. */
static u32 shortest(const struct weir_frame *f)
{
	if (f->transport_off > 0)
		return (u32)f->transport_off;
	return f->network_off > 0 ? (u32)f->network_off : 0;
}

u64 helper_skb_change_tail(u64 r1, u64 r2, u64 r3, u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG)
{
	struct weir_frame *f = frame_of(r1);
	u32 len = (u32)r2;

	if (r3 || len > SKB_LONGEST || len < shortest(f))
		return fails(EINVAL);
	if (f->encapsulated)
		return fails(ENOTSUPP_KERNEL);
	if (len > f->room_end - f->data)
		return fails(ENOMEM);
	if (len > f->len)
		memset(frame_bytes(f) + f->len, 0, len - f->len);
	f->len = len;
	f->data_end = f->data + len;
	if (is_gso(f))
		gso_forget(f);
	return 0;
}

/* The new bytes are the link layer header's. */
u64 helper_skb_change_head(u64 r1, u64 r2, u64 r3, u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG)
{
	struct weir_frame *f = frame_of(r1);
	u32 n = (u32)r2, len = f->len + n;

	if (r3 || n > INT32_MAX || len < n || (!is_gso(f) && len > SKB_LONGEST))
		return fails(EINVAL);
	if (packet_push(f, 0, n))
		return fails(ENOMEM);
	f->mac_off = 0;
	f->network_off += (s32)n;
	if (f->transport_off)
		f->transport_off += (s32)n;
	f->mac_len = (u16)f->network_off;
	return 0;
}

static u32 ip_bytes(u16 protocol)
{
	return protocol == ETHER_IPV4 ? IPV4_BYTES : IPV6_BYTES;
}

static void set_ip_version(struct weir_frame *f, bool to_ipv4, bool to_ipv6)
{
	if (to_ipv6 && frame_protocol(f) == ETHER_IPV4)
		f->protocol = protocol_be(ETHER_IPV6);
	else if (to_ipv4 && frame_protocol(f) == ETHER_IPV6)
		f->protocol = protocol_be(ETHER_IPV4);
}

static int check_encap(const struct weir_frame *f, u32 n, u64 flags)
{
	u8 inner_mac_len = (u8)(flags >> L2_LEN_SHIFT);

	if (has_all(flags, ENCAP_L3) || has_all(flags, ENCAP_L4))
		return -EINVAL;
	if (flags & ENCAP_L2_ETH && inner_mac_len < ETHER_BYTES)
		return -EINVAL;
	if (f->encapsulated)
		return -EALREADY;
	return inner_mac_len > n ? -EINVAL : 0;
}

/* The new bytes are the outer IP header and what is between it and the inner packet. */
static void encapsulate(struct weir_frame *f, u64 flags)
{
	bool ipv6 = flags & ENCAP_L3_IPV6;
	u32 mac_len = mac_header_len(f);

	f->encapsulated = 1;
	f->network_off = (s32)mac_len;
	if (flags & ENCAP_L4)
		f->transport_off = (s32)(mac_len + (ipv6 ? IPV6_BYTES : IPV4_BYTES));
	set_ip_version(f, !ipv6, ipv6);
}

static int grow(struct weir_frame *f, u32 off, u32 n, u64 flags)
{
	bool encap = flags & ENCAP_L3;

	if (is_gso(f))
		return -ENOTSUPP_KERNEL;
	int err = encap ? check_encap(f, n, flags) : 0;
	if (!err)
		err = net_push(f, off, n);
	if (!err && encap)
		encapsulate(f, flags);
	return err;
}

static int shrink(struct weir_frame *f, u32 off, u32 n, u64 flags)
{
	if (flags & ~(u64)(FIXED_GSO | DECAP_L3 | NO_CSUM_RESET))
		return -EINVAL;
	if (is_gso(f))
		return -ENOTSUPP_KERNEL;
	int err = net_pop(f, off, n);
	if (!err)
		set_ip_version(f, flags & DECAP_L3_IPV4, flags & DECAP_L3_IPV6);
	return err;
}

/* Whether the packet may become so much longer or shorter; `least` is what must be left from the IP header on. */
static int check_len(const struct weir_frame *f, s32 diff, u32 least)
{
	u32 n = (u32)(diff < 0 ? -diff : diff), len = (u32)((s64)f->len - f->network_off);

	if (diff < 0)
		return n >= len || len - n < least ? -ENOTSUPP_KERNEL : 0;
	return f->len + n > SKB_LONGEST && !is_gso(f) ? -ENOTSUPP_KERNEL : 0;
}

static int adjust_room(struct weir_frame *f, s32 diff, u32 mode, u64 flags)
{
	const u64 known = FIXED_GSO | ENCAP_L3 | ENCAP_L4 | NO_CSUM_RESET | ENCAP_L2_ETH |
			  DECAP_L3 | (u64)0xff << L2_LEN_SHIFT;
	u32 off = mac_header_len(f), least = ip_bytes(frame_protocol(f));

	if (flags & ~known)
		return -EINVAL;
	if (diff > DIFF_MOST || diff < -DIFF_MOST)
		return -EFAULT;
	if (!is_ip(frame_protocol(f)) || mode > MODE_MAC)
		return -ENOTSUPP_KERNEL;
	if (mode == MODE_NET)
		off += least;
	if (flags & DECAP_L3) {
		if (diff >= 0 || has_all(flags, DECAP_L3))
			return -EINVAL;
		least = flags & DECAP_L3_IPV4 ? IPV4_BYTES : IPV6_BYTES;
	}
	int err = check_len(f, diff, least);
	if (err)
		return err;
	return diff < 0 ? shrink(f, off, (u32)-diff, flags) : grow(f, off, (u32)diff, flags);
}

u64 helper_skb_adjust_room(u64 r1, u64 r2, u64 r3, u64 r4, u64 r5 UNUSED_ARG)
{
	struct weir_frame *f = frame_of(r1);
	int err = adjust_room(f, (s32)r2, (u32)r3, r4);

	if (!err && !(r4 & NO_CSUM_RESET))
		f->csum_checked = f->csum_level = 0;
	return (u64)(s64)err;
}
