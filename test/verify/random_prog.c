#include "random_prog.h"

#include "base/diag.h"
#include "isa/builder.h"

u64 random_next(struct random *r)
{
	/* splitmix64 */
	u64 z = r->state += 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

u32 random_below(struct random *r, u32 n)
{
	return (u32)(random_next(r) % n);
}

/* r6: the memory (raw) or the packet; r7: its end; r0, r8, r9, r1 ... r5: numbers. r10 - 8 ... r10 - 64 are written at
 * the start, so that most reads are of something. */
struct gen {
	struct random *r;
	struct builder *b;
	enum prog_type type;
	u32 mem_bytes;
	u32 nesting;
	bool in_callee;   /* r6: see below; r7: nothing */
	bool lends_stack; /* r1 of calls, and r6 of the callee: 8 bytes of the caller's stack */
	bool calls_back;  /* bpf_loop occurs, with the callback, which gets the same 8 bytes */
	label_t callee, callback;
};

static const u8 numbers[] = {
	BPF_REG_0, BPF_REG_1, BPF_REG_2, BPF_REG_3, BPF_REG_4, BPF_REG_5, BPF_REG_8, BPF_REG_9};

static u8 number(struct gen *g)
{
	return numbers[random_below(g->r, ARRAY_LEN(numbers))];
}

static s32 constant(struct gen *g)
{
	static const s32 some[] = {0, 1, -1, 2, 3, 4, 7, 8, 15, 16, 31, 32, 63, 64, 255, 256,
		0xffff, 0x7fffffff, INT32_MIN, -2};

	if (random_below(g->r, 3))
		return some[random_below(g->r, ARRAY_LEN(some))];
	return random_below(g->r, 2) ? (s32)random_below(g->r, 80) : (s32)random_next(g->r);
}

static u8 size(struct gen *g)
{
	static const u8 sizes[] = {BPF_B, BPF_H, BPF_W, BPF_DW};

	return sizes[random_below(g->r, ARRAY_LEN(sizes))];
}

static u32 bytes_of(u8 size)
{
	return size == BPF_B ? 1 : size == BPF_H ? 2 : size == BPF_W ? 4 : 8;
}

static void gen_alu(struct gen *g)
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

static u8 jump_op(struct gen *g)
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

static void gen_some(struct gen *g, u32 nr);

static void jump_if(struct gen *g, label_t to)
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

static void gen_if(struct gen *g)
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
static void gen_bound(struct gen *g, u8 reg, u32 max, label_t out)
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

static void gen_raw(struct gen *g)
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

static void gen_packet(struct gen *g)
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

static void gen_stack(struct gen *g)
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
static void gen_escape(struct gen *g)
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

static void gen_fill(struct gen *g)
{
	static const u8 ops[] = {BPF_ADD, BPF_XOR, BPF_OR};

	for (u32 n = 0; n < 7; n++)
		bld_alu_imm(g->b, ops[random_below(g->r, 3)], BPF_REG_0, constant(g));
}

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

static void lend(struct gen *g)
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
static void gen_rounds(struct gen *g)
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

static void gen_some(struct gen *g, u32 nr)
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

static void init_stack(struct gen *g)
{
	for (s16 off = -8; off >= -64; off = (s16)(off - 8))
		bld_store_imm(g->b, BPF_DW, BPF_REG_FP, off, constant(g));
}

static void init_numbers(struct gen *g)
{
	for (u32 n = 0; n < ARRAY_LEN(numbers); n++)
		bld_alu_imm(g->b, BPF_MOV, numbers[n], constant(g));
	init_stack(g);
}

static void gen_prologue(struct gen *g)
{
	u8 sz = g->type == PROG_TYPE_XDP ? BPF_W : BPF_DW;
	s16 end = g->type == PROG_TYPE_XDP ? 4 : 8;

	if (g->type == PROG_TYPE_RAW) {
		bld_alu_reg(g->b, BPF_MOV, BPF_REG_6, BPF_REG_1);
		bld_alu_imm(g->b, BPF_MOV, BPF_REG_7, 0);
	} else {
		bld_load(g->b, sz, BPF_REG_6, BPF_REG_1, 0);
		bld_load(g->b, sz, BPF_REG_7, BPF_REG_1, end);
		bld_store(g->b, BPF_DW, BPF_REG_FP, -80, BPF_REG_1);
	}
	init_numbers(g);
	if (g->type != PROG_TYPE_RAW) {
		bld_load(g->b, BPF_DW, BPF_REG_1, BPF_REG_FP, -80);
		bld_load(g->b, BPF_W, BPF_REG_8, BPF_REG_1, g->type == PROG_TYPE_XDP ? 12 : 16);
		bld_load(g->b, BPF_W, BPF_REG_9, BPF_REG_1, g->type == PROG_TYPE_XDP ? 16 : 20);
		bld_alu_imm(g->b, BPF_MOV, BPF_REG_1, constant(g));
	}
	if (g->type == PROG_TYPE_RAW && g->mem_bytes >= 16) {
		bld_load(g->b, BPF_DW, BPF_REG_8, BPF_REG_6, 0);
		bld_load(g->b, size(g), BPF_REG_9, BPF_REG_6, 8);
		bld_load(g->b, size(g), BPF_REG_2, BPF_REG_6, 4);
	}
}

static void gen_epilogue(struct gen *g)
{
	if (g->type == PROG_TYPE_PACKET)
		bld_alu_imm(g->b, BPF_AND, BPF_REG_0, 1);
	bld_exit(g->b);
}

static void gen_callee(struct gen *g)
{
	builder_bind(g->b, g->callee);
	g->in_callee = true;
	if (g->lends_stack)
		bld_alu_reg(g->b, BPF_MOV, BPF_REG_6, BPF_REG_1);
	bld_alu_imm(g->b, BPF_MOV, BPF_REG_0, constant(g));
	bld_alu_imm(g->b, BPF_MOV, BPF_REG_1, constant(g));
	for (u8 n = BPF_REG_2; n <= BPF_REG_5; n++)
		if (random_below(g->r, 3) == 0)
			bld_alu_imm(g->b, BPF_MOV, n, constant(g));
	bld_alu_imm(g->b, BPF_MOV, BPF_REG_8, 1);
	bld_alu_imm(g->b, BPF_MOV, BPF_REG_9, 2);
	init_stack(g);
	gen_some(g, 4);
	bld_exit(g->b);
}

/* r8, r9: the round, and what the rounds before left. Counts, chooses, keeps: whatever the rest makes of it. */
static void gen_callback(struct gen *g)
{
	label_t out = builder_label(g->b);

	builder_bind(g->b, g->callback);
	g->in_callee = g->lends_stack = true;
	bld_alu_reg(g->b, BPF_MOV, BPF_REG_6, BPF_REG_2);
	bld_alu_reg(g->b, BPF_MOV, BPF_REG_8, BPF_REG_1);
	bld_load(g->b, BPF_DW, BPF_REG_9, BPF_REG_6, 0);
	bld_alu_imm(g->b, BPF_MOV, BPF_REG_0, constant(g));
	for (u8 n = BPF_REG_1; n <= BPF_REG_5; n++)
		bld_alu_imm(g->b, BPF_MOV, n, constant(g));
	init_stack(g);
	gen_some(g, 3);
	if (random_below(g->r, 3)) {
		if (random_below(g->r, 2))
			gen_bound(g, BPF_REG_9, random_below(g->r, 60), out);
		bld_alu_imm(g->b, BPF_ADD, BPF_REG_9, (s32)random_below(g->r, 3));
		bld_store(g->b, size(g), BPF_REG_6, 0, BPF_REG_9);
	}
	gen_some(g, 2);
	builder_bind(g->b, out);
	if (random_below(g->r, 8))
		bld_alu_imm(g->b, random_below(g->r, 2) ? BPF_AND : BPF_MOV, BPF_REG_0,
			(s32)random_below(g->r, 2));
	bld_exit(g->b);
}

static struct prog *make_prog(struct random *r, enum prog_type type, bool calls_back)
{
	struct gen g = {.r = r,
		.calls_back = calls_back,
		.b = builder_new(),
		.type = type,
		.mem_bytes = 16 + random_below(r, 49),
		.lends_stack = random_below(r, 2)};
	struct prog *p = prog_new("random", type);
	struct diag d = {0};

	assert(g.b && p);
	p->raw_mem_bytes = type == PROG_TYPE_RAW ? g.mem_bytes : 0;
	g.callee = builder_label(g.b);
	if (calls_back)
		g.callback = builder_label(g.b);
	gen_prologue(&g);
	gen_some(&g, calls_back ? 6 : 12);
	if (calls_back)
		gen_rounds(&g);
	lend(&g);
	bld_call_local(g.b, g.callee);
	gen_epilogue(&g);
	gen_callee(&g);
	if (calls_back)
		gen_callback(&g);
	int err = builder_finish(g.b, p, &d);
	assert(!err);
	builder_free(g.b);
	return p;
}

struct prog *random_prog(struct random *r, enum prog_type type)
{
	return make_prog(r, type, false);
}

struct prog *random_prog_rounds(struct random *r, enum prog_type type)
{
	return make_prog(r, type, true);
}
