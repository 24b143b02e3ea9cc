/* What jumps ask about, where they lead, and whom they meet there. */
#include "pattern.h"

/* A conditional jump over a jump, and jumps that meet jumps; the registers it asks about may be delayed. */
void gen_jump_over(struct gen *g)
{
	static const u8 ops[] = {BPF_JEQ, BPF_JNE, BPF_JGT, BPF_JSLE, BPF_JSET, BPF_JLT};
	label_t over = builder_label(g->b), far = builder_label(g->b), hop = builder_label(g->b),
		end = builder_label(g->b);
	u8 asked = any_reg(g), other = any_reg(g);

	if (below(g, 2))
		bld_alu_reg(g->b, BPF_MOV, asked, other);
	if (below(g, 2))
		op_imm(g, below(g, 2), below(g, 2) ? BPF_LSH : BPF_RSH, below(g, 3) ? other : asked,
			(s32)below(g, 32));
	if (below(g, 2))
		op_imm(g, below(g, 2), BPF_LSH, asked, (s32)below(g, 32));
	if (below(g, 2))
		bld_jmp_imm(g->b, ops[below(g, 6)], asked, any_imm(g), over);
	else
		bld_jmp_reg(g->b, ops[below(g, 6)], asked, any_reg(g), over);
	bld_ja(g->b, far);
	builder_bind(g->b, over);
	bld_alu_imm(g->b, BPF_XOR, other, any_imm(g));
	bld_jmp_imm(g->b, ops[below(g, 6)], any_reg(g), any_imm(g), hop);
	maybe_kill(g, asked);
	bld_ja(g->b, end);
	builder_bind(g->b, hop);
	bld_ja(g->b, below(g, 2) ? end : far);
	builder_bind(g->b, far);
	bld_alu_imm(g->b, BPF_ADD, asked, any_imm(g));
	builder_bind(g->b, end);
}

/* An operation whose result a jump asks about, with copies and sums in between. */
void gen_last_op(struct gen *g)
{
	static const u8 ops[] = {BPF_ADD, BPF_SUB, BPF_AND};
	u8 reg = any_reg(g), out_of = any_reg(g);
	label_t out = builder_label(g->b);

	if (below(g, 2))
		bld_alu_reg(g->b, BPF_MOV, any_reg(g), reg);
	if (below(g, 3) == 0)
		bld_alu_imm(g->b, BPF_ADD, reg, 8);
	op_imm(g, below(g, 2), ops[below(g, 3)], reg, below(g, 2) ? any_imm(g) : -1);
	for (u32 n = below(g, 4); n > 0; n--)
		op_reg(g, below(g, 3), below(g, 2) ? BPF_MOV : BPF_ADD, any_reg(g), any_reg(g));
	if (below(g, 2))
		bld_jmp_imm(g->b, below(g, 2) ? BPF_JEQ : BPF_JNE, reg, 0, out);
	else
		bld_jmp32_imm(g->b, below(g, 2) ? BPF_JEQ : BPF_JNE, reg, 0, out);
	if (below(g, 2))
		bld_store(g->b, BPF_DW, BPF_REG_9, 16, any_reg(g));
	maybe_kill(g, out_of);
	builder_bind(g->b, out);
	maybe_kill(g, reg);
}

/* The end of a loop that compares what its counter was, or is, or something made of it. */
void gen_count(struct gen *g)
{
	static const u8 ops[] = {BPF_JEQ, BPF_JNE, BPF_JGT, BPF_JLT, BPF_JSGE};
	u8 counter = any_reg(g), copy = any_reg(g), other = any_reg(g);
	label_t out = builder_label(g->b);

	bld_alu_reg(g->b, BPF_MOV, copy, counter);
	if (below(g, 2))
		bld_alu_reg(g->b, BPF_ADD, other, counter);
	bld_alu_imm(g->b, BPF_ADD, counter, any_imm(g));
	if (below(g, 2))
		bld_jmp_imm(g->b, ops[below(g, 5)], below(g, 2) ? copy : counter, any_imm(g), out);
	else
		bld_jmp_reg(g->b, ops[below(g, 5)], below(g, 2) ? copy : other, any_reg(g), out);
	if (below(g, 2))
		bld_store(g->b, BPF_DW, BPF_REG_9, 8, below(g, 2) ? copy : other);
	maybe_kill(g, copy);
	builder_bind(g->b, out);
	maybe_kill(g, copy);
	maybe_kill(g, below(g, 2) ? other : counter);
}

