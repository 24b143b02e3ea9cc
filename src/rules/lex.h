/* Lines and words of a rules text, as iptables-restore splits them. */
#ifndef WEIR_RULES_LEX_H
#define WEIR_RULES_LEX_H

#include "base/arena.h"
#include "base/text.h"

struct word {
	struct str text; /* without quotes and backslashes; borrowed from the line, or in the arena */
	u32 col, width;	 /* where it stands in the line, quotes included; col starts at 1 */
	bool quoted;
};

struct words { /* grows, is used again for each line; words_fini frees it */
	struct word *at;
	size_t nr, cap;
};

enum lex_error { LEX_OK, LEX_NO_MEMORY, LEX_CONTROL_CHARACTER, LEX_OPEN_QUOTE };

/* Takes the next line off *text, without its '\n'. False at the end. */
bool lex_line(struct str *text, struct str *line);
/* Splits `line` from byte `from` on. Double quotes group, a backslash inside them takes the next character as it is, a
 * closing quote ends the word; single quotes mean nothing. On an error *bad is the column. */
enum lex_error lex_words(struct str line, size_t from, struct arena *arena, struct words *out, u32 *bad);
void words_fini(struct words *w);

#endif
