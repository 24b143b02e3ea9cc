/* Arithmetic. Immediates take the shortest form there is; shifts by a constant are held back (value.c), because an
 * addition or logic operation can take them along. */
#include "jit/arm64/lower.h"

#include <errno.h>

/* One instruction with its source resolved: a constant (also one that a register is known to hold) or a register. */
struct alu {
	u8 op, dst, src;
	enum a64_width w;
	bool is_const;
	u64 value; /* normalised to the width */
	s16 off;
};

static unsigned bits_of(enum a64_width w)
{
	return w ? 64 : 32;
}

static u64 normalise(enum a64_width w, u64 value)
{
	return w ? value : (u32)value;
}

static void emit_addsub(struct jit *j, const struct alu *i, enum a64_addsub op, unsigned rd,
	unsigned rn, unsigned rm)
{
	a64_emit(j, a64_addsub_reg(i->w, op, rd, rn, rm, A64_LSL, 0));
}

/* dst = the low half of src. */
static void set_low32(struct jit *j, u8 dst, u8 src)
{
	struct value v = a64_copy(j, src);

	if (v.kind == VALUE_SHIFT && v.width == A64_W) {
		a64_set(j, dst, v);
		return;
	}
	if (src == BPF_REG_FP) {
		unsigned rn = a64_read(j, A64_X, src, A64_TMP);
		a64_emit(j,
			a64_logic_reg(A64_W, A64_ORR, a64_write(j, dst), A64_ZR, rn, A64_LSL, 0));
		return;
	}
	if (v.kind != VALUE_LOW32 && !(v.kind == VALUE_ADD && v.amount == 0)) {
		a64_read_home(j, src);
		v.src = src;
	}
	a64_set(j, dst, (struct value){.kind = VALUE_LOW32, .src = v.src});
}

/* A 32-bit operation that changes nothing still clears the upper half. */
static void set_unchanged(struct jit *j, const struct alu *i)
{
	if (i->w == A64_W)
		set_low32(j, i->dst, i->dst);
}

static void set_const(struct jit *j, const struct alu *i, u64 value)
{
	a64_set(j, i->dst,
		(struct value){.kind = VALUE_CONST, .amount = (s64)normalise(i->w, value)});
}

static bool may_take(const struct alu *i, struct value v)
{
	bool rotates =
		v.shift == A64_ROR && i->op != BPF_AND && i->op != BPF_OR && i->op != BPF_XOR;

	return v.kind == VALUE_SHIFT && v.width == i->w && !rotates;
}

/* A source that a shift was held back in, and which nobody needs later, rides along as a shifted register: *rn gets dst,
 * *v the source's shift. */
static bool takes_shift(struct jit *j, const struct alu *i, unsigned *rn, struct value *v)
{
	if (i->src == BPF_REG_FP || i->src == i->dst || !may_take(i, a64_of(j)->values[i->src]))
		return false;
	a64_settle(j, i->dst); /* may bring the source home */
	*v = a64_of(j)->values[i->src];
	if (!may_take(i, *v) || !a64_dead(j, i->src))
		return false;
	*rn = a64_read(j, i->w, i->dst, A64_TMP2);
	return true;
}

/* The same the other way round, for operations that don't care: dst was shifted and src comes along. */
static bool takes_shift_of_dst(struct jit *j, const struct alu *i, unsigned *rn, struct value *v)
{
	if (!jit_may(j, JIT_SHIFTED_OPERAND) || i->src == BPF_REG_FP || i->src == i->dst)
		return false;
	if (!may_take(i, a64_of(j)->values[i->dst]))
		return false;
	a64_settle(j, i->src); /* may bring dst home */
	*v = a64_of(j)->values[i->dst];
	if (v->kind != VALUE_SHIFT)
		return false;
	*rn = a64_read(j, i->w, i->src, A64_TMP2);
	*v = a64_of(j)->values[i->dst];
	return v->kind == VALUE_SHIFT;
}

static bool commutes(u8 op)
{
	return op == BPF_ADD || op == BPF_AND || op == BPF_OR || op == BPF_XOR;
}

