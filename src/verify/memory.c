/* Bounds of maps, packets and plain memory; alignment; what the walk notes about accesses. */
#include "verify/memory.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "verify/prune.h"

const char *tnum_text(struct tnum t, char out[static TNUM_TEXT_BYTES])
{
	if (tnum_is_const(t))
		snprintf(out, TNUM_TEXT_BYTES, "0x%" PRIx64, t.value);
	else
		snprintf(out, TNUM_TEXT_BYTES, "(0x%" PRIx64 "; 0x%" PRIx64 ")", t.value, t.mask);
	return out;
}

static bool inside(s64 off, u64 size, u64 bytes)
{
	return off >= 0 && (u64)off <= bytes && size <= bytes - (u64)off;
}

/* What is accessed, for bounds and messages. */
struct region {
	const char *what; /* "map value, value_size" */
	u64 bytes;
};

static int refuse_outside(struct verifier *v, const struct region *g, s64 off, u64 size)
{
	return refuse(v, EACCES, "invalid access to %s=%" PRIu64 " off=%" PRId64 " size=%" PRIu64,
		g->what, g->bytes, off, size);
}

/* R + off ... R + off + size inside [0, bytes) for every value of R's variable part. */
static int check_inside(struct verifier *v, u32 regno, const struct region *g, s64 off, u64 size)
{
	const struct vreg *r = cur_reg(v, regno);
	const struct scalar *var = &r->var;

	off += r->off;
	if (var->smin < 0 &&
		(var->smin == INT64_MIN || off + var->smin != (s32)(off + var->smin) ||
			off + var->smin < 0) &&
		!scalar_is_const(var))
		return refuse(v, EACCES,
			"R%u min value is negative, either use unsigned index or do a if (index "
			">=0) check.",
			regno);
	if (!inside(off + var->smin, size, g->bytes)) {
		refuse_outside(v, g, off + var->smin, size);
		explain(v, "R%u min value is outside of the allowed memory range", regno);
		return -EACCES;
	}
	if (var->umax >= 1u << 29)
		return refuse(v, EACCES,
			"R%u unbounded memory access, make sure to bounds check any such access",
			regno);
	if (!inside(off + (s64)var->umax, size, g->bytes)) {
		refuse_outside(v, g, off + (s64)var->umax, size);
		explain(v, "R%u max value is outside of the allowed memory range", regno);
		return -EACCES;
	}
	return 0;
}

/* The lock in a value belongs to spin_lock and spin_unlock alone. */
static int check_beside_lock(
	struct verifier *v, u32 regno, const struct map_spec *spec, s64 off, u64 size)
{
	enum { LOCK_BYTES = 4 };
	const struct vreg *r = cur_reg(v, regno);
	s64 at = (s64)spec->lock_at - 1;

	off += r->off;
	if (!spec->lock_at || off + r->var.smin >= at + LOCK_BYTES ||
		at >= (s64)r->var.umax + off + (s64)size)
		return 0;
	return refuse(v, EACCES, "bpf_spin_lock cannot be accessed directly by load/store");
}

static int check_map_value(struct verifier *v, u32 regno, s64 off, u64 size, enum access a)
{
	const struct vreg *r = cur_reg(v, regno);
	const struct map_spec *spec = &reg_map(v, r)->spec;
	u32 forbids = a == ACCESS_WRITE ? BPF_F_RDONLY_PROG : BPF_F_WRONLY_PROG;
	struct region g = {"map value, value_size", spec->value_size};

	if (spec->flags & forbids)
		return refuse(v, EACCES,
			"%s map forbidden, value_size=%u off=%" PRId64 " size=%" PRIu64,
			a == ACCESS_WRITE ? "write into" : "read from", spec->value_size,
			off + r->off + r->var.smin, size);
	note_map(v, r);
	int err = check_inside(v, regno, &g, off, size);
	return err ? err : check_beside_lock(v, regno, spec, off, size);
}

static int check_packet(struct verifier *v, u32 regno, s64 off, u64 size, enum access a)
{
	const struct vreg *r = cur_reg(v, regno);

	if (a == ACCESS_WRITE && !v->type->packet_writable)
		return refuse(v, EACCES, "cannot write into packet");
	if (r->var.smin < 0)
		return refuse(v, EACCES,
			"R%u min value is negative, either use unsigned index or do a if (index "
			">=0) check.",
			regno);
	off += r->off;
	if (inside(off, size, r->aux))
		return 0;
	refuse(v, EACCES,
		"invalid access to packet, off=%" PRId64 " size=%" PRIu64 ", R%u(id=%u,off=%" PRId64
		",r=%u)",
		off, size, regno, r->id, off, r->aux);
	explain(v, "R%u offset is outside of the packet", regno);
	return -EACCES;
}

/* Two fields of a byte each. */
static int check_nf_state(struct verifier *v, s64 off, u64 size, enum access a)
{
	enum { HOOK = 0, PF = 1 };

	if (a == ACCESS_WRITE)
		return refuse(v, EACCES, "only read is supported");
	if (size == 1 && (off == HOOK || off == PF))
		return 0;
	return refuse(v, EACCES,
		"access to struct nf_hook_state at off=%" PRId64 " size=%" PRIu64
		": only hook and pf are here, a byte each at 0 and 1",
		off, size);
}

