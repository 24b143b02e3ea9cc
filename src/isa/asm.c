/* Assembly text to a program: lines, labels and jump distances. What an instruction looks like is
 * pattern.c's business. */
#include "isa/isa.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/diag.h"
#include "base/limits.h"
#include "isa/op.h"
#include "isa/pattern.h"
#include "isa/prog.h"

struct label {
	struct str name;
	u32 pc;
	u32 line, col;
};

/* An instruction whose distance waits for a label. */
struct fixup {
	u32 pc;
	struct str name, source;
	u32 line, col;
};

struct assembler {
	const char *file;
	struct diag *d;
	struct patterns *patterns;
	struct str source; /* the line being read */
	u32 line;
	struct insn *insns;
	size_t nr_insns, cap_insns;
	struct prog_line *lines;
	size_t nr_lines, cap_lines;
	struct label *labels;
	size_t nr_labels, cap_labels;
	struct fixup *fixups;
	size_t nr_fixups, cap_fixups;
	int err; /* the first; later lines are read all the same, for their errors */
};

static void set_err(struct assembler *a, int err)
{
	if (err && !a->err)
		a->err = err;
}

/* Reports and goes on. `width` bytes from col on are to be underlined. */
PRINTF_LIKE(4, 5)
static void fail(struct assembler *a, u32 col, size_t width, const char *fmt, ...)
{
	struct pos pos = pos_text(a->file, a->line, col);
	struct buf text = {0};
	va_list args;

	pos.width = (u32)width;
	va_start(args, fmt);
	buf_vprintf(&text, fmt, args);
	va_end(args);
	set_err(a, diag_fail(a->d, pos, EINVAL, "%s", buf_cstr(&text)));
	diag_source(a->d, a->source.p, a->source.len);
	buf_fini(&text);
}

/* False when there is no room for it. */
static bool add_insn(struct assembler *a, struct insn i, u32 col)
{
	struct prog_line line = {.pc = (u32)a->nr_insns, .line = a->line, .col = col};

	if (a->nr_insns > PROG_MAX_INSNS)
		return false;
	if (array_grow((void **)&a->insns, &a->cap_insns, a->nr_insns + 1, sizeof(*a->insns)) ||
		array_grow((void **)&a->lines, &a->cap_lines, a->nr_lines + 1, sizeof(*a->lines))) {
		set_err(a, -ENOMEM);
		return false;
	}
	a->insns[a->nr_insns++] = i;
	a->lines[a->nr_lines++] = line;
	return true;
}

static void add_label(struct assembler *a, const struct token *t)
{
	struct label l = {t->text, (u32)a->nr_insns, a->line, t->col};

	if (array_grow((void **)&a->labels, &a->cap_labels, a->nr_labels + 1, sizeof(*a->labels)))
		set_err(a, -ENOMEM);
	else
		a->labels[a->nr_labels++] = l;
}

/* For the instruction added last. */
static void add_fixup(struct assembler *a, const struct token *t)
{
	struct fixup f = {(u32)a->nr_insns - 1, t->text, a->source, a->line, t->col};

	if (array_grow((void **)&a->fixups, &a->cap_fixups, a->nr_fixups + 1, sizeof(*a->fixups)))
		set_err(a, -ENOMEM);
	else
		a->fixups[a->nr_fixups++] = f;
}

/* ".insn 0x<16 hex digits>": the bytes in memory order. */
static void read_raw(struct assembler *a, const struct token *tokens, size_t nr)
{
	u8 bytes[sizeof(struct insn)];
	struct insn i;
	size_t len = 0;

	if (nr == 2 && tokens[1].text.len == 2 + 2 * sizeof(i) &&
		!memcmp(tokens[1].text.p, "0x", 2))
		str_to_bytes(str_new(tokens[1].text.p + 2, tokens[1].text.len - 2), bytes,
			sizeof(bytes), &len);
	if (len != sizeof(i)) {
		fail(a, tokens[0].col, tokens[0].text.len,
			"expected .insn 0x and 16 hexadecimal digits");
		return;
	}
	memcpy(&i, bytes, sizeof(i));
	add_insn(a, i, tokens[0].col);
}

static void read_insn(struct assembler *a, const struct token *tokens, size_t nr)
{
	const struct token *last = &tokens[nr - 1];
	u32 col = tokens[0].col, end = last->col + (u32)last->text.len;
	struct mismatch why;
	struct match m;

	if (!line_match(a->patterns, tokens, nr, &m)) {
		line_mismatch(a->patterns, tokens, nr, &why);
		const struct token *t = &tokens[why.at];
		if (why.at < nr)
			fail(a, t->col, t->text.len, "%s, not '%.*s'", why.text, (int)t->text.len,
				t->text.p);
		else
			fail(a, end, 1, "%s", why.text);
		return;
	}
	const char *wrong = insn_check(m.insn, &m.next, true);
	if (wrong)
		fail(a, col, end - col, "%s", wrong);
	if (add_insn(a, m.insn, col) && m.label)
		add_fixup(a, m.label);
	if (insn_is_ld_imm64(m.insn))
		add_insn(a, m.next, col);
}

