/* What each BPF register holds while its code isn't emitted yet: a sum of two host registers, one of them scaled, and a
 * constant. So sums become addressing modes, copies are read where they came from, constants become immediates, steps of
 * a loop counter add up, and what nobody reads is never made.
 *
 * A value may refer to the homes of other registers, and of its own ("own": the home still holds the operand). Rules:
 * - A register whose value is neither at home nor own has nobody that refers to its home.
 * - An own value with a second register refers to one that is at home when the value is set.
 * So a register can be brought home when those who refer to its home are brought home before, and that ends: each of
 * them is either not own, or was set earlier. Of an own value that only adds a constant the others can be corrected. */
#include "jit/x86_64/value.h"

#include <errno.h>

#include "jit/live.h"

/* Of constants in sums: far enough from the limits of a displacement that an instruction's offset can be added. */
enum { SUM_MAX = 1 << 30 };

static u16 bit(unsigned reg)
{
	return (u16)(1u << reg);
}

static bool is_at_home(const struct jit *j, unsigned reg)
{
	return !(x86_state(j)->delayed & bit(reg));
}

static struct x86_mem value_of(const struct jit *j, unsigned reg)
{
	return is_at_home(j, reg) ? x86_at(x86_reg(reg), 0) : x86_state(j)->values[reg];
}

static bool refers_to(struct x86_mem v, enum x86_reg home)
{
	return v.base == home || v.index == home;
}

static bool is_const(struct x86_mem v)
{
	return v.base == X86_NO_REG && v.index == X86_NO_REG;
}

static bool is_copy(struct x86_mem v)
{
	return v.base != X86_NO_REG && v.index == X86_NO_REG && v.disp == 0;
}

static bool has_two(struct x86_mem v)
{
	return v.base != X86_NO_REG && v.index != X86_NO_REG;
}

void x86_values_reset(struct jit *j)
{
	x86_state(j)->delayed = 0;
	x86_state(j)->clean = 0;
	x86_state(j)->place_reg = BPF_NR_REGS;
}

static void emit_without_flags(struct buf *b, enum x86_reg home, struct x86_mem v)
{
	if (is_const(v) && v.disp == 0)
		x86_mov_imm32(b, home, 0);
	else if (is_const(v))
		x86_load_const(b, home, (u64)(s64)v.disp);
	else if (is_copy(v))
		x86_mov(b, X86_64, home, v.base);
	else
		x86_lea(b, X86_64, home, x86_shorter(v));
}

/* The jump that is being emitted, or one that comes soon, needs them as they are. */
static bool flags_are_wanted(const struct jit *j)
{
	const struct x86_state *s = x86_state(j);

	return s->flags_end == jit_offset(j) && j->pc <= s->flags_wanted;
}

/* home = v. Flags may change, unless a jump wants them. */
static void emit(struct jit *j, enum x86_reg home, struct x86_mem v)
{
	struct buf *b = &j->code;
	u32 start = jit_offset(j);
	bool adds = v.disp == 0 && v.scale == 0 && has_two(v);

	if (is_const(v) && v.disp == 0 && !flags_are_wanted(j)) {
		x86_load_const(b, home, 0);
		return;
	}
	if (is_const(v) || is_copy(v) || flags_are_wanted(j)) {
		emit_without_flags(b, home, v);
		x86_keep_flags(j, start, home);
		return;
	}
	if (v.base == home && v.index == X86_NO_REG) {
		x86_add_const(b, X86_64, home, v.disp);
	} else if (adds && (v.base == home || v.index == home)) {
		x86_alu(b, X86_64, X86_ADD, home, v.base == home ? v.index : v.base);
	} else if (v.index == home && v.base == X86_NO_REG && v.disp == 0) {
		x86_shift_imm(b, X86_64, X86_SHL, home, v.scale);
	} else {
		x86_lea(b, X86_64, home, x86_shorter(v));
		x86_keep_flags(j, start, home);
		return;
	}
	x86_set_flags(j, X86_64, home);
}

static void bring_home(struct jit *j, unsigned reg);

/* The home of reg is about to get home + by: the other value means the same then. */
static bool correct(struct x86_mem *v, enum x86_reg home, s32 by)
{
	s64 disp = v->disp;

	if (v->base == home)
		disp -= by;
	if (v->index == home)
		disp -= (s64)by << v->scale;
	if (disp > SUM_MAX || disp < -SUM_MAX)
		return false;
	v->disp = (s32)disp;
	return true;
}

/* The home of reg is about to change, to itself + *by if that isn't NULL. Who refers to it goes home, or is lost when it isn't
 * among those that are needed. */
