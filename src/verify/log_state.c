/* Registers and stack in the log. */
#include <inttypes.h>

#include "base/buf.h"
#include "verify/log.h"
#include "verify/memory.h"

static void put_number(struct buf *b, u64 value, bool sign)
{
	s64 n = (s64)value;

	if (sign && n >= INT16_MIN && n <= INT16_MAX)
		buf_printf(b, "%" PRId64, n);
	else if (!sign && value <= UINT16_MAX)
		buf_printf(b, "%" PRIu64, value);
	else
		buf_printf(b, "0x%" PRIx64, value);
}

/* Of the lower half: small ones with a sign, others as 32 bits. */
static u64 half(s32 n)
{
	return n >= INT16_MIN && n <= INT16_MAX ? (u64)(s64)n : (u32)n;
}

/* "smin=umin=1,smax=0xff": bounds that say something; a later one of the same end that is equal goes with it. */
static void put_bounds(struct buf *b, const struct scalar *s, const char **sep)
{
	struct {
		const char *name;
		u64 value;
		bool show, sign;
	} bounds[] = {
		{"smin", (u64)s->smin, s->smin != INT64_MIN, true},
		{"smax", (u64)s->smax, s->smax != INT64_MAX, true},
		{"umin", s->umin, s->umin != 0, false},
		{"umax", s->umax, s->umax != UINT64_MAX, false},
		{"smin32", half(s->s32min), s->s32min != INT32_MIN, true},
		{"smax32", half(s->s32max), s->s32max != INT32_MAX, true},
		{"umin32", s->u32min, s->u32min != 0, false},
		{"umax32", s->u32max, s->u32max != UINT32_MAX, false},
	};

	for (size_t n = 0; n < ARRAY_LEN(bounds); n++) {
		bool negative = bounds[n].sign && (s64)bounds[n].value < 0;

		if (!bounds[n].show)
			continue;
		buf_printf(b, "%s%s=", *sep, bounds[n].name);
		for (size_t k = n + 2; k < ARRAY_LEN(bounds); k += 2)
			if (bounds[k].show && bounds[k].value == bounds[n].value &&
				(bounds[k].sign && (s64)bounds[k].value < 0) == negative) {
				buf_printf(b, "%s=", bounds[k].name);
				bounds[k].show = false;
			}
		put_number(b, bounds[n].value, bounds[n].sign);
		*sep = ",";
	}
}

static void put_var(struct buf *b, const struct scalar *s, const char **sep)
{
	char bits[TNUM_TEXT_BYTES];

	if (scalar_is_const(s)) {
		if (s->umin) {
			buf_printf(b, "%simm=", *sep);
			put_number(b, s->umin, true);
		}
		return;
	}
	put_bounds(b, s, sep);
	if (s->bits.mask != UINT64_MAX) {
		buf_printf(b, "%svar_off=%s", *sep, tnum_text(s->bits, bits));
		*sep = ",";
	}
}

static void put_map(struct buf *b, const struct map_spec *spec, const char **sep)
{
	if (spec->name[0]) {
		buf_printf(b, "%smap=%s", *sep, spec->name);
		*sep = ",";
	}
	buf_printf(b, "%sks=%u,vs=%u", *sep, spec->key_size, spec->value_size);
	*sep = ",";
}

static bool has_map(const struct vreg *r)
{
	return r->type == REG_MAP || r->type == REG_MAP_VALUE || r->type == REG_MAP_VALUE_OR_NULL;
}

static u32 mem_bytes(const struct verifier *v, const struct vreg *r)
{
	return r->type == REG_RAW ? v->prog->raw_mem_bytes : r->aux;
}

static bool has_size(const struct vreg *r)
{
	return r->type == REG_RAW || r->type == REG_MEM || r->type == REG_MEM_OR_NULL ||
	       r->type == REG_RINGBUF_MEM || r->type == REG_RINGBUF_MEM_OR_NULL;
}

static void put_field(struct buf *b, const char **sep, const char *name, u64 value, bool sign)
{
	buf_printf(b, "%s%s=", *sep, name);
	put_number(b, value, sign);
	*sep = ",";
}

static void put_inside(struct buf *b, const struct verifier *v, const struct vreg *r)
{
	const char *sep = "";

	if (r->id && !r->not_null) {
		buf_printf(b, "id=%u", r->id);
		sep = ",";
	}
	if (r->ref) {
		buf_printf(b, "%sref_obj_id=%u", sep, r->ref);
		sep = ",";
	}
	if (has_map(r))
		put_map(b, &reg_map(v, r)->spec, &sep);
	if (r->off)
		put_field(b, &sep, "off", (u64)(s64)r->off, true);
	if (reg_is_packet(r))
		put_field(b, &sep, "r", r->aux, false);
	if (has_size(r))
		put_field(b, &sep, "sz", mem_bytes(v, r), false);
	put_var(b, &r->var, &sep);
}

/* In frame `frame`. */
static void put_reg(struct buf *b, const struct verifier *v, const struct vreg *r, u32 frame)
{
	if (reg_is_const(r)) {
		put_number(b, r->var.umin, true);
		return;
	}
	buf_puts(b, reg_type_name(r->not_null ? reg_checked_type(r->type) : r->type));
	if (r->type == REG_STACK) {
		if (r->frame != frame)
			buf_printf(b, "[%u]", r->frame);
		if (scalar_is_const(&r->var)) {
			put_number(b, (u64)(r->off + r->var.smin), true);
			return;
		}
	}
	buf_puts(b, "(");
	put_inside(b, v, r);
	buf_puts(b, ")");
}

/* Bytes from the highest one down to a spilled register, which stands for the rest. */
static void put_slot(
	struct buf *b, const struct verifier *v, const struct slot *s, u32 n, u32 frame)
{
	static const char kinds[] = {[SLOT_UNINIT] = '?', [SLOT_MISC] = 'm', [SLOT_ZERO] = '0'};

	buf_printf(b, " fp-%u=", (n + 1) * SLOT_BYTES);
	for (u32 k = SLOT_BYTES; k-- && s->bytes[k] != SLOT_SPILL;)
		buf_u8(b, (u8)kinds[s->bytes[k]]);
	if (slot_has_spill(s))
		put_reg(b, v, &s->reg, frame);
}

static void put_refs(struct buf *b, const struct state *s)
{
	const char *sep = " refs=";

	for (u32 n = 0; n < s->nr_refs; n++)
		if (s->refs[n].id) {
			buf_printf(b, "%s%u", sep, s->refs[n].id);
			sep = ",";
		}
}

void log_put_state(struct verifier *v, u32 frame, bool all)
{
	const struct frame *f = &v->cur.frames[frame];
	struct buf *b = v->opts.log;

	if (frame)
		buf_printf(b, " frame%u:", frame);
	for (u32 r = 0; r < BPF_NR_REGS; r++)
		if (f->regs[r].type != REG_UNINIT && (all || v->log.regs >> r & 1)) {
			buf_printf(b, " R%u=", r);
			put_reg(b, v, &f->regs[r], frame);
		}
	for (u32 n = 0; n < f->nr_slots; n++)
		if (!slot_is_empty(&f->slots[n]) && (all || v->log.slots >> n & 1))
			put_slot(b, v, &f->slots[n], n, frame);
	put_refs(b, &v->cur);
	buf_puts(b, "\n");
}
