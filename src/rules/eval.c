/* One packet through one table, as ip[6]t_do_table does it: per rule the base match (src, dst, in,
 * out, protocol, IPv4 fragment), the matches in order up to the first that fails, the counter, the
 * target. Everything that a match needs beyond the packet stands in struct eval; what matches and
 * targets mean is in their own files. */
#include "rules/eval.h"

#include "base/bytes.h"
#include "rules/match.h"
#include "rules/walk.h"

static bool masked_equal(const u8 *value, const u8 *want, const u8 *mask, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		if ((value[i] & mask[i]) != (want[i] & mask[i]))
			return false;
	return true;
}

/* A test under its `!`: the flag says which result the rule wants. */
static bool passes(const struct rule *r, enum rule_invert flag, bool result)
{
	return result != ((r->invert & flag) != 0);
}

static bool iface_matches(const char *name, const char *want, const char *mask)
{
	return masked_equal((const u8 *)name, (const u8 *)want, (const u8 *)mask, IFACE_NAME_BYTES);
}

static bool ifaces_match(const struct rule *r, const struct weir_packet *p)
{
	return passes(r, INV_IN, iface_matches(p->in_iface, r->in_iface, r->in_mask)) &&
	       passes(r, INV_OUT, iface_matches(p->out_iface, r->out_iface, r->out_mask));
}

static bool addresses_match(const struct rule *r, const u8 *src, const u8 *dst, size_t bytes)
{
	return passes(r, INV_SRC, masked_equal(src, r->src, r->src_mask, bytes)) &&
	       passes(r, INV_DST, masked_equal(dst, r->dst, r->dst_mask, bytes));
}

/* -p walks the headers, and a chain that can't be walked drops the packet, whatever the rule says
 * about the protocol. */
static bool ipv6_proto_matches(const struct rule *r, struct eval *e)
{
	struct walk w;

	e->thoff = 0;
	if (!r->has_proto)
		return true;
	if (!walk_ipv6(e->data, e->bytes, &w)) {
		e->hotdrop = true;
		return false;
	}
	e->proto = w.proto;
	e->thoff = w.thoff;
	e->fragoff = w.fragoff;
	return r->proto == 0 || passes(r, INV_PROTO, w.proto == r->proto);
}

static bool ipv4_proto_matches(const struct rule *r, const struct eval *e)
{
	if (r->proto != 0 && !passes(r, INV_PROTO, e->proto == r->proto))
		return false;
	return !r->fragment || passes(r, INV_FRAG, e->fragoff != 0);
}

static bool base_matches(const struct rule *r, struct eval *e)
{
	if (e->family == FAMILY_IPV6)
		return addresses_match(r, e->data + 8, e->data + 24, 16) &&
		       ifaces_match(r, e->packet) && ipv6_proto_matches(r, e);
	return addresses_match(r, e->data + 12, e->data + 16, 4) && ifaces_match(r, e->packet) &&
	       ipv4_proto_matches(r, e);
}

static bool rule_matches(const struct rule *r, struct eval *e)
{
	e->rule = r;
	if (!base_matches(r, e))
		return false;
	for (u32 i = 0; i < r->nr_matches; i++) {
		const struct extension *m = &r->matches[i];

		assert(m->match != NULL && m->match->eval != NULL);
		if (!m->match->eval(m->data, e) || e->hotdrop)
			return false;
	}
	return true;
}

static void run_target(const struct rule *r, struct eval *e)
{
	assert(r->ext.target != NULL && r->ext.target->eval != NULL);
	r->ext.target->eval(r->ext.data, e);
}

static enum verdict policy_verdict(
	const struct chain *start, const struct weir_packet *packet, struct rule_count *counts)
{
	counts[start->policy_counter].packets++;
	counts[start->policy_counter].bytes += packet->len;
	return start->policy == TARGET_ACCEPT ? VERDICT_ACCEPT : VERDICT_DROP;
}

/* NFQUEUE 0 with nobody listening: the kernel drops, and so does weir, which has no queues. */
static enum verdict walk_table(const struct chain *start, struct eval *e, const bool *skip,
	struct rule_count *counts, const struct rule **jumps)
{
	const struct rule *r = start->rules;
	u32 depth = 0;

	for (;;) {
		if (r == NULL) { /* end of a chain, or RETURN */
			if (depth == 0)
				return policy_verdict(start, e->packet, counts);
			r = jumps[--depth]->next;
			continue;
		}
		if ((skip != NULL && skip[r->counter]) || !rule_matches(r, e)) {
			if (e->hotdrop)
				return VERDICT_HOTDROP;
			r = r->next;
			continue;
		}
		counts[r->counter].packets++;
		counts[r->counter].bytes += e->packet->len;
		switch (r->target) {
		case TARGET_NONE:
			r = r->next;
			break;
		case TARGET_ACCEPT:
			return VERDICT_ACCEPT;
		case TARGET_DROP:
		case TARGET_QUEUE:
			return VERDICT_DROP;
		case TARGET_RETURN:
			r = NULL;
			break;
		case TARGET_JUMP:
			assert(depth < start->jump_depth);
			jumps[depth++] = r;
			r = r->to->rules;
			break;
		case TARGET_GOTO:
			r = r->to->rules;
			break;
		case TARGET_EXT:
			run_target(r, e);
			r = r->next;
			break;
		}
	}
}

enum verdict rules_eval(const struct chain *start, struct weir_packet *packet, const bool *skip,
	struct rule_count *counts, const struct rule **jumps, log_fn log, void *log_user)
{
	struct eval e = {
		.packet = packet,
		.data = (const u8 *)(uintptr_t)packet->data,
		.bytes = (u32)(packet->data_end - packet->data),
		.family = start->table->set->family,
		.log = log,
		.log_user = log_user,
	};

	if (e.family == FAMILY_IPV6) {
		if (e.bytes < IPV6_HEADER_BYTES)
			return VERDICT_HOTDROP;
	} else {
		struct walk w;

		if (e.bytes < IPV4_HEADER_BYTES)
			return VERDICT_HOTDROP;
		walk_ipv4(e.data, &w);
		e.proto = w.proto;
		e.thoff = w.thoff;
		e.fragoff = w.fragoff;
	}
	return walk_table(start, &e, skip, counts, jumps);
}
