/* Which rules of a chain can a packet match at all: boxes over a few header fields, and a search
 * tree over them. */
#ifndef WEIR_RULES_CLASSIFY_H
#define WEIR_RULES_CLASSIFY_H

#include "rules/tree.h"

struct arena;

enum box_field {
	BOX_SRC_HIGH,
	BOX_SRC_LOW,
	BOX_DST_HIGH,
	BOX_DST_LOW,
	BOX_SPORT,
	BOX_DPORT,
	NR_BOX_FIELDS
};
enum { NR_ADDRESS_FIELDS = BOX_DST_LOW + 1 };

struct interval {
	u64 min, max;
};

/* A set of packets, as an interval for each field; numbers are in host order, IPv4 addresses are
 * the high part. */
struct box {
	struct interval field[NR_BOX_FIELDS];
};

/* A rule with the box that all its packets lie in. */
struct candidate {
	const struct rule *rule;
	struct box box;
	bool src_exact, dst_exact; /* the rule's test of that address asks for what the box says,
				      and nothing else */
};

/* A part of a chain's rules, in their order. */
struct candidates {
	const struct candidate **at;
	u32 nr;
};

void box_all(struct box *b, enum family family);
void box_cut(struct box *b, enum box_field f, u64 min, u64 max);
void candidate_init(struct candidate *c, const struct rule *r, enum family family);
/* Does every packet in the region pass the rule's test of that address? */
bool candidate_src_holds(const struct candidate *c, const struct box *region);
bool candidate_dst_holds(const struct candidate *c, const struct box *region);

/* Is the chain long enough for a search tree? */
bool classify_wants(const struct chain *c);

/* Where to divide a region: packets below `value` and the rest. */
struct split {
	enum box_field field;
	u64 value;
};

/* Finds the division of the region's rules that pays most. `fields`: how many of enum box_field may
 * be used. `spare`: how many rules may come to stand on both sides. False: none pays. Memory comes
 * from the arena; *failed is set without. */
bool classify_split(const struct candidates *list, const struct box *region, u32 fields, u32 spare,
	struct arena *arena, struct split *out, bool *failed);
/* The rules that can match on one side. */
struct candidates classify_side(const struct candidates *list, const struct box *side,
	enum box_field f, struct arena *arena, bool *failed);

#endif
