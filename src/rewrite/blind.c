/* Hides the program's constants from native code, for programs whose author is not trusted: what stands in an immediate
 * operand stands in the code as the author chose it, and a jump into the middle of an instruction would execute it.
 *
 * A constant k becomes a random r, which is stored to the stack and loaded again, and k ^ r, which is then applied: each of
 * the two says nothing about k. It goes by way of the stack so that no back end that computes with constants puts them
 * together again. So does what facts tell of values, and therefore those go.
 *
 * An operation with an immediate operand gets it from a register that is dead there. Where none is, one is saved on the
 * stack; a conditional jump brings it back on both ways. Shift counts, sizes and offsets are left as they are. */
#include <errno.h>
#include <sys/random.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/limits.h"
#include "rewrite/editor.h"
#include "rewrite/flow.h"
#include "rewrite/gen.h"
#include "rewrite/live.h"
#include "rewrite/passes.h"
#include "rewrite/regs.h"

enum { SLOT_BYTES = 8, ROOM_BYTES = 2 * SLOT_BYTES, INSNS_MAX = 12, SWEEPS_MAX = 1 << 16 };

struct blind {
	const struct prog *p;
	struct facts *f;
	struct editor e;
	u16 *before;                  /* live registers */
	s16 key, saved;               /* slots of the running subprogram, from r10 */
	struct insn insns[INSNS_MAX]; /* what replaces an instruction */
	u32 nr;
	bool no_random;
};

static void put(struct blind *b, struct insn i)
{
	assert(b->nr < INSNS_MAX);
	b->insns[b->nr++] = i;
}

static s32 random_bits(struct blind *b)
{
	s32 bits = 0;

	if (getrandom(&bits, sizeof(bits), 0) != sizeof(bits))
		b->no_random = true;
	return bits;
}

static struct insn store_imm(u8 size, s16 off, s32 imm)
{
	return (struct insn){
		.code = (u8)(BPF_ST | BPF_MEM | size), .dst = BPF_REG_FP, .off = off, .imm = imm};
}

static struct insn store(u8 size, s16 off, u8 src)
{
	return (struct insn){.code = (u8)(BPF_STX | BPF_MEM | size),
		.dst = BPF_REG_FP,
		.src = src & 0xfu,
		.off = off};
}

/* reg = k, sign-extended or with an upper half of zero. */
static void put_const(struct blind *b, u8 reg, s32 k, bool wide)
{
	s32 r = random_bits(b);
	struct insn apply = gen_alu_imm(BPF_XOR, reg, k ^ r);

	if (!wide)
		apply.code = BPF_ALU | BPF_XOR | BPF_K;
	put(b, store_imm(BPF_DW, b->key, r));
	put(b, gen_load(BPF_DW, reg, BPF_REG_FP, b->key));
	put(b, apply);
}

/* Half after half is put together on the stack: no other register is needed. */
static void put_const64(struct blind *b, u8 reg, u32 low, u32 high)
{
	for (u32 half = 0; half < 2; half++) {
		s16 at = (s16)(b->key + 4 * (s16)half);
		s32 r = random_bits(b), k = (s32)(half ? high : low);

		put(b, store_imm(BPF_W, at, r));
		put(b, gen_load(BPF_W, reg, BPF_REG_FP, at));
		put(b, (struct insn){
			       .code = BPF_ALU | BPF_XOR | BPF_K, .dst = reg & 0xfu, .imm = k ^ r});
		put(b, store(BPF_W, at, reg));
	}
	put(b, gen_load(BPF_DW, reg, BPF_REG_FP, b->key));
}

/* ---- which constants ---- */

static bool is_shift(struct insn i)
{
	return BPF_OP(i.code) == BPF_LSH || BPF_OP(i.code) == BPF_RSH || BPF_OP(i.code) == BPF_ARSH;
}

static bool is_alu(struct insn i)
{
	return BPF_CLASS(i.code) == BPF_ALU || BPF_CLASS(i.code) == BPF_ALU64;
}

static bool has_constant(struct insn i)
{
	if (is_alu(i))
		return BPF_SRC(i.code) == BPF_K && !is_shift(i) && BPF_OP(i.code) != BPF_END &&
		       BPF_OP(i.code) != BPF_NEG;
	if (insn_is_cond_jump(i))
		return BPF_SRC(i.code) == BPF_K;
	return BPF_CLASS(i.code) == BPF_ST || (insn_is_ld_imm64(i) && i.src == LD_IMM64_VALUE);
}

/* The same with the constant in `reg`. */
static struct insn with_register(struct insn i, u8 reg)
{
	i.code = BPF_CLASS(i.code) == BPF_ST ? (u8)(BPF_STX | (i.code & ~7)) : (u8)(i.code | BPF_X);
	i.src = reg & 0xfu;
	i.imm = 0;
	return i;
}

/* ---- instructions ---- */

/* A register that nobody needs behind pc and the instruction doesn't name, or BPF_NR_REGS. */
static u8 free_register(const struct blind *b, u32 pc)
{
	struct insn i = b->p->insns[pc];
	u32 taken = live_behind(b->p, b->before, pc) | regs_read(i) | regs_written(i);

	for (u8 reg = 0; reg < BPF_REG_FP; reg++)
		if (!(taken >> reg & 1))
			return reg;
	return BPF_NR_REGS;
}

/* Where none is free: one that can be saved meanwhile. */
static u8 spare(struct insn i)
{
	return i.dst == BPF_REG_0 ? BPF_REG_1 : BPF_REG_0;
}

