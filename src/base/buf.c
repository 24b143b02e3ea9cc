#include "base/buf.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"

/* Room for `len` more bytes and a NUL. */
static bool buf_room(struct buf *b, size_t len)
{
	if (b->failed)
		return false;
	if (len >= SIZE_MAX - b->len || array_grow((void **)&b->data, &b->cap, b->len + len + 1, 1))
		b->failed = true;
	return !b->failed;
}

void buf_put(struct buf *b, const void *bytes, size_t len)
{
	if (!len || !buf_room(b, len))
		return;
	memcpy(b->data + b->len, bytes, len);
	b->len += len;
}

void buf_u8(struct buf *b, u8 value)
{
	buf_put(b, &value, 1);
}

void buf_puts(struct buf *b, const char *s)
{
	buf_put(b, s, strlen(s));
}

void buf_vprintf(struct buf *b, const char *fmt, va_list args)
{
	va_list again;

	va_copy(again, args);
	int len = vsnprintf(NULL, 0, fmt, args);
	if (len < 0)
		b->failed = true;
	else if (buf_room(b, (size_t)len))
		b->len += (size_t)vsnprintf((char *)b->data + b->len, (size_t)len + 1, fmt, again);
	va_end(again);
}

void buf_printf(struct buf *b, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	buf_vprintf(b, fmt, args);
	va_end(args);
}

const char *buf_cstr(struct buf *b)
{
	if (!buf_room(b, 0))
		return "";
	b->data[b->len] = '\0';
	return (const char *)b->data;
}

void buf_reset(struct buf *b)
{
	b->len = 0;
	b->failed = false;
}

void buf_fini(struct buf *b)
{
	mem_free(b->data);
	*b = (struct buf){0};
}
