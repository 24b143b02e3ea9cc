/* Formatting in two walks, as the kernel does it: the first checks the format and packs what the arguments say into a small
 * buffer, the second writes the text. So a wrong format writes nothing, and the sum of strings is limited. */
#include "helper/format.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum { PACKED_BYTES = 512, WIDTH_MAX = (1 << 23) - 1, PAGE = 4096 };

enum spec_kind {
	SPEC_PERCENT,
	SPEC_NUMBER,
	SPEC_CHAR,
	SPEC_STRING,
	SPEC_HIDDEN, /* %p: tells pointers apart, not where they are */
	SPEC_RAW,    /* %px */
	SPEC_SYMBOL, /* %ps: here no address has a name */
	SPEC_IP4,
	SPEC_IP6,
};

struct spec {
	enum spec_kind kind;
	char letter; /* SPEC_NUMBER: d, i, u, x, X; addresses: I or i */
	bool left, plus, space, zero;
	u32 width;
	u32 bytes;    /* SPEC_NUMBER: 4 or 8 */
	bool pointer; /* one of the %p: letters and digits behind it belong to it */
	const char *end;
};

/* ---- characters, as Latin-1 has them, whatever the locale says ---- */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_alnum(char c)
{
	u8 b = (u8)c;

	return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (b >= 0xc0 && b != 0xd7 && b != 0xf7);
}

static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r') || (u8)c == 0xa0;
}

static bool is_punct(char c)
{
	u8 b = (u8)c;

	return !is_alnum(c) && ((b > ' ' && b < 0x7f) || b > 0xa0);
}

static bool ends_word(char c)
{
	return c == '\0' || is_space(c) || is_punct(c);
}

/* ---- reading a format ---- */

static const char *read_flags(const char *at, struct spec *s)
{
	for (;; at++) {
		switch (*at) {
		case '0':
			s->zero = true;
			continue;
		case '+':
			s->plus = true;
			continue;
		case '-':
			s->left = true;
			continue;
		case ' ':
			s->space = true;
			continue;
		default:
			break;
		}
		break;
	}
	for (; is_digit(*at); at++)
		if (s->width <= WIDTH_MAX)
			s->width = s->width * 10 + (u32)(*at - '0');
	if (s->width > WIDTH_MAX)
		s->width = WIDTH_MAX;
	return at;
}

/* Behind the p of %p. */
static int read_pointer(const char *at, struct spec *s)
{
	static const struct {
		char letter;
		enum spec_kind kind;
	} kinds[] = {{'x', SPEC_RAW}, {'K', SPEC_HIDDEN}, {'s', SPEC_SYMBOL}, {'S', SPEC_SYMBOL},
		{'B', SPEC_SYMBOL}};

	s->pointer = true;
	s->end = at;
	s->kind = SPEC_HIDDEN;
	if (ends_word(*at))
		return 0;
	s->end = at + 1;
	if ((at[0] == 'k' || at[0] == 'u') && at[1] == 's') {
		s->kind = SPEC_STRING;
		s->end = at + 2;
		return ends_word(*s->end) ? 0 : -EINVAL;
	}
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		s->kind = kinds[i].kind;
		if (kinds[i].letter == *at)
			return 0;
	}
	if ((at[0] != 'I' && at[0] != 'i') || (at[1] != '4' && at[1] != '6'))
		return -EINVAL;
	s->letter = at[0];
	s->kind = at[1] == '4' ? SPEC_IP4 : SPEC_IP6;
	s->end = at + 2;
	return 0;
}

static int read_number(const char *at, struct spec *s)
{
	s->kind = SPEC_NUMBER;
	s->bytes = 4;
	for (int n = 0; n < 2 && *at == 'l'; n++, at++)
		s->bytes = 8;
	s->letter = *at;
	s->end = at + 1;
	return *at && strchr("diuxX", *at) ? 0 : -EINVAL;
}

/* Behind a '%'. */
static int read_spec(const char *at, struct spec *s)
{
	*s = (struct spec){.kind = SPEC_PERCENT, .end = at + 1};
	if (*at == '%')
		return 0;
	at = read_flags(at, s);
	s->end = at + 1;
	switch (*at) {
	case 'p':
		return read_pointer(at + 1, s);
	case 's':
		s->kind = SPEC_STRING;
		return ends_word(at[1]) ? 0 : -EINVAL;
	case 'c':
		s->kind = SPEC_CHAR;
		return 0;
	default:
		return read_number(at, s);
	}
}

/* ---- packing arguments ---- */

struct packed {
	u8 bytes[PACKED_BYTES + 16]; /* zeros behind what is used: no reader runs off the end */
	u32 used, taken;
};

