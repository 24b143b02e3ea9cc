/* A main program, a subprogram, and a callback for bpf_loop and one for bpf_for_each_map_elem. In both, scalars live in r7, r8 and r9, r6 points to the memory,
 * eight words of the stack are filled from the start; r0 to r5 are for single statements. Every
 * statement keeps to that, so any sequence of them is a valid program. */
#include "random_prog.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "cpu/cpu.h"
#include "isa/builder.h"

enum { SLOTS = 3, STACK_WORDS = 8, ENTRIES = 4, DEPTH_MAX = 3 };

static const struct map_spec specs[RANDOM_MAPS] = {
	{.name = "array",
		.type = MAP_TYPE_ARRAY,
		.key_size = 4,
		.value_size = 8,
		.max_entries = ENTRIES},
	{.name = "percpu",
		.type = MAP_TYPE_PERCPU_ARRAY,
		.key_size = 4,
		.value_size = 8,
		.max_entries = ENTRIES},
	{.name = "wide",
		.type = MAP_TYPE_PERCPU_ARRAY,
		.key_size = 4,
		.value_size = 24,
		.max_entries = ENTRIES},
	{.name = "hash",
		.type = MAP_TYPE_HASH,
		.key_size = 4,
		.value_size = 16,
		.max_entries = ENTRIES},
	{.name = "pchash",
		.type = MAP_TYPE_PERCPU_HASH,
		.key_size = 4,
		.value_size = 8,
		.max_entries = ENTRIES},
};

u32 random_below(u64 *seed, u32 below)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return (u32)((*seed >> 11) % below);
}

u64 random_seed(u32 number)
{
	return 0x9e3779b97f4a7c15ull * (number + 1);
}

void random_maps_init(struct random_maps *m)
{
	*m = (struct random_maps){0};
	assert_int_equal(cpus_new(SLOTS, &m->cpus, NULL), 0);
	for (u32 i = 0; i < RANDOM_MAPS && map_ops_of(specs[i].type); i++) {
		assert_int_equal(map_new(&specs[i], m->cpus, &m->maps[i], NULL), 0);
		m->nr++;
		for (u32 key = 0; key < ENTRIES;
			key += m->maps[i]->ops->flags & MAP_ARRAY_LIKE ? 1 : 2) {
			u8 value[24 * SLOTS];

			memset(value, (int)(16 * i + key), sizeof(value));
			assert_int_equal(map_write(m->maps[i], &key, value, BPF_ANY), 0);
		}
	}
}

void random_maps_fini(struct random_maps *m)
{
	for (u32 i = 0; i < m->nr; i++)
		map_put(m->maps[i]);
	cpus_free(m->cpus);
}

bool random_maps_equal(const struct random_maps *a, const struct random_maps *b)
{
	for (u32 i = 0; i < a->nr; i++)
		for (u32 key = 0; key < ENTRIES; key++) {
			u8 x[24 * SLOTS] = {0}, y[24 * SLOTS] = {0};
			int err = map_read(a->maps[i], &key, x);

			if (err != map_read(b->maps[i], &key, y) || memcmp(x, y, sizeof(x)))
				return false;
		}
	return true;
}

struct gen {
	struct builder *b;
	u64 seed;
	u32 nr_maps;
	u32 depth;
	u32 nr_scalars; /* 3; in a loop 2, r9 counts */
	bool in_sub;
	bool loops, walks; /* the callbacks are needed */
	label_t sub, round, element;
};

static u32 below(struct gen *g, u32 n)
{
	return random_below(&g->seed, n);
}

static u8 scalar(struct gen *g)
{
	return (u8)(BPF_REG_7 + below(g, g->nr_scalars));
}

static s32 constant(struct gen *g)
{
	static const s32 edges[] = {0, 1, 2, 3, 7, 8, 255, 65536, -1, INT32_MAX, INT32_MIN};

	return below(g, 2) ? edges[below(g, ARRAY_LEN(edges))] : (s32)below(g, UINT32_MAX);
}

