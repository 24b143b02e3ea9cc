#include "rules/reach.h"

static bool all_zero(const void *bytes, size_t len)
{
	const u8 *p = bytes;

	for (size_t i = 0; i < len; i++)
		if (p[i])
			return false;
	return true;
}

/* Nothing behind an unconditional verdict is reached. -p all counts as a condition for IPv6 only. */
bool rule_ends_chain(const struct rule *r)
{
	enum family family = r->chain->table->set->family;
	bool verdict = r->target == TARGET_ACCEPT || r->target == TARGET_DROP ||
		       r->target == TARGET_QUEUE || r->target == TARGET_RETURN;
	bool asks_proto = r->proto || (r->has_proto && family == FAMILY_IPV6);

	return verdict && !r->nr_matches && !r->invert && !asks_proto && !r->fragment &&
	       all_zero(r->src_mask, sizeof(r->src_mask)) &&
	       all_zero(r->dst_mask, sizeof(r->dst_mask)) && !r->in_iface[0] && !r->out_iface[0];
}
