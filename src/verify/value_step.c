/* What one instruction does to known values, and the facts that follow. */
#include <string.h>

#include "helper/helper.h"
#include "verify/values.h"

static const struct word any_word = {0, UINT32_MAX};

void values_forget(const struct value_analysis *a, struct values *s)
{
	for (u32 r = 0; r < BPF_REG_FP; r++)
		s->regs[r] = scalar_unknown();
	for (u32 n = 0; n < a->nr_words; n++)
		s->words[n] = any_word;
}

static void forget_words(const struct value_analysis *a, struct values *s)
{
	for (u32 n = 0; n < a->nr_words; n++)
		s->words[n] = any_word;
}

/* The word with the 4 bytes at r10 + off, or NULL when it isn't tracked. */
static struct word *word_at(const struct value_analysis *a, struct values *s, s32 off)
{
	if (off % 4 || off >= 0 || off < -(s32)PROG_STACK_BYTES)
		return NULL;
	u8 n = a->word_of[-off / 4 - 1];
	return n == NO_WORD ? NULL : &s->words[n];
}

static struct scalar read_word(const struct value_analysis *a, struct values *s, s32 off)
{
	const struct word *w = word_at(a, s, off);

	return w ? scalar_between(w->min, w->max) : scalar_between(0, UINT32_MAX);
}

static struct scalar load_stack(const struct value_analysis *a, struct values *s, s32 off, u32 size)
{
	struct scalar low = read_word(a, s, off & ~3), shift;

	if (size == 8) {
		struct scalar high = read_word(a, s, off + 4);

		shift = scalar_const(32);
		high = scalar_alu64(BPF_LSH, false, &high, &shift);
		return scalar_alu64(BPF_OR, false, &high, &low);
	}
	shift = scalar_const((u64)(off & 3) * 8);
	low = scalar_alu64(BPF_RSH, false, &low, &shift);
	return size == 4 ? low : scalar_zext(&low, size * 8);
}

static void store_word(const struct value_analysis *a, struct values *s, s32 off, struct word value)
{
	struct word *w = word_at(a, s, off);

	if (w)
		*w = value;
}

static void store_stack(const struct value_analysis *a, struct values *s, s32 off, u32 size,
	const struct scalar *value)
{
	struct word low = {value->u32min, value->u32max}, high = any_word;

	if (size < 4) {
		store_word(a, s, off & ~3, any_word);
		return;
	}
	store_word(a, s, off, low);
	if (size == 4)
		return;
	if (value->umin >> 32 == value->umax >> 32)
		high = (struct word){(u32)(value->umin >> 32), (u32)(value->umin >> 32)};
	store_word(a, s, off + 4, high);
}

static struct scalar operand(const struct values *s, struct insn i)
{
	if (BPF_SRC(i.code) == BPF_X)
		return i.src == BPF_REG_FP ? scalar_unknown() : s->regs[i.src];
	return scalar_const((u64)(s64)i.imm);
}

static struct scalar move(struct insn i, struct scalar value, bool wide)
{
	if (i.off)
		value = scalar_sext(&value, (unsigned)i.off);
	return wide ? value : scalar_zext(&value, 32);
}

static struct scalar alu(const struct values *s, struct insn i)
{
	const struct scalar *dst = &s->regs[i.dst];
	bool wide = BPF_CLASS(i.code) == BPF_ALU64;
	u8 op = BPF_OP(i.code);

	if (op == BPF_END) {
		if (wide || BPF_SRC(i.code) == BPF_X)
			return scalar_bswap(dst, (unsigned)i.imm);
		return i.imm == 64 ? *dst : scalar_zext(dst, (unsigned)i.imm);
	}
	struct scalar src = operand(s, i);
	if (op == BPF_MOV)
		return move(i, src, wide);
	if (BPF_SRC(i.code) == BPF_X && i.src == i.dst && (op == BPF_XOR || op == BPF_SUB))
		return scalar_const(0);
	return wide ? scalar_alu64(op, i.off == 1, dst, &src)
		    : scalar_alu32(op, i.off == 1, dst, &src);
}

