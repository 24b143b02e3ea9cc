#include "rewrite/regs.h"

#include "helper/helper.h"

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

static bool alu_reads_dst(struct insn i)
{
	return BPF_OP(i.code) != BPF_MOV;
}

static u16 alu_reads(struct insn i)
{
	u16 regs = alu_reads_dst(i) ? bit(i.dst) : 0;

	/* In a byte swap the bit that selects the source means the byte order. */
	if (BPF_SRC(i.code) == BPF_X && BPF_OP(i.code) != BPF_END)
		regs |= bit(i.src);
	return regs;
}

static u16 stx_reads(struct insn i)
{
	u16 regs = bit(i.dst) | bit(i.src);

	if (BPF_MODE(i.code) == BPF_ATOMIC && i.imm == BPF_CMPXCHG)
		regs |= bit(BPF_REG_0);
	return regs;
}

static u16 jump_reads(struct insn i)
{
	if (insn_is_exit(i))
		return bit(BPF_REG_0);
	if (insn_is_ja(i))
		return 0;
	if (BPF_OP(i.code) == BPF_CALL)
		return call_reads(i);
	return BPF_SRC(i.code) == BPF_X ? bit(i.dst) | bit(i.src) : bit(i.dst);
}

u16 regs_read(struct insn i)
{
	switch (BPF_CLASS(i.code)) {
	case BPF_ALU:
	case BPF_ALU64:
		return alu_reads(i);
	case BPF_LDX:
		return bit(i.src);
	case BPF_ST:
		return bit(i.dst);
	case BPF_STX:
		return stx_reads(i);
	case BPF_JMP:
	case BPF_JMP32:
		return jump_reads(i);
	default: /* BPF_LD: immediates only */
		return 0;
	}
}

u16 regs_written(struct insn i)
{
	switch (BPF_CLASS(i.code)) {
	case BPF_ALU:
	case BPF_ALU64:
	case BPF_LD:
	case BPF_LDX:
		return bit(i.dst);
	case BPF_STX:
		if (BPF_MODE(i.code) != BPF_ATOMIC || !(i.imm & BPF_FETCH))
			return 0;
		return i.imm == BPF_CMPXCHG ? bit(BPF_REG_0) : bit(i.src);
	case BPF_JMP:
		return BPF_OP(i.code) == BPF_CALL ? REGS_CALL_WRITES : 0;
	default: /* BPF_ST, BPF_JMP32 */
		return 0;
	}
}

bool regs_only_result(struct insn i)
{
	unsigned class = BPF_CLASS(i.code);

	return class == BPF_ALU || class == BPF_ALU64 || class == BPF_LD || class == BPF_LDX;
}
