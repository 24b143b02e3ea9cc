#include "rules/print_text.h"

#include <string.h>

static bool is_plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '-' || c == '_';
}

static void put_in_quotes(struct buf *out, struct str s)
{
	buf_puts(out, " \"");
	for (size_t i = 0; i < s.len; i++) {
		if (s.p[i] == '"' || s.p[i] == '\\' || s.p[i] == '\'')
			buf_puts(out, "\\");
		buf_put(out, s.p + i, 1);
	}
	buf_puts(out, "\"");
}

static void put_plain(struct buf *out, struct str s)
{
	buf_puts(out, " ");
	buf_put(out, s.p, s.len);
}

void print_quoted(struct buf *out, struct str s)
{
	size_t plain = 0;

	while (plain < s.len && is_plain(s.p[plain]))
		plain++;
	if (s.len && plain == s.len)
		put_plain(out, s);
	else
		put_in_quotes(out, s);
}

/* The reader would split it, or see an end of it, or nothing at all. */
static bool needs_quotes(struct str s)
{
	for (size_t i = 0; i < s.len; i++)
		if (s.p[i] == ' ' || s.p[i] == '\t' || s.p[i] == '"')
			return true;
	return !s.len;
}

void print_raw_word(struct buf *out, const struct raw_word *w)
{
	if (w->quoted || needs_quotes(w->text))
		put_in_quotes(out, w->text);
	else
		put_plain(out, w->text);
}

void print_option(struct buf *out, bool invert, const char *name)
{
	buf_printf(out, "%s --%s", invert ? " !" : "", name);
}

void print_address(struct buf *out, const u8 *addr, enum family family)
{
	if (family == FAMILY_IPV4)
		buf_ipv4(out, addr);
	else
		buf_ipv6(out, addr);
}

void print_mask(struct buf *out, const u8 *mask, enum family family)
{
	int bits = mask_to_prefix(mask, family == FAMILY_IPV4 ? 4 : 16);

	buf_puts(out, "/");
	if (bits >= 0)
		buf_printf(out, "%d", bits);
	else
		print_address(out, mask, family);
}

void print_masked(struct buf *out, u32 value, u32 mask)
{
	buf_printf(out, "0x%x", value);
	if (mask != UINT32_MAX)
		buf_printf(out, "/0x%x", mask);
}
