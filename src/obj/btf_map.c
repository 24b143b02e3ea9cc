/* Definitions of maps in .maps. Numbers are written as types: __uint(name, N) is a member of type int (*)[N], __type(name, T) of
 * type T *, __array(name, T) of type T *[]. */
#include "obj/btf_map.h"

#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "base/diag.h"

struct reader {
	const struct btf *btf;
	const char *map;
	struct btf_map_def *def;
	struct btf_map_def *inner; /* NULL: this is an inner map */
	struct diag *d;
	u32 declared_key, declared_value; /* key_size and value_size, 0: not given */
};

static int fail(struct reader *r, int err, const char *member, const char *what)
{
	return diag_fail(r->d, pos_none(), err, "map '%s'%s: %s %s", r->map,
		r->inner ? "" : ", its inner map", member, what);
}

static int read_number(struct reader *r, const struct btf_field *f, u32 *out)
{
	struct btf_info ptr = btf_get(r->btf, btf_resolve(r->btf, f->type));
	struct btf_info array = btf_get(r->btf, btf_resolve(r->btf, ptr.type));

	if (ptr.kind != BTF_PTR || array.kind != BTF_ARRAY)
		return fail(r, EINVAL, f->name, "has no number: expected __uint(NAME, NUMBER)");
	*out = array.nr;
	return 0;
}

static int read_type(struct reader *r, const struct btf_field *f, u32 *type, u32 *size)
{
	struct btf_info ptr = btf_get(r->btf, btf_resolve(r->btf, f->type));

	if (ptr.kind != BTF_PTR)
		return fail(r, EINVAL, f->name, "is no type: expected __type(NAME, TYPE)");
	if (!btf_size_of(r->btf, ptr.type, size))
		return fail(r, EINVAL, f->name, "is of a type without a size");
	*type = ptr.type;
	return 0;
}

static int read_definition(struct reader *r, u32 type);

static int read_values(struct reader *r, const struct btf_field *f)
{
	struct btf_info array = btf_get(r->btf, btf_resolve(r->btf, f->type));
	struct btf_info ptr = btf_get(r->btf, btf_resolve(r->btf, array.type));

	if (!r->inner)
		return fail(r, ENOTSUP, f->name, "would nest maps of maps, which no kernel has");
	if (array.kind != BTF_ARRAY || ptr.kind != BTF_PTR)
		return fail(r, EINVAL, f->name,
			"is no array of pointers: expected __array(values, TYPE)");

	u32 target = btf_resolve(r->btf, ptr.type);
	r->def->has_values = true;
	r->def->values_off = f->bit_off / 8;
	r->def->values_nr = array.nr;
	if (btf_get(r->btf, target).kind == BTF_FUNC_PROTO)
		return 0;
	if (btf_get(r->btf, target).kind != BTF_STRUCT)
		return fail(r, EINVAL, f->name,
			"is neither of maps (a struct) nor of programs (a function)");

	*r->inner = (struct btf_map_def){0};
	struct reader inner = {.btf = r->btf, .map = r->map, .def = r->inner, .d = r->d};
	r->def->has_inner = true;
	return read_definition(&inner, target);
}

static int read_pinning(struct reader *r, const struct btf_field *f)
{
	u32 n = 0;
	int err = read_number(r, f, &n);

	if (err)
		return err;
	if (!r->inner)
		return fail(r, EINVAL, f->name, "isn't for inner maps");
	if (n != BTF_PIN_NONE && n != BTF_PIN_BY_NAME)
		return fail(
			r, EINVAL, f->name, "is neither LIBBPF_PIN_NONE nor LIBBPF_PIN_BY_NAME");
	r->def->pinning = (enum btf_pinning)n;
	return 0;
}

static int read_map_extra(struct reader *r, const struct btf_field *f)
{
	u32 n = 0;
	int err = read_number(r, f, &n);

	if (!err)
		r->def->map_extra = n;
	return err;
}

static int read_key(struct reader *r, const struct btf_field *f)
{
	return read_type(r, f, &r->def->key_type, &r->def->key_size);
}

