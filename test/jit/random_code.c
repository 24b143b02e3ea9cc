/* Random programs, valid by construction. */
#include "random_code.h"

#include <string.h>

#include "harness.h"

enum { STACK_BYTES = 128, COUNTER_OFF = -STACK_BYTES - 8 };

/* r9 always holds the memory; r10 - STACK_BYTES ... r10 is initialised and free to use, if there is any. What a program
 * does without matters: other registers are free then, and the frame looks different. */
struct gen {
	struct builder *b;
	enum random_kind kind;
	u64 seed;
	u8 regs[BPF_REG_9]; /* those that the program uses, r0 first */
	u32 nr_regs;
	bool has_calls, has_stack;
	label_t subprogs[3];
	unsigned nr_subprogs;
	bool called[3];
	bool in_subprog;
};

static u8 any_reg(struct gen *g)
{
	return g->regs[rnd_below(&g->seed, g->nr_regs)];
}

static u64 any_value(struct gen *g)
{
	u32 kind = rnd_below(&g->seed, 4);

	if (kind == 0)
		return rnd(&g->seed);
	if (kind == 1)
		return rnd_below(&g->seed, 256);
	return edges[rnd_below(&g->seed, (u32)nr_edges)];
}

static s32 any_imm(struct gen *g)
{
	return rnd_below(&g->seed, 3) ? edge_imms[rnd_below(&g->seed, (u32)nr_edge_imms)]
				      : (s32)(u32)rnd(&g->seed);
}

static u8 any_size(struct gen *g)
{
	static const u8 sizes[] = {BPF_B, BPF_H, BPF_W, BPF_DW};

	return sizes[rnd_below(&g->seed, 4)];
}

/* An offset into an area of `bytes` at which 8 bytes can be accessed. */
static s16 any_off(struct gen *g, u32 bytes)
{
	return (s16)rnd_below(&g->seed, bytes - 7);
}

static void gen_alu(struct gen *g)
{
	static const u8 ops[] = {BPF_ADD, BPF_SUB, BPF_MUL, BPF_DIV, BPF_OR, BPF_AND, BPF_LSH,
		BPF_RSH, BPF_MOD, BPF_XOR, BPF_MOV, BPF_ARSH, BPF_NEG};
	u8 op = ops[rnd_below(&g->seed, ARRAY_LEN(ops))];
	bool is_64 = rnd_below(&g->seed, 2), is_reg = rnd_below(&g->seed, 2) && op != BPF_NEG;
	bool is_shift = op == BPF_LSH || op == BPF_RSH || op == BPF_ARSH,
	     is_div = op == BPF_DIV || op == BPF_MOD;
	struct insn i = {
		.code = (u8)((is_64 ? BPF_ALU64 : BPF_ALU) | op | (is_reg ? BPF_X : BPF_K)),
		.dst = any_reg(g) & 15u};

	if (is_reg)
		i.src = any_reg(g) & 15u;
	else if (is_shift)
		i.imm = (s32)rnd_below(&g->seed, is_64 ? 64 : 32);
	else if (op != BPF_NEG)
		i.imm = any_imm(g);
	if (is_div && !is_reg && !i.imm)
		i.imm = 3;
	if (is_div)
		i.off = (s16)rnd_below(&g->seed, 2);
	if (op == BPF_MOV && is_reg) {
		static const s16 from[] = {0, 0, 8, 16, 32};

		i.off = from[rnd_below(&g->seed, is_64 ? 5 : 4)];
	}
	bld_insn(g->b, i);
}

static void gen_swap(struct gen *g)
{
	static const u8 codes[] = {
		BPF_ALU | BPF_END | BPF_K, BPF_ALU | BPF_END | BPF_X, BPF_ALU64 | BPF_END | BPF_K};

	bld_insn(g->b, (struct insn){.code = codes[rnd_below(&g->seed, 3)],
			       .dst = any_reg(g) & 15u,
			       .imm = 16 << rnd_below(&g->seed, 3)});
}

/* Mostly: what the register holds is not read any more. */
static void forget(struct gen *g, u8 reg)
{
	if (rnd_below(&g->seed, 4))
		bld_const(g->b, reg, any_value(g));
}