static void rescue(struct jit *j, unsigned reg, const s32 *by, u16 needed)
{
	struct x86_state *s = x86_state(j);

	for (unsigned other = 0; s->delayed >> other; other++) {
		if (other == reg || is_at_home(j, other) ||
			!refers_to(s->values[other], x86_reg(reg)))
			continue;
		if (!(needed & bit(other)))
			s->lost |= bit(other);
		else if (!by || !correct(&s->values[other], x86_reg(reg), *by))
			bring_home(j, other);
	}
}

static void bring_home(struct jit *j, unsigned reg)
{
	struct x86_state *s = x86_state(j);
	struct x86_mem v = s->values[reg];
	bool steps = v.base == x86_reg(reg) && v.index == X86_NO_REG;

	if (is_at_home(j, reg))
		return;
	rescue(j, reg, steps ? &v.disp : NULL, s->needed);
	s->delayed &= (u16)~bit(reg);
	emit(j, x86_reg(reg), v);
}

static void bring_all_home(struct jit *j, u16 regs)
{
	regs &= x86_state(j)->delayed;
	for (unsigned reg = 0; regs >> reg; reg++)
		if (regs >> reg & 1)
			bring_home(j, reg);
}

/* Those whose operands are gone. */
static void forget_lost(struct jit *j)
{
	struct x86_state *s = x86_state(j);

	s->delayed &= (u16)~s->lost;
	s->lost = 0;
}

static bool is_own(struct x86_mem v, unsigned reg)
{
	return refers_to(v, x86_reg(reg));
}

/* The registers of v, other than reg, are at home? */
static bool others_are_home(const struct jit *j, struct x86_mem v, unsigned reg)
{
	for (unsigned other = 0; other < BPF_REG_10; other++)
		if (other != reg && !is_at_home(j, other) && refers_to(v, x86_reg(other)))
			return false;
	return true;
}

static void set(struct jit *j, unsigned reg, struct x86_mem v)
{
	struct x86_state *s = x86_state(j);
	bool is_home = is_copy(v) && v.base == x86_reg(reg);

	if (is_home || !(jit_live_out(j, j->pc) & bit(reg))) {
		s->delayed &= (u16)~bit(reg);
		return;
	}
	s->values[reg] = v;
	s->delayed |= bit(reg);
}

static bool add_disp(struct x86_mem *v, s64 by)
{
	s64 disp = v->disp + by;

	if (disp > SUM_MAX || disp < -SUM_MAX)
		return false;
	v->disp = (s32)disp;
	return true;
}

/* *sum = a + b as a single address. */
static bool add_values(struct x86_mem a, struct x86_mem b, struct x86_mem *sum)
{
	*sum = a;
	if (!add_disp(sum, b.disp))
		return false;
	if (is_const(b))
		return true;
	if (is_const(a)) {
		sum->base = b.base, sum->index = b.index, sum->scale = b.scale;
		return true;
	}
	/* One register more: as index, or as the base that only a scaled index has left free. */
	if (b.index == X86_NO_REG && a.index == X86_NO_REG) {
		sum->index = b.base, sum->scale = 0;
		return true;
	}
	if (b.index == X86_NO_REG && a.base == X86_NO_REG) {
		sum->base = b.base;
		return true;
	}
	if (a.index == X86_NO_REG && b.base == X86_NO_REG) {
		sum->index = b.index, sum->scale = b.scale;
		return true;
	}
	return false;
}

/* dst += v; everything that it is made of must be where v says. */
static bool delay_sum(struct jit *j, unsigned dst, struct x86_mem v)
{
	struct x86_mem sum;

	if (!add_values(value_of(j, dst), v, &sum))
		return false;
	if (is_own(sum, dst) && has_two(sum) && !others_are_home(j, sum, dst))
		return false;
	set(j, dst, sum);
	return true;
}

/* What another register takes over from src. A sum of two registers isn't computed twice. */
static struct x86_mem taken_over(struct jit *j, unsigned src)
{
	if (has_two(value_of(j, src)) && jit_live_out(j, j->pc) & bit(src))
		bring_home(j, src);
	return value_of(j, src);
}

static bool delay_add_reg(struct jit *j, struct insn i)
{
	if (delay_sum(j, i.dst, taken_over(j, i.src)))
		return true;
	bring_home(j, i.src);
	if (delay_sum(j, i.dst, value_of(j, i.src)))
		return true;
	bring_home(j, i.dst);
	return delay_sum(j, i.dst, value_of(j, i.src));
}

