/* A value as text by its type. */
#ifndef WEIR_OBJ_TYPEPRINT_H
#define WEIR_OBJ_TYPEPRINT_H

#include "base/types.h"

struct btf;
struct buf;

/* Appends a value of the type, on one line, as JSON: {"n":1,"color":"RED","name":"eth0","list":[1,2],"next":"0x0"}.
 * Members of anonymous structs stand where these do; a section's variables are members. `bytes` may be shorter than the
 * type, and what isn't there is left out. Type 0: the bytes as a text of hex digits. Lack of memory is in the buf only. */
void typeprint(const struct btf *btf, u32 type, const void *bytes, size_t len, struct buf *out);

#endif
