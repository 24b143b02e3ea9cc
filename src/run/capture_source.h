/* Inside captures: where the bytes come from, and the pcapng reader behind capture_next. */
#ifndef WEIR_RUN_CAPTURE_SOURCE_H
#define WEIR_RUN_CAPTURE_SOURCE_H

#include <stdio.h>

#include "base/types.h"

struct diag;
struct record;

enum { CAPTURE_MAGIC_BYTES = 4 };
/* libpcap's own limit for a record; no link has longer frames. */
enum { CAPTURE_RECORD_MAX = 262144 };

/* A byte stream whose first bytes were already looked at. */
struct source {
	const char *path; /* for messages */
	FILE *file;
	u8 magic[CAPTURE_MAGIC_BYTES];
	u64 position; /* bytes read */
	u64 size;     /* 0 = not known */
};

/* Exactly `bytes` bytes: 1; 0 when the stream ends before the first one; -EINVAL when it ends in
 * between; -EIO. */
int source_read(struct source *s, void *to, size_t bytes);

struct pcapng;
int pcapng_new(struct source *s, struct pcapng **out, struct diag *d);
void pcapng_free(struct pcapng *p);
int pcapng_next(struct pcapng *p, struct record *r,
	struct diag *d); /* as capture_next, but for r->number */

#endif
