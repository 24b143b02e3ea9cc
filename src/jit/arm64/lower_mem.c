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
	a64_hold(a, reg,
		(struct value){.kind = low ? VALUE_ADD : VALUE_HOME, .src = reg, .amount = low});
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
	if (v.kind == VALUE_SUM && off == 0 && (v.amount == 0 || v.amount == size))
		return (struct a64_place){.base = a->home[v.src],
			.index = a->home[v.index],
			.indexed = true,
			.scaled = v.amount != 0};
	if (v.kind == VALUE_ADD && is_direct(size, v.amount + off))
		return place_at(a->home[v.src], v.amount + off);
	return place_at(a64_read_home(j, reg), off);
}

unsigned a64_place_reg(struct jit *j, enum a64_size size, struct a64_place p)
{
	if (!p.indexed && p.off == 0)
		return p.base;
	if (p.indexed)
		a64_emit(j, a64_addsub_reg(A64_X, A64_ADD, A64_TMP, p.base, p.index, A64_LSL,
				    p.scaled ? size : 0));
	else
		a64_add_const(j, A64_TMP, p.base, p.off);
	return A64_TMP;
}

static void emit_access(
	struct jit *j, enum a64_size size, enum a64_ldst op, unsigned rt, struct a64_place p)
{
	if (p.indexed) {
		a64_emit(j, a64_ldst_reg(size, op, rt, p.base, p.index, A64_UXTX, p.scaled));
	} else if (a64_is_ldst_scaled(size, p.off)) {
		a64_emit(j, a64_ldst_scaled(size, op, rt, p.base, (u32)p.off));
	} else if (a64_fits_signed(p.off, 9)) {
		a64_emit(j, a64_ldst_unscaled(size, op, rt, p.base, (s32)p.off));
	} else {
		unsigned off = a64_const_reg(j, A64_X, (u64)p.off, A64_TMP);

		a64_emit(j, a64_ldst_reg(size, op, rt, p.base, off, A64_UXTX, false));
	}
}

/* The access of the instruction at j->pc, whose base is `base`, perhaps with a step of it. */
static void emit_step_access(struct jit *j, enum a64_size size, enum a64_ldst op, unsigned rt,
	struct a64_place p, u8 base, s32 off)
{
	enum a64_index index;
	s32 by;

	if (a64_access_step(j, base, off, rt, p, &index, &by))
		a64_emit(j, a64_ldst_indexed(size, op, index, rt, p.base, by));
	else
		emit_access(j, size, op, rt, p);
}

/* The next instruction, when it can be taken in and has this code. */
static const struct insn *next_if(const struct jit *j, u8 code)
{
	u32 next = a64_of(j)->next;

	return a64_fusible(j, next) && jit_insn(j, next)->code == code ? jit_insn(j, next) : NULL;
}

static bool swaps_16(const struct insn *i)
{
	return i && i->imm == 16 &&
	       (i->code == (BPF_ALU | BPF_END | BPF_X) || i->code == (BPF_ALU64 | BPF_END | BPF_K));
}

/* 16 bits in network order: what was loaded has no upper bits, so reversing them is enough. */
static bool lower_load_swapped(struct jit *j, struct insn i)
{
	const struct insn *swap = next_if(j, BPF_ALU | BPF_END | BPF_X);

	if (!swap)
		swap = next_if(j, BPF_ALU64 | BPF_END | BPF_K);
	if (i.code != (BPF_LDX | BPF_MEM | BPF_H) || !swaps_16(swap) || swap->dst != i.dst)
		return false;
	struct a64_place p = a64_place(j, A64_16, i.src, i.off);
	a64_take_next(j);
	unsigned rd = a64_write(j, i.dst);
	emit_step_access(j, A64_16, A64_LDR, rd, p, i.src, i.off);
	a64_emit(j, a64_dp1(A64_W, A64_REV16, rd, rd));
	return true;
}

void a64_lower_ldx(struct jit *j, struct insn i)
{
	enum a64_size size = a64_size_of(i);
	enum a64_ldst op = BPF_MODE(i.code) == BPF_MEMSX ? A64_LDRS_X : A64_LDR;

	if (a64_lower_early(j, i) || a64_lower_load_pair(j, i) || lower_load_swapped(j, i))
		return;
	struct a64_place p = a64_place(j, size, i.src, i.off);
	emit_step_access(j, size, op, a64_write(j, i.dst), p, i.src, i.off);
}