static void bld_alu_op(struct gen *g, bool is_64, u8 op, u8 dst, u8 src)
{
	is_64 ? bld_alu_reg(g->b, op, dst, src) : bld_alu32_reg(g->b, op, dst, src);
}

static void bld_alu_const(struct gen *g, bool is_64, u8 op, u8 dst, s32 imm)
{
	is_64 ? bld_alu_imm(g->b, op, dst, imm) : bld_alu32_imm(g->b, op, dst, imm);
}

/* Two copies of a value shifted and or'ed, in all orders in which compilers write rotates; and some that are none. */
static void gen_rotate(struct gen *g)
{
	u8 value = any_reg(g), copy = any_reg(g),
	   second = rnd_below(&g->seed, 2) ? any_reg(g) : value;
	bool is_64 = rnd_below(&g->seed, 2), left_first = rnd_below(&g->seed, 2);
	s32 width = is_64 ? 64 : 32, n = 1 + (s32)rnd_below(&g->seed, (u32)width - 1);
	s32 m = rnd_below(&g->seed, 8) ? width - n : n;
	static const u8 joins[] = {BPF_OR, BPF_OR, BPF_XOR, BPF_ADD, BPF_AND};
	u8 join = joins[rnd_below(&g->seed, 5)];
	bool copy_first = rnd_below(&g->seed, 2);

	bld_alu_op(g, is_64 || rnd_below(&g->seed, 2), BPF_MOV, copy, value);
	if (copy_first || second != value)
		bld_alu_const(g, is_64, left_first ? BPF_LSH : BPF_RSH, copy, n);
	if (second != value)
		bld_alu_op(g, is_64 || rnd_below(&g->seed, 2), BPF_MOV, second, value);
	bld_alu_const(g, is_64, left_first ? BPF_RSH : BPF_LSH, second, m);
	if (!copy_first && second == value)
		bld_alu_const(g, is_64, left_first ? BPF_LSH : BPF_RSH, copy, n);
	if (rnd_below(&g->seed, 2)) {
		bld_alu_op(g, is_64, join, second, copy);
		forget(g, copy);
	} else {
		bld_alu_op(g, is_64, join, copy, second);
		forget(g, second);
	}
}

/* A few registers in quick turns: copies and shifted copies of what the next instructions overwrite, as hash functions have. */
static void gen_tangle(struct gen *g)
{
	static const u8 ops[] = {BPF_ADD, BPF_XOR, BPF_OR, BPF_SUB};
	u8 regs[4];
	u32 n = 2 + rnd_below(&g->seed, 3), steps = 3 + rnd_below(&g->seed, 12);
	bool is_64 = rnd_below(&g->seed, 4) > 0;

	for (u32 i = 0; i < n; i++)
		regs[i] = any_reg(g);
	for (u32 i = 0; i < steps; i++) {
		u8 a = regs[rnd_below(&g->seed, n)], b = regs[rnd_below(&g->seed, n)],
		   c = regs[rnd_below(&g->seed, n)];
		s32 width = is_64 ? 64 : 32, by = 1 + (s32)rnd_below(&g->seed, (u32)width - 1);

		switch (rnd_below(&g->seed, 4)) {
		case 0:
			bld_alu_op(g, is_64, BPF_MOV, a, b);
			break;
		case 1:
			bld_alu_op(g, is_64, BPF_MOV, a, b);
			bld_alu_const(g, is_64, rnd_below(&g->seed, 2) ? BPF_LSH : BPF_RSH, a, by);
			break;
		case 2:
			bld_alu_op(g, is_64, BPF_MOV, a, b);
			bld_alu_const(g, is_64, BPF_LSH, a, by);
			bld_alu_op(g, is_64, BPF_MOV, c, b);
			bld_alu_const(g, is_64, BPF_RSH, c, width - by);
			bld_alu_op(g, is_64, BPF_OR, a, c);
			break;
		default:
			bld_alu_op(g, is_64, ops[rnd_below(&g->seed, 4)], a, b);
			break;
		}
	}
}

