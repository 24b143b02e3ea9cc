/* The stack: which bytes are initialised, and registers spilled to it. */
#include <errno.h>
#include <inttypes.h>

#include "verify/dynptr.h"
#include "verify/log.h"
#include "verify/memory.h"
#include "verify/prune.h"

static u32 slot_of(s64 off)
{
	return (u32)((-off - 1) / SLOT_BYTES);
}

static u32 byte_of(s64 off)
{
	return (u32)off & (SLOT_BYTES - 1);
}

static const char *access_name(enum access a)
{
	return a == ACCESS_WRITE ? "write to" : "read from";
}

int stack_span(
	struct verifier *v, u32 regno, s64 off, u64 size, enum access a, struct stack_span *out)
{
	const struct vreg *r = cur_reg(v, regno);
	bool fixed = scalar_is_const(&r->var);
	char bits[TNUM_TEXT_BYTES];

	if (!fixed && (r->var.smin <= -(1 << 29) || r->var.smax >= 1 << 29))
		return refuse(v, EACCES, "invalid unbounded variable-offset %s stack R%u",
			access_name(a), regno);
	s64 first = r->off + off + r->var.smin, end = r->off + off + r->var.smax + (s64)size;
	if (first < -(s64)PROG_STACK_BYTES || end > 0) {
		if (fixed)
			return refuse(v, EACCES,
				"invalid %s stack R%u off=%" PRId64 " size=%" PRIu64,
				access_name(a), regno, first, size);
		return refuse(v, EACCES,
			"invalid variable-offset %s stack R%u var_off=%s off=%" PRId64
			" size=%" PRIu64,
			access_name(a), regno, tnum_text(r->var.bits, bits), r->off + off, size);
	}
	*out = (struct stack_span){&v->cur.frames[r->frame], r->frame, first, end, fixed};
	struct subprog *sub = &v->subprogs[out->frame->subprog];
	u32 depth = (u32)(-first + 7) & ~7u;
	if (size && depth > sub->stack_bytes)
		sub->stack_bytes = depth;
	return 0;
}

static struct slot *slot_at(const struct stack_span *span, s64 off)
{
	u32 n = slot_of(off);

	return n < span->frame->nr_slots ? &span->frame->slots[n] : NULL;
}

static struct slot *slot_make(const struct stack_span *span, s64 off)
{
	struct frame *f = span->frame;

	for (u32 n = slot_of(off); f->nr_slots <= n; f->nr_slots++)
		f->slots[f->nr_slots] = (struct slot){0};
	return &f->slots[slot_of(off)];
}

static bool holds_pointer(const struct slot *s)
{
	return slot_has_spill(s) && reg_is_pointer(&s->reg);
}

static u8 kind_at(const struct stack_span *span, s64 off)
{
	const struct slot *s = slot_at(span, off);

	return s ? s->bytes[byte_of(off)] : SLOT_UNINIT;
}

void stack_note_read(struct verifier *v, const struct stack_span *span)
{
	for (s64 off = span->first; off < span->end; off++) {
		if (kind_at(span, off) != SLOT_UNINIT)
			continue;
		v->subprogs[span->frame->subprog].uninit_slots |= 1ull << slot_of(off);
		demand_uninit(v, span->depth, 1ull << slot_of(off));
	}
}

int stack_check_readable(struct verifier *v, u32 regno, const struct stack_span *span)
{
	for (s64 off = span->first; off < span->end; off++)
		if (kind_at(span, off) == SLOT_SPILL && holds_pointer(slot_at(span, off)))
			return refuse(v, EACCES,
				"R%u leaks addr from stack off %" PRId64 "+%" PRId64
				" size %" PRId64,
				regno, span->first, off - span->first, span->end - span->first);
	stack_note_read(v, span);
	return 0;
}

/* The bytes one by one: known only when all are zero. */
static void load_bytes(
	struct verifier *v, const struct stack_span *span, u32 size, struct vreg *out)
{
	bool zero = true;

	for (s64 off = span->first; off < span->end; off++)
		zero &= kind_at(span, off) == SLOT_ZERO;
	stack_note_read(v, span);
	*out = zero ? reg_const(0) : reg_unknown();
	out->var = scalar_zext(&out->var, size == SLOT_BYTES ? 32 : size * 8);
	if (!zero && size == SLOT_BYTES)
		*out = reg_unknown();
}

static int load_fixed(struct verifier *v, const struct stack_span *span, u32 size, struct vreg *out)
{
	struct slot *s = slot_at(span, span->first);

	log_touch_slot(v, slot_of(span->first));
	if (!s || !slot_has_spill(s)) {
		load_bytes(v, span, size, out);
		return 0;
	}
	if (s->reg.type == REG_DYNPTR || s->reg.type == REG_ITER)
		return refuse(v, EACCES, "invalid read from stack off %" PRId64 "+0 size %u",
			span->first, size);
	u32 spilled = slot_spill_bytes(s), at = byte_of(span->first);
	if (reg_is_pointer(&s->reg)) {
		if (size != SLOT_BYTES)
			return refuse(v, EACCES, "invalid size of register fill");
		*out = s->reg;
		return 0;
	}
	if (at || size > spilled) {
		load_bytes(v, span, size, out);
		return 0;
	}
	*out = s->reg;
	if (size < SLOT_BYTES && s->reg.var.umax >> (size * 8)) {
		out->var = scalar_zext(&s->reg.var, size * 8);
		out->id = 0;
	}
	return 0;
}

