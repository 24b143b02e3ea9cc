/* Functions, rules and chains as code: tests in the kernel's order, counters, targets, calls.
 * Chains are rule after rule here; better layouts are compile_tree.c's business. */
#include "helper/helper.h"
#include "rules/code.h"
#include "rules/counters.h"
#include "rules/match.h"
#include "weir/packet.h"

static s16 near_off(u32 counter)
{
	return (s16)(COUNTERS_OFF + counter % COUNTERS_PER_VALUE * COUNTER_BYTES);
}

static bool is_near(u32 counter)
{
	return counter < COUNTERS_PER_VALUE;
}

/* Adds (1, len) at reg + off; uses r0, r1 and needs the context in r6. */
static void add_count(struct builder *b, u8 reg, s16 off)
{
	bld_load(b, BPF_DW, BPF_REG_0, reg, off);
	bld_alu_imm(b, BPF_ADD, BPF_REG_0, 1);
	bld_store(b, BPF_DW, reg, off, BPF_REG_0);
	bld_load(b, BPF_DW, BPF_REG_0, reg, (s16)(off + 8));
	bld_load(b, BPF_W, BPF_REG_1, REG_CTX, (s16)offsetof(struct weir_packet, len));
	bld_alu_reg(b, BPF_ADD, BPF_REG_0, BPF_REG_1);
	bld_store(b, BPF_DW, reg, (s16)(off + 8), BPF_REG_0);
}

/* r2, r3: where the counter is. */
static void far_place(struct builder *b, u32 counter)
{
	bld_const(b, BPF_REG_2, counter / COUNTERS_PER_VALUE);
	bld_const(b, BPF_REG_3, counter % COUNTERS_PER_VALUE * COUNTER_BYTES);
}

static void call_far(struct code *c)
{
	bld_alu_reg(c->e.b, BPF_MOV, BPF_REG_1, REG_CTX);
	bld_call_local(c->e.b, spot_use(&c->far));
}

static void count(struct code *c, u32 counter)
{
	if (is_near(counter)) {
		add_count(c->e.b, REG_COUNTERS, near_off(counter));
	} else {
		far_place(c->e.b, counter);
		call_far(c);
	}
}

void code_verdict(struct code *c, u32 counter, enum verdict v)
{
	struct builder *b = c->e.b;

	if (is_near(counter)) {
		bld_const(b, BPF_REG_1, counter * COUNTER_BYTES);
		bld_ja(b, spot_use(&c->count_near[v]));
	} else {
		far_place(b, counter);
		bld_ja(b, spot_use(&c->count_far[v]));
	}
}

void code_begin(struct code *c)
{
	c->hotdrop = emit_spot(&c->e);
	c->leave = emit_spot(&c->e);
	for (size_t v = 0; v < NR_VERDICTS; v++) {
		c->count_near[v] = emit_spot(&c->e);
		c->count_far[v] = emit_spot(&c->e);
	}
	c->e.hotdrop = &c->hotdrop;
}

static void leave_with(struct builder *b, s32 result)
{
	bld_alu_imm(b, BPF_MOV, BPF_REG_0, result);
	bld_exit(b);
}

enum { COUNTER_OFF_MASK = (COUNTERS_PER_VALUE - 1) * COUNTER_BYTES };

void code_end(struct code *c)
{
	struct builder *b = c->e.b;

	builder_line(b, 0, 0, NULL);
	for (s32 v = 0; v < NR_VERDICTS; v++) {
		if (c->count_near[v].used) {
			emit_bind(&c->e, &c->count_near[v]);
			bld_alu_imm(b, BPF_AND, BPF_REG_1, COUNTER_OFF_MASK);
			bld_alu_reg(b, BPF_MOV, BPF_REG_2, REG_COUNTERS);
			bld_alu_reg(b, BPF_ADD, BPF_REG_2, BPF_REG_1);
			add_count(b, BPF_REG_2, COUNTERS_OFF);
			leave_with(b, v);
		}
		if (c->count_far[v].used) {
			emit_bind(&c->e, &c->count_far[v]);
			call_far(c);
			leave_with(b, v);
		}
	}
	if (c->hotdrop.used) {
		emit_bind(&c->e, &c->hotdrop);
		leave_with(b, VERDICT_HOTDROP);
	}
	if (c->leave.used) {
		emit_bind(&c->e, &c->leave);
		bld_exit(b);
	}
}

