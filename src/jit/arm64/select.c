/* Conditional jumps with a few moves on their ways, where these meet again: instead of a branch, the comparison selects the
 * results of one way. Which jumps become that is decided before any code is made, from the program alone, because these
 * jumps go nowhere any more: what they met is straight code. */
#include "jit/arm64/lower.h"

#include <errno.h>

#include "jit/live.h"

enum { STEPS_MAX = 6, PICKS_MAX = 3, WINDOW = 12, CONST_REGS_MAX = 2 };

/* A way from the jump on: at[n] is where it is after n instructions, jumps included. */
struct way {
	u32 at[STEPS_MAX + 1];
	u32 nr;
};

/* What a register holds when the ways meet, in terms of what registers held at the jump. */
struct result {
	bool is_const;
	bool narrow; /* 32 bits, the upper half is zero */
	u8 reg;
	u8 op; /* enum a64_csel: what the selecting operation must do to reg */
	u64 value;
};

struct operand {
	bool is_const;
	u8 reg;
	u64 value;
};

/* dst = condition ? n : op(m). */
struct pick {
	u8 dst;
	u8 op; /* enum a64_csel */
	u8 width;
	bool inverted; /* the condition is that the jump is not made */
	struct operand n, m;
};

struct a64_select {
	u32 jump, next; /* instructions [jump, next) are taken in */
	u32 last; /* of them, where what is live behind it is what is live where the ways meet */
	u16 writes, touches; /* registers that the ways write; and read or write */
	u32 nr_picks;
	struct pick picks[PICKS_MAX];
};

/* While one jump is looked at. */
struct plan {
	struct jit *j;
	struct a64_select s;
	struct way ways[2]; /* behind the jump, and where it goes */
	u32 nr[2];          /* instructions of each up to where they meet */
	u32 meet;
	u32 cost[2];
	u32 cost_select;
	u32 nr_consts; /* that need registers */
};

static bool cuts(struct insn i)
{
	return BPF_CLASS(i.code) == BPF_ALU;
}

/* The operation on its destination that a selecting instruction can do; A64_CSEL: none. */
static enum a64_csel operation(struct insn i)
{
	switch (BPF_OP(i.code)) {
	case BPF_ADD:
		return BPF_SRC(i.code) == BPF_K && i.imm == 1 ? A64_CSINC : A64_CSEL;
	case BPF_XOR:
		return BPF_SRC(i.code) == BPF_K && i.imm == -1 ? A64_CSINV : A64_CSEL;
	case BPF_NEG:
		return A64_CSNEG;
	}
	return A64_CSEL;
}

static bool is_simple(struct insn i)
{
	if (BPF_CLASS(i.code) != BPF_ALU && BPF_CLASS(i.code) != BPF_ALU64)
		return false;
	if (BPF_OP(i.code) == BPF_MOV)
		return i.off == 0 && (BPF_SRC(i.code) == BPF_K || i.src != BPF_REG_FP);
	return operation(i) != A64_CSEL;
}

static void walk(const struct jit *j, u32 pc, struct way *w)
{
	w->nr = 0;
	w->at[0] = pc;
	while (w->nr < STEPS_MAX) {
		struct insn i = *jit_insn(j, pc);

		if (insn_is_ja(i))
			pc = jit_jump_target(j, pc);
		else if (is_simple(i))
			pc++;
		else
			return;
		w->at[++w->nr] = pc;
	}
}

/* The first place that both ways come to. */
static bool find_meeting(struct plan *p)
{
	const struct way *falls = &p->ways[0], *jumps = &p->ways[1];

	for (p->nr[0] = 0; p->nr[0] <= falls->nr; p->nr[0]++)
		for (p->nr[1] = 0; p->nr[1] <= jumps->nr; p->nr[1]++)
			if (falls->at[p->nr[0]] == jumps->at[p->nr[1]]) {
				p->meet = falls->at[p->nr[0]];
				return true;
			}
	return false;
}

static bool step(struct result *now, struct insn i)
{
	struct result r = now[i.dst];
	enum a64_csel op = operation(i);

	if (BPF_OP(i.code) == BPF_MOV && BPF_SRC(i.code) == BPF_K) {
		r = (struct result){
			.is_const = true, .value = cuts(i) ? (u32)i.imm : (u64)(s64)i.imm};
	} else if (BPF_OP(i.code) == BPF_MOV) {
		r = now[i.src];
		if (cuts(i) && r.op != A64_CSEL && !r.narrow)
			return false;
		r.value = cuts(i) ? (u32)r.value : r.value;
		r.narrow |= cuts(i);
	} else {
		if (r.is_const || r.op != A64_CSEL || (r.narrow && !cuts(i)))
			return false;
		r.op = (u8)op;
		r.narrow = cuts(i);
	}
	now[i.dst] = r;
	return true;
}

