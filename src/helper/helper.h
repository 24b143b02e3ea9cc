/* Helper functions that programs can call: one row each in helpers.def. */
#ifndef WEIR_HELPER_HELPER_H
#define WEIR_HELPER_HELPER_H

#include "base/types.h"

/* What the verifier asks of an argument. */
enum arg_kind {
	ARG_NONE = 0,	/* the helper has fewer arguments */
	ARG_ANYTHING,	/* any initialised scalar (no pointer leak) */
	ARG_CONST_MAP,	/* a map, by ld_imm64 */
	ARG_MAP_KEY,	/* readable memory of key_size bytes of the map argument */
	ARG_MAP_VALUE,	/* readable memory of value_size bytes of the map argument */
	ARG_CTX,	/* the context pointer */
	ARG_MEM_READ,	/* readable memory; its size is the next argument */
	ARG_MEM_WRITE,	/* memory that the helper fills; size likewise */
	ARG_SIZE,	/* bytes, not zero */
	ARG_SIZE_OR_ZERO,
	ARG_MEM_READ_OR_NULL,
};

enum ret_kind {
	RET_VOID = 0,
	RET_INTEGER,
	RET_MAP_VALUE_OR_NULL,
};

/* u64 r1 ... r5 to r0. Runs on the slot cpu_self(). */
typedef u64 (*helper_fn)(u64 r1, u64 r2, u64 r3, u64 r4, u64 r5);

struct helper {
	u32 id; /* the kernel's number */
	const char *name; /* without bpf_ */
	helper_fn fn;
	enum ret_kind ret;
	enum arg_kind args[5];
	s64 ret_min, ret_max;	/* RET_INTEGER: range the verifier may rely on; min > max: any */
	bool changes_packet; /* packet pointers are invalid afterwards */
};

/* NULL: not here. Knows the internal ones too, which are for rewritten programs only. */
const struct helper *helper_by_id(u32 id);
const struct helper *helper_by_name(const char *name);
/* The kernel's name for a helper number that isn't here ("redirect_map"), or NULL when nobody knows it. */
const char *helper_known_name(u32 id);
/* Walks all rows; NULL behind the last. */
const struct helper *helper_at(size_t i);

enum helper_id {
#define HELPER(number, name, ...) HELPER_##name = number,
#include "helper/helpers.def"
#include "helper/internal.def"
#undef HELPER
	HELPER_INTERNAL = 0x10000, /* the first internal one */
};

#endif