/* What stays true of the jump at pc: whether it is reached and where it goes. */
static u16 ways(const struct blind *b, u32 pc)
{
	return b->f->insns[pc].flags & (FACT_SEEN | FACT_TAKEN | FACT_NOT_TAKEN);
}

/* The register that holds the constant gets its own value back on both ways. */
static void blind_crowded_jump(struct blind *b, u32 pc)
{
	struct insn i = b->p->insns[pc], jump;
	u8 reg = spare(i);
	u16 flags = ways(b, pc);

	put(b, store(BPF_DW, b->saved, reg));
	put_const(b, reg, i.imm, true);
	jump = with_register(i, reg);
	jump.off = 2;
	put(b, jump);
	put(b, gen_load(BPF_DW, reg, BPF_REG_FP, b->saved));
	put(b, (struct insn){.code = BPF_JMP | BPF_JA, .off = 2});
	put(b, gen_load(BPF_DW, reg, BPF_REG_FP, b->saved));
	put(b, (struct insn){.code = BPF_JMP | BPF_JA});
	edit_replace(&b->e, pc, 1, b->insns, b->nr);
	edit_exit(&b->e, b->nr - 1, flow_target(i, pc));
	edit_fact(&b->e, b->nr - 5, (struct fact){.flags = flags});
	for (u32 n = 1; n <= 4; n++)
		if (flags & (n <= 2 ? FACT_NOT_TAKEN : FACT_TAKEN))
			edit_fact(&b->e, b->nr - n, (struct fact){0});
}

static void blind_jump(struct blind *b, u32 pc, u8 reg)
{
	struct insn i = b->p->insns[pc];

	if (reg == BPF_NR_REGS) {
		blind_crowded_jump(b, pc);
		return;
	}
	put_const(b, reg, i.imm, true);
	edit_insert(&b->e, pc, b->insns, b->nr);
	edit_jump(&b->e, pc, with_register(i, reg), flow_target(i, pc));
	edit_fact(&b->e, 0, (struct fact){.flags = ways(b, pc)});
}

static void blind_operand(struct blind *b, u32 pc, u8 reg)
{
	struct insn i = b->p->insns[pc];
	bool none = reg == BPF_NR_REGS;

	if (none)
		reg = spare(i);
	if (none)
		put(b, store(BPF_DW, b->saved, reg));
	put_const(b, reg, i.imm, true);
	put(b, with_register(i, reg));
	if (none)
		put(b, gen_load(BPF_DW, reg, BPF_REG_FP, b->saved));
}

static void blind(struct blind *b, u32 pc)
{
	struct insn i = b->p->insns[pc];

	b->nr = 0;
	if (insn_is_cond_jump(i)) {
		blind_jump(b, pc, free_register(b, pc));
		return;
	}
	if (insn_is_ld_imm64(i))
		put_const64(b, i.dst, (u32)i.imm, (u32)b->p->insns[pc + 1].imm);
	else if (is_alu(i) && BPF_OP(i.code) == BPF_MOV)
		put_const(b, i.dst, i.imm, BPF_CLASS(i.code) == BPF_ALU64);
	else
		blind_operand(b, pc, free_register(b, pc));
	edit_replace(&b->e, pc, flow_width(i), b->insns, b->nr);
}

/* ---- subprograms ---- */

static bool any_constant(const struct prog *p, u32 start, u32 end)
{
	for (u32 pc = start; pc < end; pc += flow_width(p->insns[pc]))
		if (has_constant(p->insns[pc]))
			return true;
	return false;
}

static int blind_subprog(struct blind *b, u32 n, struct diag *d)
{
	u32 start = b->f->subprog_start[n];
	u32 end = n + 1 < b->f->nr_subprogs ? b->f->subprog_start[n + 1] : b->p->len;

	if (!any_constant(b->p, start, end))
		return 0;
	u32 bytes = b->f->stack_bytes[n] + ROOM_BYTES;
	if (bytes > PROG_STACK_BYTES)
		return diag_fail(d, pos_insn(b->p->name, start), E2BIG,
			"no %d bytes of stack are left to hide constants with, as hardening wants "
			"it",
			ROOM_BYTES);
	b->f->stack_bytes[n] = bytes;
	b->saved = (s16)-bytes;
	b->key = (s16)(b->saved + SLOT_BYTES);
	for (u32 pc = start; pc < end; pc += flow_width(b->p->insns[pc]))
		if (has_constant(b->p->insns[pc]))
			blind(b, pc);
	return 0;
}

static void forget_values(struct facts *f)
{
	for (u32 pc = 0; pc < f->len; pc++)
		f->insns[pc].flags &= (u16)~FACT_DST_KNOWN;
}

int blind_run(struct prog *p, struct facts *f, struct diag *d)
{
	struct blind b = {.p = p, .f = f, .before = mem_alloc(array_size(p->len, sizeof(u16)))};
	int err = b.before ? live_find(p, LIVE_ALL, SWEEPS_MAX, b.before) : -ENOMEM;

	if (err == -ENOMEM)
		diag_nomem(d);
	editor_init(&b.e, p, f);
	for (u32 n = 0; !err && n < f->nr_subprogs; n++)
		err = blind_subprog(&b, n, d);
	if (!err && b.no_random)
		err = diag_fail(d, pos_insn(p->name, 0), EIO, "the system has no random numbers");
	if (!err)
		err = editor_apply(&b.e, d);
	if (!err)
		forget_values(f);
	p->hides_constants |= !err;
	editor_fini(&b.e);
	mem_free(b.before);
	return err;
}
