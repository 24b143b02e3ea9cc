/* The pass thread on programs made for it: a few registers, about which jumps ask again and again, and which become constants on
 * some of the ways. With the pass, alone and among the others, they do what they do without any. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/diag.h"
#include "isa/builder.h"
#include "isa/isa.h"
#include "random_prog.h"
#include "rewrite/rewrite.h"
#include "../interp_once.h"
#include "verify/verify.h"

enum {
	PROGS_DEFAULT = 4000,
	INPUTS = 12,
	LABELS = 2, /* jumps that are still to arrive */
	LETTERS_MAX = 32,
};

/* r6 is the memory, r9 what has been seen; r1 counts rounds. */
struct gen {
	struct builder *b;
	u64 seed;
	u8 regs[4];
	u32 nr_regs;
	s32 imms[3];
	u8 jump, jump_class; /* how most jumps ask */
	label_t labels[LABELS];
	bool open[LABELS];
};

/* What is asked about and what becomes known is often the same. */
static const s32 imms[] = {0, 1, -1, 2, 5, -5, INT32_MIN, INT32_MAX};
static const u64 words[] = {0, 1, 2, 5, (u64)-1, (u64)-5, 0xffffffff, 0xfffffffb, 0x100000000,
	0x100000001, 0x80000000, 0xffffffff80000000, 0x7fffffff, 0x500000005, 0x8000000000000000, 4,
	6, 3};

static u32 below(struct gen *g, u32 n)
{
	return random_below(&g->seed, n);
}

static u8 any_reg(struct gen *g)
{
	return g->regs[below(g, 2) ? 0 : below(g, g->nr_regs)];
}

static s32 any_imm(struct gen *g)
{
	return g->imms[below(g, 2) ? 0 : below(g, ARRAY_LEN(g->imms))];
}

static void put(struct gen *g, u8 code, u8 dst, u8 src, s16 off, s32 imm)
{
	bld_insn(g->b,
		(struct insn){
			.code = code, .dst = dst & 15u, .src = src & 15u, .off = off, .imm = imm});
}

static u8 any_class(struct gen *g)
{
	return below(g, 2) ? BPF_ALU64 : BPF_ALU;
}

static void gen_move(struct gen *g)
{
	static const s16 from[] = {0, 0, 0, 8, 16, 32};
	u8 class = any_class(g), dst = any_reg(g);

	switch (below(g, 4)) {
	case 0:
		bld_const(g->b, dst, words[below(g, ARRAY_LEN(words))]);
		break;
	case 1:
		put(g, class | BPF_MOV | BPF_X, dst, any_reg(g),
			from[below(g, class == BPF_ALU64 ? 6 : 5)], 0);
		break;
	default:
		put(g, class | BPF_MOV | BPF_K, dst, 0, 0, any_imm(g));
	}
}

static void gen_alu(struct gen *g)
{
	static const u8 ops[] = {BPF_ADD, BPF_SUB, BPF_MUL, BPF_DIV, BPF_DIV, BPF_MOD, BPF_OR,
		BPF_AND, BPF_LSH, BPF_RSH, BPF_MOD, BPF_XOR, BPF_ARSH, BPF_NEG, BPF_END};
	u8 class = any_class(g), op = ops[below(g, ARRAY_LEN(ops))], dst = any_reg(g);
	bool by_reg = below(g, 2), divides = op == BPF_DIV || op == BPF_MOD;
	bool shifts = op == BPF_LSH || op == BPF_RSH || op == BPF_ARSH;
	s16 off = divides && below(g, 2) ? 1 : 0;

	if (op == BPF_NEG)
		put(g, class | op, dst, 0, 0, 0);
	else if (op == BPF_END)
		put(g, class | op, dst, 0, 0, 16 << below(g, 3));
	else if (by_reg)
		put(g, class | op | BPF_X, dst, any_reg(g), off, 0);
	else if (shifts)
		put(g, class | op | BPF_K, dst, 0, 0, (s32)below(g, 32));
	else
		put(g, class | op | BPF_K, dst, 0, off,
			divides ? 3 - 8 * (s32)below(g, 2) : any_imm(g));
}

static s16 any_off(struct gen *g)
{
	return (s16)(8 * below(g, RANDOM_MEM_BYTES / 8));
}

static void gen_memory(struct gen *g)
{
	static const u8 sizes[] = {BPF_B, BPF_H, BPF_W, BPF_DW};

	if (below(g, 3))
		bld_load(g->b, sizes[below(g, 4)], any_reg(g), BPF_REG_6, any_off(g));
	else if (below(g, 2))
		bld_store(g->b, BPF_DW, BPF_REG_6, any_off(g), any_reg(g));
	else
		put(g, BPF_STX | BPF_ATOMIC | BPF_DW, BPF_REG_6, any_reg(g), any_off(g),
			BPF_ADD | BPF_FETCH);
}

