/* Edits become a list of items, each a new instruction that names its jump target as another item.
 * Only then are items laid out, since a jump that doesn't reach takes more room and so moves
 * others. */
#include "rewrite/editor.h"

#include <errno.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/diag.h"
#include "base/limits.h"
#include "rewrite/flow.h"

struct edit {
	u32 pc, nr_old;
	u32 first, nr; /* in editor.insns */
	bool enters;   /* jumps go behind it */
	bool appends;  /* it ends what is before pc */
};

struct edit_insn {
	struct insn insn;
	struct fact fact;
	u32 target; /* old pc, label, or FLOW_NO_TARGET: a jump then stays within the edit */
	u32 label;  /* or FLOW_NO_TARGET */
	u32 from;   /* the old pc whose source line it has */
};

struct item {
	struct insn insn;
	struct fact fact;
	u32 target;     /* an item, or FLOW_NO_TARGET */
	u32 from;       /* the old pc whose source line it has */
	bool to_old;    /* until resolve_targets: target is an old pc or a label */
	bool long_cond; /* a conditional jump with a gotol of its own behind it */
};

enum { LONG_COND_INSNS = 3 };

/* One application of edits. */
struct layout {
	struct arena arena;
	struct item *items;
	u32 nr;
	u32 *item_of; /* old pc to the item that stands for it; one more for the end, then labels */
	u32 *jump_to; /* the same for jumps */
	u32 *pos;     /* item to new pc; one more for the end */
};

void editor_init(struct editor *e, struct prog *p, struct facts *f)
{
	assert(f->len == p->len);
	*e = (struct editor){.p = p, .f = f};
}

void editor_fini(struct editor *e)
{
	mem_free(e->edits);
	mem_free(e->insns);
	*e = (struct editor){0};
}

void edit_replace(struct editor *e, u32 pc, u32 nr_old, const struct insn *insns, u32 n)
{
	if (e->failed)
		return;
	assert(pc <= e->p->len && nr_old <= e->p->len - pc);
	assert(!e->nr || pc >= e->edits[e->nr - 1].pc + e->edits[e->nr - 1].nr_old);
	if (array_grow((void **)&e->edits, &e->cap, e->nr + 1, sizeof(*e->edits)) ||
		array_grow((void **)&e->insns, &e->cap_insns, e->nr_insns + n, sizeof(*e->insns))) {
		e->failed = true;
		return;
	}
	u16 seen = pc < e->f->len ? e->f->insns[pc].flags & FACT_SEEN : 0;
	for (u32 i = 0; i < n; i++)
		e->insns[e->nr_insns + i] = (struct edit_insn){.insn = insns[i],
			.fact.flags = seen,
			.target = FLOW_NO_TARGET,
			.label = FLOW_NO_TARGET,
			.from = pc};
	e->edits[e->nr++] =
		(struct edit){.pc = pc, .nr_old = nr_old, .first = (u32)e->nr_insns, .nr = n};
	e->nr_insns += n;
}

void edit_enter(struct editor *e, u32 pc, const struct insn *insns, u32 n)
{
	assert(!e->nr || e->edits[e->nr - 1].pc < pc);
	edit_insert(e, pc, insns, n);
	if (!e->failed)
		e->edits[e->nr - 1].enters = true;
}

void edit_append(struct editor *e, u32 pc, const struct insn *insns, u32 n)
{
	edit_insert(e, pc, insns, n);
	if (!e->failed)
		e->edits[e->nr - 1].appends = true;
}

/* Labels are numbered on behind the end of the program. */
static bool is_target(const struct editor *e, u32 target)
{
	return target < e->p->len || (target > e->p->len && target - e->p->len <= e->nr_labels);
}

u32 edit_label(struct editor *e)
{
	return e->p->len + ++e->nr_labels;
}

void edit_jump(struct editor *e, u32 pc, struct insn jump, u32 target)
{
	assert(flow_width(e->p->insns[pc]) == 1 && is_target(e, target));
	edit_replace(e, pc, 1, &jump, 1);
	if (!e->failed)
		e->insns[e->nr_insns - 1].target = target;
}

