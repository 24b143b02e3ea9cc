/* x86-64 instructions as bytes: one function per form, each appends one instruction. What is worth emitting is decided by
 * lower_*.c; here only what the operands can be is asserted. Opcodes as in the Intel SDM, volume 2. */
#ifndef WEIR_JIT_X86_64_ENC_H
#define WEIR_JIT_X86_64_ENC_H

#include <string.h>

#include "base/buf.h"
#include "base/bytes.h"

enum x86_reg {
	RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15,
	X86_NO_REG, /* as index or base */
};

enum x86_width { X86_32 = 0, X86_64 = 1 };

/* The second opcode digit of "op r/m, r" and its kin. */
enum x86_alu { X86_ADD = 0, X86_OR = 1, X86_ADC = 2, X86_AND = 4, X86_SUB = 5, X86_XOR = 6, X86_CMP = 7 };

enum x86_shift { X86_ROL = 0, X86_ROR = 1, X86_SHL = 4, X86_SHR = 5, X86_SAR = 7 };

/* Group 3, F7 /n, and group 5, FF /n. */
enum x86_unary { X86_NOT = 2, X86_NEG = 3, X86_MUL = 4, X86_DIV = 6, X86_IDIV = 7 };
enum x86_step { X86_INC = 0, X86_DEC = 1 };

enum x86_cond {
	X86_B = 2, X86_AE = 3, X86_E = 4, X86_NE = 5, X86_BE = 6, X86_A = 7, X86_L = 12, X86_GE = 13, X86_LE = 14,
	X86_G = 15,
};

/* Bytes of a memory operand. */
enum x86_size { X86_M8, X86_M16, X86_M32, X86_M64 };

/* [base + index * 2^scale + disp]; rsp can't be an index, and base may be missing where there is one. */
struct x86_mem {
	enum x86_reg base, index;
	unsigned scale;
	s32 disp;
};

static inline struct x86_mem x86_at(enum x86_reg base, s32 disp)
{
	return (struct x86_mem){.base = base, .index = X86_NO_REG, .disp = disp};
}

static inline struct x86_mem x86_indexed(enum x86_reg base, enum x86_reg index, unsigned scale, s32 disp)
{
	return (struct x86_mem){.base = base, .index = index, .scale = scale, .disp = disp};
}

static inline bool x86_fits8(s64 v)
{
	return v == (s8)v;
}

static inline bool x86_fits32(s64 v)
{
	return v == (s32)v;
}

/* An instruction on its way; the longest has 15 bytes. */
struct x86_bytes {
	u8 at[16];
	u8 len;
};

/* What an opcode needs around it, or'ed to the opcode byte. */
enum x86_opcode {
	X86_0F = 1 << 8,	/* two-byte opcode */
	X86_P66 = 1 << 9,	/* 16-bit operand */
	X86_LOCK = 1 << 10,
	X86_FS = 1 << 11,
	X86_GS = 1 << 12,
	X86_BYTE_REG = 1 << 13, /* the reg field names a byte register: spl ... dil need a REX prefix */
	X86_BYTE_RM = 1 << 14,	/* the same for the r/m field */
};

static inline void x86_add8(struct x86_bytes *i, u8 value)
{
	i->at[i->len++] = value;
}

static inline void x86_add32(struct x86_bytes *i, s32 value)
{
	store_le32(i->at + i->len, (u32)value);
	i->len = (u8)(i->len + 4);
}

/* The 8-bit form if the value fits, as its opcode promised. */
static inline void x86_add8_or_32(struct x86_bytes *i, s32 value)
{
	if (x86_fits8(value))
		x86_add8(i, (u8)value);
	else
		x86_add32(i, value);
}

static inline void x86_put(struct buf *b, struct x86_bytes i)
{
	buf_put_16(b, i.at, i.len);
}

