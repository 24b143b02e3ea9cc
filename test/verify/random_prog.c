#include "random_prog.h"

#include "base/diag.h"
#include "random_gen.h"

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
