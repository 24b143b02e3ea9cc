/* Which instructions are held back, as sums, copies and constants. The rules are value.c's. */
#include "jit/clean.h"
#include "jit/x86_64/held.h"

static bool is_own(struct x86_mem v, unsigned reg)
{
	return x86_refers_to(v, x86_reg(reg));
}

/* The registers of v, other than reg, are at home? */
static bool others_are_home(const struct jit *j, struct x86_mem v, unsigned reg)
{
	u16 left = x86_state(j)->delayed & (u16)~x86_bit(reg);

	for (; left; left &= (u16)(left - 1))
		if (x86_refers_to(v, x86_reg((unsigned)__builtin_ctz(left))))
			return false;
	return true;
}

static void set(struct jit *j, unsigned reg, struct x86_mem v)
{
	struct x86_state *s = x86_state(j);
	bool is_home = x86_is_copy(v) && v.base == x86_reg(reg);

	if (is_home || !(jit_live_out(j, j->pc) & x86_bit(reg))) {
		s->delayed &= (u16)~x86_bit(reg);
		return;
	}
	s->values[reg] = v;
	s->delayed |= x86_bit(reg);
}

static bool add_disp(struct x86_mem *v, s64 by)
{
	s64 disp = v->disp + by;

	if (disp > SUM_MAX || disp < -SUM_MAX)
		return false;
	v->disp = (s32)disp;
	return true;
}

/* *sum = a + b as a single address. */
static bool add_values(struct x86_mem a, struct x86_mem b, struct x86_mem *sum)
{
	*sum = a;
	if (!add_disp(sum, b.disp))
		return false;
	if (x86_is_const(b))
		return true;
	if (x86_is_const(a)) {
		sum->base = b.base, sum->index = b.index, sum->scale = b.scale;
		return true;
	}
	/* One register more: as index, or as the base that only a scaled index has left free. */
	if (b.index == X86_NO_REG && a.index == X86_NO_REG) {
		sum->index = b.base, sum->scale = 0;
		return true;
	}
	if (b.index == X86_NO_REG && a.base == X86_NO_REG) {
		sum->base = b.base;
		return true;
	}
	if (a.index == X86_NO_REG && b.base == X86_NO_REG) {
		sum->index = b.index, sum->scale = b.scale;
		return true;
	}
	return false;
}

/* dst += v; everything that it is made of must be where v says. */
static bool delay_sum(struct jit *j, unsigned dst, struct x86_mem v)
{
	struct x86_mem sum;

	if (!add_values(x86_value_of(j, dst), v, &sum))
		return false;
	if (is_own(sum, dst) && x86_has_two(sum) && !others_are_home(j, sum, dst))
		return false;
	set(j, dst, sum);
	return true;
}

/* What another register takes over from src. A sum of two registers isn't computed twice. */
static struct x86_mem taken_over(struct jit *j, unsigned src)
{
	if (x86_has_two(x86_value_of(j, src)) && jit_live_out(j, j->pc) & x86_bit(src))
		x86_bring_home(j, src);
	return x86_value_of(j, src);
}

static bool delay_add_reg(struct jit *j, struct insn i)
{
	if (delay_sum(j, i.dst, taken_over(j, i.src)))
		return true;
	x86_bring_home(j, i.src);
	if (delay_sum(j, i.dst, x86_value_of(j, i.src)))
		return true;
	x86_bring_home(j, i.dst);
	return delay_sum(j, i.dst, x86_value_of(j, i.src));
}

/* dst = src, when src is a sum that dst is a part of, as a total ends a round of a loop: then the sum is made in dst's home,
 * and src is the copy, which the next round may not need. */
static bool swap_sum(struct jit *j, unsigned dst, unsigned src)
{
	struct x86_state *s = x86_state(j);
	struct x86_mem v = x86_value_of(j, src);

	if (!x86_has_two(v) || !is_own(v, dst) || !is_own(v, src) || src == dst ||
		!x86_at_home(j, dst) || !others_are_home(j, v, src))
		return false;
	s->delayed &= (u16)~x86_bit(src);
	x86_rescue(j, dst, NULL, s->needed);
	x86_rescue(j, src, NULL, s->needed);
	x86_emit_value(j, x86_reg(dst), v);
	s->values[src] = x86_at(x86_reg(dst), 0);
	s->delayed |= x86_bit(src);
	return true;
}

static bool delay_copy(struct jit *j, unsigned dst, unsigned src)
{
	struct x86_mem v = taken_over(j, src);

	if (is_own(v, dst) && x86_has_two(v) && dst != src && !others_are_home(j, v, dst)) {
		x86_bring_home(j, src);
		v = x86_value_of(j, src);
	}
	set(j, dst, v);
	return true;
}

static bool delay_shift(struct jit *j, unsigned reg, unsigned by)
{
	struct x86_mem v = x86_value_of(j, reg);

	if (v.base != X86_NO_REG && v.index == X86_NO_REG) {
		v.index = v.base, v.base = X86_NO_REG, v.scale = 0;
	} else if (v.base != X86_NO_REG) {
		return false;
	}
	s64 disp = (s64)v.disp << by;
	if ((v.index != X86_NO_REG && v.scale + by > 3) || disp > SUM_MAX || disp < -SUM_MAX)
		return false;
	v.scale += v.index != X86_NO_REG ? by : 0;
	v.disp = (s32)disp;
	set(j, reg, v);
	return true;
}