/* Prefixes, REX and opcode; x is the index register. */
static inline struct x86_bytes x86_begin(
	u32 op, enum x86_width w, enum x86_reg reg, enum x86_reg x, enum x86_reg rm)
{
	struct x86_bytes i = {.len = 0};
	unsigned rex = (unsigned)w << 3 | (reg >> 3 & 1u) << 2 | (rm == X86_NO_REG ? 0 : rm >> 3 & 1u);
	bool byte_needs = (op & X86_BYTE_REG && reg >= RSP) || (op & X86_BYTE_RM && rm >= RSP);

	assert(reg < X86_NO_REG && (rm < X86_NO_REG || x < X86_NO_REG) && x != RSP);
	if (x != X86_NO_REG)
		rex |= (x >> 3 & 1u) << 1;
	if (op & X86_FS)
		x86_add8(&i, 0x64);
	if (op & X86_GS)
		x86_add8(&i, 0x65);
	if (op & X86_LOCK)
		x86_add8(&i, 0xf0);
	if (op & X86_P66)
		x86_add8(&i, 0x66);
	if (rex || byte_needs)
		x86_add8(&i, (u8)(0x40 | rex));
	if (op & X86_0F)
		x86_add8(&i, 0x0f);
	x86_add8(&i, (u8)op);
	return i;
}

/* Two registers: op rm, reg (or op reg, rm: the opcode says). */
static inline struct x86_bytes x86_rr(u32 op, enum x86_width w, enum x86_reg reg, enum x86_reg rm)
{
	struct x86_bytes i = x86_begin(op, w, reg, X86_NO_REG, rm);

	x86_add8(&i, (u8)(0xc0 | (reg & 7) << 3 | (rm & 7)));
	return i;
}

/* A register (or opcode digit) and memory. rsp and r12 as base need a SIB byte, rbp and r13 a displacement; no base is
 * written as rbp without one, followed by 32 bits. */
static inline struct x86_bytes x86_rm(u32 op, enum x86_width w, enum x86_reg reg, struct x86_mem m)
{
	struct x86_bytes i = x86_begin(op, w, reg, m.index, m.base);
	unsigned base = m.base == X86_NO_REG ? RBP : m.base & 7, index = m.index == X86_NO_REG ? RSP : m.index & 7;
	bool sib = m.index != X86_NO_REG || base == RSP;
	unsigned mod = x86_fits8(m.disp) ? 1 : 2;

	assert(m.scale < 4);
	if (m.base == X86_NO_REG || (m.disp == 0 && base != RBP))
		mod = 0;
	x86_add8(&i, (u8)(mod << 6 | (reg & 7) << 3 | (sib ? RSP : base)));
	if (sib)
		x86_add8(&i, (u8)(m.scale << 6 | index << 3 | base));
	if (mod == 1)
		x86_add8(&i, (u8)m.disp);
	else if (mod == 2 || m.base == X86_NO_REG)
		x86_add32(&i, m.disp);
	return i;
}

/* Moves. */

static inline void x86_mov(struct buf *b, enum x86_width w, enum x86_reg dst, enum x86_reg src)
{
	x86_put(b, x86_rr(0x89, w, src, dst));
}

/* mov r32, imm32: clears the upper half. */
static inline void x86_mov_imm32(struct buf *b, enum x86_reg dst, u32 imm)
{
	struct x86_bytes i = x86_begin(0xb8 | (dst & 7u), X86_32, RAX, X86_NO_REG, dst);

	x86_add32(&i, (s32)imm);
	x86_put(b, i);
}

/* mov r64, imm32: sign-extended. */
static inline void x86_mov_simm32(struct buf *b, enum x86_reg dst, s32 imm)
{
	struct x86_bytes i = x86_rr(0xc7, X86_64, RAX, dst);

	x86_add32(&i, imm);
	x86_put(b, i);
}

static inline void x86_mov_imm64(struct buf *b, enum x86_reg dst, u64 imm)
{
	struct x86_bytes i = x86_begin(0xb8 | (dst & 7u), X86_64, RAX, X86_NO_REG, dst);

	x86_add32(&i, (s32)(u32)imm);
	x86_add32(&i, (s32)(u32)(imm >> 32));
	x86_put(b, i);
}

/* From the low 8 or 16 bits, to 32 bits with the upper half cleared. */
static inline void x86_movzx(struct buf *b, enum x86_size from, enum x86_reg dst, enum x86_reg src)
{
	assert(from == X86_M8 || from == X86_M16);
	x86_put(b, x86_rr(from == X86_M8 ? X86_0F | X86_BYTE_RM | 0xb6 : X86_0F | 0xb7, X86_32, dst, src));
}

