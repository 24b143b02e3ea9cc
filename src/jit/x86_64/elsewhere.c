/* Operations whose result is made in the home of another register: in that of an operand that nobody needs any more, or where a
 * copy behind takes it. Until it is moved, if ever, the register that the instruction writes is a copy of that one. */
#include <errno.h>

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
	struct insn move = *jit_insn(j, j->pc);

	if (!fuse_is_move(move) || move.dst == move.src || !jit_may(j, JIT_DYING))
		return 0;
	struct insn op = fuse_ahead(j, 1);
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

/* What the operation can do for the copy. */
static bool has_form_into(struct insn op, unsigned to)
{
	if (BPF_SRC(op.code) == BPF_K)
		return fuse_has_move_form(op);
	return op.src == to ? is_commutative(op) : BPF_OP(op.code) == BPF_ADD && op.src != op.dst;
}

/* Behind `end`, in the same block, the last instruction that writes one of these; or 0. All others there are arithmetic. */
static u32 last_write(const struct jit *j, u32 end, u16 regs)
{
	for (u32 pc = end; pc-- > 0 && end - pc <= BETWEEN_MAX && jit_fusible(j, pc + 1);) {
		if (!fuse_is_alu(*jit_insn(j, pc)))
			return 0;
		if (j->effects[pc].writes & regs)
			return pc;
	}
	return 0;
}

static bool is_touched(const struct jit *j, u32 start, u32 end, unsigned reg)
{
	u16 touched = 0;

	for (u32 pc = start; pc < end; pc++)
		touched |= j->effects[pc].reads | j->effects[pc].writes;
	return touched >> reg & 1;
}

/* A loop ends at pc. Does a move before that say with which register it goes on, while what that was copied from is for the
 * way out, if at all? Then the copied register's operation may go there. */
static void mark_loop(struct jit *j, u32 pc, u32 to, u8 *into)
{
	u16 live = jit_live_in(j, to);

	for (u32 at = pc; at > 0;) {
		at = last_write(j, at, UINT16_MAX);
		struct insn copy = *jit_insn(j, at);
		if (!at || pc - at > BETWEEN_MAX)
			return;
		if (!fuse_is_move(copy) || (live & bits(copy.dst, copy.src)) != 1u << copy.dst ||
			copy.dst == copy.src || last_write(j, pc, bits(copy.dst, copy.src)) != at)
			continue;
		u32 op_at = last_write(j, at, (u16)(1u << copy.src));
		struct insn op = *jit_insn(j, op_at);
		if (op_at && fuse_width(copy) >= fuse_width(op) && BPF_OP(op.code) != BPF_END &&
			!fuse_is_delayed_sum(j, op) && has_form_into(op, copy.dst) &&
			!is_touched(j, op_at + 1, at, copy.dst))
			into[op_at - jit_subprog(j)->start] = copy.dst + 1u;
	}
}

void x86_mark_loops(struct jit *j)
{
	struct x86_state *s = x86_state(j);

	if (!j->has_loops || !jit_may(j, JIT_COPIED) || !jit_may(j, JIT_DELAY))
		return;
	s->into = arena_array(&j->arena, jit_subprog(j)->end - jit_subprog(j)->start, 1);
	if (!s->into)
		return jit_fail(j, j->pc, ENOMEM, "out of memory");
	for (u32 pc = jit_subprog(j)->start; pc < jit_subprog(j)->end; pc++) {
		struct insn i = *jit_insn(j, pc);

		if (i.off >= 0 || (BPF_CLASS(i.code) != BPF_JMP && BPF_CLASS(i.code) != BPF_JMP32))
			continue;
		/* The way back, or a jump over it. */
		u32 jump = insn_is_ja(i) ? pc - 1 : pc;
		if (jump < pc && (!jit_fusible(j, pc) || x86_branch_insns(j, jump) == 1))
			continue;
		if (insn_is_cond_jump(*jit_insn(j, jump)))
			mark_loop(j, jump, jit_jump_target(j, pc), s->into);
	}
}

u32 x86_op_into_copy(struct jit *j)
{
	const u8 *into = x86_state(j)->into;
	u32 at = j->pc - jit_subprog(j)->start;

	if (!into || !into[at])
		return 0;
	unsigned to = into[at] - 1u;
	struct insn op = *jit_insn(j, j->pc);
	enum x86_reg home = x86_reg(to), dst = x86_reg(op.dst);
	x86_take(j, 1);
	x86_take_over(j, to, j->pc);
	if (BPF_SRC(op.code) == BPF_K)
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
