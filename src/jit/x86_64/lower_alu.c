/* Arithmetic but division. The 32-bit forms clear the upper half of their destination by themselves; an operation that
 * turns into nothing must still do so. */
#include <errno.h>

#include "jit/x86_64/fuse.h"

void x86_load_const(struct buf *b, enum x86_reg dst, u64 value)
{
	if (value == 0)
		x86_alu(b, X86_32, X86_XOR, dst, dst);
	else if (value <= UINT32_MAX)
		x86_mov_imm32(b, dst, (u32)value);
	else if (x86_fits32((s64)value))
		x86_mov_simm32(b, dst, (s32)(s64)value);
	else
		x86_mov_imm64(b, dst, value);
}

void x86_keep(struct jit *j, enum x86_width w, enum x86_reg dst)
{
	bool clean = jit_fact(j, j->pc)->flags & FACT_DST_UPPER_ZERO ||
		     x86_state(j)->clean >> jit_insn(j, j->pc)->dst & 1;

	if (w == X86_32 && !clean)
		x86_mov(&j->code, X86_32, dst, dst);
}

void x86_add_const(struct buf *b, enum x86_width w, enum x86_reg dst, s32 imm)
{
	if (imm == 1)
		x86_step(b, w, X86_INC, dst);
	else if (imm == -1)
		x86_step(b, w, X86_DEC, dst);
	else if (imm == 128) /* -128 has a short form, 128 hasn't */
		x86_alu_imm(b, w, X86_SUB, dst, -128);
	else
		x86_alu_imm(b, w, X86_ADD, dst, imm);
}

static void add_imm(struct jit *j, enum x86_width w, enum x86_reg dst, s32 imm)
{
	if (imm == 0) {
		x86_keep(j, w, dst);
		return;
	}
	x86_add_const(&j->code, w, dst, imm);
	x86_set_flags(j, w, dst);
}

static void sub_imm(struct jit *j, enum x86_width w, enum x86_reg dst, s32 imm)
{
	if (imm == INT32_MIN) /* has no negative */
		x86_alu_imm(&j->code, w, X86_SUB, dst, imm);
	else
		add_imm(j, w, dst, -imm);
}

static void and_imm(struct jit *j, enum x86_width w, enum x86_reg dst, s32 imm)
{
	if (imm == -1)
		x86_keep(j, w, dst);
	else if (imm == 0)
		x86_load_const(&j->code, dst, 0);
	else if (imm == 0xff)
		x86_movzx(&j->code, X86_M8, dst, dst);
	else if (imm == 0xffff)
		x86_movzx(&j->code, X86_M16, dst, dst);
	else {
		x86_alu_imm(&j->code, imm > 0 ? X86_32 : w, X86_AND, dst, imm);
		x86_set_flags(j, w, dst);
	}
}

static void or_imm(struct jit *j, enum x86_width w, enum x86_reg dst, s32 imm)
{
	if (imm == 0) {
		x86_keep(j, w, dst);
		return;
	}
	x86_alu_imm(&j->code, w, X86_OR, dst, imm);
	x86_set_flags(j, w, dst);
}

static void xor_imm(struct jit *j, enum x86_width w, enum x86_reg dst, s32 imm)
{
	if (imm == 0)
		x86_keep(j, w, dst);
	else if (imm == -1)
		x86_unary(&j->code, w, X86_NOT, dst);
	else
		x86_alu_imm(&j->code, w, X86_XOR, dst, imm);
}

static void mul_imm(struct jit *j, enum x86_width w, enum x86_reg dst, s32 imm)
{
	if (imm == 0)
		x86_load_const(&j->code, dst, 0);
	else if (imm == 1)
		x86_keep(j, w, dst);
	else if (imm == -1)
		x86_unary(&j->code, w, X86_NEG, dst);
	else if (imm == 3 || imm == 5 || imm == 9)
		x86_lea(&j->code, w, dst,
			x86_indexed(dst, dst, (unsigned)__builtin_ctz((u32)imm - 1), 0));
	else if (imm > 0 && (imm & (imm - 1)) == 0)
		x86_shift_imm(&j->code, w, X86_SHL, dst, (unsigned)__builtin_ctz((u32)imm));
	else
		x86_imul_imm(&j->code, w, dst, dst, imm);
}

