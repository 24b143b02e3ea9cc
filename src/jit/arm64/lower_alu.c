/* Arithmetic: what its operations have in common, copies, byte order; which function takes which operation. */
#include "jit/arm64/alu.h"

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
void a64_alu_unchanged(struct jit *j, const struct alu *i)
{
	if (i->w == A64_W)
		set_low32(j, i->dst, i->dst);
}

void a64_alu_const(struct jit *j, const struct alu *i, u64 value)
{
	a64_set(j, i->dst,
		(struct value){.kind = VALUE_CONST, .amount = (s64)a64_normalise(i->w, value)});
}

static void lower_mov_sign_extended(struct jit *j, const struct alu *i)
{
	unsigned rn = a64_read(j, i->w, i->src, A64_TMP);

	a64_emit_bitfield(j, i, A64_SBFM, rn, 0, (unsigned)i->off - 1);
}

/* A copy, of 32 bits, of what dst holds itself. */
static bool is_same_already(const struct jit *j, const struct alu *i)
{
	struct value dst = a64_of(j)->values[i->dst], src = a64_of(j)->values[i->src];

	if (!(jit_fact(j, j->pc)->flags & FACT_DST_UPPER_ZERO))
		return false;
	return i->src == i->dst ||
	       (dst.kind == VALUE_HOME && src.src == i->dst &&
		       (src.kind == VALUE_LOW32 || (src.kind == VALUE_ADD && src.amount == 0)));
}

static void lower_mov(struct jit *j, const struct alu *i)
{
	if (i->is_const && i->off == 0) {
		a64_alu_const(j, i, i->value);
	} else if (i->off) {
		lower_mov_sign_extended(j, i);
	} else if (i->w == A64_X || a64_of(j)->copied.whole[j->pc]) {
		a64_set(j, i->dst, a64_take(j, i->src));
	} else if (!is_same_already(j, i)) {
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
	a64_alu_const(j, i, value);
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
	i->value = a64_normalise(i->w, value);
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
	a.value = a64_normalise(a.w, a.value);
	return a;
}

static void (*const lower_op[16])(struct jit *j, const struct alu *i) = {
	[BPF_ADD >> 4] = a64_lower_add,
	[BPF_SUB >> 4] = a64_lower_sub,
	[BPF_MUL >> 4] = a64_lower_mul,
	[BPF_DIV >> 4] = a64_lower_divide,
	[BPF_OR >> 4] = a64_lower_logic,
	[BPF_AND >> 4] = a64_lower_logic,
	[BPF_LSH >> 4] = a64_lower_shift,
	[BPF_RSH >> 4] = a64_lower_shift,
	[BPF_NEG >> 4] = a64_lower_neg,
	[BPF_MOD >> 4] = a64_lower_divide,
	[BPF_XOR >> 4] = a64_lower_logic,
	[BPF_MOV >> 4] = lower_mov,
	[BPF_ARSH >> 4] = a64_lower_shift,
};

void a64_lower_alu(struct jit *j, struct insn insn)
{
	struct alu i = resolve(j, insn);

	if (a64_lower_early(j, insn))
		return;
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
