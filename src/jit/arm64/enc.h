/* arm64 instruction words, one function for each class of the Arm ARM (chapter C4.1), named in its comment. Pure functions;
 * which form fits an operand is decided by the caller, ranges are asserted here. */
#ifndef WEIR_JIT_ARM64_ENC_H
#define WEIR_JIT_ARM64_ENC_H

#include "base/types.h"

enum { A64_SP = 31, A64_ZR = 31, A64_LR = 30, A64_FP = 29 };

enum a64_width { A64_W = 0, A64_X = 1 };

enum a64_cond {
	A64_EQ, A64_NE, A64_CS, A64_CC, A64_MI, A64_PL, A64_VS, A64_VC,
	A64_HI, A64_LS, A64_GE, A64_LT, A64_GT, A64_LE, A64_AL,
};

enum a64_shift { A64_LSL, A64_LSR, A64_ASR, A64_ROR };

static inline enum a64_cond a64_cond_not(enum a64_cond c)
{
	return c ^ 1;
}

static inline bool a64_fits_signed(s64 value, unsigned bits)
{
	return value >= -((s64)1 << (bits - 1)) && value < (s64)1 << (bits - 1);
}

/* A register number at bit `at`. */
static inline u32 a64_reg(unsigned reg, unsigned at)
{
	assert(reg < 32);
	return (u32)reg << at;
}

/* A signed field of `bits` bits at bit `at`. */
static inline u32 a64_signed(s64 value, unsigned bits, unsigned at)
{
	assert(a64_fits_signed(value, bits));
	return ((u32)value & (((u32)1 << bits) - 1)) << at;
}

/* A distance in bytes between instructions, as a signed number of words. */
static inline u32 a64_branch_off(s64 delta, unsigned bits, unsigned at)
{
	assert(delta % 4 == 0);
	return a64_signed(delta / 4, bits, at);
}

enum a64_addsub { A64_ADD, A64_ADDS, A64_SUB, A64_SUBS };

/* Add/subtract (immediate): imm is 0 ... 4095, or a multiple of 4096 below 1 << 24. */
static inline bool a64_is_addsub_imm(u64 imm)
{
	return imm < 4096 || (imm % 4096 == 0 && imm < 1u << 24);
}

static inline u32 a64_addsub_imm(enum a64_width w, enum a64_addsub op, unsigned rd, unsigned rn, u32 imm)
{
	u32 shift = imm >= 4096;

	assert(a64_is_addsub_imm(imm));
	return (u32)w << 31 | (u32)op << 29 | 0x11000000u | shift << 22 | (shift ? imm >> 12 : imm) << 10 |
		a64_reg(rn, 5) | a64_reg(rd, 0);
}

/* Add/subtract (shifted register). */
static inline u32 a64_addsub_reg(enum a64_width w, enum a64_addsub op, unsigned rd, unsigned rn, unsigned rm,
	enum a64_shift shift, unsigned amount)
{
	assert(shift != A64_ROR && amount < (w ? 64u : 32u));
	return (u32)w << 31 | (u32)op << 29 | 0x0b000000u | (u32)shift << 22 | a64_reg(rm, 16) | amount << 10 |
		a64_reg(rn, 5) | a64_reg(rd, 0);
}

enum a64_extend { A64_UXTB, A64_UXTH, A64_UXTW, A64_UXTX, A64_SXTB, A64_SXTH, A64_SXTW, A64_SXTX };

/* Add/subtract (extended register): rd and rn may be sp. */
static inline u32 a64_addsub_ext(enum a64_width w, enum a64_addsub op, unsigned rd, unsigned rn, unsigned rm,
	enum a64_extend extend, unsigned amount)
{
	assert(amount <= 4);
	return (u32)w << 31 | (u32)op << 29 | 0x0b200000u | a64_reg(rm, 16) | (u32)extend << 13 | amount << 10 |
		a64_reg(rn, 5) | a64_reg(rd, 0);
}

