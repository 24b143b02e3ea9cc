/* Helper calls that call a subprogram of the program back: bpf_loop, bpf_for_each_map_elem.
 *
 * How often is not known, so the call is walked as a loop: it goes on behind itself, or into the callback and then comes
 * to itself again with the state that the callback left. prune.h says how that ends. */
#ifndef WEIR_VERIFY_CALLBACK_H
#define WEIR_VERIFY_CALLBACK_H

#include "verify/call.h"

/* The instruction calls a helper of that kind. */
bool insn_calls_back(struct insn i);
/* The argument is a subprogram. */
int check_func_arg(struct verifier *v, u32 regno);
/* The argument is what the callback will get: an address of the stack, or 0. */
int check_callback_ctx_arg(struct verifier *v, u32 regno);
/* Arguments are checked: remembers the way into the callback as still to be walked, if there is one. */
int callback_push(struct verifier *v, const struct call *c);
/* Takes that way: opens the callback's frame. */
void callback_enter(struct verifier *v);
/* The callback ends: back to the call. */
int callback_return(struct verifier *v);

#endif
