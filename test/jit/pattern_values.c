/* Copies and what they were copied from, shifts that another operation can take along, products that are added, sums, halves. */
#include "pattern.h"

void gen_copy(struct gen *g)
{
	u8 copy = any_reg(g), from = any_reg(g);

	op_reg(g, below(g, 3), BPF_MOV, copy, from);
	if (below(g, 2))
		op_imm(g, below(g, 2), BPF_ADD, below(g, 2) ? copy : from, any_imm(g));
	if (below(g, 2))
		op_reg(g, below(g, 2), any_op(g), below(g, 2) ? copy : from, any_reg(g));
	maybe_kill(g, below(g, 2) ? copy : from);
}

void gen_shift(struct gen *g)
{
	static const u8 shifts[] = {BPF_LSH, BPF_RSH, BPF_ARSH};
	static const u8 takers[] = {BPF_ADD, BPF_SUB, BPF_OR, BPF_AND, BPF_XOR};
	bool is_64 = below(g, 2);
	u8 shifted = any_reg(g), other = any_reg(g);
	u32 bits = is_64 ? 64 : 32;

	if (below(g, 2))
		op_reg(g, below(g, 4), BPF_MOV, shifted, any_reg(g));
	op_imm(g, is_64, shifts[below(g, 3)], shifted, (s32)below(g, bits));
	if (below(g, 3) == 0)
		op_imm(g, is_64, shifts[below(g, 3)], below(g, 2) ? shifted : other,
			(s32)below(g, bits));
	if (below(g, 3) == 0)
		op_imm(g, is_64, BPF_AND, shifted, (1 << below(g, 12)) - 1);
	op_reg(g, below(g, 5) ? is_64 : !is_64, takers[below(g, 5)], other, shifted);
	maybe_kill(g, shifted);
}

/* An operation on a copy, whose other operand isn't needed any more, but maybe something made of it. */
void gen_dying(struct gen *g)
{
	static const u8 ops[] = {BPF_ADD, BPF_OR, BPF_AND, BPF_XOR, BPF_MUL, BPF_SUB};
	u8 dst = any_reg(g), src = any_reg(g), other = any_reg(g), third = any_reg(g);
	bool is_64 = below(g, 2);

	if (below(g, 2))
		bld_alu_reg(g->b, BPF_MOV, third, other);
	if (below(g, 2))
		bld_alu_imm(g->b, BPF_ADD, third, any_imm(g));
	op_reg(g, below(g, 4) ? is_64 : !is_64, BPF_MOV, dst, src);
	op_reg(g, is_64, ops[below(g, ARRAY_LEN(ops))], dst, other);
	if (below(g, 3) == 0)
		bld_alu_reg(g->b, BPF_ADD, third, dst);
	bld_const(g->b, below(g, 4) ? other : src, any_value(g));
	if (below(g, 2))
		op_reg(g, below(g, 2), any_op(g), dst, third);
}

void gen_rotate(struct gen *g)
{
	bool is_64 = below(g, 2), left_first = below(g, 2);
	u8 a = any_reg(g), b = any_reg(g);
	s32 bits = is_64 ? 64 : 32, n = 1 + (s32)below(g, (u32)bits - 1);

	op_reg(g, below(g, 4) ? is_64 : !is_64, BPF_MOV, a, b);
	op_imm(g, is_64, left_first ? BPF_LSH : BPF_RSH, a, n);
	if (below(g, 2))
		op_reg(g, below(g, 2), below(g, 2) ? BPF_XOR : any_op(g), any_reg(g),
			below(g, 2) ? b : any_reg(g));
	op_imm(g, is_64, left_first ? BPF_RSH : BPF_LSH, b, below(g, 5) ? bits - n : n);
	op_reg(g, is_64, below(g, 3) ? BPF_OR : BPF_ADD, b, a);
	maybe_kill(g, a);
}

void gen_product(struct gen *g)
{
	bool is_64 = below(g, 2);
	u8 product = any_reg(g), sum = any_reg(g);

	if (below(g, 2))
		op_reg(g, is_64, BPF_MUL, product, any_reg(g));
	else
		op_imm(g, is_64, BPF_MUL, product, any_imm(g));
	op_reg(g, below(g, 4) ? is_64 : !is_64, below(g, 2) ? BPF_ADD : BPF_SUB, sum, product);
	maybe_kill(g, product);
}

