#include "verify/prune.h"

#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "base/diag.h"
#include "verify/log.h"

/* A register (r0 ... r9) or stack slot of a saved state that isn't uninitialised. */
struct item {
	u8 frame;
	bool is_slot;
	u8 index;
	u8 bytes[SLOT_BYTES]; /* slots only */
	struct vreg reg;      /* registers, and slots with a spill */
};

struct saved {
	struct saved *parent; /* kept state before this one on the path */
	struct saved *next;   /* in a list of its pc, of pending branches, of free ones */
	u32 pc, depth;
	u32 call_pcs[PROG_MAX_CALL_DEPTH];
	u32 subprogs[PROG_MAX_CALL_DEPTH];
	u32 callbacks[PROG_MAX_CALL_DEPTH];
	u32 rounds;
	u32 branches;      /* kept: paths from here that aren't walked to their end yet */
	bool taken;        /* pending */
	bool order_relied; /* kept: as precise, for the order */
	u64 uninit_read
		[PROG_MAX_CALL_DEPTH]; /* kept: slots that count as a number where they have nothing */
	struct order order;
	u32 nr_refs;
	struct ref refs[VERIFY_MAX_REFS];
	u32 insns_since, jumps_since;
	size_t log_len;
	u64 hash; /* kept: of all that is live; equal states have equal hashes */
	u32 nr;
	struct item items[];
};

enum {
	/* A state is kept when this much has happened since the last one: keeping at every label costs more memory and
	 * time than walking a few instructions twice. */
	KEEP_AFTER_INSNS = 6,
	KEEP_AFTER_JUMPS = 2,
	/* Finished states per instruction; the least recently useful goes first. */
	KEEP_PER_PC = 128,
	/* An endless loop comes back to a state within that many kept ones, or runs into the limit of instructions. */
	LOOK_BACK = 64,
	/* A walk is long from this part of the limit of instructions on. */
	LONG_WALK = 20,
	CLASS_ITEMS = 8,
	NR_ITEMS_MAX = PROG_MAX_CALL_DEPTH * (BPF_REG_FP + NR_SLOTS),
	NR_CLASSES = NR_ITEMS_MAX / CLASS_ITEMS + 2,
};

/* Kept states of one instruction. Open ones are those whose paths aren't all walked yet, so they lie on the current path
 * and finish in the opposite order of being kept; only finished ones prune. */
struct list {
	struct saved *open, *finished;
	u32 nr_finished;
};

struct pruner {
	struct list *lists; /* per instruction */
	struct saved *pending;
	u32 nr_pending;
	struct saved *parent; /* last kept state of the current path */
	u32 insns_since, jumps_since;
	struct saved *free[NR_CLASSES]; /* by room for items */
	struct item scratch[NR_ITEMS_MAX];
};

int prune_init(struct verifier *v)
{
	struct pruner *p = arena_alloc(&v->arena, sizeof(*p));

	if (!p)
		return diag_nomem(v->diag);
	p->lists = arena_array(&v->arena, v->prog->len, sizeof(*p->lists));
	if (!p->lists)
		return diag_nomem(v->diag);
	v->pruner = p;
	return 0;
}

void prune_restart(struct verifier *v)
{
	assert(!v->pruner->pending);
	v->pruner->parent = NULL;
	v->pruner->insns_since = v->stats.insns_walked;
	v->pruner->jumps_since = v->jumps_walked;
}

/* Memory of saved states. */

static u32 class_of(u32 nr)
{
	return (nr + CLASS_ITEMS - 1) / CLASS_ITEMS;
}

static struct saved *saved_new(struct verifier *v, u32 nr)
{
	struct saved **head = &v->pruner->free[class_of(nr)], *s = *head;

	if (s)
		*head = s->next;
	else
		s = arena_alloc(&v->arena,
			sizeof(*s) + (size_t)class_of(nr) * CLASS_ITEMS * sizeof(struct item));
	if (!s)
		return NULL;
	memset(s, 0, sizeof(*s));
	s->nr = nr;
	v->stats.states_kept++;
	if (v->stats.states_kept > v->stats.states_peak)
		v->stats.states_peak = v->stats.states_kept;
	return s;
}

static void saved_drop(struct verifier *v, struct saved *s)
{
	struct saved **head = &v->pruner->free[class_of(s->nr)];

	s->next = *head;
	*head = s;
	v->stats.states_kept--;
}

/* What of a state is saved. */

