/* The header walk in BPF: walk.c's meaning, run once in front of all rules, and only as far as some
 * rule needs.
 *
 * What the walk found is passed on through scratch memory, also where a register would do: a
 * verifier follows every round of the loop and every protocol on its own, and only forgetting their
 * values lets it see that all go on alike. Where a branch leaves the loop it falls through, so that
 * few branches wait to be looked at. */
#include "rules/counters.h"
#include "rules/match.h"
#include "rules/plan.h"
#include "rules/walk.h"
#include "weir/packet.h"

enum {
	REG_PROTO = BPF_REG_0,
	REG_TEMP = BPF_REG_1,
	REG_END = BPF_REG_2,
	REG_OFF = BPF_REG_3,
	REG_COUNT = BPF_REG_4,
	REG_HEADER = BPF_REG_5,
	REG_WORD = BPF_REG_8
};

#define EXT_BIT(proto) ((u64)1 << (proto))
/* Headers that the walk steps over. */
#define EXT_BITS \
	(EXT_BIT(NEXT_HOPOPTS) | EXT_BIT(NEXT_ROUTING) | EXT_BIT(NEXT_FRAGMENT) | \
		EXT_BIT(NEXT_AH) | EXT_BIT(NEXT_DSTOPTS))
enum { EXT_LAST = NEXT_DSTOPTS };

struct walk_labels {
	label_t loop, advance, done, later, broken, end;
};

static void load_end(struct emit *e)
{
	emit_ctx_load(e, 8, offsetof(struct weir_packet, data_end), REG_END);
}

/* r0 = r0, as any byte. */
static void forget_proto(struct emit *e)
{
	bld_store(e->b, BPF_W, REG_COUNTERS, SCRATCH_PROTO_OFF, REG_PROTO);
	bld_load(e->b, BPF_B, REG_PROTO, REG_COUNTERS, SCRATCH_PROTO_OFF);
}

/* r3 = r3, as any offset up to the limit; those beyond go to `far`. */
static void forget_off(struct emit *e, label_t far)
{
	label_t near = builder_label(e->b);

	bld_store(e->b, BPF_W, REG_COUNTERS, SCRATCH_UPPER_OFF_OFF, REG_OFF);
	bld_load(e->b, BPF_W, REG_OFF, REG_COUNTERS, SCRATCH_UPPER_OFF_OFF);
	bld_jmp_imm(e->b, BPF_JLE, REG_OFF, RULES_HEADER_OFF_MAX, near);
	bld_ja(e->b, far);
	builder_bind(e->b, near);
}

/* Goes to `no` unless `bytes` bytes of the header are there. */
static void need_bytes(struct emit *e, s32 bytes, label_t no)
{
	label_t there = builder_label(e->b);

	bld_alu_reg(e->b, BPF_MOV, REG_TEMP, REG_HEADER);
	bld_alu_imm(e->b, BPF_ADD, REG_TEMP, bytes);
	bld_jmp_reg(e->b, BPF_JLE, REG_TEMP, REG_END, there);
	bld_ja(e->b, no);
	builder_bind(e->b, there);
}

/* Goes to `yes` when r0 is a header to step over, to `no` when it isn't. */
static void branch_on_ext(struct emit *e, label_t yes, label_t no)
{
	label_t low = builder_label(e->b);

	bld_jmp_imm(e->b, BPF_JLE, REG_PROTO, EXT_LAST, low);
	bld_ja(e->b, no);
	builder_bind(e->b, low);
	bld_const(e->b, REG_TEMP, EXT_BITS);
	bld_alu_reg(e->b, BPF_RSH, REG_TEMP, REG_PROTO);
	bld_jmp_imm(e->b, BPF_JSET, REG_TEMP, 1, yes);
	bld_ja(e->b, no);
}

/* Keeps the first fragment header for -m frag; cut ones are as good as a broken chain to it. */
static void keep_fragment(struct emit *e)
{
	label_t kept = builder_label(e->b), cut = builder_label(e->b);

	bld_load(e->b, BPF_W, REG_TEMP, REG_COUNTERS, SCRATCH_FRAG_STATE_OFF);
	bld_jmp_imm(e->b, BPF_JNE, REG_TEMP, FRAG_ABSENT, kept);
	need_bytes(e, 8, cut);
	bld_load(e->b, BPF_DW, REG_TEMP, REG_HEADER, 0);
	bld_store(e->b, BPF_DW, REG_COUNTERS, SCRATCH_FRAG_OFF, REG_TEMP);
	bld_store_imm(e->b, BPF_W, REG_COUNTERS, SCRATCH_FRAG_STATE_OFF, FRAG_FOUND);
	bld_ja(e->b, kept);
	builder_bind(e->b, cut);
	bld_store_imm(e->b, BPF_W, REG_COUNTERS, SCRATCH_FRAG_STATE_OFF, FRAG_UNPARSABLE);
	builder_bind(e->b, kept);
}

