/* A value as text by its type, as C would initialise it. */
#ifndef WEIR_OBJ_TYPEPRINT_H
#define WEIR_OBJ_TYPEPRINT_H

#include "base/types.h"

struct btf;
struct buf;

/* Appends a value of the type; `bytes` may be shorter than it, and what is missing is left out. On one line. Type 0: hex bytes.
 * Failure is in the buf only. */
void typeprint(const struct btf *btf, u32 type, const void *bytes, size_t len, struct buf *out);

#endif