static bool delay_percpu(struct jit *j, struct insn i)
{
	struct x86_mem sum, base = x86_at(x86_percpu_reg(j), 0);

	if (j->opts->percpu != PERCPU_PINNED || !jit_may(j, JIT_PERCPU))
		return false;
	if (!add_values(base, x86_value_of(j, i.src), &sum)) {
		x86_bring_home(j, i.src);
		if (!add_values(base, x86_value_of(j, i.src), &sum))
			return false;
	}
	/* Its own home as operand is the only BPF register in it. */
	set(j, i.dst, sum);
	return true;
}

/* Moves all that there is in the source. */
static bool moves_whole(const struct jit *j, struct insn i)
{
	bool is_64 = i.code == (BPF_ALU64 | BPF_MOV | BPF_X);

	return (is_64 || (i.code == (BPF_ALU | BPF_MOV | BPF_X) &&
				 x86_state(j)->clean & x86_bit(i.src))) &&
	       i.off == 0;
}

static bool delay_move(struct jit *j, struct insn i)
{
	if (insn_is_percpu_mov(i))
		return delay_percpu(j, i);
	return moves_whole(j, i) && delay_copy(j, i.dst, i.src);
}

/* dst = src, where dst's home is what src is a copy of: nothing moves. */
static bool moves_back(const struct jit *j, struct insn i)
{
	struct x86_mem v = x86_value_of(j, i.src);

	return moves_whole(j, i) && x86_is_copy(v) && is_own(v, i.dst);
}

static bool delay_const(struct jit *j, struct insn i)
{
	if (BPF_CLASS(i.code) == BPF_ALU && i.imm < 0)
		return false;
	set(j, i.dst, x86_at(X86_NO_REG, i.imm));
	return true;
}

static bool delay_step(struct jit *j, unsigned reg, s64 by)
{
	struct x86_mem v = x86_value_of(j, reg);

	if (!add_disp(&v, by))
		return false;
	set(j, reg, v);
	return true;
}

static bool delay_alu(struct jit *j, struct insn i)
{
	switch (i.code) {
	case BPF_ALU64 | BPF_MOV | BPF_X:
	case BPF_ALU | BPF_MOV | BPF_X:
		return delay_move(j, i);
	case BPF_ALU64 | BPF_MOV | BPF_K:
	case BPF_ALU | BPF_MOV | BPF_K:
		return delay_const(j, i);
	case BPF_ALU64 | BPF_ADD | BPF_K:
		return delay_step(j, i.dst, i.imm);
	case BPF_ALU64 | BPF_SUB | BPF_K:
		return delay_step(j, i.dst, -(s64)i.imm);
	case BPF_ALU64 | BPF_ADD | BPF_X:
		return delay_add_reg(j, i);
	case BPF_ALU64 | BPF_LSH | BPF_K:
		return i.imm >= 1 && i.imm <= 3 && delay_shift(j, i.dst, (unsigned)i.imm);
	default:
		return false;
	}
}

/* A number above 32 bits isn't held back, since only a register can hold it. */
static bool delay_imm64(struct jit *j, struct insn low)
{
	u64 value = (u64)(u32)jit_insn(j, j->pc + 1)->imm << 32 | (u32)low.imm;

	if ((u64)(s64)(s32)value != value)
		return false;
	set(j, low.dst, x86_at(X86_NO_REG, (s32)value));
	return true;
}

void x86_note_clean(struct jit *j, u32 pc, u16 writes)
{
	struct x86_state *s = x86_state(j);
	bool clean = jit_result_is_clean(j, pc, s->clean);

	s->clean = (u16)(clean ? s->clean | writes : s->clean & ~writes);
}

u32 x86_delay(struct jit *j)
{
	struct insn i = *jit_insn(j, j->pc);
	u32 n = insn_is_ld_imm64(i) ? 2 : 1;

	if (!jit_may(j, JIT_DELAY) ||
		!(BPF_CLASS(i.code) == BPF_ALU64 || BPF_CLASS(i.code) == BPF_ALU || n == 2))
		return 0;
	u16 live = jit_live_out(j, j->pc);
	/* Nothing, so others may stay copies of what dst holds. */
	bool is_move = n == 2 || (BPF_OP(i.code) == BPF_MOV && !insn_is_percpu_mov(i));
	if (is_move && !(live & x86_bit(i.dst))) {
		x86_forget(j, i.dst);
		return n;
	}
	x86_state(j)->needed = jit_live_in(j, j->pc) | live;
	/* A result that isn't made from the old one: before it is known, since this may change where its operands are. */
	bool swaps =
		i.code == (BPF_ALU64 | BPF_MOV | BPF_X) && i.off == 0 && swap_sum(j, i.dst, i.src);
	if (!swaps && (n == 2 || (BPF_OP(i.code) == BPF_MOV && !moves_back(j, i))))
		x86_rescue(j, i.dst, NULL, live);
	bool delayed = swaps || (n == 2 ? delay_imm64(j, i) : delay_alu(j, i));
	if (!delayed)
		x86_state(j)->lost = 0; /* not yet */
	x86_forget_lost(j);
	if (!delayed)
		return 0;
	x86_note_clean(j, j->pc, j->effects[j->pc].writes);
	return n;
}
