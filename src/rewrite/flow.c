#include "rewrite/flow.h"

#include "base/alloc.h"

u64 *flow_bits(const struct prog *p)
{
	return mem_zalloc(array_size(p->len / 64 + 1, sizeof(u64)));
}

u64 *flow_targets(const struct prog *p)
{
	u64 *bits = flow_bits(p);

	if (!bits)
		return NULL;
	for (u32 pc = 0; pc < p->len; pc += flow_width(p->insns[pc])) {
		u32 target = flow_target(p->insns[pc], pc);

		if (target != FLOW_NO_TARGET)
			flow_set(bits, target);
	}
	return bits;
}

u64 *flow_second_halves(const struct prog *p)
{
	u64 *bits = flow_bits(p);

	for (u32 pc = 0; bits && pc < p->len; pc += flow_width(p->insns[pc]))
		if (insn_is_ld_imm64(p->insns[pc]))
			flow_set(bits, pc + 1);
	return bits;
}
