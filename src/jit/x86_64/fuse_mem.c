/* Memory operands: a load folded into the operation, comparison or store that uses it, and per-CPU addresses folded into
 * the access. A register that is left out this way must be dead behind. */
#include "jit/x86_64/fuse.h"

#include "jit/live.h"

/* Where the n-th instruction from here, a load or store, goes. */
struct access {
	struct x86_mem mem;
	struct insn insn;
	u32 n;
	bool folds; /* mem.base isn't the register that insn names, which therefore keeps its old value */
};

static const u8 alu_ops[16] = {[BPF_ADD >> 4] = X86_ADD,
	[BPF_SUB >> 4] = X86_SUB,
	[BPF_AND >> 4] = X86_AND,
	[BPF_OR >> 4] = X86_OR,
	[BPF_XOR >> 4] = X86_XOR};

static bool has_memory_form(struct insn i)
{
	return fuse_is_alu(i) && (BPF_OP(i.code) == BPF_ADD || alu_ops[BPF_OP(i.code) >> 4]);
}

/* The register that the address came in must not be needed behind the instruction at n, unless that one sets it. */
static bool base_is_done(struct jit *j, const struct access *a, u32 n)
{
	struct insn i = a->insn;
	unsigned base = BPF_CLASS(i.code) == BPF_LDX ? i.src : i.dst;

	return !a->folds || !jit_is_live(j, j->pc + n, base);
}

/* [m] op= imm; false when no form fits. */
static bool update_by_imm(struct buf *b, enum x86_size size, u8 op, struct x86_mem m, s32 imm)
{
	if (size == X86_M16 && !x86_fits8(imm))
		return false;
	bool is_sub = op == BPF_SUB;
	if ((op == BPF_ADD || is_sub) && (imm == 1 || imm == -1))
		x86_step_mem(b, size, (imm == 1) != is_sub ? X86_INC : X86_DEC, m);
	else
		x86_alu_store_imm(b, size, alu_ops[op >> 4], m, imm);
	return true;
}

/* load; op; store to the same place. */
static u32 fuse_update(struct jit *j, const struct access *a)
{
	struct insn load = a->insn, op = fuse_ahead(j, a->n + 1);
	bool by_reg = BPF_SRC(op.code) == BPF_X;

	if (!has_memory_form(op) || op.dst != load.dst || (by_reg && op.src == load.dst) ||
		load.dst == load.src)
		return 0;
	struct insn store = fuse_ahead(j, a->n + 2);
	if (store.code != (BPF_STX | BPF_MEM | BPF_SIZE(load.code)) || store.dst != load.src ||
		store.off != load.off || store.src != load.dst)
		return 0;
	enum x86_size size = x86_size_of(load.code);
	bool base_changes =
		by_reg && a->folds && op.src == load.src; /* then it is not what was folded */
	if ((size == X86_M64 && fuse_width(op) == X86_32) || base_changes ||
		jit_is_live(j, j->pc + a->n + 2, load.dst) || !base_is_done(j, a, a->n + 2))
		return 0;
	if (by_reg)
		x86_alu_store(
			&j->code, size, alu_ops[BPF_OP(op.code) >> 4], a->mem, x86_reg(op.src));
	else if (!update_by_imm(&j->code, size, BPF_OP(op.code), a->mem, op.imm))
		return 0;
	return a->n + 3;
}

/* load; another register op= what was loaded. */
static u32 fuse_operand(struct jit *j, const struct access *a)
{
	struct insn load = a->insn, op = fuse_ahead(j, a->n + 1);
	enum x86_size size = x86_size_of(load.code);

	if (!has_memory_form(op) || BPF_SRC(op.code) != BPF_X || op.src != load.dst)
		return 0;
	if (size != (fuse_width(op) == X86_64 ? X86_M64 : X86_M32))
		return 0;
	if (jit_is_live(j, j->pc + a->n + 1, load.dst) || !base_is_done(j, a, a->n + 1))
		return 0;
	x86_alu_load(
		&j->code, fuse_width(op), alu_ops[BPF_OP(op.code) >> 4], x86_reg(op.dst), a->mem);
	return a->n + 2;
}

/* Whether comparing the value in memory, in its own size, is what the jump does with the zero-extended register. */
static bool compares_alike(struct insn jump, enum x86_size size)
{
	unsigned op = BPF_OP(jump.code);
	bool is_signed = op == BPF_JSGT || op == BPF_JSGE || op == BPF_JSLT || op == BPF_JSLE;
	bool is_64 = BPF_CLASS(jump.code) == BPF_JMP;

	if (size == X86_M64)
		return is_64;
	if (size == X86_M32 && !is_64)
		return true;
	if (is_signed || BPF_SRC(jump.code) == BPF_X || jump.imm < 0)
		return false;
	return size == X86_M32 || jump.imm <= (size == X86_M8 ? 0xff : 0x7f);
}

static void compare(struct buf *b, const struct access *a, struct insn jump)
{
	enum x86_size size = x86_size_of(a->insn.code);

	if (BPF_SRC(jump.code) == BPF_X)
		x86_alu_store(b, size, X86_CMP, a->mem, x86_reg(jump.src));
	else if (BPF_OP(jump.code) == BPF_JSET)
		x86_test_mem_imm(b, size, a->mem, jump.imm);
	else
		x86_alu_store_imm(b, size, X86_CMP, a->mem, jump.imm);
}

