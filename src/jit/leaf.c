/* BPF has six registers that calls destroy; hosts have more. A subprogram that calls nobody can use those in place of r6 to r9,
 * which would have to be saved and restored. */
#include "jit/leaf.h"

#include "jit/live.h"
#include "jit/target.h"

/* The last first: the first ones of a target have the shorter encodings, if they differ. */
static void choose(u16 wanted, u16 free, u8 to[static JIT_NR_REGS])
{
	for (; wanted && free; free &= (u16)(free - 1)) {
		unsigned reg = 31 - (unsigned)__builtin_clz(wanted);

		to[reg] = (u8)__builtin_ctz(free);
		wanted &= (u16) ~(1u << reg);
	}
}

static struct insn renamed(struct insn i, const u8 to[static JIT_NR_REGS])
{
	unsigned uses = regs_uses[i.code];

	if (uses & REGS_READS_SRC)
		i.src = to[i.src] & 15u;
	if (uses & (REGS_READS_DST | REGS_WRITES_DST))
		i.dst = to[i.dst] & 15u;
	return i;
}

bool jit_leaf(struct jit *j, struct jit_subprog *s)
{
	u8 to[JIT_NR_REGS];
	u16 saved = 0;

	if (!j->target->spare || s->calls_helper || s->calls_local || !jit_may(j, JIT_LEAF))
		return false;
	u16 free = j->target->spare(j, s, &saved) & (u16)~saved, wanted = s->writes & saved;
	struct insn *insns = free && wanted ? jit_own_insns(j) : NULL;
	if (!insns)
		return false;
	for (u8 reg = 0; reg < JIT_NR_REGS; reg++)
		to[reg] = reg;
	choose(wanted, free, to);
	for (u32 pc = s->start; pc < s->end; pc++) {
		if (!((j->effects[pc].reads | j->effects[pc].writes) & wanted))
			continue;
		struct insn i = insns[pc] = renamed(insns[pc], to);

		j->effects[pc] = jit_effect_of(i);
		if (i.code == (BPF_ALU64 | BPF_MOV | BPF_X))
			s->copies[i.dst] |= (u16)(1u << i.src);
	}
	return true;
}