int check_region(struct verifier *v, u32 regno, s64 off, u64 size, enum access a)
{
	const struct vreg *r = cur_reg(v, regno);

	switch ((enum reg_type)r->type) {
	case REG_NF_STATE:
		return check_nf_state(v, off, size, a);
	case REG_SKB:
		return refuse(v, EACCES,
			"access to struct sk_buff at off=%" PRId64 ": only kernel functions "
			"know it here, such as bpf_dynptr_from_skb",
			off);
	case REG_MAP_VALUE:
		return check_map_value(v, regno, off, size, a);
	case REG_PACKET:
	case REG_PACKET_META:
		return check_packet(v, regno, off, size, a);
	case REG_MAP_KEY:
		if (a == ACCESS_WRITE)
			return refuse(v, EACCES, "write to change key R%u not allowed", regno);
		return check_inside(v, regno,
			&(struct region){"map key, key_size", reg_map(v, r)->spec.key_size}, off,
			size);
	case REG_RAW:
		return check_inside(v, regno,
			&(struct region){"memory, mem_size", v->prog->raw_mem_bytes}, off, size);
	case REG_MEM:
	case REG_RINGBUF_MEM:
		if (a == ACCESS_WRITE && r->rdonly)
			return refuse(v, EACCES, "R%u cannot write into rdonly_mem", regno);
		return check_inside(
			v, regno, &(struct region){"memory, mem_size", r->aux}, off, size);
	case REG_UNINIT:
	case REG_SCALAR:
	case REG_CTX:
	case REG_STACK:
	case REG_MAP:
	case REG_FUNC:
	case REG_MAP_VALUE_OR_NULL:
	case REG_DYNPTR:
	case REG_ITER:
	case REG_MEM_OR_NULL:
	case REG_RINGBUF_MEM_OR_NULL:
	case REG_PACKET_END:
	case NR_REG_TYPES:
		break;
	}
	return refuse(v, EACCES, "R%u invalid mem access '%s'", regno, reg_type_name(r->type));
}

int check_whole_pointer(struct verifier *v, u32 regno)
{
	const struct vreg *r = cur_reg(v, regno);
	const char *name = reg_type_name(r->type);
	char bits[TNUM_TEXT_BYTES];

	if (r->off < 0)
		return refuse(v, EACCES, "negative offset %s ptr R%u off=%d disallowed", name,
			regno, r->off);
	if (r->off)
		return refuse(v, EACCES, "dereference of modified %s ptr R%u off=%d disallowed",
			name, regno, r->off);
	if (!scalar_is_const(&r->var) || r->var.umin)
		return refuse(v, EACCES, "variable %s access var_off=%s disallowed", name,
			tnum_text(r->var.bits, bits));
	return 0;
}

int check_ctx_pointer(struct verifier *v, u32 regno)
{
	return check_whole_pointer(v, regno);
}

void settle_not_null(struct verifier *v, u32 regno)
{
	struct vreg *r = cur_reg(v, regno);

	if (r->type != REG_MAP_VALUE_OR_NULL || !r->not_null)
		return;
	demand(v, r);
	reg_settle(v, r);
}

int check_alignment(struct verifier *v, u32 regno, s32 off, u32 size, bool strict)
{
	static const char *const names[NR_REG_TYPES] = {
		[REG_STACK] = "stack ",
		[REG_CTX] = "context ",
		[REG_MAP_VALUE] = "value ",
	};
	/* A packet starts 2 bytes behind a multiple of 4, so that the IP header behind Ethernet is aligned. */
	enum { PACKET_SHIFT = 2 };
	const struct vreg *r = cur_reg(v, regno);
	bool packet = reg_is_packet(r);
	struct tnum fixed = tnum_const((u64)((s64)r->off + off + (packet ? PACKET_SHIFT : 0)));
	char bits[TNUM_TEXT_BYTES];

	if (!strict && !v->opts.strict_alignment && r->type != REG_STACK)
		return 0;
	if (size == 1 || tnum_is_aligned(tnum_add(r->var.bits, fixed), size))
		return 0;
	tnum_text(r->var.bits, bits);
	if (packet)
		return refuse(v, EACCES, "misaligned packet access off %d+%s+%d+%d size %u",
			PACKET_SHIFT, scalar_is_const(&r->var) ? "0" : bits, r->off, off, size);
	return refuse(v, EACCES, "misaligned %saccess off %s+%d+%d size %u",
		names[r->type] ? names[r->type] : "", scalar_is_const(&r->var) ? "0" : bits, r->off,
		off, size);
}

void note_access(struct verifier *v, enum mem_kind kind, bool fixed, s64 off)
{
	struct trace *t = &v->traces[v->pc];

	if (t->mem == MEM_NONE) {
		t->mem = (u8)kind;
		t->off = (s32)off;
	} else if (t->mem != kind) {
		t->mem = MEM_MIXED;
	}
	t->off_varies |= !fixed || t->off != off;
}

void note_map(struct verifier *v, const struct vreg *r)
{
	struct trace *t = &v->traces[v->pc];

	if (!t->map_seen) {
		t->map_seen = true;
		t->map = r->aux;
	}
	t->map_varies |= t->map != r->aux || r->inner;
}
