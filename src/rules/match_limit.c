/* -m limit: a token bucket for each rule. */
#include <string.h>
#include <strings.h>

#include "rules/match.h"
#include "rules/matches.h"
#include "rules/options.h"
#include "rules/print_text.h"

enum { SCALE = 10000, DEFAULT_BURST = 5, BURST_MAX = 10000 };

/* From long to short; a unit's name may be cut short. */
static const struct {
	const char *written, *printed;
	u32 period; /* of one in this unit */
} units[] = {
	{"day", "day", SCALE * 24u * 60 * 60},
	{"hour", "hour", SCALE * 60u * 60},
	{"minute", "min", SCALE * 60u},
	{"second", "sec", SCALE},
};

static bool parse_unit(struct str s, u32 *period)
{
	for (size_t i = 0; i < ARRAY_LEN(units); i++) {
		if (s.len && s.len <= strlen(units[i].written) &&
			!strncasecmp(units[i].written, s.p, s.len)) {
			*period = units[i].period;
			return true;
		}
	}
	return false;
}

static option_error parse_rate(const struct option *o, const struct option_ctx *c, void *data)
{
	struct limit_match *m = data;
	struct str number, unit;
	u32 period = SCALE;
	u64 rate;

	(void)o;
	if (str_split(c->value, '/', &number, &unit) && !parse_unit(unit, &period))
		return "no such unit of time";
	if (!str_to_u64(number, &rate) || !rate)
		return "no rate";
	if (rate > period)
		return "too fast, 10000 a second is the most";
	m->average = (u32)(period / rate);
	return NULL;
}

static const struct option options[] = {
	{.name = "limit",
		.kind = OPTION_CUSTOM,
		.parse = parse_rate,
		.expects = "a rate as 3/hour; day, hour, minute, second"},
	{.name = "limit-burst",
		.kind = OPTION_U32,
		.offset = offsetof(struct limit_match, burst),
		.max = BURST_MAX,
		.expects = "a number of packets, 1 to 10000"},
};

static void limit_init(void *data, enum family family)
{
	struct limit_match *m = data;

	(void)family;
	m->average = SCALE * 60u * 60 / 3;
	m->burst = DEFAULT_BURST;
}

/* The kernel's unit of the bucket, which wraps at 32 bits; with HZ of 250 and of 1000 a second has 32000. */
static u32 credits(u32 average)
{
	const u32 second = 32000;

	return average > UINT32_MAX / second ? average / SCALE * second : average * second / SCALE;
}

static option_error limit_check(const void *data, const struct rule *r)
{
	const struct limit_match *m = data;
	bool fits = m->burst && credits(m->average * m->burst) >= credits(m->average);

	(void)r;
	return fits ? NULL : "the burst is 0, or too big for so slow a rate";
}

/* In the longest unit that loses nothing. */
static void put_rate(struct buf *out, u32 average)
{
	size_t i = 1;

	while (i < ARRAY_LEN(units) && average <= units[i].period &&
		units[i].period / average >= units[i].period % average)
		i++;
	buf_printf(out, " %u/%s", units[i - 1].period / average, units[i - 1].printed);
}

static void limit_print(struct buf *out, const void *data, enum family family)
{
	const struct limit_match *m = data;

	(void)family;
	print_option(out, false, "limit");
	put_rate(out, m->average);
	if (m->burst != DEFAULT_BURST)
		buf_printf(out, " --limit-burst %u", m->burst);
}

static void limit_list(struct buf *out, const void *data, enum family family)
{
	const struct limit_match *m = data;

	(void)family;
	buf_puts(out, " limit: avg");
	put_rate(out, m->average);
	buf_printf(out, " burst %u", m->burst);
}

const struct match_ops match_limit = {
	.name = "limit",
	.families = FAMILIES_BOTH,
	.size = sizeof(struct limit_match),
	.options = options,
	.nr_options = ARRAY_LEN(options),
	.init = limit_init,
	.check = limit_check,
	.print = limit_print,
	.list = limit_list,
	.stateful = true,
	.why_not = "it needs a rate limiter",
};