static void mov_imm(struct jit *j, enum x86_width w, enum x86_reg dst, s32 imm)
{
	x86_load_const(&j->code, dst, w == X86_64 ? (u64)(s64)imm : (u32)imm);
}

static void shift_imm(struct jit *j, enum x86_width w, enum x86_reg dst, s32 imm)
{
	static const u8 ops[16] = {
		[BPF_LSH >> 4] = X86_SHL, [BPF_RSH >> 4] = X86_SHR, [BPF_ARSH >> 4] = X86_SAR};
	enum x86_shift op = ops[BPF_OP(jit_insn(j, j->pc)->code) >> 4];
	unsigned count = (u32)imm & (w == X86_64 ? 63 : 31);

	if (count == 0) {
		x86_keep(j, w, dst);
		return;
	}
	x86_shift_imm(&j->code, w, op, dst, count);
	x86_set_flags(j, w, dst);
}

static void div_imm(struct jit *j, enum x86_width w, enum x86_reg dst, s32 imm)
{
	(void)w, (void)dst, (void)imm;
	x86_lower_div(j);
}

static void neg(struct jit *j, enum x86_width w, enum x86_reg dst, s32 imm)
{
	(void)imm;
	x86_unary(&j->code, w, X86_NEG, dst);
}

/* Both byte orders end up here: to little endian truncates, all others swap. */
static void byte_swap(struct jit *j, enum x86_width w, enum x86_reg dst, s32 bits)
{
	struct buf *b = &j->code;
	struct insn i = *jit_insn(j, j->pc);
	bool swap = BPF_CLASS(i.code) == BPF_ALU64 || BPF_SRC(i.code) == BPF_X;

	(void)w;
	if (swap && bits == 16)
		x86_swap16(b, dst);
	else if (swap)
		x86_bswap(b, bits == 64 ? X86_64 : X86_32, dst);
	if (bits == 16)
		x86_movzx(b, X86_M16, dst, dst);
	else if (!swap && bits == 32)
		x86_keep(j, X86_32, dst);
}

static void alu_reg(struct jit *j, enum x86_width w, enum x86_reg dst, enum x86_reg src)
{
	static const u8 ops[16] = {[BPF_ADD >> 4] = X86_ADD,
		[BPF_SUB >> 4] = X86_SUB,
		[BPF_AND >> 4] = X86_AND,
		[BPF_OR >> 4] = X86_OR,
		[BPF_XOR >> 4] = X86_XOR};

	x86_alu(&j->code, w, ops[BPF_OP(jit_insn(j, j->pc)->code) >> 4], dst, src);
	x86_set_flags(j, w, dst);
}

static void mul_reg(struct jit *j, enum x86_width w, enum x86_reg dst, enum x86_reg src)
{
	x86_imul(&j->code, w, dst, src);
}

/* A variable count must be in cl, which is r4's. The host masks counts as BPF does. */
static void shift_reg(struct jit *j, enum x86_width w, enum x86_reg dst, enum x86_reg src)
{
	static const u8 ops[16] = {
		[BPF_LSH >> 4] = X86_SHL, [BPF_RSH >> 4] = X86_SHR, [BPF_ARSH >> 4] = X86_SAR};
	enum x86_shift op = ops[BPF_OP(jit_insn(j, j->pc)->code) >> 4];
	bool save = src != RCX && dst != RCX && !x86_is_free(j, BPF_REG_4);
	enum x86_reg victim = dst == RCX ? X86_SCRATCH : dst;
	struct buf *b = &j->code;

	if (src != RCX && x86_has_bmi2(j)) {
		x86_shift_into(b, w, op, dst, dst, src);
		return;
	}
	if (dst == RCX || save)
		x86_mov(b, X86_64, X86_SCRATCH, RCX);
	if (src != RCX)
		x86_mov(b, X86_32, RCX, src);
	x86_shift_cl(b, w, op, victim);
	if (dst == RCX || save)
		x86_mov(b, X86_64, RCX, X86_SCRATCH);
}

