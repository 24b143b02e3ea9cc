/* Where jumps end up and which instructions they go to, seen that jumps to jumps go where these go. */
#include "jit/arm64/lower.h"

#include <errno.h>

u32 a64_jump_target(const struct jit *j, u32 pc)
{
	u32 to = jit_jump_target(j, pc);

	for (unsigned hops = 0; hops < 16 && insn_is_ja(*jit_insn(j, to)); hops++)
		to = jit_jump_target(j, to);
	return to;
}

void a64_add_branch(struct jit *j, u32 to)
{
	u8 *count = &a64_of(j)->branched[to];

	*count = (u8)(*count + (*count < UINT8_MAX));
}

void a64_forget_branch(struct jit *j, u32 to)
{
	u8 *count = &a64_of(j)->branched[to];

	*count = (u8)(*count - (*count < UINT8_MAX));
}

bool a64_count_branches(struct jit *j)
{
	u32 len = j->prog->len;

	a64_of(j)->branched = arena_array(&j->arena, len, 1);
	if (!a64_of(j)->branched) {
		jit_fail(j, 0, ENOMEM, "out of memory");
		return false;
	}
	for (u32 pc = 0; pc < len; pc += insn_is_ld_imm64(*jit_insn(j, pc)) ? 2 : 1) {
		struct insn i = *jit_insn(j, pc);

		if (insn_is_cond_jump(i) || (insn_is_ja(i) && !a64_is_exit(j, pc)))
			a64_add_branch(j, a64_jump_target(j, pc));
	}
	return true;
}
