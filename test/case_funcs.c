#include "case_funcs.h"

#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "case.h"
#include "isa/prog.h"

static bool read_arg(struct str word, struct func_arg *arg)
{
	struct str kind, bytes;

	*arg = (struct func_arg){0};
	str_split(word, ':', &kind, &bytes);
	if (str_eq(kind, "scalar"))
		arg->kind = FUNC_ARG_SCALAR;
	else if (str_eq(kind, "ctx"))
		arg->kind = FUNC_ARG_CTX;
	else if (str_eq(kind, "other"))
		arg->kind = FUNC_ARG_UNSUPPORTED;
	else
		arg->kind = FUNC_ARG_MEM;
	arg->nonnull = str_eq(kind, "mem!");
	return arg->kind != FUNC_ARG_MEM ||
	       ((arg->nonnull || str_eq(kind, "mem")) && str_to_u32(bytes, &arg->bytes));
}

static bool read_func(struct str line, struct prog_func *f, struct buf *text)
{
	struct str pc, name, word;

	*f = (struct prog_func){.name = (u32)text->len};
	str_split(line, ' ', &pc, &line);
	str_split(line, ' ', &name, &line);
	buf_put(text, name.p, name.len);
	buf_u8(text, 0);
	str_split(line, ' ', &word, &line);
	f->global = str_eq(word, "global");
	if (!str_to_u32(pc, &f->pc) || (!f->global && !str_eq(word, "static")))
		return false;
	while (line.len) {
		str_split(line, ' ', &word, &line);
		if (str_eq(word, "void"))
			f->returns_void = true;
		else if (f->nr_args == ARRAY_LEN(f->args) ||
			 !read_arg(word, &f->args[f->nr_args++]))
			return false;
	}
	return true;
}

/* Behind the source lines, where the program has any. */
static void take_text(struct prog *p, struct buf *text)
{
	mem_free(p->line_text);
	p->line_text_len = text->len;
	p->line_text = mem_alloc(text->len);
	memcpy(p->line_text, text->data, text->len);
	buf_fini(text);
}

void case_funcs(struct tcase *c, struct prog *p)
{
	const struct section *s = case_find(c, "funcs", "");
	struct str rest = s ? section_body(s) : str_of(""), line;
	struct buf text = {0};
	size_t cap = 0;

	if (!s)
		return;
	if (p->line_text_len)
		buf_put(&text, p->line_text, p->line_text_len);
	else
		buf_u8(&text, 0);
	while (rest.len) {
		str_split(rest, '\n', &line, &rest);
		if (!line.len)
			continue;
		if (array_grow((void **)&p->funcs, &cap, p->nr_funcs + 1, sizeof(*p->funcs)) ||
			!read_func(line, &p->funcs[p->nr_funcs], &text))
			case_fail(c, s, "'%.*s' is not PC NAME global|static [void] [ARG ...]",
				(int)line.len, line.p);
		else
			p->nr_funcs++;
	}
	take_text(p, &text);
}
