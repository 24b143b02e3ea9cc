/* Text to numbers and addresses, and back. Nothing here allocates or sets errno. */
#ifndef WEIR_BASE_TEXT_H
#define WEIR_BASE_TEXT_H

#include "base/types.h"

struct buf;

/* A borrowed piece of text, not NUL-terminated. */
struct str {
	const char *p;
	size_t len;
};

static inline struct str str_new(const char *p, size_t len)
{
	return (struct str){p, len};
}

struct str str_of(const char *cstr);
bool str_eq(struct str a, const char *b);
bool str_eq_nocase(struct str a, const char *b);
/* True when `s` is a non-empty prefix of `full`. */
bool str_is_abbrev(struct str s, const char *full);
/* Splits at the first `sep`: *head gets what is before it, *rest what is behind. False (and *head =
 * all of s, *rest empty) when there is none. */
bool str_split(struct str s, char sep, struct str *head, struct str *rest);

/* Decimal, 0x hexadecimal or 0 octal as strtoull with base 0 reads them; the whole text, no sign,
 * no blanks. *out changes only on success. */
bool str_to_u64(struct str s, u64 *out);
bool str_to_u32(struct str s, u32 *out);
bool str_to_u16(struct str s, u16 *out);
/* Pairs of hexadecimal digits to bytes; false when odd, not hex or more than `cap` bytes. */
bool str_to_bytes(struct str s, u8 *out, size_t cap, size_t *len);

/* A list of CPU numbers below `max` as the kernel writes it, "0,4-7": a bit for each in `set`, which has room for max bits
 * and is overwritten. *nr gets 1 + the highest. False: not such a list, or empty. */
bool str_to_cpus(struct str s, u64 *set, u32 max, u32 *nr);
/* The list of the bits below nr. */
void buf_cpus(struct buf *b, const u64 *set, u32 nr);

/* Addresses in network byte order. */
bool str_to_ipv4(struct str s, u8 out[static 4]);
bool str_to_ipv6(struct str s, u8 out[static 16]);
/* Shortest form as inet_ntop prints it (RFC 5952). */
void buf_ipv4(struct buf *b, const u8 addr[static 4]);
void buf_ipv6(struct buf *b, const u8 addr[static 16]);

/* A mask of `bits` leading ones over `bytes` bytes. */
void mask_from_prefix(u8 *mask, size_t bytes, unsigned bits);
/* The prefix length that `mask` is, or -1 when it isn't contiguous. */
int mask_to_prefix(const u8 *mask, size_t bytes);

#endif
