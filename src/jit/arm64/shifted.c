/* Operands that are held-back shifts: the operation takes them along, or two of them are one rotate or extract. */
#include "jit/arm64/alu.h"

static bool may_take(const struct alu *i, struct value v)
{
	bool rotates =
		v.shift == A64_ROR && i->op != BPF_AND && i->op != BPF_OR && i->op != BPF_XOR;

	return v.kind == VALUE_SHIFT && v.width == i->w && !rotates;
}

/* A source that a shift was held back in, and which nobody needs later, rides along as a shifted register: *rn gets dst,
 * *v the source's shift. */
bool a64_takes_shift(struct jit *j, const struct alu *i, unsigned *rn, struct value *v)
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

bool a64_takes_any_shift(struct jit *j, const struct alu *i, unsigned *rn, struct value *v)
{
	return a64_takes_shift(j, i, rn, v) || (commutes(i->op) && takes_shift_of_dst(j, i, rn, v));
}

/* x << a | y >> (bits - a) and its like: both operands are held-back shifts that fill each other's gap. With x for y it is a
 * rotation, which a logic operation can take along. */
bool a64_lower_extract(struct jit *j, const struct alu *i)
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
	if (high.width != i->w || low.width != i->w ||
		high.amount + low.amount != a64_bits_of(i->w))
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
