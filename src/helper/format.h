/* Formats of trace_printk, trace_vprintk and snprintf: those of the kernel's helpers, which are fewer than C's. */
#ifndef WEIR_HELPER_FORMAT_H
#define WEIR_HELPER_FORMAT_H

#include "base/types.h"

/* Whether `format` (of at most `bytes` bytes, with its NUL) is one that nr_args arguments are enough for. 0 or -EINVAL. */
int format_check(const char *format, size_t bytes, u32 nr_args);
/* Writes at most room - 1 bytes and a NUL (nothing when room is 0). The length that the whole text has, without the NUL, or
 * -EINVAL (see format_check) or -ENOSPC (too many long arguments). Strings and addresses that args point to may be anywhere:
 * where nothing can be read the text is empty, the address zero. Allocates nothing. */
int format_text(char *out, size_t room, const char *format, size_t bytes, const u64 *args, u32 nr_args);

#endif