/* r1 = bytes to step over; a fragment with an offset ends the walk. */
static void step_fragment(struct emit *e, const struct plan *p, const struct walk_labels *l)
{
	label_t first = builder_label(e->b);

	need_bytes(e, 4, l->broken);
	if (p->needs & NEEDS_FRAGMENT)
		keep_fragment(e);
	bld_load(e->b, BPF_H, REG_TEMP, REG_HEADER, 2);
	bld_be(e->b, REG_TEMP, 16);
	bld_alu_imm(e->b, BPF_AND, REG_TEMP, 0xfff8);
	bld_jmp_imm(e->b, BPF_JEQ, REG_TEMP, 0, first);
	bld_load(e->b, BPF_B, REG_PROTO, REG_HEADER, 0);
	branch_on_ext(e, l->broken, l->later);
	builder_bind(e->b, first);
	bld_alu_imm(e->b, BPF_MOV, REG_TEMP, 8);
	bld_ja(e->b, l->advance);
}

static void step_scaled(struct emit *e, s32 add, s32 shift, label_t advance)
{
	bld_load(e->b, BPF_B, REG_TEMP, REG_HEADER, 1);
	bld_alu_imm(e->b, BPF_ADD, REG_TEMP, add);
	bld_alu_imm(e->b, BPF_LSH, REG_TEMP, shift);
	bld_ja(e->b, advance);
}

/* From the loop's head with r0 = a header to step over, at offset r3. */
static void step(struct emit *e, const struct plan *p, const struct walk_labels *l)
{
	label_t more = builder_label(e->b), fragment = builder_label(e->b),
		routing = builder_label(e->b);
	label_t ah = builder_label(e->b), plain = builder_label(e->b);

	bld_jmp_imm(e->b, BPF_JLT, REG_COUNT, RULES_EXT_HEADERS_MAX, more);
	bld_ja(e->b, l->broken);
	builder_bind(e->b, more);
	bld_alu_imm(e->b, BPF_ADD, REG_COUNT, 1);
	bld_alu_reg(e->b, BPF_MOV, REG_HEADER, REG_PACKET);
	bld_alu_reg(e->b, BPF_ADD, REG_HEADER, REG_OFF);
	load_end(e);
	need_bytes(e, 2, l->broken);
	bld_jmp_imm(e->b, BPF_JEQ, REG_PROTO, NEXT_FRAGMENT, fragment);
	bld_jmp_imm(e->b, BPF_JEQ, REG_PROTO, NEXT_ROUTING, routing);
	bld_jmp_imm(e->b, BPF_JEQ, REG_PROTO, NEXT_AH, ah);
	builder_bind(e->b, plain);
	step_scaled(e, 1, 3, l->advance);
	builder_bind(e->b, ah);
	step_scaled(e, 2, 2, l->advance);
	builder_bind(e->b, routing);
	need_bytes(e, 4, l->broken);
	bld_ja(e->b, plain);
	builder_bind(e->b, fragment);
	step_fragment(e, p, l);

	builder_bind(e->b, l->advance);
	bld_load(e->b, BPF_B, REG_PROTO, REG_HEADER, 0);
	bld_alu_reg(e->b, BPF_ADD, REG_OFF, REG_TEMP);
	forget_off(e, l->broken);
	bld_ja(e->b, l->loop);
}

/* r8 = the class bit of the protocol in r0, a few compares in the order of the class table. */
static void classify_proto(struct emit *e, const struct plan *p)
{
	label_t found = builder_label(e->b);

	for (u32 i = 1; i < p->nr_classes; i++) {
		bld_alu_imm(e->b, BPF_MOV, REG_WORD, 1 << i);
		bld_jmp_imm(e->b, BPF_JEQ, REG_PROTO, p->classes[i], found);
	}
	bld_alu_imm(e->b, BPF_MOV, REG_WORD, UPPER_OTHER);
	builder_bind(e->b, found);
}

static void add_byte(struct emit *e, u8 reg)
{
	bld_alu_imm(e->b, BPF_LSH, reg, UPPER_FLAGS_BYTE * 8);
	bld_alu_reg(e->b, BPF_OR, REG_WORD, reg);
}

