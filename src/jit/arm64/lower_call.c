/* Calls of helpers and of subprograms. Arguments already are where C wants them. */
#include "jit/arm64/lower.h"

#include <errno.h>
#include <string.h>

#include "helper/helper.h"

enum { ARG_REGS = 0x3e };

/* reg needs a register that the call destroys: it lives in one, or its value refers to it. */
static bool is_destroyed(const struct jit *j, u8 reg)
{
	for (u8 place = 0; place < A64_PLACES; place++)
		if ((place <= BPF_REG_5 || a64_is_aside(place) || !a64_at_usual(j, place)) &&
			a64_value_refers(a64_of(j)->values[reg], place))
			return true;
	return !a64_at_usual(j, reg);
}

/* Arguments go home; so does what others only have in a register that the call destroys. */
static void flush_for_call(struct jit *j, u16 args)
{
	struct a64 *a = a64_of(j);
	u16 destroyed = 0;

	for (u8 reg = BPF_REG_6; reg < A64_REGS; reg++)
		if (reg != BPF_REG_FP && !a64_dead(j, reg) && is_destroyed(j, reg))
			destroyed |= (u16)(1u << reg);
	a64_flush(j, args | destroyed);
	for (u8 reg = BPF_REG_0; reg < A64_REGS; reg++) {
		if (reg == BPF_REG_FP || (reg >= BPF_REG_6 && !is_destroyed(j, reg)))
			continue;
		a64_drop(a, reg);
		a->home[reg] = a->usual[reg];
	}
}

static u64 helper_address(const struct helper *h)
{
	u64 address = 0;

	/* A function pointer can't be cast to an integer in ISO C. */
	memcpy(&address, &h->fn, sizeof(h->fn));
	return address;
}

static void lower_helper(struct jit *j, struct insn i)
{
	const struct helper *h = helper_by_id((u32)i.imm);

	if (!h) {
		jit_fail(j, j->pc, ENOTSUP, "there is no helper %d", i.imm);
		return;
	}
	flush_for_call(j, a64_live_in(j, j->pc) & ARG_REGS);
	jit_fixup_address(j, jit_offset(j), A64_FIX_IMM26, helper_address(h));
	a64_emit(j, a64_bl(0));
	a64_move(j, a64_write(j, BPF_REG_0), 0);
}

static void lower_local(struct jit *j)
{
	u32 to = jit_jump_target(j, j->pc), subprog = jit_subprog_at(j, to);

	flush_for_call(j, a64_live_in(j, to) & ARG_REGS);
	jit_fixup(j, jit_offset(j), A64_FIX_IMM26, jit_label_entry(j, subprog));
	a64_emit(j, a64_bl(0));
	a64_move(j, a64_write(j, BPF_REG_0),
		a64_returns_x0(j, subprog) ? 0 : a64_home(j, BPF_REG_0));
}

void a64_lower_call(struct jit *j, struct insn i)
{
	if (jit_is_tail_jump(i))
		a64_tail_jump(j);
	else if (insn_is_helper_call(i))
		lower_helper(j, i);
	else if (insn_is_local_call(i))
		lower_local(j);
	else
		jit_fail(j, j->pc, ENOTSUP, "a call of kind %u can't be compiled", i.src);
}