/* dst = src, when src is a sum that dst is a part of, as a total ends a round of a loop: then the sum is made in dst's home,
 * and src is the copy, which the next round may not need. */
static bool swap_sum(struct jit *j, unsigned dst, unsigned src)
{
	struct x86_state *s = x86_state(j);
	struct x86_mem v = value_of(j, src);

	if (!has_two(v) || !is_own(v, dst) || !is_own(v, src) || src == dst ||
		!is_at_home(j, dst) || !others_are_home(j, v, src))
		return false;
	s->delayed &= (u16)~bit(src);
	rescue(j, dst, NULL, s->needed);
	rescue(j, src, NULL, s->needed);
	emit(j, x86_reg(dst), v);
	s->values[src] = x86_at(x86_reg(dst), 0);
	s->delayed |= bit(src);
	return true;
}

static bool delay_copy(struct jit *j, unsigned dst, unsigned src)
{
	struct x86_mem v = taken_over(j, src);

	if (is_own(v, dst) && has_two(v) && dst != src && !others_are_home(j, v, dst)) {
		bring_home(j, src);
		v = value_of(j, src);
	}
	set(j, dst, v);
	return true;
}

static bool delay_shift(struct jit *j, unsigned reg, unsigned by)
{
	struct x86_mem v = value_of(j, reg);

	if (v.base != X86_NO_REG && v.index == X86_NO_REG) {
		v.index = v.base, v.base = X86_NO_REG, v.scale = 0;
	} else if (v.base != X86_NO_REG) {
		return false;
	}
	s64 disp = (s64)v.disp << by;
	if ((v.index != X86_NO_REG && v.scale + by > 3) || disp > SUM_MAX || disp < -SUM_MAX)
		return false;
	v.scale += v.index != X86_NO_REG ? by : 0;
	v.disp = (s32)disp;
	set(j, reg, v);
	return true;
}

static bool delay_percpu(struct jit *j, struct insn i)
{
	struct x86_mem sum, base = x86_at(x86_percpu_reg(j), 0);

	if (j->opts->percpu != PERCPU_PINNED || !jit_may(j, JIT_PERCPU))
		return false;
	if (!add_values(base, value_of(j, i.src), &sum)) {
		bring_home(j, i.src);
		if (!add_values(base, value_of(j, i.src), &sum))
			return false;
	}
	/* Its own home as operand is the only BPF register in it. */
	set(j, i.dst, sum);
	return true;
}

static bool delay_move(struct jit *j, struct insn i)
{
	bool is_64 = BPF_CLASS(i.code) == BPF_ALU64;

	if (insn_is_percpu_mov(i))
		return delay_percpu(j, i);
	if (i.off != 0 || !(is_64 || x86_state(j)->clean & bit(i.src)))
		return false;
	return delay_copy(j, i.dst, i.src);
}

static bool delay_const(struct jit *j, struct insn i)
{
	if (BPF_CLASS(i.code) == BPF_ALU && i.imm < 0)
		return false;
	set(j, i.dst, x86_at(X86_NO_REG, i.imm));
	return true;
}

static bool delay_step(struct jit *j, unsigned reg, s64 by)
{
	struct x86_mem v = value_of(j, reg);

	if (!add_disp(&v, by))
		return false;
	set(j, reg, v);
	return true;
}

static bool delay_alu(struct jit *j, struct insn i)
{
	switch (i.code) {
	case BPF_ALU64 | BPF_MOV | BPF_X:
	case BPF_ALU | BPF_MOV | BPF_X:
		return delay_move(j, i);
	case BPF_ALU64 | BPF_MOV | BPF_K:
	case BPF_ALU | BPF_MOV | BPF_K:
		return delay_const(j, i);
	case BPF_ALU64 | BPF_ADD | BPF_K:
		return delay_step(j, i.dst, i.imm);
	case BPF_ALU64 | BPF_SUB | BPF_K:
		return delay_step(j, i.dst, -(s64)i.imm);
	case BPF_ALU64 | BPF_ADD | BPF_X:
		return delay_add_reg(j, i);
	case BPF_ALU64 | BPF_LSH | BPF_K:
		return i.imm >= 1 && i.imm <= 3 && delay_shift(j, i.dst, (unsigned)i.imm);
	default:
		return false;
	}
}

/* A number above 32 bits isn't held back, since only a register can hold it. */
static bool delay_imm64(struct jit *j, struct insn low)
{
	u64 value = (u64)(u32)jit_insn(j, j->pc + 1)->imm << 32 | (u32)low.imm;

	if ((u64)(s64)(s32)value != value)
		return false;
	set(j, low.dst, x86_at(X86_NO_REG, (s32)value));
	return true;
}

