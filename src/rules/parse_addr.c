/* Addresses with masks of -s and -d. Names are refused: a rule set must mean the same everywhere. */
#include "rules/parser.h"
#include "rules/addr_text.h"

#include <errno.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"

static u32 addr_bytes(enum family family)
{
	return family == FAMILY_IPV4 ? 4 : 16;
}

/* "10.1" is 10.1.0.0, as iptables reads it. */
static bool parse_short_ipv4(struct str s, u8 out[static 4])
{
	u8 addr[4] = {0};

	for (size_t i = 0; i < 4; i++) {
		struct str part;
		bool more = str_split(s, '.', &part, &s);
		u64 value;

		if (!str_to_u64(part, &value) || value > UINT8_MAX)
			return false;
		addr[i] = (u8)value;
		if (!more) {
			memcpy(out, addr, sizeof(addr));
			return true;
		}
	}
	return false;
}

bool addr_parse(struct str s, enum family family, u8 *out)
{
	return family == FAMILY_IPV4 ? parse_short_ipv4(s, out) : str_to_ipv6(s, out);
}

static size_t count_dots(struct str s)
{
	size_t nr = 0;

	for (size_t i = 0; i < s.len; i++)
		nr += s.p[i] == '.';
	return nr;
}

bool mask_parse(struct str s, enum family family, u8 *out)
{
	u64 bits;

	if (family == FAMILY_IPV4 ? count_dots(s) == 3 && parse_short_ipv4(s, out)
				  : str_to_ipv6(s, out))
		return true;
	if (!str_to_u64(s, &bits) || bits > addr_bytes(family) * 8)
		return false;
	mask_from_prefix(out, addr_bytes(family), (unsigned)bits);
	return true;
}

static const char *message(struct arena *arena, const char *fmt, struct str s)
{
	struct buf text = {0};

	buf_printf(&text, fmt, (int)(s.len > 64 ? 64 : s.len), s.p);
	const char *copy =
		text.failed ? NULL : arena_strndup(arena, (const char *)text.data, text.len);
	buf_fini(&text);
	return copy ? copy : "out of memory";
}

static const char *addr_error(struct arena *arena, struct str s, enum family family)
{
	u8 other[16];

	if (!s.len)
		return "an address is missing";
	if (family == FAMILY_IPV6 && count_dots(s) && parse_short_ipv4(s, other))
		return message(arena, "'%.*s' is an IPv4 address in a rule set for IPv6", s);
	if (family == FAMILY_IPV4 && str_to_ipv6(s, other))
		return message(arena, "'%.*s' is an IPv6 address in a rule set for IPv4", s);
	return message(arena, "'%.*s' is not an address (names are not looked up)", s);
}

static const char *parse_net(struct str s, enum family family, struct arena *arena, struct net *out)
{
	struct str addr, mask;
	u32 bytes = addr_bytes(family);
	bool any = true;

	if (!str_split(s, '/', &addr, &mask))
		mask_from_prefix(out->mask, bytes, bytes * 8);
	else if (!mask_parse(mask, family, out->mask))
		return message(arena, "'%.*s' is not a mask or a prefix length", mask);
	for (u32 i = 0; i < bytes; i++)
		any = any && !out->mask[i];
	if (any) /* with /0 iptables doesn't look at what is before it */
		return NULL;
	if (!addr_parse(addr, family, out->addr))
		return addr_error(arena, addr, family);
	for (u32 i = 0; i < bytes; i++)
		out->addr[i] &= out->mask[i];
	return NULL;
}

int parse_nets(
	struct str s, enum family family, struct arena *arena, struct nets *out, const char **wrong)
{
	struct str one;
	bool more;

	do {
		struct net net = {0};

		while (s.len && (s.p[0] == ' ' || s.p[0] == '\t'))
			s = str_new(s.p + 1, s.len - 1);
		more = str_split(s, ',', &one, &s);
		*wrong = parse_net(one, family, arena, &net);
		if (*wrong)
			return -EINVAL;
		if (array_grow((void **)&out->at, &out->cap, out->nr + 1, sizeof(*out->at)))
			return -ENOMEM;
		out->at[out->nr++] = net;
	} while (more);
	return 0;
}