void code_source(struct code *c, const struct rule *r)
{
	struct str line = ruleset_line(r->chain->table->set, r->pos);
	char *text = arena_strndup(&c->arena, line.p, line.len);

	if (text == NULL)
		c->failed = true;
	else
		builder_line(c->e.b, r->pos.line, r->pos.col, text);
}

static void call_chain(struct code *c, struct chain_plan *to)
{
	struct builder *b = c->e.b;
	enum emit_mode mode = c->e.mode;

	if (!to->called[mode]) {
		to->called[mode] = true;
		to->entry[mode] = builder_label(b);
	}
	bld_alu_reg(b, BPF_MOV, BPF_REG_1, REG_CTX);
	bld_alu_reg(b, BPF_MOV, BPF_REG_2, REG_PACKET);
	bld_alu_reg(b, BPF_MOV, BPF_REG_3, REG_COUNTERS);
	bld_call_local(b, to->entry[mode]);
	bld_jmp_imm(b, BPF_JNE, BPF_REG_0, VERDICT_CONTINUE, spot_use(&c->leave));
}

static bool jump(struct code *c, const struct rule *r)
{
	struct chain_plan *to = plan_of(c->plan, r->to);

	if (!to->placed) {
		call_chain(c, to);
		return true;
	}
	struct spot back = emit_spot(&c->e);
	bool falls = code_chains(c, r->to, &back);

	emit_bind(&c->e, &back);
	return falls || back.used;
}

static void go_in_place(struct code *c, const struct chain *to)
{
	struct later *l = arena_alloc(&c->arena, sizeof(*l));

	if (l == NULL) {
		c->failed = true;
		return;
	}
	*l = (struct later){
		.chain = to, .start = builder_label(c->e.b), .mode = c->e.mode, .next = c->later};
	c->later = l;
	bld_ja(c->e.b, l->start);
}

/* RETURN from there goes where RETURN from here goes. */
static bool go_to(struct code *c, const struct rule *r, struct spot *ret)
{
	struct chain_plan *to = plan_of(c->plan, r->to);

	if (to->placed) {
		go_in_place(c, r->to);
	} else {
		call_chain(c, to);
		bld_ja(c->e.b, spot_use(ret));
	}
	return false;
}

static void verdict(struct code *c, const struct rule *r, enum verdict v)
{
	if (c->group != NULL)
		code_group_verdict(c, r);
	else
		code_verdict(c, r->counter, v);
}

/* Counter and target; true when the packet goes on behind the rule. */
static bool act(struct code *c, const struct rule *r, struct spot *ret)
{
	switch (r->target) {
	case TARGET_NONE:
		count(c, r->counter);
		return true;
	case TARGET_ACCEPT:
		verdict(c, r, VERDICT_ACCEPT);
		return false;
	case TARGET_DROP:
	case TARGET_QUEUE: /* nobody listens: the kernel drops too */
		verdict(c, r, VERDICT_DROP);
		return false;
	case TARGET_RETURN:
		count(c, r->counter);
		bld_ja(c->e.b, spot_use(ret));
		return false;
	case TARGET_JUMP:
		count(c, r->counter);
		return jump(c, r);
	case TARGET_GOTO:
		count(c, r->counter);
		return go_to(c, r, ret);
	case TARGET_EXT:
		count(c, r->counter);
		r->ext.target->emit(r->ext.data, &c->e);
		return true;
	}
	UNREACHABLE();
}

void code_base(struct code *c, const struct rule *r, const struct known *known, struct spot *miss)
{
	code_source(c, r);
	c->e.rule = r;
	c->e.miss = miss;
	c->e.known = known->atom;
	c->e.known_bits = known->bits;
	c->e.src_holds = known->src_holds;
	c->e.dst_holds = known->dst_holds;
	emit_base(&c->e);
}

bool code_rule_to(struct code *c, const struct rule *r, const struct known *known,
	struct spot *miss, struct spot *ret)
{
	code_base(c, r, known, miss);
	for (u32 i = 0; i < r->nr_matches; i++)
		r->matches[i].match->emit(r->matches[i].data, &c->e);
	return act(c, r, ret);
}