/* movsx from 8 or 16 bits, movsxd from 32 (to 64 only). */
static inline void x86_movsx(
	struct buf *b, enum x86_width w, enum x86_size from, enum x86_reg dst, enum x86_reg src)
{
	static const u32 ops[] = {X86_0F | X86_BYTE_RM | 0xbe, X86_0F | 0xbf, 0x63};

	assert(from <= X86_M32 && (from != X86_M32 || w == X86_64));
	x86_put(b, x86_rr(ops[from], w, dst, src));
}

static inline void x86_lea(struct buf *b, enum x86_width w, enum x86_reg dst, struct x86_mem m)
{
	x86_put(b, x86_rm(0x8d, w, dst, m));
}

/* Memory. */

/* Zero-extends to 64 bits. */
static inline void x86_load(struct buf *b, enum x86_size size, enum x86_reg dst, struct x86_mem m)
{
	static const u32 ops[] = {X86_0F | 0xb6, X86_0F | 0xb7, 0x8b, 0x8b};

	x86_put(b, x86_rm(ops[size], size == X86_M64 ? X86_64 : X86_32, dst, m));
}

/* Sign-extends to 64 bits. */
static inline void x86_load_signed(struct buf *b, enum x86_size size, enum x86_reg dst, struct x86_mem m)
{
	static const u32 ops[] = {X86_0F | 0xbe, X86_0F | 0xbf, 0x63};

	assert(size <= X86_M32);
	x86_put(b, x86_rm(ops[size], X86_64, dst, m));
}

static inline void x86_store(struct buf *b, enum x86_size size, struct x86_mem m, enum x86_reg src)
{
	static const u32 ops[] = {X86_BYTE_REG | 0x88, X86_P66 | 0x89, 0x89, 0x89};

	x86_put(b, x86_rm(ops[size], size == X86_M64 ? X86_64 : X86_32, src, m));
}

/* The immediate is cut to the operand, and sign-extended to 64 bits. */
static inline void x86_store_imm(struct buf *b, enum x86_size size, struct x86_mem m, s32 imm)
{
	static const u32 ops[] = {0xc6, X86_P66 | 0xc7, 0xc7, 0xc7};
	struct x86_bytes i = x86_rm(ops[size], size == X86_M64 ? X86_64 : X86_32, RAX, m);

	if (size >= X86_M32)
		x86_add32(&i, imm);
	else
		x86_add8(&i, (u8)imm);
	if (size == X86_M16)
		x86_add8(&i, (u8)(imm >> 8));
	x86_put(b, i);
}

/* Arithmetic. */

static inline void x86_alu(struct buf *b, enum x86_width w, enum x86_alu op, enum x86_reg dst, enum x86_reg src)
{
	x86_put(b, x86_rr((u32)op << 3 | 0x01, w, src, dst));
}

static inline void x86_alu_imm(struct buf *b, enum x86_width w, enum x86_alu op, enum x86_reg dst, s32 imm)
{
	struct x86_bytes i;

	if (!x86_fits8(imm) && dst == RAX)
		i = x86_begin((u32)op << 3 | 0x05, w, RAX, X86_NO_REG, RAX);
	else
		i = x86_rr(x86_fits8(imm) ? 0x83 : 0x81, w, (enum x86_reg)op, dst);
	x86_add8_or_32(&i, imm);
	x86_put(b, i);
}

/* op reg, [m] */
static inline void x86_alu_load(struct buf *b, enum x86_width w, enum x86_alu op, enum x86_reg dst, struct x86_mem m)
{
	x86_put(b, x86_rm((u32)op << 3 | 0x03, w, dst, m));
}

/* op [m], reg */
static inline void x86_alu_store(
	struct buf *b, enum x86_size size, enum x86_alu op, struct x86_mem m, enum x86_reg src)
{
	static const u32 ops[] = {X86_BYTE_REG | 0x00, X86_P66 | 0x01, 0x01, 0x01};

	x86_put(b, x86_rm(ops[size] | (u32)op << 3, size == X86_M64 ? X86_64 : X86_32, src, m));
}