static bool is_number(const struct token *t)
{
	u64 unused;

	return str_to_u64(t->text, &unused);
}

static void read_line(struct assembler *a)
{
	struct token tokens[LINE_MAX_TOKENS], *t = tokens;
	size_t nr;

	if (!line_tokens(a->source, tokens, &nr)) {
		fail(a, 1, a->source.len, "more than one instruction in a line");
		return;
	}
	for (; nr >= 2 && token_is(t + 1, ":"); t += 2, nr -= 2) {
		if (token_is_name(t))
			add_label(a, t);
		else if (!is_number(t))
			fail(a, t->col, t->text.len, "a label begins with a letter, '_' or '.'");
	}
	if (!nr)
		return;
	if (token_is(t, ".insn"))
		read_raw(a, t, nr);
	else
		read_insn(a, t, nr);
}

static int compare_names(struct str a, struct str b)
{
	size_t shorter = a.len < b.len ? a.len : b.len;
	int order = memcmp(a.p, b.p, shorter);

	return order ? order : (a.len > b.len) - (a.len < b.len);
}

static int by_name(const void *x, const void *y)
{
	const struct label *a = x, *b = y;
	int order = compare_names(a->name, b->name);

	return order ? order : (a->line > b->line) - (a->line < b->line);
}

static int name_to_label(const void *key, const void *element)
{
	return compare_names(*(const struct str *)key, ((const struct label *)element)->name);
}

static void sort_labels(struct assembler *a)
{
	if (!a->nr_labels)
		return;
	qsort(a->labels, a->nr_labels, sizeof(*a->labels), by_name);
	for (size_t i = 1; i < a->nr_labels; i++) {
		const struct label *first = &a->labels[i - 1], *again = &a->labels[i];

		if (compare_names(first->name, again->name))
			continue;
		set_err(a, diag_fail(a->d, pos_text(a->file, again->line, again->col), EINVAL,
				   "label '%.*s' is already defined", (int)again->name.len,
				   again->name.p));
		diag_note(a->d, pos_text(a->file, first->line, first->col), "here");
	}
}

static void resolve(struct assembler *a, const struct fixup *f)
{
	const struct label *l =
		a->nr_labels ? bsearch(&f->name, a->labels, a->nr_labels, sizeof(*l), name_to_label)
			     : NULL;
	struct insn *i = &a->insns[f->pc];

	a->line = f->line;
	a->source = f->source;
	if (!l) {
		fail(a, f->col, f->name.len, "label '%.*s' is not defined%s", (int)f->name.len,
			f->name.p, insn_is_local_call(*i) ? "; call a helper by its number" : "");
		return;
	}
	s64 distance = (s64)l->pc - f->pc - 1;
	if (op_of(*i)->imm.rule == OP_JUMP)
		i->imm = (s32)distance;
	else if (distance == (s16)distance)
		i->off = (s16)distance;
	else
		fail(a, f->col, f->name.len,
			"label '%.*s' is farther than 16 bits reach: jump over a gotol instead",
			(int)f->name.len, f->name.p);
}

static void deliver(struct assembler *a, struct prog *p)
{
	mem_free(p->insns);
	mem_free(p->lines);
	mem_free(p->line_text);
	p->insns = a->insns;
	p->len = (u32)a->nr_insns;
	p->lines = a->lines;
	p->nr_lines = (u32)a->nr_lines;
	p->line_text = NULL;
	p->line_text_len = 0;
	a->insns = NULL;
	a->lines = NULL;
}

int prog_assemble(struct prog *p, const char *file, const char *text, size_t len, struct diag *d)
{
	struct assembler a = {.file = file, .d = d, .patterns = mem_alloc(sizeof(*a.patterns))};
	struct str rest = str_new(text, len);

	if (!a.patterns)
		return diag_nomem(d);
	patterns_init(a.patterns);
	while (rest.len) {
		str_split(rest, '\n', &a.source, &rest);
		a.line++;
		read_line(&a);
	}
	sort_labels(&a);
	for (size_t i = 0; i < a.nr_fixups; i++)
		resolve(&a, &a.fixups[i]);
	if (!a.err && a.nr_insns > PROG_MAX_INSNS)
		a.err = diag_fail(d, pos_text(file, a.line, 1), E2BIG,
			"more than PROG_MAX_INSNS (%u) instructions", PROG_MAX_INSNS);
	if (a.err == -ENOMEM)
		diag_nomem(d);
	if (!a.err)
		deliver(&a, p);
	mem_free(a.patterns);
	mem_free(a.insns);
	mem_free(a.lines);
	mem_free(a.labels);
	mem_free(a.fixups);
	return a.err;
}
