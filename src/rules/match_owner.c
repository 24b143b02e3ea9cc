/* -m owner: who owns the packet's socket. */
#include <grp.h>
#include <pwd.h>
#include <string.h>

#include "rules/emit.h"
#include "rules/eval.h"
#include "rules/match.h"
#include "rules/matches.h"
#include "rules/options.h"
#include "rules/print_text.h"

enum { NAME_BYTES = 64, LOOKUP_BYTES = 16384 };

#define ID_MAX (UINT32_MAX - 1) /* the last one means "no id" */

typedef bool (*id_lookup)(const char *name, u32 *out);

static bool user_id(const char *name, u32 *out)
{
	char memory[LOOKUP_BYTES];
	struct passwd entry, *found = NULL;

	if (getpwnam_r(name, &entry, memory, sizeof(memory), &found) || !found)
		return false;
	*out = found->pw_uid;
	return true;
}

static bool group_id(const char *name, u32 *out)
{
	char memory[LOOKUP_BYTES];
	struct group entry, *found = NULL;

	if (getgrnam_r(name, &entry, memory, sizeof(memory), &found) || !found)
		return false;
	*out = found->gr_gid;
	return true;
}

static bool named_id(struct str s, id_lookup lookup, u32 *out)
{
	char name[NAME_BYTES];

	if (!s.len || s.len >= sizeof(name))
		return false;
	memcpy(name, s.p, s.len);
	name[s.len] = '\0';
	return lookup(name, out);
}

/* A name, an id or two ids. */
static option_error parse_ids(const struct option_ctx *c, id_lookup lookup, struct u32_range *out)
{
	struct str from, to;
	u64 min = 0, max = 0;
	u32 id;

	if (named_id(c->value, lookup, &id)) {
		*out = (struct u32_range){id, id};
		return NULL;
	}
	if (!str_split(c->value, '-', &from, &to))
		to = from;
	option_error e = option_number(c, from, 0, ID_MAX, &min);
	if (!e)
		e = option_number(c, to, 0, ID_MAX, &max);
	if (e)
		return e;
	if (min > max)
		return "the first id is above the second";
	*out = (struct u32_range){(u32)min, (u32)max};
	return NULL;
}

static option_error parse_uid(const struct option *o, const struct option_ctx *c, void *data)
{
	struct owner_match *m = data;

	(void)o;
	m->has_uid = true;
	m->inv_uid = c->invert;
	return parse_ids(c, user_id, &m->uid);
}

static option_error parse_gid(const struct option *o, const struct option_ctx *c, void *data)
{
	struct owner_match *m = data;

	(void)o;
	m->has_gid = true;
	m->inv_gid = c->invert;
	return parse_ids(c, group_id, &m->gid);
}

static option_error parse_suppl_groups(
	const struct option *o, const struct option_ctx *c, void *data)
{
	struct owner_match *m = data;

	(void)o;
	(void)c;
	if (!m->has_gid)
		return "needs --gid-owner before it";
	m->suppl_groups = true;
	return NULL;
}

static const struct option options[] = {
	{.name = "uid-owner",
		.kind = OPTION_CUSTOM,
		.flags = OPTION_INVERT,
		.parse = parse_uid,
		.expects = "a user's name or id, or FROM-TO"},
	{.name = "gid-owner",
		.kind = OPTION_CUSTOM,
		.flags = OPTION_INVERT,
		.parse = parse_gid,
		.expects = "a group's name or id, or FROM-TO"},
	{.name = "socket-exists",
		.kind = OPTION_FLAG,
		.flags = OPTION_INVERT,
		.offset = offsetof(struct owner_match, has_socket),
		.invert_offset = offsetof(struct owner_match, inv_socket)},
	{.name = "suppl-groups",
		.kind = OPTION_CUSTOM,
		.flags = OPTION_NO_ARG,
		.parse = parse_suppl_groups},
};

static option_error owner_check(const void *data, const struct rule *r)
{
	const struct owner_match *m = data;

	(void)r;
	return m->has_uid || m->has_gid || m->has_socket
		       ? NULL
		       : "needs at least one of --uid-owner, --gid-owner and --socket-exists";
}

static void put_ids(struct buf *out, struct u32_range ids)
{
	buf_printf(out, " %u", ids.min);
	if (ids.min != ids.max)
		buf_printf(out, "-%u", ids.max);
}