/* Up and down again: truncation and sign extension. */
static void gen_extension(struct gen *g)
{
	u8 dst = any_reg(g);
	bool is_64 = rnd_below(&g->seed, 2);
	s32 up = (is_64 ? 64 : 32) - (8 << rnd_below(&g->seed, is_64 ? 3 : 2));
	s32 down = rnd_below(&g->seed, 8) ? up : 1;

	if (rnd_below(&g->seed, 2))
		bld_alu_op(g, rnd_below(&g->seed, 2), BPF_MOV, dst, any_reg(g));
	bld_alu_const(g, is_64, BPF_LSH, dst, up);
	bld_alu_const(g, is_64, rnd_below(&g->seed, 2) ? BPF_RSH : BPF_ARSH, dst, down);
}

/* dst = src op something */
static void gen_three_operands(struct gen *g)
{
	static const u8 ops[] = {BPF_ADD, BPF_SUB, BPF_MUL, BPF_AND, BPF_OR, BPF_LSH, BPF_RSH};
	u8 dst = any_reg(g), op = ops[rnd_below(&g->seed, ARRAY_LEN(ops))];
	bool is_64 = rnd_below(&g->seed, 2), is_shift = op == BPF_LSH || op == BPF_RSH;

	bld_alu_op(g, rnd_below(&g->seed, 2), BPF_MOV, dst, any_reg(g));
	if (rnd_below(&g->seed, 2) && !is_shift)
		bld_alu_op(g, is_64, op, dst, any_reg(g));
	else
		bld_alu_const(
			g, is_64, op, dst, is_shift ? (s32)rnd_below(&g->seed, 5) : any_imm(g));
}

static void gen_const(struct gen *g)
{
	bld_const(g->b, any_reg(g), any_value(g));
}

/* Base register and offset of some valid place of 8 bytes; the base may be a copy that is overwritten behind. */
struct place {
	u8 base;
	s16 off;
};

static struct place gen_place(struct gen *g)
{
	u32 kind = rnd_below(&g->seed, g->kind == RANDOM_INTERNAL ? 4 : 3);
	u8 copy = any_reg(g);
	s16 off = any_off(g, RANDOM_MEM_BYTES), shift = (s16)(rnd_below(&g->seed, 3000) - 1500);

	switch (kind) {
	case 0:
		if (g->has_stack)
			return (struct place){
				BPF_REG_FP, (s16)(any_off(g, STACK_BYTES) - STACK_BYTES)};
		return (struct place){BPF_REG_9, off};
	case 1:
		return (struct place){BPF_REG_9, off};
	case 2:
		bld_alu_reg(g->b, BPF_MOV, copy, BPF_REG_9);
		bld_alu_imm(g->b, BPF_ADD, copy, shift);
		return (struct place){copy, (s16)(off - shift)};
	default:
		bld_const(g->b, copy, (u64)any_off(g, RANDOM_REGION_BYTES));
		bld_insn(g->b, (struct insn){.code = BPF_ALU64 | BPF_MOV | BPF_X,
				       .dst = copy & 15u,
				       .src = copy & 15u,
				       .off = BPF_PERCPU_MOV_OFF});
		return (struct place){copy, 0};
	}
}

/* A verifier takes no arithmetic on what may be an address. */
static void forget_address(struct gen *g, struct place p)
{
	if (g->kind == RANDOM_VERIFIABLE && p.base < BPF_REG_9)
		bld_const(g->b, p.base, any_value(g));
}

static void gen_load(struct gen *g)
{
	struct place p = gen_place(g);
	u8 size = any_size(g), dst = any_reg(g);
	bool is_signed = size != BPF_DW && rnd_below(&g->seed, 4) == 0;

	bld_insn(g->b,
		(struct insn){.code = (u8)(BPF_LDX | size | (is_signed ? BPF_MEMSX : BPF_MEM)),
			.dst = dst & 15u,
			.src = p.base & 15u,
			.off = p.off});
	if (rnd_below(&g->seed, 3) == 0 && size != BPF_B)
		bld_be(g->b, dst, size == BPF_H ? 16 : size == BPF_W ? 32 : 64);
	if (p.base < BPF_REG_9 && p.base != dst)
		bld_const(g->b, p.base, any_value(g));
}