static struct edit_insn *last_edit_insn(struct editor *e, u32 i)
{
	assert(e->nr && i < e->edits[e->nr - 1].nr);
	return &e->insns[e->edits[e->nr - 1].first + i];
}

void edit_exit(struct editor *e, u32 i, u32 target)
{
	if (e->failed)
		return;
	assert(is_target(e, target));
	last_edit_insn(e, i)->target = target;
}

void edit_fact(struct editor *e, u32 i, struct fact fact)
{
	if (!e->failed)
		last_edit_insn(e, i)->fact = fact;
}

void edit_line(struct editor *e, u32 i, u32 pc)
{
	if (e->failed)
		return;
	assert(pc < e->p->len);
	last_edit_insn(e, i)->from = pc;
	e->has_lines = true;
}

void edit_bind(struct editor *e, u32 i, u32 label)
{
	if (e->failed)
		return;
	assert(label > e->p->len && is_target(e, label));
	last_edit_insn(e, i)->label = label;
}

/* Appends an instruction, with both halves of a 64-bit load; returns how many it took. */
static u32 lay_insn(struct layout *l, const struct insn *insns, const struct fact *facts,
	u32 target, bool to_old, u32 from)
{
	u32 width = flow_width(insns[0]);

	for (u32 k = 0; k < width; k++)
		l->items[l->nr++] = (struct item){.insn = insns[k],
			.fact = facts[k],
			.target = k ? FLOW_NO_TARGET : target,
			.from = from,
			.to_old = to_old};
	return width;
}

static void lay_edit(const struct editor *e, const struct edit *edit, struct layout *l)
{
	u32 base = l->nr;

	for (u32 i = 0; i < edit->nr;) {
		const struct edit_insn *new = &e->insns[edit->first + i];
		u32 within = flow_target(new->insn, i);
		struct insn pair[2] = {new->insn};
		struct fact facts[2] = {new->fact};

		if (new->label != FLOW_NO_TARGET)
			l->item_of[new->label] = l->jump_to[new->label] = l->nr;
		if (flow_width(new->insn) == 2) {
			assert(i + 1 < edit->nr);
			pair[1] = new[1].insn;
			facts[1] = new[1].fact;
		}
		if (new->target != FLOW_NO_TARGET) {
			i += lay_insn(l, pair, facts, new->target, true, new->from);
		} else {
			assert(within == FLOW_NO_TARGET || within <= edit->nr);
			i += lay_insn(l, pair, facts,
				within == FLOW_NO_TARGET ? within : base + within, false,
				new->from);
		}
	}
}

/* Old instructions and edits in order. */
static void lay_all(const struct editor *e, struct layout *l)
{
	const struct edit *edit = e->edits, *end = e->edits + e->nr;

	for (u32 pc = 0;;) {
		while (edit < end && edit->pc == pc && edit->appends)
			lay_edit(e, edit++, l);
		l->item_of[pc] = l->nr;
		if (edit < end && edit->pc == pc && edit->enters)
			lay_edit(e, edit++, l);
		l->jump_to[pc] = l->nr;
		while (edit < end && edit->pc == pc && !edit->nr_old)
			lay_edit(e, edit++, l);
		if (pc == e->p->len)
			return;
		u32 width = 0;
		if (edit < end && edit->pc == pc) {
			lay_edit(e, edit, l);
			width = edit++->nr_old;
		} else {
			width = lay_insn(l, &e->p->insns[pc], &e->f->insns[pc],
				flow_target(e->p->insns[pc], pc), true, pc);
		}
		for (u32 k = 1; k < width; k++)
			l->item_of[pc + k] = l->jump_to[pc + k] = l->nr;
		pc += width;
	}
}

static void resolve_targets(struct layout *l)
{
	for (u32 i = 0; i < l->nr; i++) {
		struct item *item = &l->items[i];
		bool jumps = insn_is_cond_jump(item->insn) || insn_is_ja(item->insn);

		if (item->target != FLOW_NO_TARGET && item->to_old)
			item->target = (jumps ? l->jump_to : l->item_of)[item->target];
	}
}

