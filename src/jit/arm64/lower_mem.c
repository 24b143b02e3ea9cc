/* Loads, stores, and the addresses they and the atomics use. */
#include "jit/arm64/lower.h"

#include <errno.h>

enum a64_size a64_size_of(struct insn i)
{
	switch (BPF_SIZE(i.code)) {
	case BPF_B:
		return A64_8;
	case BPF_H:
		return A64_16;
	case BPF_W:
		return A64_32;
	default:
		return A64_64;
	}
}

static bool is_direct(enum a64_size size, s64 off)
{
	return a64_is_ldst_scaled(size, off) || a64_fits_signed(off, 9);
}

static struct a64_place place_at(unsigned base, s64 off)
{
	return (struct a64_place){.base = (u8)base, .off = off};
}

/* base + a far offset: its multiple of 4096 goes to the home of reg, the rest into the access. */
static struct a64_place place_percpu(struct jit *j, enum a64_size size, u8 reg, s32 off)
{
	struct a64 *a = a64_of(j);
	s64 amount = a->values[reg].amount, low = amount & 4095;

	if (is_direct(size, amount + off))
		return place_at(a->base, amount + off);
	if (amount < 0 || amount >= 1 << 24 || !is_direct(size, low + off))
		return place_at(a64_read_home(j, reg), off);
	a64_emit(j, a64_addsub_imm(A64_X, A64_ADD, a->home[reg], a->base, (u32)(amount - low)));
	a->values[reg] = (struct value){.kind = low ? VALUE_ADD : VALUE_HOME, .src = reg, .amount = low};
	return place_at(a->home[reg], low + off);
}

struct a64_place a64_place(struct jit *j, enum a64_size size, u8 reg, s32 off)
{
	struct a64 *a = a64_of(j);
	struct value v = a->values[reg];

	if (v.kind == VALUE_FRAME)
		return place_at(A64_SP, v.amount + (s64)a->frame_bytes + off);
	if (v.kind == VALUE_PERCPU)
		return place_percpu(j, size, reg, off);
	if (v.kind == VALUE_PERCPU_ADD && off == 0)
		return (struct a64_place){.base = a->base, .index = a->home[reg], .indexed = true};
	if (v.kind == VALUE_ADD && is_direct(size, v.amount + off))
		return place_at(a->home[v.src], v.amount + off);
	return place_at(a64_read_home(j, reg), off);
}

unsigned a64_place_reg(struct jit *j, struct a64_place p)
{
	if (!p.indexed && p.off == 0)
		return p.base;
	if (p.indexed)
		a64_emit(j, a64_addsub_reg(A64_X, A64_ADD, A64_TMP, p.base, p.index, A64_LSL, 0));
	else
		a64_add_const(j, A64_TMP, p.base, p.off);
	return A64_TMP;
}

static void emit_access(struct jit *j, enum a64_size size, enum a64_ldst op, unsigned rt, struct a64_place p)
{
	if (p.indexed) {
		a64_emit(j, a64_ldst_reg(size, op, rt, p.base, p.index, A64_UXTX, false));
	} else if (a64_is_ldst_scaled(size, p.off)) {
		a64_emit(j, a64_ldst_scaled(size, op, rt, p.base, (u32)p.off));
	} else if (a64_fits_signed(p.off, 9)) {
		a64_emit(j, a64_ldst_unscaled(size, op, rt, p.base, (s32)p.off));
	} else {
		a64_const(j, A64_X, A64_TMP, (u64)p.off);
		a64_emit(j, a64_ldst_reg(size, op, rt, p.base, A64_TMP, A64_UXTX, false));
	}
}

void a64_lower_ldx(struct jit *j, struct insn i)
{
	enum a64_size size = a64_size_of(i);
	enum a64_ldst op = BPF_MODE(i.code) == BPF_MEMSX ? A64_LDRS_X : A64_LDR;
	struct a64_place p = a64_place(j, size, i.src, i.off);

	emit_access(j, size, op, a64_write(j, i.dst), p);
}

/* The low `size` bytes of a constant, as stores see them. */
static u64 stored_part(enum a64_size size, u64 value)
{
	return size == A64_64 ? value : value & (((u64)1 << (8u << size)) - 1);
}

static void store_const(struct jit *j, struct insn i, u64 value)
{
	enum a64_size size = a64_size_of(i);
	struct a64_place p = a64_place(j, size, i.dst, i.off);
	unsigned rt = A64_ZR;

	value = stored_part(size, value);
	if (value) {
		rt = A64_TMP2;
		a64_const(j, A64_X, rt, value);
	}
	emit_access(j, size, A64_STR, rt, p);
}

void a64_lower_st(struct jit *j, struct insn i)
{
	store_const(j, i, (u64)(s64)i.imm);
}

void a64_lower_stx(struct jit *j, struct insn i)
{
	enum a64_size size = a64_size_of(i);
	u64 value;

	if (BPF_MODE(i.code) == BPF_ATOMIC) {
		a64_lower_atomic(j, i);
		return;
	}
	if (a64_const_of(j, i.src, &value) && (stored_part(size, value) == 0 || a64_dead(j, i.src))) {
		store_const(j, i, value);
		return;
	}
	a64_settle(j, i.src);
	struct a64_place p = a64_place(j, size, i.dst, i.off);
	emit_access(j, size, A64_STR, a64_read(j, size == A64_64 ? A64_X : A64_W, i.src, A64_TMP2), p);
}

void a64_lower_ld(struct jit *j, struct insn i)
{
	if (!insn_is_ld_imm64(i)) {
		jit_fail(j, j->pc, ENOTSUP, "the legacy packet loads are not supported");
		return;
	}
	u64 value = (u32)i.imm | (u64)(u32)jit_insn(j, j->pc + 1)->imm << 32;
	a64_set(j, i.dst, (struct value){.kind = VALUE_CONST, .amount = (s64)value});
}