static bool takes_any_shift(struct jit *j, const struct alu *i, unsigned *rn, struct value *v)
{
	return takes_shift(j, i, rn, v) || (commutes(i->op) && takes_shift_of_dst(j, i, rn, v));
}

/* x << a | y >> (bits - a) and its like: both operands are held-back shifts that fill each other's gap. With x for y it is a
 * rotation, which a logic operation can take along. */
static bool lower_extract(struct jit *j, const struct alu *i)
{
	const struct value *values = a64_of(j)->values;

	if (i->is_const || i->src == i->dst ||
		(i->op != BPF_OR && i->op != BPF_ADD && i->op != BPF_XOR))
		return false;
	struct value high = values[i->dst], low = values[i->src];
	if (high.kind == VALUE_SHIFT && high.shift == A64_LSR) {
		struct value other = high;
		high = low;
		low = other;
	}
	if (high.kind != VALUE_SHIFT || low.kind != VALUE_SHIFT || high.shift != A64_LSL ||
		low.shift != A64_LSR)
		return false;
	if (high.width != i->w || low.width != i->w || high.amount + low.amount != bits_of(i->w))
		return false;
	if (high.src == low.src && jit_may(j, JIT_SHIFTED_OPERAND)) {
		low.shift = A64_ROR;
		a64_set(j, i->dst, low);
		return true;
	}
	unsigned rn = a64_home(j, high.src), rm = a64_home(j, low.src);
	unsigned rd = a64_write(j, i->dst);
	a64_emit(j, a64_extr(i->w, rd, rn, rm, (unsigned)low.amount));
	return true;
}

/* 32-bit addition; the 64-bit one with a constant is a64_set's. */
static void add_const32(struct jit *j, const struct alu *i, u32 value)
{
	unsigned rn = a64_read(j, A64_W, i->dst, A64_TMP2);
	enum a64_addsub op = A64_ADD;
	unsigned rm = A64_TMP;

	if (!a64_is_addsub_imm(value) && a64_is_addsub_imm((u32)-value)) {
		op = A64_SUB;
		value = (u32)-value;
	}
	if (!a64_is_addsub_imm(value))
		rm = a64_const_reg(j, A64_W, value, rm);
	unsigned rd = a64_write(j, i->dst);
	if (a64_is_addsub_imm(value))
		a64_emit(j, a64_addsub_imm(A64_W, op, rd, rn, value));
	else
		emit_addsub(j, i, op, rd, rn, rm);
}

/* dst + value, held back: addresses take it as offset, and several additions become one. */
static void add_const64(struct jit *j, const struct alu *i, u64 value)
{
	struct value v = a64_of(j)->values[i->dst];

	if (v.kind == VALUE_HOME)
		v = (struct value){.kind = VALUE_ADD, .src = i->dst};
	if (v.kind == VALUE_LOW32 || v.kind == VALUE_SHIFT || v.kind == VALUE_SUM ||
		v.kind == VALUE_PERCPU_ADD) {
		a64_read_home(j, i->dst);
		v = (struct value){.kind = VALUE_ADD, .src = i->dst};
	}
	v.amount = (s64)((u64)v.amount + value);
	a64_set(j, i->dst, v);
}

/* dst += src where the load that follows uses dst only as its address: both are one instruction. */
static bool lower_indexed_load(struct jit *j, const struct alu *i)
{
	u32 next = a64_of(j)->next;

	if (i->w != A64_X || !a64_fusible(j, next) || i->src == i->dst)
		return false;
	struct insn load = *jit_insn(j, next);
	if (BPF_CLASS(load.code) != BPF_LDX || load.src != i->dst || load.off != 0)
		return false;
	if (load.dst != i->dst && a64_live_out(j, next) & 1u << i->dst)
		return false;
	unsigned rn, rm;
	enum a64_ldst op = BPF_MODE(load.code) == BPF_MEMSX ? A64_LDRS_X : A64_LDR;
	a64_take_next(j);
	a64_read_two(j, A64_X, i->dst, i->src, &rn, &rm);
	a64_emit(j, a64_ldst_reg(a64_size_of(load), op, a64_write(j, load.dst), rn, rm, A64_UXTX,
			    false));
	return true;
}

