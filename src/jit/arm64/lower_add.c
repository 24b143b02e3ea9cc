/* Sums and differences. With a constant they are held back, and so are sums of two registers, since they may be addresses. */
#include "jit/arm64/alu.h"

static void emit_addsub(struct jit *j, const struct alu *i, enum a64_addsub op, unsigned rd,
	unsigned rn, unsigned rm)
{
	a64_emit(j, a64_addsub_reg(i->w, op, rd, rn, rm, A64_LSL, 0));
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

void a64_lower_add(struct jit *j, const struct alu *i)
{
	struct value v;
	unsigned rn, rm;

	if (i->is_const) {
		if (i->w == A64_X)
			add_const64(j, i, i->value);
		else
			add_const32(j, i, (u32)i->value);
	} else if (a64_lower_extract(j, i)) {
		return;
	} else if (hold_sum(j, i)) {
		return;
	} else if (a64_takes_any_shift(j, i, &rn, &v)) {
		rm = a64_home(j, v.src);
		a64_emit(j, a64_addsub_reg(i->w, A64_ADD, a64_write(j, i->dst), rn, rm, v.shift,
				    (unsigned)v.amount));
	} else if (!lower_indexed_load(j, i)) {
		a64_read_two(j, i->w, i->dst, i->src, &rn, &rm);
		emit_addsub(j, i, A64_ADD, a64_write(j, i->dst), rn, rm);
	}
}

void a64_lower_sub(struct jit *j, const struct alu *i)
{
	struct value v;
	unsigned rn, rm;

	if (i->is_const && i->w == A64_X) {
		add_const64(j, i, 0 - i->value);
	} else if (i->is_const) {
		add_const32(j, i, (u32) - (u32)i->value);
	} else if (a64_takes_shift(j, i, &rn, &v)) {
		rm = a64_home(j, v.src);
		a64_emit(j, a64_addsub_reg(i->w, A64_SUB, a64_write(j, i->dst), rn, rm, v.shift,
				    (unsigned)v.amount));
	} else {
		a64_read_two(j, i->w, i->dst, i->src, &rn, &rm);
		emit_addsub(j, i, A64_SUB, a64_write(j, i->dst), rn, rm);
	}
}

void a64_lower_neg(struct jit *j, const struct alu *i)
{
	unsigned rn = a64_read(j, i->w, i->dst, A64_TMP);

	emit_addsub(j, i, A64_SUB, a64_write(j, i->dst), A64_ZR, rn);
}
