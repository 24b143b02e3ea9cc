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
};

const char *reg_type_name(u8 type)
{
	assert(type < NR_REG_TYPES);
	return type_names[type];
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
	f->nr_slots = 0;
	s->depth = depth;
	s->order.may = 0;
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
