/* The listing of ip[6]tables -L -v -n -x --line-numbers, column for column. */
#include <stdio.h>

#include "rules/known.h"
#include "rules/match.h"
#include "rules/print.h"
#include "rules/print_text.h"

static void list_address(
	struct buf *out, const u8 *addr, const u8 *mask, bool invert, enum family family)
{
	struct buf text = {0};

	print_address(&text, addr, family);
	if (mask_to_prefix(mask, family == FAMILY_IPV4 ? 4 : 16) !=
		(family == FAMILY_IPV4 ? 32 : 128))
		print_mask(&text, mask, family);
	buf_printf(out, "%c%-19s ", invert ? '!' : ' ', buf_cstr(&text));
	out->failed = out->failed || text.failed;
	buf_fini(&text);
}

static void list_iface(struct buf *out, const char *name, bool invert)
{
	char text[IFACE_NAME_BYTES + 2];

	snprintf(text, sizeof(text), "%s%.*s", invert ? "!" : "", (int)IFACE_NAME_BYTES,
		name[0] ? name : "*");
	buf_printf(out, "%-6s ", text);
}

static void list_base(struct buf *out, const struct rule *r, enum family family)
{
	buf_printf(out, "%c%-5u%c%c  ", r->invert & INV_PROTO ? '!' : ' ', r->proto,
		r->invert & INV_FRAG ? '!' : '-', r->fragment ? 'f' : '-');
	list_iface(out, r->in_iface, r->invert & INV_IN);
	list_iface(out, r->out_iface, r->invert & INV_OUT);
	list_address(out, r->src, r->src_mask, r->invert & INV_SRC, family);
	list_address(out, r->dst, r->dst_mask, r->invert & INV_DST, family);
}

/* What nobody knows is listed as it was written, without dashes. */
static void list_raw(struct buf *out, const struct extension *e)
{
	if (e->known) {
		known_list(out, e->known, &e->raw);
		return;
	}
	buf_printf(out, " %s", e->name);
	for (u32 i = 0; i < e->raw.nr; i++) {
		struct raw_word w = e->raw.words[i];

		while (!w.quoted && w.text.len && w.text.p[0] == '-')
			w.text = str_new(w.text.p + 1, w.text.len - 1);
		print_raw_word(out, &w);
	}
}

static void list_match(struct buf *out, const struct extension *e, enum family family)
{
	if (!e->match)
		list_raw(out, e);
	else if (e->match->list)
		e->match->list(out, e->data, family);
}

static void list_target(struct buf *out, const struct extension *e, enum family family)
{
	if (!e->target)
		list_raw(out, e);
	else if (e->target->list)
		e->target->list(out, e->data, family);
}

static const char *target_name(const struct rule *r)
{
	switch (r->target) {
	case TARGET_NONE:
		return "";
	case TARGET_ACCEPT:
		return "ACCEPT";
	case TARGET_DROP:
		return "DROP";
	case TARGET_QUEUE:
		return "QUEUE";
	case TARGET_RETURN:
		return "RETURN";
	case TARGET_JUMP:
	case TARGET_GOTO:
		return r->to->name;
	case TARGET_EXT:
		return r->ext.known ? known_list_name(r->ext.known) : r->ext.name;
	}
	UNREACHABLE();
}

static void list_rule(struct buf *out, const struct rule *r, const struct rule_count *counts)
{
	enum family family = r->chain->table->set->family;
	struct rule_count none = {0}, c = counts ? counts[r->counter] : none;

	buf_printf(out, "%-4u %8llu %8llu %-9s ", r->number, (unsigned long long)c.packets,
		(unsigned long long)c.bytes, target_name(r));
	list_base(out, r, family);
	if (r->target == TARGET_GOTO)
		buf_puts(out, "[goto] ");
	for (u32 i = 0; i < r->nr_matches; i++)
		list_match(out, &r->matches[i], family);
	if (r->target == TARGET_EXT)
		list_target(out, &r->ext, family);
	buf_puts(out, "\n");
}

static void list_chain(struct buf *out, const struct chain *c, const struct rule_count *counts)
{
	struct rule_count none = {0}, policy = counts ? counts[c->policy_counter] : none;

	if (c->hook != HOOK_NONE)
		buf_printf(out, "Chain %s (policy %s %llu packets, %llu bytes)\n", c->name,
			c->policy == TARGET_DROP ? "DROP" : "ACCEPT",
			(unsigned long long)policy.packets, (unsigned long long)policy.bytes);
	else
		buf_printf(out, "Chain %s (%u references)\n", c->name, c->nr_refs);
	buf_puts(out, "num      pkts      bytes target     prot opt in     out     source          "
		      "     destination         \n");
	for (const struct rule *r = c->rules; r; r = r->next)
		list_rule(out, r, counts);
}

void rules_print_list(struct buf *out, const struct table *t, const struct chain *chain,
	const struct rule_count *counts)
{
	const char *between = "";

	for (const struct chain *c = t->chains; c; c = c->next) {
		if (chain && c != chain)
			continue;
		buf_puts(out, between);
		list_chain(out, c, counts);
		between = "\n";
	}
}
