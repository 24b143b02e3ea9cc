/* The tree as ip[6]tables-save -c writes it, but for the comment lines with dates. */
#include "rules/print.h"

#include "rules/match.h"
#include "rules/print_text.h"
#include "rules/proto.h"

static bool all_zero(const u8 *p, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (p[i])
			return false;
	return true;
}

static void print_net(struct buf *out, char letter, const u8 *addr, const u8 *mask, bool invert,
	enum family family)
{
	if (!invert && all_zero(mask, 16) && all_zero(addr, 16))
		return;
	buf_printf(out, "%s -%c ", invert ? " !" : "", letter);
	print_address(out, addr, family);
	print_mask(out, mask, family);
}

static void print_iface(
	struct buf *out, char letter, const char *name, const char *mask, bool invert)
{
	if (mask[0]) /* "+" isn't printed, not even inverted */
		buf_printf(out, "%s -%c %.*s", invert ? " !" : "", letter, (int)IFACE_NAME_BYTES,
			name);
}

static void print_proto(struct buf *out, const struct rule *r)
{
	if (!r->proto)
		return;
	const char *name = proto_name((u8)r->proto);
	buf_puts(out, r->invert & INV_PROTO ? " ! -p " : " -p ");
	if (name)
		buf_puts(out, name);
	else
		buf_printf(out, "%u", r->proto);
}

static void print_base(struct buf *out, const struct rule *r, enum family family)
{
	print_net(out, 's', r->src, r->src_mask, r->invert & INV_SRC, family);
	print_net(out, 'd', r->dst, r->dst_mask, r->invert & INV_DST, family);
	print_iface(out, 'i', r->in_iface, r->in_mask, r->invert & INV_IN);
	print_iface(out, 'o', r->out_iface, r->out_mask, r->invert & INV_OUT);
	print_proto(out, r);
	if (r->fragment)
		buf_puts(out, r->invert & INV_FRAG ? " ! -f" : " -f");
}

static void print_raw(struct buf *out, const struct raw_words *raw)
{
	for (u32 i = 0; i < raw->nr; i++)
		print_raw_word(out, &raw->words[i]);
}

static void print_match(struct buf *out, const struct extension *e, enum family family)
{
	buf_puts(out, " -m");
	print_quoted(out, str_of(e->name));
	if (e->match && e->match->print)
		e->match->print(out, e->data, family);
	print_raw(out, &e->raw);
}

static void print_ext_target(struct buf *out, const struct extension *e, enum family family)
{
	buf_puts(out, " -j");
	print_quoted(out, str_of(e->name));
	if (e->target && e->target->print)
		e->target->print(out, e->data, family);
	print_raw(out, &e->raw);
}

static void print_target(struct buf *out, const struct rule *r, enum family family)
{
	static const char *const verdicts[] = {
		[TARGET_ACCEPT] = "ACCEPT",
		[TARGET_DROP] = "DROP",
		[TARGET_QUEUE] = "QUEUE",
		[TARGET_RETURN] = "RETURN",
	};

	switch (r->target) {
	case TARGET_NONE:
		return;
	case TARGET_ACCEPT:
	case TARGET_DROP:
	case TARGET_QUEUE:
	case TARGET_RETURN:
		buf_printf(out, " -j %s", verdicts[r->target]);
		return;
	case TARGET_JUMP:
	case TARGET_GOTO:
		buf_puts(out, r->target == TARGET_JUMP ? " -j " : " -g ");
		if (r->to)
			buf_puts(out, r->to->name);
		else
			buf_put(out, r->to_name.p, r->to_name.len);
		return;
	case TARGET_EXT:
		print_ext_target(out, &r->ext, family);
		return;
	}
	UNREACHABLE();
}

void rule_print(struct buf *out, const struct rule *r)
{
	enum family family = r->chain->table->set->family;

	buf_printf(out, "-A %s", r->chain->name);
	print_base(out, r, family);
	for (u32 i = 0; i < r->nr_matches; i++)
		print_match(out, &r->matches[i], family);
	print_target(out, r, family);
}

static void print_counters(struct buf *out, const struct rule_count *counts, u32 at)
{
	struct rule_count none = {0}, c = counts ? counts[at] : none;

	buf_printf(out, "[%llu:%llu]", (unsigned long long)c.packets, (unsigned long long)c.bytes);
}

static void print_chain_line(
	struct buf *out, const struct chain *c, const struct rule_count *counts)
{
	bool builtin = c->hook != HOOK_NONE;

	buf_printf(out, ":%s %s ", c->name,
		builtin ? (c->policy == TARGET_DROP ? "DROP" : "ACCEPT") : "-");
	print_counters(out, builtin ? counts : NULL, c->policy_counter);
	buf_puts(out, "\n");
}

static void print_table(
	struct buf *out, const struct table *t, const struct rule_count *counts, u32 flags)
{
	buf_printf(out, "*%s\n", t->name);
	for (const struct chain *c = t->chains; c; c = c->next)
		print_chain_line(out, c, counts);
	for (const struct chain *c = t->chains; c; c = c->next) {
		for (const struct rule *r = c->rules; r; r = r->next) {
			if (flags & PRINT_COUNTERS) {
				print_counters(out, counts, r->counter);
				buf_puts(out, " ");
			}
			rule_print(out, r);
			buf_puts(out, "\n");
		}
	}
	buf_puts(out, "COMMIT\n");
}

void rules_print_save(
	struct buf *out, const struct ruleset *set, const struct rule_count *counts, u32 flags)
{
	for (const struct table *t = set->tables; t; t = t->next)
		print_table(out, t, counts, flags);
}
