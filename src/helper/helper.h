/* Helper functions that programs can call: one row each in helpers.def. */
#ifndef WEIR_HELPER_HELPER_H
#define WEIR_HELPER_HELPER_H

#include "base/types.h"

/* What the verifier asks of an argument. */
enum arg_kind {
	ARG_NONE = 0,	/* the helper has fewer arguments */
	ARG_ANYTHING,	/* any initialised scalar (no pointer leak) */
	ARG_UNCHECKED,	/* what happens to be in the register, if anything: a format decides whether it is looked at */
	ARG_CONST_MAP,	/* a map, by ld_imm64 or from a map of maps */
	ARG_MAP_KEY,	/* readable memory of key_size bytes of the map argument */
	ARG_MAP_VALUE,	/* readable memory of value_size bytes of the map argument */
	ARG_MAP_VALUE_OUT, /* memory of value_size bytes that the helper fills */
	ARG_CTX,	/* the context pointer */
	ARG_MEM_READ,	/* readable memory; its size is the next argument */
	ARG_MEM_READ_OR_NULL,
	ARG_MEM_WRITE,	/* memory that the helper fills; size likewise */
	ARG_MEM_WRITE_OR_NULL,
	ARG_MEM_UPDATE, /* memory that the helper reads and writes; size likewise */
	ARG_INT_UPDATE, /* 4 bytes, aligned, that the helper reads and writes */
	ARG_SIZE,	/* bytes of the memory before it, not zero */
	ARG_SIZE_OR_ZERO,
	ARG_LONG_OUT,	/* 8 bytes, aligned, that the helper fills */
	ARG_CONST_SIZE, /* a known number: the bytes of the memory that the helper returns */
	ARG_RINGBUF_MEM, /* what ringbuf_reserve returned; the call gives it up */
	ARG_SPIN_LOCK,	/* the struct bpf_spin_lock of a map value */
	ARG_CONST_STR,	/* NUL-terminated string in a frozen read-only map */
	ARG_CONST_FORMAT, /* such a string that is a format (helper/format.h); the array of its arguments and its size follow */
	ARG_FUNC,	/* a subprogram, by ld_imm64: a callback */
	ARG_CALLBACK_CTX, /* pointer to the stack or 0, handed to the callback */
	ARG_DYNPTR,	/* a dynptr on the stack that holds something */
	ARG_DYNPTR_RINGBUF, /* one from ringbuf_reserve_dynptr; the call gives it up */
	ARG_DYNPTR_OUT, /* 16 bytes of stack that become a dynptr */
	ARG_ITER,	/* an open-coded iterator on the stack */
	ARG_ITER_OUT,	/* 8 bytes of stack that become one; the program must give it up */
	ARG_SHARED_OR_NULL, /* memory, initialised or not, that may be read and written; its size, ARG_CONST_SIZE, follows */
};

enum ret_kind {
	RET_VOID = 0,
	RET_INTEGER,
	RET_MAP_VALUE_OR_NULL,	 /* maps of maps: the inner map or NULL */
	RET_RINGBUF_MEM_OR_NULL, /* ARG_CONST_SIZE bytes that the program must give up */
	RET_DYNPTR_MEM_OR_NULL,	 /* ARG_CONST_SIZE bytes inside what a dynptr holds */
	RET_ITER_NEXT,		 /* a number to read, in the iterator, or NULL */
};

enum helper_flags {
	HELPER_PLAIN = 0,
	HELPER_CHANGES_PACKET = 1 << 0, /* packet pointers and slices of packets are invalid afterwards */
	HELPER_GPL = 1 << 1,		/* the kernel gives it to GPL-compatible programs only */
	HELPER_KFUNC = 1 << 2,		/* called by name as a kernel function; numbers from HELPER_KFUNCS on */
	HELPER_RDONLY_MEM = 1 << 6,	/* what it returns is not to be written to */
	HELPER_PKT_ACCESS = 1 << 4,	/* memory arguments may be packet bytes */
	HELPER_UNLOCKS = 1 << 5,	/* ARG_SPIN_LOCK: gives the lock up, else takes it */
	HELPER_INLINE_ONLY = 1 << 3,	/* passes or engines put code in its place; fn is never called */
};

/* u64 r1 ... r5 to r0. Runs on the slot cpu_self(). */
typedef u64 (*helper_fn)(u64 r1, u64 r2, u64 r3, u64 r4, u64 r5);

struct helper {
	u32 id; /* the kernel's number; ours for kernel functions */
	const char *name; /* without bpf_ */
	helper_fn fn;
	enum ret_kind ret;
	enum arg_kind args[5];
	s64 ret_min, ret_max;	/* RET_INTEGER: range the verifier may rely on; min > max: any */
	u32 flags; /* enum helper_flags */
};

/* NULL: not here. Knows the internal ones too, which are for rewritten programs only. */
const struct helper *helper_by_id(u32 id);
/* By the name without bpf_, helpers and kernel functions. */
const struct helper *helper_by_name(const char *name);
/* The kernel's name for a helper number that isn't here ("redirect_map"), or NULL when nobody knows it. */
const char *helper_known_name(u32 id);
/* The other way round; false when nobody knows the name. */
bool helper_known_number(const char *name, u32 *id);
/* Walks all rows; NULL behind the last. */
const struct helper *helper_at(size_t i);

enum helper_id {
#define HELPER(number, name, ...) HELPER_##name = number,
#include "helper/helpers.def"
#include "helper/kfuncs.def"
#include "helper/internal.def"
#undef HELPER
	HELPER_INTERNAL = 0x10000, /* the first internal one */
	HELPER_KFUNCS = 0x20000, /* the first kernel function: the imm of its call, whose src is CALL_KFUNC */
};

#endif
