#include "cli/map_text.h"

#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "base/bytes.h"

enum { LPM_PREFIX_BYTES = 4 };

bool map_is_percpu(enum weir_map_type type)
{
	return type == WEIR_MAP_PERCPU_HASH || type == WEIR_MAP_PERCPU_ARRAY ||
	       type == WEIR_MAP_LRU_PERCPU_HASH;
}

bool map_is_table(enum weir_map_type type)
{
	static const enum weir_map_type tables[] = {WEIR_MAP_HASH, WEIR_MAP_ARRAY,
		WEIR_MAP_PERCPU_HASH, WEIR_MAP_PERCPU_ARRAY, WEIR_MAP_LRU_HASH,
		WEIR_MAP_LRU_PERCPU_HASH, WEIR_MAP_LPM_TRIE, WEIR_MAP_DEVMAP, WEIR_MAP_CPUMAP,
		WEIR_MAP_XSKMAP, WEIR_MAP_DEVMAP_HASH};

	for (size_t i = 0; i < ARRAY_LEN(tables); i++)
		if (tables[i] == type)
			return true;
	return false;
}

static bool all_digits(struct str text)
{
	for (size_t i = 0; i < text.len; i++)
		if (text.p[i] < '0' || text.p[i] > '9')
			return false;
	return text.len > 0;
}

static const char *parse_number(struct str text, u8 *out, u32 bytes)
{
	bool negative = text.len && text.p[0] == '-';
	u64 n, limit = bytes < 8 ? 1ull << (8 * bytes) : 0;

	if (!str_to_u64(negative ? str_new(text.p + 1, text.len - 1) : text, &n))
		return all_digits(negative ? str_new(text.p + 1, text.len - 1) : text)
			       ? "the number doesn't fit"
			       : "is not " CELL_FORMS;
	if (bytes > 8)
		return "a number has at most 8 bytes: use hex: for all of them";
	if (limit && n >= (negative ? limit / 2 + 1 : limit))
		return "the number doesn't fit";
	u8 le[8];
	store_le64(le, negative ? 0 - n : n);
	memcpy(out, le, bytes);
	return NULL;
}

static int digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static const char *parse_hex(struct str text, u8 *out, u32 bytes)
{
	size_t len;

	for (size_t i = 0; i < text.len; i++)
		if (digit_of(text.p[i]) < 0)
			return "has a character that is no hex digit";
	if (!str_to_bytes(text, out, bytes, &len) || len != bytes)
		return "has another number of hex digits than twice its bytes";
	return NULL;
}

static const char *parse_string(struct str text, u8 *out, u32 bytes)
{
	if (text.len > bytes)
		return "the text is longer than its bytes";
	memset(out, 0, bytes);
	memcpy(out, text.p, text.len);
	return NULL;
}

/* An address, in brackets when it is IPv6. How many bytes it has, 0: it isn't one. */
static u32 parse_address(struct str text, u8 out[static 16])
{
	if (text.len > 2 && text.p[0] == '[' && text.p[text.len - 1] == ']')
		return str_to_ipv6(str_new(text.p + 1, text.len - 2), out) ? 16 : 0;
	if (str_to_ipv6(text, out))
		return 16;
	return str_to_ipv4(text, out) ? 4 : 0;
}

static const char *parse_lpm_key(struct str text, u8 *out, u32 bytes)
{
	u8 addr[16] = {0};
	struct str head, tail;
	u32 prefix, addr_bytes;

	if (text.len > 2 && text.p[0] == '[' && text.p[text.len - 1] == ']')
		text = str_new(text.p + 1, text.len - 2);
	if (!str_split(text, '/', &head, &tail) || !str_to_u32(tail, &prefix))
		return "the key of an lpm_trie is an address/length or hex:";
	addr_bytes = parse_address(head, addr);
	if (!addr_bytes || addr_bytes != bytes - LPM_PREFIX_BYTES)
		return "the address doesn't have the bytes of this lpm_trie";
	if (prefix > 8 * addr_bytes)
		return "the prefix is longer than the address";
	memcpy(out, &prefix, sizeof(prefix));
	memcpy(out + LPM_PREFIX_BYTES, addr, addr_bytes);
	return NULL;
}

const char *cell_parse(struct str text, bool is_lpm_key, u8 *out, u32 bytes)
{
	u8 addr[16];

	if (text.len >= 4 && !memcmp(text.p, "hex:", 4))
		return parse_hex(str_new(text.p + 4, text.len - 4), out, bytes);
	if (text.len >= 4 && !memcmp(text.p, "str:", 4))
		return parse_string(str_new(text.p + 4, text.len - 4), out, bytes);
	if (is_lpm_key)
		return parse_lpm_key(text, out, bytes);
	u32 addr_bytes = memchr(text.p, '.', text.len) || memchr(text.p, ':', text.len)
				 ? parse_address(text, addr)
				 : 0;
	if (!addr_bytes)
		return parse_number(text, out, bytes);
	if (addr_bytes != bytes)
		return "the address has another number of bytes";
	memcpy(out, addr, bytes);
	return NULL;
}

void hex_print(struct buf *b, const u8 *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		buf_printf(b, "%02x", bytes[i]);
}

static void print_lpm_key(struct buf *b, const u8 *key, u32 bytes)
{
	u32 prefix;

	memcpy(&prefix, key, sizeof(prefix));
	if (bytes == LPM_PREFIX_BYTES + 4)
		buf_ipv4(b, key + LPM_PREFIX_BYTES);
	else if (bytes == LPM_PREFIX_BYTES + 16)
		buf_ipv6(b, key + LPM_PREFIX_BYTES);
	else
		hex_print(b, key + LPM_PREFIX_BYTES, bytes - LPM_PREFIX_BYTES);
	buf_printf(b, "/%u", prefix);
}

bool cell_is_number(u32 bytes)
{
	return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
}

void cell_print(struct buf *b, bool is_lpm_key, const u8 *cell, u32 bytes)
{
	u64 n = 0;

	if (is_lpm_key && bytes > LPM_PREFIX_BYTES) {
		print_lpm_key(b, cell, bytes);
	} else if (cell_is_number(bytes)) {
		memcpy(&n, cell, bytes);
		buf_printf(b, "%llu", (unsigned long long)n);
	} else {
		buf_puts(b, "hex:");
		hex_print(b, cell, bytes);
	}
}

int hex_parse(struct str text, struct buf *out, size_t *at)
{
	size_t i =
		text.len >= 2 && text.p[0] == '0' && (text.p[1] == 'x' || text.p[1] == 'X') ? 2 : 0;

	while (i < text.len) {
		char c = text.p[i];

		if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
			i++;
			continue;
		}
		*at = i;
		if (i + 1 >= text.len || digit_of(c) < 0 || digit_of(text.p[i + 1]) < 0)
			return -EINVAL;
		buf_u8(out, (u8)(digit_of(c) * 16 + digit_of(text.p[i + 1])));
		i += 2;
	}
	return out->failed ? -ENOMEM : 0;
}
