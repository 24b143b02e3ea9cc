/* Registers that are saved in others: "b = a", then other things in a, then "a = b". Compilers write that when they have too few
 * registers, and slots.c makes it of spills in loops. Here the value stays in a, and the other things are in b, so that both
 * moves go away. Only within a block, where every instruction in between is seen; "b = a" may stand before a loop that is
 * such a block. */
#include "jit/keep.h"

#include "jit/live.h"
#include "jit/target.h"

/* Instructions that are looked at behind a move. */
enum { REGION_MAX = 128 };

struct region {
	u8 a, b;
	u32 save, first, last; /* first: a gets something else; last: a = b */
};

static bool is_move(struct insn i)
{
	return i.code == (BPF_ALU64 | BPF_MOV | BPF_X) && i.off == 0 && i.dst != i.src &&
	       i.dst != BPF_REG_FP && i.src != BPF_REG_FP;
}

/* Reads or writes registers that it doesn't name, or leaves the block. */
static bool is_opaque(struct insn i)
{
	unsigned cls = BPF_CLASS(i.code);

	return cls == BPF_JMP || cls == BPF_JMP32 ||
	       (cls == BPF_STX && BPF_MODE(i.code) == BPF_ATOMIC);
}

/* Behind the region the block goes back to its start, where both registers are the same then, too. */
static bool ends_loop(const struct jit *j, const struct region *r, u32 head, u32 end)
{
	u16 both = (u16)(1u << r->a | 1u << r->b);

	for (u32 pc = r->last + 1; pc < end && !j->is_target[pc]; pc++) {
		struct insn i = *jit_insn(j, pc);

		if (insn_is_cond_jump(i) || insn_is_ja(i))
			return jit_jump_target(j, pc) == head;
		if (j->effects[pc].writes & both || is_opaque(i))
			return false;
	}
	return false;
}

static bool find_region(const struct jit *j, const struct jit_subprog *s, struct region *r)
{
	u16 a = (u16)(1u << r->a), b = (u16)(1u << r->b);
	u32 end = s->end - r->save > REGION_MAX ? r->save + REGION_MAX : s->end, head = 0;

	r->first = 0;
	for (u32 pc = r->save + 1; pc < end; pc++) {
		struct insn i = *jit_insn(j, pc);
		u16 writes = j->effects[pc].writes;

		if (j->is_target[pc] && (j->is_target[pc] > 1 || head || r->first))
			return false;
		if (j->is_target[pc])
			head = pc;
		r->last = pc;
		if (r->first && is_move(i) && i.dst == r->a && i.src == r->b)
			return !head || ends_loop(j, r, head, end);
		if (writes & b || is_opaque(i))
			return false;
		if (!r->first && writes & a)
			r->first = pc;
	}
	return false;
}

static bool names_src(struct insn i)
{
	unsigned cls = BPF_CLASS(i.code);

	return cls == BPF_LDX || cls == BPF_STX ||
	       ((cls == BPF_ALU || cls == BPF_ALU64) && BPF_SRC(i.code) == BPF_X &&
		       BPF_OP(i.code) != BPF_END);
}

static u8 swapped(const struct region *r, u8 reg)
{
	return reg == r->a ? r->b : reg == r->b ? r->a : reg;
}

/* What was saved, in the place where it is now. */
static u8 kept(const struct region *r, u8 reg)
{
	return reg == r->b ? r->a : reg;
}

static struct insn renamed(const struct region *r, struct insn i, u32 pc)
{
	bool is_behind = pc > r->first;

	if (names_src(i))
		i.src = (is_behind ? swapped(r, i.src) : kept(r, i.src)) & 15u;
	i.dst = (pc >= r->first ? swapped(r, i.dst) : kept(r, i.dst)) & 15u;
	return i;
}

static void set(struct jit *j, struct insn *insns, u32 pc, struct insn i)
{
	insns[pc] = i;
	j->effects[pc] = jit_effect_of(i);
}

static void rename_region(struct jit *j, struct insn *insns, const struct region *r)
{
	bool builds_on_it =
		j->effects[r->first].reads & 1u << r->a && /* as dst, which is one register */
		BPF_CLASS(insns[r->first].code) != BPF_LDX &&
		BPF_OP(insns[r->first].code) != BPF_MOV;

	for (u32 pc = r->save + 1; pc <= r->last; pc++)
		if (insns[pc].code) /* not the second half of a 64-bit immediate */
			set(j, insns, pc, renamed(r, insns[pc], pc));
	if (!builds_on_it)
		set(j, insns, r->save,
			(struct insn){.code = BPF_ALU64 | BPF_MOV | BPF_X,
				.dst = r->a & 15u,
				.src = r->a & 15u});
}

bool jit_keep(struct jit *j, const struct jit_subprog *s)
{
	bool any = false;

	if (!jit_may(j, JIT_KEEP))
		return false;
	for (u32 pc = s->start; pc < s->end; pc++) {
		struct insn i = *jit_insn(j, pc);
		struct region r = {.a = i.src, .b = i.dst, .save = pc};

		if (!is_move(i) || !find_region(j, s, &r))
			continue;
		struct insn *insns = jit_own_insns(j);
		if (!insns)
			return false;
		rename_region(j, insns, &r);
		any = true;
	}
	return any;
}