enum a64_logic { /* opc in bits 2:1, N (invert rm; not for immediates) in bit 0 */
	A64_AND, A64_BIC, A64_ORR, A64_ORN, A64_EOR, A64_EON, A64_ANDS, A64_BICS,
};

/* Logical (immediate): `bitmask` from a64_bitmask. rd may be sp but for ANDS. */
static inline u32 a64_logic_imm(enum a64_width w, enum a64_logic op, unsigned rd, unsigned rn, u32 bitmask)
{
	assert(op % 2 == 0 && bitmask < 1u << (w ? 13 : 12));
	return (u32)w << 31 | (u32)op / 2 << 29 | 0x12000000u | bitmask << 10 | a64_reg(rn, 5) | a64_reg(rd, 0);
}

/* Logical (shifted register). */
static inline u32 a64_logic_reg(enum a64_width w, enum a64_logic op, unsigned rd, unsigned rn, unsigned rm,
	enum a64_shift shift, unsigned amount)
{
	assert(amount < (w ? 64u : 32u));
	return (u32)w << 31 | (u32)(op / 2) << 29 | 0x0a000000u | (u32)shift << 22 | (u32)(op % 2) << 21 |
		a64_reg(rm, 16) | amount << 10 | a64_reg(rn, 5) | a64_reg(rd, 0);
}

/* The N:immr:imms field of a logical immediate (DecodeBitMasks): a run of ones, rotated, in an element of 2, 4 ... 64
 * bits that repeats. False when `value` is none; for A64_W the upper half of `value` doesn't count. */
static inline bool a64_bitmask(enum a64_width w, u64 value, u32 *bitmask)
{
	unsigned size = 64;

	if (w == A64_W)
		value = (value & UINT32_MAX) | value << 32;
	if (value == 0 || value == UINT64_MAX)
		return false;
	while (size > 2) {
		unsigned half = size / 2;
		u64 low = ((u64)1 << half) - 1;

		if ((value & low) != (value >> half & low))
			break;
		size = half;
	}
	u64 element = value & UINT64_MAX >> (64 - size);
	/* Rotate the run down to bit 0: its start is the lowest one, or behind the topmost zero when it wraps. */
	unsigned start = (unsigned)__builtin_ctzll(element);
	if (element & 1 && element >> (size - 1) & 1)
		start = 64 - (unsigned)__builtin_clzll(~element & UINT64_MAX >> (64 - size));
	u64 run = start ? (element >> start | element << (size - start)) & UINT64_MAX >> (64 - size) : element;
	if (run & (run + 1))
		return false;
	unsigned ones = (unsigned)__builtin_popcountll(run);
	u32 imms = (~(size * 2 - 1) & 0x3f) | (ones - 1);
	*bitmask = (u32)(size == 64) << 12 | (u32)((size - start) % size) << 6 | imms;
	return true;
}

enum a64_movw { A64_MOVN = 0, A64_MOVZ = 2, A64_MOVK = 3 };

/* Move wide (immediate): shift is 0, 16, 32 or 48. */
static inline u32 a64_movw(enum a64_width w, enum a64_movw op, unsigned rd, u32 imm16, unsigned shift)
{
	assert(imm16 < 1u << 16 && shift % 16 == 0 && shift < (w ? 64u : 32u));
	return (u32)w << 31 | (u32)op << 29 | 0x12800000u | shift / 16 << 21 | imm16 << 5 | a64_reg(rd, 0);
}

enum a64_bitfield { A64_SBFM = 0, A64_BFM = 1, A64_UBFM = 2 };

/* Bitfield. */
static inline u32 a64_bitfield(enum a64_width w, enum a64_bitfield op, unsigned rd, unsigned rn, unsigned immr,
	unsigned imms)
{
	assert(immr < (w ? 64u : 32u) && imms < (w ? 64u : 32u));
	return (u32)w << 31 | (u32)op << 29 | 0x13000000u | (u32)w << 22 | immr << 16 | imms << 10 | a64_reg(rn, 5) |
		a64_reg(rd, 0);
}

