/* Accesses at computed offsets near the limits of memory, packets, the stack. */
#include "random_gen.h"

static void access(struct gen *g, u8 sz, u8 base, s16 off)
{
	u8 dst = number(g);
	struct insn sx = {.code = (u8)(BPF_LDX | BPF_MEMSX | sz),
		.dst = dst & 0xfu,
		.src = base & 0xfu,
		.off = off};

	switch (random_below(g->r, g->type == PROG_TYPE_PACKET ? 2 : 4)) {
	case 0:
		if (sz != BPF_DW) {
			bld_insn(g->b, sx);
			return;
		}
		break;
	case 2:
		bld_store(g->b, sz, base, off, number(g));
		return;
	case 3:
		bld_store_imm(g->b, sz, base, off, constant(g));
		return;
	}
	bld_load(g->b, sz, number(g), base, off);
}

/* base + bounded number + constant, up to one byte too far. */
static void gen_indexed(struct gen *g, u8 base, u32 bytes)
{
	label_t out = builder_label(g->b);
	u8 index = number(g), sz = size(g), pointer = index == BPF_REG_3 ? BPF_REG_4 : BPF_REG_3;
	u32 room = bytes - bytes_of(sz) + !random_below(g->r, 6);
	u32 max = bytes >= bytes_of(sz) ? random_below(g->r, room + 1) : 0;
	s16 off = (s16)(bytes >= bytes_of(sz) ? random_below(g->r, room - max + 1) : 0);
	u8 copy = number(g);

	if (random_below(g->r, 3) == 0)
		bld_alu_reg(g->b, BPF_MOV, copy, index); /* equal to what gets bounded */
	gen_bound(g, index, max, out);
	if (random_below(g->r, 3) == 0)
		gen_some(g, 2);
	bld_alu_reg(g->b, BPF_MOV, pointer, base);
	if (copy == pointer || random_below(g->r, 3))
		copy = index;
	bld_alu_reg(g->b, BPF_ADD, pointer, copy);
	access(g, sz, pointer, off);
	bld_alu_imm(g->b, BPF_MOV, pointer, constant(g));
	builder_bind(g->b, out);
	bld_alu_imm(g->b, BPF_MOV, pointer, 1);
}

static void gen_lent(struct gen *g)
{
	u8 sz = size(g);

	if (g->lends_stack)
		access(g, sz, BPF_REG_6,
			(s16)(bytes_of(sz) * random_below(g->r, 8 / bytes_of(sz))));
}

void gen_raw(struct gen *g)
{
	u8 sz = size(g);

	if (g->in_callee) {
		gen_lent(g);
		return;
	}
	if (random_below(g->r, 2) && g->mem_bytes >= bytes_of(sz))
		access(g, sz, BPF_REG_6, (s16)random_below(g->r, g->mem_bytes - bytes_of(sz) + 1));
	else
		gen_indexed(g, BPF_REG_6, g->mem_bytes);
}

/* Goes to `out` unless, more or less, pointer <= end. */
static void packet_check(struct gen *g, u8 pointer, label_t out)
{
	label_t ok = builder_label(g->b);
	u8 op = (u8[]){BPF_JGT, BPF_JGE, BPF_JLT, BPF_JLE}[random_below(g->r, 4)];
	bool swap = random_below(g->r, 2), away = (op == BPF_JGT || op == BPF_JGE) != swap;

	if (!random_below(g->r, 20))
		away = !away; /* the wrong way */
	if (away) {
		bld_jmp_reg(g->b, op, swap ? BPF_REG_7 : pointer, swap ? pointer : BPF_REG_7, out);
	} else {
		bld_jmp_reg(g->b, op, swap ? BPF_REG_7 : pointer, swap ? pointer : BPF_REG_7, ok);
		bld_ja(g->b, out);
	}
	builder_bind(g->b, ok);
}

