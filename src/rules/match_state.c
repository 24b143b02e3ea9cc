/* -m state: the connection's state, the old spelling of conntrack --ctstate. */
#include "rules/ct_state.h"
#include "rules/print_text.h"

static option_error parse_state(const struct option *o, const struct option_ctx *c, void *data)
{
	struct state_match *m = data;

	(void)o;
	m->inv = c->invert;
	return bits_parse(c, ct_state_names, NR_PLAIN_STATES, &m->states);
}

static const struct option options[] = {
	{.name = "state",
		.kind = OPTION_CUSTOM,
		.flags = OPTION_INVERT | OPTION_REQUIRED,
		.parse = parse_state,
		.expects = "a list of INVALID,NEW,RELATED,ESTABLISHED,UNTRACKED"},
};

static void state_print(struct buf *out, const void *data, enum family family)
{
	const struct state_match *m = data;

	(void)family;
	print_option(out, m->inv, "state");
	bits_print(out, ct_state_names, NR_PLAIN_STATES, m->states);
}

static void state_list(struct buf *out, const void *data, enum family family)
{
	const struct state_match *m = data;

	(void)family;
	buf_puts(out, m->inv ? " ! state" : " state");
	bits_print(out, ct_state_names, NR_PLAIN_STATES, m->states);
}

const struct match_ops match_state = {
	.name = "state",
	.families = FAMILIES_BOTH,
	.size = sizeof(struct state_match),
	.options = options,
	.nr_options = ARRAY_LEN(options),
	.print = state_print,
	.list = state_list,
	.why_not = "it needs a flow table",
};
