/* Shifts. By a constant they are held back (value.c), because the next operation may take them along. */
#include "jit/arm64/alu.h"

void a64_emit_bitfield(struct jit *j, const struct alu *i, enum a64_bitfield op, unsigned rn,
	unsigned immr, unsigned imms)
{
	a64_emit(j, a64_bitfield(i->w, op, a64_write(j, i->dst), rn, immr, imms));
}

/* A shift of something that was shifted or cut to 32 bits just before: often one bitfield move does both. */
static bool join_shifts(struct jit *j, const struct alu *i, enum a64_shift shift, unsigned amount)
{
	struct value v = a64_of(j)->values[i->dst];
	enum a64_bitfield op = shift == A64_ASR ? A64_SBFM : A64_UBFM;
	unsigned bits = a64_bits_of(i->w);

	if (v.kind == VALUE_LOW32 && i->w == A64_X && shift == A64_LSL) {
		a64_emit_bitfield(j, i, A64_UBFM, a64_home(j, v.src), 64 - amount,
			amount > 32 ? 63 - amount : 31);
		return true;
	}
	if (v.kind == VALUE_LOW32 && i->w == A64_X && amount < 32) {
		a64_emit_bitfield(j, i, A64_UBFM, a64_home(j, v.src), amount, 31);
		return true;
	}
	if (v.kind == VALUE_SHIFT && v.width == i->w && v.shift == A64_LSL && shift != A64_LSL) {
		unsigned before = (unsigned)v.amount;
		a64_emit_bitfield(j, i, op, a64_home(j, v.src), (amount - before) & (bits - 1),
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
		return a64_normalise(w, value) >> amount;
	return w ? (u64)((s64)value >> amount) : (u32)((s32)value >> amount);
}

void a64_hold_shift(struct jit *j, const struct alu *i, enum a64_shift shift, unsigned amount)
{
	struct value v = a64_of(j)->values[i->dst];

	if (amount == 0) {
		a64_alu_unchanged(j, i);
		return;
	}
	if (v.kind == VALUE_CONST) {
		a64_alu_const(j, i, shifted_const(i->w, shift, (u64)v.amount, amount));
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

void a64_lower_shift(struct jit *j, const struct alu *i)
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
		a64_hold_shift(
			j, i, by_const[i->op >> 4], (unsigned)i->value & (a64_bits_of(i->w) - 1));
		return;
	}
	a64_read_two(j, i->w, i->dst, i->src, &rn, &rm);
	a64_emit(j, a64_dp2(i->w, by_reg[i->op >> 4], a64_write(j, i->dst), rn, rm));
}
