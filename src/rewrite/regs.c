#include "rewrite/regs.h"

#include "helper/helper.h"

/* Calls, exits, atomic operations, loads of packets' bytes. */
#define IS_SPECIAL(code) \
	((code) == (BPF_JMP | BPF_CALL) || (code) == (BPF_JMP | BPF_EXIT) || \
		(BPF_CLASS(code) == BPF_STX && BPF_MODE(code) == BPF_ATOMIC) || \
		(BPF_CLASS(code) == BPF_LD && BPF_MODE(code) != BPF_IMM))

/* The columns of ops.def. */
#define DST_R REGS_READS_DST
#define DST_W REGS_WRITES_DST
#define DST_RW (REGS_READS_DST | REGS_WRITES_DST)
#define DST_ZERO 0
#define SRC_R REGS_READS_SRC
#define SRC_ZERO 0
#define SRC_SEL(value) 0

/* All forms of an opcode do the same, but for special ones. */
const u8 regs_uses[256] = {
#define OP(code, name, text, dst, src, off, imm) \
	[code] = DST_##dst | SRC_##src | (IS_SPECIAL(code) ? REGS_SPECIAL : 0),
#define FORM(code, name, text, dst, src, off, imm)
#include "isa/ops.def"
#undef FORM
#undef OP
};

static u16 bit(unsigned reg)
{
	return (u16)(1u << reg);
}

/* A helper reads as many of r1 to r5 as it has arguments. */
static u16 call_reads(struct insn i)
{
	const struct helper *helper = insn_is_helper_call(i) ? helper_by_id((u32)i.imm) : NULL;
	u16 regs = 0;

	if (!helper)
		return REGS_CALL_READS;
	for (unsigned k = 0; k < ARRAY_LEN(helper->args) && helper->args[k] != ARG_NONE; k++)
		regs |= bit(BPF_REG_1 + k);
	return regs;
}

u16 regs_read_special(struct insn i)
{
	switch (BPF_CLASS(i.code)) {
	case BPF_LD: /* of the packet whose context is r6 */
		return bit(BPF_REG_6) | (BPF_MODE(i.code) == BPF_IND ? bit(i.src) : 0);
	case BPF_STX:
		return bit(i.dst) | bit(i.src) | (i.imm == BPF_CMPXCHG ? bit(BPF_REG_0) : 0);
	default:
		return insn_is_exit(i) ? bit(BPF_REG_0) : call_reads(i);
	}
}

u16 regs_written_special(struct insn i)
{
	switch (BPF_CLASS(i.code)) {
	case BPF_LD:
		return REGS_CALL_WRITES;
	case BPF_STX:
		if (!(i.imm & BPF_FETCH))
			return 0;
		return i.imm == BPF_CMPXCHG ? bit(BPF_REG_0) : bit(i.src);
	default:
		return insn_is_exit(i) ? 0 : REGS_CALL_WRITES;
	}
}

bool regs_only_result(struct insn i)
{
	unsigned class = BPF_CLASS(i.code);

	return class == BPF_ALU || class == BPF_ALU64 || class == BPF_LD || class == BPF_LDX;
}