static int pack(struct packed *p, const void *data, u32 bytes, u32 align)
{
	u32 at = (p->used + align - 1) & ~(align - 1);

	if (at > PACKED_BYTES || bytes > PACKED_BYTES - at)
		return -ENOSPC;
	memcpy(p->bytes + at, data, bytes);
	p->used = at + bytes;
	return 0;
}

static const void *unpack(struct packed *p, u32 bytes, u32 align)
{
	u32 at = (p->taken + align - 1) & ~(align - 1);

	p->taken = at + bytes;
	return p->bytes + at;
}

/* Reads what may not be there; false unless all of it is. */
static bool read_anywhere(void *to, u64 from, size_t bytes)
{
	struct iovec here = {to, bytes}, there = {(void *)(uintptr_t)from, bytes};

	return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == (ssize_t)bytes;
}

/* A string of as many bytes as there is room for, page by page. Empty when any of it can't be read. */
static int pack_string(struct packed *p, u64 from)
{
	char *start = (char *)p->bytes + p->used;
	u32 room = PACKED_BYTES - p->used, len = 0;

	if (!room)
		return -ENOSPC;
	while (len < room) {
		u32 chunk = (u32)(PAGE - (from + len) % PAGE);

		if (chunk > room - len)
			chunk = room - len;
		if (!read_anywhere(start + len, from + len, chunk)) {
			len = 0;
			break;
		}
		const char *nul = memchr(start + len, 0, chunk);
		len = nul ? (u32)(nul - start) : len + chunk;
		if (nul)
			break;
	}
	if (len == room)
		len--;
	start[len] = '\0';
	p->used += len + 1;
	return 0;
}

static int print_ip(char *out, size_t room, const struct spec *s, const u8 *addr)
{
	const char *ip4 = s->letter == 'I' ? "%u.%u.%u.%u" : "%03u.%03u.%03u.%03u",
		   *between = s->letter == 'I' ? ":" : "";
	int len = 0;

	if (s->kind == SPEC_IP4)
		return snprintf(out, room, ip4, addr[0], addr[1], addr[2], addr[3]);
	for (u32 i = 0; i < 16; i += 2)
		len += snprintf(out + len, room - (size_t)len, "%02x%02x%s", addr[i], addr[i + 1],
			i < 14 ? between : "");
	return len;
}

static int pack_ip(struct packed *p, const struct spec *s, u64 from)
{
	u8 addr[16] = {0};
	u32 bytes = s->kind == SPEC_IP4 ? 4 : 16;
	char text[40];

	if (bytes > PACKED_BYTES - p->used)
		return -ENOSPC;
	if (!read_anywhere(addr, from, bytes))
		memset(addr, 0, sizeof(addr));
	int len = print_ip(text, sizeof(text), s, addr);
	u32 room = PACKED_BYTES - p->used;
	if ((u32)len >= room) { /* cut, but it ends */
		len = (int)room - 1;
		text[len] = '\0';
	}
	return pack(p, text, (u32)len + 1, 1);
}

static int pack_arg(struct packed *p, const struct spec *s, u64 arg)
{
	switch (s->kind) {
	case SPEC_PERCENT:
		return 0;
	case SPEC_CHAR:
		return pack(p, &(u8){(u8)arg}, 1, 1);
	case SPEC_STRING:
		return pack_string(p, arg);
	case SPEC_IP4:
	case SPEC_IP6:
		return pack_ip(p, s, arg);
	case SPEC_NUMBER:
		return pack(p, &arg, s->bytes, 4); /* little-endian: the low half comes first */
	case SPEC_HIDDEN:
	case SPEC_RAW:
	case SPEC_SYMBOL:
		return pack(p, &arg, 8, 4);
	}
	UNREACHABLE();
}

/* In plain text UTF-8 may stand. */
static bool may_stand(char c)
{
	return is_space(c) || (c >= ' ' && c < 0x7f) || (u8)c >= 0x80;
}

/* p NULL: only checks. */
static int prepare(const char *format, size_t bytes, const u64 *args, u32 nr_args, struct packed *p)
{
	const char *end = memchr(format, 0, bytes);
	u32 used = 0;

	if (!end)
		return -EINVAL;
	for (const char *at = format; at < end;) {
		struct spec s;

		if (!may_stand(*at))
			return -EINVAL;
		if (*at++ != '%')
			continue;
		if (*at != '%' && used >= nr_args)
			return -EINVAL;
		if (read_spec(at, &s))
			return -EINVAL;
		at = s.end;
		if (s.kind == SPEC_PERCENT)
			continue;
		int err = p ? pack_arg(p, &s, args[used]) : 0;
		if (err)
			return err;
		used++;
	}
	return 0;
}

int format_check(const char *format, size_t bytes, u32 nr_args)
{
	return prepare(format, bytes, NULL, nr_args, NULL);
}

/* ---- writing ---- */

