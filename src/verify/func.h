/* Global functions: verified once by themselves, for all that their arguments' types allow; a caller is only held against
 * these types, and knows nothing of what such a function does but by its result's type. */
#ifndef WEIR_VERIFY_FUNC_H
#define WEIR_VERIFY_FUNC_H

#include "verify/verifier.h"

/* What the program says of the subprogram; NULL: nothing. */
const struct prog_func *func_of(const struct verifier *v, u32 subprog);
bool func_is_global(const struct verifier *v, u32 subprog);
/* "" when it has none. */
const char *func_name(const struct verifier *v, u32 subprog);
/* A call of a global function: the arguments must be what it was, or will be, verified for. */
int func_call(struct verifier *v, u32 subprog);
/* The state at the start of a global function. */
void func_start(struct verifier *v, u32 subprog);
/* One that was called and isn't walked yet, which then counts as walked; 0: there is none. */
u32 func_next(struct verifier *v);

#endif

