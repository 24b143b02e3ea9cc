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
	bool inner; /* as in vreg */
	bool key_in_range;
	struct deps key_deps;
	struct ref lock; /* ARG_SPIN_LOCK */
	u32 mem_bytes;	 /* ARG_CONST_SIZE */
	u32 acquired_ref; /* id of what the call hands out */
	struct vreg dynptr; /* ARG_DYNPTR: what the slot says */
	struct frame *out_frame; /* ARG_DYNPTR_OUT, and the slot of the lower half */
	u32 out_slot;
	struct slot *iter;	/* ARG_ITER */
	struct slot *iter_made; /* ARG_ITER_OUT */
	u32 release_ref; /* ARG_RINGBUF_MEM, ARG_DYNPTR_RINGBUF, an iterator that is destroyed: what the call gives up, or 0 */
};

/* Each argument against its kind, in order; memory that the helper fills is filled. */
int check_args(struct verifier *v, struct call *c);
/* Where it isn't made the walk goes on; where it is, in a subprogram, that is left for later: step_tail_call_made. */
int step_tail_call(struct verifier *v, const struct call *c);
/* Packet pointers of all frames are numbers from here on. */
void drop_packet_pointers(struct verifier *v);
/* r0 ... r5 and pointers that the call makes invalid. */
int finish_call(struct verifier *v, struct call *c);

/* One more reference to give up: state.refs. */
int acquire(struct verifier *v, struct ref ref);
/* Nothing is held that the path should have given up; `who` would end it or leave the program. Locks too. */
int check_no_refs(struct verifier *v, const char *who);

#endif
