/* Changing checksums in packets (RFC 1624), and what is known of them. */
#include "base/bytes.h"
#include "helper/packet.h"

enum { /* BPF_F_... */
	FIELD_BYTES = 0xf,
	PSEUDO_HDR = 1 << 4,
	MARK_MANGLED_0 = 1 << 5,
	MARK_ENFORCE = 1 << 6,
	IPV6 = 1 << 7,
};
enum { LEVEL_QUERY = 0, LEVEL_INC = 1, LEVEL_DEC = 2, LEVEL_RESET = 3, LEVEL_MOST = 3 };
enum { CSUM_FIELD_BYTES = 2, MANGLED_0 = 0xffff, OFF_MOST = 0xffff };

static u32 add32(u32 a, u32 b)
{
	u32 sum = a + b;

	return sum + (sum < a);
}

static u16 fold(u32 sum)
{
	sum = (sum & UINT16_MAX) + (sum >> 16);
	sum = (sum & UINT16_MAX) + (sum >> 16);
	return (u16)~sum;
}

static u16 add16(u16 a, u16 b)
{
	u16 sum = (u16)(a + b);

	return (u16)(sum + (sum < a));
}

static u16 by_diff(u16 csum, u32 diff)
{
	return fold(add32(diff, ~(u32)csum));
}

static u16 replace32(u16 csum, u32 from, u32 to)
{
	return fold(add32(add32(~(u32)csum, ~from), to));
}

/* In 16 bits all the way: the zeros of both kinds come out otherwise than by replace32. */
static u16 replace16(u16 csum, u16 from, u16 to)
{
	return (u16)~add16(add16((u16)~csum, (u16)~from), to);
}

/* The 16 bits at an even offset, or NULL. */
static u8 *csum_at(const struct weir_frame *f, u32 off)
{
	return off > OFF_MOST || off & 1 ? NULL : packet_at(f, off, CSUM_FIELD_BYTES);
}

u64 helper_l3_csum_replace(u64 r1, u64 r2, u64 r3, u64 r4, u64 r5)
{
	if (r5 & ~(u64)FIELD_BYTES)
		return fails(EINVAL);
	u8 *at = csum_at(frame_of(r1), (u32)r2);
	if (!at)
		return fails(EFAULT);
	u16 csum = load_le16(at);
	switch (r5 & FIELD_BYTES) {
	case 0:
		if (r3)
			return fails(EINVAL);
		csum = by_diff(csum, (u32)r4);
		break;
	case 2:
		csum = replace16(csum, (u16)r3, (u16)r4);
		break;
	case 4:
		csum = replace32(csum, (u32)r3, (u32)r4);
		break;
	default:
		return fails(EINVAL);
	}
	store_le16(at, csum);
	return 0;
}

/* The pseudo header matters for sums that a device is to finish only, and there are none here. */
u64 helper_l4_csum_replace(u64 r1, u64 r2, u64 r3, u64 r4, u64 r5)
{
	const u64 known = FIELD_BYTES | PSEUDO_HDR | MARK_MANGLED_0 | MARK_ENFORCE | IPV6;

	if (r5 & ~known)
		return fails(EINVAL);
	u8 *at = csum_at(frame_of(r1), (u32)r2);
	if (!at)
		return fails(EFAULT);
	u16 csum = load_le16(at);
	if (r5 & MARK_MANGLED_0 && !(r5 & MARK_ENFORCE) && !csum)
		return 0; /* UDP without a checksum */
	switch (r5 & FIELD_BYTES) {
	case 0:
		if (r3)
			return fails(EINVAL);
		csum = by_diff(csum, (u32)r4);
		break;
	case 2:
		csum = replace32(csum, (u16)r3, (u16)r4);
		break;
	case 4:
		csum = replace32(csum, (u32)r3, (u32)r4);
		break;
	default:
		return fails(EINVAL);
	}
	store_le16(at, r5 & MARK_MANGLED_0 && !csum ? MANGLED_0 : csum);
	return 0;
}

/* For devices that sum up whole packets; no frame says that. */
u64 helper_csum_update(u64 r1 UNUSED_ARG, u64 r2 UNUSED_ARG, u64 r3 UNUSED_ARG, u64 r4 UNUSED_ARG,
	u64 r5 UNUSED_ARG)
{
	return fails(ENOTSUPP_KERNEL);
}

static void level_up(struct weir_frame *f)
{
	if (!f->csum_checked) {
		f->csum_checked = 1;
		f->csum_level = 0;
	} else if (f->csum_level < LEVEL_MOST) {
		f->csum_level++;
	}
}

static void level_down(struct weir_frame *f)
{
	if (!f->csum_checked)
		return;
	if (f->csum_level)
		f->csum_level--;
	else
		f->csum_checked = 0;
}

u64 helper_csum_level(u64 r1, u64 r2, u64 r3 UNUSED_ARG, u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG)
{
	struct weir_frame *f = frame_of(r1);

	switch (r2) {
	case LEVEL_QUERY:
		return f->csum_checked ? f->csum_level : fails(EACCES);
	case LEVEL_INC:
		level_up(f);
		return 0;
	case LEVEL_DEC:
		level_down(f);
		return 0;
	case LEVEL_RESET:
		f->csum_checked = f->csum_level = 0;
		return 0;
	}
	return fails(EINVAL);
}