static void add_first_bytes(struct emit *e)
{
	bld_load(e->b, BPF_W, REG_TEMP, REG_HEADER, 0);
	bld_alu_imm(e->b, BPF_LSH, REG_TEMP, UPPER_SPORT_BYTE * 8);
	bld_alu_reg(e->b, BPF_OR, REG_WORD, REG_TEMP);
}

/* Under 20 bytes: a cut TCP header; under 8: too little for any protocol whose header rules ask
 * for. */
static void short_upper(struct emit *e, label_t end)
{
	label_t has_8 = builder_label(e->b), has_4 = builder_label(e->b),
		even = builder_label(e->b);
	label_t under_8 = builder_label(e->b), under_4 = builder_label(e->b);

	bld_alu_imm(e->b, BPF_OR, REG_WORD, UPPER_UNDER_20);
	need_bytes(e, 8, under_8);
	bld_ja(e->b, has_8);
	builder_bind(e->b, under_8);
	bld_alu_imm(e->b, BPF_OR, REG_WORD, UPPER_UNDER_8 | UPPER_ODD);
	need_bytes(e, 4, under_4);
	bld_ja(e->b, has_4);
	builder_bind(e->b, under_4);
	bld_alu_imm(e->b, BPF_OR, REG_WORD, UPPER_UNDER_4);
	bld_ja(e->b, even);
	builder_bind(e->b, has_8);
	builder_bind(e->b, has_4);
	add_first_bytes(e);
	bld_jmp_imm(e->b, BPF_JNE, REG_PROTO, NEXT_TCP, even);
	bld_alu_imm(e->b, BPF_OR, REG_WORD, UPPER_ODD);
	builder_bind(e->b, even);
	add_byte(e, REG_PROTO);
	bld_ja(e->b, end);
}

enum { TCP_BYTES = 20, TCP_OPTIONS_MAX = 40, TCP_OFF_BYTE = 12, TCP_FLAGS_BYTE = 13 };

/* r1 = the option at r4, r0 = its kind, kept in scratch memory; to `done` when the packet ends in
 * front of it. */
static void load_option(struct emit *e, label_t done)
{
	struct builder *b = e->b;

	load_end(e);
	bld_alu_reg(b, BPF_MOV, BPF_REG_1, REG_HEADER);
	bld_alu_reg(b, BPF_ADD, BPF_REG_1, BPF_REG_4);
	bld_alu_reg(b, BPF_MOV, BPF_REG_0, BPF_REG_1);
	bld_alu_imm(b, BPF_ADD, BPF_REG_0, TCP_BYTES + 1);
	bld_jmp_reg(b, BPF_JGT, BPF_REG_0, REG_END, done);
	bld_load(b, BPF_B, BPF_REG_0, BPF_REG_1, TCP_BYTES);
	bld_store(b, BPF_W, REG_COUNTERS, SCRATCH_PROTO_OFF, BPF_REG_0);
}

/* r4 = behind the option at r1 of kind r0: kinds 0 and 1 are one byte, a length of 0 counts as 1.
 * An option without room for its length is the last one. */
static void step_option(struct emit *e)
{
	struct builder *b = e->b;
	label_t stepped = builder_label(b);

	bld_alu_imm(b, BPF_ADD, BPF_REG_4, 1);
	bld_jmp_imm(b, BPF_JLT, BPF_REG_0, 2, stepped);
	bld_alu_reg(b, BPF_MOV, BPF_REG_0, BPF_REG_1);
	bld_alu_imm(b, BPF_ADD, BPF_REG_0, TCP_BYTES + 2);
	bld_jmp_reg(b, BPF_JGT, BPF_REG_0, REG_END, stepped);
	bld_load(b, BPF_B, BPF_REG_0, BPF_REG_1, TCP_BYTES + 1);
	bld_jmp_imm(b, BPF_JEQ, BPF_REG_0, 0, stepped);
	bld_alu_reg(b, BPF_ADD, BPF_REG_4, BPF_REG_0);
	bld_alu_imm(b, BPF_SUB, BPF_REG_4, 1);
	builder_bind(b, stepped);
	bld_store(b, BPF_W, REG_COUNTERS, SCRATCH_PLACE_OFF, BPF_REG_4);
	bld_load(b, BPF_W, BPF_REG_4, REG_COUNTERS, SCRATCH_PLACE_OFF);
}

