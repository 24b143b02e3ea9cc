#include "rules/classify.h"

#include "base/bytes.h"
#include "rules/match.h"

void box_cut(struct box *b, enum box_field f, u64 min, u64 max)
{
	struct interval *i = &b->field[f];

	if (min > i->min)
		i->min = min;
	if (max < i->max)
		i->max = max;
}

/* The leading ones of a mask are a prefix; what stands behind a gap is left to the rule's own test. */
static void cut_prefix(struct box *b, enum box_field f, u64 want, u64 mask)
{
	unsigned len = mask == UINT64_MAX ? 64 : (unsigned)__builtin_clzll(~mask);
	u64 low = len == 64 ? 0 : UINT64_MAX >> len;

	box_cut(b, f, want & ~low, want | low);
}

static void cut_address(struct box *b, enum box_field high, const u8 *addr, const u8 *mask, enum family family)
{
	if (family == FAMILY_IPV4) {
		u64 m = load_be32(mask) | (u64)0xffffffff << 32;

		cut_prefix(b, high, load_be32(addr) & m, m);
		return;
	}
	u64 m = load_be64(mask);

	cut_prefix(b, high, load_be64(addr) & m, m);
	m = load_be64(mask + 8);
	cut_prefix(b, high + 1, load_be64(addr + 8) & m, m);
}

void rule_box(const struct rule *r, enum family family, enum emit_mode mode, struct box *b)
{
	for (size_t i = 0; i < NR_BOX_FIELDS; i++)
		b->field[i] = (struct interval){0, UINT64_MAX};
	if ((r->invert & INV_SRC) == 0)
		cut_address(b, BOX_SRC_HIGH, r->src, r->src_mask, family);
	if ((r->invert & INV_DST) == 0)
		cut_address(b, BOX_DST_HIGH, r->dst, r->dst_mask, family);
	if (mode == EMIT_ANY)
		return;
	for (u32 i = 0; i < r->nr_matches; i++) {
		const struct match_ops *ops = r->matches[i].match;

		if (ops->narrow != NULL)
			ops->narrow(r->matches[i].data, b);
		/* What is written behind it mustn't keep it from dropping the packet. */
		if (ops->needs != NULL && (ops->needs(r->matches[i].data) & MAY_HOTDROP) != 0)
			return;
	}
}

enum { CLASSIFY_RULES = 32 };

bool classify_wants(const struct chain *c)
{
	return c->nr_rules > CLASSIFY_RULES;
}
