#include "rules/icmp_type.h"

#include <string.h>
#include <strings.h>

#include "rules/options.h"
#include "rules/print_text.h"
#include "rules/upper.h"

/* "3", "3/4", and "3/1:4", which ip[6]tables reads too but prints as 3/1. */
static option_error parse_numbers(const struct option_ctx *c, struct icmp_match *m)
{
	struct str type, code, first, last;
	u64 number = 0, min = 0, max = UINT8_MAX;
	bool has_code = str_split(c->value, '/', &type, &code);
	option_error e = option_number(c, type, 0, UINT8_MAX, &number);

	if (!e && has_code) {
		if (!str_split(code, ':', &first, &last))
			last = first;
		e = option_number(c, first, 0, UINT8_MAX, &min);
		if (!e)
			e = option_number(c, last, 0, UINT8_MAX, &max);
	}
	if (e)
		return e;
	m->type = (u8)number;
	m->code_min = (u8)min;
	m->code_max = (u8)max;
	return NULL;
}

option_error icmp_parse_type(
	const struct option_ctx *c, const struct icmp_name *names, size_t nr, struct icmp_match *m)
{
	struct str s = c->value;
	const struct icmp_name *found = NULL;

	m->inv = c->invert;
	if (!s.len)
		return "empty";
	for (size_t i = 0; i < nr; i++) {
		if (strlen(names[i].name) < s.len || strncasecmp(names[i].name, s.p, s.len))
			continue;
		if (found)
			return option_errorf(c, "may be %s or %s", found->name, names[i].name);
		found = &names[i];
	}
	if (!found)
		return s.p[0] >= '0' && s.p[0] <= '9' ? parse_numbers(c, m) : "no such type";
	m->type = found->type;
	m->code_min = found->code_min;
	m->code_max = found->code_max;
	return NULL;
}

static bool has_code(const struct icmp_match *m)
{
	return m->code_min != 0 || m->code_max != UINT8_MAX;
}

void icmp_print_type(struct buf *out, const char *option, const struct icmp_match *m)
{
	print_option(out, m->inv, option);
	if (m->any) {
		buf_puts(out, " any");
		return;
	}
	buf_printf(out, " %u", m->type);
	if (has_code(m))
		buf_printf(out, "/%u", m->code_min);
}

void icmp_list_type(struct buf *out, const struct icmp_match *m)
{
	buf_printf(out, "%stype %u", m->inv ? " !" : "", m->type);
	if (!has_code(m))
		return;
	if (m->code_min == m->code_max)
		buf_printf(out, " code %u", m->code_min);
	else
		buf_printf(out, " codes %u-%u", m->code_min, m->code_max);
}

enum { ICMP_BYTES = 8 };

bool icmp_eval(const void *data, struct eval *e)
{
	const struct icmp_match *m = data;
	const u8 *icmp = eval_upper(e, ICMP_BYTES);

	if (!icmp)
		return false;
	bool fits =
		m->any || (icmp[0] == m->type && icmp[1] >= m->code_min && icmp[1] <= m->code_max);
	return fits != m->inv;
}

/* `! --icmp-type t/c`: another type, or another code. */
static void emit_inverted(struct emit *e, const struct icmp_match *m)
{
	struct spot other = emit_spot(e);

	bld_jmp32_imm(e->b, BPF_JNE, BPF_REG_0, m->type, spot_use(&other));
	emit_be_load(e, ATOM_UPPER, 1, UPPER_CODE_BYTE, BPF_REG_0);
	emit_range(e, BPF_REG_0, m->code_min, m->code_max, UINT8_MAX, true);
	emit_bind(e, &other);
}

void icmp_emit(const void *data, struct emit *e)
{
	const struct icmp_match *m = data;

	emit_whole_upper(e, ICMP_BYTES);
	if (m->any) {
		if (m->inv)
			emit_never(e);
		return;
	}
	emit_be_load(e, ATOM_UPPER, 1, UPPER_TYPE_BYTE, BPF_REG_0);
	if (m->inv) {
		emit_inverted(e, m);
		return;
	}
	bld_jmp32_imm(e->b, BPF_JNE, BPF_REG_0, m->type, emit_miss(e));
	if (m->code_min > 0 || m->code_max < UINT8_MAX) {
		emit_be_load(e, ATOM_UPPER, 1, UPPER_CODE_BYTE, BPF_REG_0);
		emit_range(e, BPF_REG_0, m->code_min, m->code_max, UINT8_MAX, false);
	}
}

unsigned icmp_needs(const void *data)
{
	(void)data;
	return NEEDS_UPPER | MATCHES_WHOLE;
}