bool code_rule(struct code *c, const struct rule *r, const struct known *known, struct spot *ret)
{
	struct spot miss = emit_spot(&c->e);
	bool falls = code_rule_to(c, r, known, &miss, ret);

	emit_bind(&c->e, &miss);
	return falls || miss.used;
}

static bool write_plain(struct code *c, const struct chain *chain, struct spot *ret)
{
	static const struct known nothing;

	for (const struct rule *r = chain->rules; r != NULL; r = r->next)
		if (!plan_skips(c->plan, r) && !code_rule(c, r, &nothing, ret))
			return false;
	return true;
}

bool code_chain(struct code *c, const struct chain *chain, struct spot *ret)
{
	if (c->plain)
		return write_plain(c, chain, ret);
	code_tree(c, chain, ret);
	return false;
}

bool code_chains(struct code *c, const struct chain *chain, struct spot *ret)
{
	struct later *outer = c->later;
	enum emit_mode mode = c->e.mode;

	c->later = NULL;
	bool falls = code_chain(c, chain, ret);

	while (c->later != NULL) {
		struct later *l = c->later;

		c->later = l->next;
		if (falls)
			bld_ja(c->e.b, spot_use(ret));
		builder_bind(c->e.b, l->start);
		c->e.mode = l->mode;
		falls = code_chain(c, l->chain, ret);
	}
	c->later = outer;
	c->e.mode = mode;
	return falls;
}

static void write_subprogram(struct code *c, struct chain_plan *cp, enum emit_mode mode)
{
	struct builder *b = c->e.b;

	cp->written[mode] = true;
	c->e.mode = mode;
	builder_bind(b, cp->entry[mode]);
	builder_line(b, 0, 0, NULL);
	code_begin(c);
	bld_alu_reg(b, BPF_MOV, REG_CTX, BPF_REG_1);
	bld_alu_reg(b, BPF_MOV, REG_PACKET, BPF_REG_2);
	bld_alu_reg(b, BPF_MOV, REG_COUNTERS, BPF_REG_3);
	struct spot ret = emit_spot(&c->e);
	bool falls = code_chains(c, cp->chain, &ret);

	emit_bind(&c->e, &ret);
	if (falls || ret.used)
		leave_with(b, VERDICT_CONTINUE);
	code_end(c);
}

/* r1: the context, r2: index of the counters' value, r3: offset of the counter in it. */
static void write_far(struct code *c, u32 map)
{
	struct builder *b = c->e.b;
	label_t none = builder_label(b);

	emit_bind(&c->e, &c->far);
	builder_line(b, 0, 0, NULL);
	bld_alu_reg(b, BPF_MOV, REG_CTX, BPF_REG_1);
	bld_alu_reg(b, BPF_MOV, BPF_REG_7, BPF_REG_3);
	bld_store(b, BPF_W, BPF_REG_10, -4, BPF_REG_2);
	bld_map(b, BPF_REG_1, map);
	bld_alu_reg(b, BPF_MOV, BPF_REG_2, BPF_REG_10);
	bld_alu_imm(b, BPF_ADD, BPF_REG_2, -4);
	bld_call(b, HELPER_map_lookup_elem);
	bld_jmp_imm(b, BPF_JEQ, BPF_REG_0, 0, none);
	bld_alu_reg(b, BPF_MOV, BPF_REG_2, BPF_REG_0);
	bld_alu_imm(b, BPF_AND, BPF_REG_7, COUNTER_OFF_MASK);
	bld_alu_reg(b, BPF_ADD, BPF_REG_2, BPF_REG_7);
	add_count(b, BPF_REG_2, COUNTERS_OFF);
	builder_bind(b, none);
	leave_with(b, 0);
}

void code_subprograms(struct code *c, u32 map)
{
	bool again = true;

	while (again) {
		again = false;
		for (u32 i = 0; i < c->plan->nr_chains; i++) {
			struct chain_plan *cp = &c->plan->chains[i];

			for (unsigned mode = 0; mode < NR_EMIT_MODES; mode++)
				if (cp->called[mode] && !cp->written[mode]) {
					write_subprogram(c, cp, (enum emit_mode)mode);
					again = true;
				}
		}
	}
	if (c->far.used)
		write_far(c, map);
}