/* Whether the upper half of what the instruction writes is zero. */
static bool result_is_clean(const struct jit *j, u32 pc)
{
	struct insn i = *jit_insn(j, pc);
	bool by_const = BPF_SRC(i.code) == BPF_K;

	switch (BPF_CLASS(i.code)) {
	case BPF_ALU:
		return BPF_OP(i.code) != BPF_END || i.imm != 64;
	case BPF_ALU64:
		switch (BPF_OP(i.code)) {
		case BPF_MOV:
			return by_const ? i.imm >= 0
					: i.off == 0 && x86_state(j)->clean & bit(i.src);
		case BPF_AND:
			return by_const && i.imm >= 0;
		case BPF_RSH:
			return by_const && i.imm >= 32;
		case BPF_END:
			return i.imm != 64;
		default:
			return false;
		}
	case BPF_LD:
		return jit_insn(j, pc + 1)->imm == 0;
	case BPF_LDX:
		return BPF_MODE(i.code) == BPF_MEM && BPF_SIZE(i.code) != BPF_DW;
	default:
		return false;
	}
}

static void note_clean(struct jit *j, u32 pc, u16 writes)
{
	struct x86_state *s = x86_state(j);
	bool clean = result_is_clean(j, pc);

	s->clean = (u16)(clean ? s->clean | writes : s->clean & ~writes);
}

u32 x86_delay(struct jit *j)
{
	struct insn i = *jit_insn(j, j->pc);
	u32 n = insn_is_ld_imm64(i) ? 2 : 1;

	if (!jit_may(j, JIT_DELAY) ||
		!(BPF_CLASS(i.code) == BPF_ALU64 || BPF_CLASS(i.code) == BPF_ALU || n == 2))
		return 0;
	u16 live = jit_live_out(j, j->pc);
	x86_state(j)->needed = jit_live_in(j, j->pc) | live;
	/* A result that isn't made from the old one: before it is known, since this may change where its operands are. */
	bool swaps =
		i.code == (BPF_ALU64 | BPF_MOV | BPF_X) && i.off == 0 && swap_sum(j, i.dst, i.src);
	if (!swaps && (n == 2 || BPF_OP(i.code) == BPF_MOV))
		rescue(j, i.dst, NULL, live);
	bool delayed = swaps || (n == 2 ? delay_imm64(j, i) : delay_alu(j, i));
	if (!delayed)
		x86_state(j)->lost = 0; /* not yet */
	forget_lost(j);
	if (!delayed)
		return 0;
	note_clean(j, j->pc, j->effects[j->pc].writes);
	return n;
}

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
		reads &= (u16)~bit(place);
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
	struct x86_mem src = value_of(j, i.src), dst = value_of(j, i.dst);
	u16 regs = 0;

	if (insn_is_cond_jump(i) && is_copy(dst))
		regs |= bit(i.dst);
	if (has_free_source(i) && (is_copy(src) || (is_const(src) && takes_const(i))))
		regs |= bit(i.src);
	return regs;
}

/* Brings home what must be, until nothing that was spared has become something else by it. */
static void settle(struct jit *j, u16 regs, bool spare)
{
	for (;;) {
		u16 spared = spare ? free_sources(j, *jit_insn(j, j->pc)) : 0;
		u16 missing = regs & (u16)~spared & x86_state(j)->delayed;

		if (!missing)
			return;
		bring_all_home(j, missing);
	}
}

/* The jump that the n instructions end with goes to an exit, and only that wants r0. */
static bool only_exit_wants_r0(struct jit *j, u32 n)
{
	u32 last = j->pc + n - 1;
	struct insn i = *jit_insn(j, last);
	bool jumps = insn_is_cond_jump(i) || (n > 1 && insn_is_ja(i));

	return jumps && !is_at_home(j, BPF_REG_0) && jit_may(j, JIT_EXIT_VALUE) &&
	       insn_is_exit(*jit_insn(j, x86_jump_target(j, last))) &&
	       !(jit_live_in(j, last + 1) & bit(BPF_REG_0));
}

static void add_way_out(struct jit *j)
{
	struct x86_state *s = x86_state(j);

	s->way_out = arena_alloc(&j->arena, sizeof(*s->way_out));
	if (!s->way_out)
		return jit_fail(j, j->pc, ENOMEM, "out of memory");
	*s->way_out = (struct x86_way_out){s->ways_out, jit_label_new(j), value_of(j, BPF_REG_0)};
	s->ways_out = s->way_out;
}