/* op [m], imm. An immediate of 16 bits would make processors stumble over its length: it must fit 8. */
static inline void x86_alu_store_imm(
	struct buf *b, enum x86_size size, enum x86_alu op, struct x86_mem m, s32 imm)
{
	u32 opcode = size == X86_M8 ? 0x80 : x86_fits8(imm) ? 0x83 : 0x81;
	struct x86_bytes i = x86_rm(size == X86_M16 ? X86_P66 | opcode : opcode, size == X86_M64 ? X86_64 : X86_32,
		(enum x86_reg)op, m);

	assert(size != X86_M16 || x86_fits8(imm));
	if (size == X86_M8)
		x86_add8(&i, (u8)imm);
	else
		x86_add8_or_32(&i, imm);
	x86_put(b, i);
}

/* test [m], imm */
static inline void x86_test_mem_imm(struct buf *b, enum x86_size size, struct x86_mem m, s32 imm)
{
	struct x86_bytes i = x86_rm(size == X86_M8 ? 0xf6 : 0xf7, size == X86_M64 ? X86_64 : X86_32, RAX, m);

	assert(size != X86_M16);
	if (size == X86_M8)
		x86_add8(&i, (u8)imm);
	else
		x86_add32(&i, imm);
	x86_put(b, i);
}

static inline void x86_step_mem(struct buf *b, enum x86_size size, enum x86_step op, struct x86_mem m)
{
	static const u32 ops[] = {0xfe, X86_P66 | 0xff, 0xff, 0xff};

	x86_put(b, x86_rm(ops[size], size == X86_M64 ? X86_64 : X86_32, (enum x86_reg)op, m));
}

/* lock op [m], reg */
static inline void x86_lock_alu(struct buf *b, enum x86_width w, enum x86_alu op, struct x86_mem m, enum x86_reg src)
{
	assert(op != X86_CMP);
	x86_put(b, x86_rm(X86_LOCK | (u32)op << 3 | 0x01, w, src, m));
}

/* add dst, fs:[disp] or gs:[disp], without a base register. */
static inline void x86_add_segment(struct buf *b, u32 segment, enum x86_reg dst, s32 disp)
{
	assert(segment == X86_FS || segment == X86_GS);
	struct x86_bytes i = x86_begin(segment | 0x03, X86_64, dst, X86_NO_REG, RAX);

	x86_add8(&i, (u8)((dst & 7) << 3 | RSP));
	x86_add8(&i, RSP << 3 | RBP);
	x86_add32(&i, disp);
	x86_put(b, i);
}

static inline void x86_test(struct buf *b, enum x86_width w, enum x86_reg dst, enum x86_reg src)
{
	x86_put(b, x86_rr(0x85, w, src, dst));
}

static inline void x86_test_imm(struct buf *b, enum x86_width w, enum x86_reg dst, s32 imm)
{
	struct x86_bytes i = dst == RAX ? x86_begin(0xa9, w, RAX, X86_NO_REG, RAX) : x86_rr(0xf7, w, RAX, dst);

	x86_add32(&i, imm);
	x86_put(b, i);
}

/* Of the low byte; only the zero flag is that of a wider test. */
static inline void x86_test_imm8(struct buf *b, enum x86_reg dst, u8 imm)
{
	struct x86_bytes i = dst == RAX ? x86_begin(0xa8, X86_32, RAX, X86_NO_REG, RAX) :
					  x86_rr(X86_BYTE_RM | 0xf6, X86_32, RAX, dst);

	x86_add8(&i, imm);
	x86_put(b, i);
}

/* The low byte is 1 or 0; the others stay. */
static inline void x86_setcc(struct buf *b, enum x86_cond cc, enum x86_reg dst)
{
	x86_put(b, x86_rr(X86_0F | X86_BYTE_RM | 0x90 | (u32)cc, X86_32, RAX, dst));
}

/* not, neg; mul of rax to rdx:rax; div, idiv of rdx:rax. */
static inline void x86_unary(struct buf *b, enum x86_width w, enum x86_unary op, enum x86_reg reg)
{
	x86_put(b, x86_rr(0xf7, w, (enum x86_reg)op, reg));
}

