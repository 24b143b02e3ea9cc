/* The Internet checksum (RFC 1071). */
#include <string.h>

#include "base/bytes.h"
#include "helper/functions.h"

/* Adds the 32-bit words at p, the last padded with zeros, to `start`: the carries stay in the upper half, which can't
 * overflow, since 2^32 bytes of words sum to less than 2^62. */
static u64 sum_words(const u8 *p, u32 bytes, u64 start)
{
	u64 sum = start;
	u32 at = 0, last = 0;

	for (; bytes - at >= 4; at += 4)
		sum += load_le32(p + at);
	if (at < bytes)
		memcpy(&last, p + at, bytes - at);
	return sum + last;
}

static u32 fold_to_32(u64 sum)
{
	sum = (sum & UINT32_MAX) + (sum >> 32);
	sum = (sum & UINT32_MAX) + (sum >> 32);
	return (u32)sum;
}

static u32 fold_to_16(u32 sum)
{
	sum = (sum & UINT16_MAX) + (sum >> 16);
	sum = (sum & UINT16_MAX) + (sum >> 16);
	return sum;
}

/* What replacing `from` by `to` does to the sum r5, folded to 16 bits and for sizes that are no multiple of 4 too (kernels
 * do both since 6.13). Either size may be 0. */
u64 helper_csum_diff(u64 r1, u64 r2, u64 r3, u64 r4, u64 r5)
{
	const u8 *from = (const u8 *)(uintptr_t)r1, *to = (const u8 *)(uintptr_t)r3;
	u32 from_bytes = (u32)r2, to_bytes = (u32)r4;
	u32 added = fold_to_32(sum_words(to, to_bytes, (u32)r5));
	u32 removed = fold_to_32(sum_words(from, from_bytes, 0));

	return fold_to_16(from_bytes ? fold_to_32((u64)added + (u32)~removed) : added);
}