/* reg's value is another's home, times 2, 4 or 8 at most. */
static bool is_index(const struct jit *j, u8 reg, u8 not, struct value *v)
{
	*v = a64_of(j)->values[reg];
	if (v->kind == VALUE_HOME)
		*v = (struct value){.kind = VALUE_ADD, .src = reg};
	if (v->kind == VALUE_SHIFT)
		return v->shift == A64_LSL && v->width == A64_X && v->amount <= A64_64 &&
		       v->src != not &&a64_of(j)->values[v->src].kind == VALUE_HOME;
	return v->kind == VALUE_ADD && v->amount == 0 &&
	       v->src != not &&a64_of(j)->values[v->src].kind == VALUE_HOME;
}

/* A sum of two other registers is held back, since it may be an address: loads and stores add themselves. */
static bool hold_sum(struct jit *j, const struct alu *i)
{
	struct value base, index;

	if (i->w != A64_X || i->src == BPF_REG_FP || !jit_may(j, JIT_INDEX))
		return false;
	if (!is_index(j, i->dst, i->dst, &base) || !is_index(j, i->src, i->dst, &index))
		return false;
	if (base.kind == VALUE_SHIFT) {
		struct value other = base;
		base = index;
		index = other;
	}
	if (base.kind == VALUE_SHIFT)
		return false;
	a64_set(j, i->dst,
		(struct value){.kind = VALUE_SUM,
			.src = base.src,
			.index = index.src,
			.amount = index.amount});
	return true;
}

static void lower_add(struct jit *j, const struct alu *i)
{
	struct value v;
	unsigned rn, rm;

	if (i->is_const) {
		if (i->w == A64_X)
			add_const64(j, i, i->value);
		else
			add_const32(j, i, (u32)i->value);
	} else if (lower_extract(j, i)) {
		return;
	} else if (hold_sum(j, i)) {
		return;
	} else if (takes_any_shift(j, i, &rn, &v)) {
		rm = a64_home(j, v.src);
		a64_emit(j, a64_addsub_reg(i->w, A64_ADD, a64_write(j, i->dst), rn, rm, v.shift,
				    (unsigned)v.amount));
	} else if (!lower_indexed_load(j, i)) {
		a64_read_two(j, i->w, i->dst, i->src, &rn, &rm);
		emit_addsub(j, i, A64_ADD, a64_write(j, i->dst), rn, rm);
	}
}

static void lower_sub(struct jit *j, const struct alu *i)
{
	struct value v;
	unsigned rn, rm;

	if (i->is_const && i->w == A64_X) {
		add_const64(j, i, 0 - i->value);
	} else if (i->is_const) {
		add_const32(j, i, (u32) - (u32)i->value);
	} else if (takes_shift(j, i, &rn, &v)) {
		rm = a64_home(j, v.src);
		a64_emit(j, a64_addsub_reg(i->w, A64_SUB, a64_write(j, i->dst), rn, rm, v.shift,
				    (unsigned)v.amount));
	} else {
		a64_read_two(j, i->w, i->dst, i->src, &rn, &rm);
		emit_addsub(j, i, A64_SUB, a64_write(j, i->dst), rn, rm);
	}
}

static enum a64_logic logic_op(const struct alu *i)
{
	return i->op == BPF_AND ? A64_AND : i->op == BPF_OR ? A64_ORR : A64_EOR;
}

/* dst >> n & low ones: one bitfield extract. */
static bool lower_extract_bits(struct jit *j, const struct alu *i)
{
	struct value v = a64_of(j)->values[i->dst];

	if (i->op != BPF_AND || v.kind != VALUE_SHIFT || v.shift != A64_LSR || v.width != i->w)
		return false;
	if (i->value == 0 || i->value & (i->value + 1))
		return false;
	unsigned top = (unsigned)v.amount + (unsigned)__builtin_popcountll(i->value) - 1;
	if (top >= bits_of(i->w))
		top = bits_of(i->w) - 1;
	unsigned rn = a64_home(j, v.src);
	a64_emit(
		j, a64_bitfield(i->w, A64_UBFM, a64_write(j, i->dst), rn, (unsigned)v.amount, top));
	return true;
}

