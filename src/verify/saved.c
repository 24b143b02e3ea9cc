#include "verify/saved.h"

#include <string.h>

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

void saved_drop(struct verifier *v, struct saved *s)
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

u32 collect(struct verifier *v, bool only_live)
{
	u32 nr = 0;

	for (u32 f = 0; f <= v->cur.depth; f++)
		nr += collect_frame(v, f, only_live ? live_in_frame(v, f) : everything(),
			v->pruner->scratch + nr);
	return nr;
}

struct saved *save(struct verifier *v, u32 nr)
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

void restore(struct verifier *v, const struct saved *s)
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

static u64 mix(u64 hash, u64 value)
{
	return (hash ^ value) * 0x9e3779b97f4a7c15ull ^ hash >> 29;
}

u64 hash_items(const struct item *items, u32 nr)
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
