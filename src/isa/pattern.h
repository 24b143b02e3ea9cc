/* Private to isa/: one line of assembly against the patterns of ops.def. */
#ifndef WEIR_ISA_PATTERN_H
#define WEIR_ISA_PATTERN_H

#include "base/text.h"
#include "isa/op.h"

/* A word (letters, digits, '_', '.') or an operator; the text is borrowed from the line. */
struct token {
	struct str text;
	u32 col;    /* from 1 */
	char width; /* of the register it names: 'r' or 'w'; 0 = none */
	u8 reg;
};

enum { LINE_MAX_TOKENS = 32 }; /* the longest instruction has 19 */

/* Tokens of `line` up to a comment. False when there are more than LINE_MAX_TOKENS. */
bool line_tokens(struct str line, struct token *tokens, size_t *nr);
bool token_is(const struct token *t, const char *text);
/* A word that can name a label: no number, not beginning with a digit. */
bool token_is_name(const struct token *t);

/* Whether the '%' at p, if it is one, stands for a field of the instruction. */
static inline bool pattern_is_field(const char *p)
{
	return *p == '%' && ((p[1] >= 'a' && p[1] <= 'z') || (p[1] >= 'A' && p[1] <= 'Z'));
}

/* The patterns of all rows cut into tokens, so that each line needs only to compare. */
struct patterns {
	struct pattern {
		u8 nr;
		struct part {
			u8 at, len; /* in the row's text */
			char field; /* letter of the field, or 0 for a literal */
		} parts[LINE_MAX_TOKENS];
	} rows[NR_OPS];
};

void patterns_init(struct patterns *p);

struct match {
	struct insn insn, next;	   /* next: of a 64-bit immediate load */
	const struct token *label; /* target to fill in, or NULL */
};

/* Where and why nothing matched. */
struct mismatch {
	size_t at;	/* index of the token; `nr` = end of the line */
	char text[120]; /* "expected a number, r0 ... r10" */
};

bool line_match(
	const struct patterns *p, const struct token *tokens, size_t nr, struct match *out);
/* For a line that line_match refuses. */
void line_mismatch(
	const struct patterns *p, const struct token *tokens, size_t nr, struct mismatch *why);

#endif
