/* Open-coded iterators on the stack: one slot with REG_ITER (aux: enum iter_state; ref: what must be given up). The program
 * can't read it, and loses it by writing to it.
 *
 * What the next one is isn't known, so the call is walked both ways: there is none, or there is one, and then the program
 * comes back to the call with the state that its round left. prune.h says how that ends. */
#ifndef WEIR_VERIFY_ITER_H
#define WEIR_VERIFY_ITER_H

#include "verify/call.h"

enum iter_state { ITER_ACTIVE, ITER_DRAINED };

/* The instruction asks an iterator for the next one. */
bool insn_is_iter_next(struct insn i);
/* The argument is an iterator: c->iter. */
int check_iter_arg(struct verifier *v, u32 regno, struct call *c);
/* The argument is where the call makes one; there is none yet. */
int check_iter_out(struct verifier *v, u32 regno, struct call *c);
/* Behind the call: c->iter_made has the iterator that it has made, with the reference c->acquired_ref. */
void iter_made(struct verifier *v, const struct call *c);
/* The iterator with this reference ends. */
void iters_release(struct verifier *v, u32 ref);
/* Arguments are checked: remembers that there may be a next one, and goes on as if there was none. */
int iter_push(struct verifier *v, const struct call *c);
/* There is a next one: r0 points to it. */
void iter_enter(struct verifier *v);

#endif
