/* -m length: the packet's length from the IP header on; for IPv6 the fixed header counts too. */
#include "rules/match.h"
#include "rules/matches.h"
#include "rules/print_text.h"

static const struct option options[] = {
	{ .name = "length", .kind = OPTION_RANGE_U16, .flags = OPTION_INVERT | OPTION_REQUIRED,
		.offset = offsetof(struct length_match, len), .invert_offset = offsetof(struct length_match, inv),
		.expects = "BYTES or FROM:TO, 0 to 65535" },
};

static void print_range(struct buf *out, const struct length_match *m)
{
	buf_printf(out, "%u", m->len.min);
	if (m->len.min != m->len.max)
		buf_printf(out, ":%u", m->len.max);
}

static void length_print(struct buf *out, const void *data, enum family family)
{
	const struct length_match *m = data;

	(void)family;
	print_option(out, m->inv, "length");
	buf_puts(out, " ");
	print_range(out, m);
}

static void length_list(struct buf *out, const void *data, enum family family)
{
	const struct length_match *m = data;

	(void)family;
	buf_puts(out, m->inv ? " length !" : " length ");
	print_range(out, m);
}

const struct match_ops match_length = {
	.name = "length",
	.families = FAMILIES_BOTH,
	.size = sizeof(struct length_match),
	.options = options,
	.nr_options = ARRAY_LEN(options),
	.print = length_print,
	.list = length_list,
};
