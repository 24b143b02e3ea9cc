/* Reading and writing integers of a stated byte order at any alignment. The caller has checked the
 * length. */
#ifndef WEIR_BASE_BYTES_H
#define WEIR_BASE_BYTES_H

#include <string.h>

#include "base/types.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "weir's targets are little-endian");

static inline u16 load_le16(const void *p)
{
	u16 v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static inline void store_le16(void *p, u16 v)
{
	u16 raw = v;

	memcpy(p, &raw, sizeof(raw));
}

static inline u32 load_le32(const void *p)
{
	u32 v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static inline void store_le32(void *p, u32 v)
{
	u32 raw = v;

	memcpy(p, &raw, sizeof(raw));
}

static inline u64 load_le64(const void *p)
{
	u64 v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static inline void store_le64(void *p, u64 v)
{
	u64 raw = v;

	memcpy(p, &raw, sizeof(raw));
}

static inline u16 load_be16(const void *p)
{
	u16 v;

	memcpy(&v, p, sizeof(v));
	return __builtin_bswap16(v);
}

static inline void store_be16(void *p, u16 v)
{
	u16 raw = __builtin_bswap16(v);

	memcpy(p, &raw, sizeof(raw));
}

static inline u32 load_be32(const void *p)
{
	u32 v;

	memcpy(&v, p, sizeof(v));
	return __builtin_bswap32(v);
}

static inline void store_be32(void *p, u32 v)
{
	u32 raw = __builtin_bswap32(v);

	memcpy(p, &raw, sizeof(raw));
}

static inline u64 load_be64(const void *p)
{
	u64 v;

	memcpy(&v, p, sizeof(v));
	return __builtin_bswap64(v);
}

static inline void store_be64(void *p, u64 v)
{
	u64 raw = __builtin_bswap64(v);

	memcpy(p, &raw, sizeof(raw));
}

#endif