static void alu(struct gen *g)
{
	static const u8 ops[] = {
		BPF_ADD, BPF_SUB, BPF_MUL, BPF_OR, BPF_AND, BPF_XOR, BPF_MOV, BPF_DIV, BPF_MOD};
	static const u8 shifts[] = {BPF_LSH, BPF_RSH, BPF_ARSH};
	u8 dst = scalar(g), src = scalar(g);
	u8 op = ops[below(g, ARRAY_LEN(ops))];

	switch (below(g, 5)) {
	case 0:
		bld_alu_reg(g->b, op, dst, src);
		return;
	case 1:
		bld_alu32_reg(g->b, op, dst, src);
		return;
	case 2:
		bld_alu_imm(g->b, op, dst, constant(g) | (op == BPF_DIV || op == BPF_MOD));
		return;
	case 3:
		bld_alu_imm(g->b, shifts[below(g, 3)], dst, (s32)below(g, 64));
		return;
	default:
		bld_const(g->b, dst, below(g, 2) ? (u64)constant(g) << 20 : 5);
		return;
	}
}

static void memory(struct gen *g)
{
	static const u8 sizes[] = {BPF_B, BPF_H, BPF_W, BPF_DW};
	u32 size = below(g, 4);
	s16 off = (s16)(below(g, RANDOM_MEM_BYTES >> size) << size);

	if (below(g, 2))
		bld_load(g->b, sizes[size], scalar(g), BPF_REG_6, off);
	else
		bld_store(g->b, sizes[size], BPF_REG_6, off, scalar(g));
}

static s16 stack_word(struct gen *g)
{
	return (s16)(-8 - 8 * (s32)below(g, STACK_WORDS));
}

static void stack(struct gen *g)
{
	if (below(g, 2))
		bld_load(g->b, BPF_DW, scalar(g), BPF_REG_FP, stack_word(g));
	else
		bld_store(g->b, BPF_DW, BPF_REG_FP, stack_word(g), scalar(g));
}

static void cpu_number(struct gen *g)
{
	bld_call(g->b, 8);
	bld_alu_reg(g->b, below(g, 2) ? BPF_ADD : BPF_MOV, scalar(g), BPF_REG_0);
}

/* Leaves the key on the stack at the returned offset. */
static s16 put_key(struct gen *g)
{
	s16 off = (s16)(stack_word(g) + 4 * (s32)below(g, 2));

	switch (below(g, 3)) {
	case 0:
		bld_store_imm(g->b, BPF_W, BPF_REG_FP, off, (s32)below(g, ENTRIES + 1));
		break;
	case 1:
		bld_alu_reg(g->b, BPF_MOV, BPF_REG_0, scalar(g));
		bld_alu_imm(g->b, BPF_AND, BPF_REG_0, ENTRIES - 1);
		bld_store(g->b, BPF_W, BPF_REG_FP, off, BPF_REG_0);
		break;
	default:
		bld_store(g->b, BPF_W, BPF_REG_FP, off, scalar(g));
	}
	return off;
}

static void use_value(struct gen *g, u8 value)
{
	switch (below(g, 3)) {
	case 0:
		bld_load(g->b, BPF_DW, BPF_REG_1, value, 0);
		bld_alu_imm(g->b, BPF_ADD, BPF_REG_1, 1);
		bld_store(g->b, BPF_DW, value, 0, BPF_REG_1);
		break;
	case 1:
		bld_load(g->b, BPF_W, scalar(g), value, 4);
		break;
	default:
		bld_store(g->b, BPF_H, value, 2, scalar(g));
	}
}

static void lookup(struct gen *g)
{
	label_t miss = builder_label(g->b);
	u8 value = below(g, 3) ? BPF_REG_0 : BPF_REG_4;
	s16 key = put_key(g);

	bld_alu_reg(g->b, BPF_MOV, BPF_REG_2, BPF_REG_FP);
	bld_alu_imm(g->b, BPF_ADD, BPF_REG_2, key);
	bld_map(g->b, BPF_REG_1, below(g, g->nr_maps));
	bld_call(g->b, 1);
	if (value != BPF_REG_0)
		bld_alu_reg(g->b, BPF_MOV, value, BPF_REG_0);
	if (below(g, 2)) {
		bld_jmp_imm(g->b, BPF_JEQ, value, 0, miss);
	} else {
		label_t hit = builder_label(g->b);

		bld_jmp_imm(g->b, BPF_JNE, value, 0, hit);
		bld_alu_imm(g->b, BPF_ADD, scalar(g), 77);
		bld_ja(g->b, miss);
		builder_bind(g->b, hit);
	}
	use_value(g, value);
	builder_bind(g->b, miss);
}

