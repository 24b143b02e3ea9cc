#include "verify/saved.h"

static struct deps own_dep(const struct item *it)
{
	return it->is_slot ? slot_dep(it->frame, it->index) : reg_dep(it->frame, it->index);
}

static bool can_be_precise(const struct vreg *r)
{
	return r->type == REG_SCALAR || (r->type == REG_MAP_VALUE_OR_NULL && r->not_null);
}

static bool deps_meet(struct deps a, struct deps b)
{
	return (a.regs & b.regs) || (a.slots & b.slots);
}

/* What is demanded of the kept state: all of these, and the lower halves of those. */
struct wanted {
	struct deps all, lower;
};

/* Marks an item, and adds what that rests on. */
static void want(struct verifier *v, struct vreg *r, enum precise how, struct wanted *up)
{
	if (r->precise >= how)
		return;
	v->pruner->marks++;
	r->precise = (u8)how;
	if (how == PRECISE_ALL) {
		up->all = deps_or(up->all, all_deps(r));
	} else {
		up->all = deps_or(up->all, r->deps);
		up->lower = deps_or(up->lower, r->lower);
	}
}

/* Up the path from the kept state s on. */
static void demand_deps(struct verifier *v, struct saved *s, struct wanted w)
{
	for (; s && (deps_any(w.all) || deps_any(w.lower)); s = s->parent) {
		struct wanted up = {0};

		for (u32 n = 0; n < s->nr; n++) {
			struct item *it = &s->items[n];
			struct deps own = own_dep(it);

			if (!can_be_precise(&it->reg))
				continue;
			if (deps_meet(own, w.all))
				want(v, &it->reg, PRECISE_ALL, &up);
			else if (deps_meet(own, w.lower))
				want(v, &it->reg, PRECISE_LOWER, &up);
		}
		w = up;
	}
}

static void demand_reg(struct verifier *v, struct saved *above, const struct vreg *r)
{
	if (can_be_precise(r))
		demand_deps(v, above, (struct wanted){.all = all_deps(r)});
}

static void demand_lower_of(struct verifier *v, struct saved *above, const struct vreg *r)
{
	if (can_be_precise(r))
		demand_deps(v, above, (struct wanted){.all = r->deps, .lower = r->lower});
}

static void demand_order_of(struct verifier *v, struct saved *s, bool inherited)
{
	for (; s && inherited && !s->order_relied; s = s->parent) {
		v->pruner->marks++;
		s->order_relied = true;
		inherited = s->order.inherited;
	}
}

static void demand_uninit_of(struct verifier *v, struct saved *s, u32 frame, u64 slots)
{
	/* A kept state without this frame is from before the frame was opened. */
	for (; s && s->depth >= frame; s = s->parent) {
		if (!(slots & ~s->uninit_read[frame]))
			return;
		v->pruner->marks++;
		s->uninit_read[frame] |= slots;
	}
}

void demand(struct verifier *v, const struct vreg *r)
{
	demand_reg(v, v->pruner->parent, r);
}

void demand_lower(struct verifier *v, const struct vreg *r)
{
	assert(r->type == REG_SCALAR);
	demand_lower_of(v, v->pruner->parent, r);
}

void demand_order(struct verifier *v)
{
	demand_order_of(v, v->pruner->parent, v->cur.order.inherited);
}

void demand_uninit(struct verifier *v, u32 frame, u64 slots)
{
	demand_uninit_of(v, v->pruner->parent, frame, slots);
}

static void reset_reg_deps(struct vreg *r, struct deps own)
{
	if (!can_be_precise(r))
		return;
	r->deps = (struct deps){0};
	r->lower = r->upper = own;
}

void reset_deps(struct verifier *v)
{
	v->cur.order.inherited = true;
	for (u32 f = 0; f <= v->cur.depth; f++) {
		struct frame *frame = &v->cur.frames[f];

		for (u32 r = 0; r < BPF_REG_FP; r++)
			reset_reg_deps(&frame->regs[r], reg_dep(f, r));
		for (u32 n = 0; n < frame->nr_slots; n++)
			if (slot_has_spill(&frame->slots[n]))
				reset_reg_deps(&frame->slots[n].reg, slot_dep(f, n));
	}
}

static void demand_same(
	struct verifier *v, struct saved *above, const struct vreg *old, const struct vreg *now)
{
	if (old->precise == PRECISE_ALL)
		demand_reg(v, above, now);
	else if (old->precise == PRECISE_LOWER)
		demand_lower_of(v, above, now);
}

void demand_as(struct verifier *v, const struct saved *s)
{
	if (s->order_relied)
		demand_order(v);
	for (u32 f = 0; f <= s->depth; f++)
		demand_uninit(v, f, s->uninit_read[f]);
	for (u32 n = 0; n < s->nr; n++) {
		const struct item *it = &s->items[n];
		const struct frame *f = &v->cur.frames[it->frame];

		if (!it->is_slot)
			demand_same(v, v->pruner->parent, &it->reg, &f->regs[it->index]);
		else if (slot_has_spill(&f->slots[it->index]))
			demand_same(v, v->pruner->parent, &it->reg, &f->slots[it->index].reg);
	}
}

/* The item of the same place; items of a state are in one order. */
static const struct item *item_like(const struct saved *s, const struct item *like, u32 *from)
{
	for (; *from < s->nr; ++*from) {
		const struct item *it = &s->items[*from];

		if (it->frame == like->frame && it->is_slot == like->is_slot &&
			it->index == like->index)
			return it;
	}
	return NULL;
}

void demand_as_of(struct verifier *v, const struct saved *s, const struct saved *now)
{
	u32 at = 0;

	if (s->order_relied)
		demand_order_of(v, now->parent, now->order.inherited);
	for (u32 f = 0; f <= s->depth; f++)
		demand_uninit_of(v, now->parent, f, s->uninit_read[f]);
	for (u32 n = 0; n < s->nr; n++) {
		const struct item *it = item_like(now, &s->items[n], &at);

		assert(it); /* s has all of it */
		demand_same(v, now->parent, &s->items[n].reg, &it->reg);
	}
}
