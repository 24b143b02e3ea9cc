/* The pieces of BPF that matches are made of, and the base match. What a chain or a program looks
 * like is decided in compile_chain.c and compile.c. */
#include "rules/emit.h"

#include "base/bytes.h"
#include "rules/counters.h"
#include "rules/walk.h"
#include "weir/packet.h"

struct spot emit_spot(struct emit *e)
{
	return (struct spot){.label = builder_label(e->b)};
}

label_t spot_use(struct spot *s)
{
	s->used = true;
	return s->label;
}

void emit_bind(struct emit *e, const struct spot *s)
{
	builder_bind(e->b, s->label);
}

label_t emit_miss(struct emit *e)
{
	return spot_use(e->miss);
}

label_t emit_hotdrop(struct emit *e)
{
	return spot_use(e->hotdrop);
}

static u8 size_code(u32 bytes)
{
	switch (bytes) {
	case 1:
		return BPF_B;
	case 2:
		return BPF_H;
	case 4:
		return BPF_W;
	default:
		assert(bytes == 8);
		return BPF_DW;
	}
}

static u64 low_mask(u32 bytes)
{
	return bytes == 8 ? UINT64_MAX : ((u64)1 << bytes * 8) - 1;
}

/* The smallest aligned piece of the 8 bytes that holds all of the mask. */
static struct atom narrowed(struct atom a)
{
	while (a.size > 1) {
		u32 half = a.size / 2u;
		u64 low = low_mask(half);

		if ((a.mask & ~low) == 0) {
			a.size = (u8)half;
		} else if ((a.mask & low) == 0) {
			a.size = (u8)half;
			a.off = (s16)(a.off + (s16)half);
			a.mask >>= half * 8;
			a.want >>= half * 8;
		} else {
			break;
		}
	}
	return a;
}

u32 atoms_of_bytes(
	enum atom_base base, s16 off, const u8 *want, const u8 *mask, u32 bytes, struct atom out[2])
{
	u32 nr = 0;

	for (u32 at = 0; at < bytes; at += 8) {
		u32 size = bytes - at < 8 ? bytes - at : 8;
		struct atom a = {.base = (u8)base, .size = (u8)size, .off = (s16)(off + (s16)at)};

		a.mask = size == 8 ? load_le64(mask + at) : load_le32(mask + at);
		a.want = (size == 8 ? load_le64(want + at) : load_le32(want + at)) & a.mask;
		if (a.mask != 0)
			out[nr++] = narrowed(a);
	}
	return nr;
}

static void load_field(struct emit *e, enum atom_base base, u8 size, s16 off, u8 reg)
{
	switch (base) {
	case ATOM_PACKET:
		bld_load(e->b, size_code(size), reg, REG_PACKET, off);
		return;
	case ATOM_CTX:
		bld_load(e->b, size_code(size), reg, REG_CTX, off);
		return;
	case ATOM_UPPER:
		bld_load(e->b, size_code(size), reg, REG_COUNTERS, (s16)(SCRATCH_UPPER_OFF + off));
		return;
	}
	UNREACHABLE();
}

/* How the bits outside of a mask go away. What is compared is then the wanted value in the same form. */
struct cut {
	enum {
		CUT_NOTHING,
		CUT_LEFT, /* shift left: the mask is a byte-aligned prefix */
		CUT_RIGHT, /* swap bytes, shift right: any other long prefix, so that no long mask is needed */
		CUT_AND
	} kind;
	s32 shift;
};

/* A short mask that isn't one run of bits, in 32 bits that go round. */
static bool is_split(u64 mask)
{
	return mask > 0xff && mask < 1u << 24 && (mask & (mask + 1)) != 0;
}

static struct cut cut_of(const struct atom *a)
{
	u64 swapped = __builtin_bswap64(a->mask), below = ~swapped;
	bool below_is_low = (below & (below + 1)) == 0;

	if (a->mask == low_mask(a->size))
		return (struct cut){CUT_NOTHING, 0};
	if (a->size < 8 || (a->mask <= UINT32_MAX && !(below_is_low && is_split(a->mask))))
		return (struct cut){CUT_AND, 0};
	if ((a->mask & (a->mask + 1)) == 0)
		return (struct cut){CUT_LEFT, __builtin_clzll(a->mask)};
	if (below_is_low)
		return (struct cut){CUT_RIGHT, __builtin_ctzll(swapped)};
	return (struct cut){CUT_AND, 0};
}