static void block(struct gen *g, u32 statements);

static void condition(struct gen *g, label_t to)
{
	static const u8 ops[] = {
		BPF_JEQ, BPF_JNE, BPF_JGT, BPF_JGE, BPF_JLT, BPF_JLE, BPF_JSGT, BPF_JSLT, BPF_JSET};
	u8 op = ops[below(g, ARRAY_LEN(ops))];
	u8 dst = scalar(g);

	switch (below(g, 4)) {
	case 0:
		bld_jmp_reg(g->b, op, dst, scalar(g), to);
		return;
	case 1:
		bld_jmp32_imm(g->b, op, dst, constant(g), to);
		return;
	case 2: /* mostly decided */
		bld_alu_imm(g->b, BPF_AND, dst, 15);
		bld_jmp_imm(g->b, op, dst, (s32)below(g, 32), to);
		return;
	default:
		bld_jmp_imm(g->b, op, dst, constant(g), to);
	}
}

/* One of the few questions that are asked again and again, so that what one answer says about the next varies: the same, its
 * inverse, one that it implies or only seems to. */
static void question(struct gen *g, u8 a, u8 b, s32 imm, bool by_register, label_t to)
{
	static const u8 ops[] = {BPF_JEQ, BPF_JNE, BPF_JGT, BPF_JGE, BPF_JLT, BPF_JLE, BPF_JSGT,
		BPF_JSGE, BPF_JSLT, BPF_JSLE, BPF_JSET};
	u8 op = ops[below(g, ARRAY_LEN(ops))];
	bool swap = below(g, 4) == 0, wide = below(g, 3);

	if (!by_register && wide)
		bld_jmp_imm(g->b, op, a, imm + (s32)below(g, 2), to);
	else if (!by_register)
		bld_jmp32_imm(g->b, op, a, imm + (s32)below(g, 2), to);
	else if (wide)
		bld_jmp_reg(g->b, op, swap ? b : a, swap ? a : b, to);
	else
		bld_jmp32_reg(g->b, op, swap ? b : a, swap ? a : b, to);
}

/* Small and near numbers make all answers happen, in both halves of the register. */
static void operand(struct gen *g, u8 reg)
{
	static const u8 sizes[] = {BPF_B, BPF_B, BPF_DW};
	u32 kind = below(g, 4);

	if (kind < 3)
		bld_load(g->b, sizes[kind], reg, BPF_REG_6,
			(s16)(8 * below(g, RANDOM_MEM_BYTES / 8)));
	if (kind != 1)
		return;
	bld_load(g->b, BPF_B, BPF_REG_0, BPF_REG_6, (s16)below(g, RANDOM_MEM_BYTES));
	bld_alu_imm(g->b, BPF_LSH, BPF_REG_0, 62 - 30 * (s32)below(g, 2));
	bld_alu_reg(g->b, BPF_OR, reg, BPF_REG_0);
}

/* A few short blocks, each behind a question about the same two operands. */
static void questions(struct gen *g)
{
	u8 a = scalar(g), b = scalar(g);
	s32 imm = below(g, 2) ? (s32)below(g, 4) : constant(g) / 2;
	bool by_register = below(g, 2);

	operand(g, a);
	if (a != b)
		operand(g, b);
	for (u32 n = 2 + below(g, 3); n > 0; n--) {
		label_t other = builder_label(g->b), end = builder_label(g->b);

		question(g, a, b, imm, by_register, other);
		if (below(g, 2))
			alu(g);
		if (below(g, 3) == 0)
			bld_ja(g->b, end);
		builder_bind(g->b, other);
		if (below(g, 3) == 0)
			bld_alu_imm(g->b, BPF_ADD, scalar(g), 1);
		if (below(g, 6) == 0)
			memory(g);
		builder_bind(g->b, end);
	}
}

