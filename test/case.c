#include "case.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

static struct str strip(struct str s)
{
	while (s.len && (*s.p == ' ' || *s.p == '\t'))
		s = str_new(s.p + 1, s.len - 1);
	while (s.len && strchr(" \t\r\n", s.p[s.len - 1]))
		s.len--;
	return s;
}

/* The section's header when `line` is one. */
static bool is_header(struct str line, struct section *s)
{
	struct str args;

	if (line.len < 4 || memcmp(line.p, "-- ", 3))
		return false;
	str_split(str_new(line.p + 3, line.len - 3), ' ', &s->name, &args);
	s->args = strip(args);
	s->name = strip(s->name);
	return true;
}

/* body: all up to the next header. */
static void split_tail(struct section *s)
{
	size_t len = s->body.len;

	while (len && strchr(" \t\r\n", s->body.p[len - 1]))
		len--;
	/* The line end of the last line belongs to the body. */
	if (len && len < s->body.len)
		len = (size_t)((char *)memchr(s->body.p + len, '\n', s->body.len - len) -
			       s->body.p) +
		      1;
	s->tail = str_new(s->body.p + len, s->body.len - len);
	s->body.len = len;
}

static int split_sections(struct case_file *f, size_t len)
{
	struct str rest = str_new(f->text, len), line;
	struct section *open = NULL;
	size_t cap = 0;
	u32 nr_line = 0;

	f->head = str_new(f->text, len);
	while (rest.len) {
		const char *start = rest.p;
		struct section s = {0};

		str_split(rest, '\n', &line, &rest);
		nr_line++;
		if (!is_header(line, &s))
			continue;
		if (open)
			open->body.len = (size_t)(start - open->body.p);
		else
			f->head.len = (size_t)(start - f->text);
		if (array_grow((void **)&f->sections, &cap, f->nr_sections + 1, sizeof(s)))
			return -ENOMEM;
		s.body = rest;
		s.line = nr_line + 1;
		f->sections[f->nr_sections] = s;
		open = &f->sections[f->nr_sections++];
	}
	for (size_t i = 0; i < f->nr_sections; i++)
		split_tail(&f->sections[i]);
	return 0;
}

int case_file_read(struct case_file *f, const char *path)
{
	struct buf text = {0};
	char block[4096];
	size_t n;
	FILE *in = fopen(path, "rb");

	*f = (struct case_file){.path = path};
	if (!in)
		return -errno;
	while ((n = fread(block, 1, sizeof(block), in)) > 0)
		buf_put(&text, block, n);
	fclose(in);
	/* So that every line has an end. */
	if (text.len && text.data[text.len - 1] != '\n')
		buf_u8(&text, '\n');
	if (text.failed)
		return -ENOMEM;
	f->text = (char *)text.data;
	return split_sections(f, text.len);
}

struct str section_body(const struct section *s)
{
	return s->rewritten ? str_new((const char *)s->fresh.data, s->fresh.len) : s->body;
}

int case_file_write(const struct case_file *f)
{
	bool rewritten = false;
	FILE *out;

	for (size_t i = 0; i < f->nr_sections; i++)
		rewritten |= f->sections[i].rewritten;
	if (!rewritten)
		return 0;
	out = fopen(f->path, "wb");
	if (!out)
		return -errno;
	fwrite(f->head.p, 1, f->head.len, out);
	for (size_t i = 0; i < f->nr_sections; i++) {
		const struct section *s = &f->sections[i];
		struct str body = section_body(s);

		fprintf(out, "-- %.*s%s%.*s\n", (int)s->name.len, s->name.p, s->args.len ? " " : "",
			(int)s->args.len, s->args.p);
		fwrite(body.p, 1, body.len, out);
		fwrite(s->tail.p, 1, s->tail.len, out);
	}
	return fclose(out) ? -errno : 0;
}

void case_file_fini(struct case_file *f)
{
	for (size_t i = 0; i < f->nr_sections; i++)
		buf_fini(&f->sections[i].fresh);
	mem_free(f->sections);
	mem_free(f->text);
	*f = (struct case_file){0};
}

bool case_next(struct tcase *c)
{
	const struct section *all = c->file->sections;
	size_t end;

	c->first += c->nr;
	if (c->first >= c->file->nr_sections)
		return false;
	for (end = c->first + 1; end < c->file->nr_sections; end++)
		if (str_eq(all[end].name, "case"))
			break;
	c->nr = end - c->first;
	c->name = str_eq(all[c->first].name, "case") ? all[c->first].args : str_of("");
	c->failed = c->skipped = false;
	buf_reset(&c->log);
	return true;
}