static struct live everything(void)
{
	return (struct live){.regs = UINT16_MAX, .stack = ~(stack_mask)0};
}

static struct live live_in_frame(struct verifier *v, u32 frame)
{
	const u16 callee_saved = 0x3c0; /* r6 ... r9 */

	if (frame == v->cur.depth)
		return v->live[v->pc];
	u32 call_pc = v->cur.frames[frame + 1].call_pc;
	if (!insn_is_local_call(v->prog->insns[call_pc]))
		return v->live[call_pc]; /* a callback returns to the call itself */
	return (struct live){v->live[call_pc + 1].regs & callee_saved, v->live[call_pc].stack};
}

/* The slot without bytes that nobody will read; false when nothing is left. */
static bool live_slot(const struct slot *s, u32 n, stack_mask live, u8 *bytes)
{
	bool high = live >> (2 * n) & 1,
	     low = live >> (2 * n + 1) & 1; /* the half at the lower address is `low` */

	if (!high && !low)
		return false;
	memcpy(bytes, s->bytes, SLOT_BYTES);
	if (!low && !slot_has_spill(s))
		memset(bytes, SLOT_UNINIT, SLOT_BYTES / 2);
	if (!high && (!slot_has_spill(s) || slot_spill_bytes(s) < SLOT_BYTES))
		memset(bytes + SLOT_BYTES / 2, SLOT_UNINIT, SLOT_BYTES / 2);
	static const u8 empty[SLOT_BYTES];
	return memcmp(bytes, empty, SLOT_BYTES) != 0;
}

static u32 collect_frame(struct verifier *v, u32 depth, struct live live, struct item *out)
{
	const struct frame *f = &v->cur.frames[depth];
	u32 nr = 0;

	for (u32 r = 0; r < BPF_REG_FP; r++)
		if (f->regs[r].type != REG_UNINIT && live.regs >> r & 1)
			out[nr++] = (struct item){
				.frame = (u8)depth, .index = (u8)r, .reg = f->regs[r]};
	for (u32 n = 0; n < f->nr_slots; n++) {
		struct item *it = &out[nr];

		*it = (struct item){.frame = (u8)depth, .is_slot = true, .index = (u8)n};
		if (!live_slot(&f->slots[n], n, live.stack, it->bytes))
			continue;
		if (it->bytes[0] == SLOT_SPILL)
			it->reg = f->slots[n].reg;
		nr++;
	}
	return nr;
}

/* Into scratch: all of the current state, or what of it is live. */
static u32 collect(struct verifier *v, bool only_live)
{
	u32 nr = 0;

	for (u32 f = 0; f <= v->cur.depth; f++)
		nr += collect_frame(v, f, only_live ? live_in_frame(v, f) : everything(),
			v->pruner->scratch + nr);
	return nr;
}

static struct saved *save(struct verifier *v, u32 nr)
{
	struct saved *s = saved_new(v, nr);

	if (!s)
		return NULL;
	s->parent = v->pruner->parent;
	s->pc = v->pc;
	s->depth = v->cur.depth;
	s->order = v->cur.order;
	s->nr_refs = v->cur.nr_refs;
	memcpy(s->refs, v->cur.refs, s->nr_refs * sizeof(*s->refs));
	s->rounds = v->cur.rounds;
	for (u32 f = 0; f <= s->depth; f++) {
		s->call_pcs[f] = v->cur.frames[f].call_pc;
		s->subprogs[f] = v->cur.frames[f].subprog;
		s->callbacks[f] = v->cur.frames[f].callbacks;
	}
	memcpy(s->items, v->pruner->scratch, nr * sizeof(*s->items));
	return s;
}

static void restore(struct verifier *v, const struct saved *s)
{
	for (u32 f = 0; f <= s->depth; f++) {
		frame_open(&v->cur, f, s->call_pcs[f], s->subprogs[f]);
		v->cur.frames[f].callbacks = s->callbacks[f];
	}
	v->cur.order = s->order;
	v->cur.nr_refs = s->nr_refs;
	memcpy(v->cur.refs, s->refs, s->nr_refs * sizeof(*s->refs));
	v->cur.rounds = s->rounds;
	for (u32 n = 0; n < s->nr; n++) {
		const struct item *it = &s->items[n];
		struct frame *f = &v->cur.frames[it->frame];

		if (!it->is_slot) {
			f->regs[it->index] = it->reg;
			continue;
		}
		while (f->nr_slots <= it->index)
			f->slots[f->nr_slots++] = (struct slot){0};
		memcpy(f->slots[it->index].bytes, it->bytes, SLOT_BYTES);
		f->slots[it->index].reg = it->reg;
	}
}

