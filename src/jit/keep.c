/* Registers that are saved in others: "b = a", then other things in a, then "a = b". Compilers write that when they have too few
 * registers, and slots.c makes it of spills in loops. Here the value stays in a, and the other things are in b, so that both
 * moves go away. Only within a block, where every instruction in between is seen; "b = a" may stand before a loop that is
 * such a block. */
#include "jit/keep.h"

#include "jit/live.h"
#include "jit/target.h"

struct region {
	u8 a, b;
	u32 save, first, last; /* first: a gets something else; last: a = b */
	u32 head;              /* of a loop, behind save; 0: none */
};

/* Registers that are what another was, by the register that they are in. */
struct saved {
	struct region regions[JIT_NR_REGS];
	u16 valid;                /* a bit for each */
	u16 holders[JIT_NR_REGS]; /* by a: which may be its */
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
static bool ends_loop(const struct jit *j, const struct region *r, u32 end)
{
	u16 both = (u16)(1u << r->a | 1u << r->b);

	for (u32 pc = r->last + 1; pc < end && !j->is_target[pc]; pc++) {
		struct insn i = *jit_insn(j, pc);

		if (insn_is_cond_jump(i) || insn_is_ja(i))
			return jit_jump_target(j, pc) == r->head;
		if (j->effects[pc].writes & both || is_opaque(i))
			return false;
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

/* A jump comes here, which may be that of a loop that nothing has happened in yet. */
static void note_target(const struct jit *j, u32 pc, struct saved *s)
{
	for (u16 left = j->is_target[pc] == 1 ? s->valid : 0; left; left &= (u16)(left - 1)) {
		struct region *r = &s->regions[__builtin_ctz(left)];

		if (r->first || r->head)
			s->valid &= (u16) ~(1u << r->b);
		r->head = pc;
	}
	if (j->is_target[pc] != 1)
		s->valid = 0;
}

static void note_writes(struct saved *s, u16 writes, u32 pc)
{
	s->valid &= (u16)~writes;
	if (!s->valid || !writes)
		return;
	unsigned a = (unsigned)__builtin_ctz(writes);
	for (u16 left = s->valid & s->holders[a]; left; left &= (u16)(left - 1)) {
		struct region *r = &s->regions[__builtin_ctz(left)];

		if (r->a == a && !r->first)
			r->first = pc;
	}
}

/* Somewhere there is a move back. */
static bool returns(const struct jit_subprog *s, struct insn move)
{
	return s->copies[move.src] >> move.dst & 1;
}

static void note_move(struct saved *s, struct insn i, u32 pc)
{
	s->regions[i.dst] = (struct region){.a = i.src, .b = i.dst, .save = pc};
	s->holders[i.src] |= (u16)(1u << i.dst);
	s->valid |= (u16)(1u << i.dst);
}

/* Names have changed. */
static void forget(struct saved *s, const struct region *r)
{
	for (u16 left = s->valid; left; left &= (u16)(left - 1)) {
		unsigned b = (unsigned)__builtin_ctz(left);
		u8 a = s->regions[b].a;

		if (b == r->a || b == r->b || a == r->a || a == r->b)
			s->valid &= (u16) ~(1u << b);
	}
}

/* The move ends a region: which is renamed then. */
static bool end_region(
	struct jit *j, const struct jit_subprog *sub, struct saved *s, struct insn i, u32 pc)
{
	struct region r = s->regions[i.src];

	if (!(s->valid >> i.src & 1) || r.a != i.dst || !r.first)
		return false;
	r.last = pc;
	if (r.head && !ends_loop(j, &r, sub->end))
		return false;
	struct insn *insns = jit_own_insns(j);
	if (!insns)
		return false;
	rename_region(j, insns, &r);
	forget(s, &r);
	return true;
}

static bool any_goes_both_ways(const struct jit_subprog *s)
{
	for (unsigned a = 0; a < JIT_NR_REGS; a++)
		for (u16 from = s->copies[a]; from; from &= (u16)(from - 1))
			if (s->copies[__builtin_ctz(from)] >> a & 1)
				return true;
	return false;
}

bool jit_keep(struct jit *j, const struct jit_subprog *s)
{
	struct saved saved = {.valid = 0};
	bool any = false;

	if (!jit_may(j, JIT_KEEP) || !any_goes_both_ways(s))
		return false;
	for (u32 pc = s->start; pc < s->end; pc++) {
		struct insn i = *jit_insn(j, pc);
		bool moves = is_move(i);

		if (!saved.valid) {
			if (moves && returns(s, i))
				note_move(&saved, i, pc);
			continue;
		}
		if (j->is_target[pc])
			note_target(j, pc, &saved);
		if (is_opaque(i)) {
			saved.valid = 0;
			continue;
		}
		if (moves && end_region(j, s, &saved, i, pc)) {
			any = true;
			i = *jit_insn(j, pc);
			moves = is_move(i);
		}
		note_writes(&saved, j->effects[pc].writes, pc);
		if (moves && returns(s, i))
			note_move(&saved, i, pc);
	}
	return any;
}