void gen_bit_test(struct gen *g)
{
	bool is_64 = below(g, 2);
	u8 reg = any_reg(g), other = any_reg(g);
	label_t over = builder_label(g->b);
	s32 mask = below(g, 2) ? 1 << below(g, 31) : any_imm(g);

	if (below(g, 3) == 0) {
		bld_alu_reg(g->b, BPF_MOV, reg, other);
		op_imm(g, is_64, BPF_RSH, other, (s32)below(g, 32));
	}
	if (below(g, 2))
		op_imm(g, is_64, BPF_RSH, reg, (s32)below(g, 32));
	if (below(g, 4) == 0)
		op_reg(g, is_64, BPF_AND, reg, other);
	else
		op_imm(g, is_64, BPF_AND, reg, mask);
	if (below(g, 3))
		bld_jmp_imm(g->b, below(g, 2) ? BPF_JEQ : BPF_JNE, reg, 0, over);
	else
		bld_jmp32_imm(g->b, below(g, 2) ? BPF_JEQ : BPF_JNE, reg, 0, over);
	bld_const(g->b, below(g, 3) ? reg : other, any_value(g));
	builder_bind(g->b, over);
	maybe_kill(g, reg);
}

/* A result, and a way out that others share. */
void gen_exit(struct gen *g)
{
	static const u8 ops[] = {BPF_JEQ, BPF_JGT, BPF_JSLT, BPF_JSET};
	label_t over = builder_label(g->b);

	if (below(g, 2))
		bld_alu_imm(g->b, BPF_MOV, BPF_REG_0, any_imm(g));
	bld_jmp_imm(g->b, ops[below(g, 4)], any_reg(g), any_imm(g), below(g, 3) ? over : g->out);
	if (below(g, 2))
		op_reg(g, below(g, 2), any_op(g), BPF_REG_0, any_reg(g));
	else
		bld_const(g->b, BPF_REG_0, any_value(g));
	if (below(g, 3) == 0)
		bld_ja(g->b, g->out);
	builder_bind(g->b, over);
}

/* Comparisons that lead to one place, with a little arithmetic between them. */
void gen_compares(struct gen *g)
{
	static const u8 ops[] = {BPF_JEQ, BPF_JNE, BPF_JGT, BPF_JGE, BPF_JLT, BPF_JLE, BPF_JSGT,
		BPF_JSGE, BPF_JSLT, BPF_JSLE, BPF_JSET};
	label_t there = builder_label(g->b);
	u8 scratch = any_reg(g);

	for (u32 n = 2 + below(g, 3); n > 0; n--) {
		u8 op = below(g, 2) ? ops[below(g, 2)] : ops[below(g, ARRAY_LEN(ops))];
		u8 reg = below(g, 2) ? scratch : any_reg(g);

		if (below(g, 2))
			bld_const(g->b, scratch, any_value(g));
		if (below(g, 3) == 0)
			op_reg(g, below(g, 2), any_op(g), scratch, any_reg(g));
		if (below(g, 3) == 0)
			op_imm(g, below(g, 2), below(g, 2) ? BPF_LSH : BPF_AND, scratch,
				(s32)below(g, 32));
		if (below(g, 6) == 0) {
			label_t over = builder_label(g->b);

			bld_jmp_imm(g->b, op, reg, any_imm(g), over);
			bld_ja(g->b, there);
			builder_bind(g->b, over);
		} else if (below(g, 2)) {
			bld_jmp_imm(g->b, op, reg, any_imm(g), there);
		} else if (below(g, 2)) {
			bld_jmp32_imm(g->b, op, reg, any_imm(g), there);
		} else {
			bld_jmp_reg(g->b, op, any_reg(g), scratch, there);
		}
	}
	maybe_kill(g, scratch);
	bld_alu_imm(g->b, BPF_ADD, any_reg(g), 7);
	builder_bind(g->b, there);
	maybe_kill(g, scratch);
}

/* The same comparison asked again, and results that a branch chooses. */
void gen_choice(struct gen *g)
{
	static const u8 ops[] = {BPF_JEQ, BPF_JNE, BPF_JGT, BPF_JLT, BPF_JSGT, BPF_JSLE, BPF_JSET};
	u8 op = ops[below(g, ARRAY_LEN(ops))], asked = any_reg(g), other = any_reg(g),
	   to = any_reg(g);
	label_t over = builder_label(g->b), end = builder_label(g->b);
	s32 imm = any_imm(g);
	bool by_reg = below(g, 2);

	if (by_reg)
		bld_jmp_reg(g->b, op, asked, other, over);
	else
		bld_jmp_imm(g->b, op, asked, imm, over);
	if (below(g, 3))
		op_reg(g, below(g, 3), BPF_MOV, to, any_reg(g));
	else
		op_imm(g, below(g, 2), below(g, 2) ? BPF_MOV : BPF_ADD, to, (s32)below(g, 3) - 1);
	if (below(g, 4) == 0)
		bld_ja(g->b, end);
	builder_bind(g->b, over);
	if (below(g, 3) == 0)
		op_imm(g, below(g, 2), BPF_ADD, any_reg(g), 1);
	if (by_reg)
		bld_jmp_reg(g->b, below(g, 3) ? op : BPF_JGE, asked, other, end);
	else
		bld_jmp_imm(g->b, below(g, 3) ? op : BPF_JGE, asked, imm, end);
	op_imm(g, true, BPF_ADD, to, 3);
	builder_bind(g->b, end);
	maybe_kill(g, to);
}
