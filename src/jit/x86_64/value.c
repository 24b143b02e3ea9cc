/* What each BPF register holds while its code isn't emitted yet: a sum of two host registers, one of them scaled, and a
 * constant. So sums become addressing modes, copies are read where they came from, constants become immediates, steps of
 * a loop counter add up, and what nobody reads is never made.
 *
 * A value may refer to the homes of other registers, and of its own ("own": the home still holds the operand). Rules:
 * - A register whose value is neither at home nor own has nobody that refers to its home.
 * - An own value with a second register refers to one that is at home when the value is set.
 * So a register can be brought home when those who refer to its home are brought home before, and that ends: each of
 * them is either not own, or was set earlier. Of an own value that only adds a constant the others can be corrected. */
#include "jit/x86_64/held.h"

void x86_values_reset(struct jit *j)
{
	x86_state(j)->delayed = 0;
	x86_state(j)->lost = 0;
	x86_state(j)->clean = jit_may(j, JIT_CLEAN) ? jit_subprog(j)->clean : 0;
	x86_state(j)->place_reg = JIT_NR_REGS;
}

void x86_emit_moves(struct buf *b, enum x86_reg home, struct x86_mem v)
{
	if (x86_is_const(v) && v.disp == 0)
		x86_mov_imm32(b, home, 0);
	else if (x86_is_const(v))
		x86_load_const(b, home, (u64)(s64)v.disp);
	else if (x86_is_copy(v))
		x86_mov(b, X86_64, home, v.base);
	else
		x86_lea(b, X86_64, home, x86_shorter(v));
}

/* The jump that is being emitted, or one that comes soon, needs them as they are. */
static bool flags_are_wanted(const struct jit *j)
{
	const struct x86_state *s = x86_state(j);

	return s->flags_end == jit_offset(j) && j->pc <= s->flags_wanted;
}

void x86_emit_value(struct jit *j, enum x86_reg home, struct x86_mem v)
{
	struct buf *b = &j->code;
	u32 start = jit_offset(j);
	bool adds = v.disp == 0 && v.scale == 0 && x86_has_two(v);

	if (x86_is_const(v) && v.disp == 0 && !flags_are_wanted(j)) {
		x86_load_const(b, home, 0);
		return;
	}
	if (x86_is_const(v) || x86_is_copy(v) || flags_are_wanted(j)) {
		x86_emit_moves(b, home, v);
		x86_keep_flags(j, start, home);
		return;
	}
	if (v.base == home && v.index == X86_NO_REG) {
		x86_add_const(b, X86_64, home, v.disp);
	} else if (adds && (v.base == home || v.index == home)) {
		x86_alu(b, X86_64, X86_ADD, home, v.base == home ? v.index : v.base);
	} else if (v.index == home && v.base == X86_NO_REG && v.disp == 0) {
		x86_shift_imm(b, X86_64, X86_SHL, home, v.scale);
	} else {
		x86_lea(b, X86_64, home, x86_shorter(v));
		x86_keep_flags(j, start, home);
		return;
	}
	x86_set_flags(j, X86_64, home);
}

/* The home of reg is about to get home + by: the other value means the same then. */
static bool correct(struct x86_mem *v, enum x86_reg home, s32 by)
{
	s64 disp = v->disp;

	if (v->base == home)
		disp -= by;
	if (v->index == home)
		disp -= (s64)by << v->scale;
	if (disp > SUM_MAX || disp < -SUM_MAX)
		return false;
	v->disp = (s32)disp;
	return true;
}

void x86_rescue(struct jit *j, unsigned reg, const s32 *by, u16 needed)
{
	struct x86_state *s = x86_state(j);

	for (u16 left = s->delayed & (u16)~x86_bit(reg); left; left &= (u16)(left - 1)) {
		unsigned other = (unsigned)__builtin_ctz(left);

		/* Another may have brought it home. */
		if (x86_at_home(j, other) || !x86_refers_to(s->values[other], x86_reg(reg)))
			continue;
		if (!(needed & x86_bit(other)))
			s->lost |= x86_bit(other);
		else if (!by || !correct(&s->values[other], x86_reg(reg), *by))
			x86_bring_home(j, other);
	}
}

void x86_bring_home(struct jit *j, unsigned reg)
{
	struct x86_state *s = x86_state(j);
	struct x86_mem v = s->values[reg];
	bool steps = v.base == x86_reg(reg) && v.index == X86_NO_REG;

	if (x86_at_home(j, reg))
		return;
	x86_rescue(j, reg, steps ? &v.disp : NULL, s->needed);
	s->delayed &= (u16)~x86_bit(reg);
	x86_emit_value(j, x86_reg(reg), v);
}

void x86_bring_all_home(struct jit *j, u16 regs)
{
	for (regs &= x86_state(j)->delayed; regs; regs &= (u16)(regs - 1))
		x86_bring_home(j, (unsigned)__builtin_ctz(regs));
}

void x86_forget_lost(struct jit *j)
{
	struct x86_state *s = x86_state(j);

	s->delayed &= (u16)~s->lost;
	s->lost = 0;
}