/* What the registers hold at the end of a way, which it may write. */
static bool follow(struct plan *p, unsigned n, struct result *now)
{
	for (u8 reg = 0; reg < A64_REGS; reg++)
		now[reg] = (struct result){.reg = reg};
	for (u32 at = 0; at < p->nr[n]; at++) {
		struct insn i = *jit_insn(p->j, p->ways[n].at[at]);
		struct jit_effect e = p->j->effects[p->ways[n].at[at]];

		p->s.writes |= e.writes;
		p->s.touches |= e.writes | e.reads;
		if (!insn_is_ja(i) && !step(now, i))
			return false;
	}
	return true;
}

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
	*value = cuts(*i) ? (u32)i->imm : (u64)(s64)i->imm;
	return true;
}

static u32 cost_of(const struct plan *p, struct operand o)
{
	u64 value;

	if (o.is_const)
		return o.value ? a64_const_insns(o.value) : 0;
	return is_waiting_const(p, o.reg, &value) ? a64_const_insns(value) : 0;
}

static bool same_operand(struct operand a, struct operand b)
{
	return a.is_const == b.is_const && (a.is_const ? a.value == b.value : a.reg == b.reg);
}

static u32 cost_of_pick(const struct plan *p, const struct pick *k)
{
	return 1 + cost_of(p, k->n) + (same_operand(k->n, k->m) ? 0 : cost_of(p, k->m));
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
	p->nr_consts += k.m.is_const && k.m.value && !same_operand(k.n, k.m);
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

static bool add_picks(struct plan *p)
{
	struct result falls[A64_REGS], jumps[A64_REGS];

	if (!follow(p, 0, falls) || !follow(p, 1, jumps))
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

/* The straight part of the way behind the jump, up to `end`. What follows must be where the ways meet, perhaps after jumps. */
static bool is_straight(const struct plan *p, unsigned n, u32 *end)
{
	const struct way *w = &p->ways[n];
	u32 at = 0;

	while (at < p->nr[n] && !insn_is_ja(*jit_insn(p->j, w->at[at])))
		at++;
	*end = w->at[at];
	for (; at < p->nr[n]; at++)
		if (!insn_is_ja(*jit_insn(p->j, w->at[at])))
			return false;
	return true;
}

/* Nothing but the jump itself leads to [start, end). */
static bool only_jump_enters(const struct plan *p, u32 start, u32 end, u8 branches)
{
	for (u32 pc = start; pc < end; pc++)
		if (a64_of(p->j)->branched[pc] != (pc == start ? branches : 0))
			return false;
	return true;
}

/* Which instructions are taken in. A goto at the end of the way behind the jump stays for itself, unless it only goes around
 * the other way. */
static bool plan_extent(struct plan *p)
{
	u32 jump = p->s.jump, end, other_end;

	if (!is_straight(p, 0, &end) || !only_jump_enters(p, jump + 1, end, 0))
		return false;
	bool falls_in = end == p->meet;
	p->s.next = end;
	p->s.last = end - 1;
	if (!falls_in && is_straight(p, 1, &other_end) && other_end == p->meet &&
		p->ways[1].at[0] == end + 1 && p->nr[1] > 0 &&
		only_jump_enters(p, end + 1, other_end, 1)) {
		p->s.next = p->meet;
		p->s.last = p->meet - 1;
		p->cost[0]++;
		return true;
	}
	bool other_jumps = false;
	for (u32 at = 0; at < p->nr[1]; at++)
		other_jumps |= insn_is_ja(*jit_insn(p->j, p->ways[1].at[at]));
	p->cost[0] += !falls_in && end != jump + 1;
	p->cost[1] += other_jumps;
	p->cost_select += !falls_in;
	return true;
}

static void count_insns(struct plan *p)
{
	bool own_branch = a64_has_branch_of_its_own(*jit_insn(p->j, p->s.jump));

	for (unsigned n = 0; n < 2; n++) {
		p->cost[n] = own_branch ? 1 : 2;
		for (u32 at = 0; at < p->nr[n]; at++)
			p->cost[n] += !insn_is_ja(*jit_insn(p->j, p->ways[n].at[at]));
	}
	p->cost_select = 1;
}

static bool reads(const struct pick *k, u8 reg)
{
	return (!k->n.is_const && k->n.reg == reg) || (!k->m.is_const && k->m.reg == reg);
}

/* Picks whose destinations others read can come in an order where each is read before it is written. */
static bool have_order(const struct a64_select *s)
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

static void remember(struct jit *j, const struct plan *p)
{
	struct a64 *a = a64_of(j);
	struct a64_select *s = arena_alloc(&j->arena, sizeof(*s));

	if (!a->selects)
		a->selects = arena_array(&j->arena, j->prog->len, sizeof(*a->selects));
	if (!a->selects || !s) {
		jit_fail(j, p->s.jump, ENOMEM, "out of memory");
		return;
	}
	*s = p->s;
	for (u32 pc = s->jump; pc < s->next; pc++) {
		a->selects[pc] = s;
		if (pc != s->jump && insn_is_ja(*jit_insn(j, pc)) && !a64_is_exit(j, pc))
			a64_forget_branch(j, a64_jump_target(j, pc));
	}
	a64_forget_branch(j, a64_jump_target(j, s->jump));
}

static void plan_one(struct jit *j, u32 pc)
{
	struct plan p = {.j = j, .s = {.jump = pc}};

	walk(j, pc + 1, &p.ways[0]);
	walk(j, jit_jump_target(j, pc), &p.ways[1]);
	if (!find_meeting(&p))
		return;
	count_insns(&p);
	if (!plan_extent(&p) || !add_picks(&p))
		return;
	p.cost_select += !have_order(&p.s);
	if (p.cost_select <= p.cost[0] && p.cost_select <= p.cost[1])
		remember(j, &p);
}

void a64_select_plan(struct jit *j)
{
	if (!jit_may(j, JIT_SELECT))
		return;
	for (u32 pc = 0; pc < j->prog->len; pc++)
		if (insn_is_cond_jump(*jit_insn(j, pc)))
			plan_one(j, pc);
}

const struct a64_select *a64_select_around(const struct jit *j, u32 pc)
{
	struct a64_select *const *selects = a64_of(j)->selects;

	return selects ? selects[pc] : NULL;
}

const struct a64_select *a64_select_at(const struct jit *j, u32 pc)
{
	const struct a64_select *s = a64_select_around(j, pc);

	return s && s->jump == pc ? s : NULL;
}

u32 a64_select_start(const struct a64_select *s)
{
	return s->jump;
}

u16 a64_select_writes(const struct a64_select *s)
{
	return s->writes;
}

u16 a64_select_touches(const struct a64_select *s)
{
	return s->touches;
}

/* Registers of a pick. */
struct registers {
	unsigned n, m;
};

static unsigned read_operand(struct jit *j, enum a64_width w, struct operand o, unsigned scratch)
{
	if (!o.is_const)
		return a64_read(j, w, o.reg, scratch);
	return o.value ? a64_const_reg(j, w, o.value, scratch) : A64_ZR;
}

/* All registers before constants, which are in temporaries. */
static void read_operands(struct jit *j, const struct a64_select *s, struct registers *r)
{
	static const u8 scratch[CONST_REGS_MAX] = {A64_TMP, A64_TMP2};
	unsigned used = 0;

	for (u32 i = 0; i < s->nr_picks; i++) {
		if (!s->picks[i].n.is_const)
			a64_settle(j, s->picks[i].n.reg);
		if (!s->picks[i].m.is_const)
			a64_settle(j, s->picks[i].m.reg);
	}
	for (unsigned consts = 0; consts < 2; consts++)
		for (u32 i = 0; i < s->nr_picks; i++) {
			const struct pick *k = &s->picks[i];

			if (k->n.is_const == consts)
				r[i].n = read_operand(j, k->width, k->n, scratch[used]);
			used += k->n.is_const && consts && k->n.value;
			if (same_operand(k->n, k->m))
				r[i].m = r[i].n;
			else if (k->m.is_const == consts)
				r[i].m = read_operand(j, k->width, k->m, scratch[used]);
			used += k->m.is_const && consts && k->m.value && !same_operand(k->n, k->m);
		}
}

static bool is_wanted(
	const struct a64_select *s, const struct registers *r, u32 left, u32 but, unsigned reg)
{
	for (u32 i = 0; i < s->nr_picks; i++)
		if (i != but && left & 1u << i && (r[i].n == reg || r[i].m == reg))
			return true;
	return false;
}

/* One whose destination nobody else still reads. When there is none, one whose destination is put aside. */
static u32 next_pick(struct jit *j, const struct a64_select *s, struct registers *r, u32 left)
{
	u32 first = (u32)__builtin_ctz(left);

	for (u32 i = first; i < s->nr_picks; i++)
		if (left & 1u << i && !is_wanted(s, r, left, i, a64_home(j, s->picks[i].dst)))
			return i;
	unsigned home = a64_home(j, s->picks[first].dst);
	a64_move(j, A64_TMP4, home);
	for (u32 i = 0; i < s->nr_picks; i++) {
		r[i].n = r[i].n == home ? A64_TMP4 : r[i].n;
		r[i].m = r[i].m == home ? A64_TMP4 : r[i].m;
	}
	return first;
}

void a64_select(struct jit *j, const struct a64_select *s, enum a64_cond cond)
{
	struct a64 *a = a64_of(j);
	struct registers r[PICKS_MAX] = {0};

	a->live |= a64_live_in(j, s->jump);
	read_operands(j, s, r);
	a->next = s->next;
	a->last = s->last;
	for (u32 left = (1u << s->nr_picks) - 1; left;) {
		u32 i = next_pick(j, s, r, left);
		const struct pick *k = &s->picks[i];

		left &= ~(1u << i);
		unsigned rd = s->nr_picks == 1 ? a64_write(j, k->dst) : a64_write_home(j, k->dst);
		a64_emit(j, a64_csel(k->width, k->op, rd, r[i].n, r[i].m,
				    k->inverted ? a64_cond_not(cond) : cond));
	}
}
