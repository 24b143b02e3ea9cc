/* The interpreter for programs that run once. */
#ifndef WEIR_TEST_INTERP_ONCE_H
#define WEIR_TEST_INTERP_ONCE_H

#include "interp/interp.h"

static inline u64 interp_once(const struct prog *p, u64 r1, u64 r2, u8 *self)
{
	struct step *steps = interp_new(p);

	assert(steps);
	u64 r0 = interp_run(steps, r1, r2, self);
	interp_free(steps);
	return r0;
}

#endif
