/* Passes between verifier and back end: each reads facts and edits the program through one editor.
 */
#ifndef WEIR_REWRITE_REWRITE_H
#define WEIR_REWRITE_REWRITE_H

#include "verify/facts.h"

struct buf;
struct diag;

enum pass_kind {
	PASS_OPTIONAL,	 /* unless rewrite_opts.skip has its letter */
	PASS_NEEDED,	 /* back ends can't do without it */
	PASS_ON_REQUEST, /* only if rewrite_opts.also has its letter */
};

/* A pass, in the order of the table passes[]. The letter selects it in dumps and in rewrite_opts.
 */
struct pass {
	char letter;
	const char *name;
	const char *what; /* one line for --help and docs */
	enum pass_kind kind;
};
const struct pass *pass_at(size_t i); /* NULL behind the last */

struct rewrite_opts {
	const char *skip; /* letters of optional passes to leave out; NULL = none; "*" = all
			     optional ones */
	const char *also; /* letters of passes on request to run; NULL = none */
	const char *dump; /* letters of passes to dump before and after; NULL = none; "*" = all */
	struct buf *dump_to;
};

/* Runs all passes in place: p->internal becomes true, facts are kept in step with the instructions.
 * 0, -ENOMEM, -E2BIG; on failure p is unusable. */
int rewrite(struct prog *p, struct facts *facts, const struct rewrite_opts *opts, struct diag *d);

#endif
