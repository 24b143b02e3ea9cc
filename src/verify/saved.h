/* What is kept of states, and what may be asked about kept ones: prune.c's own. */
#ifndef WEIR_VERIFY_SAVED_H
#define WEIR_VERIFY_SAVED_H

#include "verify/prune.h"

/* A register (r0 ... r9) or stack slot of a saved state that isn't uninitialised. */
struct item {
	u8 frame;
	bool is_slot;
	u8 index;
	u8 bytes[SLOT_BYTES]; /* slots only */
	struct vreg reg;      /* registers, and slots with a spill */
};

struct saved {
	struct saved *parent; /* kept state before this one on the path */
	struct saved *next;   /* in a list of its pc, of pending branches, of free ones */
	u32 pc, depth;
	u32 call_pcs[PROG_MAX_CALL_DEPTH];
	u32 subprogs[PROG_MAX_CALL_DEPTH];
	u32 callbacks[PROG_MAX_CALL_DEPTH];
	u32 rounds;
	u32 branches;      /* kept: paths from here that aren't walked to their end yet */
	bool taken;        /* pending */
	bool order_relied; /* kept: as precise, for the order */
	u64 uninit_read[PROG_MAX_CALL_DEPTH]; /* kept: slots that count as a number where they have nothing */
	struct saved *waits;	     /* kept: its marks are complete when this open one's are; NULL: when it is finished */
	struct saved *next_waiting;  /* in a list of those that wait for the same */
	struct saved *first_waiting; /* kept, open: those that wait for it */
	struct turn *turns;	     /* kept, open: the paths that ended in it, or in one that waits for it */
	struct order order;
	u32 nr_refs;
	struct ref refs[VERIFY_MAX_REFS];
	u32 insns_since, jumps_since;
	size_t log_len;
	u64 hash; /* kept: of all that is live; equal states have equal hashes */
	u32 nr;
	struct item items[];
};

enum {
	/* A state is kept when this much has happened since the last one: keeping at every label costs more memory and
	 * time than walking a few instructions twice. */
	KEEP_AFTER_INSNS = 6,
	KEEP_AFTER_JUMPS = 2,
	/* Finished states per instruction; the least recently useful goes first. */
	KEEP_PER_PC = 128,
	/* An endless loop comes back to a state within that many kept ones, or runs into the limit of instructions. */
	LOOK_BACK = 64,
	CLASS_ITEMS = 8,
	NR_ITEMS_MAX = PROG_MAX_CALL_DEPTH * (BPF_REG_FP + NR_SLOTS),
	NR_CLASSES = NR_ITEMS_MAX / CLASS_ITEMS + 2,
};

/* Kept states of one instruction. Open ones are those whose paths aren't all walked yet, so they lie on the current path
 * and finish in the opposite order of being kept; only finished ones prune. */
struct list {
	struct saved *open, *finished;
	u32 nr_finished;
};

struct pruner {
	struct list *lists; /* per instruction */
	struct saved *pending;
	u32 nr_pending;
	struct saved *parent; /* last kept state of the current path */
	u32 insns_since, jumps_since;
	struct saved *free[NR_CLASSES]; /* by room for items */
	struct turn *free_turns;
	u64 marks; /* made so far */
	struct item scratch[NR_ITEMS_MAX];
};

/* saved.c: memory, and what of a state is saved. */

/* Into scratch: all of the current state, or what of it is live. How many items. */
u32 collect(struct verifier *v, bool only_live);
/* The current state, of which scratch has nr items; NULL: no memory. */
struct saved *save(struct verifier *v, u32 nr);
void restore(struct verifier *v, const struct saved *s);
void saved_drop(struct verifier *v, struct saved *s);
/* Of the nr items in scratch; ids and marks don't count. */
u64 hash_items(const struct item *items, u32 nr);

/* demand.c: precision. */

/* From here on ranges are told in terms of the state that was just kept. */
void reset_deps(struct verifier *v);
/* What the kept state's safety rests on, the current path, which was pruned by it, rests on as well. */
void demand_as(struct verifier *v, const struct saved *s);
/* The same for a path that ended earlier, with the state `now`. */
void demand_as_of(struct verifier *v, const struct saved *s, const struct saved *now);

/* covers.c: comparing. */

enum match {
	MATCH_COVERS,
	MATCH_ALL, /* covers, as if all of the kept state were precise */
	MATCH_EQUAL
};

bool same_calls(struct verifier *v, const struct saved *s);
/* Has the kept state s all of the current one? */
bool state_matches(struct verifier *v, const struct saved *s, enum match how);

/* rounds.c: loops that helpers make. */

/* The current state is what a round has left: numbers that differ from round to round are forgotten. */
void round_widen(struct verifier *v);
/* The state of an earlier round, whose paths aren't all walked yet, that has all of the current one; or NULL. */
struct saved *round_find(struct verifier *v);
/* The current path ends in the kept state `to`, whose marks are complete when those of the open state `head` are: that one,
 * or what it waits for. The current state has nr items in scratch. 0 or -ENOMEM. */
int round_close(struct verifier *v, struct saved *to, struct saved *head, u32 nr);
/* All paths from s are walked. */
void round_finish(struct verifier *v, struct saved *s);

#endif
