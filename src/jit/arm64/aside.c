/* Two-address code wants the old and the new value of a register at once: r9 = r8; r9 <<= 16; r9 |= r8 >> 48; r8 += r5; r9 ^= r8
 * is an addition and an exclusive or with a rotated operand, if the sum goes elsewhere than where r8 was. So the register gets
 * another home, one that no BPF register lives in, until its usual one is free again; the old one is a place aside, which lives
 * as long as a value refers to it. Before code meets, everyone is at the usual home (a64_flush). */
#include "jit/arm64/lower.h"

#include "jit/live.h"

bool a64_at_usual(const struct jit *j, u8 reg)
{
	return reg == BPF_REG_FP || reg >= A64_ASIDE ||
	       a64_of(j)->home[reg] == a64_of(j)->usual[reg];
}

static bool is_needed(const struct a64 *a, u8 place)
{
	for (u32 n = 0; n < a->nr_early; n++)
		if (a->early[n].place && a->early[n].place == place)
			return true;
	for (u16 left = a->held & a->live; left; left &= (u16)(left - 1))
		if (a64_value_refers(a->values[__builtin_ctz(left)], place))
			return true;
	return false;
}

u8 a64_who_is_in(struct jit *j, u8 reg)
{
	const struct a64 *a = a64_of(j);

	for (u8 place = A64_ASIDE; place < A64_PLACES; place++)
		if (a->home[place] == a->usual[reg] && is_needed(a, place))
			return place;
	return 0;
}

void a64_refer_to(struct jit *j, u8 from, u8 to)
{
	struct a64 *a = a64_of(j);

	for (u16 left = a->held; left; left &= (u16)(left - 1)) {
		struct value *v = &a->values[__builtin_ctz(left)];

		if (!a64_value_refers(*v, from))
			continue;
		v->src = v->src == from ? to : v->src;
		v->index = v->kind == VALUE_SUM && v->index == from ? to : v->index;
	}
}

/* Those of these registers whose value refers to `to`. */
static void drop_all(struct a64 *a, u16 regs, u8 to)
{
	for (; regs; regs &= (u16)(regs - 1)) {
		u8 reg = (u8)__builtin_ctz(regs);

		if (a64_value_refers(a->values[reg], to))
			a64_drop(a, reg);
	}
}

/* A place that nobody alive refers to; those who are not alive don't either, then. */
static u8 free_place(struct a64 *a)
{
	for (u8 place = A64_ASIDE; place < A64_PLACES; place++) {
		if (is_needed(a, place))
			continue;
		drop_all(a, a->held, place);
		return place;
	}
	return 0;
}

/* Registers that are home to someone, or aside and needed. BPF registers that the subprogram doesn't know have no home. */
static u32 taken(const struct a64 *a)
{
	u32 taken = 0;

	for (u8 reg = 0; reg < A64_REGS; reg++)
		if (!(a->spare & 1u << a->usual[reg]))
			taken |= 1u << a->home[reg];
	for (u8 place = A64_ASIDE; place < A64_PLACES; place++)
		if (is_needed(a, place))
			taken |= 1u << a->home[place];
	return taken;
}

static u32 free_homes(const struct a64 *a, u8 reg)
{
	return (a->spare | 1u << a->usual[reg]) & ~taken(a);
}

/* Whether reg is written again, or dead, before code meets: then it may find its way back at no cost. */
static bool returns_soon(const struct jit *j, u8 reg)
{
	enum { INSNS_AHEAD = 32 };
	const struct a64 *a = a64_of(j);
	u16 bit = (u16)(1u << reg);
	u32 pc = a->next;

	for (unsigned n = 0; n < INSNS_AHEAD && pc < jit_subprog(j)->end; n++) {
		struct insn i = *jit_insn(j, pc);

		if (a->branched[pc])
			return !(a64_live_in(j, pc) & bit);
		if (insn_is_exit(i))
			return reg != BPF_REG_0;
		if (insn_is_ja(i) || insn_is_helper_call(i) || insn_is_local_call(i))
			return !(a64_live_out(j, pc) & bit);
		if (insn_is_cond_jump(i) && a64_live_in(j, jit_jump_target(j, pc)) & bit)
			return false;
		if (j->effects[pc].writes & bit)
			return true;
		pc += insn_is_ld_imm64(i) ? 2 : 1;
	}
	return false;
}

/* Who only has a copy that it keeps must move sooner or later, and may as well move now. */
static bool does_someone_gain(const struct jit *j, u8 reg)
{
	const struct a64 *a = a64_of(j);

	for (u16 left = a->held & a->live & (u16) ~(1u << reg); left; left &= (u16)(left - 1)) {
		u8 other = (u8)__builtin_ctz(left);
		struct value v = a->values[other];
		bool is_copy = v.kind == VALUE_ADD && v.amount == 0;

		if (a64_value_refers(v, reg) && (!is_copy || returns_soon(j, other)))
			return true;
	}
	return false;
}

bool a64_step_aside(struct jit *j, u8 reg)
{
	struct a64 *a = a64_of(j);
	u32 homes = 0;
	u8 place = 0;

	if (!jit_may(j, JIT_RENAME) || !does_someone_gain(j, reg) || !returns_soon(j, reg))
		return false;
	place = free_place(a);
	homes = free_homes(a, reg);
	if (!place || !homes)
		return false;
	drop_all(a, a->held & (u16)~a->live, reg);
	a64_refer_to(j, reg, place);
	a->home[place] = a->home[reg];
	a->home[reg] = (u8)__builtin_ctz(homes & 1u << a->usual[reg] ? 1u << a->usual[reg] : homes);
	return true;
}

u8 a64_reserve_aside(struct jit *j)
{
	struct a64 *a = a64_of(j);
	u8 place = free_place(a);
	u32 homes = a->spare & ~taken(a);

	if (!place || !homes)
		return 0;
	a->home[place] = (u8)__builtin_ctz(homes);
	return place;
}

void a64_step_back(struct jit *j, u8 reg)
{
	struct a64 *a = a64_of(j);

	if (!a64_at_usual(j, reg) && free_homes(a, reg) & 1u << a->usual[reg])
		a->home[reg] = a->usual[reg];
}
