#ifndef WEIR_VERIFY_JUMP_H
#define WEIR_VERIFY_JUMP_H

#include "verify/verifier.h"

/* Goes on with the conditional jump at v->pc as taken or not, which must be possible: v->cur learns what that says. */
void jump_assume(struct verifier *v, struct insn i, bool taken);

#endif
