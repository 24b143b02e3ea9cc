/* -m mark: ((mark & mask) == value) ^ inverted. */
#include "rules/emit.h"
#include "rules/eval.h"
#include "rules/match.h"
#include "rules/matches.h"
#include "rules/print_text.h"

_Static_assert(offsetof(struct mark_match, mask) == offsetof(struct mark_match, value) + 4,
	"OPTION_MASKED_U32 stores two words");

static const struct option options[] = {
	{.name = "mark",
		.kind = OPTION_MASKED_U32,
		.flags = OPTION_INVERT | OPTION_REQUIRED,
		.offset = offsetof(struct mark_match, value),
		.invert_offset = offsetof(struct mark_match, inv),
		.expects = "VALUE or VALUE/MASK"},
};

static void mark_print(struct buf *out, const void *data, enum family family)
{
	const struct mark_match *m = data;

	(void)family;
	print_option(out, m->inv, "mark");
	buf_puts(out, " ");
	print_masked(out, m->value, m->mask);
}

static void mark_list(struct buf *out, const void *data, enum family family)
{
	const struct mark_match *m = data;

	(void)family;
	buf_puts(out, m->inv ? " mark match ! " : " mark match ");
	print_masked(out, m->value, m->mask);
}

static bool mark_eval(const void *data, struct eval *e)
{
	const struct mark_match *m = data;

	return ((e->packet->mark & m->mask) == m->value) != m->inv;
}

static void mark_emit(const void *data, struct emit *e)
{
	const struct mark_match *m = data;

	emit_ctx_load(e, 4, offsetof(struct weir_packet, mark), BPF_REG_0);
	if (m->mask != UINT32_MAX)
		bld_alu32_imm(e->b, BPF_AND, BPF_REG_0, (s32)m->mask);
	bld_jmp32_imm(e->b, m->inv ? BPF_JEQ : BPF_JNE, BPF_REG_0, (s32)m->value, emit_miss(e));
}

const struct match_ops match_mark = {
	.name = "mark",
	.families = FAMILIES_BOTH,
	.size = sizeof(struct mark_match),
	.options = options,
	.nr_options = ARRAY_LEN(options),
	.print = mark_print,
	.list = mark_list,
	.eval = mark_eval,
	.emit = mark_emit,
};
