/* Conditional jumps: which way, and what each way says about what was compared. */
#include "verify/jump.h"

#include <errno.h>

#include "verify/memory.h"
#include "verify/prune.h"

struct update {
	struct verifier *v;
	u32 id;
	u8 type;
	const struct vreg *value;
	struct deps deps;
	u32 range;
	bool null;
};

static void copy_to_equal(struct vreg *r, void *arg)
{
	const struct update *u = arg;

	if (r == u->value || r->type != REG_SCALAR || r->id != u->id)
		return;
	r->var = u->value->var;
	r->deps = deps_or(r->deps, u->deps);
	r->lower = deps_or(r->lower, u->value->lower);
	r->upper = deps_or(r->upper, u->value->upper);
}

/* Registers that are known to hold the same number learn what r has learnt. That they are equal is knowledge too: `before`
 * is what r rested on as their equal. */
static void share(struct verifier *v, struct vreg *r, struct deps before)
{
	struct update u = {.id = r->id, .value = r, .deps = deps_or(before, r->deps)};

	if (r->id)
		state_each_reg(&v->cur, copy_to_equal, &u);
}

/* Both sides of a comparison of numbers. */
struct operands {
	struct vreg *dst;
	struct vreg *src; /* or NULL */
	struct scalar src_value;
	u8 op;
	bool wide;
};

static struct operands operands_of(struct verifier *v, struct insn i)
{
	struct operands o = {
		.dst = cur_reg(v, i.dst),
		.op = BPF_OP(i.code),
		.wide = BPF_CLASS(i.code) == BPF_JMP,
	};

	if (BPF_SRC(i.code) == BPF_X) {
		o.src = cur_reg(v, i.src);
		o.src_value = o.src->var;
	} else {
		o.src_value = scalar_const((u64)(s64)i.imm);
	}
	return o;
}

/* What the comparison alone says about its left side, with nothing known of that before. */
static struct scalar said_alone(const struct operands *o, bool taken, bool left)
{
	struct scalar unknown = scalar_unknown(), other = left ? o->src_value : o->dst->var;

	if (left)
		scalar_assume(o->op, o->wide, taken, &unknown, &other);
	else
		scalar_assume(o->op, o->wide, taken, &other, &unknown);
	return unknown;
}

/* r becomes `value`. When the comparison alone says as much, then the new range doesn't rest on the old one: after
 * `if r == 5` it is 5 whatever it was. A comparison of the lower halves may say as much about these. */
static void learn(struct vreg *r, struct scalar value, struct scalar alone, struct deps other)
{
	struct scalar low = scalar_zext(&alone, 32);

	r->var = value;
	if (scalar_equal(&value, &alone)) {
		set_deps(r, other);
	} else if (scalar_equal(&value, &low)) {
		struct deps upper = all_deps(r);

		set_deps(r, other);
		r->upper = upper;
	} else {
		/* What is known of one half may have come from the other. */
		set_deps(r, deps_or(all_deps(r), other));
	}
}

static void assume_scalars(struct verifier *v, struct insn i, bool taken)
{
	struct operands o = operands_of(v, i);
	struct scalar dst = o.dst->var, src = o.src_value;
	struct deps dst_deps = all_deps(o.dst),
		    src_deps = o.src ? all_deps(o.src) : (struct deps){0};
	bool possible = scalar_assume(o.op, o.wide, taken, &dst, &src);

	assert(possible);
	struct scalar dst_alone = said_alone(&o, taken, true);
	if (o.src && o.src != o.dst) {
		learn(o.src, src, said_alone(&o, taken, false), dst_deps);
		share(v, o.src, src_deps);
	}
	if (o.src && !scalar_is_const(&dst) && !scalar_is_const(&src))
		order_learn(&v->cur.order, i, taken);
	learn(o.dst, dst, dst_alone, src_deps);
	share(v, o.dst, dst_deps);
}

/* A comparison of lower halves may have been decided by what is known of the whole: a number from 10 up that fits into
 * 16 bits with a sign isn't 8, though its lower half alone might be. */
static bool lower_halves_say(const struct operands *o, enum verdict verdict)
{
	struct scalar dst = scalar_unknown(), src = scalar_unknown();

	if (o->wide)
		return false;
	scalar_meet_low(&dst, &o->dst->var);
	scalar_meet_low(&src, &o->src_value);
	return scalar_compare(o->op, false, &dst, &src) == verdict;
}

static enum verdict decide_scalars(struct verifier *v, struct insn i)
{
	struct operands o = operands_of(v, i);
	enum verdict verdict = scalar_compare(o.op, o.wide, &o.dst->var, &o.src_value);

