/* Dynptrs on the stack: two slots with REG_DYNPTR each, whose vreg says what is in there (aux: enum dynptr_type; off: 0 or 8;
 * dynptr: its id; ref: what ringbuf_reserve_dynptr took). The program can't read them; writing to one ends it. */
#ifndef WEIR_VERIFY_DYNPTR_H
#define WEIR_VERIFY_DYNPTR_H

#include "verify/call.h"

/* The argument is a dynptr: c->dynptr is what it holds. */
int check_dynptr_arg(struct verifier *v, u32 regno, struct call *c);
/* The argument is where the call makes one; a dynptr that was there ends. */
int check_dynptr_out(struct verifier *v, u32 regno, struct call *c);
/* Slot n of the frame is about to be written to: if it is part of a dynptr, that ends, and pointers into what it held. */
int dynptr_overwrite(struct verifier *v, struct frame *f, u32 n);
/* All dynptrs with this reference end. */
void dynptrs_release(struct verifier *v, u32 ref);
/* Behind the call: c->out_frame has the dynptr that the helper has made. */
void dynptr_made(struct verifier *v, const struct call *c);
/* What a helper returned of the memory that c->dynptr holds. */
struct vreg dynptr_mem(struct verifier *v, const struct call *c);
/* Does the call write to the packet behind a dynptr? */
bool dynptr_changes_packet(const struct call *c);

#endif
