/* What is known on one path before one instruction: registers and stack of every call frame.
 *
 * `deps` make precision cheap. A scalar's range may be what a path's safety rests on (an offset, a decided branch), and
 * then a state kept for pruning only covers states with such a range; or nothing rests on it, and then any scalar will do.
 * Each scalar says from which registers and stack slots of the last kept state its range was computed, so what a demand
 * for precision reaches is known without going back through the instructions: see prune.h. */
#ifndef WEIR_VERIFY_STATE_H
#define WEIR_VERIFY_STATE_H

#include "base/limits.h"
#include "isa/insn.h"
#include "verify/order.h"
#include "verify/range.h"

enum reg_type {
	REG_UNINIT = 0,
	REG_SCALAR,
	REG_CTX,
	REG_STACK,
	REG_MAP,	   /* the map itself, for helpers */
	REG_MAP_VALUE,
	REG_MAP_VALUE_OR_NULL,
	REG_PACKET,
	REG_PACKET_META,
	REG_PACKET_END,
	REG_RAW,
	REG_MEM, /* aux bytes */
	REG_MEM_OR_NULL,
	REG_RINGBUF_MEM, /* likewise: a record of a ring buffer, to be given up once */
	REG_RINGBUF_MEM_OR_NULL,
	REG_FUNC,    /* a subprogram, for helpers that call back: its number is in aux */
	REG_MAP_KEY, /* for callbacks: the key of an element */
	REG_DYNPTR,  /* in slots only: half of a dynptr (dynptr.h) */
	REG_ITER,    /* in slots only: an open-coded iterator (iter.h) */
	REG_NF_STATE, /* netfilter: the kernel's struct nf_hook_state */
	REG_SKB,      /* netfilter: struct sk_buff, which is for kernel functions only */
	NR_REG_TYPES
};

/* Registers and slots of the last kept state, as bits: reg_dep and slot_dep. Two may share a bit, which only makes
 * more precise than needed. */
struct deps {
	u64 regs, slots;
};

enum precise { PRECISE_NOT, PRECISE_LOWER, PRECISE_ALL };

/* A pointer is its base + off + var; a scalar is var. */
struct vreg {
	u8 type;     /* enum reg_type */
	u8 frame;    /* REG_STACK: whose stack */
	u8 precise;  /* enum precise; kept states only: how much of var (for OR_NULL: not_null) was relied on */
	bool not_null; /* REG_MAP_VALUE_OR_NULL: the key shows that it can't be null */
	bool inner;  /* maps and their values: not the map `aux`, but some map in it */
	bool rdonly;    /* MEM: not to be written to */
	bool of_packet; /* MEM: as long as the packet stays as it is */
	u32 id;	     /* registers with the same id (not 0) hold the same value, or pointers with the same base and var */
	u32 ref;     /* id of the reference that must be given up, and with it the pointer; 0: none */
	u32 dynptr;  /* id of the dynptr, and in pointers into what it holds, which end with it; 0: none */
	s32 off;
	u32 aux; /* maps: index into prog.maps; packets: bytes from base + var on that are known to be there; MEM: size */
	struct scalar var;
	struct deps deps;
	/* Halves apart: after `if w1 == 5` the lower half is 5 whatever it was, and the upper one rests on what it did. */
	struct deps lower; /* the lower half also rests on the lower halves of these */
	struct deps upper; /* the upper half also rests on these */
};

enum slot_kind {
	SLOT_UNINIT = 0,
	SLOT_MISC, /* initialised, nothing known */
	SLOT_ZERO,
	SLOT_SPILL, /* part of the register in slot.reg, which starts at the slot's first byte */
};

enum { SLOT_BYTES = 8, NR_SLOTS = PROG_STACK_BYTES / SLOT_BYTES };

/* Slot n is the 8 bytes from r10 - 8 * (n + 1) on. */
struct slot {
	u8 bytes[SLOT_BYTES]; /* enum slot_kind, lowest address first */
	struct vreg reg;
};