/* Precision. */

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
static void want(struct vreg *r, enum precise how, struct wanted *up)
{
	if (r->precise >= how)
		return;
	r->precise = (u8)how;
	if (how == PRECISE_ALL) {
		up->all = deps_or(up->all, all_deps(r));
	} else {
		up->all = deps_or(up->all, r->deps);
		up->lower = deps_or(up->lower, r->lower);
	}
}

/* Up the path from the kept state s on. */
static void demand_deps_of(struct saved *s, struct wanted w)
{
	for (; s && (deps_any(w.all) || deps_any(w.lower)); s = s->parent) {
		struct wanted up = {0};

		for (u32 n = 0; n < s->nr; n++) {
			struct item *it = &s->items[n];
			struct deps own = own_dep(it);

			if (!can_be_precise(&it->reg))
				continue;
			if (deps_meet(own, w.all))
				want(&it->reg, PRECISE_ALL, &up);
			else if (deps_meet(own, w.lower))
				want(&it->reg, PRECISE_LOWER, &up);
		}
		w = up;
	}
}

static void demand_deps(struct verifier *v, struct wanted w)
{
	demand_deps_of(v->pruner->parent, w);
}

void demand(struct verifier *v, const struct vreg *r)
{
	if (can_be_precise(r))
		demand_deps(v, (struct wanted){.all = all_deps(r)});
}

void demand_lower(struct verifier *v, const struct vreg *r)
{
	assert(r->type == REG_SCALAR);
	demand_deps(v, (struct wanted){.all = r->deps, .lower = r->lower});
}

void demand_order(struct verifier *v)
{
	bool inherited = v->cur.order.inherited;

	for (struct saved *s = v->pruner->parent; s && inherited && !s->order_relied;
		s = s->parent) {
		s->order_relied = true;
		inherited = s->order.inherited;
	}
}

void demand_uninit(struct verifier *v, u32 frame, u64 slots)
{
	/* A kept state without this frame is from before the frame was opened. */
	for (struct saved *s = v->pruner->parent; s && s->depth >= frame; s = s->parent) {
		if (!(slots & ~s->uninit_read[frame]))
			return;
		s->uninit_read[frame] |= slots;
	}
}

static void reset_reg_deps(struct vreg *r, struct deps own)
{
	if (!can_be_precise(r))
		return;
	r->deps = (struct deps){0};
	r->lower = r->upper = own;
}

/* From here on ranges are told in terms of the state that was just kept. */
static void reset_deps(struct verifier *v)
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

enum match {
	MATCH_COVERS,
	MATCH_ALL, /* covers, as if all of the kept state were precise */
	MATCH_EQUAL
};

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

static bool same_calls(struct verifier *v, const struct saved *s)
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

static bool state_matches(struct verifier *v, const struct saved *s, enum match how)
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

static void demand_same(struct verifier *v, const struct vreg *old, const struct vreg *now)
{
	if (old->precise == PRECISE_ALL)
		demand(v, now);
	else if (old->precise == PRECISE_LOWER)
		demand_lower(v, now);
}

/* What the kept state's safety rests on, the path that was pruned by it rests on as well. */
static void demand_as(struct verifier *v, const struct saved *s)
{
	if (s->order_relied)
		demand_order(v);
	for (u32 f = 0; f <= s->depth; f++)
		demand_uninit(v, f, s->uninit_read[f]);
	for (u32 n = 0; n < s->nr; n++) {
		const struct item *it = &s->items[n];
		const struct frame *f = &v->cur.frames[it->frame];

		if (!it->is_slot)
			demand_same(v, &it->reg, &f->regs[it->index]);
		else if (slot_has_spill(&f->slots[it->index]))
			demand_same(v, &it->reg, &f->slots[it->index].reg);
	}
}

static u64 mix(u64 hash, u64 value)
{
	return (hash ^ value) * 0x9e3779b97f4a7c15ull ^ hash >> 29;
}