/* Shifts by a constant are bitfield moves. */
static inline u32 a64_lsl_imm(enum a64_width w, unsigned rd, unsigned rn, unsigned amount)
{
	unsigned bits = w ? 64 : 32;

	assert(amount < bits);
	return a64_bitfield(w, A64_UBFM, rd, rn, (bits - amount) % bits, bits - 1 - amount);
}

static inline u32 a64_lsr_imm(enum a64_width w, unsigned rd, unsigned rn, unsigned amount)
{
	return a64_bitfield(w, A64_UBFM, rd, rn, amount, w ? 63 : 31);
}

static inline u32 a64_asr_imm(enum a64_width w, unsigned rd, unsigned rn, unsigned amount)
{
	return a64_bitfield(w, A64_SBFM, rd, rn, amount, w ? 63 : 31);
}

/* Extract: the low bits of rn:rm >> lsb; rn == rm rotates right. */
static inline u32 a64_extr(enum a64_width w, unsigned rd, unsigned rn, unsigned rm, unsigned lsb)
{
	assert(lsb < (w ? 64u : 32u));
	return (u32)w << 31 | 0x13800000u | (u32)w << 22 | a64_reg(rm, 16) | lsb << 10 | a64_reg(rn, 5) |
		a64_reg(rd, 0);
}

enum a64_dp1 { A64_RBIT = 0, A64_REV16 = 1, A64_REV32 = 2, A64_REV64 = 3, A64_CLZ = 4, A64_CLS = 5 };

/* Data-processing (1 source). A64_REV32 swaps each 32-bit part: with A64_W it is REV. */
static inline u32 a64_dp1(enum a64_width w, enum a64_dp1 op, unsigned rd, unsigned rn)
{
	assert(w == A64_X || op != A64_REV64);
	return (u32)w << 31 | 0x5ac00000u | (u32)op << 10 | a64_reg(rn, 5) | a64_reg(rd, 0);
}

enum a64_dp2 {
	A64_UDIV = 2, A64_SDIV = 3, A64_LSLV = 8, A64_LSRV = 9, A64_ASRV = 10, A64_RORV = 11,
};

/* Data-processing (2 source): division by zero gives 0, shift counts are taken modulo the width. */
static inline u32 a64_dp2(enum a64_width w, enum a64_dp2 op, unsigned rd, unsigned rn, unsigned rm)
{
	return (u32)w << 31 | 0x1ac00000u | a64_reg(rm, 16) | (u32)op << 10 | a64_reg(rn, 5) | a64_reg(rd, 0);
}

enum a64_dp3 { /* op31 in bits 3:1, o0 in bit 0 */
	A64_MADD = 0, A64_MSUB = 1, A64_SMADDL = 2, A64_SMSUBL = 3, A64_SMULH = 4,
	A64_UMADDL = 10, A64_UMSUBL = 11, A64_UMULH = 12,
};

/* Data-processing (3 source): rd = ra +- rn * rm; ra must be A64_ZR for the high halves. */
static inline u32 a64_dp3(enum a64_width w, enum a64_dp3 op, unsigned rd, unsigned rn, unsigned rm, unsigned ra)
{
	assert(w == A64_X || op <= A64_MSUB);
	assert((op != A64_SMULH && op != A64_UMULH) || ra == A64_ZR);
	return (u32)w << 31 | 0x1b000000u | (u32)op / 2 << 21 | a64_reg(rm, 16) | (u32)op % 2 << 15 | a64_reg(ra, 10) |
		a64_reg(rn, 5) | a64_reg(rd, 0);
}

enum a64_csel { /* op in bit 1, op2 in bit 0 */
	A64_CSEL, A64_CSINC, A64_CSINV, A64_CSNEG,
};