struct frame {
	struct vreg regs[BPF_NR_REGS];
	u32 call_pc; /* the call that made this frame, a local one or a helper's that calls back; unused in frame 0 */
	u32 subprog;
	u32 callbacks; /* how often the helper call that is going on has called back */
	u32 nr_slots; /* slots that may hold something; the ones behind are uninitialised */
	struct slot slots[NR_SLOTS];
};

/* What the path must give up before it ends: memory of a helper, or a lock. */
struct ref {
	u32 id;	 /* memory: vreg.ref of the pointers to it; lock: id of the map value, 0 for the only one of an array */
	u32 pc;	 /* where it was acquired */
	u32 map; /* lock: index of the map */
	bool lock;
	bool inner; /* lock: as in vreg */
};

struct state {
	u32 depth; /* index of the running frame */
	u32 nr_refs;
	struct ref refs[VERIFY_MAX_REFS]; /* in the order of being acquired */
	struct order order; /* of two of its registers */
	u32 rounds; /* of loops that helpers make, so far: the same state in another round is no endless loop */
	struct frame frames[PROG_MAX_CALL_DEPTH];
};

static inline struct frame *state_top(struct state *s)
{
	return &s->frames[s->depth];
}

static inline struct deps reg_dep(u32 frame, u32 reg)
{
	return (struct deps){.regs = 1ull << ((frame * 10 + reg) & 63)};
}

static inline struct deps slot_dep(u32 frame, u32 slot)
{
	return (struct deps){.slots = 1ull << ((frame * 16 + slot) & 63)};
}

static inline struct deps deps_or(struct deps a, struct deps b)
{
	return (struct deps){a.regs | b.regs, a.slots | b.slots};
}

static inline bool deps_any(struct deps d)
{
	return d.regs || d.slots;
}

/* All that the range of r rests on. */
static inline struct deps all_deps(const struct vreg *r)
{
	return deps_or(r->deps, deps_or(r->lower, r->upper));
}

/* From here on both halves of r rest on deps. */
static inline void set_deps(struct vreg *r, struct deps deps)
{
	r->deps = deps;
	r->lower = r->upper = (struct deps){0};
}

/* References, in the order of being acquired. */
static inline bool ref_held(const struct state *s, u32 id)
{
	for (u32 n = 0; n < s->nr_refs; n++)
		if (!s->refs[n].lock && s->refs[n].id == id)
			return true;
	return false;
}
/* Forgets a piece of memory; it must be held. */
void ref_drop(struct state *s, u32 id);
/* The lock that is held (one at most), or NULL. */
const struct ref *held_lock(const struct state *s);
void held_lock_drop(struct state *s);

struct vreg reg_uninit(void);
struct vreg reg_scalar(struct scalar value);
struct vreg reg_const(u64 value);
struct vreg reg_unknown(void);
/* A pointer to its base. */
struct vreg reg_pointer(enum reg_type type);

static inline bool reg_is_pointer(const struct vreg *r)
{
	return r->type > REG_SCALAR;
}

static inline bool reg_is_const(const struct vreg *r)
{
	return r->type == REG_SCALAR && scalar_is_const(&r->var);
}

/* Pointers into packets, but not their end. */
static inline bool reg_is_packet(const struct vreg *r)
{
	return r->type == REG_PACKET || r->type == REG_PACKET_META;
}

/* What a pointer of this type is behind a null check; REG_UNINIT when it needs none. */
u8 reg_checked_type(u8 type);

/* "pkt", "map_value_or_null": the kernel's names. */
const char *reg_type_name(u8 type);

/* Opens frame `depth`: all registers but r10 uninitialised, stack empty. */
void frame_open(struct state *s, u32 depth, u32 call_pc, u32 subprog);

static inline bool slot_has_spill(const struct slot *s)
{
	return s->bytes[0] == SLOT_SPILL;
}

/* Bytes of the spilled register: 1, 2, 4, 8; call only for slots that have one. */
u32 slot_spill_bytes(const struct slot *s);
bool slot_is_empty(const struct slot *s);

/* Calls fn for every register (r0 ... r9) and spilled register of the state. */
void state_each_reg(struct state *s, void (*fn)(struct vreg *r, void *arg), void *arg);

#endif
