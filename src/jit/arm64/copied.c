/* Results that a copy behind takes elsewhere, as at the end of most loops: they are computed there at once, and the copy is
 * nothing. Also which 32-bit copies are whole ones, since the upper half is zero. */
#include "jit/arm64/lower.h"

#include <errno.h>
#include <string.h>

#include "jit/live.h"

enum { WINDOW = 16 };

/* The instruction before the one at pc, when nothing else leads there. */
static bool step_back(const struct jit *j, u32 *pc)
{
	u32 at = *pc;

	if (!a64_fusible(j, at))
		return false;
	at -= at >= 2 && insn_is_ld_imm64(*jit_insn(j, at - 2)) ? 2 : 1;
	if (at < jit_subprog(j)->start)
		return false;
	*pc = at;
	return !insn_is_ja(*jit_insn(j, at)) && !insn_is_exit(*jit_insn(j, at));
}

static bool is_call(struct insn i)
{
	return i.code == (BPF_JMP | BPF_CALL);
}

bool a64_clears_upper_half(struct insn i)
{
	switch (BPF_CLASS(i.code)) {
	case BPF_ALU:
		return BPF_OP(i.code) != BPF_END || i.imm != 64;
	case BPF_LDX:
		return BPF_MODE(i.code) == BPF_MEM && BPF_SIZE(i.code) != BPF_DW;
	}
	return false;
}

/* Behind the copy, the straight line ends before it changes `to`; or nobody asks for `from` any more. So they needn't be
 * taken apart. */
static bool stay_together(const struct jit *j, u32 copy, u8 from, u8 to)
{
	u32 pc = copy + 1;

	if (!(a64_live_out(j, copy) & 1u << from))
		return true;
	for (unsigned n = 0; n < WINDOW && pc < jit_subprog(j)->end; n++) {
		struct insn i = *jit_insn(j, pc);

		if (BPF_CLASS(i.code) == BPF_JMP || BPF_CLASS(i.code) == BPF_JMP32)
			return !is_call(i);
		if (j->effects[pc].writes & 1u << to)
			return false;
		pc += insn_is_ld_imm64(i) ? 2 : 1;
	}
	return false;
}

/* Follows the copy at pc back to what made its source. */
static void follow(const struct jit *j, u32 copy, struct a64_copied *c)
{
	struct insn mov = *jit_insn(j, copy);
	bool is_32 = BPF_CLASS(mov.code) == BPF_ALU,
	     is_free = stay_together(j, copy, mov.src, mov.dst);
	u32 pc = copy;

	for (unsigned n = 0; n < WINDOW && step_back(j, &pc); n++) {
		const struct a64_select *select = a64_select_around(j, pc);
		struct insn i = *jit_insn(j, pc);
		struct jit_effect e = j->effects[pc];

		if (select) {
			if (a64_select_writes(select) & 1u << mov.src)
				return;
			is_free = is_free && !(a64_select_touches(select) & 1u << mov.dst);
			pc = a64_select_start(select);
			continue;
		}
		if (e.writes & 1u << mov.src) {
			c->whole[copy] = is_32 && a64_clears_upper_half(i);
			if (is_free && (!is_32 || c->whole[copy]) &&
				(!is_call(i) || mov.src == BPF_REG_0))
				c->to[pc] = (u8)(mov.dst << 4 | mov.src);
			return;
		}
		if ((e.reads | e.writes) & 1u << mov.dst || is_call(i))
			is_free = false;
		if (insn_is_cond_jump(i) && a64_live_in(j, jit_jump_target(j, pc)) & 1u << mov.dst)
			is_free = false;
	}
}

static bool is_copy(struct insn i)
{
	return (i.code == (BPF_ALU64 | BPF_MOV | BPF_X) || i.code == (BPF_ALU | BPF_MOV | BPF_X)) &&
	       i.off == 0 && i.src != i.dst && i.src != BPF_REG_FP;
}

void a64_copied_plan(struct jit *j)
{
	const struct jit_subprog *s = jit_subprog(j);
	struct a64_copied *c = &a64_of(j)->copied;
	u32 len = j->prog->len;

	if (!c->to) {
		c->to = arena_alloc(&j->arena, len);
		c->whole = arena_array(&j->arena, len, sizeof(*c->whole));
	}
	if (!c->to || !c->whole) {
		jit_fail(j, j->pc, ENOMEM, "out of memory");
		return;
	}
	memset(c->to + s->start, A64_NOT_COPIED, s->end - s->start);
	if (!jit_may(j, JIT_COPIED))
		return;
	for (u32 pc = s->start; pc < s->end; pc += insn_is_ld_imm64(*jit_insn(j, pc)) ? 2 : 1)
		if (is_copy(*jit_insn(j, pc)) && !a64_select_around(j, pc))
			follow(j, pc, c);
}
