/* Ways that meet again, loops, calls, rounds of callbacks; and what any piece of a program is. */
#include "random_gen.h"

/* Something that is so on one path only: a slot that is written, two numbers that are equal, a number's bound. Enough
 * instructions behind it that states are kept there. */
static void gen_one_path(struct gen *g)
{
	label_t skip = builder_label(g->b), out = builder_label(g->b);
	u8 a = BPF_REG_8, b = BPF_REG_9, pointer = BPF_REG_5;
	u32 what = random_below(g->r, 8);

	jump_if(g, skip);
	if (what == 0)
		bld_store_imm(g->b, BPF_B, BPF_REG_FP, -88, constant(g));
	else if (what < 5)
		bld_alu_reg(g->b, BPF_MOV, a, b);
	else
		gen_bound(g, a, random_below(g->r, 57), skip);
	builder_bind(g->b, skip);
	gen_fill(g);
	if (what == 0) {
		if (!random_below(g->r, 8))
			bld_load(g->b, BPF_B, number(g), BPF_REG_FP, -88);
		return;
	}
	if (what < 5)
		gen_bound(g, a, random_below(g->r, 57), out);
	bld_alu_reg(g->b, BPF_MOV, pointer, BPF_REG_FP);
	bld_alu_reg(g->b, BPF_ADD, pointer, !random_below(g->r, 6) ? b : a);
	if (what < 5 || !random_below(g->r, 4))
		bld_load(g->b, BPF_B, number(g), pointer, -64);
	builder_bind(g->b, out);
	bld_alu_imm(g->b, BPF_MOV, pointer, constant(g));
}

/* Two numbers are compared, perhaps one of them changes, and they are compared again. */
static void gen_twice(struct gen *g)
{
	label_t first = builder_label(g->b), second = builder_label(g->b);
	u8 a = BPF_REG_8, b = BPF_REG_9, wide = (u8)random_below(g->r, 2);

	if (wide)
		bld_jmp_reg(g->b, jump_op(g), a, b, first);
	else
		bld_jmp32_reg(g->b, jump_op(g), a, b, first);
	if (random_below(g->r, 2))
		gen_some(g, 1);
	builder_bind(g->b, first);
	if (random_below(g->r, 2))
		gen_fill(g);
	bool swap = random_below(g->r, 2);
	if (wide)
		bld_jmp_reg(g->b, jump_op(g), swap ? b : a, swap ? a : b, second);
	else
		bld_jmp32_reg(g->b, jump_op(g), swap ? b : a, swap ? a : b, second);
	gen_some(g, 1);
	builder_bind(g->b, second);
}

/* A loop of a few rounds, counted in a stack slot or register that the body doesn't touch. */
static void gen_loop(struct gen *g)
{
	label_t head = builder_label(g->b);
	s32 rounds = 1 + (s32)random_below(g->r, 6);

	bld_store_imm(g->b, BPF_DW, BPF_REG_FP, -72, 0);
	builder_bind(g->b, head);
	gen_some(g, 3);
	bld_load(g->b, BPF_DW, BPF_REG_0, BPF_REG_FP, -72);
	bld_alu_imm(g->b, BPF_ADD, BPF_REG_0, 1);
	bld_store(g->b, BPF_DW, BPF_REG_FP, -72, BPF_REG_0);
	bld_jmp_imm(g->b, random_below(g->r, 2) ? BPF_JLT : BPF_JSLT, BPF_REG_0, rounds, head);
}

void lend(struct gen *g)
{
	if (!g->lends_stack)
		return;
	bld_alu_reg(g->b, BPF_MOV, BPF_REG_1, BPF_REG_FP);
	bld_alu_imm(g->b, BPF_ADD, BPF_REG_1, -8 * (1 + (s32)random_below(g->r, 8)));
}

static void gen_call(struct gen *g)
{
	if (g->in_callee)
		return;
	for (u8 r = BPF_REG_1; r <= BPF_REG_5; r++)
		if (random_below(g->r, 2))
			bld_alu_imm(g->b, BPF_MOV, r, constant(g));
	lend(g);
	bld_call_local(g->b, g->callee);
	for (u8 r = BPF_REG_1; r <= BPF_REG_5; r++)
		bld_alu_imm(g->b, BPF_MOV, r, constant(g));
}

/* bpf_loop; what the rounds leave on the stack is read behind it. */
void gen_rounds(struct gen *g)
{
	u8 nr = number(g);

	if (g->in_callee)
		return;
	if (random_below(g->r, 2))
		bld_alu_imm(g->b, BPF_MOV, BPF_REG_1, (s32)random_below(g->r, 6));
	else
		bld_alu_reg(g->b, BPF_MOV, BPF_REG_1, nr);
	bld_alu32_imm(g->b, BPF_AND, BPF_REG_1, 15);
	bld_func(g->b, BPF_REG_2, g->callback);
	bld_alu_reg(g->b, BPF_MOV, BPF_REG_3, BPF_REG_FP);
	bld_alu_imm(g->b, BPF_ADD, BPF_REG_3, -8 * (1 + (s32)random_below(g->r, 8)));
	bld_alu_imm(g->b, BPF_MOV, BPF_REG_4, 0);
	bld_call(g->b, 181);
	for (u8 r = BPF_REG_1; r <= BPF_REG_5; r++)
		bld_alu_imm(g->b, BPF_MOV, r, constant(g));
	if (random_below(g->r, 2))
		bld_load(g->b, size(g), number(g), BPF_REG_FP,
			(s16)(-8 * (1 + (s32)random_below(g->r, 8))));
}

static void gen_one(struct gen *g)
{
	u32 n = random_below(g->r, g->calls_back ? 26 : 23);

	if (n < 6)
		gen_alu(g);
	else if (n < 9)
		gen_if(g);
	else if (n < 12)
		gen_stack(g);
	else if (n == 12)
		gen_loop(g);
	else if (n == 13)
		gen_call(g);
	else if (n == 14)
		gen_escape(g);
	else if (n == 15)
		gen_one_path(g);
	else if (n == 16)
		gen_twice(g);
	else if (n > 22)
		gen_rounds(g);
	else if (g->type == PROG_TYPE_RAW)
		gen_raw(g);
	else
		gen_packet(g);
}

void gen_some(struct gen *g, u32 nr)
{
	if (g->nesting > 2) {
		gen_alu(g);
		return;
	}
	g->nesting++;
	for (u32 n = 1 + random_below(g->r, nr); n--;)
		gen_one(g);
	g->nesting--;
}
