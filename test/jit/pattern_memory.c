/* Accesses beside each other, addresses that go along, memory that is loaded again. */
#include "pattern.h"

/* Base + index, with or without a scale. */
void gen_indexed(struct gen *g)
{
	static const u8 sizes[] = {BPF_B, BPF_H, BPF_W, BPF_DW};
	u8 index = any_reg(g), to = any_reg(g), size = sizes[below(g, 4)];
	u32 scale = below(g, 4);

	bld_alu_imm(g->b, BPF_AND, index, (s32)(0x7f >> scale));
	if (scale)
		bld_alu_imm(g->b, BPF_LSH, index, (s32)scale);
	bld_alu_reg(g->b, BPF_ADD, index, BPF_REG_9);
	bld_insn(g->b, (struct insn){.code = (u8)(BPF_LDX | size |
						  (size != BPF_DW && below(g, 3) == 0 ? BPF_MEMSX
										      : BPF_MEM)),
			       .dst = to & 15u,
			       .src = index & 15u,
			       .off = (s16)(below(g, 2) * 8)});
	maybe_kill(g, index);
}

void gen_pair(struct gen *g)
{
	u8 size = below(g, 2) ? BPF_DW : BPF_W, base = below(g, 2) ? BPF_REG_9 : BPF_REG_FP;
	s16 bytes = size == BPF_DW ? 8 : 4,
	    start = (s16)(bytes * (2 + (s32)below(g, 12)) + (below(g, 5) == 0));
	s16 first = base == BPF_REG_FP ? (s16)-start : start,
	    second = (s16)(below(g, 2) ? first + bytes : first - bytes);

	if (below(g, 3) == 0) {
		u8 copy = any_reg(g);

		bld_alu_reg(g->b, BPF_MOV, copy, base);
		bld_load(g->b, size, copy, copy, first);
		bld_load(g->b, size, any_reg(g), base, second);
	} else if (below(g, 2)) {
		bld_load(g->b, size, any_reg(g), base, first);
		bld_load(g->b, size, any_reg(g), base, second);
	} else {
		for (unsigned i = 0; i < 2; i++)
			if (below(g, 2))
				bld_store(g->b, size, base, i ? second : first, any_reg(g));
			else
				bld_store_imm(g->b, size, base, i ? second : first, any_imm(g));
	}
}

static u8 other_than(struct gen *g, u8 reg)
{
	return (u8)((reg + 1 + below(g, g->nr_work - 1u)) % g->nr_work);
}

/* Loads of neighbours with other things between them, stores too; at last one that overwrites their base. */
void gen_neighbours(struct gen *g)
{
	u8 base = any_reg(g), size = below(g, 3) ? BPF_DW : BPF_W;
	s16 bytes = size == BPF_DW ? 8 : 4;

	bld_alu_reg(g->b, BPF_MOV, base, BPF_REG_9);
	bld_alu_imm(g->b, BPF_ADD, base, 64);
	for (u32 n = 3 + below(g, 8); n > 0; n--) {
		u8 from = below(g, 2) ? base : BPF_REG_9;
		s16 off = (s16)(bytes * (s32)below(g, 4));

		if (below(g, 2))
			bld_load(g->b, size, other_than(g, base), from, off);
		else if (below(g, 8) == 0)
			bld_store(g->b, size, from, off, any_reg(g));
		else if (below(g, 4))
			op_reg(g, below(g, 3), any_op(g), other_than(g, base), any_reg(g));
		else
			op_reg(g, below(g, 3), BPF_MOV, other_than(g, base), any_reg(g));
	}
	bld_load(g->b, size, any_reg(g), base, 8);
	maybe_kill(g, base);
}

/* A register that goes along memory, with copies of it and what it became at the end. */
void gen_walk(struct gen *g)
{
	static const u8 sizes[] = {BPF_B, BPF_H, BPF_W, BPF_DW};
	static const s32 steps[] = {8, 4, 1, 2, -8, 16, 64, -4};
	u8 base = any_reg(g), copy = other_than(g, base), size = sizes[below(g, 4)];
	s32 at = 64;

	bld_alu_reg(g->b, BPF_MOV, base, BPF_REG_9);
	bld_alu_imm(g->b, BPF_ADD, base, at);
	for (u32 n = 3 + below(g, 8); n > 0; n--) {
		s16 off = (s16)(below(g, 4) ? 0 : 8);
		s32 step = steps[below(g, ARRAY_LEN(steps))];

		switch (below(g, 6)) {
		case 0:
			bld_store(g->b, size, base, off, other_than(g, base));
			break;
		case 1:
			bld_alu_reg(g->b, BPF_MOV, copy, base);
			bld_alu_reg(g->b, BPF_SUB, copy, BPF_REG_9);
			break;
		case 2:
			op_reg(g, below(g, 2), any_op(g), other_than(g, base), other_than(g, base));
			break;
		default:
			bld_load(g->b, size, other_than(g, base), base, off);
		}
		if (below(g, 2) || at + step < 0 || at + step > MEM_BYTES - 16)
			continue;
		bld_alu_imm(g->b, BPF_ADD, base, step);
		at += step;
	}
	if (below(g, 2)) {
		label_t over = builder_label(g->b);

		bld_jmp_imm(g->b, BPF_JGT, other_than(g, base), 5, over);
		bld_alu_imm(g->b, BPF_ADD, copy, 1);
		builder_bind(g->b, over);
	}
	bld_alu_reg(g->b, BPF_SUB, base, BPF_REG_9);
}

/* Two loads beside each other, the first of which loads the second's base. */
void gen_chain(struct gen *g)
{
	u8 base = any_reg(g);

	bld_alu_reg(g->b, BPF_MOV, base, BPF_REG_9);
	bld_alu_imm(g->b, BPF_ADD, base, 24);
	bld_store(g->b, BPF_DW, BPF_REG_9, 128, base);
	bld_alu_reg(g->b, BPF_MOV, base, BPF_REG_9);
	bld_load(g->b, BPF_DW, base, base, 128);
	bld_load(g->b, BPF_DW, any_reg(g), base, below(g, 2) ? 120 : 136);
}

/* What was stored is loaded again, whole or in part; the same register or another one. */
void gen_reload(struct gen *g)
{
	static const u8 sizes[] = {BPF_B, BPF_H, BPF_W, BPF_DW};
	u32 store = below(g, 4), load = below(g, 5) ? below(g, store + 1) : below(g, 4);
	u8 src = any_reg(g), base = below(g, 2) ? BPF_REG_9 : BPF_REG_FP;
	s16 off = base == BPF_REG_9 ? 64 : -64;

	if (below(g, 4) == 0)
		bld_alu_reg(g->b, BPF_MOV, src, any_reg(g));
	bld_store(g->b, sizes[store], base, off, src);
	bld_load(g->b, sizes[load], below(g, 2) ? src : any_reg(g), base, off);
	maybe_kill(g, src);
}

void gen_swapped_load(struct gen *g)
{
	u8 reg = any_reg(g), size = below(g, 3) ? BPF_H : BPF_W;

	bld_load(g->b, size, reg, BPF_REG_9, (s16)below(g, MEM_BYTES - 8));
	bld_insn(g->b,
		(struct insn){.code = below(g, 2) ? BPF_ALU | BPF_END | BPF_X : BPF_ALU64 | BPF_END,
			.dst = reg & 15u,
			.imm = 16 << below(g, 3)});
}
