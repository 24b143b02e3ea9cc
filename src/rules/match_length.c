/* -m length: the packet's length from the IP header on; for IPv6 the fixed header counts too. */
#include "base/bytes.h"
#include "rules/emit.h"
#include "rules/eval.h"
#include "rules/match.h"
#include "rules/matches.h"
#include "rules/print_text.h"

static const struct option options[] = {
	{.name = "length",
		.kind = OPTION_RANGE_U16,
		.flags = OPTION_INVERT | OPTION_REQUIRED,
		.offset = offsetof(struct length_match, len),
		.invert_offset = offsetof(struct length_match, inv),
		.expects = "BYTES or FROM:TO, 0 to 65535"},
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

/* IPv6: the packet as counted; IPv4: what its header says. */
static bool length_eval(const void *data, struct eval *e)
{
	const struct length_match *m = data;
	u32 len = e->family == FAMILY_IPV6 ? e->packet->len : load_be16(e->data + 2);

	return (len >= m->len.min && len <= m->len.max) != m->inv;
}

static void length_emit(const void *data, struct emit *e)
{
	const struct length_match *m = data;

	if (e->family == FAMILY_IPV6) {
		emit_ctx_load(e, 4, offsetof(struct weir_packet, len), BPF_REG_0);
		emit_range(e, BPF_REG_0, m->len.min, m->len.max, UINT32_MAX, m->inv);
	} else {
		emit_be_load(e, ATOM_PACKET, 2, 2, BPF_REG_0);
		emit_range(e, BPF_REG_0, m->len.min, m->len.max, UINT16_MAX, m->inv);
	}
}

const struct match_ops match_length = {
	.name = "length",
	.families = FAMILIES_BOTH,
	.size = sizeof(struct length_match),
	.options = options,
	.nr_options = ARRAY_LEN(options),
	.print = length_print,
	.list = length_list,
	.eval = length_eval,
	.emit = length_emit,
};