static void gen_store(struct gen *g)
{
	struct place p = gen_place(g);
	u8 src = any_reg(g);

	if (rnd_below(&g->seed, 2) || src == p.base)
		bld_store_imm(g->b, any_size(g), p.base, p.off, any_imm(g));
	else
		bld_store(g->b, any_size(g), p.base, p.off, src);
	if (p.base < BPF_REG_9)
		bld_const(g->b, p.base, any_value(g));
}

/* A load whose value is used once, in a few ways; where the address is a copy, that may die as well. */
static void gen_update(struct gen *g)
{
	static const u8 ops[] = {BPF_ADD, BPF_SUB, BPF_AND, BPF_OR, BPF_XOR, BPF_MUL, BPF_MOV};
	struct place p = gen_place(g);
	u8 size = any_size(g), value = any_reg(g), op = ops[rnd_below(&g->seed, ARRAY_LEN(ops))];
	bool is_64 = rnd_below(&g->seed, 2);

	if (value == p.base) {
		forget_address(g, p);
		return;
	}
	bld_load(g->b, size, value, p.base, p.off);
	bool is_reg = rnd_below(&g->seed, 2);
	u8 other = is_reg ? any_reg(g) : BPF_REG_0;
	if (is_reg && (other != p.base || g->kind == RANDOM_INTERNAL))
		bld_alu_op(g, is_64, op, value, other);
	else
		bld_alu_const(g, is_64, op, value, any_imm(g));
	if (p.base == BPF_REG_9 || p.base == BPF_REG_FP || rnd_below(&g->seed, 2))
		bld_store(g->b, size, p.base, p.off, value);
	forget(g, value);
	if (p.base < BPF_REG_9)
		bld_const(g->b, p.base, any_value(g));
}

static void gen_operand(struct gen *g)
{
	static const u8 ops[] = {BPF_ADD, BPF_SUB, BPF_AND, BPF_OR, BPF_XOR, BPF_MUL};
	struct place p = gen_place(g);
	u8 value = any_reg(g), dst = any_reg(g);

	if (dst == p.base) {
		forget_address(g, p);
		return;
	}
	bld_load(g->b, any_size(g), value, p.base, p.off);
	bld_alu_op(g, rnd_below(&g->seed, 2), ops[rnd_below(&g->seed, ARRAY_LEN(ops))], dst, value);
	forget(g, value);
	if (p.base < BPF_REG_9)
		bld_const(g->b, p.base, any_value(g));
}

static void gen_atomic(struct gen *g)
{
	static const s32 ops[] = {BPF_ADD, BPF_OR, BPF_AND, BPF_XOR, BPF_ADD | BPF_FETCH,
		BPF_OR | BPF_FETCH, BPF_AND | BPF_FETCH, BPF_XOR | BPF_FETCH, BPF_XCHG,
		BPF_CMPXCHG};
	s16 off = (s16)(8 * rnd_below(&g->seed, STACK_BYTES / 8));
	bool on_stack = g->has_stack && rnd_below(&g->seed, 2);

	if (!on_stack && g->kind == RANDOM_VERIFIABLE)
		return; /* not in packets */
	bld_insn(g->b, (struct insn){.code = (u8)(BPF_STX | BPF_ATOMIC |
						  (rnd_below(&g->seed, 2) ? BPF_W : BPF_DW)),
			       .dst = on_stack ? BPF_REG_FP : BPF_REG_9,
			       .src = any_reg(g) & 15u,
			       .off = on_stack ? (s16)(off - STACK_BYTES) : off,
			       .imm = ops[rnd_below(&g->seed, ARRAY_LEN(ops))]});
}

static void gen_code(struct gen *g, unsigned n, unsigned depth);

