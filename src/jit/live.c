/* Liveness of registers: the backward walk over the program, repeated until nothing changes. A subprogram's r6 ... r9 end
 * with it, and its callers' arguments are live as far as it reads them. */
#include "jit/live.h"

#include <errno.h>
#include <string.h>

/* Loops make another round necessary for each level of nesting; programs that need more are not worth it. */
enum { ROUNDS_MAX = 24 };

/* What is live behind a jump, call or exit: before its successors. */
static u16 live_behind_jump(const struct jit *j, struct insn i, u32 pc)
{
	if (insn_is_exit(i))
		return 0;
	if (insn_is_ja(i))
		return j->live_in[jit_jump_target(j, pc)];
	u16 next = j->live_in[pc + 1];
	return insn_is_cond_jump(i) ? next | j->live_in[jit_jump_target(j, pc)] : next;
}

/* Returns whether something changed where instructions behind it look: at `again`, where jumps go back to, or anywhere if that
 * is NULL. The second half of a 64-bit immediate is an instruction that does nothing. */
static bool one_round(struct jit *j, const u32 *again)
{
	u16 changed = 0, behind = 0; /* the program doesn't run on over its end */

	for (u32 pc = j->prog->len; pc-- > 0;) {
		struct insn i = *jit_insn(j, pc);
		struct jit_effect e = j->effects[pc];
		unsigned cls = BPF_CLASS(i.code);

		if (cls == BPF_JMP || cls == BPF_JMP32)
			behind = live_behind_jump(j, i, pc);
		if (insn_is_local_call(i))
			e.reads = j->live_in[jit_jump_target(j, pc)] & REGS_CALL_READS;
		j->live_out[pc] = behind;
		behind = (u16)((behind & ~e.writes) | e.reads);
		if (!again || again[pc])
			changed |= behind ^ j->live_in[pc];
		j->live_in[pc] = behind;
	}
	return changed;
}

void jit_live(struct jit *j, const u32 *again)
{
	size_t n = j->prog->len;

	j->live_in = arena_array(&j->arena, 2 * n, sizeof(*j->live_in));
	if (!j->live_in)
		return jit_fail(j, 0, ENOMEM, "out of memory");
	j->live_out = j->live_in + n;
	for (unsigned round = 0; round < ROUNDS_MAX; round++)
		if (!one_round(j, again) || !j->has_loops)
			return;
	memset(j->live_in, 0xff, 2 * n * sizeof(*j->live_in));
}