	if (verdict != MAYBE) {
		void (*demand_part)(struct verifier *, const struct vreg *) =
			lower_halves_say(&o, verdict) ? demand_lower : demand;

		demand_part(v, o.dst);
		if (o.src)
			demand_part(v, o.src);
	} else if (o.src) {
		verdict = order_decide(&v->cur.order, i);
		if (verdict != MAYBE)
			demand_order(v);
	}
	return verdict;
}

static bool is_zero(struct verifier *v, struct insn i)
{
	if (BPF_SRC(i.code) == BPF_K)
		return i.imm == 0;
	return reg_is_const(cur_reg(v, i.src)) && cur_reg(v, i.src)->var.umin == 0;
}

/* `pointer == 0` or `pointer != 0`. */
static bool is_null_check(struct verifier *v, struct insn i)
{
	u8 op = BPF_OP(i.code);

	return BPF_CLASS(i.code) == BPF_JMP && (op == BPF_JEQ || op == BPF_JNE) &&
	       reg_is_pointer(cur_reg(v, i.dst)) && is_zero(v, i);
}

static bool never_null(struct verifier *v, const struct vreg *r)
{
	switch ((enum reg_type)r->type) {
	case REG_CTX:
	case REG_STACK:
	case REG_MAP:
	case REG_MAP_VALUE:
	case REG_MEM:
	case REG_RINGBUF_MEM:
	case REG_MAP_KEY:
	case REG_FUNC:
	case REG_NF_STATE:
	case REG_SKB:
		return true;
	case REG_RAW:
		return v->prog->raw_mem_bytes > 0;
	case REG_DYNPTR:
	case REG_ITER:
	case REG_UNINIT:
	case REG_SCALAR:
	case REG_MAP_VALUE_OR_NULL:
	case REG_MEM_OR_NULL:
	case REG_RINGBUF_MEM_OR_NULL:
	case REG_PACKET:
	case REG_PACKET_META:
	case REG_PACKET_END:
		return false;
	case NR_REG_TYPES:
		break;
	}
	UNREACHABLE();
}

static void settle_null(struct vreg *r, void *arg)
{
	const struct update *u = arg;

	if (r->type != u->type || r->id != u->id)
		return;
	if (u->null)
		*r = reg_const(0);
	else
		reg_settle(u->v, r);
}

static void assume_null_check(struct verifier *v, struct insn i, bool taken)
{
	const struct vreg *r = cur_reg(v, i.dst);
	struct update u = {
		.v = v, .id = r->id, .type = r->type, .null = (BPF_OP(i.code) == BPF_JEQ) == taken};

	if (reg_checked_type(r->type) == REG_UNINIT)
		return;
	if (u.null && r->type == REG_RINGBUF_MEM_OR_NULL)
		ref_drop(&v->cur, r->ref); /* nothing was acquired */
	state_each_reg(&v->cur, settle_null, &u);
}

/* A comparison of a packet pointer with what limits it: their end, or the packet's start for metadata. */
static bool limits(const struct vreg *limit, const struct vreg *p)
{
	if (p->type == REG_PACKET)
		return limit->type == REG_PACKET_END;
	return p->type == REG_PACKET_META && limit->type == REG_PACKET && !limit->off &&
	       !limit->aux && scalar_is_const(&limit->var) && limit->var.umin == 0;
}

static void raise_range(struct vreg *r, void *arg)
{
	const struct update *u = arg;

	if (r->type == u->type && r->id == u->id && r->aux < u->range)
		r->aux = u->range;
}

/* p < limit (strict) or p <= limit: all bytes before p, and for `<` the one at p, are there. */
static void packet_reaches(struct verifier *v, const struct vreg *p, bool strict)
{
	if (p->off < 0 || (p->off == 0 && !strict))
		return;
	if (p->var.smin < 0 || p->var.umax > VERIFY_PACKET_OFF_MAX ||
		p->var.umax + (u64)p->off > VERIFY_PACKET_OFF_MAX)
		return; /* the sum might have wrapped */
	struct update u = {.id = p->id, .type = p->type, .range = (u32)p->off + strict};
	state_each_reg(&v->cur, raise_range, &u);
}

