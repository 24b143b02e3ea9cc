/* From a chain to a program. The stages, in the order of rules_compile: plan (what the rules need),
 * then the code, in the order of write_program:
 *   packet      its fixed header must be there
 *   counters    their address for the whole run
 *   header walk only as far as some rule needs
 *   rules       in the order of their chain, then the policy
 *   ends        verdicts that several places jump to
 *   subprograms of chains that several rules call */
#include "rules/compile.h"

#include <errno.h>
#include <stdio.h>

#include "helper/helper.h"
#include "isa/prog.h"
#include "rules/code.h"
#include "rules/counters.h"
#include "rules/match.h"
#include "rules/walk.h"
#include "weir/packet.h"

/* r7: the IP header, whose fixed part must be there. */
static void write_packet(struct code *c)
{
	struct builder *b = c->e.b;

	emit_ctx_load(&c->e, 8, offsetof(struct weir_packet, data), REG_PACKET);
	emit_ctx_load(&c->e, 8, offsetof(struct weir_packet, data_end), BPF_REG_2);
	bld_alu_reg(b, BPF_MOV, BPF_REG_1, REG_PACKET);
	bld_alu_imm(b, BPF_ADD, BPF_REG_1,
		c->e.family == FAMILY_IPV6 ? IPV6_HEADER_BYTES : IPV4_HEADER_BYTES);
	bld_jmp_reg(b, BPF_JGT, BPF_REG_1, BPF_REG_2, emit_hotdrop(&c->e));
}

/* r9: counters. The lookup with a constant key can't fail. */
static void write_counters(struct code *c, u32 map)
{
	struct builder *b = c->e.b;

	bld_store_imm(b, BPF_W, BPF_REG_10, -4, 0);
	bld_alu_reg(b, BPF_MOV, BPF_REG_2, BPF_REG_10);
	bld_alu_imm(b, BPF_ADD, BPF_REG_2, -4);
	bld_map(b, BPF_REG_1, map);
	bld_call(b, HELPER_map_lookup_elem);
	bld_jmp_imm(b, BPF_JEQ, BPF_REG_0, 0, emit_hotdrop(&c->e));
	bld_alu_reg(b, BPF_MOV, REG_COUNTERS, BPF_REG_0);
}

/* Are there packets that whole-header code is wrong for? */
static bool has_odd(const struct plan *p)
{
	if (p->family == FAMILY_IPV4)
		return (p->needs & NEEDS_UPPER) != 0;
	return (p->needs & (NEEDS_UPPER | NEEDS_FRAGMENT | PLAN_PROTO)) != 0;
}

static void write_rules(struct code *c)
{
	struct spot end = emit_spot(&c->e);
	const struct chain *start = c->plan->start;

	c->e.mode = c->plain || has_odd(c->plan) ? EMIT_ANY : EMIT_WHOLE;
	if (code_chains(c, start, &end))
		bld_ja(c->e.b, spot_use(&end));
	if (end.used) {
		emit_bind(&c->e, &end);
		builder_line(c->e.b, start->pos.line, start->pos.col, NULL);
		code_verdict(c, start->policy_counter,
			start->policy == TARGET_ACCEPT ? VERDICT_ACCEPT : VERDICT_DROP);
	}
}

static void write_program(struct code *c, u32 map)
{
	code_begin(c);
	bld_alu_reg(c->e.b, BPF_MOV, REG_CTX, BPF_REG_1);
	write_packet(c);
	write_counters(c, map);
	emit_walk(&c->e, c->plan);
	write_rules(c);
	code_end(c);
	code_subprograms(c, map);
}

static struct prog *named_prog(const struct chain *start)
{
	char name[64];

	snprintf(name, sizeof(name), "%s:%s", start->table->name, start->name);
	return prog_new(name, PROG_TYPE_PACKET);
}

static int write_into(struct prog *prog, struct plan *plan, struct map *counters,
	const struct compile_opts *opts, struct diag *d)
{
	struct code c = {.plan = plan, .plain = opts->no_classifier};
	u32 map = 0;
	int err = prog_add_map(prog, counters, &map);

	if (err != 0)
		return err;
	c.e = (struct emit){.b = builder_new(),
		.family = plan->family,
		.class_of = plan->class_of,
		.mode = EMIT_ANY};
	if (c.e.b == NULL)
		return diag_nomem(d);
	c.far = emit_spot(&c.e);
	write_program(&c, map);
	err = c.failed ? diag_nomem(d) : builder_finish(c.e.b, prog, d);
	builder_free(c.e.b);
	arena_fini(&c.arena);
	return err;
}

int rules_compile(const struct chain *start, struct map *counters, const struct compile_opts *opts,
	struct prog **out, struct diag *d)
{
	static const struct compile_opts defaults;
	struct plan plan;

	assert(start->hook != HOOK_NONE);
	if (opts == NULL)
		opts = &defaults;
	int err = plan_init(&plan, start, opts, d);

	if (err != 0)
		return err;
	struct prog *prog = named_prog(start);

	err = prog == NULL ? diag_nomem(d) : write_into(prog, &plan, counters, opts, d);
	plan_fini(&plan);
	if (err != 0)
		prog_free(prog);
	else
		*out = prog;
	return err;
}