struct section *case_find(const struct tcase *c, const char *name, const char *args)
{
	for (size_t i = c->first; i < c->first + c->nr; i++) {
		struct section *s = &c->file->sections[i];

		if (str_eq(s->name, name) && str_eq(s->args, args))
			return s;
	}
	return NULL;
}

struct str case_need(struct tcase *c, const char *name, const char *args)
{
	struct section *s = case_find(c, name, args);

	if (s)
		return s->body;
	case_fail(c, NULL, "section '-- %s%s%s' is missing", name, *args ? " " : "", args);
	return str_of("");
}

void case_fail(struct tcase *c, const struct section *s, const char *fmt, ...)
{
	const struct section *at = s ? s : &c->file->sections[c->first];
	va_list args;

	c->failed = true;
	buf_printf(&c->log, "%s:%u: ", c->file->path, at->line);
	va_start(args, fmt);
	buf_vprintf(&c->log, fmt, args);
	va_end(args);
	buf_u8(&c->log, '\n');
}

void case_skip(struct tcase *c, const char *why)
{
	c->skipped = true;
	buf_printf(&c->log, "%s: skipped: %s\n", c->file->path, why);
}

/* Every line of `text` behind a mark. */
static void put_marked(struct buf *out, const char *mark, struct str text)
{
	struct str line;

	while (text.len) {
		str_split(text, '\n', &line, &text);
		buf_printf(out, "%s%.*s\n", mark, (int)line.len, line.p);
	}
}

/* The lines around the first that differs; all of short texts. */
static void put_difference(struct buf *out, struct str want, struct str got)
{
	enum { BEFORE = 3, AFTER = 12 };
	size_t line = 0, same = 0, shown = 0, from = 0;
	struct str texts[2] = {want, got};

	while (same < want.len && same < got.len && want.p[same] == got.p[same])
		line += want.p[same++] == '\n';
	if (line > BEFORE)
		from = line - BEFORE;
	for (int i = 0; i < 2; i++) {
		struct str rest = texts[i], one;

		for (size_t n = 0; n < from && rest.len; n++)
			str_split(rest, '\n', &one, &rest);
		struct str first = rest;
		for (shown = 0; shown < BEFORE + AFTER && rest.len; shown++)
			str_split(rest, '\n', &one, &rest);
		first.len -= rest.len;
		put_marked(out, i ? "  + " : "  - ", first);
	}
}

void case_expect(struct tcase *c, struct section *s, struct str actual)
{
	struct str want = section_body(s);
	struct buf got = {0};

	buf_put(&got, actual.p, actual.len);
	/* Bodies end with a line end, or are empty. */
	if (got.len && got.data[got.len - 1] != '\n')
		buf_u8(&got, '\n');
	if (got.len == want.len && (!got.len || !memcmp(got.data, want.p, got.len))) {
		buf_fini(&got);
		return;
	}
	if (c->update && !s->rewritten) {
		s->rewritten = true;
		s->fresh = got;
		return;
	}
	case_fail(c, s, "'-- %.*s' differs: - expected, + actual", (int)s->name.len, s->name.p);
	put_difference(&c->log, want, str_new((const char *)got.data, got.len));
	buf_fini(&got);
}

static bool is_hex(char ch)
{
	return ch && strchr("0123456789abcdefABCDEF", ch);
}

bool case_bytes(struct tcase *c, const struct section *s, struct buf *out)
{
	for (size_t i = 0; i < s->body.len; i++) {
		const char *p = s->body.p + i;
		size_t left = s->body.len - i, len;
		u8 byte;

		if (*p == '#') {
			while (i + 1 < s->body.len && s->body.p[i + 1] != '\n')
				i++;
		} else if (!strchr(" \t\n", *p)) {
			if (left < 2 || !is_hex(p[0]) || !is_hex(p[1]) ||
				!str_to_bytes(str_new(p, 2), &byte, 1, &len)) {
				case_fail(
					c, s, "expected pairs of hexadecimal digits at '%.8s'", p);
				return false;
			}
			buf_u8(out, byte);
			i++;
		}
	}
	return true;
}

void buf_hex(struct buf *out, const u8 *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		buf_printf(out, "%02x%s", bytes[i], i + 1 == len || i % 16 == 15 ? "\n" : " ");
}
