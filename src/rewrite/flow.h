/* Where instructions lead to. */
#ifndef WEIR_REWRITE_FLOW_H
#define WEIR_REWRITE_FLOW_H

#include "isa/prog.h"

#define FLOW_NO_TARGET UINT32_MAX

/* The instruction that the jump, local call or subprogram address at pc names, or FLOW_NO_TARGET
 * for all others. */
static inline u32 flow_target(struct insn i, u32 pc)
{
	if (insn_is_cond_jump(i) || insn_is_ja(i))
		return (u32)((s64)pc + 1 + insn_jump_off(i));
	if (insn_is_local_call(i) || (insn_is_ld_imm64(i) && i.src == LD_IMM64_FUNC))
		return (u32)((s64)pc + 1 + i.imm);
	return FLOW_NO_TARGET;
}

/* Instructions that the one at pc takes: 2 for a 64-bit immediate load. */
static inline u32 flow_width(struct insn i)
{
	return insn_is_ld_imm64(i) ? 2 : 1;
}

/* Bytes that a load, store or atomic accesses. */
static inline u32 flow_access_bytes(struct insn i)
{
	static const u8 bytes[] = {
		[BPF_W >> 3] = 4, [BPF_H >> 3] = 2, [BPF_B >> 3] = 1, [BPF_DW >> 3] = 8};

	return bytes[BPF_SIZE(i.code) >> 3];
}

/* One bit per instruction: some jump, call or address names it. NULL: out of memory; mem_free it.
 */
u64 *flow_targets(const struct prog *p);

static inline bool flow_bit(const u64 *bits, u32 pc)
{
	return bits[pc / 64] >> pc % 64 & 1;
}

static inline void flow_set(u64 *bits, u32 pc)
{
	bits[pc / 64] |= (u64)1 << pc % 64;
}

/* One bit per instruction: it is the second half of a 64-bit immediate load. Likewise. */
u64 *flow_second_halves(const struct prog *p);
/* Room for a bit per instruction and one behind the last, all zero. NULL: out of memory. */
u64 *flow_bits(const struct prog *p);

#endif
