/* AND, OR, XOR: with the shortest form of a constant, together with shifts, and with the jump behind. */
#include "jit/arm64/alu.h"

static enum a64_logic logic_op(const struct alu *i)
{
	return i->op == BPF_AND ? A64_AND : i->op == BPF_OR ? A64_ORR : A64_EOR;
}

/* dst >> n & low ones: one bitfield extract. */
static bool lower_extract_bits(struct jit *j, const struct alu *i)
{
	struct value v = a64_of(j)->values[i->dst];

	if (i->op != BPF_AND || v.kind != VALUE_SHIFT || v.shift != A64_LSR || v.width != i->w)
		return false;
	if (i->value == 0 || i->value & (i->value + 1))
		return false;
	unsigned top = (unsigned)v.amount + (unsigned)__builtin_popcountll(i->value) - 1;
	if (top >= a64_bits_of(i->w))
		top = a64_bits_of(i->w) - 1;
	unsigned rn = a64_home(j, v.src);
	a64_emit(
		j, a64_bitfield(i->w, A64_UBFM, a64_write(j, i->dst), rn, (unsigned)v.amount, top));
	return true;
}

/* What a logic operation with all zeros or all ones comes to; false: something else. */
static bool lower_logic_trivial(struct jit *j, const struct alu *i)
{
	u64 ones = a64_normalise(i->w, UINT64_MAX);

	if (i->value != 0 && i->value != ones)
		return false;
	bool keeps = i->op == BPF_AND ? i->value == ones : i->value == 0;
	if (keeps) {
		a64_alu_unchanged(j, i);
	} else if (i->op == BPF_XOR) {
		unsigned rn = a64_read(j, i->w, i->dst, A64_TMP);
		a64_emit(j,
			a64_logic_reg(i->w, A64_ORN, a64_write(j, i->dst), A64_ZR, rn, A64_LSL, 0));
	} else {
		a64_alu_const(j, i, i->value);
	}
	return true;
}

void a64_lower_logic_const(struct jit *j, const struct alu *i)
{
	enum a64_width w = i->w;
	u32 field;

	if (lower_logic_trivial(j, i) || lower_extract_bits(j, i))
		return;
	bool immediate = a64_bitmask(w, i->value, &field);
	/* AND with an upper half of zeros is a 32-bit operation, which has patterns of its own. */
	if (!immediate && i->op == BPF_AND && i->value <= UINT32_MAX) {
		w = A64_W;
		immediate = a64_bitmask(w, i->value, &field);
	}
	unsigned rn = a64_read(j, w, i->dst, A64_TMP2);
	unsigned rm = immediate ? A64_ZR : a64_const_reg(j, w, i->value, A64_TMP);
	unsigned rd = a64_write(j, i->dst);
	if (immediate)
		a64_emit(j, a64_logic_imm(w, logic_op(i), rd, rn, field));
	else
		a64_emit(j, a64_logic_reg(w, logic_op(i), rd, rn, rm, A64_LSL, 0));
}

void a64_lower_logic(struct jit *j, const struct alu *i)
{
	struct value v;
	unsigned rn, rm;

	if (i->op == BPF_AND &&
		a64_lower_and_jump(j, i->w, i->dst, i->src, i->is_const ? &i->value : NULL))
		return;
	if (i->is_const && i->op == BPF_AND && i->w == A64_X &&
		a64_lower_masked_pair(j, i->dst, i->value))
		return;
	if (i->is_const) {
		a64_lower_logic_const(j, i);
	} else if (a64_lower_extract(j, i)) {
		return;
	} else if (a64_takes_any_shift(j, i, &rn, &v)) {
		rm = a64_home(j, v.src);
		a64_emit(j, a64_logic_reg(i->w, logic_op(i), a64_write(j, i->dst), rn, rm, v.shift,
				    (unsigned)v.amount));
	} else {
		a64_read_two(j, i->w, i->dst, i->src, &rn, &rm);
		a64_emit(j,
			a64_logic_reg(i->w, logic_op(i), a64_write(j, i->dst), rn, rm, A64_LSL, 0));
	}
}
