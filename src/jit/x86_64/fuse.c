/* Neighbours that are one instruction of the host: rotates, extensions, sums and products into another register. No jump
 * goes into the middle (jit_fusible), and a register that the shorter code doesn't set must be dead behind it. */
#include "jit/x86_64/fuse.h"

#include "jit/live.h"

bool fuse_may_go_first(const struct jit *j, u32 n)
{
	u16 reads = j->effects[j->pc].reads, writes = j->effects[j->pc].writes;
	struct jit_effect e = j->effects[j->pc + n];

	return fuse_is_alu(fuse_ahead(j, n)) && !(e.reads & writes) &&
	       !(e.writes & (reads | writes));
}

/* What the instruction at j->pc is about to write is nothing until then. */
void fuse_go_first(struct jit *j, u32 n)
{
	u32 at = j->pc;
	struct jit_effect e = j->effects[at];

	if (!(e.reads & e.writes))
		x86_forget(j, jit_insn(j, at)->dst);
	j->pc = at + n;
	if (!x86_delay(j)) {
		x86_take_one(j);
		x86_lower_alu(j);
		x86_done(j, 1);
	}
	j->pc = at;
	x86_state(j)->done_pc = at + n;
}

static bool is_const_shift(struct insn i)
{
	unsigned op = BPF_OP(i.code);

	return fuse_is_alu(i) && BPF_SRC(i.code) == BPF_K &&
	       (op == BPF_LSH || op == BPF_RSH || op == BPF_ARSH) && i.imm > 0 &&
	       i.imm < (fuse_width(i) == X86_64 ? 64 : 32);
}

/* A rotate is written as two copies of a value, shifted in opposite directions, and or'ed. */
struct rotate {
	struct insn first, second, join;
	bool has_between; /* an operation on others stands behind the first shift */
	u32 n;            /* instructions */
};

/* With the first copy being the move at j->pc, and a shift by a constant behind it. */
static bool find_rotate(const struct jit *j, struct insn move, struct rotate *r)
{
	struct insn next = fuse_ahead(j, 2);
	u32 at = 2;

	r->first = fuse_ahead(j, 1);
	/* Another copy of what is rotated is part of it. */
	r->has_between = r->first.dst == move.dst && fuse_may_go_first(j, 2) &&
			 !(fuse_is_move(next) && next.src == move.src);
	if (r->has_between)
		next = fuse_ahead(j, ++at);
	bool copies_again = r->first.dst == move.dst && fuse_is_move(next) && next.src == move.src;
	r->second = copies_again ? fuse_ahead(j, at + 1) : next;
	r->n = at + 2 + copies_again;
	if (!is_const_shift(r->second))
		return false;
	r->join = fuse_ahead(j, r->n - 1);
	u8 other = copies_again ? next.dst : r->first.dst == move.dst ? move.src : move.dst;
	bool moves_enough = fuse_width(move) >= fuse_width(r->first) &&
			    (!copies_again || fuse_width(next) >= fuse_width(r->first));
	return moves_enough && r->second.dst == other &&
	       (r->first.dst == move.dst || r->first.dst == move.src);
}

static bool is_rotate(const struct rotate *r)
{
	enum x86_width w = fuse_width(r->first);
	unsigned op = BPF_OP(r->join.code), a = BPF_OP(r->first.code), b = BPF_OP(r->second.code);
	bool opposite = (a == BPF_LSH && b == BPF_RSH) || (a == BPF_RSH && b == BPF_LSH);
	bool joins = fuse_is_alu(r->join) && BPF_SRC(r->join.code) == BPF_X &&
		     (op == BPF_OR || op == BPF_XOR || op == BPF_ADD) &&
		     ((r->join.dst == r->first.dst && r->join.src == r->second.dst) ||
			     (r->join.dst == r->second.dst && r->join.src == r->first.dst));

	return opposite && joins && fuse_width(r->second) == w && fuse_width(r->join) == w &&
	       r->first.imm + r->second.imm == (w == X86_64 ? 64 : 32);
}

static u32 fuse_rotate(struct jit *j, struct insn move)
{
	struct rotate r = {0};

	if (!jit_may(j, JIT_ROTATE) || !find_rotate(j, move, &r) || !is_rotate(&r) ||
		jit_is_live(j, j->pc + r.n - 1, r.join.src))
		return 0;
	enum x86_width w = fuse_width(r.first);
	if (r.has_between)
		fuse_go_first(j, 2);
	x86_take_result(j, r.n, r.join.dst);
	enum x86_reg dst = x86_reg(r.join.dst), src = x86_src(j, move.src);
	s32 left = BPF_OP(r.first.code) == BPF_LSH ? r.first.imm : r.second.imm;
	if (dst != src && x86_has_bmi2(j)) {
		x86_rorx(&j->code, w, dst, src, (w == X86_64 ? 64 : 32) - (unsigned)left);
		return r.n;
	}
	if (dst != src)
		x86_mov(&j->code, w, dst, src);
	x86_shift_imm(&j->code, w, X86_ROL, dst, (unsigned)left);
	return r.n;
}

