/* Constants in the fewest instructions: MOVZ or MOVN of one 16-bit piece, or ORR of a logical immediate, and then a MOVK
 * for each piece that this leaves wrong; from the literal pool where that takes too many. */
#include "jit/arm64/lower.h"

enum { PIECES = 4 };

static u16 piece(u64 value, unsigned i)
{
	return (u16)(value >> (16 * i));
}

static u64 with_piece(u64 value, unsigned i, u16 p)
{
	return (value & ~((u64)0xffff << (16 * i))) | (u64)p << (16 * i);
}

/* One instruction that makes a value. */
struct start {
	enum { START_NONE, START_MOVZ, START_MOVN, START_ORR } kind;
	enum a64_width w;
	unsigned at; /* piece */
	u32 field;
};

/* A MOVZ or MOVN that gets every piece outside `patched` (a bit for each) right. */
static bool start_move(u64 value, unsigned patched, struct start *s)
{
	for (unsigned negative = 0; negative < 2; negative++) {
		u16 filler = negative ? 0xffff : 0;
		unsigned nr = 0, at = 0;

		for (unsigned i = 0; i < PIECES; i++)
			if (!(patched & 1u << i) && piece(value, i) != filler)
				nr++, at = i;
		if (nr > 1)
			continue;
		/* With nothing left to set, the first patched piece may as well be set here. */
		if (nr == 0 && patched)
			at = (unsigned)__builtin_ctz(patched);
		*s = (struct start){negative ? START_MOVN : START_MOVZ, A64_X, at,
			(u16)(piece(value, at) ^ filler)};
		return true;
	}
	return false;
}

/* Where neighbouring bits differ, with the last and the first as neighbours. */
static unsigned borders(u16 p)
{
	return (unsigned)__builtin_popcount((u16)(p ^ (p << 1 | p >> 15)));
}

/* A quick no, before fillers are tried: where pieces aren't all the same, elements have 32 bits at least, and then the two ends of
 * a run of ones are all the borders that a piece can have. */
static bool may_be_logical(u64 value, unsigned patched)
{
	unsigned kept = ~patched & 0xf, most = 0;
	bool same = true;

	for (unsigned i = 0; i < PIECES; i++) {
		if (!(kept & 1u << i))
			continue;
		same &= piece(value, i) == piece(value, (unsigned)__builtin_ctz(kept));
		most = borders(piece(value, i)) > most ? borders(piece(value, i)) : most;
	}
	return same || most <= 2;
}

/* A logical immediate that gets every piece outside `patched` right. What a run of ones or a repeating element can have
 * in the other pieces is 0, 0xffff or what some other piece has. */
static bool start_logical(u64 value, unsigned patched, struct start *s)
{
	u16 fillers[PIECES + 2] = {
		0, 0xffff, piece(value, 0), piece(value, 1), piece(value, 2), piece(value, 3)};
	unsigned first = patched ? (unsigned)__builtin_ctz(patched) : 0;
	unsigned second = patched & (patched - 1) ? 31 - (unsigned)__builtin_clz(patched) : first;

	for (unsigned a = 0; a < (patched ? ARRAY_LEN(fillers) : 1); a++) {
		for (unsigned b = 0; b < (second != first ? ARRAY_LEN(fillers) : 1); b++) {
			u64 base = value;

			if (second != first)
				base = with_piece(base, second, fillers[b]);
			if (patched)
				base = with_piece(base, first, fillers[a]);
			if (a64_bitmask(A64_X, base, &s->field)) {
				s->kind = START_ORR;
				s->w = A64_X;
				return true;
			}
		}
	}
	return false;
}

/* The whole value in one instruction of 32 bits, which clears the upper half. */
static bool start_word(u64 value, struct start *s)
{
	u32 low = (u32)value;

	if (value > UINT32_MAX)
		return false;
	s->w = A64_W;
	if (a64_bitmask(A64_W, low, &s->field)) {
		s->kind = START_ORR;
		return true;
	}
	if (piece(low, 0) != 0xffff && piece(low, 1) != 0xffff)
		return false;
	s->at = piece(low, 0) == 0xffff;
	s->field = (u16)~piece(low, s->at);
	s->kind = START_MOVN;
	return true;
}

static bool find_start(u64 value, unsigned patched, struct start *s)
{
	return start_move(value, patched, s) || (!patched && start_word(value, s)) ||
	       (__builtin_popcount(patched) <= 2 && may_be_logical(value, patched) &&
		       start_logical(value, patched, s));
}

/* The best start, and the pieces that MOVK must set behind it. */
static struct start plan(u64 value, unsigned *patches)
{
	static const u8 by_count[] = {0, 1, 2, 4, 8, 3, 5, 6, 9, 10, 12, 7, 11, 13, 14};
	struct start s = {0};

	for (unsigned i = 0; i < ARRAY_LEN(by_count); i++) {
		if (!find_start(value, by_count[i], &s))
			continue;
		*patches = by_count[i];
		return s;
	}
	UNREACHABLE();
}

