/* Liveness of registers: the backward walk over the program, repeated until nothing changes. A subprogram's r6 ... r9 end
 * with it, and its callers' arguments are live as far as it reads them. */
#include "jit/live.h"

#include <string.h>

#include "jit/target.h"
#include "rewrite/regs.h"

/* Loops make another round necessary for each level of nesting; programs that need more are not worth it. */
enum { ROUNDS_MAX = 24 };

struct jit_effect jit_effect_of(struct insn i)
{
	return (struct jit_effect){.reads = regs_read(i), .writes = regs_written(i)};
}

/* What is live behind the instruction: before its successors. */
static u16 live_behind(const struct jit *j, u32 pc)
{
	struct insn i = *jit_insn(j, pc);
	u32 next = pc + (insn_is_ld_imm64(i) ? 2 : 1);
	unsigned cls = BPF_CLASS(i.code);

	if (cls != BPF_JMP && cls != BPF_JMP32)
		return j->live_in[next];
	if (insn_is_exit(i))
		return 0;
	if (insn_is_ja(i))
		return j->live_in[jit_jump_target(j, pc)];
	if (insn_is_cond_jump(i))
		return j->live_in[next] | j->live_in[jit_jump_target(j, pc)];
	return j->live_in[next];
}

/* Returns whether anything changed. */
static bool one_round(struct jit *j)
{
	bool changed = false;

	for (u32 pc = j->prog->len; pc-- > 0;) {
		if (jit_insn(j, pc)->code == 0) /* second half of a 64-bit immediate */
			continue;
		struct jit_effect e = j->effects[pc];
		if (insn_is_local_call(*jit_insn(j, pc)))
			e.reads = j->live_in[jit_jump_target(j, pc)] & REGS_CALL_READS;
		u16 out = live_behind(j, pc), in = (u16)((out & ~e.writes) | e.reads);

		changed |= in != j->live_in[pc];
		j->live_in[pc] = in;
		j->live_out[pc] = out;
	}
	return changed;
}

static void compute(struct jit *j)
{
	size_t n = j->prog->len, bytes = n * sizeof(*j->live_in);

	j->live_in = arena_array(&j->arena, 2 * n, sizeof(*j->live_in));
	if (!j->live_in)
		return;
	j->live_out = j->live_in + n;
	for (unsigned round = 0; round < ROUNDS_MAX; round++)
		if (!one_round(j) || !j->has_loops)
			return;
	memset(j->live_in, 0xff, 2 * bytes);
}

u16 jit_live_in(struct jit *j, u32 pc)
{
	if (!j->live_in)
		compute(j);
	return j->live_in ? j->live_in[pc] : UINT16_MAX;
}

u16 jit_live_out(struct jit *j, u32 pc)
{
	if (!j->live_in)
		compute(j);
	return j->live_in ? j->live_out[pc] : UINT16_MAX;
}

bool jit_is_live(struct jit *j, u32 pc, unsigned reg)
{
	return jit_live_out(j, pc) & 1u << reg;
}