/* At n: reg <<= bits, and at n + 1: reg >>= bits, that keep the lower 8, 16 or 32. */
static bool is_extension(const struct jit *j, u32 n, unsigned reg)
{
	if (!jit_may(j, JIT_EXTEND))
		return false;
	struct insn up = n ? fuse_ahead(j, n) : *jit_insn(j, j->pc);
	struct insn down = is_const_shift(up) ? fuse_ahead(j, n + 1) : (struct insn){0};
	s32 kept = (fuse_width(up) == X86_64 ? 64 : 32) - up.imm;

	return is_const_shift(up) && is_const_shift(down) && up.dst == reg && down.dst == reg &&
	       BPF_OP(up.code) == BPF_LSH && BPF_OP(down.code) != BPF_LSH &&
	       fuse_width(up) == fuse_width(down) && up.imm == down.imm &&
	       (kept == 8 || kept == 16 || kept == 32);
}

static void extend(struct jit *j, u32 n, enum x86_reg dst, enum x86_reg src)
{
	struct insn down = *jit_insn(j, j->pc + n + 1);
	enum x86_width w = fuse_width(down);
	s32 kept = (w == X86_64 ? 64 : 32) - down.imm;
	enum x86_size size = kept == 8 ? X86_M8 : kept == 16 ? X86_M16 : X86_M32;

	if (BPF_OP(down.code) == BPF_ARSH)
		x86_movsx(&j->code, w, size, dst, src);
	else if (size == X86_M32)
		x86_mov(&j->code, X86_32, dst, src);
	else
		x86_movzx(&j->code, size, dst, src);
}

void fuse_sum(struct buf *b, enum x86_width w, enum x86_reg dst, enum x86_reg a, enum x86_reg c)
{
	x86_lea(b, w, dst, x86_shorter(x86_indexed(a, c, 0, 0)));
}

bool fuse_has_move_form(struct insn i)
{
	u32 imm = (u32)i.imm;

	switch (BPF_OP(i.code)) {
	case BPF_ADD:
		return true;
	case BPF_SUB:
		return i.imm != INT32_MIN;
	case BPF_LSH:
		return imm >= 1 && imm <= 3;
	case BPF_MUL: /* a power of two, or its negative, is better as a shift */
		return (imm & (imm - 1)) && i.imm != -1;
	case BPF_AND:
		return imm == 0xff || imm == 0xffff;
	default:
		return false;
	}
}

void fuse_alu_imm_into(struct buf *b, struct insn i, enum x86_reg dst, enum x86_reg src)
{
	enum x86_width w = fuse_width(i);
	u32 imm = (u32)i.imm;

	switch (BPF_OP(i.code)) {
	case BPF_ADD:
		x86_lea(b, w, dst, x86_at(src, i.imm));
		return;
	case BPF_SUB:
		x86_lea(b, w, dst, x86_at(src, -i.imm));
		return;
	case BPF_LSH:
		x86_lea(b, w, dst, x86_shorter(x86_indexed(X86_NO_REG, src, imm, 0)));
		return;
	case BPF_MUL:
		if (imm == 3 || imm == 5 || imm == 9)
			x86_lea(b, w, dst,
				x86_indexed(src, src, (unsigned)__builtin_ctz(imm - 1), 0));
		else
			x86_imul_imm(b, w, dst, src, i.imm);
		return;
	default:
		x86_movzx(b, imm == 0xff ? X86_M8 : X86_M16, dst, src);
	}
}

bool fuse_is_delayed_sum(const struct jit *j, struct insn i)
{
	unsigned op = BPF_OP(i.code);

	return jit_may(j, JIT_DELAY) && fuse_width(i) == X86_64 &&
	       (op == BPF_ADD || op == BPF_SUB || op == BPF_LSH);
}

/* Some bits of a copy decide about a jump, and nothing else wants them. */
static u32 fuse_test(struct jit *j, struct insn move, struct insn op)
{
	struct insn jump = fuse_ahead(j, 2);
	bool asks = BPF_SRC(jump.code) == BPF_K && jump.imm == 0 && jump.dst == move.dst &&
		    (BPF_OP(jump.code) == BPF_JEQ || BPF_OP(jump.code) == BPF_JNE);

	if (!jit_may(j, JIT_TEST) || op.code != (BPF_CLASS(op.code) | BPF_AND | BPF_K) ||
		!insn_is_cond_jump(jump) || !asks || jit_is_live(j, j->pc + 2, move.dst))
		return 0;
	bool is_64 = fuse_width(op) == X86_64 && BPF_CLASS(jump.code) == BPF_JMP;
	x86_take_spared(j, 2 + x86_branch_insns(j, j->pc + 2));
	x86_test_bits(&j->code, is_64 ? X86_64 : X86_32, x86_src(j, move.src), op.imm);
	return 2 + x86_branch(j, j->pc + 2);
}

