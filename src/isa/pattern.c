#include "isa/pattern.h"

#include <stdio.h>
#include <string.h>

#include "isa/op.h"

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Bytes beyond ASCII too, so that a message does not cut a character. */
static bool is_word(char c)
{
	return (c & 0x80) || is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       c == '_' || c == '.';
}

/* Length of the token that `s` (not empty, not blank) begins with. */
static size_t token_len(struct str s)
{
	static const char *const operators[] = {"s>>=", "s>=", "s<=", "s/=", "s%=", "s>", "s<",
		"<<=", ">>=", "+=", "-=", "*=", "/=", "%=", "|=", "&=", "^=", "==", "!=", "<=",
		">="};
	size_t len = 0;

	for (size_t i = 0; i < ARRAY_LEN(operators); i++) {
		size_t op_len = strlen(operators[i]);

		if (s.len >= op_len && !memcmp(s.p, operators[i], op_len))
			return op_len;
	}
	while (len < s.len && is_word(s.p[len]))
		len++;
	return len ? len : 1;
}

static struct str skip(struct str s, size_t n)
{
	return str_new(s.p + n, s.len - n);
}

static struct str skip_blanks(struct str s)
{
	while (s.len && is_blank(*s.p))
		s = skip(s, 1);
	return s;
}

/* "r0" ... "r10", "w0" ... "w10" */
static void note_register(struct token *t)
{
	struct str s = t->text;
	u32 reg;

	if ((*s.p != 'r' && *s.p != 'w') || s.len < 2 || s.len > 3 || (s.len == 3 && s.p[1] != '1'))
		return;
	if (!str_to_u32(skip(s, 1), &reg) || reg >= BPF_NR_REGS)
		return;
	t->width = *s.p;
	t->reg = (u8)reg;
}

bool line_tokens(struct str line, struct token *tokens, size_t *nr)
{
	struct str rest = line;
	size_t n = 0;

	for (;;) {
		size_t before = rest.len;

		rest = skip_blanks(rest);
		/* "bpf_ktime_get_ns#5" is no comment. */
		bool begins_word = rest.len < before || !n;
		if (!rest.len || *rest.p == ';' || (*rest.p == '#' && begins_word))
			break;
		if (n == LINE_MAX_TOKENS)
			return false;
		size_t len = token_len(rest);
		tokens[n] = (struct token){str_new(rest.p, len), (u32)(rest.p - line.p) + 1, 0, 0};
		note_register(&tokens[n++]);
		rest = skip(rest, len);
	}
	*nr = n;
	return true;
}

bool token_is(const struct token *t, const char *text)
{
	return str_eq(t->text, text);
}

bool token_is_name(const struct token *t)
{
	return is_word(*t->text.p) && !is_digit(*t->text.p);
}

/* One attempt to read the line as one row of ops.def. */
struct attempt {
	const struct op *op;
	const struct token *tokens;
	size_t nr, at; /* the next token; on failure, the one that does not fit */
	struct match m;
	u8 seen;             /* register fields already read: a second mention must agree */
	struct str expected; /* on failure: what would fit there; static text */
	bool literal;        /* `expected` is a token, not a description */
	bool out_of_range;   /* the failure is a value, not the grammar */
};

enum { SEEN_DST = 1, SEEN_SRC = 2 };

static bool expect(struct attempt *a, const char *what)
{
	a->expected = str_of(what);
	return false;
}

static bool range(struct attempt *a, const char *what)
{
	a->out_of_range = true;
	return expect(a, what);
}

static const struct token *peek(const struct attempt *a)
{
	return a->at < a->nr ? &a->tokens[a->at] : NULL;
}

static bool next_is(const struct attempt *a, const char *text)
{
	return peek(a) && token_is(peek(a), text);
}

static bool read_reg(struct attempt *a, char width, u8 seen, const char *what)
{
	const struct token *t = peek(a);

	if (!t || t->width != width)
		return expect(a, what);
	if (a->seen & seen) {
		if (t->reg != (seen == SEEN_DST ? a->m.insn.dst : a->m.insn.src))
			return range(a, "the same register again");
	} else if (seen == SEEN_DST) {
		a->m.insn.dst = t->reg & 0xfu;
	} else {
		a->m.insn.src = t->reg & 0xfu;
	}
	a->seen |= seen;
	a->at++;
	return true;
}

struct number {
	bool negative;
	u64 size;
};

/* Reads nothing unless there is a whole number, and fails for good where one begins but none is. */
static bool read_number(struct attempt *a, struct number *n)
{
	const struct token *t = peek(a);
	bool sign = t && (token_is(t, "-") || token_is(t, "+"));

	if (sign)
		t = a->at + 1 < a->nr ? t + 1 : NULL;
	if (!t || !is_digit(*t->text.p))
		return expect(a, "a number");
	if (!str_to_u64(t->text, &n->size))
		return range(a, "a number of at most 64 bits (decimal, 0x or 0 octal)");
	n->negative = sign && token_is(peek(a), "-");
	a->at += sign ? 2 : 1;
	return true;
}

