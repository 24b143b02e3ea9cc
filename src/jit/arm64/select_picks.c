/* Which operations select what two ways make, and whether that is cheaper than the ways. */
#include "jit/arm64/select.h"

#include "jit/live.h"

/* The instruction that gave reg the value that it has at the jump, in straight code before. */
static const struct insn *maker_of(const struct plan *p, u8 reg)
{
	const u8 *branched = a64_of(p->j)->branched;
	u32 pc = p->s.jump;

	for (unsigned n = 0; n < WINDOW && pc > 0 && !branched[pc]; n++) {
		pc -= pc >= 2 && insn_is_ld_imm64(*jit_insn(p->j, pc - 2)) ? 2 : 1;
		const struct insn *i = jit_insn(p->j, pc);
		const struct a64_select *over = a64_select_around(p->j, pc);

		if (over) {
			if (over->writes & 1u << reg)
				return NULL;
			pc = over->jump;
		} else if (BPF_CLASS(i->code) == BPF_JMP || BPF_CLASS(i->code) == BPF_JMP32) {
			return NULL;
		} else if (p->j->effects[pc].writes & 1u << reg) {
			return i;
		}
	}
	return NULL;
}

/* The upper half of reg is zero at the jump. What is known of a register where a way first writes it holds at the jump too,
 * unless that compares it. */
static bool upper_is_zero(const struct plan *p, u8 reg)
{
	const struct insn *jump = jit_insn(p->j, p->s.jump), *maker = maker_of(p, reg);
	bool compared = jump->dst == reg || (BPF_SRC(jump->code) == BPF_X && jump->src == reg);

	if (maker && a64_clears_upper_half(*maker))
		return true;
	if (jump->dst == reg && jit_fact(p->j, p->s.jump)->flags & FACT_DST_UPPER_ZERO)
		return true;
	for (unsigned n = 0; n < 2 && !compared; n++)
		for (u32 at = 0; at < p->nr[n]; at++) {
			u32 pc = p->ways[n].at[at];

			if (!(p->j->effects[pc].writes & 1u << reg))
				continue;
			if (jit_fact(p->j, pc)->flags & FACT_DST_UPPER_ZERO)
				return true;
			break;
		}
	return false;
}

static bool fits(const struct plan *p, struct result r, enum a64_width w)
{
	if (r.is_const)
		return w || r.value <= UINT32_MAX;
	return (w ? !r.narrow : r.narrow) || (r.op == A64_CSEL && upper_is_zero(p, r.reg));
}

/* reg is known as a constant at the jump, and isn't in its place yet unless someone needs it. */
static bool is_waiting_const(const struct plan *p, u8 reg, u64 *value)
{
	const struct insn *i = maker_of(p, reg);

	if (!i || BPF_OP(i->code) != BPF_MOV || BPF_SRC(i->code) != BPF_K || i->off ||
		(BPF_CLASS(i->code) != BPF_ALU && BPF_CLASS(i->code) != BPF_ALU64))
		return false;
	*value = a64_select_cuts(*i) ? (u32)i->imm : (u64)(s64)i->imm;
	return true;
}

static u32 cost_of(const struct plan *p, struct operand o)
{
	u64 value;

	if (o.is_const)
		return o.value ? a64_const_insns(o.value) : 0;
	return is_waiting_const(p, o.reg, &value) ? a64_const_insns(value) : 0;
}

bool a64_select_same(struct operand a, struct operand b)
{
	return a.is_const == b.is_const && (a.is_const ? a.value == b.value : a.reg == b.reg);
}

static u32 cost_of_pick(const struct plan *p, const struct pick *k)
{
	return 1 + cost_of(p, k->n) + (a64_select_same(k->n, k->m) ? 0 : cost_of(p, k->m));
}

/* The operation makes `value` of the constant `from`. */
static bool makes(enum a64_csel op, enum a64_width w, u64 from, u64 value)
{
	u64 made = op == A64_CSINC ? from + 1 : op == A64_CSINV ? ~from : 0 - from;

	return (w ? made : (u32)made) == value;
}

/* A constant as m: perhaps the operation makes it from n, or from zero. */
static void choose_m(struct pick *k, struct result m)
{
	const enum a64_csel ops[] = {A64_CSINC, A64_CSINV, A64_CSNEG};
	const u64 from[] = {0, k->n.value};

	k->op = m.op;
	k->m = (struct operand){.is_const = m.is_const, .reg = m.reg, .value = m.value};
	for (size_t f = 0; f < (k->n.is_const ? 2 : 1) && m.is_const && m.value; f++)
		for (size_t i = 0; i < ARRAY_LEN(ops); i++)
			if (makes(ops[i], k->width, from[f], m.value)) {
				k->op = (u8)ops[i];
				k->m = (struct operand){.is_const = true, .value = from[f]};
			}
}