/* Which way we came and with what. */
static void gen_trace(struct gen *g)
{
	bld_alu_imm(g->b, BPF_MUL, BPF_REG_9, 31);
	if (below(g, 2))
		bld_alu_reg(g->b, BPF_ADD, BPF_REG_9, any_reg(g));
	else
		bld_alu_imm(g->b, BPF_ADD, BPF_REG_9, (s32)below(g, 1000));
}

/* A label that is bound later; several jumps may go to it. */
static label_t somewhere(struct gen *g)
{
	u32 n = below(g, LABELS);

	if (!g->open[n])
		g->labels[n] = builder_label(g->b);
	g->open[n] = true;
	return g->labels[n];
}

static void bind(struct gen *g, u32 n)
{
	if (g->open[n])
		builder_bind(g->b, g->labels[n]);
	g->open[n] = false;
}

static const u8 jumps[] = {BPF_JEQ, BPF_JNE, BPF_JGT, BPF_JGE, BPF_JLT, BPF_JLE, BPF_JSET, BPF_JSGT,
	BPF_JSGE, BPF_JSLT, BPF_JSLE};
static const u8 jump_classes[] = {
	BPF_JMP | BPF_K, BPF_JMP | BPF_K, BPF_JMP32 | BPF_K, BPF_JMP | BPF_X, BPF_JMP32 | BPF_X};

static void gen_jump(struct gen *g)
{
	u8 op = below(g, 3) ? g->jump : jumps[below(g, ARRAY_LEN(jumps))];
	u8 class = below(g, 3) ? g->jump_class : jump_classes[below(g, ARRAY_LEN(jump_classes))];
	u8 dst = below(g, 12) ? any_reg(g) : BPF_REG_1;
	bool wide = BPF_CLASS(class) == BPF_JMP;
	label_t to = somewhere(g);

	if (BPF_SRC(class) == BPF_X)
		(wide ? bld_jmp_reg : bld_jmp32_reg)(g->b, op, dst, any_reg(g), to);
	else
		(wide ? bld_jmp_imm : bld_jmp32_imm)(g->b, op, dst, any_imm(g), to);
}

/* A short block, which ends with a jump. */
static void gen_meeting(struct gen *g)
{
	for (u32 n = 1 + below(g, 2); n > 0; n--)
		bind(g, below(g, LABELS));
	for (u32 n = below(g, 3); n > 0; n--)
		below(g, 2) ? gen_move(g) : gen_alu(g);
	gen_jump(g);
}

/* What comes behind a goto must be reached. */
static void gen_goto(struct gen *g)
{
	label_t behind = builder_label(g->b);

	bld_jmp_imm(g->b, BPF_JEQ, any_reg(g), any_imm(g), behind);
	gen_move(g);
	bld_ja(g->b, somewhere(g));
	builder_bind(g->b, behind);
}

static void gen_piece(struct gen *g)
{
	static void (*const pieces[])(struct gen * g) = {gen_meeting, gen_meeting, gen_meeting,
		gen_meeting, gen_jump, gen_jump, gen_move, gen_move, gen_alu, gen_alu, gen_memory,
		gen_trace, gen_trace, gen_goto};

	pieces[below(g, ARRAY_LEN(pieces))](g);
}

static void gen_body(struct gen *g, u32 n)
{
	while (n--)
		gen_piece(g);
	for (u32 i = 0; i < LABELS; i++)
		bind(g, i);
}

static struct prog *gen_prog(u32 number)
{
	static const u8 all[] = {BPF_REG_2, BPF_REG_3, BPF_REG_7, BPF_REG_8};
	struct gen g = {.b = builder_new(), .seed = random_seed(number)};
	struct prog *p = prog_new("ways", PROG_TYPE_RAW);
	label_t top = builder_label(g.b);
	u32 n = 4 + number % 20;

