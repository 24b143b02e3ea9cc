#include "verify/saved.h"

#include <string.h>

/* Comparing. */

/* Which id of the kept state stands for which one now. */
struct id_map {
	u32 nr;
	struct {
		u32 old, now;
	} pairs[3 * NR_ITEMS_MAX +
		VERIFY_MAX_REFS]; /* an item may have an id, a reference, a dynptr */
};

static bool same_id(struct id_map *m, u32 old, u32 now)
{
	for (u32 n = 0; n < m->nr; n++)
		if (m->pairs[n].old == old)
			return m->pairs[n].now == now;
	m->pairs[m->nr].old = old;
	m->pairs[m->nr++].now = now;
	return true;
}

static bool scalar_matches(
	const struct vreg *old, const struct vreg *now, struct id_map *ids, enum match how)
{
	if (how == MATCH_EQUAL) {
		if (!scalar_equal(&old->var, &now->var) || !old->id != !now->id)
			return false;
	} else {
		if (!old->precise && how == MATCH_COVERS)
			return true;
		if (old->precise == PRECISE_ALL || how == MATCH_ALL
				? !scalar_covers(&old->var, &now->var)
				: !scalar_covers_lower(&old->var, &now->var))
			return false;
	}
	return !old->id || (now->id && same_id(ids, old->id, now->id));
}

static bool reg_matches(
	const struct vreg *old, const struct vreg *now, struct id_map *ids, enum match how)
{
	if (old->type != now->type)
		return false;
	if (old->type == REG_SCALAR)
		return scalar_matches(old, now, ids, how);
	if (old->off != now->off || old->frame != now->frame || old->inner != now->inner ||
		!old->id != !now->id || !old->ref != !now->ref)
		return false;
	if (old->rdonly != now->rdonly || old->of_packet != now->of_packet ||
		!old->dynptr != !now->dynptr)
		return false;
	if (old->dynptr && !same_id(ids, old->dynptr, now->dynptr))
		return false;
	if (old->ref && !same_id(ids, old->ref, now->ref))
		return false;
	if (how == MATCH_EQUAL ? !scalar_equal(&old->var, &now->var)
			       : !scalar_covers(&old->var, &now->var))
		return false;
	if (reg_is_packet(old) && how != MATCH_EQUAL ? old->aux > now->aux : old->aux != now->aux)
		return false;
	if (old->not_null && !now->not_null && (old->precise || how != MATCH_COVERS))
		return false;
	return !old->id || same_id(ids, old->id, now->id);
}

/* The kept slot starts with a spilled scalar; the slot now has some other bytes there. */
static bool scalar_stands_for(
	const struct item *old, const struct slot *now, u32 bytes, enum match how)
{
	if (how == MATCH_ALL && !scalar_is_unknown(&old->reg.var))
		return false;
	for (u32 n = 0; n < bytes; n++)
		if (now->bytes[n] == SLOT_UNINIT)
			return false;
	return old->reg.type == REG_SCALAR && !old->reg.precise &&
	       (!slot_has_spill(now) || now->reg.type == REG_SCALAR);
}

static bool byte_matches(u8 old, u8 now, const struct slot *slot, enum match how)
{
	if (old == now)
		return old != SLOT_SPILL || slot->reg.type == REG_SCALAR;
	if (how == MATCH_EQUAL)
		return false;
	if (old == SLOT_UNINIT)
		return true; /* or see numbers_where_read */
	return old == SLOT_MISC &&
	       (now == SLOT_ZERO || (now == SLOT_SPILL && slot->reg.type == REG_SCALAR));
}

static bool slot_matches(
	const struct item *old, const struct slot *now, struct id_map *ids, enum match how)
{
	u32 n = 0;

	if (old->bytes[0] == SLOT_SPILL) {
		while (n < SLOT_BYTES && old->bytes[n] == SLOT_SPILL)
			n++;
		bool same_size = slot_has_spill(now) && slot_spill_bytes(now) == n;
		bool ok = same_size ? reg_matches(&old->reg, &now->reg, ids, how)
				    : how != MATCH_EQUAL && scalar_stands_for(old, now, n, how);
		if (!ok)
			return false;
	}
	for (; n < SLOT_BYTES; n++)
		if (!byte_matches(old->bytes[n], now->bytes[n], now, how))
			return false;
	return true;
}

/* Where the kept state had nothing and somebody read it, as a number, there is no pointer now. */
static bool numbers_where_read(struct verifier *v, const struct saved *s, enum match how)
{
	u64 pointers[PROG_MAX_CALL_DEPTH] = {0};

	for (u32 n = 0; n < s->nr; n++)
		if (s->items[n].is_slot && reg_is_pointer(&s->items[n].reg))
			pointers[s->items[n].frame] |= 1ull << s->items[n].index;
	for (u32 f = 0; f <= s->depth; f++) {
		const struct frame *frame = &v->cur.frames[f];
		u64 read = (how == MATCH_ALL ? UINT64_MAX : s->uninit_read[f]) & ~pointers[f];

		for (u32 n = 0; read && n < frame->nr_slots; n++)
			if (read >> n & 1 && slot_has_spill(&frame->slots[n]) &&
				reg_is_pointer(&frame->slots[n].reg))
				return false;
	}
	return true;
}

bool same_calls(struct verifier *v, const struct saved *s)
{
	if (s->depth != v->cur.depth)
		return false;
	for (u32 f = 1; f <= s->depth; f++)
		if (s->call_pcs[f] != v->cur.frames[f].call_pc ||
			s->subprogs[f] != v->cur.frames[f].subprog)
			return false;
	return true;
}

/* What the kept state had to give up is what is to be given up now. */
static bool refs_match(struct verifier *v, const struct saved *s, struct id_map *ids)
{
	if (s->nr_refs != v->cur.nr_refs)
		return false;
	for (u32 n = 0; n < s->nr_refs; n++) {
		const struct ref *old = &s->refs[n], *now = &v->cur.refs[n];

		if (old->lock != now->lock || old->map != now->map || old->inner != now->inner ||
			!old->id != !now->id)
			return false;
		if (old->id && !same_id(ids, old->id, now->id))
			return false;
	}
	return true;
}

bool state_matches(struct verifier *v, const struct saved *s, enum match how)
{
	struct id_map ids;

	if (!same_calls(v, s))
		return false;
	for (u32 f = 0; f <= s->depth; f++)
		if (s->callbacks[f] > v->cur.frames[f].callbacks)
			return false; /* fewer rounds would have been left */
	if (how == MATCH_EQUAL &&
		(s->rounds != v->cur.rounds || !order_equal(&s->order, &v->cur.order)))
		return false;
	if (how != MATCH_EQUAL && (s->order_relied || how == MATCH_ALL) && s->order.may &&
		!order_covers(&s->order, &v->cur.order))
		return false;
	ids.nr = 0;
	if (!refs_match(v, s, &ids))
		return false;
	for (u32 n = 0; n < s->nr; n++) {
		const struct item *it = &s->items[n];
		const struct frame *f = &v->cur.frames[it->frame];

		if (it->is_slot ? it->index >= f->nr_slots ||
					  !slot_matches(it, &f->slots[it->index], &ids, how)
				: !reg_matches(&it->reg, &f->regs[it->index], &ids, how))
			return false;
	}
	return how == MATCH_EQUAL || numbers_where_read(v, s, how);
}