struct out {
	char *text;
	size_t room, len; /* len: of the whole text */
	size_t given;     /* room with that for the NUL */
};

static void put(struct out *o, const char *text, size_t len)
{
	if (o->len < o->room)
		memcpy(o->text + o->len, text, len < o->room - o->len ? len : o->room - o->len);
	o->len += len;
}

static void put_times(struct out *o, char c, size_t times)
{
	if (o->len < o->room)
		memset(o->text + o->len, c, times < o->room - o->len ? times : o->room - o->len);
	o->len += times;
}

static void put_field(struct out *o, const struct spec *s, const char *text, size_t len)
{
	size_t pad = s->width > len ? s->width - len : 0;

	if (!s->left)
		put_times(o, ' ', pad);
	put(o, text, len);
	if (s->left)
		put_times(o, ' ', pad);
}

static void put_number(struct out *o, const struct spec *s, u64 value)
{
	bool is_signed = s->letter == 'd' || s->letter == 'i';
	s64 number = s->bytes == 4 ? (s32)value : (s64)value;
	u64 magnitude = is_signed && number < 0 ? 0 - (u64)number
			: s->bytes == 4         ? (u32)value
						: value;
	char sign = !is_signed ? 0 : number < 0 ? '-' : s->plus ? '+' : s->space ? ' ' : 0;
	char digits[32];
	size_t len = (size_t)snprintf(digits, sizeof(digits),
		s->letter == 'x'   ? "%llx"
		: s->letter == 'X' ? "%llX"
				   : "%llu",
		(unsigned long long)magnitude);
	size_t whole = len + (sign != 0), pad = s->width > whole ? s->width - whole : 0;
	bool zeros = s->zero && !s->left;

	if (!s->left && !zeros)
		put_times(o, ' ', pad);
	if (sign)
		put(o, &sign, 1);
	if (zeros)
		put_times(o, '0', pad);
	put(o, digits, len);
	if (s->left)
		put_times(o, ' ', pad);
}

/* Pointers that differ mostly differ; NULL and errors are no pointers. */
static u64 hidden(u64 pointer)
{
	if (!pointer || pointer > (u64)-PAGE)
		return pointer;
	return (pointer ^ (u64)(uintptr_t)&hidden) * 0x9e3779b97f4a7c15u >> 32;
}

static void put_address(struct out *o, const struct spec *s, u64 value)
{
	char text[32];
	int len = s->kind == SPEC_SYMBOL
			  ? snprintf(text, sizeof(text), "0x%llx", (unsigned long long)value)
			  : snprintf(text, sizeof(text), "%016llx",
				    (unsigned long long)(s->kind == SPEC_HIDDEN ? hidden(value)
										: value));

	put_field(o, s, text, (size_t)len);
}

static void put_arg(struct out *o, const struct spec *s, struct packed *p)
{
	const char *text;
	u64 value = 0;

	switch (s->kind) {
	case SPEC_PERCENT:
		put(o, "%", 1);
		return;
	case SPEC_CHAR:
		put_field(o, s, unpack(p, 1, 1), 1);
		return;
	case SPEC_STRING:
	case SPEC_IP4:
	case SPEC_IP6:
		text = (const char *)p->bytes + p->taken;
		/* The kernel doesn't count these once the buffer is full, and takes them for the next arguments. */
		if (s->pointer && o->len >= o->given)
			return;
		p->taken += (u32)strlen(text) + 1;
		if (s->pointer)
			put(o, text, strlen(text));
		else
			put_field(o, s, text, strlen(text));
		return;
	case SPEC_NUMBER:
		memcpy(&value, unpack(p, s->bytes, 4), s->bytes);
		put_number(o, s, value);
		return;
	case SPEC_HIDDEN:
	case SPEC_RAW:
	case SPEC_SYMBOL:
		memcpy(&value, unpack(p, 8, 4), 8);
		put_address(o, s, value);
		return;
	}
	UNREACHABLE();
}

int format_text(
	char *out, size_t room, const char *format, size_t bytes, const u64 *args, u32 nr_args)
{
	struct out o = {.text = out, .room = room ? room - 1 : 0, .given = room};
	struct packed p = {.used = 0};

	int err = prepare(format, bytes, args, nr_args, &p);
	if (err)
		return err;
	for (const char *at = format; *at;) {
		const char *percent = strchr(at, '%');
		struct spec s;

		put(&o, at, percent ? (size_t)(percent - at) : strlen(at));
		if (!percent || read_spec(percent + 1, &s))
			break;
		put_arg(&o, &s, &p);
		at = s.end;
		while (s.pointer && is_alnum(*at))
			at++;
	}
	if (room)
		out[o.len < room ? o.len : room - 1] = '\0';
	return o.len > INT32_MAX ? INT32_MAX : (int)o.len;
}
