/* -m frag: the IPv6 Fragment header. */
#include "base/bytes.h"
#include "rules/counters.h"
#include "rules/emit.h"
#include "rules/eval.h"
#include "rules/match.h"
#include "rules/matches.h"
#include "rules/options.h"
#include "rules/print_text.h"
#include "rules/walk.h"

/* The kernel stores a length and never looks at it. */
static option_error parse_len(const struct option *o, const struct option_ctx *c, void *data)
{
	struct frag_match *m = data;
	u64 value = 0;
	option_error e = option_number(c, c->value, 0, UINT32_MAX, &value);

	(void)o;
	if (e)
		return e;
	*c->warning = "has no effect: the Fragment header has no length";
	m->len = (u32)value;
	m->has_len = true;
	m->inv_len = c->invert;
	return NULL;
}

static option_error parse_more(const struct option *o, const struct option_ctx *c, void *data)
{
	struct frag_match *m = data;

	(void)o;
	(void)c;
	if (m->last)
		return "contradicts --fraglast";
	m->more = true;
	return NULL;
}

static option_error parse_last(const struct option *o, const struct option_ctx *c, void *data)
{
	struct frag_match *m = data;

	(void)o;
	(void)c;
	if (m->more)
		return "contradicts --fragmore";
	m->last = true;
	return NULL;
}

static const struct option options[] = {
	{.name = "fragid",
		.kind = OPTION_RANGE_U32,
		.flags = OPTION_INVERT,
		.offset = offsetof(struct frag_match, id),
		.invert_offset = offsetof(struct frag_match, inv_id),
		.seen_offset = offsetof(struct frag_match, has_id),
		.expects = "an identification or FROM:TO, 0 to 4294967295"},
	{.name = "fraglen",
		.kind = OPTION_CUSTOM,
		.flags = OPTION_INVERT,
		.parse = parse_len,
		.expects = "a number, 0 to 4294967295"},
	{.name = "fragres", .kind = OPTION_FLAG, .offset = offsetof(struct frag_match, res)},
	{.name = "fragfirst", .kind = OPTION_FLAG, .offset = offsetof(struct frag_match, first)},
	{.name = "fragmore", .kind = OPTION_CUSTOM, .flags = OPTION_NO_ARG, .parse = parse_more},
	{.name = "fraglast", .kind = OPTION_CUSTOM, .flags = OPTION_NO_ARG, .parse = parse_last},
};

static void frag_init(void *data, enum family family)
{
	struct frag_match *m = data;

	(void)family;
	m->id.max = UINT32_MAX;
}

static bool any_id(const struct frag_match *m)
{
	return m->id.min == 0 && m->id.max == UINT32_MAX;
}

static const struct {
	const char *option, *listed;
	size_t offset;
} flags[] = {
	{"fragres", "reserved", offsetof(struct frag_match, res)},
	{"fragfirst", "first", offsetof(struct frag_match, first)},
	{"fragmore", "more", offsetof(struct frag_match, more)},
	{"fraglast", "last", offsetof(struct frag_match, last)},
};

static bool has_flag(const struct frag_match *m, size_t i)
{
	return *((const bool *)(const void *)m + flags[i].offset);
}

static void frag_print(struct buf *out, const void *data, enum family family)
{
	const struct frag_match *m = data;

	(void)family;
	if (!any_id(m)) {
		print_option(out, m->inv_id, "fragid");
		buf_printf(out, " %u", m->id.min);
		if (m->id.min != m->id.max)
			buf_printf(out, ":%u", m->id.max);
	}
	if (m->has_len) {
		print_option(out, m->inv_len, "fraglen");
		buf_printf(out, " %u", m->len);
	}
	for (size_t i = 0; i < ARRAY_LEN(flags); i++)
		if (has_flag(m, i))
			print_option(out, false, flags[i].option);
}

