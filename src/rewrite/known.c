#include "rewrite/known.h"

#include "rewrite/gen.h"
#include "verify/order.h"

static u16 bit(unsigned reg)
{
	return (u16)(1u << reg);
}

static bool is_constant(const struct known *k, unsigned reg)
{
	return k->constants & bit(reg);
}

static void set_constant(struct known *k, unsigned reg, u64 value, u32 pc)
{
	k->constants |= bit(reg);
	k->value[reg] = value;
	k->since[reg] = pc;
}

static void note_compared(struct known *k)
{
	k->compared = 0;
	for (u32 n = 0; n < k->nr_comparisons; n++)
		k->compared |= k->comparisons[n].regs;
}

/* Forgets what is about these registers. */
static void forget(struct known *k, u16 regs)
{
	u32 nr = 0;

	k->constants &= (u16)~regs;
	if (!(k->compared & regs))
		return;
	for (u32 n = 0; n < k->nr_comparisons; n++)
		if (!(k->comparisons[n].regs & regs))
			k->comparisons[nr++] = k->comparisons[n];
	k->nr_comparisons = nr;
	note_compared(k);
}

void known_meet(struct known *k, u32 first)
{
	u32 nr = 0;

	for (u16 left = k->constants; left; left &= (u16)(left - 1)) {
		unsigned reg = (unsigned)__builtin_ctz(left);

		if (k->since[reg] >= first)
			k->constants &= (u16)~bit(reg);
	}
	for (u32 n = 0; n < k->nr_comparisons; n++)
		if (k->comparisons[n].since < first)
			k->comparisons[nr++] = k->comparisons[n];
	if (nr == k->nr_comparisons)
		return;
	k->nr_comparisons = nr;
	note_compared(k);
}

void known_learn(struct known *k, struct insn jump, bool taken, u32 pc)
{
	u8 equal = taken ? BPF_JEQ : BPF_JNE;

	if (jump.code == (BPF_JMP | BPF_K | equal))
		set_constant(k, jump.dst, (u64)(s64)jump.imm, pc);
	if (k->nr_comparisons == KNOWN_COMPARISONS) {
		for (u32 n = 1; n < KNOWN_COMPARISONS; n++)
			k->comparisons[n - 1] = k->comparisons[n];
		k->nr_comparisons--;
		note_compared(k);
	}
	k->compared |= regs_read(jump);
	k->comparisons[k->nr_comparisons++] =
		(struct known_comparison){jump, taken, regs_read(jump), pc};
}

/* The operand that isn't dst, when it is known. */
static bool other_operand(const struct known *k, struct insn i, u64 *value)
{
	if (BPF_SRC(i.code) == BPF_X) {
		*value = k->value[i.src];
		return is_constant(k, i.src);
	}
	*value = (u64)(s64)i.imm;
	return true;
}

/* The result of a move or an operation; one known operand may be enough. */
static bool alu_result(const struct known *k, struct insn i, u64 *result)
{
	bool wide = BPF_CLASS(i.code) == BPF_ALU64, knows_src = other_operand(k, i, result);
	u8 op = BPF_OP(i.code);

	if (op == BPF_MOV) {
		*result = wide ? *result : (u32)*result;
		return knows_src && i.off == 0;
	}
	if (op == BPF_END || op == BPF_NEG)
		return false;
	bool zeroes = op == BPF_AND || op == BPF_MUL;
	bool knows_dst = is_constant(k, i.dst), knows_both = knows_src && knows_dst;
	if (!knows_both &&
		!(zeroes && ((knows_src && *result == 0) || (knows_dst && k->value[i.dst] == 0))))
		return false;
	struct scalar src = knows_src ? scalar_const(*result) : scalar_unknown();
	struct scalar dst = knows_dst ? scalar_const(k->value[i.dst]) : scalar_unknown();
	struct scalar r = wide ? scalar_alu64(op, i.off == 1, &dst, &src)
			       : scalar_alu32(op, i.off == 1, &dst, &src);
	*result = r.umin;
	return scalar_is_const(&r);
}

static bool result_of(
	const struct known *k, struct insn i, struct insn next, const struct fact *f, u64 *result)
{
	unsigned class = BPF_CLASS(i.code);

	*result = f->value;
	if (f->flags & FACT_DST_KNOWN)
		return true;
	if (class == BPF_ALU || class == BPF_ALU64)
		return alu_result(k, i, result);
	*result = (u64)(u32)next.imm << 32 | (u32)i.imm;
	return insn_is_ld_imm64(i) && i.src == LD_IMM64_VALUE;
}

void known_step(struct known *k, struct insn i, struct insn next, const struct fact *f, u32 pc)
{
	u16 written = regs_written(i);
	u64 result = 0;

	if (!written)
		return;
	bool constant = regs_only_result(i) && result_of(k, i, next, f, &result);
	forget(k, written);
	if (constant)
		set_constant(k, i.dst, result, pc);
}

/* What alu_result asks; of a zero that makes zero one operand is enough, whichever. */
static bool alu_before(struct insn i, u16 *regs)
{
	bool by_register = BPF_SRC(i.code) == BPF_X;
	u16 dst = bit(i.dst), src = by_register ? bit(i.src) : 0;

	switch (BPF_OP(i.code)) {
	case BPF_END:
	case BPF_NEG:
		return false;
	case BPF_MOV:
		*regs |= src;
		return i.off == 0;
	case BPF_AND:
	case BPF_MUL:
		*regs |= by_register || !i.imm ? 0 : dst;
		return true;
	default:
		*regs |= dst | src;
		return true;
	}
}