static void emit_cut(struct emit *e, const struct atom *a, u8 reg)
{
	struct cut cut = cut_of(a);

	switch (cut.kind) {
	case CUT_NOTHING:
		return;
	case CUT_LEFT:
		bld_alu_imm(e->b, BPF_LSH, reg, cut.shift);
		return;
	case CUT_RIGHT:
		bld_be(e->b, reg, 64);
		bld_alu_imm(e->b, BPF_RSH, reg, cut.shift);
		return;
	case CUT_AND:
		break;
	}
	if (a->mask <= UINT32_MAX) {
		bld_alu32_imm(e->b, BPF_AND, reg, (s32)(u32)a->mask);
	} else {
		bld_const(e->b, BPF_REG_5, a->mask);
		bld_alu_reg(e->b, BPF_AND, reg, BPF_REG_5);
	}
}

void emit_atom_load(struct emit *e, const struct atom *a, u8 reg)
{
	load_field(e, a->base, a->size, a->off, reg);
	emit_cut(e, a, reg);
}

static u64 wanted(const struct atom *a)
{
	struct cut cut = cut_of(a);

	if (cut.kind == CUT_LEFT)
		return a->want << cut.shift;
	if (cut.kind == CUT_RIGHT)
		return __builtin_bswap64(a->want) >> cut.shift;
	return a->want;
}

void emit_atom_jump(struct emit *e, const struct atom *a, u8 reg, bool when_equal, label_t to)
{
	u8 op = when_equal ? BPF_JEQ : BPF_JNE;
	u64 want = wanted(a);

	if (a->mask <= UINT32_MAX && cut_of(a).kind != CUT_RIGHT) {
		bld_jmp32_imm(e->b, op, reg, (s32)(u32)want, to);
	} else if ((u64)(s64)(s32)want == want) {
		bld_jmp_imm(e->b, op, reg, (s32)want, to);
	} else {
		bld_const(e->b, BPF_REG_5, want);
		bld_jmp_reg(e->b, op, reg, BPF_REG_5, to);
	}
}

void emit_never(struct emit *e)
{
	bld_alu_imm(e->b, BPF_MOV, BPF_REG_0, 0);
	bld_jmp_imm(e->b, BPF_JEQ, BPF_REG_0, 0, emit_miss(e));
}

static bool is_known(const struct emit *e, const struct atom *a)
{
	const struct atom *k = e->known;

	return k != NULL && k->base == a->base && k->size == a->size && k->off == a->off &&
	       k->mask == a->mask && k->want == a->want;
}

/* Two atoms of an IPv6 address: both halves are loaded, then compared without a load between, which back ends make one
 * load and one branch of. A comparison that has to shift comes first, where it costs nothing. */
static bool emit_halves(struct emit *e, const struct atom *atoms, u32 nr)
{
	if (nr != 2 || atoms[0].base != ATOM_PACKET || e->family != FAMILY_IPV6)
		return false;
	if (atoms[0].off % 8 != 0 || atoms[1].off % 8 != 0)
		return false;
	struct atom half[2] = {atoms[0], atoms[1]};
	half[0].size = half[1].size = 8;
	u8 first = cut_of(&half[1]).kind == CUT_LEFT || cut_of(&half[1]).kind == CUT_RIGHT;

	for (u8 i = 0; i < 2; i++)
		load_field(e, half[i].base, half[i].size, half[i].off, BPF_REG_0 + i);
	for (u8 i = 0; i < 2; i++)
		emit_cut(e, &half[i], BPF_REG_0 + i);
	emit_atom_jump(e, &half[first], BPF_REG_0 + first, false, emit_miss(e));
	emit_atom_jump(e, &half[!first], BPF_REG_0 + !first, false, emit_miss(e));
	return true;
}

void emit_atoms(struct emit *e, const struct atom *atoms, u32 nr, bool invert)
{
	if (nr == 0) {
		if (invert)
			emit_never(e);
		return;
	}
	if (!invert && e->known == NULL && emit_halves(e, atoms, nr))
		return;
	struct spot differs = emit_spot(e);

	for (u32 i = 0; i < nr; i++) {
		bool last = i + 1 == nr;

		if (!invert && is_known(e, &atoms[i]))
			continue;
		emit_atom_load(e, &atoms[i], BPF_REG_0);
		if (!invert)
			emit_atom_jump(e, &atoms[i], BPF_REG_0, false, emit_miss(e));
		else if (last)
			emit_atom_jump(e, &atoms[i], BPF_REG_0, true, emit_miss(e));
		else
			emit_atom_jump(e, &atoms[i], BPF_REG_0, false, spot_use(&differs));
	}
	emit_bind(e, &differs);
}

/* Right behind emit_upper_jump, whose r0 is still there. */
static void upper_jump_again(struct emit *e, u32 bits, label_t to)
{
	bld_jmp_imm(e->b, BPF_JSET, BPF_REG_0, (s32)bits, to);
}