/* Sets the bit of the kind that load_option kept. */
static void mark_option(struct emit *e)
{
	struct builder *b = e->b;

	bld_load(b, BPF_B, BPF_REG_0, REG_COUNTERS, SCRATCH_PROTO_OFF);
	bld_alu_reg(b, BPF_MOV, BPF_REG_2, BPF_REG_0);
	bld_alu_imm(b, BPF_RSH, BPF_REG_2, 3);
	bld_alu_reg(b, BPF_ADD, BPF_REG_2, REG_COUNTERS);
	bld_alu_imm(b, BPF_AND, BPF_REG_0, 7);
	bld_alu_imm(b, BPF_MOV, BPF_REG_1, 1);
	bld_alu_reg(b, BPF_LSH, BPF_REG_1, BPF_REG_0);
	bld_load(b, BPF_B, BPF_REG_0, BPF_REG_2, SCRATCH_OPTIONS_OFF);
	bld_alu_reg(b, BPF_OR, BPF_REG_0, BPF_REG_1);
	bld_store(b, BPF_B, BPF_REG_2, SCRATCH_OPTIONS_OFF, BPF_REG_0);
}

/* Which options the TCP header at r5 has, whose 20 bytes are there. */
static void scan_options(struct emit *e)
{
	struct builder *b = e->b;
	label_t loop = builder_label(b), done = builder_label(b);

	bld_store(b, BPF_DW, REG_COUNTERS, SCRATCH_UPPER_OFF, REG_WORD);
	for (s16 at = 0; at < 32; at = (s16)(at + 8))
		bld_store_imm(b, BPF_DW, REG_COUNTERS, (s16)(SCRATCH_OPTIONS_OFF + at), 0);
	bld_store_imm(b, BPF_W, REG_COUNTERS, SCRATCH_OPTIONS_BAD_OFF, 1);
	bld_load(b, BPF_B, BPF_REG_8, REG_HEADER, TCP_OFF_BYTE);
	bld_alu_imm(b, BPF_RSH, BPF_REG_8, 4);
	bld_alu_imm(b, BPF_LSH, BPF_REG_8, 2);
	bld_jmp_imm(b, BPF_JLT, BPF_REG_8, TCP_BYTES, done);
	bld_alu_reg(b, BPF_MOV, BPF_REG_1, REG_HEADER);
	bld_alu_reg(b, BPF_ADD, BPF_REG_1, BPF_REG_8);
	bld_jmp_reg(b, BPF_JGT, BPF_REG_1, REG_END, done);
	bld_store_imm(b, BPF_W, REG_COUNTERS, SCRATCH_OPTIONS_BAD_OFF, 0);
	bld_alu_imm(b, BPF_SUB, BPF_REG_8, TCP_BYTES);
	bld_alu_imm(b, BPF_MOV, BPF_REG_4, 0);
	bld_alu_imm(b, BPF_MOV, BPF_REG_3, 0);
	builder_bind(b, loop);
	bld_jmp_reg(b, BPF_JGE, BPF_REG_4, BPF_REG_8, done);
	/* Known from the line above, but not to a verifier. */
	bld_jmp_imm(b, BPF_JGE, BPF_REG_4, TCP_OPTIONS_MAX, done);
	bld_jmp_imm(b, BPF_JGE, BPF_REG_3, TCP_OPTIONS_MAX, done);
	bld_alu_imm(b, BPF_ADD, BPF_REG_3, 1);
	load_option(e, done);
	step_option(e);
	mark_option(e);
	bld_ja(b, loop);
	builder_bind(b, done);
	bld_load(b, BPF_DW, REG_WORD, REG_COUNTERS, SCRATCH_UPPER_OFF);
}

/* With r0 = protocol, r3 = its offset: the upper word. */
static void read_upper(struct emit *e, const struct plan *p, label_t end)
{
	label_t cut = builder_label(e->b), not_tcp = builder_label(e->b);

	classify_proto(e, p);
	if ((p->needs & NEEDS_UPPER) == 0) {
		add_byte(e, REG_PROTO);
		bld_ja(e->b, end);
		return;
	}
	bld_alu_reg(e->b, BPF_MOV, REG_HEADER, REG_PACKET);
	bld_alu_reg(e->b, BPF_ADD, REG_HEADER, REG_OFF);
	load_end(e);
	need_bytes(e, TCP_BYTES, cut);
	add_first_bytes(e);
	bld_jmp_imm(e->b, BPF_JNE, REG_PROTO, NEXT_TCP, not_tcp);
	bld_load(e->b, BPF_B, REG_PROTO, REG_HEADER, TCP_FLAGS_BYTE);
	add_byte(e, REG_PROTO);
	if (p->needs & NEEDS_TCP_OPTIONS)
		scan_options(e);
	bld_ja(e->b, end);
	builder_bind(e->b, not_tcp);
	add_byte(e, REG_PROTO);
	bld_ja(e->b, end);
	builder_bind(e->b, cut);
	short_upper(e, end);
}

