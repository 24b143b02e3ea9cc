/* -m mac: the Ethernet source address; known only where packets come in. */
#include <string.h>

#include "rules/emit.h"
#include "rules/eval.h"
#include "rules/match.h"
#include "rules/matches.h"
#include "rules/options.h"
#include "rules/print_text.h"

enum { MAC_BYTES = 6 };

static bool parse_hex_byte(struct str s, u8 *out)
{
	u8 byte;
	size_t len;
	char two[2] = {'0', '0'};

	if (!s.len || s.len > 2)
		return false;
	two[1] = s.p[s.len - 1];
	if (s.len == 2)
		two[0] = s.p[0];
	if (!str_to_bytes(str_new(two, 2), &byte, 1, &len))
		return false;
	*out = byte;
	return true;
}

static option_error parse_mac(const struct option *o, const struct option_ctx *c, void *data)
{
	struct mac_match *m = data;
	struct str rest = c->value, part;

	(void)o;
	for (size_t i = 0; i < MAC_BYTES; i++) {
		bool more = str_split(rest, ':', &part, &rest);

		if (more != (i + 1 < MAC_BYTES) || !parse_hex_byte(part, &m->addr[i]))
			return "not an Ethernet address";
	}
	m->given = true;
	m->inv = c->invert;
	return NULL;
}

static const struct option options[] = {
	{.name = "mac-source",
		.kind = OPTION_CUSTOM,
		.flags = OPTION_INVERT | OPTION_REQUIRED,
		.parse = parse_mac,
		.expects = "six bytes as in 02:00:5e:10:00:01"},
};

static void print_mac(struct buf *out, const u8 *addr)
{
	for (size_t i = 0; i < MAC_BYTES; i++)
		buf_printf(out, "%s%02x", i ? ":" : "", addr[i]);
}

static void mac_print(struct buf *out, const void *data, enum family family)
{
	const struct mac_match *m = data;

	(void)family;
	print_option(out, m->inv, "mac-source");
	buf_puts(out, " ");
	print_mac(out, m->addr);
}

static void mac_list(struct buf *out, const void *data, enum family family)
{
	const struct mac_match *m = data;

	(void)family;
	buf_puts(out, m->inv ? " MAC ! " : " MAC ");
	print_mac(out, m->addr);
}

/* False without an Ethernet header, also with `!`. */
static bool mac_eval(const void *data, struct eval *e)
{
	const struct mac_match *m = data;

	return e->packet->has_mac &&
	       (memcmp(e->packet->mac_source, m->addr, sizeof(m->addr)) == 0) != m->inv;
}

static void mac_emit(const void *data, struct emit *e)
{
	static const u8 mask[8] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
	const struct mac_match *m = data;
	u8 want[8] = {0};
	struct atom atoms[2];

	emit_ctx_load(e, 4, offsetof(struct weir_packet, has_mac), BPF_REG_0);
	bld_jmp_imm(e->b, BPF_JEQ, BPF_REG_0, 0, emit_miss(e));
	memcpy(want, m->addr, sizeof(m->addr));
	emit_atoms(e, atoms,
		atoms_of_bytes(
			ATOM_CTX, offsetof(struct weir_packet, mac_source), want, mask, 8, atoms),
		m->inv);
}

const struct match_ops match_mac = {
	.name = "mac",
	.families = FAMILIES_BOTH,
	.size = sizeof(struct mac_match),
	.options = options,
	.nr_options = ARRAY_LEN(options),
	.print = mac_print,
	.list = mac_list,
	.hooks = 1u << HOOK_PREROUTING | 1u << HOOK_INPUT | 1u << HOOK_FORWARD,
	.eval = mac_eval,
	.emit = mac_emit,
};