static inline void x86_step(struct buf *b, enum x86_width w, enum x86_step op, enum x86_reg reg)
{
	x86_put(b, x86_rr(0xff, w, (enum x86_reg)op, reg));
}

static inline void x86_imul(struct buf *b, enum x86_width w, enum x86_reg dst, enum x86_reg src)
{
	x86_put(b, x86_rr(X86_0F | 0xaf, w, dst, src));
}

/* dst = src * imm */
static inline void x86_imul_imm(struct buf *b, enum x86_width w, enum x86_reg dst, enum x86_reg src, s32 imm)
{
	struct x86_bytes i = x86_rr(x86_fits8(imm) ? 0x6b : 0x69, w, dst, src);

	x86_add8_or_32(&i, imm);
	x86_put(b, i);
}

static inline void x86_shift_imm(struct buf *b, enum x86_width w, enum x86_shift op, enum x86_reg dst, unsigned count)
{
	assert(count > 0 && count < (w == X86_64 ? 64u : 32u));
	struct x86_bytes i = x86_rr(count == 1 ? 0xd1 : 0xc1, w, (enum x86_reg)op, dst);

	if (count != 1)
		x86_add8(&i, (u8)count);
	x86_put(b, i);
}

static inline void x86_shift_cl(struct buf *b, enum x86_width w, enum x86_shift op, enum x86_reg dst)
{
	x86_put(b, x86_rr(0xd3, w, (enum x86_reg)op, dst));
}

/* BMI2: three-byte VEX prefixes, without flags. */

enum x86_vex { X86_VEX_66 = 1, X86_VEX_F3 = 2, X86_VEX_F2 = 3 };

/* map: 2 = 0f 38, 3 = 0f 3a */
static inline struct x86_bytes x86_vex_rr(enum x86_vex prefix, unsigned map, u8 op, enum x86_width w,
	enum x86_reg reg, unsigned v, enum x86_reg rm)
{
	u8 byte1 = (u8)((reg & 8 ? 0 : 0x80) | 0x40 | (rm & 8 ? 0 : 0x20) | map);
	u8 byte2 = (u8)((unsigned)w << 7 | (~v & 15u) << 3 | prefix);

	return (struct x86_bytes){
		.at = {0xc4, byte1, byte2, op, (u8)(0xc0 | (reg & 7) << 3 | (rm & 7))}, .len = 5};
}

/* dst = src rotated to the right */
static inline void x86_rorx(
	struct buf *b, enum x86_width w, enum x86_reg dst, enum x86_reg src, unsigned count)
{
	struct x86_bytes i = x86_vex_rr(X86_VEX_F2, 3, 0xf0, w, dst, 0, src);

	assert(count < (w == X86_64 ? 64u : 32u));
	x86_add8(&i, (u8)count);
	x86_put(b, i);
}

/* dst = src op count */
static inline void x86_shift_into(
	struct buf *b, enum x86_width w, enum x86_shift op, enum x86_reg dst, enum x86_reg src, enum x86_reg count)
{
	enum x86_vex prefix = op == X86_SHL ? X86_VEX_66 : op == X86_SHR ? X86_VEX_F2 : X86_VEX_F3;

	assert(op >= X86_SHL);
	x86_put(b, x86_vex_rr(prefix, 2, 0xf7, w, dst, count, src));
}

/* rol r16, 8: swaps the low two bytes, leaves the others. */
static inline void x86_swap16(struct buf *b, enum x86_reg dst)
{
	struct x86_bytes i = x86_rr(X86_P66 | 0xc1, X86_32, (enum x86_reg)X86_ROL, dst);

	x86_add8(&i, 8);
	x86_put(b, i);
}

static inline void x86_bswap(struct buf *b, enum x86_width w, enum x86_reg dst)
{
	x86_put(b, x86_begin(X86_0F | 0xc8 | (dst & 7u), w, RAX, X86_NO_REG, dst));
}

/* cdq, cqo: rdx = sign of rax. */
static inline void x86_sign_rdx(struct buf *b, enum x86_width w)
{
	x86_put(b, x86_begin(0x99, w, RAX, X86_NO_REG, RAX));
}