/* The number as two's complement when it lies in [-2^(bits-1), max]. */
static bool fits(struct number n, unsigned bits, u64 max, u64 *out)
{
	if (n.negative ? n.size > 1ull << (bits - 1) : n.size > max)
		return false;
	*out = n.negative ? 0 - n.size : n.size;
	return true;
}

static bool read_int(struct attempt *a, unsigned bits, u64 max, const char *what, u64 *out)
{
	struct number n;

	if (!read_number(a, &n))
		return false;
	if (fits(n, bits, max, out))
		return true;
	a->at--;
	return range(a, what);
}

/* Whether an immediate of this row is 32 bits that nothing extends, so that 0xffffffff and -1 are
 * one. */
static bool imm_is_32_bits(const struct op *op)
{
	switch (BPF_CLASS(op->code)) {
	case BPF_ALU:
	case BPF_JMP32:
	case BPF_LD:
		return true;
	case BPF_ST:
		return BPF_SIZE(op->code) != BPF_DW;
	default:
		return false;
	}
}

static bool read_imm(struct attempt *a)
{
	bool wide = imm_is_32_bits(a->op);
	u64 value;

	if (!read_int(a, 32, wide ? UINT32_MAX : INT32_MAX,
		    wide ? "a number of 32 bits"
			 : "a number of 32 bits with sign (-0x80000000 ... 0x7fffffff)",
		    &value))
		return false;
	a->m.insn.imm = (s32)value;
	return true;
}

/* An offset in bytes is written with its sign, or left out when it is 0. */
static bool read_off(struct attempt *a)
{
	u64 value = 0;

	if (!next_is(a, "+") && !next_is(a, "-"))
		return next_is(a, ")") || expect(a, "an offset (+8, -8) or ')'");
	if (!read_int(a, 16, INT16_MAX, "an offset of 16 bits (-32768 ... 32767)", &value))
		return false;
	a->m.insn.off = (s16)value;
	return true;
}

/* "+2", "pc+2" or a label. */
static bool read_target(struct attempt *a, unsigned bits, const char *range_text, s32 *out)
{
	const struct token *t = peek(a);
	u64 value;

	if (t && token_is(t, "pc"))
		a->at++;
	if (next_is(a, "+") || next_is(a, "-")) {
		if (!read_int(a, bits, (1ull << (bits - 1)) - 1, range_text, &value))
			return false;
		*out = (s32)value;
		return true;
	}
	if (!t || peek(a) != t || !token_is_name(t))
		return expect(a, "a label or a distance (+2, -2)");
	a->m.label = t;
	a->at++;
	return true;
}

static bool read_near(struct attempt *a)
{
	s32 distance = 0;

	if (!read_target(a, 16, "a distance of 16 bits (-32768 ... 32767; gotol jumps farther)",
		    &distance))
		return false;
	a->m.insn.off = (s16)distance;
	return true;
}

static bool read_far(struct attempt *a)
{
	return read_target(a, 32, "a distance of 32 bits", &a->m.insn.imm);
}

/* "pc+3" or a label; a plain number is a helper. */
static bool read_callee(struct attempt *a)
{
	const struct token *t = peek(a);

	if (!t || !token_is_name(t) || (a->at + 1 < a->nr && token_is(t + 1, "#")))
		return expect(a, "a label, pc+N or the number of a helper");
	return read_far(a);
}

/* "1" or "bpf_map_lookup_elem#1", where only the number counts. */
static bool read_helper(struct attempt *a)
{
	const struct token *t = peek(a);

	if (t && t->text.len > 4 && !memcmp(t->text.p, "bpf_", 4)) {
		a->at++;
		if (!next_is(a, "#"))
			return expect(a, "'#' and the number of the helper");
		a->at++;
	} else if (t && token_is_name(t)) {
		return expect(a, "the number of a helper");
	}
	return read_imm(a);
}

static bool read_wide_imm(struct attempt *a)
{
	u64 value;

	if (!read_int(a, 64, UINT64_MAX, "a number of 64 bits", &value))
		return false;
	a->m.insn.imm = (s32)value;
	a->m.next.imm = (s32)(value >> 32);
	return true;
}

static bool read_second_imm(struct attempt *a)
{
	u64 value;

	if (!read_int(a, 32, UINT32_MAX, "a number of 32 bits", &value))
		return false;
	a->m.next.imm = (s32)value;
	return true;
}

static bool read_field(struct attempt *a, char what)
{
	switch (what) {
	case 'd':
		return read_reg(a, 'r', SEEN_DST, "r0 ... r10");
	case 'D':
		return read_reg(a, 'w', SEEN_DST, "w0 ... w10");
	case 's':
		return read_reg(a, 'r', SEEN_SRC, "r0 ... r10");
	case 'S':
		return read_reg(a, 'w', SEEN_SRC, "w0 ... w10");
	case 'i':
		return read_imm(a);
	case 'o':
		return read_off(a);
	case 'j':
		return read_near(a);
	case 'J':
		return read_far(a);
	case 'c':
		return read_callee(a);
	case 'h':
		return read_helper(a);
	case 'n':
		return read_second_imm(a);
	case 'q':
		return read_wide_imm(a);
	default:
		UNREACHABLE();
	}
}

