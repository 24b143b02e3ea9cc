/* Registers that are kept on the stack or in others for a while. */
#include "pattern.h"

/* Values on the stack that are only ever accessed in full, as compilers spill registers. */
static const struct {
	s16 off;
	u8 size;
} spills[NR_SPILLS] = {{-136, BPF_DW}, {-144, BPF_DW}, {-152, BPF_DW}, {-156, BPF_W}, {-160, BPF_W},
	{-168, BPF_DW}, {-176, BPF_DW}, {-180, BPF_W}};

void spill(struct gen *g, u8 reg, u32 slot)
{
	bld_store(g->b, spills[slot].size, BPF_REG_FP, spills[slot].off, reg);
}

void unspill(struct gen *g, u8 reg, u32 slot)
{
	bool is_signed = spills[slot].size == BPF_W && below(g, 4) == 0;

	bld_insn(g->b, (struct insn){.code = (u8)(BPF_LDX | spills[slot].size |
						  (is_signed ? BPF_MEMSX : BPF_MEM)),
			       .dst = reg & 15u,
			       .src = BPF_REG_FP,
			       .off = spills[slot].off});
}

void gen_spill(struct gen *g)
{
	u32 slot = below(g, NR_SPILLS);
	u8 reg = any_reg(g);

	switch (below(g, 4)) {
	case 0:
		spill(g, reg, slot);
		break;
	case 1:
		bld_store_imm(g->b, spills[slot].size, BPF_REG_FP, spills[slot].off, any_imm(g));
		break;
	case 2:
		unspill(g, reg, slot);
		op_reg(g, below(g, 2), any_op(g), any_reg(g), reg);
		maybe_kill(g, reg);
		break;
	default:
		unspill(g, reg, slot);
		bld_alu_imm(g->b, BPF_ADD, reg, any_imm(g));
		spill(g, reg, slot);
	}
}

/* Saved in another register or on the stack, used for something else, restored: in a loop, or entered in the middle. */
void gen_saved(struct gen *g)
{
	u8 saved = any_reg(g), in = any_reg(g), counter = BPF_REG_8;
	u32 slot = below(g, 2) ? below(g, 3) : ARRAY_LEN(spills);
	bool loops = g->loops == 0 && below(g, 2);
	label_t head = builder_label(g->b), middle = builder_label(g->b);

	if (loops)
		bld_alu_imm(g->b, BPF_MOV, counter, 3);
	if (slot < ARRAY_LEN(spills))
		spill(g, saved, slot);
	else
		bld_alu_reg(g->b, BPF_MOV, in, saved);
	builder_bind(g->b, loops ? head : middle);
	for (u32 n = 1 + below(g, 5); n > 0; n--) {
		u8 a = below(g, 2) ? saved : any_reg(g), b = below(g, 2) ? saved : any_reg(g);

		if (below(g, 8) == 0)
			bld_jmp_imm(g->b, BPF_JEQ, a, any_imm(g), loops ? middle : g->out);
		else if (below(g, 3) == 0)
			bld_load(g->b, BPF_DW, a, BPF_REG_9, 16);
		else if (below(g, 4) == 0)
			bld_const(g->b, a, any_value(g));
		else
			op_reg(g, below(g, 2), below(g, 3) ? any_op(g) : BPF_MOV, a, b);
	}
	if (slot < ARRAY_LEN(spills))
		unspill(g, saved, slot);
	else
		bld_alu_reg(g->b, BPF_MOV, saved, in);
	maybe_kill(g, below(g, 2) ? in : any_reg(g));
	if (loops) {
		builder_bind(g->b, middle);
		bld_alu_imm(g->b, BPF_ADD, counter, -1);
		bld_jmp_imm(g->b, BPF_JSGT, counter, 0, head);
	}
}