/* load; jump if the value compares. */
static u32 fuse_compare(struct jit *j, const struct access *a)
{
	struct insn load = a->insn, jump = fuse_ahead(j, a->n + 1);
	enum x86_size size = x86_size_of(load.code);
	bool by_reg = BPF_SRC(jump.code) == BPF_X, is_test = BPF_OP(jump.code) == BPF_JSET;

	if (!insn_is_cond_jump(jump) || jump.dst != load.dst ||
		(by_reg && (is_test || jump.src == load.dst)))
		return 0;
	if (!compares_alike(jump, size) || (is_test && size == X86_M16) ||
		(by_reg && a->folds && jump.src == load.src))
		return 0;
	if (jit_is_live(j, j->pc + a->n + 1, load.dst) || !base_is_done(j, a, a->n + 1))
		return 0;
	compare(&j->code, a, jump);
	return a->n + 1 + x86_branch(j, j->pc + a->n + 1);
}

/* A 16-bit load in the other byte order: the upper bits are zero already. */
static u32 fuse_swapped(struct jit *j, const struct access *a)
{
	struct insn load = a->insn, swap = fuse_ahead(j, a->n + 1);
	bool is_swap = swap.code == (BPF_ALU | BPF_END | BPF_X) ||
		       swap.code == (BPF_ALU64 | BPF_END | BPF_K);

	if (BPF_SIZE(load.code) != BPF_H || !is_swap || swap.imm != 16 || swap.dst != load.dst)
		return 0;
	if (load.dst != load.src && !base_is_done(j, a, a->n + 1))
		return 0;
	x86_load(&j->code, X86_M16, x86_reg(load.dst), a->mem);
	x86_swap16(&j->code, x86_reg(load.dst));
	return a->n + 2;
}

static u32 fuse_load(struct jit *j, const struct access *a)
{
	static const struct {
		enum jit_peephole peephole;
		u32 (*match)(struct jit *j, const struct access *a);
	} matchers[] = {{JIT_UPDATE, fuse_update}, {JIT_OPERAND, fuse_operand},
		{JIT_COMPARE, fuse_compare}, {JIT_SWAPPED, fuse_swapped}};

	for (size_t i = 0; i < ARRAY_LEN(matchers); i++) {
		u32 n = jit_may(j, matchers[i].peephole) ? matchers[i].match(j, a) : 0;

		if (n)
			return n;
	}
	return 0;
}

u32 fuse_access(struct jit *j)
{
	struct insn load = *jit_insn(j, j->pc);
	struct access a = {.mem = x86_at(x86_reg(load.src), load.off), .insn = load};

	return fuse_load(j, &a);
}

/* The access itself, when its address is folded. */
static u32 plain_access(struct jit *j, const struct access *a)
{
	struct insn i = a->insn;
	bool is_load = BPF_CLASS(i.code) == BPF_LDX;

	if (!(is_load && i.dst == i.src) && !base_is_done(j, a, a->n))
		return 0;
	if (BPF_CLASS(i.code) == BPF_STX && i.src == i.dst)
		return 0;
	enum x86_size size = x86_size_of(i.code);
	if (is_load)
		x86_load(&j->code, size, x86_reg(i.dst), a->mem);
	else if (BPF_CLASS(i.code) == BPF_ST)
		x86_store_imm(&j->code, size, a->mem, i.imm);
	else
		x86_store(&j->code, size, a->mem, x86_reg(i.src));
	return a->n + 1;
}

static bool is_plain_access(struct insn i, unsigned base)
{
	unsigned cls = BPF_CLASS(i.code);

	return BPF_MODE(i.code) == BPF_MEM &&
	       ((cls == BPF_LDX && i.src == base) ||
		       ((cls == BPF_ST || cls == BPF_STX) && i.dst == base));
}

/* The constant that the instruction at j->pc loads to *reg, or false. */
static bool is_constant(const struct jit *j, unsigned *reg, s64 *value, u32 *n)
{
	struct insn i = *jit_insn(j, j->pc);

	*reg = i.dst;
	*n = insn_is_ld_imm64(i) ? 2 : 1;
	*value = BPF_CLASS(i.code) == BPF_ALU ? (s64)(u32)i.imm : i.imm;
	if (insn_is_ld_imm64(i))
		*value = (s64)((u64)(u32)jit_insn(j, j->pc + 1)->imm << 32 | (u32)i.imm);
	return insn_is_ld_imm64(i) || (fuse_is_alu(i) && BPF_SRC(i.code) == BPF_K);
}

u32 fuse_percpu_access(struct jit *j)
{
	struct insn mov = *jit_insn(j, j->pc);
	unsigned reg;
	s64 offset = 0;
	u32 n = 0;
	bool is_const = !insn_is_percpu_mov(mov) && is_constant(j, &reg, &offset, &n);

	if (!jit_may(j, JIT_PERCPU))
		return 0;
	if (is_const)
		mov = fuse_ahead(j, n);
	if (!insn_is_percpu_mov(mov) || j->opts->percpu != PERCPU_PINNED ||
		(is_const && mov.src != reg) || (is_const && mov.dst != reg))
		return 0;
	struct access a = {.insn = fuse_ahead(j, n + 1), .n = n + 1, .folds = true};
	s64 disp = offset + a.insn.off;
	if (!is_plain_access(a.insn, mov.dst) || !x86_fits32(disp))
		return 0;
	enum x86_reg base = x86_percpu_reg(j);
	a.mem = is_const ? x86_at(base, (s32)disp)
			 : x86_indexed(base, x86_reg(mov.src), 0, (s32)disp);
	u32 fused = BPF_CLASS(a.insn.code) == BPF_LDX ? fuse_load(j, &a) : 0;
	return fused ? fused : plain_access(j, &a);
}
