#include "isa/op.h"

/* clang-format off */
#define R {OP_R, 0}
#define W {OP_W, 0}
#define RW {OP_RW, 0}
#define ZERO {OP_ZERO, 0}
#define SEL(n) {OP_SEL, n}
#define ANY {OP_ANY, 0}
#define NONZERO {OP_NONZERO, 0}
#define SHIFT32 {OP_SHIFT32, 0}
#define SHIFT64 {OP_SHIFT64, 0}
#define MEM {OP_MEM, 0}
#define JUMP {OP_JUMP, 0}
#define OP(code, name, text, dst, src, off, imm) {code, #name, text, dst, src, off, imm},
#define FORM OP
/* clang-format on */
static const struct op ops[] = {
#include "isa/ops.def"
};
#undef FORM
#undef OP

/* One more than the index of the opcode's first row; 0 = no row. */
static const u8 first_row[256] = {
#define OP(code, name, text, dst, src, off, imm) [code] = OP_##name + 1,
#define FORM(code, name, text, dst, src, off, imm)
#include "isa/ops.def"
#undef FORM
#undef OP
};

_Static_assert(NR_OPS < 255, "first_row holds bytes");

const struct op *op_at(enum op_id id)
{
	assert(id < NR_OPS);
	return &ops[id];
}

enum op_id op_id_of(const struct op *op)
{
	return (enum op_id)(op - ops);
}

const struct op *op_first(u8 code)
{
	return first_row[code] ? &ops[first_row[code] - 1] : NULL;
}

static bool selects(struct op_field f, s32 value)
{
	return f.rule != OP_SEL || f.value == value;
}

const struct op *op_of(struct insn i)
{
	if (!first_row[i.code])
		return NULL;
	for (const struct op *op = op_first(i.code); op < ops + NR_OPS && op->code == i.code; op++)
		if (selects(op->src, i.src) && selects(op->off, i.off) && selects(op->imm, i.imm))
			return op;
	return NULL;
}
