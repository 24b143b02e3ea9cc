/* Registers whose upper half is zero: a move of the lower half is then one of the whole. Behind an instruction, and all
 * over a subprogram, whichever way it goes: most registers of 32-bit code never hold more. */
#include "jit/clean.h"

#define ARG_REGS 0x3eu /* r1 ... r5 */

static bool moves_whole(struct insn i)
{
	return i.code == (BPF_ALU64 | BPF_MOV | BPF_X) && i.off == 0;
}

static bool alu64_is_clean(struct insn i, u16 clean)
{
	bool by_const = BPF_SRC(i.code) == BPF_K;

	switch (BPF_OP(i.code)) {
	case BPF_MOV:
		return by_const ? i.imm >= 0 : i.off == 0 && clean >> i.src & 1;
	case BPF_AND:
		return by_const && i.imm >= 0;
	case BPF_RSH:
		return by_const && i.imm >= 32;
	case BPF_END:
		return i.imm != 64;
	default:
		return false;
	}
}

/* Of arithmetic in 64 bits, a few may. */
#define ALU64_RESULT(op) \
	((op) == BPF_MOV || (op) == BPF_AND || (op) == BPF_RSH || (op) == BPF_END ? CLEAN_ASKS \
										  : CLEAN_NEVER)
#define LOAD_RESULT(code) \
	(BPF_MODE(code) == BPF_MEM && BPF_SIZE(code) != BPF_DW ? CLEAN_ALWAYS : CLEAN_NEVER)
#define RESULT(code) \
	(BPF_CLASS(code) == BPF_ALU64 ? ALU64_RESULT(BPF_OP(code)) \
		: BPF_CLASS(code) == BPF_ALU \
			? (BPF_OP(code) == BPF_END ? CLEAN_ASKS : CLEAN_ALWAYS) \
		: BPF_CLASS(code) == BPF_LDX ? LOAD_RESULT(code) \
		: BPF_CLASS(code) == BPF_LD  ? CLEAN_ASKS \
					     : CLEAN_NEVER)

const u8 jit_clean_results[256] = {
#define OP(code, name, text, dst, src, off, imm) [code] = RESULT(code),
#define FORM(code, name, text, dst, src, off, imm)
#include "isa/ops.def"
#undef FORM
#undef OP
};

bool jit_asks_clean(const struct jit *j, u32 pc, u16 clean)
{
	struct insn i = *jit_insn(j, pc);

	switch (BPF_CLASS(i.code)) {
	case BPF_ALU:
		return i.imm != 64;
	case BPF_ALU64:
		return alu64_is_clean(i, clean);
	default: /* a 64-bit immediate */
		return jit_insn(j, pc + 1)->imm == 0;
	}
}

void jit_clean_note_write(struct jit_clean *c, const struct jit *j, u32 pc, u16 writes)
{
	struct insn i = *jit_insn(j, pc);

	if (moves_whole(i))
		c->moved[i.dst] |= (u16)(1u << i.src);
	else if (!jit_result_is_clean(j, pc, 0))
		c->dirty |= writes;
}

u16 jit_clean_always(struct jit_clean *c)
{
	u16 before;

	c->dirty |= ARG_REGS | 1u << BPF_REG_10;
	do {
		before = c->dirty;
		for (unsigned reg = 0; reg < JIT_NR_REGS; reg++)
			if (c->moved[reg] & c->dirty)
				c->dirty |= (u16)(1u << reg);
	} while (c->dirty != before);
	return (u16)~c->dirty;
}
