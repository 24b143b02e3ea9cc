#include "rules/lex.h"

#include <string.h>

#include "base/alloc.h"

bool lex_line(struct str *text, struct str *line)
{
	if (!text->len)
		return false;
	str_split(*text, '\n', line, text);
	return true;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool is_control(char c)
{
	return ((unsigned char)c < 0x20 && c != '\t') || c == 0x7f;
}

struct scan {         /* one word */
	size_t end;   /* behind the word, its closing quote included */
	size_t bytes; /* of its text */
	bool plain;   /* the text is the source as it stands */
	bool quoted;
	bool open; /* a quote isn't closed */
};

/* A word ends at a blank outside quotes or at a closing quote. `copy` gets the text when it isn't NULL. */
static struct scan scan_word(struct str line, size_t at, char *copy)
{
	struct scan s = {.plain = true};

	for (s.end = at; s.end < line.len; s.end++) {
		char c = line.p[s.end];

		if (s.open && c == '\\' && s.end + 1 < line.len) {
			c = line.p[++s.end];
		} else if (s.open && c == '"') {
			s.open = false;
			s.end++;
			break;
		} else if (!s.open && c == '"') {
			s.open = s.quoted = true;
			s.plain = false;
			continue;
		} else if (!s.open && is_blank(c)) {
			break;
		}
		if (copy)
			copy[s.bytes] = c;
		s.bytes++;
	}
	return s;
}

enum lex_error lex_words(
	struct str line, size_t from, struct arena *arena, struct words *out, u32 *bad)
{
	out->nr = 0;
	for (size_t i = 0; i < line.len; i++) {
		if (is_control(line.p[i])) {
			*bad = (u32)i + 1;
			return LEX_CONTROL_CHARACTER;
		}
	}
	for (size_t at = from; at < line.len;) {
		if (is_blank(line.p[at])) {
			at++;
			continue;
		}
		struct scan s = scan_word(line, at, NULL);
		struct word w = {
			.col = (u32)at + 1, .width = (u32)(s.end - at), .quoted = s.quoted};
		if (s.open) {
			*bad = w.col;
			return LEX_OPEN_QUOTE;
		}
		w.text = str_new(line.p + at, s.bytes);
		if (!s.plain) {
			char *copy = arena_alloc(arena, s.bytes + 1);

			if (!copy)
				return LEX_NO_MEMORY;
			scan_word(line, at, copy);
			w.text.p = copy;
		}
		if (array_grow((void **)&out->at, &out->cap, out->nr + 1, sizeof(*out->at)))
			return LEX_NO_MEMORY;
		out->at[out->nr++] = w;
		at = s.end;
	}
	return LEX_OK;
}

void words_fini(struct words *w)
{
	mem_free(w->at);
	*w = (struct words){0};
}
