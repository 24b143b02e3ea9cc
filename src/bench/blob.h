/* Copies of machine code at places of our choice. */
#ifndef WEIR_BENCH_BLOB_H
#define WEIR_BENCH_BLOB_H

#include "jit/jit.h"

struct bench_blob;

/* The code, which must be able to stand anywhere, `offset` bytes (below 64) behind the start of a cache line. NULL: no
 * memory, or none that may be executed. */
struct bench_blob *bench_blob_new(const u8 *code, size_t bytes, u32 offset);
void bench_blob_free(struct bench_blob *b); /* NULL ok */
jit_entry bench_blob_entry(const struct bench_blob *b);
/* A function that only returns, in this host's code. */
struct bench_blob *bench_blob_return(void);

/* Calls of one entry in a loop, with 64 bytes of memory. The same for bench_blob_return, less its one instruction, is what
 * counts have to be rid of. */
struct bench_entry {
	jit_entry entry;
	u8 *self;
};
void bench_entry_run(void *entry, u32 times);

#endif
