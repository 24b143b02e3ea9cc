/* Jumps around moves, which instructions that select can take the place of. */
#include "pattern.h"

/* Up to three moves, and operations that a selecting instruction can do, among few registers. */
static void gen_moves(struct gen *g, u8 first)
{
	static const s32 imms[] = {0, 1, -1, 2, 77, -77};

	for (u32 n = below(g, 4); n > 0; n--) {
		u8 dst = (u8)(first + below(g, 3)), src = (u8)(first + below(g, 3));
		bool is_64 = below(g, 2);

		switch (below(g, 8)) {
		case 0:
			op_imm(g, is_64, BPF_MOV, dst, imms[below(g, ARRAY_LEN(imms))]);
			break;
		case 1:
			op_imm(g, is_64, BPF_ADD, dst, 1);
			break;
		case 2:
			op_imm(g, is_64, BPF_XOR, dst, -1);
			break;
		case 3:
			op_imm(g, is_64, BPF_NEG, dst, 0);
			break;
		case 4:
			spill(g, dst, below(g, 3));
			break;
		case 5:
			unspill(g, dst, below(g, 3));
			break;
		default:
			op_reg(g, is_64, BPF_MOV, dst, src);
		}
	}
}

/* Constants, copies and short values, then a jump whose ways are moves that meet again: behind the jump, around one another,
 * or one of them far off. Perhaps the register that is compared gets what another held before. */
void gen_ways(struct gen *g)
{
	static const u8 ops[] = {BPF_JEQ, BPF_JNE, BPF_JGT, BPF_JLT, BPF_JSGT, BPF_JSLE, BPF_JSET};
	label_t other = builder_label(g->b), meet = builder_label(g->b),
		start = builder_label(g->b);
	u8 first = (u8)below(g, g->nr_work - 2u), op = ops[below(g, ARRAY_LEN(ops))];
	u8 compared = any_reg(g), made = any_reg(g);
	u32 kind = below(g, 4);

	if (kind == 0) {
		bld_ja(g->b, start);
		builder_bind(g->b, other);
		gen_moves(g, first);
		bld_ja(g->b, meet);
		builder_bind(g->b, start);
	}
	gen_moves(g, first);
	if (below(g, 2))
		op_reg(g, below(g, 2), any_op(g), (u8)(first + below(g, 3)), any_reg(g));
	if (below(g, 2))
		op_reg(g, below(g, 2), any_op(g), made, any_reg(g));
	label_t to = kind == 3 ? meet : other;
	if (below(g, 2))
		bld_jmp_imm(g->b, op, compared, any_imm(g), to);
	else if (below(g, 2))
		bld_jmp32_imm(g->b, op, compared, any_imm(g), to);
	else
		bld_jmp_reg(g->b, op, compared, any_reg(g), to);
	gen_moves(g, first);
	if (kind == 1 || kind == 2) {
		bld_ja(g->b, meet);
		builder_bind(g->b, other);
		gen_moves(g, first);
	}
	builder_bind(g->b, meet);
	if (below(g, 3) == 0)
		op_reg(g, below(g, 2), BPF_MOV, any_reg(g), (u8)(first + below(g, 3)));
	maybe_kill(g, (u8)(first + below(g, 3)));
	if (below(g, 2)) {
		op_reg(g, below(g, 2), BPF_MOV, compared, made);
		maybe_kill(g, made);
	}
}