static void owner_print(struct buf *out, const void *data, enum family family)
{
	const struct owner_match *m = data;

	(void)family;
	if (m->has_socket)
		print_option(out, m->inv_socket, "socket-exists");
	if (m->has_uid) {
		print_option(out, m->inv_uid, "uid-owner");
		put_ids(out, m->uid);
	}
	if (m->has_gid) {
		print_option(out, m->inv_gid, "gid-owner");
		put_ids(out, m->gid);
	}
	if (m->suppl_groups)
		print_option(out, false, "suppl-groups");
}

static void owner_list(struct buf *out, const void *data, enum family family)
{
	const struct owner_match *m = data;

	(void)family;
	if (m->has_socket)
		buf_puts(out, m->inv_socket ? " ! owner socket exists" : " owner socket exists");
	if (m->has_uid) {
		buf_puts(out, m->inv_uid ? " ! owner UID match" : " owner UID match");
		put_ids(out, m->uid);
	}
	if (m->has_gid) {
		buf_puts(out, m->inv_gid ? " ! owner GID match" : " owner GID match");
		put_ids(out, m->gid);
	}
	if (m->suppl_groups)
		buf_puts(out, " incl. suppl. groups");
}

static bool in_range(struct u32_range r, u32 id)
{
	return id >= r.min && id <= r.max;
}

/* Without an owner, only what is asked inverted holds. */
static bool eval_no_owner(const struct owner_match *m)
{
	return (!m->has_uid || m->inv_uid) && (!m->has_gid || m->inv_gid);
}

static bool owner_eval(const void *data, struct eval *e)
{
	const struct owner_match *m = data;
	const struct weir_packet *p = e->packet;

	if (p->socket == WEIR_SOCKET_NONE)
		return eval_no_owner(m) && (!m->has_socket || m->inv_socket) && !m->suppl_groups;
	if (m->has_socket && m->inv_socket)
		return false;
	if (p->socket != WEIR_SOCKET_USER)
		return eval_no_owner(m);
	return (!m->has_uid || in_range(m->uid, p->uid) != m->inv_uid) &&
	       (!m->has_gid || in_range(m->gid, p->gid) != m->inv_gid);
}

/* For the two kinds of packets without an owner, the answer is known now. */
static void emit_unowned(struct emit *e, u32 socket, bool matches, struct spot *match)
{
	bld_jmp32_imm(
		e->b, BPF_JEQ, BPF_REG_0, (s32)socket, matches ? spot_use(match) : emit_miss(e));
}

static void owner_emit(const void *data, struct emit *e)
{
	const struct owner_match *m = data;
	struct spot match = emit_spot(e);
	bool no_owner = eval_no_owner(m), wants_no_socket = m->has_socket && m->inv_socket;

	emit_ctx_load(e, 4, offsetof(struct weir_packet, socket), BPF_REG_0);
	emit_unowned(e, WEIR_SOCKET_NONE,
		no_owner && (!m->has_socket || m->inv_socket) && !m->suppl_groups, &match);
	if (wants_no_socket) {
		if (match.used)
			bld_ja(e->b, emit_miss(e));
		else
			emit_never(e);
		emit_bind(e, &match);
		return;
	}
	if (no_owner)
		bld_jmp32_imm(e->b, BPF_JNE, BPF_REG_0, WEIR_SOCKET_USER, spot_use(&match));
	else
		bld_jmp32_imm(e->b, BPF_JNE, BPF_REG_0, WEIR_SOCKET_USER, emit_miss(e));
	if (m->has_uid) {
		emit_ctx_load(e, 4, offsetof(struct weir_packet, uid), BPF_REG_0);
		emit_range(e, BPF_REG_0, m->uid.min, m->uid.max, UINT32_MAX, m->inv_uid);
	}
	if (m->has_gid) {
		emit_ctx_load(e, 4, offsetof(struct weir_packet, gid), BPF_REG_0);
		emit_range(e, BPF_REG_0, m->gid.min, m->gid.max, UINT32_MAX, m->inv_gid);
	}
	emit_bind(e, &match);
}

const struct match_ops match_owner = {
	.name = "owner",
	.families = FAMILIES_BOTH,
	.size = sizeof(struct owner_match),
	.options = options,
	.nr_options = ARRAY_LEN(options),
	.check = owner_check,
	.print = owner_print,
	.list = owner_list,
	.hooks = 1u << HOOK_OUTPUT | 1u << HOOK_POSTROUTING,
	.eval = owner_eval,
	.emit = owner_emit,
};
