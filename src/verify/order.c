#include "verify/order.h"

enum { LESS = 1, EQUAL = 2, GREATER = 4, ANY = 7 };

/* dst op src holds for these; 0: not a question of order. */
static const u8 holds_for[16] = {
	[BPF_JEQ >> 4] = EQUAL,
	[BPF_JNE >> 4] = LESS | GREATER,
	[BPF_JLT >> 4] = LESS,
	[BPF_JLE >> 4] = LESS | EQUAL,
	[BPF_JGT >> 4] = GREATER,
	[BPF_JGE >> 4] = GREATER | EQUAL,
	[BPF_JSLT >> 4] = LESS,
	[BPF_JSLE >> 4] = LESS | EQUAL,
	[BPF_JSGT >> 4] = GREATER,
	[BPF_JSGE >> 4] = GREATER | EQUAL,
};

static bool asks_sign(u8 op)
{
	return op == BPF_JSLT || op == BPF_JSLE || op == BPF_JSGT || op == BPF_JSGE;
}

/* The comparison as a statement about (low, high), which is true for `may`. */
static struct order statement(struct insn i)
{
	u8 may = holds_for[BPF_OP(i.code) >> 4];
	bool swap = i.dst > i.src;

	if (swap && may)
		may = (u8)((may & EQUAL) | (may & LESS ? GREATER : 0) | (may & GREATER ? LESS : 0));
	return (struct order){
		.low = swap ? i.src : i.dst,
		.high = swap ? i.dst : i.src,
		.wide = BPF_CLASS(i.code) == BPF_JMP,
		.sign = asks_sign(BPF_OP(i.code)),
		.may = may,
	};
}

static bool same_pair(const struct order *a, const struct order *b)
{
	return a->low == b->low && a->high == b->high && a->wide == b->wide;
}

/* Equality is the same with and without signs. */
static bool same_question(const struct order *known, const struct order *asked, u8 op)
{
	return known->may && same_pair(known, asked) &&
	       (known->sign == asked->sign || op == BPF_JEQ || op == BPF_JNE);
}

enum verdict order_decide(const struct order *o, struct insn i)
{
	struct order asked = statement(i);

	if (!asked.may || !same_question(o, &asked, BPF_OP(i.code)))
		return MAYBE;
	if (!(o->may & ~asked.may))
		return ALWAYS;
	return o->may & asked.may ? MAYBE : NEVER;
}

void order_learn(struct order *o, struct insn i, bool taken)
{
	struct order said = statement(i);

	if (!said.may || i.dst == i.src)
		return;
	if (!taken)
		said.may = ANY & (u8)~said.may;
	if (same_question(o, &said, BPF_OP(i.code)))
		o->may &= said.may;
	else
		*o = said;
}

bool order_equal(const struct order *a, const struct order *b)
{
	return a->may == b->may && (!a->may || (same_pair(a, b) && a->sign == b->sign));
}

bool order_covers(const struct order *outer, const struct order *inner)
{
	return inner->may && same_pair(outer, inner) && outer->sign == inner->sign &&
	       !(inner->may & ~outer->may);
}
