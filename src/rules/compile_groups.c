/* Long lists in which many rules ask for the source only and many for the destination only: a tree
 * over either has to hold the others everywhere. So each half gets a tree of its own. The first one
 * notes the rule that it finds; the second one's rule counts if it stands before that; else the
 * noted one does, by its number.
 *
 * Only lists of plain verdicts can be divided so, and only for whole packets: nothing but the first
 * match of the list may have consequences. */
#include <stdlib.h>
#include <string.h>

#include "rules/code.h"
#include "rules/compile_tree.h"
#include "rules/counters.h"
#include "rules/match.h"

enum {
	GROUP_MIN_RULES = 512,
	WIDE_PART = 8, /* an address test is wide when it lets through what more than one in 8 rules
			  ask for */
	GROUP_PART = 16, /* groups smaller than one in 16 rules aren't worth a tree */
};

static bool is_plain(const struct rule *r)
{
	return (r->target == TARGET_ACCEPT || r->target == TARGET_DROP) &&
	       (rule_needs(r) & MAY_HOTDROP) == 0;
}

static bool is_dividable(const struct candidates *list)
{
	if (list->nr < GROUP_MIN_RULES)
		return false;
	for (u32 i = 0; i < list->nr; i++)
		if (!is_plain(list->at[i]->rule) ||
			(i > 0 && list->at[i]->rule->counter <= list->at[i - 1]->rule->counter))
			return false;
	return true;
}

