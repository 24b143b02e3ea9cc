/* Jumps back to a short block that ends with a decision, as loops with their test at the start have them: the block stands
 * there once more instead, so that a round has one jump less. Its end goes on behind the original, which therefore is a
 * jump target: by the decision itself when that is about leaving the loop, since a round is more often followed by another. */
#include "jit/x86_64/value.h"

enum { COPY_INSNS_MAX = 4 };

static bool is_simple(struct insn i)
{
	return BPF_CLASS(i.code) != BPF_JMP && BPF_CLASS(i.code) != BPF_JMP32 && i.code != 0 &&
	       !insn_is_ld_imm64(i);
}

/* Where the decision is that ends the block that the jump at pc goes back to; 0: none. */
static u32 decision_of(const struct jit *j, u32 pc)
{
	u32 at = jit_jump_target(j, pc), last = at + COPY_INSNS_MAX;

	if (at > pc)
		return 0;
	while (at < last && is_simple(*jit_insn(j, at)))
		at++;
	return at < pc && insn_is_cond_jump(*jit_insn(j, at)) ? at : 0;
}

void x86_mark_copies(struct jit *j)
{
	if (!j->has_loops || !jit_may(j, JIT_COPY_BLOCK))
		return;
	for (u32 pc = jit_subprog(j)->start; pc < jit_subprog(j)->end; pc++) {
		u32 end = insn_is_ja(*jit_insn(j, pc)) ? decision_of(j, pc) : 0;

		if (end)
			j->is_target[end + x86_branch_insns(j, end)] = JIT_TARGET_MANY;
	}
}

/* The jump that is made when the decision at `end` isn't for what is behind it. */
static u32 other_way(const struct jit *j, u32 end)
{
	return end + x86_branch_insns(j, end) - 1;
}

/* That is out of the loop that ends with the jump back at pc. */
static bool leaves_loop(const struct jit *j, u32 end, u32 pc)
{
	u32 to = jit_jump_target(j, other_way(j, end));

	return to < jit_jump_target(j, pc) || to > pc;
}

static void jump_out(struct jit *j, u32 end)
{
	const struct x86_way_out *out = x86_state(j)->way_out;
	u32 jump = other_way(j, end);

	if (out)
		x86_jump_to(j, out->label);
	else if (jit_jump_target(j, jump) != j->pc + 1)
		x86_jump_to(j, x86_jump_target(j, jump));
}

u32 x86_copy_block(struct jit *j)
{
	u32 at = j->pc, end = jit_may(j, JIT_COPY_BLOCK) ? decision_of(j, at) : 0;

	if (!end)
		return 0;
	x86_state(j)->goes_on_at = leaves_loop(j, end, at) ? end : 0;
	for (j->pc = jit_jump_target(j, at); j->pc <= end && !j->err;)
		j->pc += x86_lower_one(j);
	u32 next = j->pc;
	assert(j->err || j->is_target[next]);
	if (x86_state(j)->goes_on_at) { /* it has jumped there */
		j->pc = at;
		jump_out(j, end);
		x86_state(j)->goes_on_at = 0;
		return 1;
	}
	x86_flush(j, next);
	j->pc = at;
	x86_jump_to(j, next);
	return 1;
}
