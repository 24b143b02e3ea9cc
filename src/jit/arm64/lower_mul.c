/* Products and quotients. */
#include "jit/arm64/alu.h"

static void read_operands(struct jit *j, const struct alu *i, unsigned *rn, unsigned *rm)
{
	if (!i->is_const) {
		a64_read_two(j, i->w, i->dst, i->src, rn, rm);
		return;
	}
	*rn = a64_read(j, i->w, i->dst, A64_TMP2);
	*rm = a64_const_reg(j, i->w, i->value, A64_TMP);
}

/* A product that is only added to (or taken from) another register by the next instruction. */
static bool lower_multiply_add(struct jit *j, const struct alu *i, unsigned rn, unsigned rm)
{
	u32 next = a64_of(j)->next;

	if (!a64_fusible(j, next))
		return false;
	struct insn add = *jit_insn(j, next);
	if (BPF_CLASS(add.code) != (i->w ? BPF_ALU64 : BPF_ALU) || BPF_SRC(add.code) != BPF_X)
		return false;
	if ((BPF_OP(add.code) != BPF_ADD && BPF_OP(add.code) != BPF_SUB) || add.src != i->dst ||
		add.dst == i->dst)
		return false;
	if (a64_live_out(j, next) & 1u << i->dst || a64_of(j)->values[add.dst].kind != VALUE_HOME)
		return false;
	a64_take_next(j);
	unsigned ra = a64_home(j, add.dst);
	enum a64_dp3 op = BPF_OP(add.code) == BPF_ADD ? A64_MADD : A64_MSUB;
	a64_emit(j, a64_dp3(i->w, op, a64_write(j, add.dst), rn, rm, ra));
	return true;
}

/* x * (2^n + 1) is x + (x << n). */
static bool lower_multiply_by_sum(struct jit *j, const struct alu *i)
{
	if (!jit_may(j, JIT_MULTIPLY_BY_SUM) || i->value < 3 || !a64_is_power_of_two(i->value - 1))
		return false;
	unsigned rn = a64_read(j, i->w, i->dst, A64_TMP);
	a64_emit(j, a64_addsub_reg(i->w, A64_ADD, a64_write(j, i->dst), rn, rn, A64_LSL,
			    (unsigned)__builtin_ctzll(i->value - 1)));
	return true;
}

void a64_lower_mul(struct jit *j, const struct alu *i)
{
	unsigned rn, rm;

	if (i->is_const && i->value == 0) {
		a64_alu_const(j, i, 0);
		return;
	}
	if (i->is_const && a64_is_power_of_two(i->value)) {
		a64_hold_shift(j, i, A64_LSL, (unsigned)__builtin_ctzll(i->value));
		return;
	}
	if (i->is_const && lower_multiply_by_sum(j, i))
		return;
	read_operands(j, i, &rn, &rm);
	if (!lower_multiply_add(j, i, rn, rm))
		a64_emit(j, a64_dp3(i->w, A64_MADD, a64_write(j, i->dst), rn, rm, A64_ZR));
}

/* The hardware already divides as BPF wants: x / 0 = 0, and so x % 0 = x - 0 * 0; the overflowing quotient wraps. */
void a64_lower_divide(struct jit *j, const struct alu *i)
{
	bool is_signed = i->off == 1, modulo = i->op == BPF_MOD;
	enum a64_dp2 op = is_signed ? A64_SDIV : A64_UDIV;
	unsigned rn, rm;

	if (i->is_const && !is_signed && a64_is_power_of_two(i->value)) {
		struct alu simple = *i;
		simple.op = BPF_AND;
		simple.value = i->value - 1;
		if (modulo)
			a64_lower_logic_const(j, &simple);
		else
			a64_hold_shift(j, i, A64_LSR, (unsigned)__builtin_ctzll(i->value));
		return;
	}
	read_operands(j, i, &rn, &rm);
	unsigned rd = a64_write(j, i->dst), quotient = modulo ? A64_TMP3 : rd;
	a64_emit(j, a64_dp2(i->w, op, quotient, rn, rm));
	if (modulo)
		a64_emit(j, a64_dp3(i->w, A64_MSUB, rd, quotient, rm, rn));
}