/* The low `size` bytes of a constant, as stores see them. */
static u64 stored_part(enum a64_size size, u64 value)
{
	return size == A64_64 ? value : value & (((u64)1 << (8u << size)) - 1);
}

/* A stored operand: a register, or zero without one. */
struct stored {
	bool is_const;
	u64 value; /* as much as is stored of it */
	u8 src;
};

static struct stored stored_of(const struct jit *j, struct insn i)
{
	enum a64_size size = a64_size_of(i);
	struct stored s = {.is_const = true, .value = (u64)(s64)i.imm, .src = i.src};

	if (BPF_CLASS(i.code) == BPF_STX)
		s.is_const = a64_const_of(j, i.src, &s.value) &&
			     (stored_part(size, s.value) == 0 || a64_dead(j, i.src));
	s.value = stored_part(size, s.value);
	return s;
}

static void settle_stored(struct jit *j, struct stored s)
{
	if (!s.is_const)
		a64_settle(j, s.src);
}

static unsigned read_stored(struct jit *j, enum a64_size size, struct stored s, unsigned scratch)
{
	if (!s.is_const)
		return a64_read(j, size == A64_64 ? A64_X : A64_W, s.src, scratch);
	if (s.value == 0)
		return A64_ZR;
	return a64_const_reg(j, A64_X, s.value, scratch);
}

/* Two stores beside each other as STP. */
static bool lower_store_pair(struct jit *j, struct insn i)
{
	enum a64_size size = a64_size_of(i);
	enum a64_width w = size == A64_64 ? A64_X : A64_W;
	const struct insn *next = next_if(j, BPF_ST | BPF_MEM | BPF_SIZE(i.code));

	if (!next)
		next = next_if(j, BPF_STX | BPF_MEM | BPF_SIZE(i.code));
	if (!next || next->dst != i.dst || !a64_are_beside(size, i.off, next->off))
		return false;
	struct insn second = *next;
	struct value v = a64_of(j)->values[i.dst];
	s64 off = (v.kind == VALUE_FRAME ? v.amount + (s64)a64_of(j)->frame_bytes : 0) +
		  (i.off < second.off ? i.off : second.off);
	if ((v.kind != VALUE_HOME && v.kind != VALUE_FRAME) || !a64_is_pair_off(w, off))
		return false;
	a64_take_next(j);
	struct stored a = stored_of(j, i), b = stored_of(j, second);
	settle_stored(j, a);
	settle_stored(j, b);
	struct a64_place p = a64_place(j, size, i.dst, i.off < second.off ? i.off : second.off);
	unsigned ma = read_stored(j, size, a, A64_TMP2), mb = read_stored(j, size, b, A64_TMP4);
	a64_emit(j, a64_pair(w, A64_STP, A64_OFFSET, i.off < second.off ? ma : mb,
			    i.off < second.off ? mb : ma, p.base, (s32)p.off));
	return true;
}

/* A load of what was just stored, or of its low part, takes the register instead. Programs do that to make the verifier
 * forget what it knows of a value. */
static void lower_reload(struct jit *j, struct insn store, unsigned rt)
{
	u32 next = a64_of(j)->next;

	if (BPF_CLASS(store.code) != BPF_STX || store.src == BPF_REG_FP || !a64_fusible(j, next))
		return;
	struct insn load = *jit_insn(j, next);
	enum a64_size size = a64_size_of(load);
	if (BPF_CLASS(load.code) != BPF_LDX || BPF_MODE(load.code) != BPF_MEM ||
		load.src != store.dst || load.off != store.off || size > a64_size_of(store))
		return;
	a64_take_next(j);
	unsigned rd = a64_write(j, load.dst);
	if (size == A64_64)
		a64_move(j, rd, rt);
	else
		a64_emit(j, a64_bitfield(A64_X, A64_UBFM, rd, rt, 0, (8u << size) - 1));
}

void a64_lower_st(struct jit *j, struct insn i)
{
	enum a64_size size = a64_size_of(i);

	if (lower_store_pair(j, i))
		return;
	struct stored s = stored_of(j, i);
	settle_stored(j, s);
	struct a64_place p = a64_place(j, size, i.dst, i.off);
	unsigned rt = read_stored(j, size, s, A64_TMP2);
	emit_step_access(j, size, A64_STR, rt, p, i.dst, i.off);
	lower_reload(j, i, rt);
}

void a64_lower_stx(struct jit *j, struct insn i)
{
	if (BPF_MODE(i.code) == BPF_ATOMIC)
		a64_lower_atomic(j, i);
	else
		a64_lower_st(j, i);
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