static bool is_division(struct insn i)
{
	u8 op = BPF_OP(i.code);

	return (op == BPF_DIV || op == BPF_MOD) && BPF_SRC(i.code) == BPF_X;
}

static void set_result(struct values *s, struct fact *f, u32 dst, struct scalar value)
{
	if (scalar_is_const(&value)) {
		f->flags |= FACT_DST_KNOWN;
		f->value = value.umin;
	}
	s->regs[dst] = value;
}

static void step_alu_value(struct values *s, struct insn i, struct fact *f)
{
	if (is_division(i)) {
		struct scalar src = operand(s, i);

		if (BPF_CLASS(i.code) == BPF_ALU64 ? src.umin > 0 : src.u32min > 0)
			f->flags |= FACT_SRC_NONZERO;
	}
	set_result(s, f, i.dst, alu(s, i));
}

/* Programs see packet pointers in narrow fields; what the runner passes are whole addresses. */
static bool loads_pointer(const struct value_analysis *a, const struct trace *t, u32 size)
{
	const char *why;

	if (t->mem != MEM_CTX)
		return false;
	const struct ctx_field *f =
		ctx_field_at(a->v->type, a->v->prog->attach_type, t->off, size, false, &why);
	return !f || f->kind != CTX_SCALAR;
}

static void step_load_value(const struct value_analysis *a, struct values *s, struct insn i, u32 pc)
{
	const struct trace *t = &a->v->traces[pc];
	u32 size = access_bytes(i.code);
	struct scalar value = scalar_unknown();

	if (t->mem == MEM_MAP_VALUE && t->value_seen && !t->value_varies)
		value = scalar_const(t->value);
	else if (t->mem == MEM_STACK && !t->off_varies)
		value = load_stack(a, s, t->off, size);
	else if (size < 8 && !loads_pointer(a, t, size))
		value = scalar_zext(&value, size * 8);
	if (BPF_MODE(i.code) == BPF_MEMSX)
		value = scalar_sext(&value, size * 8);
	set_result(s, &a->facts[pc], i.dst, value);
}

/* A store that may go to some unknown place of the stack leaves nothing known there. */
static void step_store_value(const struct value_analysis *a, struct values *s, struct insn i,
	u32 pc, const struct scalar *value)
{
	const struct trace *t = &a->v->traces[pc];

	if (t->mem != MEM_STACK && t->mem != MEM_MIXED)
		return;
	if (t->mem == MEM_STACK && !t->off_varies)
		store_stack(a, s, t->off, access_bytes(i.code), value);
	else
		forget_words(a, s);
}

static void step_atomic_value(
	const struct value_analysis *a, struct values *s, struct insn i, u32 pc)
{
	struct scalar unknown = scalar_unknown();

	step_store_value(a, s, i, pc, &unknown);
	if (!(i.imm & BPF_FETCH))
		return;
	s->regs[i.imm == BPF_CMPXCHG ? BPF_REG_0 : i.src] =
		BPF_SIZE(i.code) == BPF_W ? scalar_zext(&unknown, 32) : unknown;
}

/* Whether the helper, or a callback that it calls, may write where an argument of this kind points. */
static bool is_written(enum arg_kind kind)
{
	switch (kind) {
	case ARG_MEM_WRITE:
	case ARG_MEM_WRITE_OR_NULL:
	case ARG_MAP_VALUE_OUT:
	case ARG_LONG_OUT:
	case ARG_MEM_UPDATE:
	case ARG_INT_UPDATE:
	case ARG_CALLBACK_CTX:
	case ARG_DYNPTR:
	case ARG_DYNPTR_RINGBUF:
	case ARG_SHARED_OR_NULL:
	case ARG_DYNPTR_OUT:
	case ARG_ITER:
	case ARG_ITER_OUT:
		return true;
	case ARG_NONE:
	case ARG_ANYTHING:
	case ARG_UNCHECKED:
	case ARG_CONST_MAP:
	case ARG_MAP_KEY:
	case ARG_MAP_VALUE:
	case ARG_CTX:
	case ARG_MEM_READ:
	case ARG_MEM_READ_OR_NULL:
	case ARG_SIZE:
	case ARG_SIZE_OR_ZERO:
	case ARG_CONST_SIZE:
	case ARG_RINGBUF_MEM:
	case ARG_SPIN_LOCK:
	case ARG_CONST_STR:
	case ARG_CONST_FORMAT:
	case ARG_FUNC:
		return false;
	}
	UNREACHABLE();
}

