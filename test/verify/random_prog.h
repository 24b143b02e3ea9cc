/* Random programs that are often just right: computed offsets near the limits of memory, bounds learnt by comparisons in
 * every form, loops, spills, subprograms. */
#ifndef WEIR_TEST_RANDOM_PROG_H
#define WEIR_TEST_RANDOM_PROG_H

#include "isa/prog.h"

struct random {
	u64 state;
};

u64 random_next(struct random *r);
u32 random_below(struct random *r, u32 n);

/* A new program of type raw (with up to 64 bytes), packet or xdp; it always passes prog_check. */
struct prog *random_prog(struct random *r, enum prog_type type);
/* The same with bpf_loop in it. */
struct prog *random_prog_rounds(struct random *r, enum prog_type type);

#endif