static int by_value(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

/* How many of the sorted values are below. */
static u32 nr_below(const u64 *sorted, u32 nr, u64 value)
{
	u32 low = 0;

	while (low < nr) {
		u32 middle = low + (nr - low) / 2;

		if (sorted[middle] < value)
			low = middle + 1;
		else
			nr = middle;
	}
	return low;
}

/* wide[i]: the i-th rule's interval holds the starts of many others' intervals. */
static bool find_wide(struct code *c, const struct candidates *list, enum box_field f, bool *wide)
{
	u64 *starts = arena_array(&c->arena, list->nr, sizeof(*starts));

	if (starts == NULL)
		return false;
	for (u32 i = 0; i < list->nr; i++)
		starts[i] = list->at[i]->box.field[f].min;
	qsort(starts, list->nr, sizeof(*starts), by_value);
	for (u32 i = 0; i < list->nr; i++) {
		const struct interval *v = &list->at[i]->box.field[f];
		u32 behind =
			v->max == UINT64_MAX ? list->nr : nr_below(starts, list->nr, v->max + 1);

		wide[i] = behind - nr_below(starts, list->nr, v->min) > list->nr / WIDE_PART;
	}
	return true;
}

/* Rules that are wide in the destination only make the second group. False: one tree will do, or no
 * memory. */
static bool divide(struct code *c, const struct candidates *list, struct candidates *first,
	struct candidates *second)
{
	bool *wide_src = arena_array(&c->arena, list->nr, sizeof(bool));
	bool *wide_dst = arena_array(&c->arena, list->nr, sizeof(bool));
	u32 nr_wide_src = 0;

	first->at = arena_array(&c->arena, list->nr, sizeof(*first->at));
	second->at = arena_array(&c->arena, list->nr, sizeof(*second->at));
	first->nr = second->nr = 0;
	if (wide_src == NULL || wide_dst == NULL || first->at == NULL || second->at == NULL ||
		!find_wide(c, list, BOX_SRC_HIGH, wide_src) ||
		!find_wide(c, list, BOX_DST_HIGH, wide_dst)) {
		c->failed = true;
		return false;
	}
	for (u32 i = 0; i < list->nr; i++) {
		struct candidates *group = wide_dst[i] && !wide_src[i] ? second : first;

		group->at[group->nr++] = list->at[i];
		nr_wide_src += wide_src[i] && !wide_dst[i];
	}
	return second->nr > list->nr / GROUP_PART && nr_wide_src > list->nr / GROUP_PART;
}

enum { NOTHING_NOTED = -1 };

/* A rule as a number: those that stand before it have smaller ones. */
static u32 note_of(const struct rule *r)
{
	return r->counter << 1 | (r->target == TARGET_ACCEPT);
}

void code_group_verdict(struct code *c, const struct rule *r)
{
	struct builder *b = c->e.b;

	if (c->group->second != NULL) {
		bld_store_imm(b, BPF_W, REG_COUNTERS, SCRATCH_NOTE_OFF, (s32)note_of(r));
		bld_ja(b, spot_use(c->group->second));
		return;
	}
	bld_load(b, BPF_W, BPF_REG_0, REG_COUNTERS, SCRATCH_NOTE_OFF);
	bld_jmp32_imm(b, BPF_JLT, BPF_REG_0, (s32)note_of(r), spot_use(c->group->noted));
	code_verdict(c, r->counter, r->target == TARGET_ACCEPT ? VERDICT_ACCEPT : VERDICT_DROP);
}

/* Counts the noted rule; its number is data here. */
static void write_noted(struct code *c, struct spot *ret)
{
	struct builder *b = c->e.b;
	label_t accept = builder_label(b);

	bld_load(b, BPF_W, BPF_REG_0, REG_COUNTERS, SCRATCH_NOTE_OFF);
	bld_jmp32_imm(b, BPF_JEQ, BPF_REG_0, NOTHING_NOTED, spot_use(ret));
	bld_alu_reg(b, BPF_MOV, BPF_REG_3, BPF_REG_0);
	bld_alu_imm(b, BPF_RSH, BPF_REG_3, 1);
	bld_alu_reg(b, BPF_MOV, BPF_REG_2, BPF_REG_3);
	bld_alu_imm(b, BPF_RSH, BPF_REG_2, COUNTERS_PER_VALUE_SHIFT);
	bld_alu_imm(b, BPF_AND, BPF_REG_3, COUNTERS_PER_VALUE - 1);
	bld_alu_imm(b, BPF_MUL, BPF_REG_3, COUNTER_BYTES);
	bld_jmp_imm(b, BPF_JSET, BPF_REG_0, 1, accept);
	bld_ja(b, spot_use(&c->count_far[VERDICT_DROP]));
	builder_bind(b, accept);
	bld_ja(b, spot_use(&c->count_far[VERDICT_ACCEPT]));
}

static void write_two(struct code *c, const struct candidates *first,
	const struct candidates *second, const struct box *region, struct spot *ret)
{
	struct spot to_second = emit_spot(&c->e), noted = emit_spot(&c->e);
	struct group group = {.second = &to_second};

	bld_store_imm(c->e.b, BPF_W, REG_COUNTERS, SCRATCH_NOTE_OFF, NOTHING_NOTED);
	c->group = &group;
	code_region(c, first, region, first->nr, NR_BOX_FIELDS, &to_second);
	emit_bind(&c->e, &to_second);
	group = (struct group){.noted = &noted};
	code_region(c, second, region, second->nr, NR_BOX_FIELDS, &noted);
	c->group = NULL;
	emit_bind(&c->e, &noted);
	write_noted(c, ret);
}

bool code_groups(
	struct code *c, const struct candidates *list, const struct box *region, struct spot *ret)
{
	struct candidates first, second;
	enum emit_mode mode = c->e.mode;

	if (mode == EMIT_ODD || !is_dividable(list) || !divide(c, list, &first, &second))
		return false;
	label_t odd = builder_label(c->e.b);

	if (mode == EMIT_ANY)
		emit_upper_jump(&c->e, UPPER_ODD, odd);
	c->e.mode = EMIT_WHOLE;
	write_two(c, &first, &second, region, ret);
	if (mode == EMIT_ANY) {
		builder_bind(c->e.b, odd);
		c->e.mode = EMIT_ODD;
		code_region(c, list, region, 0, NR_BOX_FIELDS, ret);
	}
	c->e.mode = mode;
	return true;
}