void emit_upper_jump(struct emit *e, u32 bits, label_t to)
{
	load_field(e, ATOM_UPPER, 4, 0, BPF_REG_0);
	upper_jump_again(e, bits, to);
}

void emit_be_load(struct emit *e, enum atom_base base, u8 size, s16 off, u8 reg)
{
	load_field(e, base, size, off, reg);
	if (size > 1)
		bld_be(e->b, reg, size * 8u);
}

void emit_ctx_load(struct emit *e, u8 size, size_t off, u8 reg)
{
	load_field(e, ATOM_CTX, size, (s16)off, reg);
}

static void miss_outside(struct emit *e, u8 reg, u32 min, u32 max, u32 max_value)
{
	if (min == max) {
		bld_jmp32_imm(e->b, BPF_JNE, reg, (s32)min, emit_miss(e));
		return;
	}
	if (min > 0)
		bld_jmp32_imm(e->b, BPF_JLT, reg, (s32)min, emit_miss(e));
	if (max < max_value)
		bld_jmp32_imm(e->b, BPF_JGT, reg, (s32)max, emit_miss(e));
}

static void miss_inside(struct emit *e, u8 reg, u32 min, u32 max, u32 max_value)
{
	if (min == 0 && max >= max_value) {
		emit_never(e);
	} else if (min == max) {
		bld_jmp32_imm(e->b, BPF_JEQ, reg, (s32)min, emit_miss(e));
	} else if (min == 0) {
		bld_jmp32_imm(e->b, BPF_JLE, reg, (s32)max, emit_miss(e));
	} else if (max >= max_value) {
		bld_jmp32_imm(e->b, BPF_JGE, reg, (s32)min, emit_miss(e));
	} else {
		struct spot below = emit_spot(e);

		bld_jmp32_imm(e->b, BPF_JLT, reg, (s32)min, spot_use(&below));
		bld_jmp32_imm(e->b, BPF_JLE, reg, (s32)max, emit_miss(e));
		emit_bind(e, &below);
	}
}

void emit_range(struct emit *e, u8 reg, u32 min, u32 max, u32 max_value, bool invert)
{
	if (min > max) { /* nothing lies in it */
		if (!invert)
			emit_never(e);
	} else if (invert) {
		miss_inside(e, reg, min, max, max_value);
	} else {
		miss_outside(e, reg, min, max, max_value);
	}
}

void emit_whole_upper(struct emit *e, u32 bytes)
{
	if (e->mode == EMIT_WHOLE)
		return;
	emit_upper_jump(e, UPPER_LATER, emit_miss(e));
	upper_jump_again(e,
		bytes <= 4   ? UPPER_UNDER_4
		: bytes <= 8 ? UPPER_UNDER_8
			     : UPPER_UNDER_20,
		emit_hotdrop(e));
}

void emit_log(struct emit *e)
{
	label_t full = builder_label(e->b);

	bld_load(e->b, BPF_W, BPF_REG_0, REG_COUNTERS, LOG_NR_OFF);
	bld_alu_reg(e->b, BPF_MOV, BPF_REG_1, BPF_REG_0);
	bld_alu32_imm(e->b, BPF_ADD, BPF_REG_1, 1);
	bld_store(e->b, BPF_W, REG_COUNTERS, LOG_NR_OFF, BPF_REG_1);
	bld_jmp_imm(e->b, BPF_JGE, BPF_REG_0, LOG_EVENTS_MAX, full);
	bld_alu_imm(e->b, BPF_LSH, BPF_REG_0, 2);
	bld_alu_reg(e->b, BPF_MOV, BPF_REG_1, REG_COUNTERS);
	bld_alu_reg(e->b, BPF_ADD, BPF_REG_1, BPF_REG_0);
	bld_store_imm(e->b, BPF_W, BPF_REG_1, LOG_EVENTS_OFF, (s32)e->rule->counter);
	builder_bind(e->b, full);
}

u32 rule_src_atoms(const struct rule *r, enum family family, struct atom out[2])
{
	if (family == FAMILY_IPV6)
		return atoms_of_bytes(ATOM_PACKET, 8, r->src, r->src_mask, 16, out);
	return atoms_of_bytes(ATOM_PACKET, 12, r->src, r->src_mask, 4, out);
}

u32 rule_dst_atoms(const struct rule *r, enum family family, struct atom out[2])
{
	if (family == FAMILY_IPV6)
		return atoms_of_bytes(ATOM_PACKET, 24, r->dst, r->dst_mask, 16, out);
	return atoms_of_bytes(ATOM_PACKET, 16, r->dst, r->dst_mask, 4, out);
}