static u32 place(struct layout *l)
{
	u32 pc = 0;

	for (u32 i = 0; i < l->nr; i++) {
		l->pos[i] = pc;
		pc += l->items[i].long_cond ? LONG_COND_INSNS : 1;
	}
	l->pos[l->nr] = pc;
	return pc;
}

static s32 distance(const struct layout *l, u32 item)
{
	return (s32)l->pos[l->items[item].target] - (s32)l->pos[item] - 1;
}

/* Moves items apart until every conditional jump reaches. One that became long stays so, hence this
 * ends. Returns the length of the program. */
static u32 place_all(struct layout *l)
{
	bool grown = true;
	u32 len = 0;

	while (grown) {
		grown = false;
		len = place(l);
		for (u32 i = 0; i < l->nr; i++) {
			struct item *item = &l->items[i];

			if (item->target == FLOW_NO_TARGET || item->long_cond ||
				!insn_is_cond_jump(item->insn))
				continue;
			s32 dist = distance(l, i);
			item->long_cond = dist != (s16)dist;
			grown |= item->long_cond;
		}
	}
	return len;
}

/* The item's instruction with its new distance; a ja that doesn't reach becomes a gotol, in the
 * same room. */
static struct insn jump_to(struct insn insn, s32 dist)
{
	if (!insn_is_cond_jump(insn) && !insn_is_ja(insn)) {
		insn.imm = dist; /* local call, address of a subprogram */
		return insn;
	}
	if (insn.code == (BPF_JMP | BPF_JA) && dist != (s16)dist)
		return (struct insn){.code = BPF_JMP32 | BPF_JA, .imm = dist};
	if (insn.code == (BPF_JMP32 | BPF_JA))
		insn.imm = dist;
	else
		insn.off = (s16)dist;
	return insn;
}

static void emit_item(const struct layout *l, u32 i, struct insn *insns, struct fact *facts)
{
	const struct item *item = &l->items[i];

	insns[0] = item->insn;
	facts[0] = item->fact;
	if (item->target == FLOW_NO_TARGET)
		return;
	if (!item->long_cond) {
		insns[0] = jump_to(item->insn, distance(l, i));
		return;
	}
	insns[0].off = 1;
	insns[1] = (struct insn){.code = BPF_JMP | BPF_JA, .off = 1};
	insns[2] = (struct insn){
		.code = BPF_JMP32 | BPF_JA, .imm = distance(l, i) - (LONG_COND_INSNS - 1)};
	facts[1] = facts[2] = (struct fact){.flags = item->fact.flags & FACT_SEEN};
}

static u32 new_pc(const struct layout *l, u32 old_pc)
{
	return l->pos[l->item_of[old_pc]];
}

/* Of lines that fell together the last one covers what is left. */
static void move_lines(struct prog *p, const struct layout *l, u32 len)
{
	u32 nr = 0;

	for (u32 i = 0; i < p->nr_lines; i++) {
		u32 pc = new_pc(l, p->lines[i].pc);

		if (pc == len)
			break;
		if (nr && p->lines[nr - 1].pc == pc)
			nr--;
		p->lines[nr] = p->lines[i];
		p->lines[nr++].pc = pc;
	}
	p->nr_lines = nr;
}

static bool covers(const struct prog *p, const struct prog_line *line, u32 pc)
{
	return line && line->pc <= pc && (line + 1 == p->lines + p->nr_lines || line[1].pc > pc);
}

/* The same where new instructions have lines of their own: an entry wherever the line changes. */
static int rebuild_lines(struct prog *p, const struct layout *l, struct diag *d)
{
	struct prog_line *lines = NULL;
	const struct prog_line *now = NULL;
	size_t nr = 0, cap = 0;

	for (u32 i = 0; i < l->nr; i++) {
		if (covers(p, now, l->items[i].from))
			continue;
		const struct prog_line *line = prog_line_of(p, l->items[i].from);
		if (line == now)
			continue;
		if (array_grow((void **)&lines, &cap, nr + 1, sizeof(*lines))) {
			mem_free(lines);
			return diag_nomem(d);
		}
		lines[nr] = line ? *line : (struct prog_line){0};
		lines[nr++].pc = l->pos[i];
		now = line;
	}
	mem_free(p->lines);
	p->lines = lines;
	p->nr_lines = (u32)nr;
	return 0;
}