void x86_make_r0(struct jit *j, struct x86_mem v)
{
	emit_without_flags(&j->code, RAX, v);
}

static void take(struct jit *j, u32 n, bool spare)
{
	struct x86_state *s = x86_state(j);
	struct insn first = *jit_insn(j, j->pc);
	u16 reads = 0, writes = 0, targets = 0;

	s->way_out = NULL;
	if (!s->delayed)
		return;
	bool leaves = only_exit_wants_r0(j, n);
	s->place_reg = is_access(first) && !is_const(value_of(j, base_of(first)))
			       ? (u8)base_of(first)
			       : BPF_NR_REGS;
	for (u32 pc = j->pc; pc < j->pc + n; pc++) {
		struct insn i = *jit_insn(j, pc);

		reads |= reads_at_home(j, pc) & (u16)~writes;
		/* A jump over others, to just behind them, isn't made. */
		bool inside = pc + 1 < j->pc + n && jit_jump_target(j, pc) == j->pc + n;
		if ((insn_is_cond_jump(i) && !inside) || insn_is_ja(i))
			targets |= jit_live_in(j, jit_jump_target(j, pc)) & (u16)~writes;
		writes |= j->effects[pc].writes;
		pc += insn_is_ld_imm64(i);
	}
	u16 live = jit_live_out(j, j->pc + n - 1);
	s->needed = jit_live_in(j, j->pc) | live;
	bring_all_home(j, leaves ? targets & (u16)~bit(BPF_REG_0) : targets);
	settle(j, reads, spare);
	for (unsigned reg = 0; writes >> reg; reg++)
		if (writes >> reg & 1)
			rescue(j, reg, NULL, live);
	settle(j, reads, spare);
	if (s->place_reg < BPF_NR_REGS)
		s->place = value_of(j, s->place_reg);
	if (leaves && !is_at_home(j, BPF_REG_0))
		add_way_out(j);
}

void x86_take(struct jit *j, u32 n)
{
	take(j, n, false);
}

void x86_take_spared(struct jit *j, u32 n)
{
	take(j, n, true);
}

void x86_prepare_jump(struct jit *j, u32 pc, unsigned reg)
{
	u32 last = pc + x86_branch_insns(j, pc) - 1, to = jit_jump_target(j, last);
	bool stays = to == pc + 2 || insn_is_exit(*jit_insn(j, x86_jump_target(j, last)));
	u16 live = jit_live_in(j, pc);

	x86_state(j)->needed = live;
	if (!stays)
		bring_all_home(j, jit_live_in(j, to) & (u16)~bit(reg));
	rescue(j, reg, NULL, live);
	forget_lost(j);
}

void x86_take_one(struct jit *j)
{
	struct insn i = *jit_insn(j, j->pc);

	x86_take_spared(j, insn_is_cond_jump(i) ? x86_branch_insns(j, j->pc) : 1);
}

void x86_flush(struct jit *j, u32 pc)
{
	struct x86_state *s = x86_state(j);

	s->needed = jit_live_in(j, pc);
	bring_all_home(j, s->needed);
	x86_values_reset(j);
	s->flags_end = 0;
}

void x86_done(struct jit *j, u32 n)
{
	struct x86_state *s = x86_state(j);

	s->place_reg = BPF_NR_REGS;
	for (u32 pc = j->pc; pc < j->pc + n; pc++) {
		u16 writes = j->effects[pc].writes; /* none: the second half of an immediate */

		s->delayed &= (u16)~writes;
		if (writes)
			note_clean(j, pc, writes);
	}
	forget_lost(j);
}

struct x86_mem x86_place(const struct jit *j, unsigned reg, s32 off)
{
	struct x86_mem m =
		x86_state(j)->place_reg == reg ? x86_state(j)->place : x86_at(x86_reg(reg), 0);

	m.disp += off;
	return x86_shorter(m);
}

bool x86_is_delayed_const(const struct jit *j, unsigned reg, s32 value)
{
	struct x86_mem v = value_of(j, reg);

	return is_const(v) && v.disp == value;
}

enum x86_reg x86_src(const struct jit *j, unsigned reg)
{
	struct x86_mem v = value_of(j, reg);

	return is_copy(v) ? v.base : x86_reg(reg);
}

bool x86_const_src(const struct jit *j, unsigned reg, s32 *value)
{
	struct x86_mem v = value_of(j, reg);

	*value = v.disp;
	return is_const(v);
}
