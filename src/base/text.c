#include "base/text.h"

#include <arpa/inet.h>
#include <string.h>

#include "base/buf.h"

enum { TEXT_ADDR_BYTES = 64 }; /* longer than any numeric address */

struct str str_of(const char *cstr)
{
	return str_new(cstr, strlen(cstr));
}

bool str_eq(struct str a, const char *b)
{
	return a.len == strlen(b) && !memcmp(a.p, b, a.len);
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

bool str_eq_nocase(struct str a, const char *b)
{
	if (a.len != strlen(b))
		return false;
	for (size_t i = 0; i < a.len; i++)
		if (lower(a.p[i]) != lower(b[i]))
			return false;
	return true;
}

bool str_is_abbrev(struct str s, const char *full)
{
	return s.len && s.len <= strlen(full) && !memcmp(s.p, full, s.len);
}

bool str_split(struct str s, char sep, struct str *head, struct str *rest)
{
	const char *at = s.len ? memchr(s.p, sep, s.len) : NULL;

	if (!at) {
		*head = s;
		*rest = str_new(s.p + s.len, 0);
		return false;
	}
	*head = str_new(s.p, (size_t)(at - s.p));
	*rest = str_new(at + 1, s.len - head->len - 1);
	return true;
}

static int digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = lower(c);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

bool str_to_u64(struct str s, u64 *out)
{
	unsigned base = 10;
	size_t i = 0;
	u64 value = 0;

	if (s.len > 2 && s.p[0] == '0' && lower(s.p[1]) == 'x') {
		base = 16;
		i = 2;
	} else if (s.len > 1 && s.p[0] == '0') {
		base = 8;
		i = 1;
	}
	if (i >= s.len)
		return false;
	for (; i < s.len; i++) {
		unsigned digit = (unsigned)digit_value(s.p[i]);

		if (digit >= base || __builtin_mul_overflow(value, (u64)base, &value) ||
			__builtin_add_overflow(value, (u64)digit, &value))
			return false;
	}
	*out = value;
	return true;
}

bool str_to_u32(struct str s, u32 *out)
{
	u64 value;

	if (!str_to_u64(s, &value) || value > UINT32_MAX)
		return false;
	*out = (u32)value;
	return true;
}

bool str_to_u16(struct str s, u16 *out)
{
	u64 value;

	if (!str_to_u64(s, &value) || value > UINT16_MAX)
		return false;
	*out = (u16)value;
	return true;
}

bool str_to_bytes(struct str s, u8 *out, size_t cap, size_t *len)
{
	if (s.len % 2 || s.len / 2 > cap)
		return false;
	for (size_t i = 0; i < s.len; i++)
		if (digit_value(s.p[i]) > 15)
			return false;
	for (size_t i = 0; i < s.len / 2; i++)
		out[i] = (u8)(digit_value(s.p[2 * i]) << 4 | digit_value(s.p[2 * i + 1]));
	*len = s.len / 2;
	return true;
}

static bool to_addr(int family, struct str s, u8 *out, size_t bytes)
{
	char text[TEXT_ADDR_BYTES];
	u8 addr[16];

	if (s.len >= sizeof(text) || memchr(s.p, '\0', s.len))
		return false;
	memcpy(text, s.p, s.len);
	text[s.len] = '\0';
	if (inet_pton(family, text, addr) != 1)
		return false;
	memcpy(out, addr, bytes);
	return true;
}

bool str_to_ipv4(struct str s, u8 out[static 4])
{
	return to_addr(AF_INET, s, out, 4);
}

bool str_to_ipv6(struct str s, u8 out[static 16])
{
	return to_addr(AF_INET6, s, out, 16);
}

void buf_ipv4(struct buf *b, const u8 addr[static 4])
{
	char text[TEXT_ADDR_BYTES];

	buf_puts(b, inet_ntop(AF_INET, addr, text, sizeof(text)));
}

void buf_ipv6(struct buf *b, const u8 addr[static 16])
{
	char text[TEXT_ADDR_BYTES];

	buf_puts(b, inet_ntop(AF_INET6, addr, text, sizeof(text)));
}

void mask_from_prefix(u8 *mask, size_t bytes, unsigned bits)
{
	assert(bits <= bytes * 8);
	for (size_t i = 0; i < bytes; i++) {
		unsigned here = bits > 8 ? 8 : bits;

		mask[i] = (u8)(0xff00u >> here);
		bits -= here;
	}
}

int mask_to_prefix(const u8 *mask, size_t bytes)
{
	u8 want[16];
	unsigned bits = 0;

	assert(bytes <= sizeof(want));
	for (size_t i = 0; i < bytes; i++)
		bits += (unsigned)__builtin_popcount(mask[i]);
	mask_from_prefix(want, bytes, bits);
	return memcmp(want, mask, bytes) ? -1 : (int)bits;
}

static bool decimal_cpu(struct str s, u32 max, u32 *out)
{
	u32 n = 0;

	for (size_t i = 0; i < s.len; i++) {
		if (s.p[i] < '0' || s.p[i] > '9' || n >= max)
			return false;
		n = n * 10 + (u32)(s.p[i] - '0');
	}
	*out = n;
	return s.len && n < max;
}

bool str_to_cpus(struct str s, u64 *set, u32 max, u32 *nr)
{
	*nr = 0;
	for (u32 i = 0; i < (max + 63) / 64; i++)
		set[i] = 0;
	do {
		struct str range, low, high;
		u32 from, to;

		if (s.len && s.p[s.len - 1] == ',')
			return false;
		str_split(s, ',', &range, &s);
		if (!str_split(range, '-', &low, &high))
			high = low;
		if (!decimal_cpu(low, max, &from) || !decimal_cpu(high, max, &to) || from > to)
			return false;
		for (u32 cpu = from; cpu <= to; cpu++)
			set[cpu / 64] |= 1ull << (cpu % 64);
		*nr = to + 1 > *nr ? to + 1 : *nr;
	} while (s.len);
	return true;
}

void buf_cpus(struct buf *b, const u64 *set, u32 nr)
{
	const char *separator = "";

	for (u32 from = 0; from < nr; from++) {
		u32 to = from;

		if (!(set[from / 64] >> (from % 64) & 1))
			continue;
		while (to + 1 < nr && (set[(to + 1) / 64] >> ((to + 1) % 64) & 1))
			to++;
		buf_printf(b, to > from ? "%s%u-%u" : "%s%u", separator, from, to);
		separator = ",";
		from = to;
	}
}
