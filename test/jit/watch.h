/* What operands encoders were called with; watch_enc.py makes the rows. */
#ifndef WEIR_TEST_JIT_WATCH_H
#define WEIR_TEST_JIT_WATCH_H

#include <inttypes.h>
#include <stdio.h>

#include "base/types.h"

struct watch {
	const char *function, *operand;
	u64 values, bits;	  /* needed: values below 64, a bit each; bits both set and clear */
	u64 seen, ones, zeroes; /* the same, as they came */
};

static inline void watch_note(struct watch *w, u64 value)
{
	w->ones |= value;
	w->zeroes |= ~value;
	if (value < 64)
		w->seen |= (u64)1 << value;
}

/* Prints what is lacking; returns how many rows lack something. "a is b" needs that they were different once. */
static inline unsigned watch_missing(const struct watch *w, size_t nr)
{
	unsigned wrong = 0;

	for (size_t i = 0; i < nr; i++) {
		u64 values = w[i].values & ~w[i].seen, bits = w[i].bits & ~(w[i].ones & w[i].zeroes);

		if (!values && !bits)
			continue;
		fprintf(stderr, "%s, %s: never seen: values 0x%" PRIx64 ", bits both ways 0x%" PRIx64 "\n",
			w[i].function, w[i].operand, values, bits);
		wrong++;
	}
	return wrong;
}

#endif