/* What is known of a function that is gone is gone too. */
static void move_funcs(struct prog *p, const struct layout *l, u32 len)
{
	u32 nr = 0;

	for (u32 i = 0; i < p->nr_funcs; i++) {
		u32 pc = new_pc(l, p->funcs[i].pc);
		u32 next = i + 1 < p->nr_funcs ? new_pc(l, p->funcs[i + 1].pc) : len;

		if (pc == next)
			continue;
		p->funcs[nr] = p->funcs[i];
		p->funcs[nr++].pc = pc;
	}
	p->nr_funcs = nr;
}

/* A subprogram of which nothing is left is gone. */
static void move_subprogs(struct facts *f, const struct layout *l, u32 len)
{
	u32 nr = 0;

	for (u32 i = 0; i < f->nr_subprogs; i++) {
		u32 start = new_pc(l, f->subprog_start[i]);
		u32 end = i + 1 < f->nr_subprogs ? new_pc(l, f->subprog_start[i + 1]) : len;

		if (start == end)
			continue;
		f->subprog_start[nr] = start;
		f->subprog_origin[nr] = f->subprog_origin[i];
		f->stack_bytes[nr++] = f->stack_bytes[i];
	}
	f->nr_subprogs = nr;
}

static int layout_alloc(struct layout *l, const struct editor *e, struct diag *d)
{
	size_t max = e->p->len + e->nr_insns, targets = (size_t)e->p->len + 1 + e->nr_labels;

	l->items = arena_array(&l->arena, max, sizeof(*l->items));
	l->item_of = arena_array(&l->arena, targets, sizeof(*l->item_of));
	l->jump_to = arena_array(&l->arena, targets, sizeof(*l->jump_to));
	l->pos = arena_array(&l->arena, max + 1, sizeof(*l->pos));
	return l->items && l->item_of && l->jump_to && l->pos ? 0 : diag_nomem(d);
}

/* Puts the new program in place. */
static int emit_all(struct editor *e, struct layout *l, u32 len, struct diag *d)
{
	struct insn *insns = mem_alloc(array_size(len, sizeof(*insns)));
	struct fact *facts = mem_alloc(array_size(len, sizeof(*facts)));

	int err = insns && facts ? 0 : diag_nomem(d);

	if (!err && e->has_lines)
		err = rebuild_lines(e->p, l, d);
	if (err) {
		mem_free(insns);
		mem_free(facts);
		return err;
	}
	for (u32 i = 0; i < l->nr; i++)
		emit_item(l, i, &insns[l->pos[i]], &facts[l->pos[i]]);
	if (!e->has_lines)
		move_lines(e->p, l, len);
	move_funcs(e->p, l, len);
	move_subprogs(e->f, l, len);
	mem_free(e->p->insns);
	mem_free(e->f->insns);
	e->p->insns = insns;
	e->f->insns = facts;
	e->p->len = e->f->len = len;
	return 0;
}

int editor_apply(struct editor *e, struct diag *d)
{
	struct layout l = {0};

	if (e->failed)
		return diag_nomem(d);
	if (!e->nr)
		return 0;
	int err = layout_alloc(&l, e, d);
	if (err)
		goto out;
	lay_all(e, &l);
	resolve_targets(&l);
	u32 len = place_all(&l);
	if (len > PROG_MAX_INSNS) {
		err = diag_fail(d, pos_insn(e->p->name, 0), E2BIG,
			"the program has %u instructions after rewriting, the limit is %u", len,
			PROG_MAX_INSNS);
		goto out;
	}
	err = emit_all(e, &l, len, d);
	if (!err) {
		e->nr = e->nr_insns = 0;
		e->nr_labels = 0;
		e->has_lines = false;
	}
out:
	arena_fini(&l.arena);
	return err;
}
