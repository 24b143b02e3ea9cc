/* A region of packets is divided where the rules on both sides become fewest, as long as few rules
 * come to stand on both sides and many are left. What a node or leaf looks like as code is
 * compile_tree.c's business. */
#include "rules/classify.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "rules/match.h"

enum {
	/* Straight code costs a fraction of a nanosecond a rule, a search step a few when its
	   branch is mispredicted. */
	CLASSIFY_MIN_RULES = 48,
	SPLIT_POINTS =
		15, /* tried for each field, evenly through the ends of the rules' intervals */
};

void box_all(struct box *b, enum family family)
{
	static const u64 ipv4_max[NR_BOX_FIELDS] = {
		UINT32_MAX, 0, UINT32_MAX, 0, UINT16_MAX, UINT16_MAX};
	static const u64 ipv6_max[NR_BOX_FIELDS] = {
		UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT16_MAX, UINT16_MAX};

	for (size_t i = 0; i < NR_BOX_FIELDS; i++)
		b->field[i] =
			(struct interval){0, family == FAMILY_IPV4 ? ipv4_max[i] : ipv6_max[i]};
}

void box_cut(struct box *b, enum box_field f, u64 min, u64 max)
{
	struct interval *i = &b->field[f];

	if (min > i->min)
		i->min = min;
	if (max < i->max)
		i->max = max;
}

/* The leading ones of a mask are a prefix; what stands behind a gap is left to the rule's own test.
 */
static void cut_prefix(struct box *b, enum box_field f, u64 want, u64 mask)
{
	unsigned len = mask == UINT64_MAX ? 64 : (unsigned)__builtin_clzll(~mask);
	u64 low = len == 64 ? 0 : UINT64_MAX >> len;

	box_cut(b, f, want & ~low, want | low);
}

static void cut_address(
	struct box *b, enum box_field high, const u8 *addr, const u8 *mask, enum family family)
{
	if (family == FAMILY_IPV4) {
		u64 m = load_be32(mask) | (u64)UINT32_MAX << 32;

		cut_prefix(b, high, load_be32(addr) & m, m);
		return;
	}
	u64 m = load_be64(mask);

	cut_prefix(b, high, load_be64(addr) & m, m);
	m = load_be64(mask + 8);
	cut_prefix(b, high + 1, load_be64(addr + 8) & m, m);
}

static void cut_by_matches(struct box *b, const struct rule *r)
{
	for (u32 i = 0; i < r->nr_matches; i++) {
		const struct match_ops *ops = r->matches[i].match;

		if (ops->narrow != NULL)
			ops->narrow(r->matches[i].data, b);
		/* What is written behind it mustn't keep it from dropping the packet. */
		if (ops->needs != NULL && (ops->needs(r->matches[i].data) & MAY_HOTDROP) != 0)
			return;
	}
}

void candidate_init(struct candidate *c, const struct rule *r, enum family family)
{
	size_t bytes = family == FAMILY_IPV4 ? 4 : 16;

	c->rule = r;
	c->src_exact = (r->invert & INV_SRC) == 0 && mask_to_prefix(r->src_mask, bytes) >= 0;
	c->dst_exact = (r->invert & INV_DST) == 0 && mask_to_prefix(r->dst_mask, bytes) >= 0;
	box_all(&c->box, family);
	if ((r->invert & INV_SRC) == 0)
		cut_address(&c->box, BOX_SRC_HIGH, r->src, r->src_mask, family);
	if ((r->invert & INV_DST) == 0)
		cut_address(&c->box, BOX_DST_HIGH, r->dst, r->dst_mask, family);
	cut_by_matches(&c->box, r);
}

static bool inside(const struct box *inner, const struct box *outer, enum box_field f)
{
	return inner->field[f].min >= outer->field[f].min &&
	       inner->field[f].max <= outer->field[f].max;
}

bool candidate_src_holds(const struct candidate *c, const struct box *region)
{
	return c->src_exact && inside(region, &c->box, BOX_SRC_HIGH) &&
	       inside(region, &c->box, BOX_SRC_LOW);
}

bool candidate_dst_holds(const struct candidate *c, const struct box *region)
{
	return c->dst_exact && inside(region, &c->box, BOX_DST_HIGH) &&
	       inside(region, &c->box, BOX_DST_LOW);
}

bool classify_wants(const struct chain *c)
{
	return c->nr_rules > CLASSIFY_MIN_RULES;
}

static int by_value(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

/* Starts of intervals, and what follows their ends, inside the region; sorted. */
static u32 interval_ends(
	const struct candidates *list, const struct interval *region, enum box_field f, u64 *out)
{
	u32 nr = 0;

	for (u32 i = 0; i < list->nr; i++) {
		const struct interval *v = &list->at[i]->box.field[f];

		if (v->min > region->min && v->min <= region->max)
			out[nr++] = v->min;
		if (v->max < region->max && v->max >= region->min)
			out[nr++] = v->max + 1;
	}
	qsort(out, nr, sizeof(*out), by_value);
	return nr;
}

/* About how many rules a packet meets behind the division: the more rules a side has, the more
 * packets it is taken to have. */
static double cost_of(u32 left, u32 right)
{
	return ((double)left * left + (double)right * right) / (left + right);
}

struct search {
	const struct candidates *list;
	u32 spare;
	double best_cost;
	struct split *best;
	bool found;
};

static void try_split(struct search *s, enum box_field f, u64 value)
{
	u32 left = 0, right = 0;

	for (u32 i = 0; i < s->list->nr; i++) {
		const struct interval *v = &s->list->at[i]->box.field[f];

		left += v->min < value;
		right += v->max >= value;
	}
	double cost = cost_of(left, right);

	if (left + right - s->list->nr > s->spare || cost >= s->best_cost)
		return;
	s->best_cost = cost;
	*s->best = (struct split){f, value};
	s->found = true;
}

bool classify_split(const struct candidates *list, const struct box *region, u32 fields, u32 spare,
	struct arena *arena, struct split *out, bool *failed)
{
	/* What remains must be clearly less, or the step isn't worth its branch. */
	struct search s = {.list = list, .spare = spare, .best = out, .best_cost = list->nr * 0.75};

	if (list->nr <= CLASSIFY_MIN_RULES)
		return false;
	u64 *ends = arena_array(arena, list->nr, 2 * sizeof(*ends));

	if (ends == NULL) {
		*failed = true;
		return false;
	}
	for (u32 f = 0; f < fields; f++) {
		u32 nr = interval_ends(list, &region->field[f], (enum box_field)f, ends);
		u64 last = 0;

		for (u32 n = 1; n <= SPLIT_POINTS && nr != 0; n++) {
			u64 value = ends[(u64)nr * n / (SPLIT_POINTS + 1)];

			if (value != last)
				try_split(&s, (enum box_field)f, value);
			last = value;
		}
	}
	return s.found;
}

struct candidates classify_side(const struct candidates *list, const struct box *side,
	enum box_field f, struct arena *arena, bool *failed)
{
	struct candidates out = {.at = arena_array(arena, list->nr, sizeof(*out.at))};

	if (out.at == NULL) {
		*failed = true;
		return out;
	}
	for (u32 i = 0; i < list->nr; i++) {
		const struct interval *v = &list->at[i]->box.field[f];

		if (v->min <= side->field[f].max && v->max >= side->field[f].min)
			out.at[out.nr++] = list->at[i];
	}
	return out;
}