/* What a logic operation with all zeros or all ones comes to; false: something else. */
static bool lower_logic_trivial(struct jit *j, const struct alu *i)
{
	u64 ones = normalise(i->w, UINT64_MAX);

	if (i->value != 0 && i->value != ones)
		return false;
	bool keeps = i->op == BPF_AND ? i->value == ones : i->value == 0;
	if (keeps) {
		set_unchanged(j, i);
	} else if (i->op == BPF_XOR) {
		unsigned rn = a64_read(j, i->w, i->dst, A64_TMP);
		a64_emit(j,
			a64_logic_reg(i->w, A64_ORN, a64_write(j, i->dst), A64_ZR, rn, A64_LSL, 0));
	} else {
		set_const(j, i, i->value);
	}
	return true;
}

static void lower_logic_const(struct jit *j, const struct alu *i)
{
	enum a64_width w = i->w;
	u32 field;

	if (lower_logic_trivial(j, i) || lower_extract_bits(j, i))
		return;
	bool immediate = a64_bitmask(w, i->value, &field);
	/* AND with an upper half of zeros is a 32-bit operation, which has patterns of its own. */
	if (!immediate && i->op == BPF_AND && i->value <= UINT32_MAX) {
		w = A64_W;
		immediate = a64_bitmask(w, i->value, &field);
	}
	unsigned rn = a64_read(j, w, i->dst, A64_TMP2);
	unsigned rm = immediate ? A64_ZR : a64_const_reg(j, w, i->value, A64_TMP);
	unsigned rd = a64_write(j, i->dst);
	if (immediate)
		a64_emit(j, a64_logic_imm(w, logic_op(i), rd, rn, field));
	else
		a64_emit(j, a64_logic_reg(w, logic_op(i), rd, rn, rm, A64_LSL, 0));
}

static void lower_logic(struct jit *j, const struct alu *i)
{
	struct value v;
	unsigned rn, rm;

	if (i->op == BPF_AND &&
		a64_lower_and_jump(j, i->w, i->dst, i->src, i->is_const ? &i->value : NULL))
		return;
	if (i->is_const && i->op == BPF_AND && i->w == A64_X &&
		a64_lower_masked_pair(j, i->dst, i->value))
		return;
	if (i->is_const) {
		lower_logic_const(j, i);
	} else if (lower_extract(j, i)) {
		return;
	} else if (takes_any_shift(j, i, &rn, &v)) {
		rm = a64_home(j, v.src);
		a64_emit(j, a64_logic_reg(i->w, logic_op(i), a64_write(j, i->dst), rn, rm, v.shift,
				    (unsigned)v.amount));
	} else {
		a64_read_two(j, i->w, i->dst, i->src, &rn, &rm);
		a64_emit(j,
			a64_logic_reg(i->w, logic_op(i), a64_write(j, i->dst), rn, rm, A64_LSL, 0));
	}
}

/* A product that is only added to (or taken from) another register by the next instruction. */
static bool lower_multiply_add(struct jit *j, const struct alu *i, unsigned rn, unsigned rm)
{
	u32 next = a64_of(j)->next;

	if (!a64_fusible(j, next))
		return false;
	struct insn add = *jit_insn(j, next);
	if (BPF_CLASS(add.code) != (i->w ? BPF_ALU64 : BPF_ALU) || BPF_SRC(add.code) != BPF_X)
		return false;
	if ((BPF_OP(add.code) != BPF_ADD && BPF_OP(add.code) != BPF_SUB) || add.src != i->dst ||
		add.dst == i->dst)
		return false;
	if (a64_live_out(j, next) & 1u << i->dst || a64_of(j)->values[add.dst].kind != VALUE_HOME)
		return false;
	a64_take_next(j);
	unsigned ra = a64_home(j, add.dst);
	enum a64_dp3 op = BPF_OP(add.code) == BPF_ADD ? A64_MADD : A64_MSUB;
	a64_emit(j, a64_dp3(i->w, op, a64_write(j, add.dst), rn, rm, ra));
	return true;
}

