/* Text: messages to the log, strings written, read and compared. */
#include <errno.h>
#include <string.h>

#include "cpu/cpu.h"
#include "helper/format.h"
#include "helper/functions.h"
#include "weir/env.h"

enum { LINE_BYTES = 1024, PRINTK_ARGS = 3, ARRAY_ARGS = 12, ARG_BYTES = 8 };

static u64 error(int err)
{
	return (u64)(s64)err;
}

/* ---- messages ---- */

/* One line, whether or not the format ends one. */
static void trace(const char *text, size_t len)
{
	const struct weir_env *env = ((const struct cpu_head *)cpu_self())->env;

	if (len && text[len - 1] == '\n')
		len--;
	if (env && env->trace)
		env->trace(env->arg, text, len);
}

static u64 print_line(const char *format, size_t bytes, const u64 *args, u32 nr_args)
{
	char line[LINE_BYTES];
	int len = format_text(line, sizeof(line), format, bytes, args, nr_args);

	if (len < 0)
		return error(len);
	trace(line, (size_t)len < sizeof(line) ? (size_t)len : sizeof(line) - 1);
	return (u64)len;
}

u64 helper_trace_printk(u64 r1, u64 r2, u64 r3, u64 r4, u64 r5)
{
	const u64 args[PRINTK_ARGS] = {r3, r4, r5};

	return print_line((const char *)(uintptr_t)r1, (u32)r2, args, PRINTK_ARGS);
}

/* Arguments in an array of 64-bit numbers. */
static bool args_fit(u64 array, u32 bytes)
{
	return bytes % ARG_BYTES == 0 && bytes <= ARRAY_ARGS * ARG_BYTES && (!bytes || array);
}

/* They may lie unaligned. */
static u32 copy_args(u64 args[static ARRAY_ARGS], u64 array, u32 bytes)
{
	if (bytes)
		memcpy(args, (const void *)(uintptr_t)array, bytes);
	return bytes / ARG_BYTES;
}

u64 helper_trace_vprintk(u64 r1, u64 r2, u64 r3, u64 r4, u64 r5 UNUSED_ARG)
{
	u64 args[ARRAY_ARGS];

	if (!args_fit(r3, (u32)r4))
		return error(-EINVAL);
	return print_line((const char *)(uintptr_t)r1, (u32)r2, args, copy_args(args, r3, (u32)r4));
}

/* The result counts the NUL, and what didn't fit. */
u64 helper_snprintf(u64 r1, u64 r2, u64 r3, u64 r4, u64 r5)
{
	const char *format = (const char *)(uintptr_t)r3;
	u64 args[ARRAY_ARGS];

	if (!args_fit(r4, (u32)r5))
		return error(-EINVAL);
	u32 nr_args = copy_args(args, r4, (u32)r5);
	int len = format_text(
		(char *)(uintptr_t)r1, (u32)r2, format, strlen(format) + 1, args, nr_args);
	return len < 0 ? error(len) : (u64)len + 1;
}

/* ---- numbers ---- */

enum { DIGITS_MAX = 63, BASE_MASK = 0x1f }; /* longer texts are cut */

struct number {
	u64 magnitude;
	bool negative;
};

/* As Latin-1 has it. */
static bool is_space(u8 c)
{
	return c == ' ' || (c >= '\t' && c <= '\r') || c == 0xa0;
}

static u32 digit_of(u8 c)
{
	u8 lower = c | 0x20;

	if (c >= '0' && c <= '9')
		return c - '0';
	return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10u : 255u;
}

static bool is_hex_prefix(const u8 *p, size_t left)
{
	return left >= 2 && p[0] == '0' && (p[1] | 0x20) == 'x';
}

static u32 guess_base(const u8 *p, size_t left)
{
	if (p[0] != '0')
		return 10;
	return is_hex_prefix(p, left) && left > 2 && digit_of(p[2]) < 16 ? 16 : 8;
}

/* How many bytes, or a negative errno. */
static int read_digits(const u8 *p, size_t left, u32 base, u64 *value)
{
	size_t at, first;
	bool overflow = false;

	if (left > DIGITS_MAX)
		left = DIGITS_MAX;
	if (!base)
		base = guess_base(p, left);
	first = base == 16 && is_hex_prefix(p, left) ? 2 : 0;
	*value = 0;
	for (at = first; at < left && digit_of(p[at]) < base; at++) {
		overflow |= __builtin_mul_overflow(*value, (u64)base, value);
		overflow |= __builtin_add_overflow(*value, (u64)digit_of(p[at]), value);
	}
	if (overflow)
		return -ERANGE;
	return at == first ? -EINVAL : (int)at;
}

static bool base_is_known(u64 base)
{
	return base == 0 || base == 8 || base == 10 || base == 16;
}

/* Blanks, a minus, digits: how many bytes, or a negative errno. */
static int read_text(const u8 *text, size_t bytes, u64 flags, struct number *n)
{
	size_t at = 0;

	if (flags & ~(u64)BASE_MASK || !base_is_known(flags))
		return -EINVAL;
	while (at < bytes && is_space(text[at]))
		at++;
	n->negative = at < bytes && text[at] == '-';
	at += n->negative;
	if (at == bytes)
		return -EINVAL;
	int len = read_digits(text + at, bytes - at, (u32)flags, &n->magnitude);
	return len < 0 ? len : (int)at + len;
}

u64 helper_strtol(u64 r1, u64 r2, u64 r3, u64 r4, u64 r5 UNUSED_ARG)
{
	s64 *result = (s64 *)(uintptr_t)r4;
	struct number n = {0};
	int len = read_text((const u8 *)(uintptr_t)r1, (u32)r2, r3, &n);

	*result = 0;
	if (len < 0)
		return error(len);
	if (n.magnitude > (u64)INT64_MAX + n.negative)
		return error(-ERANGE);
	*result = (s64)(n.negative ? 0 - n.magnitude : n.magnitude);
	return (u64)len;
}

u64 helper_strtoul(u64 r1, u64 r2, u64 r3, u64 r4, u64 r5 UNUSED_ARG)
{
	u64 *result = (u64 *)(uintptr_t)r4;
	struct number n = {0};
	int len = read_text((const u8 *)(uintptr_t)r1, (u32)r2, r3, &n);

	*result = 0;
	if (len >= 0 && n.negative)
		len = -EINVAL;
	if (len < 0)
		return error(len);
	*result = n.magnitude;
	return (u64)len;
}

/* ---- comparing ---- */

/* -1, 0 or 1: which byte is greater where the first r2 bytes differ. */
u64 helper_strncmp(u64 r1, u64 r2, u64 r3, u64 r4 UNUSED_ARG, u64 r5 UNUSED_ARG)
{
	const u8 *a = (const u8 *)(uintptr_t)r1, *b = (const u8 *)(uintptr_t)r3;

	for (u32 i = 0; i < (u32)r2; i++) {
		if (a[i] != b[i])
			return error(a[i] < b[i] ? -1 : 1);
		if (!a[i])
			break;
	}
	return 0;
}