static void gen_branch(struct gen *g, unsigned n, unsigned depth)
{
	static const u8 ops[] = {BPF_JEQ, BPF_JNE, BPF_JGT, BPF_JGE, BPF_JLT, BPF_JLE, BPF_JSET,
		BPF_JSGT, BPF_JSGE, BPF_JSLT, BPF_JSLE};
	u8 op = ops[rnd_below(&g->seed, ARRAY_LEN(ops))], dst = any_reg(g), src = any_reg(g);
	label_t otherwise = builder_label(g->b), end = builder_label(g->b);
	bool has_else = rnd_below(&g->seed, 2), loads = rnd_below(&g->seed, 3) == 0;

	if (loads)
		bld_load(g->b, any_size(g), dst, BPF_REG_9, any_off(g, RANDOM_MEM_BYTES));
	switch (rnd_below(&g->seed, 4)) {
	case 0:
		bld_jmp_imm(g->b, op, dst, any_imm(g), otherwise);
		break;
	case 1:
		bld_jmp_reg(g->b, op, dst, src, otherwise);
		break;
	case 2:
		bld_jmp32_imm(g->b, op, dst, any_imm(g), otherwise);
		break;
	default:
		bld_jmp32_reg(g->b, op, dst, src, otherwise);
	}
	if (loads && rnd_below(&g->seed, 2))
		bld_const(g->b, dst, any_value(g));
	/* Without code between it is a jump over a jump. */
	gen_code(g, rnd_below(&g->seed, 3) ? n : 0, depth);
	if (has_else)
		bld_ja(g->b, end);
	builder_bind(g->b, otherwise);
	if (loads && rnd_below(&g->seed, 2))
		bld_const(g->b, dst, any_value(g));
	if (has_else)
		gen_code(g, n, depth);
	builder_bind(g->b, end);
}

/* Its counter is on the stack, where nothing else writes. */
static void gen_loop(struct gen *g, unsigned n, unsigned depth)
{
	s16 counter = (s16)(COUNTER_OFF - 8 * (s32)depth);
	label_t top = builder_label(g->b);
	u8 reg = any_reg(g);

	if (!g->has_stack)
		return;
	bld_store_imm(g->b, BPF_DW, BPF_REG_FP, counter, 1 + (s32)rnd_below(&g->seed, 5));
	builder_bind(g->b, top);
	gen_code(g, n, depth);
	bld_load(g->b, BPF_DW, reg, BPF_REG_FP, counter);
	bld_alu_imm(g->b, BPF_SUB, reg, 1);
	bld_store(g->b, BPF_DW, BPF_REG_FP, counter, reg);
	bld_jmp_imm(g->b, BPF_JNE, reg, 0, top);
}

/* Values for those registers from first to last that the program uses. */
static void gen_const_all(struct gen *g, unsigned first, unsigned last)
{
	for (u32 i = 0; i < g->nr_regs; i++)
		if (g->regs[i] >= first && g->regs[i] <= last)
			bld_const(g->b, g->regs[i], any_value(g));
}

static void gen_call(struct gen *g)
{
	bool is_local = !g->in_subprog && rnd_below(&g->seed, 2);
	unsigned n = rnd_below(&g->seed, g->nr_subprogs);

	if (!g->has_calls || (!is_local && g->kind == RANDOM_VERIFIABLE))
		return;
	for (u8 r = BPF_REG_1; r <= BPF_REG_5; r++)
		if (!memchr(g->regs, r, g->nr_regs))
			bld_const(g->b, r, any_value(g));
	if (is_local) {
		bld_alu_reg(g->b, BPF_MOV, BPF_REG_5, BPF_REG_9);
		bld_call_local(g->b, g->subprogs[n]);
		g->called[n] = true;
	} else {
		bld_call(g->b, TEST_HELPER_MIX);
	}
	gen_const_all(g, BPF_REG_1, BPF_REG_5);
}

/* What comes behind can't be reached then, which verifiers refuse. */
static void gen_exit(struct gen *g)
{
	label_t behind = builder_label(g->b);

	if (g->kind == RANDOM_VERIFIABLE)
		bld_jmp_imm(g->b, BPF_JGT, any_reg(g), any_imm(g), behind);
	bld_exit(g->b);
	builder_bind(g->b, behind);
}

