/* What a rule set's programs keep per CPU: one value of a per-CPU array for every
 * COUNTERS_PER_VALUE counters. Value 0 also holds the log and the scratch memory in front of its
 * counters; programs look it up once and keep its address, so that counting is plain adding. */
#ifndef WEIR_RULES_COUNTERS_H
#define WEIR_RULES_COUNTERS_H

#include "rules/compile.h"

enum {
	COUNTERS_PER_VALUE_SHIFT = 10,
	COUNTERS_PER_VALUE =
		1 << COUNTERS_PER_VALUE_SHIFT, /* the kernel allows a per-CPU value 32 KiB */
	COUNTERS_OFF = 256,                    /* of the first counter in a value */
	COUNTER_BYTES = 16,                    /* struct rule_count */
	COUNTERS_VALUE_BYTES = COUNTERS_OFF + COUNTERS_PER_VALUE * COUNTER_BYTES,
};

/* In front of the counters of value 0. */
enum counters_head {
	LOG_NR_OFF = 0, /* u32: events since the runner took them, also those that found no room */
	LOG_EVENTS_OFF = 8, /* u32 each: the logging rule's counter index */
	LOG_EVENTS_MAX = 32,
	SCRATCH_UPPER_OFF = 136,       /* u64: the upper word, see emit_walk.c */
	SCRATCH_UPPER_OFF_OFF = 144,   /* u32: offset of the upper header */
	SCRATCH_PROTO_OFF = 148,       /* u32 */
	SCRATCH_FRAG_STATE_OFF = 152,  /* u32, enum frag_state of walk.h */
	SCRATCH_FRAG_OFF = 160,        /* the first fragment header, 8 bytes */
	SCRATCH_OPTIONS_BAD_OFF = 168, /* u32: 1 when the TCP header's length can't be */
	SCRATCH_PLACE_OFF = 172,       /* u32 */
	SCRATCH_NOTE_OFF = 208,        /* u32, compile_groups.c */
	SCRATCH_OPTIONS_OFF = 176, /* a bit for each of the 256 kinds of TCP options: it is there */
};

#endif