/* a && b, a || b as compilers write them: flags that are constants on each way, joined and then asked. */
static void flags(struct gen *g)
{
	u32 n = 1 + below(g, 3);
	bool narrow = below(g, 2);
	label_t end = builder_label(g->b);
	u8 value = scalar(g);

	for (u8 flag = 0; flag < n; flag++) {
		label_t set = builder_label(g->b);

		if (narrow)
			bld_alu32_imm(g->b, BPF_MOV, BPF_REG_0 + flag, (s32)below(g, 3) - 1);
		else
			bld_alu_imm(g->b, BPF_MOV, BPF_REG_0 + flag, (s32)below(g, 3) - 1);
		question(g, value, scalar(g), (s32)below(g, 4), below(g, 2), set);
		bld_alu_imm(g->b, BPF_MOV, BPF_REG_0 + flag, (s32)below(g, 2));
		builder_bind(g->b, set);
	}
	for (u8 flag = 1; flag < n; flag++)
		bld_alu_reg(g->b, below(g, 2) ? BPF_AND : BPF_OR, BPF_REG_0, flag);
	if (below(g, 2))
		alu(g);
	question(g, BPF_REG_0, BPF_REG_0, 0, false, end);
	block(g, below(g, 2));
	builder_bind(g->b, end);
}

static void branch(struct gen *g)
{
	label_t other = builder_label(g->b), end = builder_label(g->b);

	condition(g, other);
	block(g, below(g, 4));
	if (below(g, 2))
		bld_ja(g->b, end);
	builder_bind(g->b, other);
	block(g, below(g, 3));
	builder_bind(g->b, end);
}

static void loop(struct gen *g)
{
	label_t again = builder_label(g->b);

	if (g->nr_scalars == 2)
		return;
	bld_alu_imm(g->b, BPF_MOV, BPF_REG_9, (s32)below(g, 4));
	builder_bind(g->b, again);
	g->nr_scalars = 2;
	block(g, 1 + below(g, 3));
	g->nr_scalars = 3;
	bld_alu_imm(g->b, BPF_ADD, BPF_REG_9, 1);
	bld_jmp_imm(g->b, BPF_JLT, BPF_REG_9, 4, again);
}

static void local_call(struct gen *g)
{
	if (g->in_sub)
		return;
	bld_alu_reg(g->b, BPF_MOV, BPF_REG_1, BPF_REG_6);
	bld_alu_reg(g->b, BPF_MOV, BPF_REG_2, scalar(g));
	bld_alu_reg(g->b, BPF_MOV, BPF_REG_3, scalar(g));
	bld_call_local(g->b, g->sub);
	bld_alu_reg(g->b, BPF_MOV, scalar(g), BPF_REG_0);
}

/* Rounds of a callback that gets one of the words of the stack. Array elements come in their order. */
static void call_back(struct gen *g)
{
	bool walks = below(g, 2);

	if (g->in_sub)
		return;
	if (walks) {
		g->walks = true;
		bld_map(g->b, BPF_REG_1, 0);
	} else if (below(g, 2)) {
		bld_alu_imm(g->b, BPF_MOV, BPF_REG_1, (s32)below(g, 6));
	} else {
		bld_alu_reg(g->b, BPF_MOV, BPF_REG_1, scalar(g));
		bld_alu_imm(g->b, BPF_AND, BPF_REG_1, 3);
	}
	g->loops |= !walks;
	bld_func(g->b, BPF_REG_2, walks ? g->element : g->round);
	bld_alu_reg(g->b, BPF_MOV, BPF_REG_3, BPF_REG_FP);
	bld_alu_imm(g->b, BPF_ADD, BPF_REG_3, stack_word(g));
	bld_alu_imm(g->b, BPF_MOV, BPF_REG_4, 0);
	bld_call(g->b, walks ? 164 : 181);
	bld_alu_reg(g->b, below(g, 2) ? BPF_ADD : BPF_MOV, scalar(g), BPF_REG_0);
}

static void block(struct gen *g, u32 statements)
{
	static void (*const kinds[])(struct gen * g) = {alu, alu, memory, stack, cpu_number, lookup,
		lookup, local_call, call_back, questions, flags, loop, branch};

	g->depth++;
	for (u32 i = 0; i < statements; i++)
		kinds[below(g, ARRAY_LEN(kinds) - (g->depth > DEPTH_MAX ? 3 : 0))](g);
	g->depth--;
}