static bool is_power_of_two(u64 value)
{
	return value && !(value & (value - 1));
}

static void hold_shift(struct jit *j, const struct alu *i, enum a64_shift shift, unsigned amount);

/* x * (2^n + 1) is x + (x << n). */
static bool lower_multiply_by_sum(struct jit *j, const struct alu *i)
{
	if (!jit_may(j, JIT_MULTIPLY_BY_SUM) || i->value < 3 || !is_power_of_two(i->value - 1))
		return false;
	unsigned rn = a64_read(j, i->w, i->dst, A64_TMP);
	a64_emit(j, a64_addsub_reg(i->w, A64_ADD, a64_write(j, i->dst), rn, rn, A64_LSL,
			    (unsigned)__builtin_ctzll(i->value - 1)));
	return true;
}

static void lower_mul(struct jit *j, const struct alu *i)
{
	unsigned rn, rm = A64_TMP;

	if (i->is_const && i->value == 0) {
		set_const(j, i, 0);
		return;
	}
	if (i->is_const && is_power_of_two(i->value)) {
		hold_shift(j, i, A64_LSL, (unsigned)__builtin_ctzll(i->value));
		return;
	}
	if (i->is_const && lower_multiply_by_sum(j, i))
		return;
	if (i->is_const) {
		rn = a64_read(j, i->w, i->dst, A64_TMP2);
		rm = a64_const_reg(j, i->w, i->value, rm);
	} else {
		a64_read_two(j, i->w, i->dst, i->src, &rn, &rm);
	}
	if (!lower_multiply_add(j, i, rn, rm))
		a64_emit(j, a64_dp3(i->w, A64_MADD, a64_write(j, i->dst), rn, rm, A64_ZR));
}

/* The hardware already divides as BPF wants: x / 0 = 0, and so x % 0 = x - 0 * 0; the overflowing quotient wraps. */
static void lower_divide(struct jit *j, const struct alu *i)
{
	bool is_signed = i->off == 1, modulo = i->op == BPF_MOD;
	enum a64_dp2 op = is_signed ? A64_SDIV : A64_UDIV;
	unsigned rn, rm = A64_TMP;

	if (i->is_const && !is_signed && is_power_of_two(i->value)) {
		struct alu simple = *i;
		simple.op = BPF_AND;
		simple.value = i->value - 1;
		if (modulo)
			lower_logic_const(j, &simple);
		else
			hold_shift(j, i, A64_LSR, (unsigned)__builtin_ctzll(i->value));
		return;
	}
	if (i->is_const) {
		rn = a64_read(j, i->w, i->dst, A64_TMP2);
		rm = a64_const_reg(j, i->w, i->value, rm);
	} else {
		a64_read_two(j, i->w, i->dst, i->src, &rn, &rm);
	}
	unsigned rd = a64_write(j, i->dst), quotient = modulo ? A64_TMP3 : rd;
	a64_emit(j, a64_dp2(i->w, op, quotient, rn, rm));
	if (modulo)
		a64_emit(j, a64_dp3(i->w, A64_MSUB, rd, quotient, rm, rn));
}

static void emit_bitfield(struct jit *j, const struct alu *i, enum a64_bitfield op, unsigned rn,
	unsigned immr, unsigned imms)
{
	a64_emit(j, a64_bitfield(i->w, op, a64_write(j, i->dst), rn, immr, imms));
}

/* A shift of something that was shifted or cut to 32 bits just before: often one bitfield move does both. */
static bool join_shifts(struct jit *j, const struct alu *i, enum a64_shift shift, unsigned amount)
{
	struct value v = a64_of(j)->values[i->dst];
	enum a64_bitfield op = shift == A64_ASR ? A64_SBFM : A64_UBFM;
	unsigned bits = bits_of(i->w);

	if (v.kind == VALUE_LOW32 && i->w == A64_X && shift == A64_LSL) {
		emit_bitfield(j, i, A64_UBFM, a64_home(j, v.src), 64 - amount,
			amount > 32 ? 63 - amount : 31);
		return true;
	}
	if (v.kind == VALUE_LOW32 && i->w == A64_X && amount < 32) {
		emit_bitfield(j, i, A64_UBFM, a64_home(j, v.src), amount, 31);
		return true;
	}
	if (v.kind == VALUE_SHIFT && v.width == i->w && v.shift == A64_LSL && shift != A64_LSL) {
		unsigned before = (unsigned)v.amount;
		emit_bitfield(j, i, op, a64_home(j, v.src), (amount - before) & (bits - 1),
			bits - 1 - before);
		return true;
	}
	return false;
}

