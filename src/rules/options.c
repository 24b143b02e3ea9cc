#include "rules/options.h"

#include <stdio.h>
#include <string.h>

#include "rules/proto.h"

option_error option_errorf(const struct option_ctx *c, const char *fmt, ...)
{
	char text[256];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	const char *copy = arena_strndup(c->arena, text, strlen(text));
	return copy ? copy : "out of memory";
}

option_error option_conflict(const struct option_ctx *c, const char *text)
{
	*c->conflict = true;
	return text;
}

option_error option_number(const struct option_ctx *c, struct str s, u64 min, u64 max, u64 *out)
{
	u64 value;

	if (!str_to_u64(s, &value))
		return "not a number";
	if (value < min || value > max)
		return option_errorf(c, "out of range %llu to %llu", (unsigned long long)min,
			(unsigned long long)max);
	*out = value;
	return NULL;
}

option_error option_range(
	const struct option_ctx *c, struct str s, char sep, u64 min, u64 max, u64 out[static 2])
{
	struct str first, second;
	u64 value[2] = {min, max};
	option_error e = NULL;

	if (!str_split(s, sep, &first, &second))
		second = first;
	if (!s.len)
		return "empty";
	if (first.len)
		e = option_number(c, first, min, max, &value[0]);
	if (!e && second.len)
		e = option_number(c, second, min, max, &value[1]);
	if (e)
		return e;
	memcpy(out, value, sizeof(value));
	return NULL;
}

option_error option_masked(const struct option_ctx *c, struct str s, u32 *value, u32 *mask)
{
	struct str first, second;
	u64 number = 0, bits = UINT32_MAX;
	bool has_mask = str_split(s, '/', &first, &second);

	option_error e = option_number(c, first, 0, UINT32_MAX, &number);
	if (!e && has_mask)
		e = option_number(c, second, 0, UINT32_MAX, &bits);
	if (e)
		return e;
	*value = (u32)number;
	*mask = (u32)bits;
	return NULL;
}

static bool port_of(struct str s, const char *proto, u16 *out)
{
	if (proto)
		return port_parse(s, proto, out);
	return port_parse(s, "tcp", out) || port_parse(s, "udp", out);
}

option_error option_ports(const struct option_ctx *c, const char *proto, u16 *min, u16 *max)
{
	struct str first, second;
	u16 from = 0, to = UINT16_MAX;
	bool is_range = str_split(c->value, ':', &first, &second);

	if ((first.len || !is_range) && !port_of(first, proto, &from))
		return option_errorf(c, "'%.*s' is no port or service", (int)first.len, first.p);
	if (!is_range)
		to = from;
	else if (second.len && !port_of(second, proto, &to))
		return option_errorf(c, "'%.*s' is no port or service", (int)second.len, second.p);
	if (from > to)
		return "the first port is above the second";
	*min = from;
	*max = to;
	return NULL;
}

option_error option_text(const struct option_ctx *c, char *out, size_t bytes)
{
	if (c->value.len >= bytes)
		return option_errorf(c, "longer than %zu bytes", bytes - 1);
	memcpy(out, c->value.p, c->value.len);
	out[c->value.len] = '\0';
	return NULL;
}

option_error option_cut(const struct option_ctx *c, char *out, size_t bytes)
{
	struct option_ctx cut = *c;

	if (cut.value.len >= bytes) {
		cut.value.len = bytes - 1;
		*c->warning = "too long, its end is cut off";
	}
	return option_text(&cut, out, bytes);
}

option_error option_prefix(const struct option_ctx *c, char *out, size_t bytes)
{
	return c->value.len ? option_cut(c, out, bytes) : "empty";
}

/* A little-endian number of 1, 2, 4 or 8 bytes. */
static void store(void *at, u64 value, size_t bytes)
{
	memcpy(at, &value, bytes);
}

static const u8 kind_bytes[] = {
	[OPTION_U8] = 1,
	[OPTION_U16] = 2,
	[OPTION_U32] = 4,
	[OPTION_U64] = 8,
	[OPTION_RANGE_U8] = 1,
	[OPTION_RANGE_U16] = 2,
	[OPTION_RANGE_U32] = 4,
};

static u64 kind_max(enum option_kind kind)
{
	return UINT64_MAX >> (64 - 8 * kind_bytes[kind]);
}

static option_error set_number(const struct option *o, const struct option_ctx *c, u8 *at)
{
	u64 value = 0;
	option_error e =
		option_number(c, c->value, o->min, o->max ? o->max : kind_max(o->kind), &value);

	if (!e)
		store(at, value, kind_bytes[o->kind]);
	return e;
}

static option_error set_range(const struct option *o, const struct option_ctx *c, u8 *at)
{
	u64 value[2] = {0};
	option_error e =
		option_range(c, c->value, ':', o->min, o->max ? o->max : kind_max(o->kind), value);

	if (e)
		return e;
	if (value[0] > value[1])
		*c->warning = "never matches: the first number is above the second";
	store(at, value[0], kind_bytes[o->kind]);
	store(at + kind_bytes[o->kind], value[1], kind_bytes[o->kind]);
	return NULL;
}

static option_error set_value(const struct option *o, const struct option_ctx *c, void *data)
{
	u8 *at = (u8 *)data + o->offset;

	switch (o->kind) {
	case OPTION_FLAG:
		*(bool *)at = true;
		return NULL;
	case OPTION_U8:
	case OPTION_U16:
	case OPTION_U32:
	case OPTION_U64:
		return set_number(o, c, at);
	case OPTION_RANGE_U8:
	case OPTION_RANGE_U16:
	case OPTION_RANGE_U32:
		return set_range(o, c, at);
	case OPTION_MASKED_U32:
		return option_masked(c, c->value, (u32 *)(void *)at, (u32 *)(void *)at + 1);
	case OPTION_TEXT:
		return option_text(c, (char *)at, o->bytes);
	case OPTION_CUSTOM:
		return o->parse(o, c, data);
	}
	UNREACHABLE();
}

option_error option_set(const struct option *o, const struct option_ctx *c, void *data)
{
	option_error e = set_value(o, c, data);

	if (e)
		return e;
	if (o->kind != OPTION_CUSTOM && (o->flags & OPTION_INVERT))
		*((bool *)data + o->invert_offset) = c->invert;
	if (o->seen_offset)
		*((bool *)data + o->seen_offset) = true;
	return NULL;
}

u32 option_nr_args(const struct option *o)
{
	if (o->kind == OPTION_FLAG || (o->flags & OPTION_NO_ARG))
		return 0;
	return o->flags & OPTION_TWO_ARGS ? 2 : 1;
}
