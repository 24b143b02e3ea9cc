/* Inside captures: where the bytes come from, and the pcapng reader behind capture_next. */
#ifndef WEIR_RUN_CAPTURE_SOURCE_H
#define WEIR_RUN_CAPTURE_SOURCE_H

#include <sys/types.h>

#include "base/types.h"

struct diag;
struct record;

enum { CAPTURE_MAGIC_BYTES = 4 };
/* libpcap's own limit for a record; no link has longer frames. */
enum { CAPTURE_RECORD_MAX = 262144 };

/* A byte stream. It is read as it comes: a live capture's packets must not wait for a buffer to
 * fill. */
struct source {
	const char *path; /* for messages */
	int fd;
	u8 *buffer; /* SOURCE_BUFFER_BYTES; bytes [start, end) are still to be taken */
	size_t start, end;
	u64 position;     /* bytes taken */
	u64 size;         /* 0 = not known */
	bool interrupted; /* by a signal whose handler wants reading to end */
};

enum { SOURCE_BUFFER_BYTES = 64 * 1024 };

/* Reads until `want` bytes (at most the buffer's size) lie in the buffer; fewer at the end of the
 * stream. 0, -EINTR, -EIO (errno says why). */
int source_fill(struct source *s, size_t want);
/* Up to `bytes` bytes of what is there, waiting only when nothing is: their number, 0 at the end,
 * -EINTR, -EIO. */
ssize_t source_take(struct source *s, void *to, size_t bytes);
/* Exactly `bytes` bytes: 1; 0 when the stream ends before the first one; -EINVAL when it ends in
 * between; -EINTR; -EIO. */
int source_read(struct source *s, void *to, size_t bytes);

struct pcapng;
int pcapng_new(struct source *s, struct pcapng **out, struct diag *d);
void pcapng_free(struct pcapng *p);
int pcapng_next(struct pcapng *p, struct record *r,
	struct diag *d); /* as capture_next, but for r->number */

#endif