/* Atomic read-modify-write; xchg with memory locks by itself. */

static inline void x86_xchg_mem(struct buf *b, enum x86_width w, struct x86_mem m, enum x86_reg reg)
{
	x86_put(b, x86_rm(0x87, w, reg, m));
}

static inline void x86_lock_xadd(struct buf *b, enum x86_width w, struct x86_mem m, enum x86_reg reg)
{
	x86_put(b, x86_rm(X86_LOCK | X86_0F | 0xc1, w, reg, m));
}

/* If [m] == rax: [m] = reg, else rax = [m]. */
static inline void x86_lock_cmpxchg(struct buf *b, enum x86_width w, struct x86_mem m, enum x86_reg reg)
{
	x86_put(b, x86_rm(X86_LOCK | X86_0F | 0xb1, w, reg, m));
}

/* Control. Displacements count from the end of the instruction. */

static inline void x86_push(struct buf *b, enum x86_reg reg)
{
	x86_put(b, x86_begin(0x50 | (reg & 7u), X86_32, RAX, X86_NO_REG, reg));
}

static inline void x86_pop(struct buf *b, enum x86_reg reg)
{
	x86_put(b, x86_begin(0x58 | (reg & 7u), X86_32, RAX, X86_NO_REG, reg));
}

static inline void x86_leave(struct buf *b)
{
	buf_u8(b, 0xc9);
}

static inline void x86_ret(struct buf *b)
{
	buf_u8(b, 0xc3);
}

static inline void x86_endbr64(struct buf *b)
{
	buf_le32(b, 0xfa1e0ff3);
}

static inline void x86_call_rel32(struct buf *b, s32 disp)
{
	struct x86_bytes i = {.at = {0xe8}, .len = 1};

	x86_add32(&i, disp);
	x86_put(b, i);
}

static inline void x86_jmp_reg(struct buf *b, enum x86_reg reg)
{
	x86_put(b, x86_rr(0xff, X86_32, (enum x86_reg)4, reg));
}

static inline void x86_jmp_rel8(struct buf *b, s8 disp)
{
	x86_put(b, ((struct x86_bytes){.at = {0xeb, (u8)disp}, .len = 2}));
}

static inline void x86_jmp_rel32(struct buf *b, s32 disp)
{
	struct x86_bytes i = {.at = {0xe9}, .len = 1};

	x86_add32(&i, disp);
	x86_put(b, i);
}

static inline void x86_jcc_rel8(struct buf *b, enum x86_cond cc, s8 disp)
{
	x86_put(b, ((struct x86_bytes){.at = {(u8)(0x70 | cc), (u8)disp}, .len = 2}));
}

static inline void x86_jcc_rel32(struct buf *b, enum x86_cond cc, s32 disp)
{
	struct x86_bytes i = {.at = {0x0f, (u8)(0x80 | cc)}, .len = 2};

	x86_add32(&i, disp);
	x86_put(b, i);
}

/* The jump with this opcode and a displacement of 1 byte, as one with 4: writes what stands before the displacement, returns
 * how many bytes that is. */
static inline u8 x86_long_jump(u8 *code, u8 opcode)
{
	if (opcode == 0xeb) {
		code[0] = 0xe9;
		return 1;
	}
	code[0] = 0x0f;
	code[1] = (u8)(opcode + 0x10);
	return 2;
}

/* Does nothing, in 1 to 9 bytes. */
static inline void x86_nop(u8 *code, u32 bytes)
{
	static const u8 nops[9][9] = {
		{0x90},
		{0x66, 0x90},
		{0x0f, 0x1f, 0x00},
		{0x0f, 0x1f, 0x40, 0x00},
		{0x0f, 0x1f, 0x44, 0x00, 0x00},
		{0x66, 0x0f, 0x1f, 0x44, 0x00, 0x00},
		{0x0f, 0x1f, 0x80, 0x00, 0x00, 0x00, 0x00},
		{0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00},
		{0x66, 0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00},
	};

	assert(bytes > 0 && bytes <= ARRAY_LEN(nops));
	memcpy(code, nops[bytes - 1], bytes);
}

#endif