/* The value after the start instruction, to leave out patches that it already got right. */
static u64 start_value(const struct start *s)
{
	u64 one = (u64)s->field << (16 * s->at);

	return s->kind == START_MOVN ? ~one : one;
}

static bool needs_patch(const struct start *s, u64 value, unsigned patches, unsigned i)
{
	return patches & 1u << i &&
	       (s->kind == START_ORR || piece(start_value(s), i) != piece(value, i));
}

static u32 start_word_of(const struct start *s, unsigned rd)
{
	switch (s->kind) {
	case START_ORR:
		return a64_logic_imm(s->w, A64_ORR, rd, A64_ZR, s->field);
	case START_MOVN:
		return a64_movw(s->w, A64_MOVN, rd, s->field, 16 * s->at);
	case START_MOVZ:
		return a64_movw(s->w, A64_MOVZ, rd, s->field, 16 * s->at);
	case START_NONE:
		break;
	}
	UNREACHABLE();
}

static void build(struct jit *j, unsigned rd, u64 value)
{
	unsigned patches;
	struct start s = plan(value, &patches);
	a64_emit(j, start_word_of(&s, rd));
	for (unsigned i = 0; i < PIECES; i++)
		if (needs_patch(&s, value, patches, i))
			a64_emit(j, a64_movw(A64_X, A64_MOVK, rd, piece(value, i), 16 * i));
}

/* Loading takes about as long as three instructions. */
enum { INSNS_BUILT_MAX = 2 };

static void emit_const(struct jit *j, enum a64_width w, unsigned rd, u64 value, unsigned built_max)
{
	if (w == A64_W)
		value = (u32)value;
	if (a64_const_insns(value) > built_max && a64_may_load_literal(j))
		a64_load_literal(j, rd, value);
	else
		build(j, rd, value);
}

void a64_const(struct jit *j, enum a64_width w, unsigned rd, u64 value)
{
	emit_const(j, w, rd, value, INSNS_BUILT_MAX);
}

static unsigned const_reg(
	struct jit *j, enum a64_width w, u64 value, unsigned scratch, unsigned built_max)
{
	unsigned reg;

	if (a64_hoisted(j, w, value, &reg))
		return reg;
	emit_const(j, w, scratch, value, built_max);
	return scratch;
}

unsigned a64_const_reg(struct jit *j, enum a64_width w, u64 value, unsigned scratch)
{
	return const_reg(j, w, value, scratch, INSNS_BUILT_MAX);
}

unsigned a64_const_reg_short(struct jit *j, enum a64_width w, u64 value, unsigned scratch)
{
	return const_reg(j, w, value, scratch, 1);
}

unsigned a64_const_insns(u64 value)
{
	unsigned patches, nr = 1;
	struct start s = plan(value, &patches);

	for (unsigned i = 0; i < PIECES; i++)
		nr += needs_patch(&s, value, patches, i);
	return nr;
}

void a64_move(struct jit *j, unsigned rd, unsigned rn)
{
	if (rd != rn)
		a64_emit(j, a64_logic_reg(A64_X, A64_ORR, rd, A64_ZR, rn, A64_LSL, 0));
}

/* Add or subtract `amount` below 1 << 24 in one or two steps. */
static void add_steps(struct jit *j, enum a64_addsub op, unsigned rd, unsigned rn, u32 amount)
{
	if (a64_is_addsub_imm(amount)) {
		a64_emit(j, a64_addsub_imm(A64_X, op, rd, rn, amount));
		return;
	}
	a64_emit(j, a64_addsub_imm(A64_X, op, rd, rn, amount & ~4095u));
	a64_emit(j, a64_addsub_imm(A64_X, op, rd, rd, amount & 4095));
}

void a64_add_const(struct jit *j, unsigned rd, unsigned rn, s64 amount)
{
	u64 size = amount < 0 ? 0 - (u64)amount : (u64)amount;
	unsigned reg;

	if (amount == 0 && rn != A64_SP) {
		a64_move(j, rd, rn);
	} else if (!a64_is_addsub_imm(size) && rn != A64_SP && rd != A64_SP &&
		   a64_hoisted(j, A64_X, (u64)amount, &reg)) {
		a64_emit(j, a64_addsub_reg(A64_X, A64_ADD, rd, rn, reg, A64_LSL, 0));
	} else if (a64_is_addsub_imm(size) ||
		   (size < 1u << 24 && a64_const_insns((u64)amount) > 1)) {
		add_steps(j, amount < 0 ? A64_SUB : A64_ADD, rd, rn, (u32)size);
	} else {
		assert(rn != A64_TMP3);
		a64_const(j, A64_X, A64_TMP3, (u64)amount);
		a64_emit(j, a64_addsub_ext(A64_X, A64_ADD, rd, rn, A64_TMP3, A64_UXTX, 0));
	}
}