static void frag_list(struct buf *out, const void *data, enum family family)
{
	const struct frag_match *m = data;
	const char *bang = m->inv_id ? "!" : "";

	(void)family;
	buf_puts(out, " frag ");
	if (m->id.min == m->id.max)
		buf_printf(out, "id:%s%u", bang, m->id.min);
	else if (!any_id(m) || m->inv_id)
		buf_printf(out, "ids:%s%u:%u", bang, m->id.min, m->id.max);
	if (m->has_len)
		buf_printf(out, " length:%s%u", m->inv_len ? "!" : "", m->len);
	for (size_t i = 0; i < ARRAY_LEN(flags); i++)
		if (has_flag(m, i))
			buf_printf(out, " %s", flags[i].listed);
}

/* Of the 16 bits that hold the offset. */
enum { FRAG_OFFSET_BITS = 0xfff8, FRAG_RESERVED_BITS = 0x6, FRAG_MORE_BIT = 0x1 };

static bool frag_eval(const void *data, struct eval *e)
{
	const struct frag_match *m = data;
	u32 off = 0;
	enum frag_state state = walk_fragment(e->data, e->bytes, &off);

	if (state != FRAG_FOUND) {
		e->hotdrop = state == FRAG_UNPARSABLE;
		return false;
	}
	const u8 *header = e->data + off;
	u16 bits = load_be16(header + 2);
	u32 id = load_be32(header + 4);

	if (m->has_id && (id >= m->id.min && id <= m->id.max) == m->inv_id)
		return false;
	return !(m->res && (header[1] || (bits & FRAG_RESERVED_BITS))) &&
	       !(m->first && (bits & FRAG_OFFSET_BITS)) && !(m->more && !(bits & FRAG_MORE_BIT)) &&
	       !(m->last && (bits & FRAG_MORE_BIT));
}

static void emit_frag_bits(struct emit *e, u8 op, s32 bits)
{
	bld_load(e->b, BPF_H, BPF_REG_0, REG_COUNTERS, SCRATCH_FRAG_OFF + 2);
	bld_be(e->b, BPF_REG_0, 16);
	bld_alu_imm(e->b, BPF_AND, BPF_REG_0, bits);
	bld_jmp_imm(e->b, op, BPF_REG_0, 0, emit_miss(e));
}

static void frag_emit(const void *data, struct emit *e)
{
	const struct frag_match *m = data;
	struct builder *b = e->b;

	bld_load(b, BPF_W, BPF_REG_0, REG_COUNTERS, SCRATCH_FRAG_STATE_OFF);
	bld_jmp_imm(b, BPF_JEQ, BPF_REG_0, FRAG_UNPARSABLE, emit_hotdrop(e));
	bld_jmp_imm(b, BPF_JNE, BPF_REG_0, FRAG_FOUND, emit_miss(e));
	if (m->has_id) {
		bld_load(b, BPF_W, BPF_REG_0, REG_COUNTERS, SCRATCH_FRAG_OFF + 4);
		bld_be(b, BPF_REG_0, 32);
		emit_range(e, BPF_REG_0, m->id.min, m->id.max, UINT32_MAX, m->inv_id);
	}
	if (m->res) {
		bld_load(b, BPF_B, BPF_REG_0, REG_COUNTERS, SCRATCH_FRAG_OFF + 1);
		bld_jmp_imm(b, BPF_JNE, BPF_REG_0, 0, emit_miss(e));
		emit_frag_bits(e, BPF_JNE, FRAG_RESERVED_BITS);
	}
	if (m->first)
		emit_frag_bits(e, BPF_JNE, FRAG_OFFSET_BITS);
	if (m->more)
		emit_frag_bits(e, BPF_JEQ, FRAG_MORE_BIT);
	if (m->last)
		emit_frag_bits(e, BPF_JNE, FRAG_MORE_BIT);
}

static unsigned frag_needs(const void *data)
{
	(void)data;
	return NEEDS_FRAGMENT | MAY_HOTDROP;
}

const struct match_ops match_frag = {
	.name = "frag",
	.families = FAMILIES_V6,
	.size = sizeof(struct frag_match),
	.options = options,
	.nr_options = ARRAY_LEN(options),
	.init = frag_init,
	.print = frag_print,
	.list = frag_list,
	.eval = frag_eval,
	.emit = frag_emit,
	.needs = frag_needs,
};
