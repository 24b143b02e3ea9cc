/* Loops around other pieces: what a round leaves for the next one, and where it is entered. */
#include "pattern.h"

/* The end of a round, whose result the next one begins with in another register. */
static void gen_carry(struct gen *g, u8 from, u8 to)
{
	static const u8 ops[] = {BPF_ADD, BPF_SUB, BPF_MUL, BPF_AND, BPF_LSH, BPF_XOR};
	bool is_64 = below(g, 3) == 0;
	u8 op = ops[below(g, ARRAY_LEN(ops))];

	if (below(g, 2))
		op_reg(g, is_64, below(g, 2) ? BPF_XOR : op, from, below(g, 2) ? to : any_reg(g));
	else
		op_imm(g, is_64, op, from, op == BPF_LSH ? (s32)below(g, 4) : any_imm(g));
	if (below(g, 3) == 0)
		op_reg(g, below(g, 2), any_op(g), any_reg(g), any_reg(g));
	op_reg(g, below(g, 4) ? is_64 : !is_64, BPF_MOV, to, from);
	if (below(g, 3) == 0)
		bld_alu_imm(g->b, BPF_ADD, any_reg(g), any_imm(g));
}

/* A few rounds, with operations on long constants and whatever else; sometimes entered in the middle. */
void gen_loop(struct gen *g)
{
	static const u8 ops[] = {BPF_ADD, BPF_XOR, BPF_MUL, BPF_AND, BPF_OR, BPF_SUB};
	u8 counter = g->loops == 0 ? BPF_REG_7 : BPF_REG_8;
	label_t head = builder_label(g->b), test = builder_label(g->b), out = builder_label(g->b);
	u8 from = any_reg(g), to = any_reg(g);
	bool carries = below(g, 2);

	if (g->loops == 2)
		return;
	g->loops++;
	bld_alu_imm(g->b, BPF_MOV, counter, 1 + (s32)below(g, 4));
	if (below(g, 3) == 0)
		bld_ja(g->b, test);
	builder_bind(g->b, head);
	if (carries && below(g, 3))
		bld_load(g->b, BPF_W, from, BPF_REG_9, (s16)below(g, MEM_BYTES - 8));
	for (u32 n = below(g, 4); n > 0; n--) {
		if (below(g, 2)) {
			op_imm(g, below(g, 2), ops[below(g, ARRAY_LEN(ops))], any_reg(g),
				(s32)rnd(&g->seed));
		} else {
			gen_any(g);
		}
	}
	builder_bind(g->b, test);
	if (below(g, 2)) {
		u8 scratch = any_reg(g);

		bld_const(g->b, scratch, any_value(g));
		op_reg(g, below(g, 2), ops[below(g, ARRAY_LEN(ops))], any_reg(g), scratch);
	}
	if (carries)
		gen_carry(g, from, to);
	bld_alu_imm(g->b, BPF_ADD, counter, -1);
	if (below(g, 2)) {
		bld_jmp_imm(g->b, BPF_JSGT, counter, 0, head);
	} else {
		bld_jmp_imm(g->b, BPF_JSLE, counter, 0, out);
		bld_ja(g->b, head);
	}
	builder_bind(g->b, out);
	g->loops--;
}

static void gen_simple(struct gen *g)
{
	if (below(g, 3) == 0)
		bld_load(g->b, below(g, 2) ? BPF_DW : BPF_W, any_reg(g), BPF_REG_9, 24);
	else if (below(g, 2))
		op_reg(g, below(g, 2), BPF_MOV, any_reg(g), any_reg(g));
	else
		op_imm(g, below(g, 2), BPF_ADD, any_reg(g), any_imm(g));
}

/* A loop that begins with its test, to which jumps in it go back; they know more of registers than the test does where
 * everyone meets. */
void gen_while(struct gen *g)
{
	u8 counter = g->loops == 0 ? BPF_REG_7 : BPF_REG_8;
	label_t head = builder_label(g->b), body = builder_label(g->b), out = builder_label(g->b);

	if (g->loops == 2)
		return;
	g->loops++;
	bld_alu_imm(g->b, BPF_MOV, counter, 1 + (s32)below(g, 4));
	builder_bind(g->b, head);
	for (u32 n = below(g, 4); n > 0; n--)
		gen_simple(g);
	if (below(g, 2))
		bld_alu_imm(g->b, BPF_ADD, counter, -1);
	else
		bld_alu32_imm(g->b, BPF_ADD, counter, -1);
	if (below(g, 2)) {
		bld_jmp32_imm(g->b, BPF_JSLE, counter, 0, out);
	} else {
		bld_jmp32_imm(g->b, BPF_JSGT, counter, 0, body);
		bld_ja(g->b, out);
		builder_bind(g->b, body);
	}
	for (u32 n = below(g, 3); n > 0; n--) {
		label_t over = builder_label(g->b);

		gen_any(g);
		bld_jmp_reg(g->b, BPF_JGT, any_reg(g), any_reg(g), over);
		for (u32 m = below(g, 3); m > 0; m--)
			gen_simple(g);
		bld_ja(g->b, head);
		builder_bind(g->b, over);
	}
	for (u32 n = below(g, 4); n > 0; n--)
		gen_simple(g);
	bld_ja(g->b, head);
	builder_bind(g->b, out);
	g->loops--;
}
