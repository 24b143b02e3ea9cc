/* Kept states: where the walk has been, where it has still to go, and what of a state its safety rests on.
 *
 * A state is kept at places where paths may meet. A later path that arrives there is pruned when the kept state covers it:
 * same pointers, stack at least as initialised, and for every scalar that is marked precise a range within the kept one's.
 * Marks come from demand(): a scalar whose range decided something passes the demand on to the registers and slots of the
 * last kept state that its range came from (struct deps), these to those of the kept state before, and so on up the path.
 * A kept state prunes only when all paths from it are walked, because then its marks are complete. The exception are calls
 * that go round in a loop of their helper's making (verifier.h: is_loop): see rounds.c. */
#ifndef WEIR_VERIFY_PRUNE_H
#define WEIR_VERIFY_PRUNE_H

#include "verify/verifier.h"

int prune_init(struct verifier *v);

/* A walk begins with the state as it is, and nothing is left of the one before. */
void prune_restart(struct verifier *v);

enum arrival { ARRIVAL_GO_ON, ARRIVAL_PRUNED };

/* The path has come to v->pc, where paths may meet: is the rest known? Keeps the state when that seems worth it.
 * 0 and *what, or an error: an endless loop, no memory. */
int prune_arrive(struct verifier *v, enum arrival *what);
/* Remembers that the conditional jump at v->pc is still to be walked with the current state as taken, or as not; or that
 * the helper call at v->pc may call back. */
int branch_push(struct verifier *v, bool taken);
/* One more round begins with the current state at v->pc, where it was kept: numbers that nothing rests on and that the
 * round before had otherwise are forgotten. */
void round_widen_next(struct verifier *v);
/* The path has ended: takes up the last remembered jump (v->pc, *taken); false when there is none. */
bool branch_pop(struct verifier *v, bool *taken);

/* The range of this scalar (for OR_NULL: that it isn't null) has decided something. */
void demand(struct verifier *v, const struct vreg *r);
/* The range of this scalar's lower half has. */
void demand_lower(struct verifier *v, const struct vreg *r);
/* These slots (a bit each) of this frame were read where nothing had been written: what a kept state doesn't have there
 * has counted as some number. */
void demand_uninit(struct verifier *v, u32 frame, u64 slots);
/* The remembered order of two registers has. */
void demand_order(struct verifier *v);

#endif
