/* Messages with positions. The library fills a diag; only cli/ prints it. */
#ifndef WEIR_BASE_DIAG_H
#define WEIR_BASE_DIAG_H

#include <stdarg.h>

#include "base/types.h"

enum pos_kind {
	POS_NONE,
	POS_TEXT, /* file:line:col of a rules or assembly text; line and col start at 1, 0 = unknown
		   */
	POS_INSN, /* program name (in `file`) and instruction index (in `line`) */
};

struct pos {
	enum pos_kind kind;
	u32 line;
	u32 col;
	u32 width;        /* bytes to underline from col on; 0 = 1 */
	const char *file; /* borrowed until the message is made, which copies it */
};

static inline struct pos pos_none(void)
{
	return (struct pos){.kind = POS_NONE};
}

static inline struct pos pos_text(const char *file, u32 line, u32 col)
{
	return (struct pos){.kind = POS_TEXT, .file = file, .line = line, .col = col};
}

static inline struct pos pos_insn(const char *prog, u32 pc)
{
	return (struct pos){.kind = POS_INSN, .file = prog, .line = pc};
}

enum diag_level { DIAG_ERROR, DIAG_WARNING, DIAG_NOTE };

struct diag_entry {
	enum diag_level level;
	int err;        /* positive errno of an error, else 0 */
	struct pos pos; /* pos.file is owned by the diag */
	char *text;
	char *source; /* the source line, or NULL; owned */
};

/* Zero-initialised is empty. Every function takes d == NULL and then only returns. */
struct diag {
	struct diag_entry *entries;
	size_t nr;
	size_t cap;
	size_t nr_errors;  /* all of them, also those beyond DIAG_MAX_ENTRIES */
	size_t nr_dropped; /* messages beyond DIAG_MAX_ENTRIES or without memory */
};

/* Adds an error; returns -err, so that `return diag_fail(...)` reads well. */
int diag_fail(struct diag *d, struct pos pos, int err, const char *fmt, ...) PRINTF_LIKE(4, 5);
void diag_warn(struct diag *d, struct pos pos, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* Adds to what the last error or warning said. */
void diag_note(struct diag *d, struct pos pos, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* Gives the last message its source line (copied, without line end). */
void diag_source(struct diag *d, const char *line, size_t len);
/* "out of memory" without allocating more than it must; returns -ENOMEM. */
int diag_nomem(struct diag *d);
/* What an error of pthread_create means. Its EAGAIN, "Resource temporarily unavailable", is mostly lack of memory. Static. */
const char *thread_error_text(int err);
/* The text of the first error, or "" */
const char *diag_first(const struct diag *d);
void diag_fini(struct diag *d);

#endif
