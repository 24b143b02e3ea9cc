/* What each BPF register holds while its code isn't emitted yet. So a constant becomes an immediate, a copied register is
 * read where it came from, r10 - 8 and per-CPU addresses become addressing modes, and what nobody reads is never made.
 *
 * A value may refer to homes of registers (ADD, LOW32, SHIFT: `src`; SUM: `index` too). Invariant: a register whose value is not at
 * home has nobody that refers to its home, unless its own value needs that home as operand ("own"). So bringing a
 * register home never destroys more than those who refer to it, and they are rescued first, one level deep. */
#include "jit/arm64/lower.h"

#include <string.h>

static bool is_own(u8 reg, struct value v)
{
	return v.kind == VALUE_PERCPU_ADD || a64_value_refers(v, reg);
}

void a64_values_reset(struct jit *j)
{
	struct a64 *a = a64_of(j);

	for (unsigned place = 0; place < A64_PLACES; place++)
		a->values[place] = (struct value){0};
	memcpy(a->home, a->usual, A64_REGS);
	a->values[BPF_REG_FP] = (struct value){.kind = VALUE_FRAME};
	a->held = 1u << BPF_REG_FP;
	a->result_in_x0 = false;
}

void a64_take_next(struct jit *j)
{
	struct a64 *a = a64_of(j);

	assert(a64_fusible(j, a->next));
	a->live = a64_live_out(j, a->next) | a64_live_in(j, j->pc);
	a->last = a->next++;
}

void a64_take_skipped(struct jit *j)
{
	struct a64 *a = a64_of(j);

	assert(a64_fusible(j, a->next));
	a->next++;
}

void a64_reads_done(struct jit *j)
{
	struct a64 *a = a64_of(j);

	a->live = a64_live_out(j, a->last);
}

static void emit_shift(struct jit *j, unsigned rd, unsigned rn, struct value v)
{
	unsigned amount = (unsigned)v.amount;

	switch ((enum a64_shift)v.shift) {
	case A64_LSL:
		a64_emit(j, a64_lsl_imm(v.width, rd, rn, amount));
		return;
	case A64_LSR:
		a64_emit(j, a64_lsr_imm(v.width, rd, rn, amount));
		return;
	case A64_ASR:
		a64_emit(j, a64_asr_imm(v.width, rd, rn, amount));
		return;
	case A64_ROR:
		a64_emit(j, a64_extr(v.width, rd, rn, rn, amount));
		return;
	}
	UNREACHABLE();
}

void a64_emit_value(struct jit *j, unsigned rd, u8 reg, struct value v)
{
	const struct a64 *a = a64_of(j);

	switch ((enum value_kind)v.kind) {
	case VALUE_HOME:
		a64_move(j, rd, a->home[reg]);
		return;
	case VALUE_CONST:
		a64_move(j, rd, a64_const_reg(j, A64_X, (u64)v.amount, rd));
		return;
	case VALUE_ADD:
		a64_add_const(j, rd, a->home[v.src], v.amount);
		return;
	case VALUE_LOW32:
		a64_emit(j, a64_logic_reg(A64_W, A64_ORR, rd, A64_ZR, a->home[v.src], A64_LSL, 0));
		return;
	case VALUE_SHIFT:
		emit_shift(j, rd, a->home[v.src], v);
		return;
	case VALUE_SUM:
		a64_emit(j, a64_addsub_reg(A64_X, A64_ADD, rd, a->home[v.src], a->home[v.index],
				    A64_LSL, (unsigned)v.amount));
		return;
	case VALUE_FRAME:
		a64_add_const(j, rd, A64_SP, v.amount + (s64)a->frame_bytes);
		return;
	case VALUE_PERCPU:
		a64_add_const(j, rd, a->base, v.amount);
		return;
	case VALUE_PERCPU_ADD:
		a64_emit(j, a64_addsub_reg(A64_X, A64_ADD, rd, a->base, a->home[reg], A64_LSL, 0));
		return;
	}
	UNREACHABLE();
}

static void rescue(struct jit *j, u8 reg);

static void bring_home(struct jit *j, u8 reg)
{
	struct a64 *a = a64_of(j);
	struct value v = a->values[reg];

	assert(reg != BPF_REG_FP);
	if (v.kind == VALUE_HOME)
		return;
	rescue(j, reg);
	a64_drop(a, reg);
	a64_emit_value(j, a->home[reg], reg, v);
}