static void percpu_mov(struct jit *j, enum x86_reg dst, enum x86_reg src)
{
	struct buf *b = &j->code;

	if (j->opts->percpu == PERCPU_PINNED) {
		enum x86_reg base = x86_percpu_reg(j);

		if (dst == src)
			x86_alu(b, X86_64, X86_ADD, dst, base);
		else
			x86_lea(b, X86_64, dst, x86_indexed(src, base, 0, 0));
		return;
	}
	if (dst != src)
		x86_mov(b, X86_64, dst, src);
	x86_add_segment(b, j->opts->percpu == PERCPU_THREAD ? X86_FS : X86_GS, dst,
		(s32)j->opts->thread_off);
}

static void mov_reg(struct jit *j, enum x86_width w, enum x86_reg dst, enum x86_reg src)
{
	struct insn i = *jit_insn(j, j->pc);

	if (insn_is_percpu_mov(i))
		percpu_mov(j, dst, src);
	else if (i.off == 8 || i.off == 16)
		x86_movsx(&j->code, w, i.off == 8 ? X86_M8 : X86_M16, dst, src);
	else if (i.off == 32)
		x86_movsx(&j->code, X86_64, X86_M32, dst, src);
	else if (dst == src)
		x86_keep(j, w, dst);
	else
		x86_mov(&j->code, w, dst, src);
}

static void div_reg(struct jit *j, enum x86_width w, enum x86_reg dst, enum x86_reg src)
{
	(void)w, (void)dst, (void)src;
	x86_lower_div(j);
}

static void (*const lower_imm[16])(struct jit *j, enum x86_width w, enum x86_reg dst, s32 imm) = {
	[BPF_ADD >> 4] = add_imm,
	[BPF_SUB >> 4] = sub_imm,
	[BPF_MUL >> 4] = mul_imm,
	[BPF_DIV >> 4] = div_imm,
	[BPF_OR >> 4] = or_imm,
	[BPF_AND >> 4] = and_imm,
	[BPF_LSH >> 4] = shift_imm,
	[BPF_RSH >> 4] = shift_imm,
	[BPF_NEG >> 4] = neg,
	[BPF_MOD >> 4] = div_imm,
	[BPF_XOR >> 4] = xor_imm,
	[BPF_MOV >> 4] = mov_imm,
	[BPF_ARSH >> 4] = shift_imm,
	[BPF_END >> 4] = byte_swap,
};

static void (*const lower_reg[16])(
	struct jit *j, enum x86_width w, enum x86_reg dst, enum x86_reg src) = {
	[BPF_ADD >> 4] = alu_reg,
	[BPF_SUB >> 4] = alu_reg,
	[BPF_MUL >> 4] = mul_reg,
	[BPF_DIV >> 4] = div_reg,
	[BPF_OR >> 4] = alu_reg,
	[BPF_AND >> 4] = alu_reg,
	[BPF_LSH >> 4] = shift_reg,
	[BPF_RSH >> 4] = shift_reg,
	[BPF_MOD >> 4] = div_reg,
	[BPF_XOR >> 4] = alu_reg,
	[BPF_MOV >> 4] = mov_reg,
	[BPF_ARSH >> 4] = shift_reg,
};

u32 x86_lower_alu(struct jit *j)
{
	struct insn i = *jit_insn(j, j->pc);
	enum x86_width w = BPF_CLASS(i.code) == BPF_ALU64 ? X86_64 : X86_32;
	u8 op = i.code >> 4;
	bool by_reg = BPF_SRC(i.code) == BPF_X && BPF_OP(i.code) != BPF_END;

	if (by_reg && !x86_const_src(j, i.src, &i.imm))
		lower_reg[op](j, w, x86_reg(i.dst), x86_src(j, i.src));
	else
		lower_imm[op](j, w, x86_reg(i.dst), i.imm);
	if (x86_state(j)->flags_end == jit_offset(j))
		x86_state(j)->flags_wanted = x86_jump_on_result(j);
	return 1;
}

u32 x86_lower_ld_imm64(struct jit *j)
{
	struct insn low = *jit_insn(j, j->pc), high = *jit_insn(j, j->pc + 1);

	x86_load_const(&j->code, x86_reg(low.dst), (u64)(u32)high.imm << 32 | (u32)low.imm);
	return 2;
}
