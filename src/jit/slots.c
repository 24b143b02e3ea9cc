/* Stack slots in registers. Compilers for BPF have ten registers and spill what doesn't fit to the stack; hosts have more.
 * A slot is 4 or 8 bytes that are only ever accessed in full, in a subprogram that hands its frame's address to nobody. Its
 * loads and stores become moves, which back ends know how to leave out, and a frame without slots goes away. Which register
 * becomes which slot is decided by the number of accesses, of which those in loops count more. */
#include "jit/slots.h"

#include <string.h>

#include "base/limits.h"
#include "jit/live.h"
#include "jit/target.h"

enum { GRAIN_BYTES = 4, NR_GRAINS = PROG_STACK_BYTES / GRAIN_BYTES };

/* An access in a loop weighs as much as so many others. A register that must be saved is worth it from the second weight on:
 * saving and restoring are two accesses of the stack, too. */
enum { LOOP_WEIGHT = 8, WORTH_SAVING = 2 * LOOP_WEIGHT };

/* What accesses make of 4 bytes of the stack. */
enum grain_use { UNUSED, SLOT_4, SLOT_8, UPPER_HALF, MIXED };

/* Grain n lies 4 * (n + 1) below r10, so the upper half of a slot of 8 bytes is the one before it. */
struct slots {
	u8 use[NR_GRAINS], reg[NR_GRAINS]; /* reg: 0 = none, which no slot becomes */
	u16 weight[NR_GRAINS];
	u32 end; /* behind the last that is used */
};

static bool is_access(struct insn i)
{
	unsigned cls = BPF_CLASS(i.code);

	return (cls == BPF_LDX && i.src == BPF_REG_FP) ||
	       ((cls == BPF_ST || cls == BPF_STX) && i.dst == BPF_REG_FP);
}

/* Most instructions have nothing to do with it. */
static bool reads_frame(const struct jit *j, u32 pc)
{
	return j->effects[pc].reads & 1u << BPF_REG_FP;
}

static u32 bytes_of(struct insn i)
{
	static const u8 bytes[] = {
		[BPF_W >> 3] = 4, [BPF_H >> 3] = 2, [BPF_B >> 3] = 1, [BPF_DW >> 3] = 8};

	return bytes[BPF_SIZE(i.code) >> 3];
}

/* The lowest grain that an access lies in. */
static u32 grain_of(struct insn i)
{
	return (u32)(-i.off - 1) / GRAIN_BYTES;
}

static void use(struct slots *s, u32 grain, enum grain_use as)
{
	if (grain >= NR_GRAINS)
		return;
	s->use[grain] = (u8)(s->use[grain] == UNUSED || s->use[grain] == as ? as : MIXED);
	s->end = grain + 1 > s->end ? grain + 1 : s->end;
}

static void note_access(struct slots *s, struct insn i, u32 weight)
{
	u32 depth = (u32)-i.off, bytes = bytes_of(i), lowest = grain_of(i);
	bool is_plain =
		BPF_MODE(i.code) != BPF_ATOMIC && i.off % (s16)bytes == 0 && lowest < NR_GRAINS;

	if (i.off >= 0) /* above the frame: not ours to judge */
		return;
	if (is_plain && bytes == 8) {
		use(s, lowest, SLOT_8);
		use(s, lowest - 1, UPPER_HALF);
	} else if (is_plain && bytes == 4) {
		use(s, lowest, SLOT_4);
	} else {
		u32 highest = depth > bytes ? (depth - bytes) / GRAIN_BYTES : 0;

		for (u32 grain = highest; grain <= lowest; grain++)
			use(s, grain, MIXED);
	}
	if (lowest < NR_GRAINS && s->weight[lowest] <= UINT16_MAX - weight)
		s->weight[lowest] = (u16)(s->weight[lowest] + weight);
}

