/* -j REJECT: drops the packet and answers with an error. */
#include <string.h>
#include <strings.h>

#include "rules/match.h"
#include "rules/matches.h"
#include "rules/options.h"
#include "rules/print_text.h"
#include "rules/proto.h"

/* Both spellings may be cut short, the first that fits counts. */
static const struct reject_name {
	unsigned families;
	const char *name, *alias;
} names[] = {
	{FAMILIES_V4, "icmp-net-unreachable", "net-unreach"},
	{FAMILIES_V4, "icmp-host-unreachable", "host-unreach"},
	{FAMILIES_V4, "icmp-proto-unreachable", "proto-unreach"},
	{FAMILIES_V4, "icmp-port-unreachable", "port-unreach"},
	{FAMILIES_V4, "icmp-net-prohibited", "net-prohib"},
	{FAMILIES_V4, "icmp-host-prohibited", "host-prohib"},
	{FAMILIES_V4, "tcp-reset", "tcp-rst"},
	{FAMILIES_V4, "icmp-admin-prohibited", "admin-prohib"},
	{FAMILIES_V6, "icmp6-no-route", "no-route"},
	{FAMILIES_V6, "icmp6-adm-prohibited", "adm-prohibited"},
	{FAMILIES_V6, "icmp6-addr-unreachable", "addr-unreach"},
	{FAMILIES_V6, "icmp6-port-unreachable", "port-unreach"},
	{FAMILIES_V6, "tcp-reset", "tcp-reset"},
	{FAMILIES_V6, "icmp6-policy-fail", "policy-fail"},
	{FAMILIES_V6, "icmp6-reject-route", "reject-route"},
};

static unsigned family_bit(enum family family)
{
	return family == FAMILY_IPV4 ? FAMILIES_V4 : FAMILIES_V6;
}

static bool begins(const char *name, struct str s)
{
	return s.len && s.len <= strlen(name) && !strncasecmp(name, s.p, s.len);
}

static option_error parse_with(const struct option *o, const struct option_ctx *c, void *data)
{
	struct reject_target *t = data;

	(void)o;
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		if ((names[i].families & family_bit(c->family)) &&
			(begins(names[i].name, c->value) || begins(names[i].alias, c->value))) {
			t->with = (u8)i;
			return NULL;
		}
	}
	return "no such answer";
}

static const struct option options[] = {
	{.name = "reject-with",
		.kind = OPTION_CUSTOM,
		.parse = parse_with,
		.expects = "tcp-reset or the name of an ICMP error such as port-unreach"},
};

static void reject_init(void *data, enum family family)
{
	struct reject_target *t = data;

	while (!(names[t->with].families & family_bit(family)) ||
		strcmp(names[t->with].alias, "port-unreach"))
		t->with++;
}

static option_error reject_check(const void *data, const struct rule *r)
{
	const struct reject_target *t = data;
	bool tcp = r->proto == PROTO_TCP && !(r->invert & INV_PROTO);

	return strcmp(names[t->with].name, "tcp-reset") || tcp ? NULL : "tcp-reset needs '-p tcp'";
}

static void reject_print(struct buf *out, const void *data, enum family family)
{
	const struct reject_target *t = data;

	(void)family;
	buf_printf(out, " --reject-with %s", names[t->with].name);
}

static void reject_list(struct buf *out, const void *data, enum family family)
{
	const struct reject_target *t = data;

	(void)family;
	buf_printf(out, " reject-with %s", names[t->with].name);
}

const struct target_ops target_REJECT = {
	.name = "REJECT",
	.families = FAMILIES_BOTH,
	.size = sizeof(struct reject_target),
	.options = options,
	.nr_options = ARRAY_LEN(options),
	.init = reject_init,
	.check = reject_check,
	.print = reject_print,
	.list = reject_list,
	.table = "filter",
	.why_not = "it answers with a packet of its own",
};