static bool fills_memory(const struct helper *h)
{
	for (size_t n = 0; n < ARRAY_LEN(h->args); n++)
		if (is_written(h->args[n]))
			return true;
	return false;
}

/* A lookup in an array: does the key exist? */
static bool key_exists(const struct value_analysis *a, struct values *s, u32 pc)
{
	struct fact *f = &a->facts[pc];

	if (!(f->flags & FACT_MAP) || !(f->flags & FACT_KEY_OFF))
		return false;
	const struct map *map = a->v->prog->maps[f->map];
	const struct word *key = word_at(a, s, f->key_off);
	if (!(map->ops->flags & MAP_ARRAY_LIKE) || !key || key->max >= map->spec.max_entries)
		return false;
	f->flags |= FACT_KEY_IN_RANGE;
	if (key->min == key->max) {
		f->flags |= FACT_KEY;
		f->key = key->min;
	}
	return true;
}

static void step_helper_value(
	const struct value_analysis *a, struct values *s, struct insn i, u32 pc)
{
	const struct helper *h = helper_by_id((u32)i.imm);
	struct scalar result = scalar_unknown();

	if (h->ret == RET_INTEGER && h->ret_min <= h->ret_max)
		result = scalar_between_signed(h->ret_min, h->ret_max);
	else if (i.imm == HELPER_map_lookup_elem && key_exists(a, s, pc))
		result = scalar_between(1, UINT64_MAX);
	if (fills_memory(h))
		forget_words(a, s);
	for (u32 r = BPF_REG_1; r <= BPF_REG_5; r++)
		s->regs[r] = scalar_unknown();
	s->regs[BPF_REG_0] = result;
}

/* The callee may have changed the caller's stack. */
static void step_local_value(const struct value_analysis *a, struct values *s)
{
	for (u32 r = BPF_REG_0; r <= BPF_REG_5; r++)
		s->regs[r] = scalar_unknown();
	forget_words(a, s);
}

static void step_legacy_value(struct values *s)
{
	struct scalar unknown = scalar_unknown();

	for (u32 r = BPF_REG_0; r <= BPF_REG_5; r++)
		s->regs[r] = unknown;
	s->regs[BPF_REG_0] = scalar_zext(&unknown, 32);
}

void value_step(const struct value_analysis *a, struct values *s, u32 pc)
{
	const struct insn *insns = a->v->prog->insns;
	struct insn i = insns[pc];
	struct scalar imm = scalar_const((u64)(s64)i.imm);

	switch (BPF_CLASS(i.code)) {
	case BPF_ALU:
	case BPF_ALU64:
		step_alu_value(s, i, &a->facts[pc]);
		return;
	case BPF_LD:
		if (insn_is_legacy_load(i)) {
			step_legacy_value(s);
			return;
		}
		s->regs[i.dst] =
			i.src == LD_IMM64_VALUE
				? scalar_const((u64)(u32)insns[pc + 1].imm << 32 | (u32)i.imm)
				: scalar_unknown();
		return;
	case BPF_LDX:
		step_load_value(a, s, i, pc);
		return;
	case BPF_ST:
		step_store_value(a, s, i, pc, &imm);
		return;
	case BPF_STX:
		if (BPF_MODE(i.code) == BPF_ATOMIC) {
			step_atomic_value(a, s, i, pc);
		} else {
			struct scalar value =
				i.src == BPF_REG_FP ? scalar_unknown() : s->regs[i.src];

			step_store_value(a, s, i, pc, &value);
		}
		return;
	}
	if (insn_is_helper_call(i) || insn_is_kfunc_call(i))
		step_helper_value(a, s, i, pc);
	else if (insn_is_local_call(i))
		step_local_value(a, s);
}
