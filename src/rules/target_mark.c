/* -j MARK: mark = (mark & ~mask) ^ value. */
#include "rules/emit.h"
#include "rules/eval.h"
#include "rules/match.h"
#include "rules/matches.h"
#include "rules/options.h"
#include "rules/print_text.h"

#define ONE_ONLY "only one of --set-xmark, --set-mark, --and-mark, --or-mark and --xor-mark"

static option_error parse_masked(
	const struct option_ctx *c, struct mark_target *t, u32 *value, u32 *mask)
{
	if (t->given)
		return option_conflict(c, ONE_ONLY);
	t->given = true;
	return option_masked(c, c->value, value, mask);
}

static option_error parse_bits(const struct option_ctx *c, struct mark_target *t, u32 *bits)
{
	u64 number = 0;

	if (t->given)
		return option_conflict(c, ONE_ONLY);
	t->given = true;
	option_error e = option_number(c, c->value, 0, UINT32_MAX, &number);
	*bits = (u32)number;
	return e;
}

static option_error parse_set_xmark(const struct option *o, const struct option_ctx *c, void *data)
{
	struct mark_target *t = data;

	(void)o;
	return parse_masked(c, t, &t->value, &t->mask);
}

static option_error parse_set_mark(const struct option *o, const struct option_ctx *c, void *data)
{
	struct mark_target *t = data;
	option_error e = parse_masked(c, t, &t->value, &t->mask);

	(void)o;
	t->mask |= t->value;
	return e;
}

static option_error parse_and_mark(const struct option *o, const struct option_ctx *c, void *data)
{
	struct mark_target *t = data;
	u32 bits = 0;
	option_error e = parse_bits(c, t, &bits);

	(void)o;
	t->value = 0;
	t->mask = ~bits;
	return e;
}

static option_error parse_or_mark(const struct option *o, const struct option_ctx *c, void *data)
{
	struct mark_target *t = data;
	option_error e = parse_bits(c, t, &t->value);

	(void)o;
	t->mask = t->value;
	return e;
}

static option_error parse_xor_mark(const struct option *o, const struct option_ctx *c, void *data)
{
	struct mark_target *t = data;

	(void)o;
	t->mask = 0;
	return parse_bits(c, t, &t->value);
}

static const struct option options[] = {
	{.name = "set-xmark",
		.kind = OPTION_CUSTOM,
		.parse = parse_set_xmark,
		.expects = "VALUE or VALUE/MASK"},
	{.name = "set-mark",
		.kind = OPTION_CUSTOM,
		.parse = parse_set_mark,
		.expects = "VALUE or VALUE/MASK"},
	{.name = "and-mark",
		.kind = OPTION_CUSTOM,
		.parse = parse_and_mark,
		.expects = "the bits to keep"},
	{.name = "or-mark",
		.kind = OPTION_CUSTOM,
		.parse = parse_or_mark,
		.expects = "the bits to set"},
	{.name = "xor-mark",
		.kind = OPTION_CUSTOM,
		.parse = parse_xor_mark,
		.expects = "the bits to flip"},
};

static option_error mark_check(const void *data, const struct rule *r)
{
	const struct mark_target *t = data;

	(void)r;
	return t->given ? NULL
			: "needs one of --set-xmark, --set-mark, --and-mark, --or-mark and "
			  "--xor-mark";
}

static void mark_print(struct buf *out, const void *data, enum family family)
{
	const struct mark_target *t = data;

	(void)family;
	buf_printf(out, " --set-xmark 0x%x/0x%x", t->value, t->mask);
}

static void mark_list(struct buf *out, const void *data, enum family family)
{
	const struct mark_target *t = data;

	(void)family;
	if (!t->value)
		buf_printf(out, " MARK and 0x%x", ~t->mask);
	else if (t->value == t->mask)
		buf_printf(out, " MARK or 0x%x", t->value);
	else if (!t->mask)
		buf_printf(out, " MARK xor 0x%x", t->value);
	else if (t->mask == UINT32_MAX)
		buf_printf(out, " MARK set 0x%x", t->value);
	else
		buf_printf(out, " MARK xset 0x%x/0x%x", t->value, t->mask);
}

static void mark_eval(const void *data, struct eval *e)
{
	const struct mark_target *t = data;

	e->packet->mark = (e->packet->mark & ~t->mask) ^ t->value;
}

static void mark_emit(const void *data, struct emit *e)
{
	const struct mark_target *t = data;

	emit_ctx_load(e, 4, offsetof(struct weir_packet, mark), BPF_REG_0);
	if (t->mask != 0)
		bld_alu32_imm(e->b, BPF_AND, BPF_REG_0, (s32)~t->mask);
	if (t->value != 0)
		bld_alu32_imm(e->b, BPF_XOR, BPF_REG_0, (s32)t->value);
	bld_store(e->b, BPF_W, REG_CTX, offsetof(struct weir_packet, mark), BPF_REG_0);
}

const struct target_ops target_MARK = {
	.name = "MARK",
	.families = FAMILIES_BOTH,
	.size = sizeof(struct mark_target),
	.options = options,
	.nr_options = ARRAY_LEN(options),
	.check = mark_check,
	.print = mark_print,
	.list = mark_list,
	.eval = mark_eval,
	.emit = mark_emit,
};
