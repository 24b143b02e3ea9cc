/* Memory accesses: bounds by kind of pointer (memory.c), stack contents (stack.c). Shared by loads, stores and calls. */
#ifndef WEIR_VERIFY_MEMORY_H
#define WEIR_VERIFY_MEMORY_H

#include "verify/verifier.h"

struct buf;

/* "0x7" or "(0x0; 0xff)", as the kernel's log writes bits. */
#define TNUM_TEXT_BYTES 44
const char *tnum_text(struct tnum t, char out[static TNUM_TEXT_BYTES]);

/* `size` bytes (may be 0) at R + off for anything but stack and context: inside, and the kind of access is allowed. */
int check_region(struct verifier *v, u32 regno, s64 off, u64 size, enum access a);
/* The context pointer itself: not moved. */
int check_ctx_pointer(struct verifier *v, u32 regno);
/* The same of any pointer. */
int check_whole_pointer(struct verifier *v, u32 regno);
/* A map value whose key shows that it is there may be used without a null check. */
void settle_not_null(struct verifier *v, u32 regno);
/* Addresses are multiples of the size where that is asked for: on the stack always, elsewhere with `strict`. */
int check_alignment(struct verifier *v, u32 regno, s32 off, u32 size, bool strict);

/* step_args.c: `size` bytes at R that may be read and written by who gets the pointer. On the stack they need not be
 * initialised, and are from then on. */
int check_shared_mem(struct verifier *v, u32 regno, u64 size);

/* Where an access may go; both ends relative to the frame's r10. */
struct stack_span {
	struct frame *frame;
	u32 depth; /* index of the frame */
	s64 first; /* lowest byte */
	s64 end;   /* behind the highest one */
	bool fixed;
};

/* Bounds for `size` bytes at R + off; also notes how deep the stack is used. */
int stack_span(struct verifier *v, u32 regno, s64 off, u64 size, enum access a, struct stack_span *out);
/* Loads `size` bytes, aligned to their size, zero-extended. */
int stack_load(struct verifier *v, u32 regno, const struct stack_span *span, u32 size, struct vreg *out);
int stack_store(struct verifier *v, u32 regno, const struct stack_span *span, u32 size, struct vreg *value);
/* For helpers: all bytes must be readable; the first `least` bytes become initialised, the others may. */
/* Somebody may read these bytes: those that nobody has written are noted (struct facts: uninit_slots). */
void stack_note_read(struct verifier *v, const struct stack_span *span);
int stack_check_readable(struct verifier *v, u32 regno, const struct stack_span *span);
int stack_fill(struct verifier *v, const struct stack_span *span, u64 least);

/* Traces, for facts. */
void note_access(struct verifier *v, enum mem_kind kind, bool fixed, s64 off);
/* The map that r points to, or into. */
void note_map(struct verifier *v, const struct vreg *r);

#endif