/* The home of reg is about to change: who refers to it goes home, or is forgotten when nobody reads it any more. */
static void rescue(struct jit *j, u8 reg)
{
	struct a64 *a = a64_of(j);

	for (u16 left = a->held & (u16) ~(1u << reg); left; left &= (u16)(left - 1)) {
		u8 other = (u8)__builtin_ctz(left);

		if (!a64_value_refers(a->values[other], reg))
			continue;
		if (a->live & 1u << other)
			bring_home(j, other);
		else
			a64_drop(a, other);
	}
}

void a64_settle(struct jit *j, u8 reg)
{
	if (is_own(reg, a64_of(j)->values[reg]))
		bring_home(j, reg);
}

bool a64_const_of(const struct jit *j, u8 reg, u64 *value)
{
	struct value v = a64_of(j)->values[reg];

	*value = (u64)v.amount;
	return v.kind == VALUE_CONST;
}

static unsigned read_value(
	struct jit *j, enum a64_width w, u8 reg, unsigned scratch, bool stays_behind_flush)
{
	struct a64 *a = a64_of(j);
	struct value v = a->values[reg];
	unsigned hoisted;

	if (reg == BPF_REG_FP) {
		a64_emit_value(j, scratch, reg, v);
		return scratch;
	}
	if (v.kind == VALUE_CONST && a64_hoisted(j, w, (u64)v.amount, &hoisted))
		return hoisted;
	bool is_copy =
		(v.kind == VALUE_ADD && v.amount == 0) || (v.kind == VALUE_LOW32 && w == A64_W);
	if (is_copy && (v.src == reg || a->values[v.src].kind == VALUE_HOME || !stays_behind_flush))
		return a->home[v.src];
	bring_home(j, reg);
	return a->home[reg];
}

/* The source's home must not change between reading and use: a flush could do that if its value weren't there. */
unsigned a64_read(struct jit *j, enum a64_width w, u8 reg, unsigned scratch)
{
	return read_value(j, w, reg, scratch, true);
}

unsigned a64_read_lasting(struct jit *j, enum a64_width w, u8 reg, unsigned scratch)
{
	if (a64_is_aside(a64_of(j)->values[reg].src))
		return a64_read_home(j, reg);
	return a64_read(j, w, reg, scratch);
}

unsigned a64_read_now(struct jit *j, enum a64_width w, u8 reg, unsigned scratch)
{
	return read_value(j, w, reg, scratch, !jit_may(j, JIT_COMPARE_FIRST));
}

void a64_read_two(struct jit *j, enum a64_width w, u8 ra, u8 rb, unsigned *ma, unsigned *mb)
{
	a64_settle(j, ra);
	a64_settle(j, rb);
	*ma = a64_read(j, w, ra, A64_TMP2);
	*mb = a64_read(j, w, rb, A64_TMP);
}

void a64_read_two_now(struct jit *j, enum a64_width w, u8 ra, u8 rb, unsigned *ma, unsigned *mb)
{
	a64_settle(j, ra);
	a64_settle(j, rb);
	*ma = a64_read_now(j, w, ra, A64_TMP2);
	*mb = a64_read_now(j, w, rb, A64_TMP);
}

unsigned a64_read_home(struct jit *j, u8 reg)
{
	bring_home(j, reg);
	return a64_home(j, reg);
}

unsigned a64_write_home(struct jit *j, u8 reg)
{
	struct a64 *a = a64_of(j);

	a64_reads_done(j);
	rescue(j, reg);
	a64_drop(a, reg);
	return a->home[reg];
}

/* The same, but in a home for which nobody has to move, if that is cheaper. */
static unsigned write_anywhere(struct jit *j, u8 reg)
{
	struct a64 *a = a64_of(j);

	a64_reads_done(j);
	a64_drop(a, reg);
	if (!a64_step_aside(j, reg)) {
		rescue(j, reg);
		a64_step_back(j, reg);
	}
	return a->home[reg];
}

/* The result is wanted in the home of `to`, whose value nobody wants; reg is a copy of it then. */
static unsigned write_copied(struct jit *j, u8 reg, u8 to)
{
	struct a64 *a = a64_of(j);
	unsigned rd = a64_write_home(j, to);

	rescue(j, reg);
	a64_hold(a, reg, (struct value){.kind = VALUE_ADD, .src = to});
	return rd;
}