static void assume_packet(struct verifier *v, struct insn i, bool taken)
{
	/* op, when it is the packet pointer on the left: does taken, or falling through, mean p < or <= limit? */
	static const struct {
		u8 op;
		bool when_taken, strict;
	} left[] =
		{
			{BPF_JGT, false, false},
			{BPF_JGE, false, true},
			{BPF_JLT, true, true},
			{BPF_JLE, true, false},
		},
	  right[] = {
		  {BPF_JGT, true, true},
		  {BPF_JGE, true, false},
		  {BPF_JLT, false, false},
		  {BPF_JLE, false, true},
	  };

	if (BPF_CLASS(i.code) != BPF_JMP || BPF_SRC(i.code) != BPF_X)
		return;
	const struct vreg *dst = cur_reg(v, i.dst), *src = cur_reg(v, i.src);
	if (limits(src, dst) || limits(dst, src))
		order_learn(&v->cur.order, i, taken);
	for (size_t n = 0; n < ARRAY_LEN(left); n++) {
		if (left[n].op != BPF_OP(i.code))
			continue;
		if (limits(src, dst) && left[n].when_taken == taken)
			packet_reaches(v, dst, left[n].strict);
		else if (limits(dst, src) && right[n].when_taken == taken)
			packet_reaches(v, src, right[n].strict);
	}
}

static bool compares_scalars(struct verifier *v, struct insn i)
{
	return cur_reg(v, i.dst)->type == REG_SCALAR &&
	       (BPF_SRC(i.code) == BPF_K || cur_reg(v, i.src)->type == REG_SCALAR);
}

void jump_assume(struct verifier *v, struct insn i, bool taken)
{
	struct trace *t = &v->traces[v->pc];

	t->jumped |= taken;
	t->fell |= !taken;
	if (compares_scalars(v, i))
		assume_scalars(v, i, taken);
	else if (is_null_check(v, i))
		assume_null_check(v, i, taken);
	else
		assume_packet(v, i, taken);
	v->next_pc = taken ? (u32)((s64)v->pc + 1 + insn_jump_off(i)) : v->pc + 1;
}

/* A packet pointer and its limit, compared a second time. */
static enum verdict decide_packet(struct verifier *v, struct insn i)
{
	if (BPF_CLASS(i.code) != BPF_JMP || BPF_SRC(i.code) != BPF_X)
		return MAYBE;
	const struct vreg *dst = cur_reg(v, i.dst), *src = cur_reg(v, i.src);
	enum verdict verdict =
		limits(src, dst) || limits(dst, src) ? order_decide(&v->cur.order, i) : MAYBE;

	if (verdict != MAYBE)
		demand_order(v);
	return verdict;
}

static bool points_to_packet(const struct vreg *r)
{
	return reg_is_packet(r) || r->type == REG_PACKET_END;
}

/* Does the outcome depend on where things lie in memory? */
static bool compares_addresses(struct verifier *v, struct insn i)
{
	return BPF_CLASS(i.code) == BPF_JMP32 || BPF_SRC(i.code) == BPF_K ||
	       !points_to_packet(cur_reg(v, i.dst)) || !points_to_packet(cur_reg(v, i.src));
}

static enum verdict decide(struct verifier *v, struct insn i)
{
	if (compares_scalars(v, i))
		return decide_scalars(v, i);
	if (!is_null_check(v, i)) {
		v->stats.compares_addresses |= compares_addresses(v, i);
		return decide_packet(v, i);
	}
	settle_not_null(v, i.dst);
	if (never_null(v, cur_reg(v, i.dst))) {
		if (BPF_SRC(i.code) == BPF_X)
			demand(v, cur_reg(v, i.src));
		return BPF_OP(i.code) == BPF_JNE ? ALWAYS : NEVER;
	}
	return MAYBE;
}

/* The way that learns less is walked first, so that the states kept behind it cover the other way: after `r == 5`
 * failed nothing much is known of r, and the state with r = 5 that arrives later is found to be covered. Out of loops
 * first, so that rounds don't pile up. */
static bool taken_first(struct insn i)
{
	return BPF_OP(i.code) == BPF_JNE && insn_jump_off(i) >= 0;
}

int step_jump(struct verifier *v, struct insn i)
{
	if (insn_is_ja(i)) {
		v->next_pc = (u32)((s64)v->pc + 1 + insn_jump_off(i));
		return 0;
	}
	if ((BPF_SRC(i.code) == BPF_X && check_readable(v, i.src)) || check_readable(v, i.dst))
		return -EACCES;
	enum verdict verdict = decide(v, i);
	if (verdict != MAYBE) {
		jump_assume(v, i, verdict == ALWAYS);
		return 0;
	}
	bool first = taken_first(i);
	int err = branch_push(v, !first);
	if (!err)
		jump_assume(v, i, first);
	return err;
}
