#include "pattern.h"

u32 below(struct gen *g, u32 n)
{
	return rnd_below(&g->seed, n);
}

u8 any_reg(struct gen *g)
{
	return (u8)below(g, g->nr_work);
}

u64 any_value(struct gen *g)
{
	return below(g, 2) ? edges[below(g, (u32)nr_edges)] : rnd(&g->seed);
}

s32 any_imm(struct gen *g)
{
	return below(g, 2) ? edge_imms[below(g, (u32)nr_edge_imms)] : (s32)below(g, 64) - 16;
}

void maybe_kill(struct gen *g, u8 reg)
{
	if (below(g, 3))
		bld_const(g->b, reg, any_value(g));
}

void op_reg(struct gen *g, bool is_64, u8 op, u8 dst, u8 src)
{
	if (is_64)
		bld_alu_reg(g->b, op, dst, src);
	else
		bld_alu32_reg(g->b, op, dst, src);
}

void op_imm(struct gen *g, bool is_64, u8 op, u8 dst, s32 imm)
{
	if (is_64)
		bld_alu_imm(g->b, op, dst, imm);
	else
		bld_alu32_imm(g->b, op, dst, imm);
}

u8 any_op(struct gen *g)
{
	static const u8 ops[] = {BPF_ADD, BPF_SUB, BPF_OR, BPF_AND, BPF_XOR, BPF_MUL, BPF_DIV,
		BPF_MOD, BPF_LSH, BPF_RSH};

	return ops[below(g, ARRAY_LEN(ops))];
}

static void (*const kinds[])(struct gen *g) = {gen_copy, gen_shift, gen_rotate, gen_product,
	gen_last_op, gen_indexed, gen_pair, gen_neighbours, gen_walk, gen_chain, gen_reload,
	gen_jump_over, gen_percpu, gen_sums, gen_count, gen_swapped_load, gen_bit_test, gen_exit,
	gen_compares, gen_shifted_self, gen_choice, gen_dying, gen_ways, gen_while, gen_spill,
	gen_saved, gen_half, gen_half, gen_loop};

void gen_any(struct gen *g)
{
	kinds[below(g, ARRAY_LEN(kinds))](g);
}