/* Conditional select: rd = cond ? rn : f(rm). */
static inline u32 a64_csel(enum a64_width w, enum a64_csel op, unsigned rd, unsigned rn, unsigned rm, enum a64_cond cond)
{
	return (u32)w << 31 | (u32)op / 2 << 30 | 0x1a800000u | a64_reg(rm, 16) | (u32)cond << 12 | (u32)op % 2 << 10 |
		a64_reg(rn, 5) | a64_reg(rd, 0);
}

enum a64_ccmp { A64_CCMN = 0, A64_CCMP = 1 };

/* Conditional compare (register): flags = cond ? compare : nzcv. */
static inline u32 a64_ccmp_reg(enum a64_width w, enum a64_ccmp op, unsigned rn, unsigned rm, unsigned nzcv,
	enum a64_cond cond)
{
	assert(nzcv < 16);
	return (u32)w << 31 | (u32)op << 30 | 0x3a400000u | a64_reg(rm, 16) | (u32)cond << 12 | a64_reg(rn, 5) | nzcv;
}

/* Conditional compare (immediate). */
static inline u32 a64_ccmp_imm(enum a64_width w, enum a64_ccmp op, unsigned rn, unsigned imm5, unsigned nzcv,
	enum a64_cond cond)
{
	assert(imm5 < 32 && nzcv < 16);
	return (u32)w << 31 | (u32)op << 30 | 0x3a400800u | imm5 << 16 | (u32)cond << 12 | a64_reg(rn, 5) | nzcv;
}

/* How many bytes a load or store moves, as its logarithm. */
enum a64_size { A64_8, A64_16, A64_32, A64_64 };
/* Signed loads extend to 64 or to 32 bits; both are for smaller sizes only. */
enum a64_ldst { A64_STR, A64_LDR, A64_LDRS_X, A64_LDRS_W };

static inline u32 a64_ldst_head(enum a64_size size, enum a64_ldst op)
{
	assert(op != A64_LDRS_X || size < A64_64);
	assert(op != A64_LDRS_W || size < A64_32);
	return (u32)size << 30 | 0x38000000u | (u32)op << 22;
}

static inline bool a64_is_ldst_scaled(enum a64_size size, s64 off)
{
	return off >= 0 && off % (1 << size) == 0 && off >> size < 4096;
}

/* Load/store register (unsigned immediate): off is a multiple of the size, up to 4095 times it. */
static inline u32 a64_ldst_scaled(enum a64_size size, enum a64_ldst op, unsigned rt, unsigned rn, u32 off)
{
	assert(a64_is_ldst_scaled(size, off));
	return a64_ldst_head(size, op) | 1u << 24 | off >> size << 10 | a64_reg(rn, 5) | a64_reg(rt, 0);
}

/* Load/store register (unscaled immediate): -256 ... 255, "ldur". */
static inline u32 a64_ldst_unscaled(enum a64_size size, enum a64_ldst op, unsigned rt, unsigned rn, s32 off)
{
	return a64_ldst_head(size, op) | a64_signed(off, 9, 12) | a64_reg(rn, 5) | a64_reg(rt, 0);
}

enum a64_index { A64_POST = 1, A64_OFFSET = 2, A64_PRE = 3 };

/* Load/store register (immediate post-indexed, pre-indexed). */
static inline u32 a64_ldst_indexed(enum a64_size size, enum a64_ldst op, enum a64_index index, unsigned rt, unsigned rn,
	s32 off)
{
	assert(index != A64_OFFSET);
	return a64_ldst_head(size, op) | a64_signed(off, 9, 12) | (u32)index << 10 | a64_reg(rn, 5) | a64_reg(rt, 0);
}

/* Load/store register (register offset): extend is UXTW, UXTX (plain LSL), SXTW or SXTX; the offset is scaled by the size
 * or not at all. */
