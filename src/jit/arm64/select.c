/* Conditional jumps with a few moves on their ways, where these meet again: instead of a branch, the comparison selects the
 * results of one way. Which jumps become that is decided before any code is made, from the program alone, because these
 * jumps go nowhere any more: what they met is straight code. */
#include "jit/arm64/select.h"

#include <errno.h>

#include "jit/live.h"

static void remember(struct jit *j, const struct plan *p)
{
	struct a64 *a = a64_of(j);
	struct a64_select *s = arena_alloc(&j->arena, sizeof(*s));

	if (!a->selects)
		a->selects = arena_array(&j->arena, j->prog->len, sizeof(*a->selects));
	if (!a->selects || !s) {
		jit_fail(j, p->s.jump, ENOMEM, "out of memory");
		return;
	}
	*s = p->s;
	for (u32 pc = s->jump; pc < s->next; pc++) {
		a->selects[pc] = s;
		if (pc != s->jump && insn_is_ja(*jit_insn(j, pc)) && !a64_is_exit(j, pc))
			a64_forget_branch(j, a64_jump_target(j, pc));
	}
	a64_forget_branch(j, a64_jump_target(j, s->jump));
}

static void plan_one(struct jit *j, u32 pc)
{
	struct plan p = {.j = j, .s = {.jump = pc, .touches = j->effects[pc].reads}};

	a64_select_walk(j, pc + 1, &p.ways[0]);
	a64_select_walk(j, jit_jump_target(j, pc), &p.ways[1]);
	if (!a64_select_meeting(&p))
		return;
	a64_select_count(&p);
	if (!a64_select_extent(&p) || !a64_select_add_picks(&p))
		return;
	p.cost_select += !a64_select_have_order(&p.s);
	if (p.cost_select <= p.cost[0] && p.cost_select <= p.cost[1])
		remember(j, &p);
}

void a64_select_plan(struct jit *j)
{
	if (!jit_may(j, JIT_SELECT))
		return;
	for (u32 pc = 0; pc < j->prog->len; pc++)
		if (insn_is_cond_jump(*jit_insn(j, pc)))
			plan_one(j, pc);
}

const struct a64_select *a64_select_around(const struct jit *j, u32 pc)
{
	struct a64_select *const *selects = a64_of(j)->selects;

	return selects ? selects[pc] : NULL;
}

const struct a64_select *a64_select_at(const struct jit *j, u32 pc)
{
	const struct a64_select *s = a64_select_around(j, pc);

	return s && s->jump == pc ? s : NULL;
}

u32 a64_select_start(const struct a64_select *s)
{
	return s->jump;
}

u16 a64_select_writes(const struct a64_select *s)
{
	return s->writes;
}

u16 a64_select_touches(const struct a64_select *s)
{
	return s->touches;
}

/* Registers of a pick. */
struct registers {
	unsigned n, m;
};

static unsigned read_operand(struct jit *j, enum a64_width w, struct operand o, unsigned scratch)
{
	if (!o.is_const)
		return a64_read(j, w, o.reg, scratch);
	return o.value ? a64_const_reg(j, w, o.value, scratch) : A64_ZR;
}

/* All registers before constants, which are in temporaries. */
static void read_operands(struct jit *j, const struct a64_select *s, struct registers *r)
{
	static const u8 scratch[CONST_REGS_MAX] = {A64_TMP, A64_TMP2};
	unsigned used = 0;

	for (u32 i = 0; i < s->nr_picks; i++) {
		if (!s->picks[i].n.is_const)
			a64_settle(j, s->picks[i].n.reg);
		if (!s->picks[i].m.is_const)
			a64_settle(j, s->picks[i].m.reg);
	}
	for (unsigned consts = 0; consts < 2; consts++)
		for (u32 i = 0; i < s->nr_picks; i++) {
			const struct pick *k = &s->picks[i];

			if (k->n.is_const == consts)
				r[i].n = read_operand(j, k->width, k->n, scratch[used]);
			used += k->n.is_const && consts && k->n.value;
			if (a64_select_same(k->n, k->m))
				r[i].m = r[i].n;
			else if (k->m.is_const == consts)
				r[i].m = read_operand(j, k->width, k->m, scratch[used]);
			used += k->m.is_const && consts && k->m.value &&
				!a64_select_same(k->n, k->m);
		}
}

static bool is_wanted(
	const struct a64_select *s, const struct registers *r, u32 left, u32 but, unsigned reg)
{
	for (u32 i = 0; i < s->nr_picks; i++)
		if (i != but && left & 1u << i && (r[i].n == reg || r[i].m == reg))
			return true;
	return false;
}

/* One whose destination nobody else still reads. When there is none, one whose destination is put aside. */
static u32 next_pick(struct jit *j, const struct a64_select *s, struct registers *r, u32 left)
{
	u32 first = (u32)__builtin_ctz(left);

	for (u32 i = first; i < s->nr_picks; i++)
		if (left & 1u << i && !is_wanted(s, r, left, i, a64_home(j, s->picks[i].dst)))
			return i;
	unsigned home = a64_home(j, s->picks[first].dst);
	a64_move(j, A64_TMP4, home);
	for (u32 i = 0; i < s->nr_picks; i++) {
		r[i].n = r[i].n == home ? A64_TMP4 : r[i].n;
		r[i].m = r[i].m == home ? A64_TMP4 : r[i].m;
	}
	return first;
}

void a64_select(struct jit *j, const struct a64_select *s, enum a64_cond cond)
{
	struct a64 *a = a64_of(j);
	struct registers r[PICKS_MAX] = {0};

	a->live |= a64_live_in(j, s->jump);
	read_operands(j, s, r);
	a->next = s->next;
	a->last = s->last;
	for (u32 left = (1u << s->nr_picks) - 1; left;) {
		u32 i = next_pick(j, s, r, left);
		const struct pick *k = &s->picks[i];

		left &= ~(1u << i);
		unsigned rd = s->nr_picks == 1 ? a64_write(j, k->dst) : a64_write_home(j, k->dst);
		a64_emit(j, a64_csel(k->width, k->op, rd, r[i].n, r[i].m,
				    k->inverted ? a64_cond_not(cond) : cond));
	}
}
