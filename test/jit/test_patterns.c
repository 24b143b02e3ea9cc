/* Random sequences of what targets fuse or delay: copies and what they were copied from, shifts that another operation can
 * take along, products that are added, pairs of accesses, addresses in per-CPU ranges near and far, bits that are tested.
 * Whether a register is needed later varies, since that decides what may be left out.
 * WEIR_SEED repeats one program, WEIR_RUNS sets how many there are. */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

enum {
	MEM_BYTES = 256,
	NR_WORK = 7 /* r0 ... r6; r9 is the memory */,
	WINDOW_BYTES = 32,
	REGION_BYTES = (17 << 20)
};

/* Per-CPU offsets at which addressing modes end, each with a window of bytes behind it. */
static const u32 region_offs[] = {
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
static u8 region[REGION_BYTES];

struct work {
	u8 mem[MEM_BYTES];
	u8 windows[ARRAY_LEN(region_offs)][WINDOW_BYTES];
};

struct gen {
	struct builder *b;
	u64 seed;
	label_t out;
	unsigned loops; /* around */
	u8 nr_work; /* registers from r0 on for whatever comes; without r6 this one is gen_half's */
};

static u32 below(struct gen *g, u32 n)
{
	return rnd_below(&g->seed, n);
}

static u8 any_reg(struct gen *g)
{
	return (u8)below(g, g->nr_work);
}

static u64 any_value(struct gen *g)
{
	return below(g, 2) ? edges[below(g, (u32)nr_edges)] : rnd(&g->seed);
}

static s32 any_imm(struct gen *g)
{
	return below(g, 2) ? edge_imms[below(g, (u32)nr_edge_imms)] : (s32)below(g, 64) - 16;
}

/* Often the register isn't needed any more. */
static void maybe_kill(struct gen *g, u8 reg)
{
	if (below(g, 3))
		bld_const(g->b, reg, any_value(g));
}

static void op_reg(struct gen *g, bool is_64, u8 op, u8 dst, u8 src)
{
	if (is_64)
		bld_alu_reg(g->b, op, dst, src);
	else
		bld_alu32_reg(g->b, op, dst, src);
}

static void op_imm(struct gen *g, bool is_64, u8 op, u8 dst, s32 imm)
{
	if (is_64)
		bld_alu_imm(g->b, op, dst, imm);
	else
		bld_alu32_imm(g->b, op, dst, imm);
}

static u8 any_op(struct gen *g)
{
	static const u8 ops[] = {BPF_ADD, BPF_SUB, BPF_OR, BPF_AND, BPF_XOR, BPF_MUL, BPF_DIV,
		BPF_MOD, BPF_LSH, BPF_RSH};

	return ops[below(g, ARRAY_LEN(ops))];
}

static void gen_copy(struct gen *g)
{
	u8 copy = any_reg(g), from = any_reg(g);

	op_reg(g, below(g, 3), BPF_MOV, copy, from);
	if (below(g, 2))
		op_imm(g, below(g, 2), BPF_ADD, below(g, 2) ? copy : from, any_imm(g));
	if (below(g, 2))
		op_reg(g, below(g, 2), any_op(g), below(g, 2) ? copy : from, any_reg(g));
	maybe_kill(g, below(g, 2) ? copy : from);
}

static void gen_shift(struct gen *g)
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
static void gen_dying(struct gen *g)
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

static void gen_rotate(struct gen *g)
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

static void gen_product(struct gen *g)
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

/* Base + index, with or without a scale. */
static void gen_indexed(struct gen *g)
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

static void gen_pair(struct gen *g)
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
static void gen_neighbours(struct gen *g)
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
static void gen_walk(struct gen *g)
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
static void gen_chain(struct gen *g)
{
	u8 base = any_reg(g);

	bld_alu_reg(g->b, BPF_MOV, base, BPF_REG_9);
	bld_alu_imm(g->b, BPF_ADD, base, 24);
	bld_store(g->b, BPF_DW, BPF_REG_9, 128, base);
	bld_alu_reg(g->b, BPF_MOV, base, BPF_REG_9);
	bld_load(g->b, BPF_DW, base, base, 128);
	bld_load(g->b, BPF_DW, any_reg(g), base, below(g, 2) ? 120 : 136);
}

/* Values on the stack that are only ever accessed in full, as compilers spill registers. */
static const struct {
	s16 off;
	u8 size;
} spills[] = {{-136, BPF_DW}, {-144, BPF_DW}, {-152, BPF_DW}, {-156, BPF_W}, {-160, BPF_W},
	{-168, BPF_DW}, {-176, BPF_DW}, {-180, BPF_W}};

static void spill(struct gen *g, u8 reg, u32 slot)
{
	bld_store(g->b, spills[slot].size, BPF_REG_FP, spills[slot].off, reg);
}

static void unspill(struct gen *g, u8 reg, u32 slot)
{
	bool is_signed = spills[slot].size == BPF_W && below(g, 4) == 0;

	bld_insn(g->b, (struct insn){.code = (u8)(BPF_LDX | spills[slot].size |
						  (is_signed ? BPF_MEMSX : BPF_MEM)),
			       .dst = reg & 15u,
			       .src = BPF_REG_FP,
			       .off = spills[slot].off});
}

static void gen_spill(struct gen *g)
{
	u32 slot = below(g, ARRAY_LEN(spills));
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
static void gen_saved(struct gen *g)
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

/* What was stored is loaded again, whole or in part; the same register or another one. */
static void gen_reload(struct gen *g)
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

/* A conditional jump over a jump, and jumps that meet jumps; the registers it asks about may be delayed. */
static void gen_jump_over(struct gen *g)
{
	static const u8 ops[] = {BPF_JEQ, BPF_JNE, BPF_JGT, BPF_JSLE, BPF_JSET, BPF_JLT};
	label_t over = builder_label(g->b), far = builder_label(g->b), hop = builder_label(g->b),
		end = builder_label(g->b);
	u8 asked = any_reg(g), other = any_reg(g);

	if (below(g, 2))
		bld_alu_reg(g->b, BPF_MOV, asked, other);
	if (below(g, 2))
		op_imm(g, below(g, 2), below(g, 2) ? BPF_LSH : BPF_RSH, below(g, 3) ? other : asked,
			(s32)below(g, 32));
	if (below(g, 2))
		op_imm(g, below(g, 2), BPF_LSH, asked, (s32)below(g, 32));
	if (below(g, 2))
		bld_jmp_imm(g->b, ops[below(g, 6)], asked, any_imm(g), over);
	else
		bld_jmp_reg(g->b, ops[below(g, 6)], asked, any_reg(g), over);
	bld_ja(g->b, far);
	builder_bind(g->b, over);
	bld_alu_imm(g->b, BPF_XOR, other, any_imm(g));
	bld_jmp_imm(g->b, ops[below(g, 6)], any_reg(g), any_imm(g), hop);
	maybe_kill(g, asked);
	bld_ja(g->b, end);
	builder_bind(g->b, hop);
	bld_ja(g->b, below(g, 2) ? end : far);
	builder_bind(g->b, far);
	bld_alu_imm(g->b, BPF_ADD, asked, any_imm(g));
	builder_bind(g->b, end);
}

/* Sums that later ones build on, with steps of their operands in between, and who reads which of them. */
static void gen_sums(struct gen *g)
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

/* An operation whose result a jump asks about, with copies and sums in between. */
static void gen_last_op(struct gen *g)
{
	static const u8 ops[] = {BPF_ADD, BPF_SUB, BPF_AND};
	u8 reg = any_reg(g), out_of = any_reg(g);
	label_t out = builder_label(g->b);

	if (below(g, 2))
		bld_alu_reg(g->b, BPF_MOV, any_reg(g), reg);
	if (below(g, 3) == 0)
		bld_alu_imm(g->b, BPF_ADD, reg, 8);
	op_imm(g, below(g, 2), ops[below(g, 3)], reg, below(g, 2) ? any_imm(g) : -1);
	for (u32 n = below(g, 4); n > 0; n--)
		op_reg(g, below(g, 3), below(g, 2) ? BPF_MOV : BPF_ADD, any_reg(g), any_reg(g));
	if (below(g, 2))
		bld_jmp_imm(g->b, below(g, 2) ? BPF_JEQ : BPF_JNE, reg, 0, out);
	else
		bld_jmp32_imm(g->b, below(g, 2) ? BPF_JEQ : BPF_JNE, reg, 0, out);
	if (below(g, 2))
		bld_store(g->b, BPF_DW, BPF_REG_9, 16, any_reg(g));
	maybe_kill(g, out_of);
	builder_bind(g->b, out);
	maybe_kill(g, reg);
}

/* The end of a loop that compares what its counter was, or is, or something made of it. */
static void gen_count(struct gen *g)
{
	static const u8 ops[] = {BPF_JEQ, BPF_JNE, BPF_JGT, BPF_JLT, BPF_JSGE};
	u8 counter = any_reg(g), copy = any_reg(g), other = any_reg(g);
	label_t out = builder_label(g->b);

	bld_alu_reg(g->b, BPF_MOV, copy, counter);
	if (below(g, 2))
		bld_alu_reg(g->b, BPF_ADD, other, counter);
	bld_alu_imm(g->b, BPF_ADD, counter, any_imm(g));
	if (below(g, 2))
		bld_jmp_imm(g->b, ops[below(g, 5)], below(g, 2) ? copy : counter, any_imm(g), out);
	else
		bld_jmp_reg(g->b, ops[below(g, 5)], below(g, 2) ? copy : other, any_reg(g), out);
	if (below(g, 2))
		bld_store(g->b, BPF_DW, BPF_REG_9, 8, below(g, 2) ? copy : other);
	maybe_kill(g, copy);
	builder_bind(g->b, out);
	maybe_kill(g, copy);
	maybe_kill(g, below(g, 2) ? other : counter);
}

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

static void gen_percpu(struct gen *g)
{
	u8 from = any_reg(g), base = below(g, 2) ? from : any_reg(g);

	bld_const(g->b, from, region_offs[below(g, ARRAY_LEN(region_offs))]);
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

static void gen_swapped_load(struct gen *g)
{
	u8 reg = any_reg(g), size = below(g, 3) ? BPF_H : BPF_W;

	bld_load(g->b, size, reg, BPF_REG_9, (s16)below(g, MEM_BYTES - 8));
	bld_insn(g->b,
		(struct insn){.code = below(g, 2) ? BPF_ALU | BPF_END | BPF_X : BPF_ALU64 | BPF_END,
			.dst = reg & 15u,
			.imm = 16 << below(g, 3)});
}

static void gen_bit_test(struct gen *g)
{
	bool is_64 = below(g, 2);
	u8 reg = any_reg(g), other = any_reg(g);
	label_t over = builder_label(g->b);
	s32 mask = below(g, 2) ? 1 << below(g, 31) : any_imm(g);

	if (below(g, 3) == 0) {
		bld_alu_reg(g->b, BPF_MOV, reg, other);
		op_imm(g, is_64, BPF_RSH, other, (s32)below(g, 32));
	}
	if (below(g, 2))
		op_imm(g, is_64, BPF_RSH, reg, (s32)below(g, 32));
	if (below(g, 4) == 0)
		op_reg(g, is_64, BPF_AND, reg, other);
	else
		op_imm(g, is_64, BPF_AND, reg, mask);
	if (below(g, 3))
		bld_jmp_imm(g->b, below(g, 2) ? BPF_JEQ : BPF_JNE, reg, 0, over);
	else
		bld_jmp32_imm(g->b, below(g, 2) ? BPF_JEQ : BPF_JNE, reg, 0, over);
	bld_const(g->b, below(g, 3) ? reg : other, any_value(g));
	builder_bind(g->b, over);
	maybe_kill(g, reg);
}

/* A result, and a way out that others share. */
static void gen_exit(struct gen *g)
{
	static const u8 ops[] = {BPF_JEQ, BPF_JGT, BPF_JSLT, BPF_JSET};
	label_t over = builder_label(g->b);

	if (below(g, 2))
		bld_alu_imm(g->b, BPF_MOV, BPF_REG_0, any_imm(g));
	bld_jmp_imm(g->b, ops[below(g, 4)], any_reg(g), any_imm(g), below(g, 3) ? over : g->out);
	if (below(g, 2))
		op_reg(g, below(g, 2), any_op(g), BPF_REG_0, any_reg(g));
	else
		bld_const(g->b, BPF_REG_0, any_value(g));
	if (below(g, 3) == 0)
		bld_ja(g->b, g->out);
	builder_bind(g->b, over);
}

/* Comparisons that lead to one place, with a little arithmetic between them. */
static void gen_compares(struct gen *g)
{
	static const u8 ops[] = {BPF_JEQ, BPF_JNE, BPF_JGT, BPF_JGE, BPF_JLT, BPF_JLE, BPF_JSGT,
		BPF_JSGE, BPF_JSLT, BPF_JSLE, BPF_JSET};
	label_t there = builder_label(g->b);
	u8 scratch = any_reg(g);

	for (u32 n = 2 + below(g, 3); n > 0; n--) {
		u8 op = below(g, 2) ? ops[below(g, 2)] : ops[below(g, ARRAY_LEN(ops))];
		u8 reg = below(g, 2) ? scratch : any_reg(g);

		if (below(g, 2))
			bld_const(g->b, scratch, any_value(g));
		if (below(g, 3) == 0)
			op_reg(g, below(g, 2), any_op(g), scratch, any_reg(g));
		if (below(g, 3) == 0)
			op_imm(g, below(g, 2), below(g, 2) ? BPF_LSH : BPF_AND, scratch,
				(s32)below(g, 32));
		if (below(g, 6) == 0) {
			label_t over = builder_label(g->b);

			bld_jmp_imm(g->b, op, reg, any_imm(g), over);
			bld_ja(g->b, there);
			builder_bind(g->b, over);
		} else if (below(g, 2)) {
			bld_jmp_imm(g->b, op, reg, any_imm(g), there);
		} else if (below(g, 2)) {
			bld_jmp32_imm(g->b, op, reg, any_imm(g), there);
		} else {
			bld_jmp_reg(g->b, op, any_reg(g), scratch, there);
		}
	}
	maybe_kill(g, scratch);
	bld_alu_imm(g->b, BPF_ADD, any_reg(g), 7);
	builder_bind(g->b, there);
	maybe_kill(g, scratch);
}

/* A constant that one shifted addition multiplies by, and operations on a register and itself shifted. */
static void gen_shifted_self(struct gen *g)
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

/* The same comparison asked again, and results that a branch chooses. */
static void gen_choice(struct gen *g)
{
	static const u8 ops[] = {BPF_JEQ, BPF_JNE, BPF_JGT, BPF_JLT, BPF_JSGT, BPF_JSLE, BPF_JSET};
	u8 op = ops[below(g, ARRAY_LEN(ops))], asked = any_reg(g), other = any_reg(g),
	   to = any_reg(g);
	label_t over = builder_label(g->b), end = builder_label(g->b);
	s32 imm = any_imm(g);
	bool by_reg = below(g, 2);

	if (by_reg)
		bld_jmp_reg(g->b, op, asked, other, over);
	else
		bld_jmp_imm(g->b, op, asked, imm, over);
	if (below(g, 3))
		op_reg(g, below(g, 3), BPF_MOV, to, any_reg(g));
	else
		op_imm(g, below(g, 2), below(g, 2) ? BPF_MOV : BPF_ADD, to, (s32)below(g, 3) - 1);
	if (below(g, 4) == 0)
		bld_ja(g->b, end);
	builder_bind(g->b, over);
	if (below(g, 3) == 0)
		op_imm(g, below(g, 2), BPF_ADD, any_reg(g), 1);
	if (by_reg)
		bld_jmp_reg(g->b, below(g, 3) ? op : BPF_JGE, asked, other, end);
	else
		bld_jmp_imm(g->b, below(g, 3) ? op : BPF_JGE, asked, imm, end);
	op_imm(g, true, BPF_ADD, to, 3);
	builder_bind(g->b, end);
	maybe_kill(g, to);
}

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
 * or one of them far off. */
static void gen_ways(struct gen *g)
{
	static const u8 ops[] = {BPF_JEQ, BPF_JNE, BPF_JGT, BPF_JLT, BPF_JSGT, BPF_JSLE, BPF_JSET};
	label_t other = builder_label(g->b), meet = builder_label(g->b),
		start = builder_label(g->b);
	u8 first = (u8)below(g, g->nr_work - 2u), op = ops[below(g, ARRAY_LEN(ops))];
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
	label_t to = kind == 3 ? meet : other;
	if (below(g, 2))
		bld_jmp_imm(g->b, op, any_reg(g), any_imm(g), to);
	else if (below(g, 2))
		bld_jmp32_imm(g->b, op, any_reg(g), any_imm(g), to);
	else
		bld_jmp_reg(g->b, op, any_reg(g), any_reg(g), to);
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
}

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

/* r6 is written by what leaves its upper half zero, and now and then by what nearly does. It is moved, as a whole or half,
 * also where paths meet. */
static void gen_half(struct gen *g)
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

static void gen_loop(struct gen *g);
static void gen_while(struct gen *g);

static void (*const kinds[])(struct gen *g) = {gen_copy, gen_shift, gen_rotate, gen_product,
	gen_last_op, gen_indexed, gen_pair, gen_neighbours, gen_walk, gen_chain, gen_reload,
	gen_jump_over, gen_percpu, gen_sums, gen_count, gen_swapped_load, gen_bit_test, gen_exit,
	gen_compares, gen_shifted_self, gen_choice, gen_dying, gen_ways, gen_while, gen_spill,
	gen_saved, gen_half, gen_half, gen_loop};

/* A few rounds, with operations on long constants and whatever else; sometimes entered in the middle. */
static void gen_loop(struct gen *g)
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
			kinds[below(g, ARRAY_LEN(kinds))](g);
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
static void gen_while(struct gen *g)
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

		kinds[below(g, ARRAY_LEN(kinds))](g);
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

static struct both gen_program(u64 seed, unsigned n)
{
	struct gen g = {.b = builder_new(), .seed = seed * 0x9e3779b97f4a7c15 | 1};

	g.nr_work = (u8)(NR_WORK - below(&g, 2));
	g.out = builder_label(g.b);
	bld_alu_reg(g.b, BPF_MOV, BPF_REG_9, BPF_REG_1);
	for (u8 r = 0; r < NR_WORK; r++)
		bld_load(g.b, r < g.nr_work ? BPF_DW : BPF_W, r, BPF_REG_9, (s16)(8 * r));
	for (s16 off = 8; off <= 128; off = (s16)(off + 8))
		bld_store(g.b, BPF_DW, BPF_REG_FP, (s16)-off, BPF_REG_3);
	for (u32 slot = 0; slot < ARRAY_LEN(spills); slot++)
		spill(&g, BPF_REG_4, slot);
	for (unsigned i = 0; i < n; i++)
		kinds[below(&g, ARRAY_LEN(kinds))](&g);
	for (u8 r = 1; r < NR_WORK; r++) {
		bld_alu_imm(g.b, BPF_MUL, BPF_REG_0, 31);
		bld_alu_reg(g.b, BPF_ADD, BPF_REG_0, r);
	}
	for (s16 off = 8; off <= 128; off = (s16)(off + 8)) {
		bld_load(g.b, BPF_DW, BPF_REG_1, BPF_REG_FP, (s16)-off);
		bld_alu_reg(g.b, BPF_XOR, BPF_REG_0, BPF_REG_1);
	}
	for (u32 slot = 0; slot < ARRAY_LEN(spills); slot++) {
		unspill(&g, BPF_REG_1, slot);
		bld_alu_reg(g.b, BPF_ADD, BPF_REG_0, BPF_REG_1);
	}
	builder_bind(g.b, g.out);
	bld_exit(g.b);
	return both_of(g.b);
}

static void load_region(const struct work *w)
{
	for (size_t i = 0; i < ARRAY_LEN(region_offs); i++)
		memcpy(region + region_offs[i], w->windows[i], WINDOW_BYTES);
}

static void save_region(struct work *w)
{
	for (size_t i = 0; i < ARRAY_LEN(region_offs); i++)
		memcpy(w->windows[i], region + region_offs[i], WINDOW_BYTES);
}

static u64 run(
	u64 (*engine)(const struct both *, u64, u64, u8 *), const struct both *t, struct work *w)
{
	static _Alignas(64) u8 mem[MEM_BYTES]; /* the same address for both engines */

	memcpy(mem, w->mem, MEM_BYTES);
	load_region(w);
	u64 result = engine(t, (u64)(uintptr_t)mem, 0, region);
	save_region(w);
	memcpy(w->mem, mem, MEM_BYTES);
	return result;
}

static void check_opts(struct both *t, u64 seed, const struct jit_opts *opts)
{
	struct work a, b;
	u64 fill = seed | 1;

	for (size_t i = 0; i < sizeof(a); i += 8) {
		u64 v = rnd(&fill);

		memcpy((u8 *)&a + i, &v, 8);
	}
	b = a;
	both_recompile(t, NULL, opts);
	u64 want = run(run_interp, t, &a), got = run(run_jit, t, &b);
	if (want == got && !memcmp(&a, &b, sizeof(a)))
		return;
	print_error(
		"WEIR_SEED=%llu: interpreter 0x%llx, code 0x%llx, memory %s, per-CPU range %s\n",
		(unsigned long long)seed, (unsigned long long)want, (unsigned long long)got,
		memcmp(a.mem, b.mem, MEM_BYTES) ? "differs" : "same",
		memcmp(a.windows, b.windows, sizeof(a.windows)) ? "differs" : "same");
	both_print(t);
	fail();
}

/* Through the thread pointer, where thread-local variables lie behind it. */
static void check_thread_base(struct both *t, u64 seed)
{
#if defined(__aarch64__)
	static _Thread_local u8 *base;
	struct jit_opts opts = {.percpu = PERCPU_THREAD};

	base = region;
	opts.thread_off = (u32)((uintptr_t)&base - (uintptr_t)__builtin_thread_pointer());
	check_opts(t, seed, &opts);
#else
	(void)t, (void)seed;
#endif
}

static void check(u64 seed)
{
	const struct jit_opts opts[] = {{.lse = JIT_LSE_AUTO},
		{.lse = JIT_LSE_NEVER, .bmi2 = JIT_BMI2_NEVER, .landing_pads = true},
		{.without = ~0ull, .bmi2 = JIT_BMI2_NEVER},
		{.without = 1ull << seed % JIT_NR_PEEPHOLES}};
	struct both t = gen_program(seed, 1 + (unsigned)(seed / 40 % 30));

	check_thread_base(&t, seed);
	for (size_t i = 0; i < ARRAY_LEN(opts); i++)
		check_opts(&t, seed, &opts[i]);
	for (size_t i = 0; jit_target_at(i); i++) { /* compiling must work anywhere */
		struct jit_opts other = {.target = jit_target_at(i),
			.percpu = (enum percpu_base)(seed % 4),
			.lse = JIT_LSE_ALWAYS};

		both_recompile(&t, NULL, &other);
	}
	both_free(&t);
}

static void random_patterns(void **state)
{
	const char *runs = getenv("WEIR_RUNS"), *seed = getenv("WEIR_SEED");
	u64 nr_runs = runs ? strtoull(runs, NULL, 0) : 3000;

	(void)state;
	if (seed) {
		check(strtoull(seed, NULL, 0));
		return;
	}
	for (u64 at = 1; at <= nr_runs; at++)
		check(at);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_patterns),
	};

	if (!jit_target_host()) {
		print_message("no JIT for this host\n");
		return 77;
	}
	return cmocka_run_group_tests_name("jit-patterns", tests, NULL, NULL);
}