static inline u32 a64_ldst_reg(enum a64_size size, enum a64_ldst op, unsigned rt, unsigned rn, unsigned rm,
	enum a64_extend extend, bool scaled)
{
	assert(extend & 2);
	return a64_ldst_head(size, op) | 0x00200800u | a64_reg(rm, 16) | (u32)extend << 13 | (u32)scaled << 12 |
		a64_reg(rn, 5) | a64_reg(rt, 0);
}

enum a64_pair { A64_STP, A64_LDP };

/* Load/store register pair: off is a multiple of the register's size, -64 ... 63 times it. */
static inline bool a64_is_pair_off(enum a64_width w, s64 off)
{
	unsigned bytes = w ? 8 : 4;

	return off % bytes == 0 && a64_fits_signed(off / (s64)bytes, 7);
}

static inline u32 a64_pair(enum a64_width w, enum a64_pair op, enum a64_index index, unsigned rt, unsigned rt2,
	unsigned rn, s32 off)
{
	assert(a64_is_pair_off(w, off));
	return (u32)w << 31 | 0x28000000u | (u32)index << 23 | (u32)op << 22 | a64_signed(off / (w ? 8 : 4), 7, 15) |
		a64_reg(rt2, 10) | a64_reg(rn, 5) | a64_reg(rt, 0);
}

/* Load register (literal): delta +-1 MiB. */
static inline u32 a64_ldr_literal(enum a64_width w, unsigned rt, s64 delta)
{
	return (u32)w << 30 | 0x18000000u | a64_branch_off(delta, 19, 5) | a64_reg(rt, 0);
}

enum a64_order { A64_RELAXED, A64_ORDERED }; /* ordered: acquire of loads, release of stores */

/* Load/store exclusive register. */
static inline u32 a64_ldxr(enum a64_size size, enum a64_order order, unsigned rt, unsigned rn)
{
	return (u32)size << 30 | 0x085f7c00u | (u32)order << 15 | a64_reg(rn, 5) | a64_reg(rt, 0);
}

/* rs gets 0 when the store happened; it must be neither rt nor rn. */
static inline u32 a64_stxr(enum a64_size size, enum a64_order order, unsigned rs, unsigned rt, unsigned rn)
{
	assert(rs != rt && (rs != rn || rn == A64_SP));
	return (u32)size << 30 | 0x08007c00u | a64_reg(rs, 16) | (u32)order << 15 | a64_reg(rn, 5) | a64_reg(rt, 0);
}

/* Load/store ordered: LDAR, STLR. */
static inline u32 a64_ldar(enum a64_size size, unsigned rt, unsigned rn)
{
	return (u32)size << 30 | 0x08dffc00u | a64_reg(rn, 5) | a64_reg(rt, 0);
}

static inline u32 a64_stlr(enum a64_size size, unsigned rt, unsigned rn)
{
	return (u32)size << 30 | 0x089ffc00u | a64_reg(rn, 5) | a64_reg(rt, 0);
}

enum a64_atomic { /* o3 in bit 3, opc in bits 2:0 */
	A64_LDADD = 0, A64_LDCLR = 1, A64_LDEOR = 2, A64_LDSET = 3, A64_SWP = 8,
};

/* Atomic memory operations (FEAT_LSE), acquire and release ("al"): rt = old value, memory op= rs. */
static inline u32 a64_atomic(enum a64_size size, enum a64_atomic op, unsigned rs, unsigned rt, unsigned rn)
{
	return (u32)size << 30 | 0x38e00000u | a64_reg(rs, 16) | (u32)op << 12 | a64_reg(rn, 5) | a64_reg(rt, 0);
}

/* The same without result and without ordering: STADD and its like. */
static inline u32 a64_atomic_store(enum a64_size size, enum a64_atomic op, unsigned rs, unsigned rn)
{
	assert(op != A64_SWP);
	return (u32)size << 30 | 0x38200000u | a64_reg(rs, 16) | (u32)op << 12 | a64_reg(rn, 5) | A64_ZR;
}