static u32 fuse_move(struct jit *j)
{
	struct insn move = *jit_insn(j, j->pc), op = fuse_ahead(j, 1);
	enum x86_reg dst = x86_reg(move.dst), src = x86_reg(move.src);

	if (!fuse_is_move(move) || dst == src)
		return 0;
	bool shifts = is_const_shift(op);
	u32 n = shifts ? fuse_rotate(j, move) : 0;
	if (n)
		return n;
	/* A 32-bit operation doesn't mind the upper half, a 64-bit one does. */
	if (!fuse_is_alu(op) || op.dst != move.dst || fuse_width(op) > fuse_width(move))
		return 0;
	if (shifts && is_extension(j, 1, move.dst)) {
		x86_take(j, 3);
		extend(j, 1, dst, src);
		return 3;
	}
	n = fuse_test(j, move, op);
	if (n)
		return n;
	if (!jit_may(j, JIT_MOVE_OP) || fuse_is_delayed_sum(j, op))
		return 0;
	if (BPF_SRC(op.code) == BPF_K) {
		if (!fuse_has_move_form(op))
			return 0;
		x86_take(j, 2);
		fuse_alu_imm_into(&j->code, op, dst, src);
		return 2;
	}
	if (BPF_OP(op.code) != BPF_ADD)
		return 0;
	x86_take(j, 2);
	fuse_sum(&j->code, fuse_width(op), dst, src, op.src == move.dst ? src : x86_reg(op.src));
	return 2;
}

static u32 fuse_shift(struct jit *j)
{
	struct insn up = *jit_insn(j, j->pc);

	if (!is_extension(j, 0, up.dst))
		return 0;
	x86_take(j, 2);
	extend(j, 0, x86_reg(up.dst), x86_reg(up.dst));
	return 2;
}

/* A register is 1 or 0, and unless the comparison holds becomes the other. */
static u32 fuse_select(struct jit *j)
{
	struct insn jump = *jit_insn(j, j->pc), move = fuse_ahead(j, 1);
	bool is_move = fuse_is_alu(move) && BPF_OP(move.code) == BPF_MOV &&
		       BPF_SRC(move.code) == BPF_K && (move.imm == 0 || move.imm == 1);
	bool reads = jump.dst == move.dst || (BPF_SRC(jump.code) == BPF_X && jump.src == move.dst);

	if (!jit_may(j, JIT_SELECT) || !is_move || reads ||
		jit_jump_target(j, j->pc) != j->pc + 2 ||
		!x86_is_delayed_const(j, move.dst, 1 - move.imm))
		return 0;
	enum x86_reg dst = x86_reg(move.dst);
	enum x86_cond cc = x86_condition(jump);
	x86_take_spared(j, 2);
	x86_compare(j, jump);
	x86_setcc(&j->code, move.imm ? cc ^ 1 : cc, dst);
	x86_movzx(&j->code, X86_M8, dst, dst);
	return 2;
}

/* The operation stands just before the jump that asks about its result, behind what came between and what must be at home
 * for the jump: processors take the two as one. */
u32 x86_last_op(struct jit *j)
{
	struct insn op = *jit_insn(j, j->pc);
	bool fits = fuse_is_alu(op) && BPF_SRC(op.code) == BPF_K &&
		    (BPF_OP(op.code) == BPF_ADD || BPF_OP(op.code) == BPF_SUB ||
			    BPF_OP(op.code) == BPF_AND);
	u32 at = j->pc, jump = fits && jit_may(j, JIT_LAST_OP) ? x86_jump_on_result(j) : 0;

	if (!jump)
		return 0;
	for (j->pc = at + 1; j->pc < jump;)
		j->pc += x86_lower_one(j);
	x86_prepare_jump(j, jump, op.dst);
	j->pc = at;
	x86_take_one(j);
	x86_lower_alu(j);
	x86_done(j, 1);
	j->pc = jump;
	u32 n = x86_lower_one(j);
	j->pc = at;
	return jump - at + n;
}

u32 x86_fuse(struct jit *j)
{
	static u32 (*const matchers[256])(struct jit * j) = {
		[BPF_ALU64 | BPF_MOV | BPF_X] = fuse_move,
		[BPF_ALU | BPF_MOV | BPF_X] = fuse_move,
		[BPF_ALU64 | BPF_LSH | BPF_K] = fuse_shift,
		[BPF_ALU | BPF_LSH | BPF_K] = fuse_shift,
		[BPF_LDX | BPF_MEM | BPF_B] = fuse_load,
		[BPF_LDX | BPF_MEM | BPF_H] = fuse_load,
		[BPF_LDX | BPF_MEM | BPF_W] = fuse_load,
		[BPF_LDX | BPF_MEM | BPF_DW] = fuse_load,
	};
	u32 (*match)(struct jit * j) = matchers[jit_insn(j, j->pc)->code];

	if (insn_is_cond_jump(*jit_insn(j, j->pc)))
		return fuse_select(j);

	return match ? match(j) : 0;
}