static u64 shifted_const(enum a64_width w, enum a64_shift shift, u64 value, unsigned amount)
{
	if (shift == A64_LSL)
		return value << amount;
	if (shift == A64_LSR)
		return normalise(w, value) >> amount;
	return w ? (u64)((s64)value >> amount) : (u32)((s32)value >> amount);
}

static void hold_shift(struct jit *j, const struct alu *i, enum a64_shift shift, unsigned amount)
{
	struct value v = a64_of(j)->values[i->dst];

	if (amount == 0) {
		set_unchanged(j, i);
		return;
	}
	if (v.kind == VALUE_CONST) {
		set_const(j, i, shifted_const(i->w, shift, (u64)v.amount, amount));
		return;
	}
	if (join_shifts(j, i, shift, amount))
		return;
	bool plain =
		(v.kind == VALUE_ADD && v.amount == 0) || (v.kind == VALUE_LOW32 && i->w == A64_W);
	if (!plain) {
		a64_read_home(j, i->dst);
		v.src = i->dst;
	}
	a64_set(j, i->dst,
		(struct value){.kind = VALUE_SHIFT,
			.src = v.src,
			.shift = (u8)shift,
			.width = (u8)i->w,
			.amount = amount});
}

static void lower_shift(struct jit *j, const struct alu *i)
{
	static const enum a64_shift by_const[] = {
		[BPF_LSH >> 4] = A64_LSL,
		[BPF_RSH >> 4] = A64_LSR,
		[BPF_ARSH >> 4] = A64_ASR,
	};
	static const enum a64_dp2 by_reg[] = {
		[BPF_LSH >> 4] = A64_LSLV,
		[BPF_RSH >> 4] = A64_LSRV,
		[BPF_ARSH >> 4] = A64_ASRV,
	};
	unsigned rn, rm;

	if (i->is_const) {
		hold_shift(j, i, by_const[i->op >> 4], (unsigned)i->value & (bits_of(i->w) - 1));
		return;
	}
	a64_read_two(j, i->w, i->dst, i->src, &rn, &rm);
	a64_emit(j, a64_dp2(i->w, by_reg[i->op >> 4], a64_write(j, i->dst), rn, rm));
}

static void lower_neg(struct jit *j, const struct alu *i)
{
	unsigned rn = a64_read(j, i->w, i->dst, A64_TMP);

	emit_addsub(j, i, A64_SUB, a64_write(j, i->dst), A64_ZR, rn);
}

static void lower_mov_sign_extended(struct jit *j, const struct alu *i)
{
	unsigned rn = a64_read(j, i->w, i->src, A64_TMP);

	emit_bitfield(j, i, A64_SBFM, rn, 0, (unsigned)i->off - 1);
}

static void lower_mov(struct jit *j, const struct alu *i)
{
	if (i->is_const && i->off == 0) {
		set_const(j, i, i->value);
	} else if (i->off) {
		lower_mov_sign_extended(j, i);
	} else if (i->w == A64_X || a64_of(j)->copied.whole[j->pc]) {
		a64_set(j, i->dst, a64_take(j, i->src));
	} else if (i->src != i->dst || !(jit_fact(j, j->pc)->flags & FACT_DST_UPPER_ZERO)) {
		set_low32(j, i->dst, i->src);
	}
}

