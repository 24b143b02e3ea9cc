#include "verify/log.h"

#include <inttypes.h>

#include "base/buf.h"
#include "isa/isa.h"
#include "verify/memory.h"

enum { LEVEL_PATH = 1, LEVEL_ALL = 2 };

static bool logs(const struct verifier *v)
{
	return v->opts.log && v->opts.log_level >= LEVEL_PATH;
}

static void put_number(struct buf *b, u64 value, bool sign)
{
	s64 n = (s64)value;

	if (sign && n >= INT16_MIN && n <= INT16_MAX)
		buf_printf(b, "%" PRId64, n);
	else if (!sign && value <= UINT16_MAX)
		buf_printf(b, "%" PRIu64, value);
	else if (sign && n < 0)
		buf_printf(b, "-0x%" PRIx64, 0 - value);
	else
		buf_printf(b, "0x%" PRIx64, value);
}

/* "smin=umin=1,smax=0xff": bounds that say something, equal ones together. */
static void put_bounds(struct buf *b, const struct scalar *s, const char **sep)
{
	const struct {
		const char *name;
		u64 value;
		bool known, sign;
	} bounds[] = {
		{"smin", (u64)s->smin, s->smin != INT64_MIN, true},
		{"smax", (u64)s->smax, s->smax != INT64_MAX, true},
		{"umin", s->umin, s->umin != 0, false},
		{"umax", s->umax, s->umax != UINT64_MAX, false},
		{"smin32", (u64)(s64)s->s32min, s->s32min != INT32_MIN, true},
		{"smax32", (u64)(s64)s->s32max, s->s32max != INT32_MAX, true},
		{"umin32", s->u32min, s->u32min != 0, false},
		{"umax32", s->u32max, s->u32max != UINT32_MAX, false},
	};
	bool done[ARRAY_LEN(bounds)] = {false};

	for (size_t n = 0; n < ARRAY_LEN(bounds); n++) {
		if (!bounds[n].known || done[n])
			continue;
		buf_printf(b, "%s%s=", *sep, bounds[n].name);
		for (size_t k = n + 1; k < ARRAY_LEN(bounds); k++)
			if (bounds[k].known && !done[k] && bounds[k].value == bounds[n].value) {
				buf_printf(b, "%s=", bounds[k].name);
				done[k] = true;
			}
		put_number(b, bounds[n].value, bounds[n].sign);
		*sep = ",";
	}
}

static void put_var(struct buf *b, const struct scalar *s, const char **sep)
{
	char bits[TNUM_TEXT_BYTES];

	if (scalar_is_const(s)) {
		if (s->umin)
			buf_printf(b, "%simm=0x%" PRIx64, *sep, s->umin);
		return;
	}
	put_bounds(b, s, sep);
	if (s->bits.mask != UINT64_MAX) {
		buf_printf(b, "%svar_off=%s", *sep, tnum_text(s->bits, bits));
		*sep = ",";
	}
}

static void put_map(struct buf *b, const struct verifier *v, u32 index, const char **sep)
{
	const struct map_spec *spec = &v->prog->maps[index]->spec;

	buf_printf(b, "%smap=%s,ks=%u,vs=%u", *sep, spec->name, spec->key_size, spec->value_size);
	*sep = ",";
}

static void put_reg(struct buf *b, const struct verifier *v, const struct vreg *r)
{
	const char *sep = "";

	if (reg_is_const(r)) {
		put_number(b, r->var.umin, true);
		return;
	}
	buf_puts(b, reg_type_name(r->type));
	if (r->type == REG_STACK) {
		if (r->frame)
			buf_printf(b, "[%u]", r->frame);
		if (scalar_is_const(&r->var)) {
			buf_printf(b, "%d", r->off + (s32)r->var.smin);
			return;
		}
	}
	buf_puts(b, "(");
	if (r->id) {
		buf_printf(b, "id=%u", r->id);
		sep = ",";
	}
	if (r->type == REG_MAP || r->type == REG_MAP_VALUE || r->type == REG_MAP_VALUE_OR_NULL)
		put_map(b, v, r->aux, &sep);
	if (r->off) {
		buf_printf(b, "%soff=%d", sep, r->off);
		sep = ",";
	}
	if (reg_is_packet(r)) {
		buf_printf(b, "%sr=%u", sep, r->aux);
		sep = ",";
	}
	put_var(b, &r->var, &sep);
	buf_puts(b, ")");
}

