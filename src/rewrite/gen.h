/* Instructions for passes to put in. */
#ifndef WEIR_REWRITE_GEN_H
#define WEIR_REWRITE_GEN_H

#include "isa/insn.h"

static inline struct insn gen_mov_imm(u8 dst, s32 imm)
{
	return (struct insn){.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst = dst & 0xfu, .imm = imm};
}

/* op: BPF_ADD ... BPF_ARSH, 64 bit */
static inline struct insn gen_alu_imm(u8 op, u8 dst, s32 imm)
{
	return (struct insn){.code = (u8)(BPF_ALU64 | op | BPF_K), .dst = dst & 0xfu, .imm = imm};
}

static inline struct insn gen_alu_reg(u8 op, u8 dst, u8 src)
{
	return (struct insn){
		.code = (u8)(BPF_ALU64 | op | BPF_X), .dst = dst & 0xfu, .src = src & 0xfu};
}

/* dst = this CPU's address of src */
static inline struct insn gen_percpu_mov(u8 dst, u8 src)
{
	return (struct insn){.code = BPF_ALU64 | BPF_MOV | BPF_X,
		.dst = dst & 0xfu,
		.src = src & 0xfu,
		.off = BPF_PERCPU_MOV_OFF};
}

/* size: BPF_B ... BPF_DW */
static inline struct insn gen_load(u8 size, u8 dst, u8 src, s16 off)
{
	return (struct insn){.code = (u8)(BPF_LDX | BPF_MEM | size),
		.dst = dst & 0xfu,
		.src = src & 0xfu,
		.off = off};
}

static inline struct insn gen_ja(s16 off)
{
	return (struct insn){.code = BPF_JMP | BPF_JA, .off = off};
}

/* 32-bit compare */
static inline struct insn gen_jmp32_imm(u8 op, u8 dst, s32 imm, s16 off)
{
	return (struct insn){
		.code = (u8)(BPF_JMP32 | op | BPF_K), .dst = dst & 0xfu, .imm = imm, .off = off};
}

/* The two halves of a 64-bit load. kind: enum ld_imm64_kind */
static inline void gen_ld_imm64(struct insn out[static 2], u8 dst, u8 kind, u32 low, u32 high)
{
	out[0] = (struct insn){.code = BPF_LD | BPF_IMM | BPF_DW,
		.dst = dst & 0xfu,
		.src = kind & 0xfu,
		.imm = (s32)low};
	out[1] = (struct insn){.imm = (s32)high};
}

#endif