u32 rule_in_atoms(const struct rule *r, struct atom out[2])
{
	return atoms_of_bytes(ATOM_CTX, (s16)offsetof(struct weir_packet, in_iface),
		(const u8 *)r->in_iface, (const u8 *)r->in_mask, IFACE_NAME_BYTES, out);
}

u32 rule_out_atoms(const struct rule *r, struct atom out[2])
{
	return atoms_of_bytes(ATOM_CTX, (s16)offsetof(struct weir_packet, out_iface),
		(const u8 *)r->out_iface, (const u8 *)r->out_mask, IFACE_NAME_BYTES, out);
}

static bool has_broken_chains(const struct emit *e)
{
	return e->family == FAMILY_IPV6 && e->mode != EMIT_WHOLE;
}

static u32 class_bit(const struct emit *e, const struct rule *r)
{
	return 1u << e->class_of[(u8)r->proto];
}

u32 rule_proto_bits(const struct emit *e, const struct rule *r)
{
	u32 bits;

	if (!r->has_proto)
		return 0;
	if (r->proto == 0)
		bits = UPPER_CLASSES;
	else if ((r->invert & INV_PROTO) == 0)
		bits = class_bit(e, r);
	else if (e->class_of[(u8)r->proto] == 0)
		bits = UPPER_CLASSES; /* some of the other protocols are wanted, and the number
					 decides */
	else
		bits = UPPER_CLASSES & ~class_bit(e, r);
	return bits | (has_broken_chains(e) ? (u32)UPPER_BROKEN : 0);
}

static void emit_broken(struct emit *e)
{
	if (has_broken_chains(e))
		emit_upper_jump(e, UPPER_BROKEN, emit_hotdrop(e));
}

/* Protocols without a class of their own: the number stands where TCP has its flags. */
static void emit_other_proto(struct emit *e, u8 proto, bool invert)
{
	struct spot known = emit_spot(e);

	if (invert)
		emit_upper_jump(e, UPPER_CLASSES & ~UPPER_OTHER, spot_use(&known));
	else
		emit_upper_jump(e, UPPER_CLASSES & ~UPPER_OTHER, emit_miss(e));
	emit_broken(e);
	load_field(e, ATOM_UPPER, 1, UPPER_FLAGS_BYTE, BPF_REG_0);
	bld_jmp32_imm(e->b, invert ? BPF_JEQ : BPF_JNE, BPF_REG_0, proto, emit_miss(e));
	emit_bind(e, &known);
}

static void emit_proto(struct emit *e, const struct rule *r)
{
	bool invert = (r->invert & INV_PROTO) != 0;

	if (!r->has_proto)
		return;
	/* Several classes share UPPER_OTHER's bit, so that one isn't enough to know. */
	if (e->mode == EMIT_WHOLE && e->known_bits == rule_proto_bits(e, r) &&
		(e->known_bits & UPPER_OTHER) == 0)
		return;
	if (r->proto == 0) {
		emit_broken(e);
	} else if (e->class_of[(u8)r->proto] == 0) {
		emit_other_proto(e, (u8)r->proto, invert);
	} else {
		u32 bit = class_bit(e, r);

		emit_upper_jump(e, invert ? bit : UPPER_CLASSES & ~bit, emit_miss(e));
		if (has_broken_chains(e))
			upper_jump_again(e, UPPER_BROKEN, emit_hotdrop(e));
	}
}

static void emit_fragment(struct emit *e, const struct rule *r)
{
	struct spot later = emit_spot(e);

	if (!r->fragment)
		return;
	if (r->invert & INV_FRAG) {
		emit_upper_jump(e, UPPER_LATER, emit_miss(e));
		return;
	}
	emit_upper_jump(e, UPPER_LATER, spot_use(&later));
	bld_ja(e->b, emit_miss(e));
	emit_bind(e, &later);
}

void emit_base(struct emit *e)
{
	const struct rule *r = e->rule;
	struct atom atoms[2];

	if (!e->src_holds)
		emit_atoms(
			e, atoms, rule_src_atoms(r, e->family, atoms), (r->invert & INV_SRC) != 0);
	if (!e->dst_holds)
		emit_atoms(
			e, atoms, rule_dst_atoms(r, e->family, atoms), (r->invert & INV_DST) != 0);
	emit_atoms(e, atoms, rule_in_atoms(r, atoms), (r->invert & INV_IN) != 0);
	emit_atoms(e, atoms, rule_out_atoms(r, atoms), (r->invert & INV_OUT) != 0);
	emit_proto(e, r);
	if (e->family == FAMILY_IPV4)
		emit_fragment(e, r);
}