int stack_load(
	struct verifier *v, u32 regno, const struct stack_span *span, u32 size, struct vreg *out)
{
	if (span->fixed)
		return load_fixed(v, span, size, out);
	int err = stack_check_readable(v, regno, span);
	if (err)
		return err;
	*out = reg_unknown();
	if (size < SLOT_BYTES)
		out->var = scalar_zext(&out->var, size * 8);
	return 0;
}

/* What is left of a spilled scalar when some of its bytes go. */
static void forget_spill(struct slot *s)
{
	for (u32 n = 0; n < SLOT_BYTES; n++)
		if (s->bytes[n] == SLOT_SPILL)
			s->bytes[n] = SLOT_MISC;
	s->reg = reg_uninit();
}

static void spill(struct verifier *v, struct slot *s, u32 size, struct vreg *value)
{
	/* Register and slot are equal from now on, when the slot holds all of it. */
	bool whole = size == SLOT_BYTES || value->var.umax >> (size * 8) == 0;

	if (whole && value->type == REG_SCALAR && !value->id && !scalar_is_const(&value->var))
		value->id = new_id(v);
	s->reg = *value;
	if (!whole) {
		s->reg.var = scalar_zext(&value->var, size * 8);
		s->reg.id = 0;
	}
	for (u32 n = 0; n < size; n++)
		s->bytes[n] = SLOT_SPILL;
}

static int store_fixed(
	struct verifier *v, const struct stack_span *span, u32 size, struct vreg *value)
{
	struct slot *s = slot_make(span, span->first);
	u32 at = byte_of(span->first);
	int err = dynptr_overwrite(v, span->frame, slot_of(span->first));

	if (err)
		return err;
	log_touch_slot(v, slot_of(span->first));
	if (reg_is_pointer(value)) {
		if (size != SLOT_BYTES)
			return refuse(v, EACCES, "invalid size of register spill");
		if (value->type == REG_STACK && span->depth != v->cur.depth)
			return refuse(v, EINVAL,
				"cannot spill pointers to stack into stack frame of the caller");
	}
	if (holds_pointer(s) && size != SLOT_BYTES)
		return refuse(v, EACCES, "attempt to corrupt spilled pointer on stack");
	forget_spill(s);
	if (at == 0) {
		spill(v, s, size, value);
		return 0;
	}
	bool zero = reg_is_const(value) && value->var.umin == 0;
	if (zero)
		demand(v, value);
	for (u32 n = 0; n < size; n++)
		s->bytes[at + n] = zero ? SLOT_ZERO : SLOT_MISC;
	return 0;
}

/* Any of these bytes may be overwritten, and any may keep what it has. */
static int blur(struct verifier *v, const struct stack_span *span)
{
	for (s64 off = span->first; off < span->end; off++) {
		struct slot *s = slot_at(span, off);

		log_touch_slot(v, slot_of(off));
		if (!s)
			continue;
		if (s->bytes[byte_of(off)] == SLOT_SPILL) {
			if (s->reg.type == REG_DYNPTR)
				return refuse(v, EACCES,
					"potential write to dynptr at off=%" PRId64 " disallowed",
					off);
			if (holds_pointer(s))
				return refuse(v, EINVAL,
					"spilled ptr in range of var-offset stack write; insn %u, "
					"ptr off: %" PRId64,
					v->pc, off);
			forget_spill(s);
		}
		if (s->bytes[byte_of(off)] == SLOT_ZERO)
			s->bytes[byte_of(off)] = SLOT_MISC;
	}
	return 0;
}

int stack_store(
	struct verifier *v, u32 regno, const struct stack_span *span, u32 size, struct vreg *value)
{
	if (span->fixed)
		return store_fixed(v, span, size, value);
	if (reg_is_pointer(value))
		return refuse(v, EACCES,
			"R%u variable-offset write of a pointer to the stack is not allowed",
			regno);
	for (u32 n = slot_of(span->end - 1); n <= slot_of(span->first); n++) {
		int err = dynptr_overwrite(v, span->frame, n);

		if (err)
			return err;
	}
	return blur(v, span);
}

int stack_fill(struct verifier *v, const struct stack_span *span, u64 least)
{
	int err = blur(v, span);

	for (s64 off = span->first; !err && off < span->first + (s64)least; off++)
		if (span->fixed)
			slot_make(span, off)->bytes[byte_of(off)] = SLOT_MISC;
	return err;
}
