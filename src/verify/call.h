/* One helper call on its way through the verifier: its arguments (step_args.c), what it leaves behind (step_result.c). */
#ifndef WEIR_VERIFY_CALL_H
#define WEIR_VERIFY_CALL_H

#include "helper/helper.h"
#include "verify/verifier.h"

struct call {
	const struct helper *helper;
	/* What the arguments turned out to be. */
	const struct map *map; /* of the map argument */
	u32 map_index;
	bool key_in_range;
	struct deps key_deps;
};

/* Each argument against its kind, in order; memory that the helper fills is filled. */
int check_args(struct verifier *v, struct call *c);
/* r0 ... r5 and pointers that the call makes invalid. */
int finish_call(struct verifier *v, const struct call *c);

#endif
