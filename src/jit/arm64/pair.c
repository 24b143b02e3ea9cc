/* Two loads from places beside each other as LDP. The second one may come a few instructions later when nothing between them
 * can tell: then its result waits in the register's home, or in one that is nobody's if the register has other uses before. */
#include "jit/arm64/lower.h"

#include "jit/live.h"

enum { WINDOW = 8 };

bool a64_are_beside(enum a64_size size, s16 a, s16 b)
{
	return (size == A64_32 || size == A64_64) && (a - b == 1 << size || b - a == 1 << size);
}

/* The result is wanted elsewhere than at home: in the home of a copy, or where the program's result is. */
static bool goes_elsewhere(const struct jit *j, u32 pc)
{
	return a64_of(j)->copied.to[pc] != A64_NOT_COPIED ||
	       (jit_insn(j, pc)->dst == BPF_REG_0 && a64_is_exit(j, pc + 1));
}

static bool may_pass(struct insn i)
{
	unsigned cls = BPF_CLASS(i.code);

	return cls == BPF_LDX || cls == BPF_ALU || cls == BPF_ALU64 || insn_is_ld_imm64(i);
}

/* The load that goes with the one at j->pc, or 0; and whether its destination is free until then. */
static u32 find_second(struct jit *j, struct insn first, bool *free)
{
	u16 touched = (u16)(1u << first.dst);
	u32 pc = a64_of(j)->next;
	bool far = jit_may(j, JIT_EARLY_LOAD) && !goes_elsewhere(j, j->pc);

	for (unsigned n = 0; n < (far ? WINDOW : 1) && a64_fusible(j, pc); n++) {
		struct insn i = *jit_insn(j, pc);
		struct jit_effect e = j->effects[pc];

		if (i.code == first.code && i.src == first.src && !a64_is_early(j, pc) &&
			a64_are_beside(a64_size_of(i), first.off, i.off) &&
			(n == 0 || !goes_elsewhere(j, pc))) {
			*free = !(touched & 1u << i.dst);
			return *free || n > 0 ? pc : 0;
		}
		if (!may_pass(i) || e.writes & 1u << first.src)
			return 0;
		touched |= e.reads | e.writes;
		pc += insn_is_ld_imm64(i) ? 2 : 1;
	}
	return 0;
}

/* Where the second load's result goes for now. */
static bool place_second(struct jit *j, u32 pc, bool free, unsigned *rt)
{
	const struct a64 *a = a64_of(j);
	u8 place = free ? 0 : a64_reserve_aside(j);

	if (!free && !place)
		return false;
	*rt = free ? a64_write_home(j, jit_insn(j, pc)->dst) : a->home[place];
	return pc == a->last || a64_early_add(j, pc, place);
}

bool a64_lower_load_pair(struct jit *j, struct insn i)
{
	struct a64 *a = a64_of(j);
	enum a64_size size = a64_size_of(i);
	enum a64_width w = size == A64_64 ? A64_X : A64_W;
	unsigned first, second;
	bool free;

	if (BPF_MODE(i.code) != BPF_MEM || i.dst == i.src || a->nr_early == A64_EARLY_MAX)
		return false;
	u32 pc = find_second(j, i, &free);
	if (!pc)
		return false;
	s16 off = jit_insn(j, pc)->off;
	bool rises = i.off < off;
	struct a64_place p = a64_place(j, size, i.src, rises ? i.off : off);
	if (p.indexed || !a64_is_pair_off(w, p.off))
		return false;
	if (pc == a->next && free)
		a64_take_next(j);
	if (!place_second(j, pc, free, &second))
		return false;
	first = a64_write_home(j, i.dst);
	a64_emit(j, a64_pair(w, A64_LDP, A64_OFFSET, rises ? first : second, rises ? second : first,
			    p.base, (s32)p.off));
	return true;
}
