/* What the files for arithmetic share. */
#ifndef WEIR_JIT_ARM64_ALU_H
#define WEIR_JIT_ARM64_ALU_H

#include "jit/arm64/lower.h"

/* One instruction with its source resolved: a constant (also one that a register is known to hold) or a register. */
struct alu {
	u8 op, dst, src;
	enum a64_width w;
	bool is_const;
	u64 value; /* normalised to the width */
	s16 off;
};

static inline unsigned a64_bits_of(enum a64_width w)
{
	return w ? 64 : 32;
}

static inline u64 a64_normalise(enum a64_width w, u64 value)
{
	return w ? value : (u32)value;
}

static inline bool a64_is_power_of_two(u64 value)
{
	return value && !(value & (value - 1));
}

/* lower_alu.c: the result is dst as it is, with A64_W only its low half; or a constant. */
void a64_alu_unchanged(struct jit *j, const struct alu *i);
void a64_alu_const(struct jit *j, const struct alu *i, u64 value);

/* shifted.c: *rn gets the operand that isn't shifted, *v the other's shift. */
bool a64_takes_shift(struct jit *j, const struct alu *i, unsigned *rn, struct value *v);
/* Likewise; dst may be the shifted one where the operation doesn't care. */
bool a64_takes_any_shift(struct jit *j, const struct alu *i, unsigned *rn, struct value *v);
bool a64_lower_extract(struct jit *j, const struct alu *i);

void a64_lower_add(struct jit *j, const struct alu *i);
void a64_lower_sub(struct jit *j, const struct alu *i);
void a64_lower_neg(struct jit *j, const struct alu *i);
void a64_lower_logic(struct jit *j, const struct alu *i);
void a64_lower_logic_const(struct jit *j, const struct alu *i);
void a64_lower_mul(struct jit *j, const struct alu *i);
void a64_lower_divide(struct jit *j, const struct alu *i);
void a64_lower_shift(struct jit *j, const struct alu *i);
/* dst shifted, held back. */
void a64_hold_shift(struct jit *j, const struct alu *i, enum a64_shift shift, unsigned amount);
void a64_emit_bitfield(struct jit *j, const struct alu *i, enum a64_bitfield op, unsigned rn, unsigned immr, unsigned imms);

#endif
