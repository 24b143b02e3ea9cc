/* What the verifier found out about each instruction, for passes and back ends to rely on.
 * Facts hold on every path that reaches the instruction; a default (zeroed) fact says nothing.
 *
 * FACT_SEEN is closed: the first instruction has it, and where one has it that doesn't end the program, so has what comes
 * behind it. A conditional jump has at most one of FACT_TAKEN and FACT_NOT_TAKEN, and every way that these leave is seen. */
#ifndef WEIR_VERIFY_FACTS_H
#define WEIR_VERIFY_FACTS_H

#include "isa/prog.h"

enum mem_kind { /* what a load, store or atomic goes to */
	MEM_NONE = 0, /* no memory access, or never reached */
	MEM_MIXED,    /* differs by path: only kinds that share one code shape can (e.g. stack or map value) */
	MEM_CTX,
	MEM_STACK,
	MEM_PACKET,
	MEM_MAP_VALUE,
	MEM_RAW,
};

enum fact_flags {
	FACT_SEEN = 1 << 0,	     /* some path may get here */
	FACT_TAKEN = 1 << 1,	     /* conditional jump: always jumps */
	FACT_NOT_TAKEN = 1 << 2,     /* conditional jump: never jumps */
	FACT_MAP = 1 << 3,	     /* map helper call, or access to a map value: always the map `map` */
	FACT_KEY = 1 << 4,	     /* lookup in an array-like map: the key is always `key` (and below max_entries) */
	FACT_KEY_IN_RANGE = 1 << 5,  /* lookup in an array-like map: the key is always below max_entries */
	FACT_SRC_NONZERO = 1 << 6,   /* div, mod by register: the divisor isn't zero (in the operation's width) */
	FACT_DST_UPPER_ZERO = 1 << 7, /* the upper 32 bits of dst are zero before the instruction */
	FACT_DST_KNOWN = 1 << 8,     /* ALU, load: the scalar result is always `value` */
	FACT_KEY_OFF = 1 << 9,	     /* lookup: the key lies on the stack at r10 + key_off */
	FACT_CALLBACK = 1 << 10,     /* helper that calls back: always the subprogram `callback` */
	FACT_SRC_BYTE = 1 << 11,     /* conditional jump by register: src is below 2^8 */
	FACT_SRC_SHORT = 1 << 12,    /* likewise: src is below 2^16 */
};

struct fact {
	u16 flags;
	u8 mem;	  /* enum mem_kind */
	s32 off;  /* MEM_CTX: offset into the context; MEM_STACK with constant offset: from r10 (negative) */
	u32 map;  /* index into prog.maps, with FACT_MAP */
	u32 key;
	s32 key_off;
	u32 callback; /* index into subprog_start, as it was before any pass */
	u64 value;
};

struct facts {
	struct fact *insns; /* one per instruction, owned */
	u32 len;
	u32 *stack_bytes;   /* per subprogram, in order of their first instruction: deepest stack access, multiple of 8; owned */
	/* Per subprogram, owned: slots of 8 bytes, bit n from r10 - 8 * (n + 1) on, that may be read where nothing has been
	 * written. Until the pass stack_zero has written there; NULL from then on. */
	u64 *uninit_slots;
	u32 *subprog_start; /* first instruction of each subprogram, [0] = 0; owned */
	u32 *subprog_origin; /* where that was before any pass, or when a pass added it: a name for people; owned */
	u32 nr_subprogs;
};

void facts_fini(struct facts *f); /* zeroed or filled */

#endif
