/* A register that goes along memory: its step behind an access, or before it, is part of the access. */
#include "jit/arm64/lower.h"

#include "jit/live.h"

enum { WINDOW = 8 };

static bool is_referred_to(const struct a64 *a, u8 base)
{
	u16 left = a->held & a->live & (u16) ~(1u << base);

	for (; left; left &= (u16)(left - 1))
		if (a64_value_refers(a->values[__builtin_ctz(left)], base))
			return true;
	return false;
}

/* The addition to base behind the access, before which nobody asks for base. */
static bool find_step(const struct jit *j, u8 base, u32 *pc, s32 *amount)
{
	*pc = a64_of(j)->next;
	for (unsigned n = 0; n < WINDOW && a64_fusible(j, *pc); n++) {
		struct insn i = *jit_insn(j, *pc);
		struct jit_effect e = j->effects[*pc];

		if (i.code == (BPF_ALU64 | BPF_ADD | BPF_K) && i.dst == base) {
			*amount = i.imm;
			return a64_fits_signed(i.imm, 9) && a64_live_out(j, *pc) & 1u << base;
		}
		if (BPF_CLASS(i.code) == BPF_JMP || BPF_CLASS(i.code) == BPF_JMP32 ||
			(e.reads | e.writes) & 1u << base)
			return false;
		*pc += insn_is_ld_imm64(i) ? 2 : 1;
	}
	return false;
}

bool a64_access_step(struct jit *j, u8 base, s32 off, unsigned rt, struct a64_place p,
	enum a64_index *index, s32 *by)
{
	struct a64 *a = a64_of(j);
	const struct value *v = &a->values[base];
	u32 pc;

	if (!jit_may(j, JIT_STEP) || base == BPF_REG_FP || off || p.indexed || p.base == rt ||
		p.base != a->home[base] || is_referred_to(a, base) ||
		j->effects[j->pc].writes & 1u << base)
		return false;
	if (v->kind == VALUE_ADD && v->src == base && v->amount == p.off) {
		*index = A64_PRE;
		*by = (s32)v->amount;
		if (!a64_fits_signed(p.off, 9) || !(a64_live_out(j, a->last) & 1u << base))
			return false;
		a64_drop(a, base);
		return true;
	}
	*index = A64_POST;
	return v->kind == VALUE_HOME && find_step(j, base, &pc, by) && a64_early_add(j, pc, 0);
}
