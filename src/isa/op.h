/* The table of all valid instructions, one struct op for each row of ops.def. */
#ifndef WEIR_ISA_OP_H
#define WEIR_ISA_OP_H

#include "isa/insn.h"

enum op_id {
#define OP(code, name, text, dst, src, off, imm) OP_##name,
#define FORM OP
#include "isa/ops.def"
#undef FORM
#undef OP
	NR_OPS
};

/* What a field must hold. ZERO and SEL also carry the value: see op_rule_value. */
enum op_rule {
	OP_ANY,
	OP_R,  /* register that is read */
	OP_W,  /* register that is written: not r10 */
	OP_RW, /* both */
	OP_ZERO,
	OP_SEL, /* one value, which selects the form of the opcode */
	OP_NONZERO,
	OP_SHIFT32,
	OP_SHIFT64,
	OP_MEM,
	OP_JUMP,
};

struct op_field {
	u8 rule; /* enum op_rule */
	s16 value; /* OP_SEL: the value; OP_ZERO: 0 */
};

struct op {
	u8 code;
	const char *name; /* as in enum op_id */
	const char *text; /* pattern; ops.def says what it may contain */
	struct op_field dst, src, off, imm;
};

/* The row whose opcode and selecting fields match; other fields may still be wrong (insn_check).
 * NULL: no such row. */
const struct op *op_of(struct insn i);
/* All rows, in the order of enum op_id. */
const struct op *op_at(enum op_id id);
enum op_id op_id_of(const struct op *op);
/* The first row with this opcode, or NULL; its further forms follow it. */
const struct op *op_first(u8 code);

#endif