static int read_value(struct reader *r, const struct btf_field *f)
{
	return read_type(r, f, &r->def->value_type, &r->def->value_size);
}

/* The members that definitions may have: a number's place, or a function. */
static const struct member {
	const char *name;
	size_t number_at;
	int (*read)(struct reader *r, const struct btf_field *f);
} members[] = {
	{"type", offsetof(struct btf_map_def, type), NULL},
	{"max_entries", offsetof(struct btf_map_def, max_entries), NULL},
	{"map_flags", offsetof(struct btf_map_def, flags), NULL},
	{"numa_node", offsetof(struct btf_map_def, numa_node), NULL},
	{"key_size", 0, NULL},
	{"value_size", 0, NULL},
	{"key", 0, read_key},
	{"value", 0, read_value},
	{"values", 0, read_values},
	{"pinning", 0, read_pinning},
	{"map_extra", 0, read_map_extra},
};

static int read_member(struct reader *r, const struct btf_field *f)
{
	for (size_t i = 0; i < ARRAY_LEN(members); i++) {
		const struct member *m = &members[i];

		if (strcmp(m->name, f->name))
			continue;
		if (m->read)
			return m->read(r, f);
		if (!strcmp(m->name, "key_size"))
			return read_number(r, f, &r->declared_key);
		if (!strcmp(m->name, "value_size"))
			return read_number(r, f, &r->declared_value);
		return read_number(r, f, (u32 *)(void *)((char *)r->def + m->number_at));
	}
	return fail(r, ENOTSUP, f->name[0] ? f->name : "(anonymous)",
		"is no member of a map's definition");
}

/* A size given beside a type must be the type's. */
static int take_size(struct reader *r, u32 declared, u32 *size, const char *what)
{
	if (!declared)
		return 0;
	if (*size && *size != declared)
		return diag_fail(r->d, pos_none(), EINVAL,
			"map '%s': %s_size is %u, but the type of its %s has %u bytes", r->map,
			what, declared, what, *size);
	*size = declared;
	return 0;
}

static int read_definition(struct reader *r, u32 type)
{
	struct btf_info info = btf_get(r->btf, type);
	int err = 0;

	for (u32 i = 0; !err && i < info.nr; i++) {
		struct btf_field f = btf_get_field(r->btf, type, i);

		err = read_member(r, &f);
	}
	if (!err)
		err = take_size(r, r->declared_key, &r->def->key_size, "key");
	if (!err)
		err = take_size(r, r->declared_value, &r->def->value_size, "value");
	if (!err && r->def->has_values && r->def->value_size && r->def->value_size != sizeof(u32))
		err = fail(r, EINVAL, "value",
			"of a map of maps or programs has 4 bytes, or isn't given");
	if (!err && r->def->has_values)
		r->def->value_size = sizeof(u32);
	if (!err && !r->def->type)
		err = fail(
			r, EINVAL, "type", "isn't given: expected __uint(type, BPF_MAP_TYPE_...)");
	return err;
}

int btf_map_read(const struct btf *btf, u32 var, struct btf_map_def *def, struct btf_map_def *inner,
	struct diag *d)
{
	struct btf_info info = btf_get(btf, var);
	u32 type = btf_resolve(btf, info.type);
	struct btf_map_def outer_def = {0}, inner_def = {0};
	struct reader r = {
		.btf = btf, .map = info.name, .def = &outer_def, .inner = &inner_def, .d = d};
	int err;

	if (info.kind != BTF_VAR)
		return diag_fail(d, pos_none(), EINVAL, "%s: type %u in .maps is no variable",
			btf_name(btf), var);
	if (btf_get(btf, type).kind != BTF_STRUCT)
		return diag_fail(
			d, pos_none(), EINVAL, "map '%s': its definition is no struct", info.name);
	if (info.linkage == BTF_EXTERN)
		return diag_fail(d, pos_none(), ENOTSUP,
			"map '%s': extern maps are resolved by a linker (bpftool gen object) only",
			info.name);
	err = read_definition(&r, type);
	if (err)
		return err;
	*def = outer_def;
	if (def->has_inner)
		*inner = inner_def;
	return 0;
}
