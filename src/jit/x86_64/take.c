/* What must be at home before instructions are emitted, and what needn't: the base of an address, a source that is a copy or
 * a constant, a result that only an exit wants. */
#include <errno.h>

#include "jit/x86_64/held.h"

static bool is_access(struct insn i)
{
	return (BPF_CLASS(i.code) == BPF_LDX || BPF_CLASS(i.code) == BPF_ST ||
		       BPF_CLASS(i.code) == BPF_STX) &&
	       (BPF_MODE(i.code) == BPF_MEM || BPF_MODE(i.code) == BPF_MEMSX);
}

static unsigned base_of(struct insn i)
{
	return BPF_CLASS(i.code) == BPF_LDX ? i.src : i.dst;
}

/* What the instruction reads, without the base of an address that is known as place. */
static u16 reads_at_home(const struct jit *j, u32 pc)
{
	struct insn i = *jit_insn(j, pc);
	unsigned place = x86_state(j)->place_reg;
	u16 reads = j->effects[pc].reads;

	if (is_access(i) && base_of(i) == place &&
		!(BPF_CLASS(i.code) == BPF_STX && i.src == place))
		reads &= (u16)~x86_bit(place);
	return reads;
}

/* Single instructions read this source with x86_src and x86_const_src. */
static bool has_free_source(struct insn i)
{
	unsigned cls = BPF_CLASS(i.code), op = BPF_OP(i.code);

	if (cls == BPF_STX)
		return is_access(i);
	if (BPF_SRC(i.code) != BPF_X)
		return false;
	if (insn_is_cond_jump(i))
		return true;
	return (cls == BPF_ALU || cls == BPF_ALU64) && op != BPF_END && op != BPF_DIV &&
	       op != BPF_MOD && i.dst != i.src && !insn_is_percpu_mov(i);
}

static bool takes_const(struct insn i)
{
	bool is_alu = BPF_CLASS(i.code) == BPF_ALU || BPF_CLASS(i.code) == BPF_ALU64;

	return i.dst != i.src && !(is_alu && BPF_OP(i.code) == BPF_MOV);
}

/* Sources that needn't come home. */
static u16 free_sources(const struct jit *j, struct insn i)
{
	struct x86_mem src = x86_value_of(j, i.src), dst = x86_value_of(j, i.dst);
	u16 regs = 0;

	if (insn_is_cond_jump(i) && x86_is_copy(dst))
		regs |= x86_bit(i.dst);
	if (has_free_source(i) && (x86_is_copy(src) || (x86_is_const(src) && takes_const(i))))
		regs |= x86_bit(i.src);
	return regs;
}

/* Brings home what must be, until nothing that was spared has become something else by it. */
static void settle(struct jit *j, u16 regs, bool spare)
{
	const struct x86_state *s = x86_state(j);

	for (u16 missing; (missing = regs & s->delayed);) {
		if (spare)
			missing &= (u16)~free_sources(j, *jit_insn(j, j->pc));
		if (!missing)
			return;
		x86_bring_all_home(j, missing);
	}
}

/* The jump that the n instructions end with goes to an exit, and only that wants r0. */
static bool only_exit_wants_r0(struct jit *j, u32 n)
{
	u32 last = j->pc + n - 1;
	struct insn i = *jit_insn(j, last);
	bool jumps = insn_is_cond_jump(i) || (n > 1 && insn_is_ja(i));

	return jumps && !x86_at_home(j, BPF_REG_0) && jit_may(j, JIT_EXIT_VALUE) &&
	       insn_is_exit(*jit_insn(j, x86_jump_target(j, last))) &&
	       !(jit_live_in(j, last + 1) & x86_bit(BPF_REG_0));
}

static void add_way_out(struct jit *j)
{
	struct x86_state *s = x86_state(j);

	s->way_out = arena_alloc(&j->arena, sizeof(*s->way_out));
	if (!s->way_out)
		return jit_fail(j, j->pc, ENOMEM, "out of memory");
	*s->way_out =
		(struct x86_way_out){s->ways_out, jit_label_new(j), x86_value_of(j, BPF_REG_0)};
	s->ways_out = s->way_out;
}

void x86_make_r0(struct jit *j, struct x86_mem v)
{
	x86_emit_moves(&j->code, RAX, v);
}