	p->raw_mem_bytes = RANDOM_MEM_BYTES;
	g.nr_regs = 1 + below(&g, ARRAY_LEN(all));
	memcpy(g.regs, all, sizeof(all));
	for (u32 i = 0; i < ARRAY_LEN(g.imms); i++)
		g.imms[i] = imms[below(&g, ARRAY_LEN(imms))];
	g.jump = jumps[below(&g, ARRAY_LEN(jumps))];
	g.jump_class = jump_classes[below(&g, ARRAY_LEN(jump_classes))];
	bld_alu_reg(g.b, BPF_MOV, BPF_REG_6, BPF_REG_1);
	for (u32 i = 0; i < ARRAY_LEN(all); i++)
		bld_load(g.b, BPF_DW, all[i], BPF_REG_6, (s16)(8 * i));
	bld_const(g.b, BPF_REG_9, 1);
	bld_const(g.b, BPF_REG_1, 0);
	builder_bind(g.b, top);
	gen_body(&g, n);
	if (below(&g, 3) == 0) {
		bld_alu_imm(g.b, BPF_ADD, BPF_REG_1, 1);
		bld_jmp_imm(g.b, BPF_JLT, BPF_REG_1, 3, top);
		gen_body(&g, n / 2);
	}
	bld_alu_reg(g.b, BPF_MOV, BPF_REG_0, BPF_REG_9);
	for (u32 i = 0; i < ARRAY_LEN(all); i++) {
		bld_alu_imm(g.b, BPF_MUL, BPF_REG_0, 31);
		bld_alu_reg(g.b, BPF_ADD, BPF_REG_0, all[i]);
	}
	bld_exit(g.b);
	assert_int_equal(builder_finish(g.b, p, NULL), 0);
	builder_free(g.b);
	return p;
}

struct outcome {
	u64 r0[INPUTS], mem[INPUTS][RANDOM_MEM_BYTES / 8];
};

static u64 hash_of(const struct prog *p)
{
	u64 hash = p->len;

	for (u32 pc = 0; pc < p->len; pc++) {
		u64 bits;

		memcpy(&bits, &p->insns[pc], sizeof(bits));
		hash = (hash ^ bits) * 0x9e3779b97f4a7c15;
	}
	return hash;
}

static void run_inputs(u32 number, const struct prog *p, struct outcome *o)
{
	u64 seed = random_seed(number + 1);

	for (u32 i = 0; i < INPUTS; i++) {
		for (u32 k = 0; k < RANDOM_MEM_BYTES / 8; k++)
			o->mem[i][k] = words[random_below(&seed, ARRAY_LEN(words))];
		o->r0[i] = interp_once(p, (u64)(uintptr_t)o->mem[i], RANDOM_MEM_BYTES, NULL);
	}
}

static void show(u32 number, const char *skip, const struct prog *p)
{
	struct buf text = {0};

	prog_print(&text, p);
	print_error("program %u without '%s':\n%s", number, skip, buf_cstr(&text));
	buf_fini(&text);
}

/* Runs p without the passes `skip`; returns the hash of what it is then. */
static u64 run_without(u32 number, const struct prog *p, const char *skip, struct outcome *o)
{
	struct rewrite_opts opts = {.skip = skip};
	struct prog *copy = prog_clone(p);
	struct facts facts = {0};
	struct diag d = {0};

	if (verify(copy, NULL, &facts, NULL, &d) || rewrite(copy, &facts, &opts, &d)) {
		show(number, skip, copy);
		fail_msg("%s", diag_first(&d));
	}
	run_inputs(number, copy, o);
	u64 hash = hash_of(copy);
	facts_fini(&facts);
	prog_free(copy);
	diag_fini(&d);
	return hash;
}

/* All optional passes but thread. */
static void letters_beside(char *letters)
{
	for (size_t i = 0; pass_at(i); i++)
		if (pass_at(i)->kind == PASS_OPTIONAL && strcmp(pass_at(i)->name, "thread"))
			*letters++ = pass_at(i)->letter;
	*letters = '\0';
}

static void same_as_without(void **state)
{
	char others[LETTERS_MAX];
	u32 progs = *(u32 *)*state, changed = 0;

	letters_beside(others);
	for (u32 number = 0; number < progs; number++) {
		const char *const skips[] = {others, ""};
		struct prog *p = gen_prog(number);
		struct outcome want, got;

		u64 before = run_without(number, p, "*", &want);
		for (size_t i = 0; i < ARRAY_LEN(skips); i++) {
			changed += before != run_without(number, p, skips[i], &got) && i == 0;
			if (!memcmp(&got, &want, sizeof(got)))
				continue;
			show(number, skips[i], p);
			fail();
		}
		prog_free(p);
	}
	print_message("%u programs, in %u of which ways were found\n", progs, changed);
	assert_true(changed > progs / 8);
}

/* Usage: test-thread [PROGRAMS] */
int main(int argc, char **argv)
{
	u32 progs = argc > 1 ? (u32)atoi(argv[1]) : PROGS_DEFAULT;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(same_as_without, &progs),
	};

	return cmocka_run_group_tests_name("thread", tests, NULL, NULL);
}
