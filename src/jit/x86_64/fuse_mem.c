/* Memory operands: a load folded into the operation, comparison or store that uses it. A register that is left out this way
 * must be dead behind. */
#include "jit/x86_64/fuse.h"

#include "jit/live.h"

static bool has_memory_form(struct insn i)
{
	return fuse_is_alu(i) && (BPF_OP(i.code) == BPF_ADD || fuse_alu_ops[BPF_OP(i.code) >> 4]);
}

/* [m] op= imm */
static void update_by_imm(struct buf *b, enum x86_size size, u8 op, struct x86_mem m, s32 imm)
{
	bool is_sub = op == BPF_SUB;

	if ((op == BPF_ADD || is_sub) && (imm == 1 || imm == -1))
		x86_step_mem(b, size, (imm == 1) != is_sub ? X86_INC : X86_DEC, m);
	else
		x86_alu_store_imm(b, size, fuse_alu_ops[op >> 4], m, imm);
}

/* load; op; store to the same place. */
static u32 fuse_update(struct jit *j, struct insn load)
{
	struct insn op = fuse_ahead(j, 1), store;
	enum x86_size size = x86_size_of(load.code);
	bool by_reg = BPF_SRC(op.code) == BPF_X;

	if (!has_memory_form(op) || op.dst != load.dst || (by_reg && op.src == load.dst) ||
		load.dst == load.src)
		return 0;
	store = fuse_ahead(j, 2);
	if (store.code != (BPF_STX | BPF_MEM | BPF_SIZE(load.code)) || store.dst != load.src ||
		store.off != load.off || store.src != load.dst)
		return 0;
	if ((size == X86_M64 && fuse_width(op) == X86_32) ||
		(size == X86_M16 && !by_reg && !x86_fits8(op.imm)) ||
		jit_is_live(j, j->pc + 2, load.dst))
		return 0;
	x86_take(j, 3);
	struct x86_mem m = x86_place(j, load.src, load.off);
	if (by_reg)
		x86_alu_store(
			&j->code, size, fuse_alu_ops[BPF_OP(op.code) >> 4], m, x86_reg(op.src));
	else
		update_by_imm(&j->code, size, BPF_OP(op.code), m, op.imm);
	return 3;
}

/* Where what is loaded is used: behind the load or, when something may go first that keeps the address, one instruction
 * further. */
static u32 user_of_load(struct jit *j, struct insn load)
{
	return fuse_may_go_first(j, 1) && jit_is_live(j, j->pc + 1, load.src) ? 2 : 1;
}

/* load; another register op= what was loaded. */
static u32 fuse_operand(struct jit *j, struct insn load)
{
	u32 user = user_of_load(j, load);
	struct insn op = fuse_ahead(j, user);
	enum x86_size size = x86_size_of(load.code);

	if (!has_memory_form(op) || BPF_SRC(op.code) != BPF_X || op.src != load.dst ||
		op.dst == load.dst)
		return 0;
	if (size != (fuse_width(op) == X86_64 ? X86_M64 : X86_M32) ||
		jit_is_live(j, j->pc + user, load.dst))
		return 0;
	if (user == 2)
		fuse_go_first(j, 1);
	x86_take(j, 1 + user);
	x86_alu_load(&j->code, fuse_width(op), fuse_alu_ops[BPF_OP(op.code) >> 4], x86_reg(op.dst),
		x86_place(j, load.src, load.off));
	return 1 + user;
}

/* Whether comparing the value in memory, in its own size, is what the jump does with the zero-extended register. flags: those of
 * the jump's fact. */
static bool compares_alike(struct insn jump, enum x86_size size, u16 flags)
{
	unsigned op = BPF_OP(jump.code);
	bool is_signed = op == BPF_JSGT || op == BPF_JSGE || op == BPF_JSLT || op == BPF_JSLE;
	bool is_64 = BPF_CLASS(jump.code) == BPF_JMP;

	if (size == X86_M64)
		return is_64;
	if (size == X86_M32 && !is_64)
		return true;
	if (is_signed)
		return false;
	if (BPF_SRC(jump.code) == BPF_X)
		return flags & (size == X86_M8 ? FACT_SRC_BYTE : FACT_SRC_SHORT);
	if (jump.imm < 0)
		return false;
	return size == X86_M32 || jump.imm <= (size == X86_M8 ? 0xff : 0x7f);
}

static void compare(struct jit *j, struct insn load, struct insn jump)
{
	struct x86_mem m = x86_place(j, load.src, load.off);
	enum x86_size size = x86_size_of(load.code);

	if (BPF_SRC(jump.code) == BPF_X)
		x86_alu_store(&j->code, size, X86_CMP, m, x86_reg(jump.src));
	else if (BPF_OP(jump.code) == BPF_JSET)
		x86_test_mem_imm(&j->code, size, m, jump.imm);
	else
		x86_alu_store_imm(&j->code, size, X86_CMP, m, jump.imm);
}

/* load; jump if the value compares. */
static u32 fuse_compare(struct jit *j, struct insn load)
{
	u32 user = user_of_load(j, load);
	struct insn jump = fuse_ahead(j, user);
	enum x86_size size = x86_size_of(load.code);
	bool by_reg = BPF_SRC(jump.code) == BPF_X, is_test = BPF_OP(jump.code) == BPF_JSET;

	if (!insn_is_cond_jump(jump) || jump.dst != load.dst ||
		(by_reg && (is_test || jump.src == load.dst)))
		return 0;
	if (!compares_alike(jump, size, jit_fact(j, j->pc + user)->flags) ||
		(is_test && size == X86_M16) || jit_is_live(j, j->pc + user, load.dst))
		return 0;
	if (user == 2)
		fuse_go_first(j, 1);
	x86_take(j, user + x86_branch_insns(j, j->pc + user));
	compare(j, load, jump);
	return user + x86_branch(j, j->pc + user);
}

/* A 16-bit load in the other byte order: the upper bits are zero already. */
static u32 fuse_swapped(struct jit *j, struct insn load)
{
	struct insn swap = fuse_ahead(j, 1);
	bool is_swap = swap.code == (BPF_ALU | BPF_END | BPF_X) ||
		       swap.code == (BPF_ALU64 | BPF_END | BPF_K);

	if (BPF_SIZE(load.code) != BPF_H || !is_swap || swap.imm != 16 || swap.dst != load.dst)
		return 0;
	x86_take(j, 2);
	x86_load(&j->code, X86_M16, x86_reg(load.dst), x86_place(j, load.src, load.off));
	x86_swap16(&j->code, x86_reg(load.dst));
	return 2;
}

u32 fuse_load(struct jit *j)
{
	static const struct {
		enum jit_peephole peephole;
		u32 (*match)(struct jit *j, struct insn load);
	} matchers[] = {{JIT_UPDATE, fuse_update}, {JIT_OPERAND, fuse_operand},
		{JIT_COMPARE, fuse_compare}, {JIT_SWAPPED, fuse_swapped}};

	for (size_t i = 0; i < ARRAY_LEN(matchers); i++) {
		u32 n = jit_may(j, matchers[i].peephole) ? matchers[i].match(j, *jit_insn(j, j->pc))
							 : 0;

		if (n)
			return n;
	}
	return 0;
}
