/* Which rules of a chain can a packet match at all: boxes over a few header fields, and a search tree over them. */
#ifndef WEIR_RULES_CLASSIFY_H
#define WEIR_RULES_CLASSIFY_H

#include "rules/emit.h"

enum box_field { BOX_SRC_HIGH, BOX_SRC_LOW, BOX_DST_HIGH, BOX_DST_LOW, BOX_SPORT, BOX_DPORT, NR_BOX_FIELDS };

struct interval {
	u64 min, max;
};

/* The packets that may match a rule lie inside; numbers are in host order, IPv4 addresses are the high part. */
struct box {
	struct interval field[NR_BOX_FIELDS];
};

void box_cut(struct box *b, enum box_field f, u64 min, u64 max);
/* What the tests of a rule leave of all packets; in EMIT_ANY code only its addresses count. */
void rule_box(const struct rule *r, enum family family, enum emit_mode mode, struct box *b);

/* Is the chain long enough for a search tree? */
bool classify_wants(const struct chain *c);

#endif