static void result(struct gen *g)
{
	bld_alu_reg(g->b, BPF_MOV, BPF_REG_0, BPF_REG_7);
	bld_alu_reg(g->b, BPF_XOR, BPF_REG_0, BPF_REG_8);
	if (below(g, 2))
		bld_alu_reg(g->b, BPF_ADD, BPF_REG_0, BPF_REG_9);
	bld_exit(g->b);
}

static void fill_stack(struct gen *g)
{
	for (s32 i = 0; i < STACK_WORDS; i++)
		bld_store(g->b, BPF_DW, BPF_REG_FP, (s16)(-8 - 8 * i), BPF_REG_7);
}

static void main_body(struct gen *g)
{
	bld_alu_reg(g->b, BPF_MOV, BPF_REG_6, BPF_REG_1);
	bld_load(g->b, BPF_DW, BPF_REG_7, BPF_REG_6, 0);
	bld_load(g->b, BPF_W, BPF_REG_8, BPF_REG_6, 8);
	bld_alu_imm(g->b, BPF_MOV, BPF_REG_9, 3);
	fill_stack(g);
	block(g, 4 + below(g, 12));
	local_call(g); /* so that the subprogram is called at all */
	result(g);
}

static void sub_body(struct gen *g)
{
	g->in_sub = true;
	builder_bind(g->b, g->sub);
	bld_alu_reg(g->b, BPF_MOV, BPF_REG_6, BPF_REG_1);
	bld_alu_reg(g->b, BPF_MOV, BPF_REG_7, BPF_REG_2);
	bld_alu_reg(g->b, BPF_MOV, BPF_REG_8, BPF_REG_3);
	bld_alu_imm(g->b, BPF_MOV, BPF_REG_9, 1);
	fill_stack(g);
	block(g, below(g, 5));
	result(g);
}

/* The word's address is in `word`, the other arguments where the helpers pass them. */
static void callback_body(struct gen *g, u8 word, bool walks)
{
	builder_bind(g->b, walks ? g->element : g->round);
	bld_load(g->b, BPF_DW, BPF_REG_7, word, 0);
	if (walks)
		bld_load(g->b, BPF_W, BPF_REG_8, BPF_REG_2, 0);
	else
		bld_alu_reg(g->b, BPF_MOV, BPF_REG_8, BPF_REG_1);
	bld_alu_imm(g->b, BPF_MOV, BPF_REG_9, 1);
	for (u32 n = below(g, 6); n > 0; n--)
		alu(g);
	if (walks)
		bld_store(g->b, BPF_DW, BPF_REG_3, 0, scalar(g));
	bld_store(g->b, BPF_DW, word, 0, scalar(g));
	bld_alu_reg(g->b, BPF_MOV, BPF_REG_0, scalar(g));
	bld_alu_imm(g->b, BPF_AND, BPF_REG_0, 1);
	bld_exit(g->b);
}

struct prog *random_prog(u64 seed, const struct random_maps *m)
{
	struct gen g = {.b = builder_new(), .seed = seed, .nr_maps = m->nr, .nr_scalars = 3};
	struct prog *p = prog_new("random", PROG_TYPE_RAW);
	struct diag d = {0};
	u32 index;

	p->raw_mem_bytes = RANDOM_MEM_BYTES;
	for (u32 i = 0; i < m->nr; i++)
		assert_int_equal(prog_add_map(p, m->maps[i], &index), 0);
	g.sub = builder_label(g.b);
	g.round = builder_label(g.b);
	g.element = builder_label(g.b);
	main_body(&g);
	sub_body(&g);
	if (g.loops)
		callback_body(&g, BPF_REG_2, false);
	if (g.walks)
		callback_body(&g, BPF_REG_4, true);
	if (builder_finish(g.b, p, &d))
		fail_msg("%s", diag_first(&d));
	builder_free(g.b);
	diag_fini(&d);
	return p;
}

struct prog *random_prog_with(const struct prog *p, const struct random_maps *m)
{
	struct prog *copy = prog_clone(p);

	assert_non_null(copy);
	for (u32 i = 0; i < m->nr; i++)
		copy->maps[i] = m->maps[i];
	return copy;
}
