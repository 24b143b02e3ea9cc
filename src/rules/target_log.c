/* -j LOG: a line for the system's log. */
#include "rules/emit.h"
#include "rules/eval.h"
#include "rules/match.h"
#include "rules/matches.h"
#include "rules/options.h"
#include "rules/print_text.h"

enum { LEVEL_WARNING = 4, LEVEL_MAX = 7 };

static const struct {
	const char *name;
	u8 level;
} levels[] = {
	{"emerg", 0},
	{"panic", 0},
	{"alert", 1},
	{"crit", 2},
	{"error", 3},
	{"warning", 4},
	{"notice", 5},
	{"info", 6},
	{"debug", 7},
};

static option_error parse_level(const struct option *o, const struct option_ctx *c, void *data)
{
	struct log_target *t = data;
	u64 level = 0;

	(void)o;
	for (size_t i = 0; i < ARRAY_LEN(levels); i++) {
		if (str_eq(c->value, levels[i].name)) {
			t->level = levels[i].level;
			return NULL;
		}
	}
	option_error e = option_number(c, c->value, 0, LEVEL_MAX, &level);
	t->level = (u8)level;
	return e;
}

static option_error parse_prefix(const struct option *o, const struct option_ctx *c, void *data)
{
	struct log_target *t = data;

	(void)o;
	return option_prefix(c, t->prefix, sizeof(t->prefix));
}

static const struct option options[] = {
	{.name = "log-level",
		.kind = OPTION_CUSTOM,
		.parse = parse_level,
		.expects = "0 to 7, or emerg, panic, alert, crit, error, warning, notice, info, "
			   "debug"},
	{.name = "log-prefix",
		.kind = OPTION_CUSTOM,
		.parse = parse_prefix,
		.expects = "a text of 1 to 29 bytes"},
	{.name = "log-tcp-sequence",
		.kind = OPTION_FLAG,
		.offset = offsetof(struct log_target, tcp_sequence)},
	{.name = "log-tcp-options",
		.kind = OPTION_FLAG,
		.offset = offsetof(struct log_target, tcp_options)},
	{.name = "log-ip-options",
		.kind = OPTION_FLAG,
		.offset = offsetof(struct log_target, ip_options)},
	{.name = "log-uid", .kind = OPTION_FLAG, .offset = offsetof(struct log_target, uid)},
	{.name = "log-macdecode",
		.kind = OPTION_FLAG,
		.offset = offsetof(struct log_target, macdecode)},
};

/* As in the kernel's struct xt_log_info; the listing prints their sum. */
static const struct {
	const char *option;
	size_t offset;
	u8 bit;
} flags[] = {
	{"log-tcp-sequence", offsetof(struct log_target, tcp_sequence), 0x01},
	{"log-tcp-options", offsetof(struct log_target, tcp_options), 0x02},
	{"log-ip-options", offsetof(struct log_target, ip_options), 0x04},
	{"log-uid", offsetof(struct log_target, uid), 0x08},
	{"log-macdecode", offsetof(struct log_target, macdecode), 0x20},
};

static bool has_flag(const struct log_target *t, size_t i)
{
	return *((const bool *)(const void *)t + flags[i].offset);
}

static void log_init(void *data, enum family family)
{
	struct log_target *t = data;

	(void)family;
	t->level = LEVEL_WARNING;
}

static void log_print(struct buf *out, const void *data, enum family family)
{
	const struct log_target *t = data;

	(void)family;
	if (t->prefix[0]) {
		print_option(out, false, "log-prefix");
		print_quoted(out, str_of(t->prefix));
	}
	if (t->level != LEVEL_WARNING)
		buf_printf(out, " --log-level %u", t->level);
	for (size_t i = 0; i < ARRAY_LEN(flags); i++)
		if (has_flag(t, i))
			print_option(out, false, flags[i].option);
}

static void log_list(struct buf *out, const void *data, enum family family)
{
	const struct log_target *t = data;
	unsigned bits = 0;

	(void)family;
	for (size_t i = 0; i < ARRAY_LEN(flags); i++)
		if (has_flag(t, i))
			bits |= flags[i].bit;
	buf_printf(out, " LOG flags %u level %u", bits, t->level);
	if (t->prefix[0])
		buf_printf(out, " prefix \"%s\"", t->prefix);
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

const struct target_ops target_LOG = {
	.name = "LOG",
	.families = FAMILIES_BOTH,
	.size = sizeof(struct log_target),
	.options = options,
	.nr_options = ARRAY_LEN(options),
	.init = log_init,
	.print = log_print,
	.list = log_list,
	.eval = log_eval,
	.emit = log_emit,
};
