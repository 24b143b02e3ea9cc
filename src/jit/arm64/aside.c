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

static bool is_alive(const struct a64 *a, u8 reg)
{
	return a->live & 1u << reg;
}

static bool is_needed(const struct a64 *a, u8 place, u8 not_by)
{
	for (u32 n = 0; n < a->nr_early; n++)
		if (a->early[n].place && a->early[n].place == place)
			return true;
	for (u8 reg = 0; reg < A64_REGS; reg++)
		if (reg != not_by && is_alive(a, reg) && a64_value_refers(a->values[reg], place))
			return true;
	return false;
}

u8 a64_who_is_in(struct jit *j, u8 reg)
{
	const struct a64 *a = a64_of(j);

	for (u8 place = A64_ASIDE; place < A64_PLACES; place++)
		if (a->home[place] == a->usual[reg] && is_needed(a, place, place))
			return place;
	return 0;
}

void a64_refer_to(struct jit *j, u8 from, u8 to)
{
	struct a64 *a = a64_of(j);

	for (u8 reg = 0; reg < A64_REGS; reg++) {
		struct value *v = &a->values[reg];

		if (!a64_value_refers(*v, from))
			continue;
		v->src = v->src == from ? to : v->src;
		v->index = v->kind == VALUE_SUM && v->index == from ? to : v->index;
	}
}

/* A place that nobody alive refers to; those who are not alive don't either, then. */
static u8 free_place(struct a64 *a)
{
	for (u8 place = A64_ASIDE; place < A64_PLACES; place++) {
		if (is_needed(a, place, place))
			continue;
		for (u8 reg = 0; reg < A64_REGS; reg++)
			if (a64_value_refers(a->values[reg], place))
				a->values[reg] = (struct value){0};
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
		if (is_needed(a, place, place))
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
		if (jit_effect_of(i).writes & bit)
			return true;
		pc += insn_is_ld_imm64(i) ? 2 : 1;
	}
	return false;
}

/* Who only has a copy that it keeps must move sooner or later, and may as well move now. */
static bool does_someone_gain(const struct jit *j, u8 reg)
{
	const struct a64 *a = a64_of(j);

	for (u8 other = 0; other < A64_REGS; other++) {
		struct value v = a->values[other];
		bool is_copy = v.kind == VALUE_ADD && v.amount == 0;

		if (other != reg && is_alive(a, other) && a64_value_refers(v, reg) &&
			(!is_copy || returns_soon(j, other)))
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
	for (u8 other = 0; other < A64_REGS; other++)
		if (!is_alive(a, other) && a64_value_refers(a->values[other], reg))
			a->values[other] = (struct value){0};
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
