/* What an open-coded iterator is: between its functions and the verifier. */
#ifndef WEIR_HELPER_ITER_H
#define WEIR_HELPER_ITER_H

#include "base/types.h"

/* bpf_iter_num_*: on the program's stack. The number that is pointed to, and the first one behind the last. */
struct iter_num {
	s32 now, end;
};

_Static_assert(sizeof(struct iter_num) == 8, "the size of struct bpf_iter_num");

#endif
