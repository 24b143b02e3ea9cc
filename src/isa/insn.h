/* One BPF instruction and the names of its fields: RFC 9669, section 3. */
#ifndef WEIR_ISA_INSN_H
#define WEIR_ISA_INSN_H

#include "base/types.h"

/* The wire format on little-endian hosts, same layout as the kernel's struct bpf_insn. */
struct insn {
	u8 code;
	u8 dst : 4;
	u8 src : 4;
	s16 off;
	s32 imm;
};

_Static_assert(sizeof(struct insn) == 8, "RFC 9669: a basic instruction has 64 bits");

/* Classes: code & 0x07 */
#define BPF_LD 0x00
#define BPF_LDX 0x01
#define BPF_ST 0x02
#define BPF_STX 0x03
#define BPF_ALU 0x04 /* 32 bit */
#define BPF_JMP 0x05
#define BPF_JMP32 0x06
#define BPF_ALU64 0x07
#define BPF_CLASS(code) ((code) & 0x07)

/* Source operand: code & 0x08 */
#define BPF_K 0x00
#define BPF_X 0x08
#define BPF_SRC(code) ((code) & 0x08)

/* Arithmetic: code & 0xf0 */
#define BPF_ADD 0x00
#define BPF_SUB 0x10
#define BPF_MUL 0x20
#define BPF_DIV 0x30 /* off 1: signed */
#define BPF_OR 0x40
#define BPF_AND 0x50
#define BPF_LSH 0x60
#define BPF_RSH 0x70
#define BPF_NEG 0x80
#define BPF_MOD 0x90 /* off 1: signed */
#define BPF_XOR 0xa0
#define BPF_MOV 0xb0 /* off 8, 16, 32: sign-extending */
#define BPF_ARSH 0xc0
#define BPF_END 0xd0 /* ALU: K to little endian, X to big endian; ALU64: unconditional swap */
#define BPF_OP(code) ((code) & 0xf0)

/* Jumps: code & 0xf0 */
#define BPF_JA 0x00
#define BPF_JEQ 0x10
#define BPF_JGT 0x20
#define BPF_JGE 0x30
#define BPF_JSET 0x40
#define BPF_JNE 0x50
#define BPF_JSGT 0x60
#define BPF_JSGE 0x70
#define BPF_CALL 0x80
#define BPF_EXIT 0x90
#define BPF_JLT 0xa0
#define BPF_JLE 0xb0
#define BPF_JSLT 0xc0
#define BPF_JSLE 0xd0

/* Size: code & 0x18 */
#define BPF_W 0x00
#define BPF_H 0x08
#define BPF_B 0x10
#define BPF_DW 0x18
#define BPF_SIZE(code) ((code) & 0x18)

/* Mode: code & 0xe0 */
#define BPF_IMM 0x00
#define BPF_ABS 0x20 /* legacy packet access */
#define BPF_IND 0x40 /* legacy packet access */
#define BPF_MEM 0x60
#define BPF_MEMSX 0x80
#define BPF_ATOMIC 0xc0
#define BPF_MODE(code) ((code) & 0xe0)

/* Atomic operations, in imm */
#define BPF_FETCH 0x01
#define BPF_XCHG (0xe0 | BPF_FETCH)
#define BPF_CMPXCHG (0xf0 | BPF_FETCH)

/* What src says in a 64-bit immediate load (RFC 9669, 5.4; values 5 and 6 as in linux/bpf.h). */
enum ld_imm64_kind {
	LD_IMM64_VALUE = 0,	/* imm, next imm: the two halves */
	LD_IMM64_MAP_FD = 1,	/* input only from outside; weir's programs use the index forms */
	LD_IMM64_MAP_VALUE = 2, /* likewise */
	LD_IMM64_BTF_ID = 3,
	LD_IMM64_FUNC = 4,	 /* imm: distance to a subprogram, as in a local call */
	LD_IMM64_MAP_IDX = 5,	 /* imm: index into prog.maps */
	LD_IMM64_MAP_IDX_VALUE = 6, /* imm: index, next imm: offset into the first value of that map */
};

/* What src says in a call. */
enum call_kind { CALL_HELPER = 0, CALL_LOCAL = 1, CALL_KFUNC = 2 };

/* The internal-only instruction "dst = this CPU's address of src": mov64 dst, src with off = -1, imm = 0.
 * Passes put it in behind the verifier; isa_check refuses it in any input program. */
#define BPF_PERCPU_MOV_OFF (-1)

enum reg {
	BPF_REG_0, BPF_REG_1, BPF_REG_2, BPF_REG_3, BPF_REG_4, BPF_REG_5,
	BPF_REG_6, BPF_REG_7, BPF_REG_8, BPF_REG_9, BPF_REG_10, BPF_NR_REGS
};
#define BPF_REG_FP BPF_REG_10

static inline bool insn_is_ld_imm64(struct insn i)
{
	return i.code == (BPF_LD | BPF_IMM | BPF_DW);
}

/* Loads from the packet of the context in r6, into r0: only before passes run. */
static inline bool insn_is_legacy_load(struct insn i)
{
	return BPF_CLASS(i.code) == BPF_LD && (BPF_MODE(i.code) == BPF_ABS || BPF_MODE(i.code) == BPF_IND);
}

static inline bool insn_is_percpu_mov(struct insn i)
{
	return i.code == (BPF_ALU64 | BPF_MOV | BPF_X) && i.off == BPF_PERCPU_MOV_OFF;
}

static inline bool insn_is_local_call(struct insn i)
{
	return i.code == (BPF_JMP | BPF_CALL) && i.src == CALL_LOCAL;
}

static inline bool insn_is_kfunc_call(struct insn i)
{
	return i.code == (BPF_JMP | BPF_CALL) && i.src == CALL_KFUNC;
}

static inline bool insn_is_helper_call(struct insn i)
{
	return i.code == (BPF_JMP | BPF_CALL) && i.src == CALL_HELPER;
}

static inline bool insn_is_exit(struct insn i)
{
	return i.code == (BPF_JMP | BPF_EXIT);
}

/* Jumps, calls, exit. */
static inline bool insn_is_jump_class(struct insn i)
{
	return BPF_CLASS(i.code) == BPF_JMP || BPF_CLASS(i.code) == BPF_JMP32;
}

/* Conditional jumps only: not ja, call, exit. */
static inline bool insn_is_cond_jump(struct insn i)
{
	unsigned op = BPF_OP(i.code);

	return insn_is_jump_class(i) && op != BPF_JA && op != BPF_CALL && op != BPF_EXIT;
}

static inline bool insn_is_ja(struct insn i)
{
	return insn_is_jump_class(i) && BPF_OP(i.code) == BPF_JA;
}

/* Distance of a jump or ja, in instructions from the next one. Call only for jumps. */
static inline s32 insn_jump_off(struct insn i)
{
	return i.code == (BPF_JMP32 | BPF_JA) ? i.imm : i.off;
}

#endif
