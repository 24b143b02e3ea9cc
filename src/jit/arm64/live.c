/* Which registers are live before each instruction: the classic backward walk, repeated until nothing changes. Control
 * flow is the program's, calls of subprograms included, so a register that only a callee reads counts. */
#include "jit/arm64/lower.h"

#include <errno.h>

#include "helper/helper.h"

#define REG(r) ((u16)(1u << (r)))
#define ARG_REGS ((u16)(REG(1) | REG(2) | REG(3) | REG(4) | REG(5)))

struct effect {
	u16 use, def;
};

static struct effect alu_effect(struct insn i)
{
	struct effect e = {.def = REG(i.dst)};

	if (BPF_OP(i.code) != BPF_MOV)
		e.use |= REG(i.dst);
	if (BPF_SRC(i.code) == BPF_X && BPF_OP(i.code) != BPF_END && BPF_OP(i.code) != BPF_NEG)
		e.use |= REG(i.src);
	return e;
}

static struct effect stx_effect(struct insn i)
{
	struct effect e = {.use = REG(i.dst) | REG(i.src)};

	if (BPF_MODE(i.code) != BPF_ATOMIC)
		return e;
	if (i.imm == BPF_CMPXCHG) {
		e.use |= REG(0);
		e.def = REG(0);
	} else if (i.imm & BPF_FETCH) {
		e.def = REG(i.src);
	}
	return e;
}

static u16 helper_args(struct insn i)
{
	const struct helper *h = helper_by_id((u32)i.imm);
	u16 args = 0;

	if (!h)
		return ARG_REGS;
	for (unsigned arg = 0; arg < 5 && h->args[arg] != ARG_NONE; arg++)
		args |= REG(arg + 1);
	return args;
}

static struct effect jump_effect(const struct jit *j, const u16 *live_in, u32 pc)
{
	struct insn i = *jit_insn(j, pc);

	if (insn_is_exit(i))
		return (struct effect){.use = REG(0), .def = UINT16_MAX};
	if (insn_is_local_call(i))
		return (struct effect){.use = live_in[jit_jump_target(j, pc)] & ARG_REGS,
			.def = REG(0) | ARG_REGS};
	if (BPF_OP(i.code) == BPF_CALL)
		return (struct effect){.use = helper_args(i), .def = REG(0) | ARG_REGS};
	if (insn_is_ja(i))
		return (struct effect){0};
	return (struct effect){
		.use = (u16)(REG(i.dst) | (BPF_SRC(i.code) == BPF_X ? REG(i.src) : 0))};
}

static struct effect effect_of(const struct jit *j, const u16 *live_in, u32 pc)
{
	struct insn i = *jit_insn(j, pc);

	switch (BPF_CLASS(i.code)) {
	case BPF_LD:
		return (struct effect){.def = REG(i.dst)};
	case BPF_LDX:
		return (struct effect){.use = REG(i.src), .def = REG(i.dst)};
	case BPF_ST:
		return (struct effect){.use = REG(i.dst)};
	case BPF_STX:
		return stx_effect(i);
	case BPF_ALU:
	case BPF_ALU64:
		return alu_effect(i);
	default:
		return jump_effect(j, live_in, pc);
	}
}

u16 a64_live_out(const struct jit *j, const u16 *live_in, u32 pc)
{
	struct insn i = *jit_insn(j, pc);
	u32 next = pc + (insn_is_ld_imm64(i) ? 2 : 1);
	u16 live = 0;

	if (insn_is_exit(i))
		return 0;
	if (insn_is_ja(i) || insn_is_cond_jump(i))
		live |= live_in[jit_jump_target(j, pc)];
	if (!insn_is_ja(i) && next < j->prog->len)
		live |= live_in[next];
	return live;
}

u32 a64_jump_target(const struct jit *j, u32 pc)
{
	u32 to = jit_jump_target(j, pc);

	for (unsigned hops = 0; hops < 16 && insn_is_ja(*jit_insn(j, to)); hops++)
		to = jit_jump_target(j, to);
	return to;
}

u8 *a64_branched(struct jit *j)
{
	u32 len = j->prog->len;
	u8 *branched = arena_array(&j->arena, len, 1);

	if (!branched) {
		jit_fail(j, 0, ENOMEM, "out of memory");
		return NULL;
	}
	for (u32 pc = 0; pc < len; pc += insn_is_ld_imm64(*jit_insn(j, pc)) ? 2 : 1) {
		struct insn i = *jit_insn(j, pc);

		if (insn_is_cond_jump(i) || (insn_is_ja(i) && !a64_is_exit(j, pc)))
			branched[a64_jump_target(j, pc)] = 1;
	}
	return branched;
}

u16 *a64_live(struct jit *j)
{
	u32 len = j->prog->len;
	u16 *live_in = arena_array(&j->arena, len, sizeof(*live_in));

	if (!live_in) {
		jit_fail(j, 0, ENOMEM, "out of memory");
		return NULL;
	}
	for (bool changed = true; changed;) {
		changed = false;
		for (u32 pc = len; pc-- > 0;) {
			if (pc > 0 && insn_is_ld_imm64(*jit_insn(j, pc - 1)))
				continue; /* the second half */
			struct effect e = effect_of(j, live_in, pc);
			u16 live = (u16)((a64_live_out(j, live_in, pc) & ~e.def) | e.use);

			changed |= live != live_in[pc];
			live_in[pc] = live;
		}
	}
	return live_in;
}