/* Of scratch; ids and marks don't count. */
static u64 hash_items(const struct item *items, u32 nr)
{
	u64 hash = nr;

	for (u32 n = 0; n < nr; n++) {
		const struct item *it = &items[n];
		u64 bytes;

		memcpy(&bytes, it->bytes, sizeof(bytes));
		hash = mix(hash, it->frame | (u64)it->index << 8 | (u64)it->reg.type << 16 |
					 (u64)it->is_slot << 24);
		hash = mix(hash, bytes);
		hash = mix(hash, (u64)(u32)it->reg.off << 32 | it->reg.aux);
		hash = mix(hash, it->reg.var.bits.value);
		hash = mix(hash, it->reg.var.umin ^ it->reg.var.umax << 1);
	}
	return hash;
}

/* Loops that helpers make: the same call is walked again with the state that the last round left, until that is no news. */

/* The kept state of the round before, on the current path. */
static struct saved *last_round(struct verifier *v)
{
	for (struct saved *s = v->pruner->lists[v->pc].open; s; s = s->next)
		if (same_calls(v, s))
			return s;
	return NULL;
}

/* A number that differs from round to round and that nothing rests on: any will do. When the walk has become long, also one
 * that something may rest on: else rounds that count something are walked one by one, each with all that comes behind the
 * loop. That loses knowledge only, so a program may be refused that would have been accepted with more patience. */
static void widen(const struct item *before, struct vreg *now, u32 bytes, bool long_walk)
{
	if (before->reg.type != REG_SCALAR || now->type != REG_SCALAR ||
		(before->reg.precise && !long_walk) || scalar_equal(&before->reg.var, &now->var))
		return;
	*now = reg_unknown();
	if (bytes < SLOT_BYTES)
		now->var = scalar_zext(&now->var, bytes * 8);
}

static void widen_all(struct verifier *v, const struct saved *before)
{
	bool long_walk = v->stats.insns_walked > v->opts.max_insns / LONG_WALK;

	for (u32 n = 0; n < before->nr; n++) {
		const struct item *it = &before->items[n];
		struct frame *f = &v->cur.frames[it->frame];

		if (!it->is_slot)
			widen(it, &f->regs[it->index], SLOT_BYTES, long_walk);
		else if (it->bytes[0] == SLOT_SPILL && it->index < f->nr_slots &&
			 slot_has_spill(&f->slots[it->index]))
			widen(it, &f->slots[it->index].reg, slot_spill_bytes(&f->slots[it->index]),
				long_walk);
	}
}

/* The state of an earlier round, whose paths aren't all walked yet, that has all of the current one. */
static struct saved *find_round(struct verifier *v)
{
	u32 n = 0;

	for (struct saved *s = v->pruner->lists[v->pc].open; s && n < LOOK_BACK; s = s->next, n++)
		if (state_matches(v, s, MATCH_ALL))
			return s;
	return NULL;
}

static bool rests_on_range(const struct vreg *r)
{
	return r->type != REG_SCALAR || !scalar_is_unknown(&r->var);
}

/* What will be demanded of the earlier round isn't known yet, so the current state counts as needed in all that it was
 * compared for; and so does that round's, which the next one will be compared with. */
static void demand_round(struct verifier *v, struct saved *s)
{
	struct wanted up = {0};

	for (u32 f = 0; f <= s->depth; f++)
		demand_uninit(v, f, UINT64_MAX);
	for (u32 n = 0; n < s->nr; n++) {
		struct item *it = &s->items[n];
		const struct frame *f = &v->cur.frames[it->frame];

		if (!can_be_precise(&it->reg) || !rests_on_range(&it->reg))
			continue;
		want(&it->reg, PRECISE_ALL, &up);
		if (!it->is_slot)
			demand(v, &f->regs[it->index]);
		else if (slot_has_spill(&f->slots[it->index]))
			demand(v, &f->slots[it->index].reg);
	}
	demand_deps_of(s->parent, up);
}

/* Arriving. */

/* Has the current path been in this very state before? */
static bool is_endless(struct verifier *v, u64 hash)
{
	u32 n = 0;

	for (struct saved *s = v->pruner->lists[v->pc].open; s && n < LOOK_BACK; s = s->next, n++)
		if (s->hash == hash && state_matches(v, s, MATCH_EQUAL))
			return true;
	return false;
}

/* A finished state that covers the current one, moved to the front of its list. */
static struct saved *find_cover(struct verifier *v)
{
	struct list *l = &v->pruner->lists[v->pc];

	for (struct saved **link = &l->finished; *link; link = &(*link)->next) {
		struct saved *s = *link;

		if (!state_matches(v, s, MATCH_COVERS))
			continue;
		*link = s->next;
		s->next = l->finished;
		l->finished = s;
		return s;
	}
	return NULL;
}

