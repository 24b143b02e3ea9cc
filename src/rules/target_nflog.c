/* -j NFLOG: the packet, or its beginning, for a logging program. */
#include "rules/emit.h"
#include "rules/eval.h"
#include "rules/match.h"
#include "rules/matches.h"
#include "rules/options.h"
#include "rules/print_text.h"

static option_error parse_prefix(const struct option *o, const struct option_ctx *c, void *data)
{
	struct nflog_target *t = data;

	(void)o;
	return option_prefix(c, t->prefix, sizeof(t->prefix));
}

static option_error parse_bytes(const struct option_ctx *c, u32 *out)
{
	u64 value = 0;
	option_error e = option_number(c, c->value, 0, UINT32_MAX, &value);

	*out = (u32)value;
	return e;
}

static option_error parse_size(const struct option *o, const struct option_ctx *c, void *data)
{
	struct nflog_target *t = data;

	(void)o;
	if (t->has_range)
		return option_conflict(c, "only one of --nflog-size and --nflog-range");
	t->has_size = true;
	return parse_bytes(c, &t->size);
}

static option_error parse_range(const struct option *o, const struct option_ctx *c, void *data)
{
	struct nflog_target *t = data;

	(void)o;
	if (t->has_size)
		return option_conflict(c, "only one of --nflog-size and --nflog-range");
	*c->warning = "has no effect in the kernel; --nflog-size has";
	t->has_range = true;
	return parse_bytes(c, &t->range);
}

static const struct option options[] = {
	{.name = "nflog-group",
		.kind = OPTION_U16,
		.offset = offsetof(struct nflog_target, group),
		.expects = "0 to 65535"},
	{.name = "nflog-prefix",
		.kind = OPTION_CUSTOM,
		.parse = parse_prefix,
		.expects = "a text of 1 to 63 bytes"},
	{.name = "nflog-range",
		.kind = OPTION_CUSTOM,
		.parse = parse_range,
		.expects = "a number of bytes"},
	{.name = "nflog-size",
		.kind = OPTION_CUSTOM,
		.parse = parse_size,
		.expects = "a number of bytes"},
	{.name = "nflog-threshold",
		.kind = OPTION_U16,
		.offset = offsetof(struct nflog_target, threshold),
		.seen_offset = offsetof(struct nflog_target, has_threshold),
		.expects = "a number of packets, 0 to 65535"},
};

/* Listing and save differ only in the dashes. */
static void put_values(struct buf *out, const struct nflog_target *t, const char *dashes)
{
	if (t->prefix[0]) {
		buf_printf(out, " %snflog-prefix", dashes);
		print_quoted(out, str_of(t->prefix));
	}
	if (t->group)
		buf_printf(out, " %snflog-group %u", dashes, t->group);
	if (t->has_size)
		buf_printf(out, " %snflog-size %u", dashes, t->size);
	else if (t->range)
		buf_printf(out, " %snflog-range %u", dashes, t->range);
	if (t->threshold)
		buf_printf(out, " %snflog-threshold %u", dashes, t->threshold);
}

static void nflog_print(struct buf *out, const void *data, enum family family)
{
	(void)family;
	put_values(out, data, "--");
}

static void nflog_list(struct buf *out, const void *data, enum family family)
{
	(void)family;
	put_values(out, data, "");
}

static void log_eval(const void *data, struct eval *e)
{
	struct log_event event = {.rule = e->rule, .packet = e->packet};

	(void)data;
	if (e->log)
		e->log(e->log_user, &event);
}

static void log_emit(const void *data, struct emit *e)
{
	(void)data;
	emit_log(e);
}

const struct target_ops target_NFLOG = {
	.name = "NFLOG",
	.families = FAMILIES_BOTH,
	.size = sizeof(struct nflog_target),
	.options = options,
	.nr_options = ARRAY_LEN(options),
	.print = nflog_print,
	.list = nflog_list,
	.eval = log_eval,
	.emit = log_emit,
};