/* sets: what of the registers that the instructions write the code writes, too. */
static void take(struct jit *j, u32 n, bool spare, u16 sets)
{
	struct x86_state *s = x86_state(j);
	struct insn first = *jit_insn(j, j->pc);
	u16 reads = 0, writes = 0, targets = 0, behind = 0;

	s->way_out = NULL;
	if (!s->delayed)
		return;
	bool leaves = only_exit_wants_r0(j, n);
	s->place_reg = is_access(first) && !x86_is_const(x86_value_of(j, base_of(first)))
			       ? (u8)base_of(first)
			       : JIT_NR_REGS;
	for (u32 pc = j->pc; pc < j->pc + n; pc++) {
		struct insn i = *jit_insn(j, pc);

		if (pc == s->done_pc)
			continue;
		reads |= reads_at_home(j, pc) & (u16)~writes;
		/* A jump over others, to just behind them, isn't made. */
		bool inside = pc + 1 < j->pc + n && jit_jump_target(j, pc) == j->pc + n;
		if (inside)
			behind = jit_live_in(j, j->pc + n);
		if ((insn_is_cond_jump(i) && !inside) || insn_is_ja(i))
			targets |= jit_live_in(j, jit_jump_target(j, pc)) & (u16)~writes;
		if (x86_goes_on(j, pc))
			targets |= jit_live_in(j, j->pc + n) & (u16)~writes;
		writes |= j->effects[pc].writes;
		pc += insn_is_ld_imm64(i);
	}
	u16 live = jit_live_out(j, j->pc + n - 1) | behind;
	s->needed = jit_live_in(j, j->pc) | live;
	x86_bring_all_home(j, leaves ? targets & (u16)~x86_bit(BPF_REG_0) : targets);
	settle(j, reads, spare);
	for (writes &= sets; writes; writes &= (u16)(writes - 1))
		x86_rescue(j, (unsigned)__builtin_ctz(writes), NULL, live);
	settle(j, reads, spare);
	if (s->place_reg < JIT_NR_REGS)
		s->place = x86_value_of(j, s->place_reg);
	if (leaves && !x86_at_home(j, BPF_REG_0))
		add_way_out(j);
}

void x86_take(struct jit *j, u32 n)
{
	take(j, n, false, UINT16_MAX);
}

void x86_take_spared(struct jit *j, u32 n)
{
	take(j, n, true, UINT16_MAX);
}

void x86_take_result(struct jit *j, u32 n, unsigned dst)
{
	take(j, n, true, x86_bit(dst));
}

void x86_prepare_jump(struct jit *j, u32 pc, unsigned reg)
{
	u32 last = pc + x86_branch_insns(j, pc) - 1, to = jit_jump_target(j, last);
	bool stays = to == pc + 2 || insn_is_exit(*jit_insn(j, x86_jump_target(j, last)));
	u16 live = jit_live_in(j, pc);

	x86_state(j)->needed = live;
	if (!stays)
		x86_bring_all_home(j, jit_live_in(j, to) & (u16)~x86_bit(reg));
	if (x86_goes_on(j, pc))
		x86_bring_all_home(j, jit_live_in(j, last + 1) & (u16)~x86_bit(reg));
	x86_rescue(j, reg, NULL, live);
	x86_forget_lost(j);
}

void x86_take_one(struct jit *j)
{
	struct insn i = *jit_insn(j, j->pc);

	x86_take_spared(j, insn_is_cond_jump(i) ? x86_branch_insns(j, j->pc) : 1);
}

void x86_take_over(struct jit *j, unsigned reg, u32 pc)
{
	x86_rescue(j, reg, NULL, jit_live_out(j, pc));
}

void x86_forget(struct jit *j, unsigned reg)
{
	x86_state(j)->delayed &= (u16)~x86_bit(reg);
}

void x86_set_copy(struct jit *j, unsigned dst, unsigned src)
{
	x86_state(j)->values[dst] = x86_at(x86_reg(src), 0);
	x86_state(j)->delayed |= x86_bit(dst);
}

void x86_flush(struct jit *j, u32 pc)
{
	struct x86_state *s = x86_state(j);

	s->needed = jit_live_in(j, pc);
	x86_bring_all_home(j, s->needed);
	x86_values_reset(j);
	s->flags_end = 0;
}

void x86_done(struct jit *j, u32 n)
{
	struct x86_state *s = x86_state(j);

	s->place_reg = JIT_NR_REGS;
	for (u32 pc = j->pc; pc < j->pc + n; pc++) {
		u16 writes = j->effects[pc].writes; /* none: the second half of an immediate */

		if (pc == s->done_pc)
			continue;
		s->delayed &= (u16)~writes;
		if (writes)
			x86_note_clean(j, pc, writes);
	}
	s->done_pc = 0;
	x86_forget_lost(j);
}

struct x86_mem x86_place(const struct jit *j, unsigned reg, s32 off)
{
	struct x86_mem m =
		x86_state(j)->place_reg == reg ? x86_state(j)->place : x86_at(x86_reg(reg), 0);

	m.disp += off;
	return x86_shorter(m);
}

bool x86_is_home(const struct jit *j, unsigned reg)
{
	return x86_at_home(j, reg);
}

bool x86_is_delayed_const(const struct jit *j, unsigned reg, s32 value)
{
	struct x86_mem v = x86_value_of(j, reg);

	return x86_is_const(v) && v.disp == value;
}

enum x86_reg x86_src(const struct jit *j, unsigned reg)
{
	struct x86_mem v = x86_value_of(j, reg);

	return x86_is_copy(v) ? v.base : x86_reg(reg);
}

bool x86_const_src(const struct jit *j, unsigned reg, s32 *value)
{
	struct x86_mem v = x86_value_of(j, reg);

	*value = v.disp;
	return x86_is_const(v);
}
