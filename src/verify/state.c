#include "verify/state.h"

#include <string.h>

struct vreg reg_uninit(void)
{
	return (struct vreg){.type = REG_UNINIT};
}

struct vreg reg_scalar(struct scalar value)
{
	return (struct vreg){.type = REG_SCALAR, .var = value};
}

struct vreg reg_const(u64 value)
{
	return reg_scalar(scalar_const(value));
}

struct vreg reg_unknown(void)
{
	return reg_scalar(scalar_unknown());
}

struct vreg reg_pointer(enum reg_type type)
{
	return (struct vreg){.type = (u8)type, .var = scalar_const(0)};
}

static const char *const type_names[NR_REG_TYPES] = {
	[REG_UNINIT] = "?",
	[REG_SCALAR] = "scalar",
	[REG_CTX] = "ctx",
	[REG_STACK] = "fp",
	[REG_MAP] = "map_ptr",
	[REG_MAP_VALUE] = "map_value",
	[REG_MAP_VALUE_OR_NULL] = "map_value_or_null",
	[REG_PACKET] = "pkt",
	[REG_PACKET_META] = "pkt_meta",
	[REG_PACKET_END] = "pkt_end",
	[REG_RAW] = "mem",
	[REG_MEM] = "mem",
	[REG_MEM_OR_NULL] = "mem_or_null",
	[REG_RINGBUF_MEM] = "ringbuf_mem",
	[REG_RINGBUF_MEM_OR_NULL] = "ringbuf_mem_or_null",
	[REG_FUNC] = "func",
	[REG_MAP_KEY] = "map_key",
	[REG_DYNPTR] = "dynptr",
	[REG_ITER] = "iter",
	[REG_NF_STATE] = "trusted_ptr_nf_hook_state",
	[REG_SKB] = "trusted_ptr_sk_buff",
};

const char *reg_type_name(u8 type)
{
	assert(type < NR_REG_TYPES);
	return type_names[type];
}

u8 reg_checked_type(u8 type)
{
	static const u8 checked[NR_REG_TYPES] = {
		[REG_MAP_VALUE_OR_NULL] = REG_MAP_VALUE,
		[REG_MEM_OR_NULL] = REG_MEM,
		[REG_RINGBUF_MEM_OR_NULL] = REG_RINGBUF_MEM,
	};

	assert(type < NR_REG_TYPES);
	return checked[type];
}

void frame_open(struct state *s, u32 depth, u32 call_pc, u32 subprog)
{
	struct frame *f = &s->frames[depth];

	assert(depth < PROG_MAX_CALL_DEPTH);
	for (u32 r = 0; r < BPF_REG_FP; r++)
		f->regs[r] = reg_uninit();
	f->regs[BPF_REG_FP] = reg_pointer(REG_STACK);
	f->regs[BPF_REG_FP].frame = (u8)depth;
	f->call_pc = call_pc;
	f->subprog = subprog;
	f->callbacks = 0;
	f->nr_slots = 0;
	s->depth = depth;
	s->order.may = 0;
}

static void drop_at(struct state *s, u32 n)
{
	memmove(&s->refs[n], &s->refs[n + 1], (s->nr_refs - n - 1) * sizeof(*s->refs));
	s->nr_refs--;
}

void ref_drop(struct state *s, u32 id)
{
	u32 n = 0;

	while (s->refs[n].lock || s->refs[n].id != id) {
		n++;
		assert(n < s->nr_refs);
	}
	drop_at(s, n);
}

const struct ref *held_lock(const struct state *s)
{
	for (u32 n = 0; n < s->nr_refs; n++)
		if (s->refs[n].lock)
			return &s->refs[n];
	return NULL;
}

void held_lock_drop(struct state *s)
{
	const struct ref *lock = held_lock(s);

	assert(lock);
	drop_at(s, (u32)(lock - s->refs));
}

u32 slot_spill_bytes(const struct slot *s)
{
	u32 n = 0;

	while (n < SLOT_BYTES && s->bytes[n] == SLOT_SPILL)
		n++;
	return n;
}

bool slot_is_empty(const struct slot *s)
{
	static const u8 empty[SLOT_BYTES];

	return memcmp(s->bytes, empty, sizeof(empty)) == 0;
}

void state_each_reg(struct state *s, void (*fn)(struct vreg *r, void *arg), void *arg)
{
	for (u32 f = 0; f <= s->depth; f++) {
		struct frame *frame = &s->frames[f];

		for (u32 r = 0; r < BPF_REG_FP; r++)
			fn(&frame->regs[r], arg);
		for (u32 i = 0; i < frame->nr_slots; i++)
			if (slot_has_spill(&frame->slots[i]))
				fn(&frame->slots[i].reg, arg);
	}
}