static void put_slot(struct buf *b, const struct verifier *v, const struct slot *s, u32 n)
{
	static const char kinds[] = {
		[SLOT_UNINIT] = '?', [SLOT_MISC] = 'm', [SLOT_ZERO] = '0', [SLOT_SPILL] = 's'};

	buf_printf(b, " fp-%u=", (n + 1) * SLOT_BYTES);
	if (slot_has_spill(s) && slot_spill_bytes(s) == SLOT_BYTES) {
		put_reg(b, v, &s->reg);
		return;
	}
	for (u32 k = SLOT_BYTES; k--;) /* highest byte first, as the kernel writes them */
		buf_printf(b, "%c", kinds[s->bytes[k]]);
	if (slot_has_spill(s)) {
		buf_puts(b, "=");
		put_reg(b, v, &s->reg);
	}
}

static void put_state(struct buf *b, const struct verifier *v)
{
	const struct frame *f = &v->cur.frames[v->cur.depth];

	if (v->cur.depth)
		buf_printf(b, " frame%u:", v->cur.depth);
	for (u32 r = 0; r < BPF_NR_REGS; r++)
		if (f->regs[r].type != REG_UNINIT) {
			buf_printf(b, " R%u=", r);
			put_reg(b, v, &f->regs[r]);
		}
	for (u32 n = 0; n < f->nr_slots; n++)
		if (!slot_is_empty(&f->slots[n]))
			put_slot(b, v, &f->slots[n], n);
	buf_puts(b, "\n");
}

void log_start(struct verifier *v)
{
	if (!logs(v))
		return;
	buf_puts(v->opts.log, "0:");
	put_state(v->opts.log, v);
}

void log_insn(struct verifier *v, struct insn i)
{
	if (!logs(v))
		return;
	const struct insn *next = v->pc + 1 < v->prog->len ? &v->prog->insns[v->pc + 1] : NULL;
	buf_printf(v->opts.log, "%u: (%02x) ", v->pc, i.code);
	insn_print(v->opts.log, i, next);
	buf_puts(v->opts.log, "\n");
}

void log_result(struct verifier *v, struct insn i)
{
	if (!logs(v) || v->path_ends || insn_is_ja(i) || insn_is_exit(i))
		return;
	buf_printf(v->opts.log, "%u:", v->next_pc);
	put_state(v->opts.log, v);
}

void log_pruned(struct verifier *v)
{
	if (logs(v))
		buf_printf(v->opts.log, "%u: safe\n", v->pc);
}

void log_branch(struct verifier *v)
{
	if (!logs(v))
		return;
	buf_printf(v->opts.log, "\nfrom %u to %u:", v->pc, v->next_pc);
	put_state(v->opts.log, v);
}

void log_rewind(struct verifier *v, size_t len)
{
	if (logs(v) && v->opts.log_level < LEVEL_ALL && len <= v->opts.log->len)
		v->opts.log->len = len;
}

void log_stats(struct verifier *v)
{
	if (logs(v))
		buf_printf(v->opts.log,
			"processed %u insns (limit %u) peak_states %u peak_branches %u\n",
			v->stats.insns_walked, v->opts.max_insns, v->stats.states_peak,
			v->stats.branches_peak);
}

void log_text(struct verifier *v, const char *text)
{
	if (logs(v))
		buf_printf(v->opts.log, "%s\n", text);
}