/* All paths from s are walked: from now on it prunes. */
static void finish(struct verifier *v, struct saved *s)
{
	struct list *l = &v->pruner->lists[s->pc];

	assert(l->open == s);
	l->open = s->next;
	s->next = l->finished;
	l->finished = s;
	if (++l->nr_finished > v->stats.states_per_insn)
		v->stats.states_per_insn = l->nr_finished;
	if (l->nr_finished <= KEEP_PER_PC)
		return;
	struct saved **link = &l->finished;
	while ((*link)->next)
		link = &(*link)->next;
	saved_drop(v, *link);
	*link = NULL;
	l->nr_finished--;
}

static int keep(struct verifier *v, u32 nr, u64 hash)
{
	struct pruner *p = v->pruner;
	struct saved *s = save(v, nr);

	if (!s)
		return diag_nomem(v->diag);
	v->stats.states_total++;
	s->hash = hash;
	s->branches = 1;
	s->next = p->lists[v->pc].open;
	p->lists[v->pc].open = s;
	p->parent = s;
	p->insns_since = v->stats.insns_walked;
	p->jumps_since = v->jumps_walked;
	reset_deps(v);
	return 0;
}

int prune_arrive(struct verifier *v, enum arrival *what)
{
	struct pruner *p = v->pruner;

	if (order_names(&v->cur.order, (u16)~v->live[v->pc].regs))
		v->cur.order.may = 0; /* nobody will ask again */
	bool loops = v->is_loop[v->pc];
	if (loops)
		v->cur.order.may = 0;
	if (v->next_round) {
		const struct saved *before = last_round(v);

		if (before)
			widen_all(v, before);
		v->next_round = false;
	}
	u32 nr = collect(v, true);
	u64 hash = hash_items(p->scratch, nr);

	*what = ARRIVAL_GO_ON;
	if (!loops && is_endless(v, hash))
		return refuse(v, EINVAL, "infinite loop detected at insn %u", v->pc);
	struct saved *cover = find_cover(v);
	if (cover) {
		demand_as(v, cover);
		*what = ARRIVAL_PRUNED;
		return 0;
	}
	struct saved *round = loops ? find_round(v) : NULL;
	if (round) {
		demand_round(v, round);
		*what = ARRIVAL_PRUNED;
		return 0;
	}
	if (!loops && v->stats.insns_walked - p->insns_since < KEEP_AFTER_INSNS &&
		v->jumps_walked - p->jumps_since < KEEP_AFTER_JUMPS)
		return 0;
	return keep(v, nr, hash);
}

int branch_push(struct verifier *v, bool taken)
{
	struct pruner *p = v->pruner;

	if (p->nr_pending >= VERIFY_MAX_BRANCHES)
		return refuse(
			v, E2BIG, "The sequence of %u jumps is too complex.", p->nr_pending + 1);
	struct saved *s = save(v, collect(v, false));
	if (!s)
		return diag_nomem(v->diag);
	s->taken = taken;
	s->insns_since = v->stats.insns_walked - p->insns_since;
	s->jumps_since = v->jumps_walked - p->jumps_since;
	s->log_len = v->opts.log ? v->opts.log->len : 0;
	s->next = p->pending;
	p->pending = s;
	p->nr_pending++;
	if (p->nr_pending > v->stats.branches_peak)
		v->stats.branches_peak = p->nr_pending;
	if (p->parent)
		p->parent->branches++;
	return 0;
}

/* One path from each kept state above is walked to its end. */
static void finish_path(struct verifier *v)
{
	struct saved *s = v->pruner->parent;

	while (s && --s->branches == 0) {
		struct saved *parent = s->parent;

		finish(v, s);
		s = parent;
	}
}

bool branch_pop(struct verifier *v, bool *taken)
{
	struct pruner *p = v->pruner;
	struct saved *s = p->pending;

	finish_path(v);
	if (!s)
		return false;
	restore(v, s);
	log_rewind(v, s->log_len);
	v->pc = s->pc;
	*taken = s->taken;
	p->parent = s->parent;
	p->insns_since = v->stats.insns_walked - s->insns_since;
	p->jumps_since = v->jumps_walked - s->jumps_since;
	p->pending = s->next;
	p->nr_pending--;
	saved_drop(v, s);
	return true;
}