static void gen_code(struct gen *g, unsigned n, unsigned depth)
{
	static void (*const simple[])(struct gen * g) = {gen_alu, gen_alu, gen_alu, gen_swap,
		gen_const, gen_rotate, gen_tangle, gen_tangle, gen_extension, gen_three_operands,
		gen_three_operands, gen_load, gen_load, gen_store, gen_update, gen_operand,
		gen_atomic, gen_call};

	for (unsigned i = 0; i < n; i++) {
		u32 kind = rnd_below(&g->seed, 16);

		if (depth < 4 && kind == 0)
			gen_loop(g, n / 2, depth + 1);
		else if (depth < 4 && kind <= 2)
			gen_branch(g, n / 2, depth + 1);
		else
			simple[rnd_below(&g->seed, ARRAY_LEN(simple))](g);
		if (rnd_below(&g->seed, 40) == 0 && depth > 0)
			gen_exit(g);
	}
}

static void gen_subprog(struct gen *g, unsigned n)
{
	for (s32 off = 8; g->has_stack && off <= STACK_BYTES; off += 8)
		bld_store_imm(g->b, BPF_DW, BPF_REG_FP, (s16)-off, any_imm(g));
	gen_code(g, n, 0);
	/* Everything there is goes into r0. */
	for (u32 i = 1; i < g->nr_regs; i++) {
		bld_alu_imm(g->b, BPF_MUL, BPF_REG_0, 31);
		bld_alu_reg(g->b, BPF_ADD, BPF_REG_0, g->regs[i]);
	}
	for (s32 off = 8; g->has_stack && off <= STACK_BYTES; off += 8) {
		bld_load(g->b, BPF_DW, BPF_REG_9, BPF_REG_FP, (s16)-off);
		bld_alu_imm(g->b, BPF_MUL, BPF_REG_0, 31);
		bld_alu_reg(g->b, BPF_ADD, BPF_REG_0, BPF_REG_9);
	}
	bld_exit(g->b);
}

static void choose_shape(struct gen *g)
{
	g->has_calls = rnd_below(&g->seed, 2);
	g->has_stack = rnd_below(&g->seed, 2);
	g->regs[g->nr_regs++] = BPF_REG_0;
	for (u8 r = BPF_REG_1; r < BPF_REG_9; r++)
		if (rnd_below(&g->seed, 2))
			g->regs[g->nr_regs++] = r;
}

void random_code(struct builder *b, enum random_kind kind, u64 seed, unsigned n)
{
	struct gen g = {
		.b = b, .kind = kind, .seed = seed * 0x9e3779b97f4a7c15 | 1, .nr_subprogs = 3};

	choose_shape(&g);
	for (unsigned i = 0; i < g.nr_subprogs; i++)
		g.subprogs[i] = builder_label(g.b);
	bld_alu_reg(g.b, BPF_MOV, BPF_REG_9, BPF_REG_1);
	gen_const_all(&g, BPF_REG_0, BPF_REG_8);
	gen_subprog(&g, n);
	g.in_subprog = true;
	for (unsigned i = 0; i < g.nr_subprogs; i++) {
		builder_bind(g.b, g.subprogs[i]);
		if (!g.called[i])
			continue;
		bld_alu_reg(g.b, BPF_MOV, BPF_REG_9, BPF_REG_5);
		gen_const_all(&g, BPF_REG_0, BPF_REG_8);
		gen_subprog(&g, n / 3);
	}
}

void random_fill(struct random_work *w, u64 seed)
{
	for (size_t i = 0; i < sizeof(*w); i += 8) {
		u64 v = rnd(&seed);

		memcpy((u8 *)w + i, &v, 8);
	}
}

/* With all peepholes, with none, and without one of them. */
u64 random_without(u64 seed, unsigned n)
{
	const u64 without[RANDOM_VARIANTS] = {0, ~0ull, 1ull << seed % JIT_NR_PEEPHOLES};

	return without[n];
}

/* As on machines of today, and as on old ones. */
struct jit_opts random_opts(u64 seed, u64 without)
{
	return (struct jit_opts){
		.without = without,
		.bmi2 = seed % 2 ? JIT_BMI2_AUTO : JIT_BMI2_NEVER,
		.lse = seed % 2 ? JIT_LSE_AUTO : JIT_LSE_NEVER,
	};
}

unsigned random_size(u64 seed)
{
	return 1 + (unsigned)(seed / 60 % 40);
}
