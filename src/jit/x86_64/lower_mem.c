/* Loads, stores and atomic read-modify-write. */
#include <errno.h>

#include "jit/x86_64/value.h"

enum x86_size x86_size_of(u8 code)
{
	static const u8 sizes[] = {[BPF_W >> 3] = X86_M32,
		[BPF_H >> 3] = X86_M16,
		[BPF_B >> 3] = X86_M8,
		[BPF_DW >> 3] = X86_M64};

	return sizes[BPF_SIZE(code) >> 3];
}

u32 x86_lower_load(struct jit *j)
{
	struct insn i = *jit_insn(j, j->pc);
	struct x86_mem m = x86_place(j, i.src, i.off);

	if (BPF_MODE(i.code) == BPF_MEMSX)
		x86_load_signed(&j->code, x86_size_of(i.code), x86_reg(i.dst), m);
	else
		x86_load(&j->code, x86_size_of(i.code), x86_reg(i.dst), m);
	return 1;
}

u32 x86_lower_store_imm(struct jit *j)
{
	struct insn i = *jit_insn(j, j->pc);

	x86_store_imm(&j->code, x86_size_of(i.code), x86_place(j, i.dst, i.off), i.imm);
	return 1;
}

u32 x86_lower_store(struct jit *j)
{
	struct insn i = *jit_insn(j, j->pc);

	if (BPF_MODE(i.code) == BPF_ATOMIC)
		return x86_lower_atomic(j);
	struct x86_mem m = x86_place(j, i.dst, i.off);
	if (x86_const_src(j, i.src, &i.imm))
		x86_store_imm(&j->code, x86_size_of(i.code), m, i.imm);
	else
		x86_store(&j->code, x86_size_of(i.code), m, x86_src(j, i.src));
	return 1;
}

/* src = [m], [m] = src op [m], by a loop of cmpxchg, whose accumulator is r0's register. A 32-bit load and a cmpxchg that
 * fails clear its upper half. */
static void fetch_loop(
	struct jit *j, enum x86_width w, enum x86_alu op, struct x86_mem m, enum x86_reg src)
{
	struct buf *b = &j->code;
	enum x86_reg operand = src == RAX ? X86_SCRATCH : src;

	x86_mov(b, X86_64, X86_SCRATCH, RAX);
	if (m.base == RAX)
		m.base = X86_SCRATCH;
	x86_load(b, w == X86_64 ? X86_M64 : X86_M32, RAX, m);
	u32 again = jit_offset(j);
	x86_mov(b, w, X86_SCRATCH2, RAX);
	x86_alu(b, w, op, X86_SCRATCH2, operand);
	x86_lock_cmpxchg(b, w, m, X86_SCRATCH2);
	u32 loop_bytes = jit_offset(j) + 2 - again;
	x86_jcc_rel8(b, X86_NE, (s8) - (s32)loop_bytes);
	if (src != RAX) {
		x86_mov(b, X86_64, src, RAX);
		x86_mov(b, X86_64, RAX, X86_SCRATCH);
	}
}

u32 x86_lower_atomic(struct jit *j)
{
	static const u8 ops[16] = {[BPF_ADD >> 4] = X86_ADD,
		[BPF_AND >> 4] = X86_AND,
		[BPF_OR >> 4] = X86_OR,
		[BPF_XOR >> 4] = X86_XOR};
	struct insn i = *jit_insn(j, j->pc);
	struct x86_mem m = x86_at(x86_reg(i.dst), i.off);
	enum x86_width w = BPF_SIZE(i.code) == BPF_DW ? X86_64 : X86_32;
	enum x86_reg src = x86_reg(i.src);
	struct buf *b = &j->code;

	switch (i.imm) {
	case BPF_ADD:
	case BPF_AND:
	case BPF_OR:
	case BPF_XOR:
		x86_lock_alu(b, w, ops[i.imm >> 4], m, src);
		break;
	case BPF_ADD | BPF_FETCH:
		x86_lock_xadd(b, w, m, src);
		break;
	case BPF_AND | BPF_FETCH:
	case BPF_OR | BPF_FETCH:
	case BPF_XOR | BPF_FETCH:
		fetch_loop(j, w, ops[i.imm >> 4], m, src);
		break;
	case BPF_XCHG:
		x86_xchg_mem(b, w, m, src);
		break;
	case BPF_CMPXCHG:
		x86_lock_cmpxchg(b, w, m, src);
		if (w == X86_32) /* when it succeeds, the upper half of rax is what it was */
			x86_mov(b, X86_32, RAX, RAX);
		break;
	default:
		jit_fail(j, j->pc, ENOTSUP, "unknown atomic operation 0x%x", (u32)i.imm);
	}
	return 1;
}