/* Byte order: reversal in a register of `bits`, or truncation where the order is the host's. */
static void lower_end(struct jit *j, const struct alu *i, bool reverse, s32 bits)
{
	enum a64_width w = bits == 64 ? A64_X : A64_W;

	if (!reverse && bits == 64)
		return;
	unsigned rn = a64_read(j, w, i->dst, A64_TMP);
	unsigned rd = a64_write(j, i->dst);
	if (reverse)
		a64_emit(j, a64_dp1(w, w ? A64_REV64 : bits == 16 ? A64_REV16 : A64_REV32, rd, rn));
	if (reverse && bits == 16)
		rn = rd;
	if (bits == 16)
		a64_emit(j, a64_bitfield(A64_W, A64_UBFM, rd, rn, 0, 15));
	else if (!reverse)
		a64_emit(j, a64_logic_reg(A64_W, A64_ORR, rd, A64_ZR, rn, A64_LSL, 0));
}

/* An operation on two constants. */
static bool fold(struct jit *j, const struct alu *i)
{
	u64 a, value = i->value;

	if (!i->is_const || !a64_const_of(j, i->dst, &a))
		return false;
	switch (i->op) {
	case BPF_ADD:
		value = a + value;
		break;
	case BPF_SUB:
		value = a - value;
		break;
	case BPF_MUL:
		value = a * value;
		break;
	case BPF_AND:
		value = a & value;
		break;
	case BPF_OR:
		value = a | value;
		break;
	case BPF_XOR:
		value = a ^ value;
		break;
	default:
		return false;
	}
	set_const(j, i, value);
	return true;
}

/* Constant first, for operations that don't care: r1 = 5; r1 += r2 adds 5 to r2. */
static void swap_operands(struct jit *j, struct alu *i)
{
	u64 value;

	if (i->is_const || i->src == i->dst || i->src == BPF_REG_FP ||
		!a64_const_of(j, i->dst, &value))
		return;
	if (a64_of(j)->values[i->src].kind == VALUE_SHIFT)
		return; /* which can come along */
	i->is_const = true;
	i->value = normalise(i->w, value);
	a64_set(j, i->dst, a64_copy(j, i->src));
}

static struct alu resolve(const struct jit *j, struct insn i)
{
	struct alu a = {.op = BPF_OP(i.code), .dst = i.dst, .src = i.src, .off = i.off};

	a.w = BPF_CLASS(i.code) == BPF_ALU64 ? A64_X : A64_W;
	a.is_const = BPF_SRC(i.code) == BPF_K;
	a.value = (u64)(s64)i.imm;
	if (!a.is_const && a.op != BPF_NEG)
		a.is_const = a64_const_of(j, i.src, &a.value);
	a.value = normalise(a.w, a.value);
	return a;
}

static void (*const lower_op[16])(struct jit *j, const struct alu *i) = {
	[BPF_ADD >> 4] = lower_add,
	[BPF_SUB >> 4] = lower_sub,
	[BPF_MUL >> 4] = lower_mul,
	[BPF_DIV >> 4] = lower_divide,
	[BPF_OR >> 4] = lower_logic,
	[BPF_AND >> 4] = lower_logic,
	[BPF_LSH >> 4] = lower_shift,
	[BPF_RSH >> 4] = lower_shift,
	[BPF_NEG >> 4] = lower_neg,
	[BPF_MOD >> 4] = lower_divide,
	[BPF_XOR >> 4] = lower_logic,
	[BPF_MOV >> 4] = lower_mov,
	[BPF_ARSH >> 4] = lower_shift,
};

void a64_lower_alu(struct jit *j, struct insn insn)
{
	struct alu i = resolve(j, insn);

	if (insn_is_percpu_mov(insn)) {
		a64_lower_percpu_mov(j, insn);
		return;
	}
	if (i.op == BPF_END) {
		bool swap = BPF_CLASS(insn.code) == BPF_ALU64 || BPF_SRC(insn.code) == BPF_X;
		lower_end(j, &i, swap, insn.imm);
		return;
	}
	assert(lower_op[i.op >> 4]);
	if (i.op == BPF_ADD || i.op == BPF_AND || i.op == BPF_OR || i.op == BPF_XOR ||
		i.op == BPF_MUL)
		swap_operands(j, &i);
	if (!fold(j, &i))
		lower_op[i.op >> 4](j, &i);
}
