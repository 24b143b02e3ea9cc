/* Liveness of registers: the backward walk over the program, repeated until nothing changes. A subprogram's r6 ... r9 end
 * with it, and it may read all argument registers of its caller. */
#include "jit/live.h"

#include <string.h>

#include "helper/helper.h"
#include "jit/target.h"

/* Loops make another round necessary for each level of nesting; programs that need more are not worth it. */
enum { ROUNDS_MAX = 24 };

static u16 bit(unsigned reg)
{
	return (u16)(1u << reg);
}

static u16 bits(unsigned a, unsigned b)
{
	return (u16)(1u << a | 1u << b);
}

static struct jit_effect alu_effect(struct insn i)
{
	bool has_src = BPF_SRC(i.code) == BPF_X && BPF_OP(i.code) != BPF_END;
	u16 reads = has_src ? bit(i.src) : 0;

	if (BPF_OP(i.code) != BPF_MOV)
		reads = (u16)(reads | bit(i.dst));
	return (struct jit_effect){.reads = reads, .writes = bit(i.dst)};
}

static struct jit_effect store_effect(struct insn i)
{
	struct jit_effect e = {.reads = bits(i.dst, i.src)};

	if (BPF_MODE(i.code) != BPF_ATOMIC)
		return e;
	if (i.imm == BPF_CMPXCHG)
		return (struct jit_effect){
			.reads = (u16)(e.reads | bit(BPF_REG_0)), .writes = bit(BPF_REG_0)};
	if (i.imm & BPF_FETCH)
		e.writes = bit(i.src);
	return e;
}

static struct jit_effect call_effect(struct insn i)
{
	const struct helper *h = i.src == CALL_HELPER ? helper_by_id((u32)i.imm) : NULL;
	struct jit_effect e = {.writes = 0x3f};

	for (unsigned arg = 0; arg < 5; arg++)
		if (!h || h->args[arg] != ARG_NONE)
			e.reads = (u16)(e.reads | bit(BPF_REG_1 + arg));
	return e;
}

static struct jit_effect jump_effect(struct insn i)
{
	switch (BPF_OP(i.code)) {
	case BPF_JA:
		return (struct jit_effect){0};
	case BPF_CALL:
		return call_effect(i);
	case BPF_EXIT:
		return (struct jit_effect){.reads = bit(BPF_REG_0)};
	default:
		return (struct jit_effect){
			.reads = BPF_SRC(i.code) == BPF_X ? bits(i.dst, i.src) : bit(i.dst)};
	}
}

struct jit_effect jit_effect_of(struct insn i)
{
	switch (BPF_CLASS(i.code)) {
	case BPF_LD:
		return (struct jit_effect){.writes = bit(i.dst)};
	case BPF_LDX:
		return (struct jit_effect){.reads = bit(i.src), .writes = bit(i.dst)};
	case BPF_ST:
		return (struct jit_effect){.reads = bit(i.dst)};
	case BPF_STX:
		return store_effect(i);
	case BPF_ALU:
	case BPF_ALU64:
		return alu_effect(i);
	default:
		return jump_effect(i);
	}
}

/* What is live behind the instruction: before its successors. */
static u16 live_behind(const struct jit *j, u32 pc)
{
	struct insn i = *jit_insn(j, pc);
	u32 next = pc + (insn_is_ld_imm64(i) ? 2 : 1);
	unsigned cls = BPF_CLASS(i.code);

	if (cls != BPF_JMP && cls != BPF_JMP32)
		return j->live_in[next];
	if (insn_is_exit(i))
		return 0;
	if (insn_is_ja(i))
		return j->live_in[jit_jump_target(j, pc)];
	if (insn_is_cond_jump(i))
		return j->live_in[next] | j->live_in[jit_jump_target(j, pc)];
	return j->live_in[next];
}

/* Returns whether anything changed. */
static bool one_round(struct jit *j)
{
	bool changed = false;

	for (u32 pc = j->prog->len; pc-- > 0;) {
		if (jit_insn(j, pc)->code == 0) /* second half of a 64-bit immediate */
			continue;
		struct jit_effect e = j->effects[pc];
		u16 out = live_behind(j, pc), in = (u16)((out & ~e.writes) | e.reads);

		changed |= in != j->live_in[pc];
		j->live_in[pc] = in;
		j->live_out[pc] = out;
	}
	return changed;
}

static void compute(struct jit *j)
{
	size_t n = j->prog->len, bytes = n * sizeof(*j->live_in);

	j->live_in = arena_array(&j->arena, 2 * n, sizeof(*j->live_in));
	if (!j->live_in)
		return;
	j->live_out = j->live_in + n;
	for (unsigned round = 0; round < ROUNDS_MAX; round++)
		if (!one_round(j) || !j->has_loops)
			return;
	memset(j->live_in, 0xff, 2 * bytes);
}

u16 jit_live_in(struct jit *j, u32 pc)
{
	if (!j->live_in)
		compute(j);
	return j->live_in ? j->live_in[pc] : UINT16_MAX;
}

u16 jit_live_out(struct jit *j, u32 pc)
{
	if (!j->live_in)
		compute(j);
	return j->live_in ? j->live_out[pc] : UINT16_MAX;
}

bool jit_is_live(struct jit *j, u32 pc, unsigned reg)
{
	return jit_live_out(j, pc) & bit(reg);
}