/* Sums that later ones build on, with steps of their operands in between, and who reads which of them. */
void gen_sums(struct gen *g)
{
	for (u32 n = 2 + below(g, 8); n > 0; n--) {
		u8 a = any_reg(g), b = any_reg(g);

		switch (below(g, 6)) {
		case 0:
			bld_alu_reg(g->b, BPF_MOV, a, b);
			break;
		case 1:
			bld_alu_reg(g->b, BPF_ADD, a, b);
			break;
		case 2:
			bld_alu_imm(g->b, below(g, 2) ? BPF_ADD : BPF_SUB, a, any_imm(g));
			break;
		case 3:
			bld_alu_imm(g->b, BPF_LSH, a, (s32)below(g, 4));
			break;
		case 4:
			bld_alu32_reg(g->b, BPF_MOV, a, b);
			break;
		default:
			op_reg(g, below(g, 2), any_op(g), a, b);
		}
	}
}

/* A constant that one shifted addition multiplies by, and operations on a register and itself shifted. */
void gen_shifted_self(struct gen *g)
{
	static const u8 ops[] = {BPF_XOR, BPF_ADD, BPF_OR, BPF_AND, BPF_SUB};
	bool is_64 = below(g, 2);
	u8 shifted = any_reg(g), other = any_reg(g);
	u32 bits = is_64 ? 64 : 32;

	op_reg(g, below(g, 4) ? is_64 : !is_64, BPF_MOV, shifted, other);
	op_imm(g, is_64, below(g, 2) ? BPF_LSH : BPF_RSH, shifted, (s32)below(g, bits));
	if (below(g, 2))
		op_reg(g, is_64, ops[below(g, 5)], shifted, other);
	else
		op_reg(g, is_64, ops[below(g, 5)], other, shifted);
	if (below(g, 2))
		op_imm(g, is_64, BPF_MUL, other, (1 << below(g, 12)) + (s32)below(g, 3) - 1);
	if (below(g, 2))
		op_reg(g, is_64, BPF_ADD, shifted, other);
	maybe_kill(g, shifted);
}

/* r6 is written by what leaves its upper half zero, and now and then by what nearly does. It is moved, as a whole or half,
 * also where paths meet. */
void gen_half(struct gen *g)
{
	static const u8 ops[] = {BPF_ADD, BPF_SUB, BPF_MUL, BPF_XOR, BPF_MOV, BPF_OR};
	static const u8 sizes[] = {BPF_B, BPF_H, BPF_W};
	label_t meet = builder_label(g->b);
	bool wide = below(g, 12) == 0;

	if (g->nr_work == NR_WORK)
		return;
	if (below(g, 2))
		bld_jmp_imm(g->b, BPF_JSGT, any_reg(g), any_imm(g), meet);
	if (wide)
		bld_alu_reg(g->b, BPF_MOV, BPF_REG_6, any_reg(g));
	switch (below(g, 5)) {
	case 0:
		op_reg(g, wide, ops[below(g, ARRAY_LEN(ops))], BPF_REG_6, any_reg(g));
		break;
	case 1:
		op_imm(g, wide, ops[below(g, ARRAY_LEN(ops))], BPF_REG_6, any_imm(g));
		break;
	case 2:
		bld_load(g->b, wide ? BPF_DW : sizes[below(g, 3)], BPF_REG_6, BPF_REG_9,
			(s16)below(g, MEM_BYTES - 8));
		break;
	case 3:
		bld_alu_imm(g->b, BPF_RSH, BPF_REG_6, wide ? 31 : 32);
		break;
	default:
		bld_alu_imm(g->b, BPF_AND, BPF_REG_6, wide ? -2 : 0xffff);
	}
	builder_bind(g->b, meet);
	op_reg(g, below(g, 4) == 0, BPF_MOV, any_reg(g), BPF_REG_6);
	if (below(g, 2))
		op_reg(g, false, BPF_MOV, BPF_REG_6, any_reg(g));
}
