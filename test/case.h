/* Text cases: input and expectation in one file.
 *
 * A file consists of sections. A line "-- name args" begins one, its body runs up to the next such line;
 * blank lines at the end of a body do not count. "-- case NAME" begins a case; a file without one is one
 * case. What stands before the first section is comment. */
#ifndef WEIR_TEST_CASE_H
#define WEIR_TEST_CASE_H

#include "base/buf.h"
#include "base/text.h"

struct section {
	struct str name, args; /* borrowed from the file's text */
	struct str body;       /* without blank lines at the end */
	struct str tail;       /* those blank lines */
	u32 line;	       /* of the first line of the body */
	bool rewritten;
	struct buf fresh; /* what the body is to become */
};

struct case_file {
	const char *path; /* borrowed */
	char *text;
	struct str head; /* comment before the first section */
	struct section *sections;
	size_t nr_sections;
};

/* One run of one case. */
struct tcase {
	struct case_file *file;
	size_t first, nr; /* its sections */
	struct str name;  /* empty when the file has but one */
	bool update;	  /* expectations follow what came out */
	bool failed, skipped;
	struct buf log; /* failures, one line or block each */
};

/* How to run a case: reads sections, checks expectations with the functions below. */
struct kind {
	const char *name;
	void (*run)(struct tcase *c);
};

/* 0, or -errno. path must outlive the file. */
int case_file_read(struct case_file *f, const char *path);
/* Writes the rewritten expectations back; does nothing when there are none. */
int case_file_write(const struct case_file *f);
void case_file_fini(struct case_file *f);
/* The next case of a file behind c (first: c->nr == 0). False when there is none. */
bool case_next(struct tcase *c);

/* The section "-- name args", or NULL. */
struct section *case_find(const struct tcase *c, const char *name, const char *args);
/* Its body. When there is none the case fails, and the text is empty. */
struct str case_need(struct tcase *c, const char *name, const char *args);
/* Its body as it stands by now: the new one after an update. */
struct str section_body(const struct section *s);
/* Compares a section's body with what came out; in an update, the first to come takes its place. */
void case_expect(struct tcase *c, struct section *s, struct str actual);
void case_fail(struct tcase *c, const struct section *s, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* The case can't run here. */
void case_skip(struct tcase *c, const char *why);

/* Bytes in hexadecimal with any blanks between; comments run from '#' to the end of the line. False, and
 * the case fails, when it is anything else. */
bool case_bytes(struct tcase *c, const struct section *s, struct buf *out);
/* Adds bytes as case_bytes reads them, 16 in a line. */
void buf_hex(struct buf *out, const u8 *bytes, size_t len);

#endif