/* From the end to the start: behind a jump back everything down to its target is in a loop. */
static void note_accesses(const struct jit *j, const struct jit_subprog *sub, struct slots *s)
{
	u32 loop_start = UINT32_MAX;

	for (u32 pc = sub->end; pc-- > sub->start;) {
		struct insn i = *jit_insn(j, pc);

		if (reads_frame(j, pc) && is_access(i)) {
			note_access(s, i, pc >= loop_start ? LOOP_WEIGHT : 1);
		} else if (insn_is_cond_jump(i) || insn_is_ja(i)) {
			u32 to = jit_jump_target(j, pc);

			if (to <= pc && to < loop_start)
				loop_start = to;
		}
		if (pc == loop_start)
			loop_start = UINT32_MAX;
	}
}

static bool is_slot(const struct slots *s, u32 grain)
{
	return s->use[grain] == SLOT_4 ||
	       (s->use[grain] == SLOT_8 && s->use[grain - 1] == UPPER_HALF);
}

/* The slot with most accesses that isn't a register yet, or NR_GRAINS. */
static u32 best_slot(const struct slots *s)
{
	u32 best = NR_GRAINS;

	for (u32 grain = 0; grain < s->end; grain++)
		if (is_slot(s, grain) && !s->reg[grain] &&
			(best == NR_GRAINS || s->weight[grain] > s->weight[best]))
			best = grain;
	return best;
}

/* Returns whether there is any. */
static bool choose(struct slots *s, u16 spare, u16 saved)
{
	bool any = false;

	while (spare) {
		u32 grain = best_slot(s);
		u16 free = (u16)(spare & ~saved);

		if (grain == NR_GRAINS || (!free && s->weight[grain] < WORTH_SAVING))
			break;
		s->reg[grain] = (u8)__builtin_ctz(free ? free : spare);
		spare &= (u16) ~(1u << s->reg[grain]);
		any = true;
	}
	return any;
}

/* The access as a move. The upper half of a slot of 4 bytes is zero. */
static struct insn as_move(struct insn i, u8 reg)
{
	bool is_8 = BPF_SIZE(i.code) == BPF_DW;
	u8 store = is_8 ? BPF_ALU64 : BPF_ALU;

	switch (BPF_CLASS(i.code)) {
	case BPF_LDX:
		return (struct insn){.code = BPF_ALU64 | BPF_MOV | BPF_X,
			.dst = i.dst,
			.src = reg & 15u,
			.off = BPF_MODE(i.code) == BPF_MEMSX ? 32 : 0};
	case BPF_STX:
		return (struct insn){
			.code = store | BPF_MOV | BPF_X, .dst = reg & 15u, .src = i.src};
	default:
		return (struct insn){
			.code = store | BPF_MOV | BPF_K, .dst = reg & 15u, .imm = i.imm};
	}
}

bool jit_slots(struct jit *j, struct jit_subprog *sub)
{
	struct slots s = {.end = 0};
	u16 saved = 0;

	if (!j->target->spare || sub->escapes || sub->stack_bytes == 0 ||
		j->prog->hides_constants || !jit_may(j, JIT_SLOTS))
		return false;
	u16 spare = j->target->spare(j, sub, &saved);
	if (!spare)
		return false;
	note_accesses(j, sub, &s);
	struct insn *insns = choose(&s, spare, saved) ? jit_own_insns(j) : NULL;
	if (!insns)
		return false;
	for (u32 pc = sub->start; pc < sub->end; pc++) {
		struct insn i = insns[pc];

		if (!reads_frame(j, pc))
			continue;
		u32 grain = is_access(i) && i.off < 0 && grain_of(i) < NR_GRAINS ? grain_of(i)
										 : NR_GRAINS;
		if (grain == NR_GRAINS || !s.reg[grain])
			continue;
		insns[pc] = as_move(i, s.reg[grain]);
		sub->names |= (u16)(1u << s.reg[grain]);
		j->effects[pc] = jit_effect_of(insns[pc]);
		if (BPF_SRC(insns[pc].code) == BPF_X)
			sub->copies[insns[pc].dst] |= (u16)(1u << insns[pc].src);
	}
	return true;
}
