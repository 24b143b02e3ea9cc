/* Numbers: arithmetic, comparisons, bounds learnt by them. */
#include "random_gen.h"

static const u8 numbers[] = {
	BPF_REG_0, BPF_REG_1, BPF_REG_2, BPF_REG_3, BPF_REG_4, BPF_REG_5, BPF_REG_8, BPF_REG_9};

u8 number(struct gen *g)
{
	return numbers[random_below(g->r, ARRAY_LEN(numbers))];
}

s32 constant(struct gen *g)
{
	static const s32 some[] = {0, 1, -1, 2, 3, 4, 7, 8, 15, 16, 31, 32, 63, 64, 255, 256,
		0xffff, 0x7fffffff, INT32_MIN, -2};

	if (random_below(g->r, 3))
		return some[random_below(g->r, ARRAY_LEN(some))];
	return random_below(g->r, 2) ? (s32)random_below(g->r, 80) : (s32)random_next(g->r);
}

u8 size(struct gen *g)
{
	static const u8 sizes[] = {BPF_B, BPF_H, BPF_W, BPF_DW};

	return sizes[random_below(g->r, ARRAY_LEN(sizes))];
}

u32 bytes_of(u8 size)
{
	return size == BPF_B ? 1 : size == BPF_H ? 2 : size == BPF_W ? 4 : 8;
}

void gen_alu(struct gen *g)
{
	static const u8 ops[] = {
		BPF_ADD,
		BPF_SUB,
		BPF_MUL,
		BPF_DIV,
		BPF_OR,
		BPF_AND,
		BPF_LSH,
		BPF_RSH,
		BPF_MOD,
		BPF_XOR,
		BPF_ARSH,
		BPF_MOV,
		BPF_ADD,
		BPF_AND,
		BPF_MOV,
		BPF_NEG,
		BPF_END,
	};
	u8 op = ops[random_below(g->r, ARRAY_LEN(ops))],
	   cls = random_below(g->r, 2) ? BPF_ALU64 : BPF_ALU;
	u8 dst = number(g), src = number(g);
	struct insn i = {.code = op | cls, .dst = dst & 0xfu};
	bool shift = op == BPF_LSH || op == BPF_RSH || op == BPF_ARSH,
	     divides = op == BPF_DIV || op == BPF_MOD;

	if (op == BPF_END) {
		i.imm = 16 << random_below(g->r, 3);
		if (cls == BPF_ALU)
			i.code |= random_below(g->r, 2) ? BPF_X : BPF_K;
	} else if (op != BPF_NEG) {
		i.imm = shift ? (s32)random_below(g->r, cls == BPF_ALU64 ? 64 : 32) : constant(g);
		if (divides && !i.imm)
			i.imm = 3;
		if (divides && !random_below(g->r, 4))
			i.off = 1;
		if (random_below(g->r, 2)) {
			i.code |= BPF_X;
			i.src = src & 0xfu;
			i.imm = 0;
			if (op == BPF_MOV && !random_below(g->r, 4))
				i.off = (s16)(8 << random_below(g->r, cls == BPF_ALU64 ? 3 : 2));
		}
	}
	bld_insn(g->b, i);
}

u8 jump_op(struct gen *g)
{
	static const u8 ops[] = {
		BPF_JEQ,
		BPF_JNE,
		BPF_JGT,
		BPF_JGE,
		BPF_JLT,
		BPF_JLE,
		BPF_JSGT,
		BPF_JSGE,
		BPF_JSLT,
		BPF_JSLE,
		BPF_JSET,
	};

	return ops[random_below(g->r, ARRAY_LEN(ops))];
}

void jump_if(struct gen *g, label_t to)
{
	u8 op = jump_op(g), reg = number(g);

	switch (random_below(g->r, 4)) {
	case 0:
		bld_jmp_imm(g->b, op, reg, constant(g), to);
		return;
	case 1:
		bld_jmp_reg(g->b, op, reg, number(g), to);
		return;
	case 2:
		bld_jmp32_imm(g->b, op, reg, constant(g), to);
		return;
	}
	bld_jmp32_reg(g->b, op, reg, number(g), to);
}

void gen_if(struct gen *g)
{
	label_t skip = builder_label(g->b), end = builder_label(g->b);
	bool both = random_below(g->r, 2);

	jump_if(g, skip);
	gen_some(g, 3);
	if (both)
		bld_ja(g->b, end);
	builder_bind(g->b, skip);
	if (both)
		gen_some(g, 2);
	builder_bind(g->b, end);
}

/* Leaves in `reg` a number that is probably at most `max`; may jump to `out` when it isn't. */
void gen_bound(struct gen *g, u8 reg, u32 max, label_t out)
{
	s32 m = (s32)max;

	switch (random_below(g->r, 8)) {
	case 0:
		bld_alu_imm(g->b, BPF_AND, reg, m);
		return;
	case 1:
		bld_alu_imm(g->b, BPF_MOD, reg, m + 1);
		return;
	case 2:
		bld_jmp_imm(g->b, BPF_JGT, reg, m, out);
		return;
	case 3:
		bld_jmp_imm(g->b, BPF_JSLT, reg, 0, out);
		bld_jmp_imm(g->b, BPF_JSGT, reg, m, out);
		return;
	case 4:
		bld_jmp32_imm(g->b, BPF_JGT, reg, m, out);
		if (random_below(g->r, 2))
			bld_alu32_reg(g->b, BPF_MOV, reg, reg);
		return;
	case 5:
		bld_jmp_imm(g->b, BPF_JGE, reg, m + 1, out);
		return;
	case 6:
		bld_alu32_imm(g->b, BPF_AND, reg, m);
		return;
	}
	bld_jmp32_imm(g->b, BPF_JSGT, reg, m, out);
	bld_jmp32_imm(g->b, BPF_JSLT, reg, 0, out);
	bld_alu32_reg(g->b, BPF_MOV, reg, reg);
}

void init_stack(struct gen *g)
{
	for (s16 off = -8; off >= -64; off = (s16)(off - 8))
		bld_store_imm(g->b, BPF_DW, BPF_REG_FP, off, constant(g));
}

void init_numbers(struct gen *g)
{
	for (u32 n = 0; n < ARRAY_LEN(numbers); n++)
		bld_alu_imm(g->b, BPF_MOV, numbers[n], constant(g));
	init_stack(g);
}
