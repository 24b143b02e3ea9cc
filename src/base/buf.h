/* A growing byte buffer whose writers never fail: running out of memory is remembered and checked
 * once. */
#ifndef WEIR_BASE_BUF_H
#define WEIR_BASE_BUF_H

#include <stdarg.h>
#include <string.h>

#include "base/bytes.h"
#include "base/types.h"

/* Zero-initialised is an empty buffer. */
struct buf {
	u8 *data; /* owned; text is NUL-terminated behind `len` by buf_printf and buf_cstr */
	size_t len;
	size_t cap;
	bool failed; /* sticky: some write found no memory; later writes do nothing */
};

void buf_put(struct buf *b, const void *bytes, size_t len);
void buf_u8(struct buf *b, u8 value);
void buf_puts(struct buf *b, const char *s);
void buf_printf(struct buf *b, const char *fmt, ...) PRINTF_LIKE(2, 3);
void buf_vprintf(struct buf *b, const char *fmt, va_list args) PRINTF_LIKE(2, 0);
/* The text so far, NUL-terminated, borrowed until the next write; "" after a failure. */
const char *buf_cstr(struct buf *b);
/* Empties the buffer, keeps its memory and clears `failed`. */
void buf_reset(struct buf *b);
void buf_fini(struct buf *b);

/* The first `len` of 16 bytes: machine code comes in many small pieces. */
static inline void buf_put_16(struct buf *b, const u8 bytes[16], size_t len)
{
	if (b->failed || b->cap - b->len <= 16) {
		buf_put(b, bytes, len);
		return;
	}
	memcpy(b->data + b->len, bytes, 16);
	b->len += len;
}

static inline void buf_le32(struct buf *b, u32 value)
{
	u8 bytes[16];

	store_le32(bytes, value);
	buf_put_16(b, bytes, 4);
}

#endif