bool known_before(struct insn i, const struct fact *f, u16 *regs)
{
	unsigned class = BPF_CLASS(i.code);

	*regs &= (u16)~regs_written(i);
	if (f->flags & FACT_DST_KNOWN)
		return true;
	if (class == BPF_ALU || class == BPF_ALU64)
		return alu_before(i, regs);
	return insn_is_ld_imm64(i) && i.src == LD_IMM64_VALUE;
}

/* Equality is the same with and without signs. */
static bool asks_equality(struct insn jump)
{
	return BPF_OP(jump.code) == BPF_JEQ || BPF_OP(jump.code) == BPF_JNE;
}

static bool learnt_unequal(const struct known_comparison *c)
{
	return BPF_OP(c->jump.code) == (c->taken ? BPF_JNE : BPF_JEQ);
}

/* Of a register that is only known to be none of some numbers nothing is known as to another one. */
static bool says_nothing(const struct known *k, struct insn jump)
{
	if (!asks_equality(jump) || BPF_SRC(jump.code) == BPF_X || is_constant(k, jump.dst))
		return false;
	for (u32 n = 0; n < k->nr_comparisons; n++) {
		const struct known_comparison *c = &k->comparisons[n];

		if (c->jump.dst == jump.dst &&
			!(learnt_unequal(c) && BPF_SRC(c->jump.code) == BPF_K &&
				c->jump.imm != jump.imm))
			return false;
	}
	return true;
}

/* What the comparisons say about a register, and its being a constant; false: nothing. */
static bool number(const struct known *k, unsigned reg, struct scalar *out)
{
	struct scalar s = scalar_unknown();
	bool known = is_constant(k, reg);

	if (known)
		s = scalar_const(k->value[reg]);
	for (u32 n = 0; n < k->nr_comparisons && !is_constant(k, reg); n++) {
		struct insn jump = k->comparisons[n].jump;
		struct scalar before = s;
		u64 value;

		if (jump.dst != reg || !other_operand(k, jump, &value))
			continue;
		struct scalar other = scalar_const(value);
		/* What can't be: no path comes here, and anything is right. */
		if (!scalar_assume(BPF_OP(jump.code), BPF_CLASS(jump.code) == BPF_JMP,
			    k->comparisons[n].taken, &s, &other))
			s = before;
		known = true;
	}
	*out = s;
	return known;
}

static bool asks_signed(struct insn jump)
{
	u8 op = BPF_OP(jump.code);

	return op == BPF_JSLT || op == BPF_JSLE || op == BPF_JSGT || op == BPF_JSGE;
}

/* What comparisons of the same two registers say, with signs or without. */
static enum verdict decide_by_order(const struct known *k, struct insn jump, bool sign)
{
	u16 regs = regs_read(jump);
	struct order o = {0};

	for (u32 n = 0; n < k->nr_comparisons; n++) {
		struct insn before = k->comparisons[n].jump;

		if (k->comparisons[n].regs != regs || BPF_SRC(before.code) != BPF_X ||
			BPF_CLASS(before.code) != BPF_CLASS(jump.code) ||
			(!asks_equality(before) && asks_signed(before) != sign))
			continue;
		order_learn(&o, before, k->comparisons[n].taken);
		o.sign = sign;
	}
	return order_decide(&o, jump);
}

static enum verdict decide_registers(const struct known *k, struct insn jump)
{
	enum verdict v = decide_by_order(k, jump, asks_signed(jump));

	return v == MAYBE && asks_equality(jump) ? decide_by_order(k, jump, true) : v;
}

static bool same_question(struct insn a, struct insn b)
{
	return a.code == b.code && a.dst == b.dst && a.src == b.src && a.imm == b.imm;
}

enum verdict known_decide(const struct known *k, struct insn jump)
{
	u16 regs = regs_read(jump);
	bool by_register = BPF_SRC(jump.code) == BPF_X;

	if (regs & ~known_regs(k))
		return MAYBE;
	for (u32 n = 0; n < k->nr_comparisons; n++)
		if (same_question(k->comparisons[n].jump, jump))
			return k->comparisons[n].taken ? ALWAYS : NEVER;
	if (says_nothing(k, jump))
		return MAYBE;
	struct scalar dst, src = scalar_const((u64)(s64)jump.imm);
	enum verdict v = MAYBE;
	if (number(k, jump.dst, &dst) && (!by_register || number(k, jump.src, &src)))
		v = scalar_compare(BPF_OP(jump.code), BPF_CLASS(jump.code) == BPF_JMP, &dst, &src);
	return v == MAYBE && by_register ? decide_registers(k, jump) : v;
}

bool known_as_move(const struct known *k, struct insn i, struct insn *out)
{
	u64 value = k->value[i.dst];
	bool is_constant_move = BPF_OP(i.code) == BPF_MOV && BPF_SRC(i.code) == BPF_K &&
				(BPF_CLASS(i.code) == BPF_ALU || BPF_CLASS(i.code) == BPF_ALU64);

	if (!regs_only_result(i) || !is_constant(k, i.dst) || value != (u64)(s64)(s32)value ||
		insn_is_ld_imm64(i) || is_constant_move)
		return false;
	*out = gen_mov_imm(i.dst, (s32)value);
	return true;
}