void gen_packet(struct gen *g)
{
	label_t out = builder_label(g->b);
	u8 index = number(g), pointer = index == BPF_REG_4 ? BPF_REG_5 : BPF_REG_4, sz = size(g);
	u32 range = 1 + random_below(g->r, 40), room;

	if (g->in_callee) {
		gen_lent(g);
		return;
	}
	bld_alu_reg(g->b, BPF_MOV, pointer, BPF_REG_6);
	if (random_below(g->r, 2)) {
		gen_bound(g, index, random_below(g->r, 40), out);
		bld_alu_reg(g->b, BPF_ADD, pointer, index);
	}
	u8 start = index == BPF_REG_2 ? BPF_REG_3 : BPF_REG_2;
	bld_alu_reg(g->b, BPF_MOV, start, pointer);
	bld_alu_imm(g->b, BPF_ADD, pointer, (s32)range);
	packet_check(g, pointer, out);
	room = range + 1 > bytes_of(sz) ? range + 1 - bytes_of(sz) : 0;
	access(g, sz, start, (s16)random_below(g->r, room + 1));
	builder_bind(g->b, out);
	bld_alu_imm(g->b, BPF_MOV, pointer, constant(g));
	bld_alu_imm(g->b, BPF_MOV, start, constant(g));
}

void gen_stack(struct gen *g)
{
	u8 sz = size(g), reg = number(g);
	u32 bytes = bytes_of(sz);
	s16 off = (s16)(-(s32)(bytes * (1 + random_below(g->r, 64 / bytes))));

	switch (random_below(g->r, 5)) {
	case 0:
		bld_store(g->b, sz, BPF_REG_FP, off, reg);
		return;
	case 1:
		bld_store_imm(g->b, sz, BPF_REG_FP, off, constant(g));
		return;
	case 2:
		bld_load(g->b, sz, reg, BPF_REG_FP, off);
		return;
	case 3: /* spill, learn something, fill */
		bld_store(g->b, BPF_DW, BPF_REG_FP, -16, reg);
		gen_some(g, 2);
		bld_load(g->b, BPF_DW, number(g), BPF_REG_FP, -16);
		return;
	}
	label_t out = builder_label(g->b);
	u8 pointer = reg == BPF_REG_5 ? BPF_REG_4 : BPF_REG_5;
	gen_bound(g, reg, random_below(g->r, 57), out);
	bld_alu_reg(g->b, BPF_MOV, pointer, BPF_REG_FP);
	bld_alu_reg(g->b, BPF_ADD, pointer, reg);
	if (random_below(g->r, 2))
		bld_load(g->b, BPF_B, number(g), pointer, -64);
	else
		bld_store(g->b, BPF_B, pointer, -64, reg);
	builder_bind(g->b, out);
	bld_alu_imm(g->b, BPF_MOV, pointer, constant(g));
}

/* A stack address that is kept on the stack itself. */
void gen_escape(struct gen *g)
{
	u8 pointer = number(g), sz = size(g);

	bld_alu_reg(g->b, BPF_MOV, pointer, BPF_REG_FP);
	bld_alu_imm(g->b, BPF_ADD, pointer, -8 * (1 + (s32)random_below(g->r, 8)));
	bld_store(g->b, BPF_DW, BPF_REG_FP, -80, pointer);
	bld_alu_imm(g->b, BPF_MOV, pointer, constant(g));
	gen_some(g, 3);
	bld_load(g->b, BPF_DW, pointer, BPF_REG_FP, -80);
	if (random_below(g->r, 2))
		bld_store_imm(g->b, sz, pointer, 0, constant(g));
	else
		bld_load(g->b, sz, number(g), pointer, 0);
	bld_alu_imm(g->b, BPF_MOV, pointer, constant(g));
}

void gen_fill(struct gen *g)
{
	static const u8 ops[] = {BPF_ADD, BPF_XOR, BPF_OR};

	for (u32 n = 0; n < 7; n++)
		bld_alu_imm(g->b, ops[random_below(g->r, 3)], BPF_REG_0, constant(g));
}