unsigned a64_write(struct jit *j, u8 reg)
{
	struct a64 *a = a64_of(j);
	u8 copied = a->copied.to[a->last];

	if (copied != A64_NOT_COPIED && (copied & 15) == reg)
		return write_copied(j, reg, copied >> 4);
	unsigned rd = write_anywhere(j, reg);

	if (reg != BPF_REG_0 || !a64_returns_x0(j, j->subprog) || !a64_exits_next(j))
		return rd;
	a->result_in_x0 = true;
	return 0;
}

void a64_set(struct jit *j, u8 reg, struct value v)
{
	struct a64 *a = a64_of(j);

	a64_reads_done(j);
	if (v.kind == VALUE_ADD && v.amount == 0 && v.src == reg)
		v = (struct value){0};
	a64_hold(a, reg, v);
	if (v.kind != VALUE_HOME && !is_own(reg, v) && !a64_step_aside(j, reg))
		rescue(j, reg);
}

/* A sum with an operand whose register is to get another value, made of the same operands: two copies of it could each need the
 * other's home. */
static bool may_entangle(const struct jit *j, struct value v)
{
	const struct value *values = a64_of(j)->values;

	return v.kind == VALUE_SUM &&
	       (values[v.src].kind != VALUE_HOME || values[v.index].kind != VALUE_HOME);
}

struct value a64_copy(struct jit *j, u8 reg)
{
	a64_settle(j, reg);
	if (may_entangle(j, a64_of(j)->values[reg]))
		a64_read_home(j, reg);
	struct value v = a64_of(j)->values[reg];
	if (v.kind == VALUE_HOME)
		return (struct value){.kind = VALUE_ADD, .src = reg};
	return v;
}

struct value a64_take(struct jit *j, u8 reg)
{
	struct a64 *a = a64_of(j);
	struct value v = a->values[reg];

	if (!jit_may(j, JIT_COPIED) || !a64_dead(j, reg) || !is_own(reg, v) ||
		v.kind == VALUE_PERCPU_ADD)
		return a64_copy(j, reg);
	a64_drop(a, reg);
	return v;
}

/* Everyone else who refers to what is in the way of reg's usual home goes home. */
static void clear_way(struct jit *j, u8 reg, u8 in_the_way)
{
	struct a64 *a = a64_of(j);

	for (u16 left = a->held & (u16) ~(1u << reg); left; left &= (u16)(left - 1)) {
		u8 other = (u8)__builtin_ctz(left);

		if (!a64_value_refers(a->values[other], in_the_way))
			continue;
		if (a->live & 1u << other)
			bring_home(j, other);
		else
			a64_drop(a, other);
	}
}

/* From another home to the usual one. */
static void return_home(struct jit *j, u8 reg)
{
	struct a64 *a = a64_of(j);
	u8 in_the_way = a64_who_is_in(j, reg);
	struct value v = a->values[reg];

	if (in_the_way && v.kind == VALUE_ADD && v.src == in_the_way && v.amount == 0) {
		rescue(j, reg);
		a64_refer_to(j, in_the_way, reg);
	} else {
		if (in_the_way)
			clear_way(j, reg, in_the_way);
		if (v.kind != VALUE_HOME)
			rescue(j, reg);
		a64_emit_value(j, a->usual[reg], reg, v);
	}
	a->home[reg] = a->usual[reg];
	a64_drop(a, reg);
}

/* Those first whose way is clear. */
static void return_all(struct jit *j, u16 regs)
{
	for (bool progress = true; regs && progress;) {
		progress = false;
		for (u8 reg = 0; reg < A64_REGS; reg++) {
			if (!(regs & 1u << reg) || a64_who_is_in(j, reg))
				continue;
			return_home(j, reg);
			regs &= (u16) ~(1u << reg);
			progress = true;
		}
	}
	for (u8 reg = 0; reg < A64_REGS; reg++)
		if (regs & 1u << reg)
			return_home(j, reg);
}

void a64_flush(struct jit *j, u16 live)
{
	struct a64 *a = a64_of(j);
	u16 elsewhere = 0;

	a->live |= live;
	for (u8 reg = 0; reg < A64_REGS; reg++) {
		if (reg == BPF_REG_FP || !(live & 1u << reg))
			continue;
		if (a64_at_usual(j, reg))
			bring_home(j, reg);
		else
			elsewhere |= (u16)(1u << reg);
	}
	if (elsewhere)
		return_all(j, elsewhere);
}
