/* Operations whose result is made in the home of another register: in that of an operand that nobody needs any more, or where a
 * copy behind takes it. Until it is moved, if ever, the register that the instruction writes is a copy of that one. */
#include "jit/x86_64/fuse.h"

/* Instructions between an operation and the copy of its result, and between that and the jump that ends a loop. */
enum { BETWEEN_MAX = 4 };

static bool is_commutative(struct insn i)
{
	unsigned op = BPF_OP(i.code);

	return BPF_SRC(i.code) == BPF_X &&
	       (op == BPF_ADD || op == BPF_OR || op == BPF_AND || op == BPF_XOR || op == BPF_MUL);
}

/* dst op= src, both homes */
static void emit_op(struct jit *j, struct insn op, enum x86_reg dst, enum x86_reg src)
{
	if (BPF_OP(op.code) == BPF_MUL) {
		x86_imul(&j->code, fuse_width(op), dst, src);
		return;
	}
	x86_alu(&j->code, fuse_width(op), fuse_alu_ops[BPF_OP(op.code) >> 4], dst, src);
	x86_set_flags(j, fuse_width(op), dst);
}

/* dst = src; dst op= other, when src lives on and other doesn't: then the operation is on other, and dst a copy of that. */
u32 x86_op_on_dying(struct jit *j)
{
	struct insn move = *jit_insn(j, j->pc), op = fuse_ahead(j, 1);

	if (!fuse_is_move(move) || move.dst == move.src || !jit_may(j, JIT_DYING))
		return 0;
	if (!fuse_is_alu(op) || op.dst != move.dst || fuse_width(op) > fuse_width(move) ||
		!is_commutative(op) || fuse_is_delayed_sum(j, op))
		return 0;
	if (op.src == move.dst || op.src == move.src || !x86_is_home(j, op.src) ||
		jit_is_live(j, j->pc + 1, op.src))
		return 0;
	x86_take_spared(j, 2);
	x86_take_over(j, op.src, j->pc + 1);
	emit_op(j, op, x86_reg(op.src), x86_src(j, move.src));
	x86_done(j, 2);
	x86_set_copy(j, move.dst, op.src);
	return 2;
}

static u16 bits(unsigned a, unsigned b)
{
	return (u16)(1u << a | 1u << b);
}

/* Behind the copy at pc the loop goes on with the copy, and what it was copied from is for the way out, if at all. */
static bool only_copy_goes_on(struct jit *j, u32 pc, struct insn copy)
{
	u16 both = bits(copy.dst, copy.src);

	if (!jit_is_live(j, pc, copy.src))
		return true;
	for (u32 at = pc + 1; at <= pc + BETWEEN_MAX && jit_fusible(j, at); at++) {
		if (insn_is_cond_jump(*jit_insn(j, at))) {
			u32 to = jit_jump_target(j, at + x86_branch_insns(j, at) - 1);

			return to <= pc && (jit_live_in(j, to) & both) == 1u << copy.dst;
		}
		if (!fuse_is_alu(*jit_insn(j, at)) || j->effects[at].writes & both)
			return false;
	}
	return false;
}

/* The register that the result of the operation at j->pc is copied to, which is free until then but as its source; or
 * JIT_NR_REGS. */
static unsigned copied_to(struct jit *j, struct insn op)
{
	u16 touched = 0, dst = (u16)(1u << op.dst);

	for (u32 pc = j->pc + 1; pc <= j->pc + BETWEEN_MAX && jit_fusible(j, pc); pc++) {
		struct insn i = *jit_insn(j, pc);
		bool is_copy = fuse_is_move(i) && i.src == op.dst && i.dst != op.dst &&
			       fuse_width(i) >= fuse_width(op);

		if (is_copy && !(touched >> i.dst & 1))
			return only_copy_goes_on(j, pc, i) ? i.dst : JIT_NR_REGS;
		if (!fuse_is_alu(i) || j->effects[pc].writes & dst)
			return JIT_NR_REGS;
		touched |= j->effects[pc].reads | j->effects[pc].writes;
	}
	return JIT_NR_REGS;
}

/* What the operation can do for the copy. */
static bool has_form_into(struct insn op, unsigned to)
{
	if (BPF_SRC(op.code) == BPF_K)
		return fuse_has_move_form(op);
	return op.src == to ? is_commutative(op) : BPF_OP(op.code) == BPF_ADD && op.src != op.dst;
}

u32 x86_op_into_copy(struct jit *j)
{
	struct insn op = *jit_insn(j, j->pc);

	if (!fuse_is_alu(op) || !jit_may(j, JIT_COPIED) || !jit_may(j, JIT_DELAY) ||
		BPF_OP(op.code) == BPF_END || fuse_is_delayed_sum(j, op))
		return 0;
	bool by_reg = BPF_SRC(op.code) == BPF_X;
	if (!has_form_into(op, by_reg ? op.src : op.dst) && !has_form_into(op, op.dst))
		return 0;
	unsigned to = copied_to(j, op);
	if (to == JIT_NR_REGS || !has_form_into(op, to))
		return 0;
	enum x86_reg home = x86_reg(to), dst = x86_reg(op.dst);
	x86_take(j, 1);
	x86_take_over(j, to, j->pc);
	if (!by_reg)
		fuse_alu_imm_into(&j->code, op, home, dst);
	else if (op.src == to)
		emit_op(j, op, home, dst);
	else
		fuse_sum(&j->code, fuse_width(op), home, dst, x86_reg(op.src));
	x86_done(j, 1);
	x86_forget(j, to);
	x86_set_copy(j, op.dst, to);
	return 1;
}
