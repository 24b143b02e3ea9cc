/* What a run adds up: how often each return value came, where packets were sent, what time it took. */
#ifndef WEIR_CLI_RUN_TALLY_H
#define WEIR_CLI_RUN_TALLY_H

#include "base/types.h"
#include "weir/weir.h"

struct buf;

enum { TALLY_VALUES_MAX = 64, TALLY_TARGETS_MAX = 64 };

struct tally {
	enum weir_program_type type;
	struct {
		s64 value;
		u64 nr;
	} values[TALLY_VALUES_MAX]; /* sorted by value */
	u32 nr_values;
	u64 nr_other; /* values that found no room */
	struct {
		u32 kind; /* enum weir_redirect; clones have 0 */
		u64 to;	  /* ifindex or key */
		u64 nr;
	} targets[TALLY_TARGETS_MAX];
	u32 nr_targets;
	u64 runs, packets, skipped;
	double ns; /* of the program alone, all runs */
};

/* One packet's way. result as weir_run_frame gives it. */
void tally_result(struct tally *t, const struct weir_frame *frame, u64 result);
void tally_clone(struct tally *t, u32 ifindex);
/* Whether the packet goes on or is sent somewhere. */
bool verdict_keeps(enum weir_program_type type, u64 result);
/* "XDP_PASS", or NULL where a value has no name. */
const char *verdict_name(enum weir_program_type type, s64 value);

void tally_print(const struct tally *t, struct buf *out);
/* Members of a JSON object, without braces. */
void tally_print_json(const struct tally *t, struct buf *out);

#endif
