/* Addresses in per-CPU ranges, near and far. */
#include "pattern.h"

const u32 region_offs[NR_REGIONS] = {
	0,
	64,
	248,
	256,
	4064,
	4096,
	16352,
	32736,
	32760,
	32768,
	65504,
	65536,
	1 << 20,
	(1 << 24) - 40,
	1 << 24,
	(1 << 24) + 4104,
};

static void gen_percpu_access(struct gen *g, u8 base)
{
	u8 value = any_reg(g);
	s16 off = (s16)(8 * below(g, 3));

	if (value == base)
		return;
	if (below(g, 4) == 0) {
		bld_insn(g->b, (struct insn){.code = BPF_STX | BPF_ATOMIC | BPF_DW,
				       .dst = base & 15u,
				       .src = value & 15u,
				       .off = off,
				       .imm = below(g, 2) ? BPF_ADD : BPF_AND | BPF_FETCH});
		return;
	}
	bld_load(g->b, BPF_DW, value, base, off);
	bld_alu_imm(g->b, BPF_ADD, value, 1);
	bld_store(g->b, BPF_DW, base, off, value);
}

void gen_percpu(struct gen *g)
{
	u8 from = any_reg(g), base = below(g, 2) ? from : any_reg(g);

	bld_const(g->b, from, region_offs[below(g, NR_REGIONS)]);
	if (below(g, 2)) { /* a value that no target sees through */
		bld_store(g->b, BPF_DW, BPF_REG_FP, -8, from);
		bld_load(g->b, BPF_DW, from, BPF_REG_FP, -8);
	}
	bld_insn(g->b, (struct insn){.code = BPF_ALU64 | BPF_MOV | BPF_X,
			       .dst = base & 15u,
			       .src = from & 15u,
			       .off = BPF_PERCPU_MOV_OFF});
	if (below(g, 3) == 0)
		bld_alu_imm(g->b, BPF_ADD, base, 8 * (s32)below(g, 2));
	for (u32 n = below(g, 4); n > 0; n--)
		gen_percpu_access(g, base);
	bld_const(g->b, base, any_value(g)); /* addresses differ between runs */
}
