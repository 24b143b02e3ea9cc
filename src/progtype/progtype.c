/* The table of program types and the one question asked of a context: which field is this access?
 */
#include "progtype/progtype.h"

#include <string.h>

#include "progtype/types.h"

static const struct prog_type_ops *const types[] = {
	&prog_type_raw,
	&prog_type_packet,
	&prog_type_socket_filter,
	&prog_type_sched_cls,
	&prog_type_sched_act,
	&prog_type_xdp,
	&prog_type_cgroup_skb,
	&prog_type_netfilter,
};

const struct prog_type_ops *prog_type_ops_of(enum prog_type type)
{
	for (size_t i = 0; i < ARRAY_LEN(types); i++)
		if (types[i]->type == type)
			return types[i];
	return NULL;
}

enum prog_type prog_type_by_name(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(types); i++)
		if (strcmp(types[i]->name, name) == 0)
			return types[i]->type;
	return PROG_TYPE_UNSPEC;
}

const struct attach_rule *attach_rule_of(const struct prog_type_ops *t, u32 attach_type)
{
	for (u32 i = 0; i < t->nr_attach_rules; i++)
		if (t->attach_rules[i].type == attach_type)
			return &t->attach_rules[i];
	return NULL;
}

const struct ctx_field *ctx_field_of_byte(const struct prog_type_ops *t, s64 off)
{
	for (u32 i = 0; i < t->nr_fields; i++)
		if (off >= t->fields[i].off && off < t->fields[i].off + t->fields[i].size)
			return &t->fields[i];
	return NULL;
}

static const char *access_refused(const struct ctx_field *f, s64 off, u32 size, bool write)
{
	bool whole = off == f->off && size == f->size;

	if (f->flags & CTX_ABSENT)
		return "weir hasn't what the field points to";
	if (write && !(f->flags & CTX_WRITE))
		return "the field is read-only";
	if (!write && !(f->flags & CTX_READ))
		return "the field can't be read";
	if (off % size != 0)
		return "the offset is not a multiple of the size";
	if (off + size > f->off + f->size)
		return "the access crosses the end of the field";
	if (write && !whole && !(f->flags & CTX_NARROW_WRITE))
		return "a field is written as a whole";
	if (!whole && !(f->flags & CTX_NARROW))
		return "the field is read as a whole";
	return NULL;
}

const struct ctx_field *ctx_field_at(const struct prog_type_ops *t, u32 attach_type, s64 off,
	u32 size, bool write, const char **why)
{
	assert(size == 1 || size == 2 || size == 4 || size == 8);
	if (off < 0) {
		*why = "the offset is negative";
		return NULL;
	}
	if (off > (s64)t->ctx_bytes - size) {
		*why = "the access is behind the end of the context";
		return NULL;
	}
	const struct ctx_field *f = ctx_field_of_byte(t, off);
	if (!f) {
		*why = "no field is there";
		return NULL;
	}
	const char *refused = access_refused(f, off, size, write);
	if (!refused && f->attach && f->attach != attach_type)
		refused = "programs of this attach type don't have the field";
	if (refused) {
		*why = refused;
		return NULL;
	}
	return f;
}