/* Compare and swap (FEAT_LSE), CASAL: rs = old value; memory = rt when it was rs. */
static inline u32 a64_casal(enum a64_size size, unsigned rs, unsigned rt, unsigned rn)
{
	return (u32)size << 30 | 0x08e0fc00u | a64_reg(rs, 16) | a64_reg(rn, 5) | a64_reg(rt, 0);
}

/* Unconditional branch (immediate): +-128 MiB. */
static inline u32 a64_b(s64 delta)
{
	return 0x14000000u | a64_branch_off(delta, 26, 0);
}

static inline u32 a64_bl(s64 delta)
{
	return 0x94000000u | a64_branch_off(delta, 26, 0);
}

/* Conditional branch (immediate): +-1 MiB. */
static inline u32 a64_bcond(enum a64_cond cond, s64 delta)
{
	return 0x54000000u | a64_branch_off(delta, 19, 5) | (u32)cond;
}

enum a64_zero { A64_IS_ZERO, A64_IS_NONZERO };

/* Compare and branch (immediate), cbz and cbnz: +-1 MiB. */
static inline u32 a64_cbz(enum a64_width w, enum a64_zero op, unsigned rt, s64 delta)
{
	return (u32)w << 31 | 0x34000000u | (u32)op << 24 | a64_branch_off(delta, 19, 5) | a64_reg(rt, 0);
}

/* Test and branch (immediate), tbz and tbnz: +-32 KiB. */
static inline u32 a64_tbz(enum a64_zero op, unsigned rt, unsigned bit, s64 delta)
{
	assert(bit < 64);
	return bit / 32 << 31 | 0x36000000u | (u32)op << 24 | bit % 32 << 19 | a64_branch_off(delta, 14, 5) |
		a64_reg(rt, 0);
}

enum a64_branch_reg { A64_BR, A64_BLR, A64_RET };

/* Unconditional branch (register). */
static inline u32 a64_branch_reg(enum a64_branch_reg op, unsigned rn)
{
	return 0xd61f0000u | (u32)op << 21 | a64_reg(rn, 5);
}

/* PC-relative addressing: rd = pc + delta, +-1 MiB. */
static inline u32 a64_adr(unsigned rd, s32 delta)
{
	return ((u32)delta & 3) << 29 | 0x10000000u | a64_signed(delta >> 2, 19, 5) | a64_reg(rd, 0);
}

/* op0:op1:CRn:CRm:op2 without the leading 1 of op0. */
enum a64_sysreg { A64_TPIDR_EL0 = 0x5e82, A64_TPIDR_EL1 = 0x4684, A64_TPIDR_EL2 = 0x6682, A64_SP_EL0 = 0x4208 };

/* System register move: MRS. */
static inline u32 a64_mrs(unsigned rt, enum a64_sysreg reg)
{
	return 0xd5300000u | (u32)reg << 5 | a64_reg(rt, 0);
}

enum a64_hint { A64_NOP = 0, A64_PACIASP = 25, A64_AUTIASP = 29, A64_BTI_C = 34, A64_BTI_J = 36, A64_BTI_JC = 38 };

/* Hints. */
static inline u32 a64_hint(enum a64_hint hint)
{
	assert(hint < 128);
	return 0xd503201fu | (u32)hint << 5;
}

/* Barriers: DMB ISH. */
static inline u32 a64_dmb_ish(void)
{
	return 0xd5033bbfu;
}

/* Permanently undefined: UDF #0, which is also what data between code may be read as. */
static inline u32 a64_udf(void)
{
	return 0;
}

/* Exception generation: BRK. */
static inline u32 a64_brk(u32 imm16)
{
	assert(imm16 < 1u << 16);
	return 0xd4200000u | imm16 << 5;
}

#endif