/* The row's fixed fields: those that ops.def gives a single value. */
static void start(struct attempt *a, const struct op *op)
{
	struct insn i = {.code = op->code};

	if (op->src.rule == OP_SEL)
		i.src = (u32)op->src.value & 0xfu;
	if (op->off.rule == OP_SEL)
		i.off = op->off.value;
	if (op->imm.rule == OP_SEL)
		i.imm = op->imm.value;
	a->op = op;
	a->m.insn = i;
}

static bool read_literal(struct attempt *a, struct str literal)
{
	const struct token *t = peek(a);

	if (!t || t->text.len != literal.len || memcmp(t->text.p, literal.p, literal.len)) {
		a->expected = literal;
		a->literal = true;
		return false;
	}
	a->at++;
	return true;
}

static bool try_row(struct attempt *a, const struct pattern *p)
{
	for (size_t i = 0; i < p->nr; i++) {
		const struct part *part = &p->parts[i];
		bool ok = part->field ? read_field(a, part->field)
				      : read_literal(a, str_new(a->op->text + part->at, part->len));

		if (!ok)
			return false;
	}
	return a->at == a->nr || expect(a, "the end of the line");
}

void patterns_init(struct patterns *p)
{
	for (unsigned id = 0; id < NR_OPS; id++) {
		const char *text = op_at((enum op_id)id)->text;
		struct pattern *row = &p->rows[id];

		row->nr = 0;
		for (struct str rest = str_of(text); rest.len; rest = skip_blanks(rest)) {
			bool field = pattern_is_field(rest.p);
			size_t len = field ? 2 : token_len(rest);

			assert(row->nr < LINE_MAX_TOKENS);
			row->parts[row->nr++] = (struct part){
				(u8)(rest.p - text), (u8)len, field ? rest.p[1] : '\0'};
			rest = skip(rest, len);
		}
	}
}

/* Collects what the attempts that got farthest would have liked to see. */
static void note_mismatch(struct mismatch *why, const struct attempt *a, bool *out_of_range)
{
	static const char more[] = ", ...";
	const char *quote = a->literal ? "'" : "";
	char one[80];

	if (a->at < why->at || (a->at == why->at && *out_of_range))
		return;
	if (a->at > why->at || a->out_of_range)
		why->text[0] = '\0';
	why->at = a->at;
	*out_of_range = a->out_of_range;
	snprintf(one, sizeof(one), "%s%.*s%s", quote, (int)a->expected.len, a->expected.p, quote);
	size_t len = strlen(why->text), room = sizeof(why->text) - sizeof(more);
	bool full = len >= sizeof(more) && !strcmp(why->text + len - sizeof(more) + 1, more);

	if (full || strstr(why->text, one))
		return;
	if (len + strlen(", ") + strlen(one) < room)
		snprintf(why->text + len, sizeof(why->text) - len, "%s%s", len ? ", " : "expected ",
			one);
	else
		strcpy(why->text + len, more);
}

static bool token_fits(const struct token *t, const char *text, const struct part *part)
{
	if (!part->field)
		return t->text.len == part->len && !memcmp(t->text.p, text + part->at, part->len);
	return (part->field != 'd' && part->field != 'D') ||
	       t->width == (part->field == 'd' ? 'r' : 'w');
}

/* Cheap test of the first two tokens that spares most attempts. */
static bool may_match(
	const struct op *op, const struct pattern *p, const struct token *tokens, size_t nr)
{
	for (size_t i = 0; i < 2 && i < p->nr; i++)
		if (i >= nr || !token_fits(&tokens[i], op->text, &p->parts[i]))
			return false;
	return true;
}

bool line_match(const struct patterns *p, const struct token *tokens, size_t nr, struct match *out)
{
	for (unsigned id = 0; id < NR_OPS; id++) {
		const struct op *op = op_at((enum op_id)id);

		if (!may_match(op, &p->rows[id], tokens, nr))
			continue;
		struct attempt a = {.tokens = tokens, .nr = nr};
		start(&a, op);
		if (try_row(&a, &p->rows[id])) {
			*out = a.m;
			return true;
		}
	}
	return false;
}

void line_mismatch(
	const struct patterns *p, const struct token *tokens, size_t nr, struct mismatch *why)
{
	bool out_of_range = false;

	*why = (struct mismatch){0};
	for (unsigned id = 0; id < NR_OPS; id++) {
		struct attempt a = {.tokens = tokens, .nr = nr};

		start(&a, op_at((enum op_id)id));
		if (!try_row(&a, &p->rows[id]))
			note_mismatch(why, &a, &out_of_range);
	}
}
