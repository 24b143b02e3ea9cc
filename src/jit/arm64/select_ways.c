/* The two ways of a jump: how far they are moves, where they meet, what registers hold then. */
#include "jit/arm64/select.h"

#include "jit/live.h"

bool a64_select_cuts(struct insn i)
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

void a64_select_walk(const struct jit *j, u32 pc, struct way *w)
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
bool a64_select_meeting(struct plan *p)
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
		r = (struct result){.is_const = true,
			.value = a64_select_cuts(i) ? (u32)i.imm : (u64)(s64)i.imm};
	} else if (BPF_OP(i.code) == BPF_MOV) {
		r = now[i.src];
		if (a64_select_cuts(i) && r.op != A64_CSEL && !r.narrow)
			return false;
		r.value = a64_select_cuts(i) ? (u32)r.value : r.value;
		r.narrow |= a64_select_cuts(i);
	} else {
		if (r.is_const || r.op != A64_CSEL || (r.narrow && !a64_select_cuts(i)))
			return false;
		r.op = (u8)op;
		r.narrow = a64_select_cuts(i);
	}
	now[i.dst] = r;
	return true;
}

/* What the registers hold at the end of a way, which it may write. */
bool a64_select_follow(struct plan *p, unsigned n, struct result *now)
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
bool a64_select_extent(struct plan *p)
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

void a64_select_count(struct plan *p)
{
	bool own_branch = a64_has_branch_of_its_own(*jit_insn(p->j, p->s.jump));

	for (unsigned n = 0; n < 2; n++) {
		p->cost[n] = own_branch ? 1 : 2;
		for (u32 at = 0; at < p->nr[n]; at++)
			p->cost[n] += !insn_is_ja(*jit_insn(p->j, p->ways[n].at[at]));
	}
	p->cost_select = 1;
}