static void finish(struct emit *e)
{
	bld_store(e->b, BPF_DW, REG_COUNTERS, SCRATCH_UPPER_OFF, REG_WORD);
}

static s32 odd_when(const struct plan *p, unsigned needs)
{
	return (p->needs & needs) != 0 ? UPPER_ODD : 0;
}

static void later_fragment(struct emit *e, const struct plan *p)
{
	forget_proto(e);
	classify_proto(e, p);
	bld_alu_imm(e->b, BPF_OR, REG_WORD, UPPER_LATER | odd_when(p, NEEDS_UPPER));
	add_byte(e, REG_PROTO);
}

static void walk_ipv6_code(struct emit *e, const struct plan *p)
{
	struct walk_labels l = {
		.loop = builder_label(e->b),
		.advance = builder_label(e->b),
		.done = builder_label(e->b),
		.later = builder_label(e->b),
		.broken = builder_label(e->b),
		.end = builder_label(e->b),
	};
	label_t ext = builder_label(e->b);

	if (p->needs & NEEDS_FRAGMENT)
		bld_store_imm(e->b, BPF_W, REG_COUNTERS, SCRATCH_FRAG_STATE_OFF, FRAG_ABSENT);
	bld_load(e->b, BPF_B, REG_PROTO, REG_PACKET, 6);
	bld_alu_imm(e->b, BPF_MOV, REG_OFF, IPV6_HEADER_BYTES);
	bld_alu_imm(e->b, BPF_MOV, REG_COUNT, 0);
	builder_bind(e->b, l.loop);
	branch_on_ext(e, ext, l.done);
	builder_bind(e->b, ext);
	step(e, p, &l);

	builder_bind(e->b, l.done);
	forget_proto(e);
	forget_off(e, l.broken);
	read_upper(e, p, l.end);

	builder_bind(e->b, l.later);
	later_fragment(e, p);
	bld_ja(e->b, l.end);

	builder_bind(e->b, l.broken);
	if (p->needs & NEEDS_FRAGMENT) {
		label_t known = builder_label(e->b);

		bld_load(e->b, BPF_W, REG_TEMP, REG_COUNTERS, SCRATCH_FRAG_STATE_OFF);
		bld_jmp_imm(e->b, BPF_JNE, REG_TEMP, FRAG_ABSENT, known);
		bld_store_imm(e->b, BPF_W, REG_COUNTERS, SCRATCH_FRAG_STATE_OFF, FRAG_UNPARSABLE);
		builder_bind(e->b, known);
	}
	bld_alu_imm(e->b, BPF_MOV, REG_WORD, UPPER_BROKEN | UPPER_ODD);
	builder_bind(e->b, l.end);
	finish(e);
}

static void walk_ipv4_code(struct emit *e, const struct plan *p)
{
	label_t whole = builder_label(e->b), end = builder_label(e->b),
		not_second = builder_label(e->b);

	bld_load(e->b, BPF_H, REG_TEMP, REG_PACKET, 6);
	bld_be(e->b, REG_TEMP, 16);
	bld_alu_imm(e->b, BPF_AND, REG_TEMP, 0x1fff);
	bld_load(e->b, BPF_B, REG_PROTO, REG_PACKET, 9);
	bld_load(e->b, BPF_B, REG_OFF, REG_PACKET, 0);
	bld_alu_imm(e->b, BPF_AND, REG_OFF, 0xf);
	bld_alu_imm(e->b, BPF_LSH, REG_OFF, 2);
	bld_jmp_imm(e->b, BPF_JEQ, REG_TEMP, 0, whole);
	bld_alu_reg(e->b, BPF_MOV, REG_COUNT, REG_TEMP);
	later_fragment(e, p);
	bld_jmp_imm(e->b, BPF_JNE, REG_COUNT, 1, not_second);
	bld_alu_imm(e->b, BPF_OR, REG_WORD, UPPER_SECOND);
	builder_bind(e->b, not_second);
	bld_ja(e->b, end);
	builder_bind(e->b, whole);
	read_upper(e, p, end);
	builder_bind(e->b, end);
	finish(e);
}

void emit_walk(struct emit *e, const struct plan *p)
{
	if ((p->needs & (NEEDS_UPPER | NEEDS_FRAGMENT | PLAN_PROTO | PLAN_FRAGOFF)) == 0)
		return;
	if (e->family == FAMILY_IPV6)
		walk_ipv6_code(e, p);
	else
		walk_ipv4_code(e, p);
}
