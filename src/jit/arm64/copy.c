/* Jumps back to a short block that ends with a decision, as loops with their test at the start have them: the block stands
 * there once more instead, made with what is known of registers there, so that a round has one jump less. What it decides to
 * skip goes on behind the original, which therefore is a jump target. */
#include "jit/arm64/lower.h"

enum { COPY_INSNS_MAX = 5 };

static bool is_simple(struct insn i)
{
	return BPF_CLASS(i.code) != BPF_JMP && BPF_CLASS(i.code) != BPF_JMP32 && i.code != 0 &&
	       !insn_is_ld_imm64(i);
}

/* Where the decision is that ends the block that the jump at pc goes back to; 0: none. */
static u32 decision_of(const struct jit *j, u32 pc)
{
	const u8 *branched = a64_of(j)->branched;
	u32 start = a64_jump_target(j, pc), at = start;

	if (start > pc || a64_is_exit(j, pc))
		return 0;
	while (at < start + COPY_INSNS_MAX && is_simple(*jit_insn(j, at)) &&
		(at == start || !branched[at]) && !a64_select_around(j, at))
		at++;
	if (at >= pc || (at != start && branched[at]) || a64_select_around(j, at))
		return 0;
	return insn_is_cond_jump(*jit_insn(j, at)) ? at : 0;
}

void a64_copy_plan(struct jit *j)
{
	if (!j->has_loops || !jit_may(j, JIT_COPY_BLOCK))
		return;
	for (u32 pc = 0; pc < j->prog->len; pc++) {
		bool jumps = insn_is_ja(*jit_insn(j, pc)) && !a64_select_around(j, pc);
		u32 end = jumps ? decision_of(j, pc) : 0;

		if (end)
			a64_add_branch(j, end + a64_branch_insns(j, end));
	}
}

/* The inner loop is where most rounds go: of two places back, the nearer one. */
static bool is_nearer(u32 pc, u32 to, u32 other)
{
	return to <= pc && (other > pc || other < to);
}

bool a64_copy_block(struct jit *j)
{
	struct a64 *a = a64_of(j);
	u32 pc = j->pc, end = jit_may(j, JIT_COPY_BLOCK) ? decision_of(j, pc) : 0;

	if (!end)
		return false;
	u32 next = end + a64_branch_insns(j, end), rest = next, to = a64_branch_target(j, end);
	if (is_nearer(pc, next, to) && !a64_hoist_enters(j, pc, next)) {
		a->turned_to = next;
		rest = to;
	}
	for (j->pc = a64_jump_target(j, pc); j->pc <= end && !j->err; j->pc = a->next)
		a64_lower_one(j);
	a->turned_to = 0;
	j->pc = pc;
	a->next = pc + 1;
	a64_goto(j, rest);
	return true;
}