/* As condition ? n : op(m), if that is possible and cheaper than what k is. */
static void try_pick(const struct plan *p, struct pick *k, u32 *best, struct result n,
	struct result m, bool inverted)
{
	struct pick other = *k;

	if (n.op != A64_CSEL)
		return;
	other.inverted = inverted;
	other.n = (struct operand){.is_const = n.is_const, .reg = n.reg, .value = n.value};
	choose_m(&other, m);
	u32 cost = cost_of_pick(p, &other);
	if (cost >= *best)
		return;
	*best = cost;
	*k = other;
}

/* The results of dst on both ways; what they are as constants may be the better way to see them. */
static bool add_pick(struct plan *p, u8 dst, struct result falls, struct result jumps)
{
	struct pick k = {.dst = dst};
	u32 best = UINT32_MAX;

	if (p->s.nr_picks == PICKS_MAX)
		return false;
	if (fits(p, falls, A64_X) && fits(p, jumps, A64_X))
		k.width = A64_X;
	else if (!fits(p, falls, A64_W) || !fits(p, jumps, A64_W))
		return false;
	for (unsigned n = 0; n < 4; n++) {
		struct result f = falls, t = jumps;

		if (n & 1 && (f.op != A64_CSEL || f.is_const ||
				     !(f.is_const = is_waiting_const(p, f.reg, &f.value))))
			continue;
		if (n & 2 && (t.op != A64_CSEL || t.is_const ||
				     !(t.is_const = is_waiting_const(p, t.reg, &t.value))))
			continue;
		f.value = k.width && !f.narrow ? f.value : (u32)f.value;
		t.value = k.width && !t.narrow ? t.value : (u32)t.value;
		try_pick(p, &k, &best, t, f, false);
		try_pick(p, &k, &best, f, t, true);
	}
	if (best == UINT32_MAX)
		return false;
	p->nr_consts += k.n.is_const && k.n.value;
	p->nr_consts += k.m.is_const && k.m.value && !a64_select_same(k.n, k.m);
	p->cost_select += best;
	p->s.picks[p->s.nr_picks++] = k;
	return p->nr_consts <= CONST_REGS_MAX;
}

/* A constant that only one way keeps must be in its place for it. */
static void count_kept(struct plan *p, u8 reg, struct result falls, struct result jumps)
{
	u64 value;
	bool kept = (!falls.is_const && falls.reg == reg) || (!jumps.is_const && jumps.reg == reg);

	if (!kept || !is_waiting_const(p, reg, &value))
		return;
	p->cost[0] += a64_const_insns(value);
	p->cost[1] += a64_const_insns(value);
}

static bool same_result(struct result a, struct result b)
{
	return a.is_const == b.is_const && a.narrow == b.narrow && a.reg == b.reg && a.op == b.op &&
	       a.value == b.value;
}

static bool is_unchanged(struct result r, u8 reg)
{
	return same_result(r, (struct result){.reg = reg});
}

bool a64_select_add_picks(struct plan *p)
{
	struct result falls[A64_REGS], jumps[A64_REGS];

	if (!a64_select_follow(p, 0, falls) || !a64_select_follow(p, 1, jumps))
		return false;
	for (u8 reg = 0; reg < A64_REGS; reg++) {
		if (!(a64_live_in(p->j, p->meet) & 1u << reg) ||
			(is_unchanged(falls[reg], reg) && is_unchanged(jumps[reg], reg)))
			continue;
		count_kept(p, reg, falls[reg], jumps[reg]);
		if (!add_pick(p, reg, falls[reg], jumps[reg]))
			return false;
	}
	return p->s.nr_picks > 0;
}

static bool reads(const struct pick *k, u8 reg)
{
	return (!k->n.is_const && k->n.reg == reg) || (!k->m.is_const && k->m.reg == reg);
}

/* Picks whose destinations others read can come in an order where each is read before it is written. */
bool a64_select_have_order(const struct a64_select *s)
{
	u32 left = (1u << s->nr_picks) - 1, before = 0;

	while (left && left != before) {
		before = left;
		for (u32 i = 0; i < s->nr_picks; i++) {
			bool wanted = false;

			for (u32 k = 0; k < s->nr_picks; k++)
				wanted |= k != i && left & 1u << k &&
					  reads(&s->picks[k], s->picks[i].dst);
			if (!wanted)
				left &= ~(1u << i);
		}
	}
	return !left;
}
