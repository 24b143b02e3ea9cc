/* Paths: from a type to a field or enum value, in the object's own types and, by names, in the target's; and the number that a path
 * gives. */
#include "obj/core_inside.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

static bool add_step(struct core_path *path, const char *name, u32 type, u32 index)
{
	if (path->nr == CORE_STEPS_MAX)
		return false;
	path->steps[path->nr++] = (struct core_step){name, type, index};
	return true;
}

/* Adds an element's distance from the start of its array; false: its type has no size, or it is out of reach. */
static bool add_element(struct core_path *path, u32 type, u32 index)
{
	u32 size;

	if (!btf_size_of(path->btf, type, &size))
		return false;
	path->bit_off += 8ull * size * index;
	return path->bit_off / 8 <= UINT32_MAX && add_step(path, NULL, type, index);
}

/* Whether an array of 0 elements that the last step led to is a flexible one: the last member of its struct. */
static bool is_flexible(const struct core_path *path, const struct btf_info *array)
{
	const struct core_step *last = path->nr ? &path->steps[path->nr - 1] : NULL;

	return !array->nr && last && last->name &&
	       last->index + 1 == btf_get(path->btf, last->type).nr;
}

/* ---- the object's own ---- */

static bool read_index(const char **text, u32 *index)
{
	char *end;
	unsigned long n;

	if (**text < '0' || **text > '9')
		return false;
	n = strtoul(*text, &end, 10);
	if (n > INT32_MAX || (*end && *end != ':') || (*end && !end[1]))
		return false;
	*index = (u32)n;
	*text = *end ? end + 1 : end;
	return true;
}

static const char *read_enum_value(struct core_path *path, const char *text)
{
	u32 id = btf_resolve(path->btf, path->root), index;

	if (!core_is_enum(btf_get(path->btf, id).kind))
		return "the type is no enum";
	if (!read_index(&text, &index) || *text || index >= btf_get(path->btf, id).nr)
		return "the access string names no enum value";
	add_step(path, btf_get_value(path->btf, id, index).name, id, index);
	return NULL;
}

/* One step down from *type. */
static const char *read_step(struct core_path *path, u32 *type, u32 index)
{
	u32 id = btf_resolve(path->btf, *type);
	struct btf_info info = btf_get(path->btf, id);

	if (core_is_composite(info.kind)) {
		struct btf_field f = btf_get_field(path->btf, id, index);

		if (index >= info.nr)
			return "the access string names a member that its struct hasn't";
		path->bit_off += f.bit_off;
		*type = f.type;
		return !f.name[0] || add_step(path, f.name, id, index) ? NULL
								       : "more than 64 steps";
	}
	if (info.kind == BTF_ARRAY) {
		if (index >= info.nr && !is_flexible(path, &info))
			return "the access string names an element behind the end of its array";
		*type = info.type;
		return add_element(path, info.type, index) ? NULL : "an element out of reach";
	}
	return "the access string goes into a type that is neither struct, union nor array";
}

const char *core_path_read(
	const struct btf *local, const struct core_relo *relo, struct core_path *path)
{
	const char *text = relo->access, *why = NULL;
	u32 type = relo->type, index;

	path->btf = local;
	path->root = relo->type;
	path->nr = 0;
	path->bit_off = 0;
	if (core_is_type_kind(relo->kind))
		return strcmp(text, "0") ? "the access string of a type isn't \"0\"" : NULL;
	if (core_is_value_kind(relo->kind))
		return read_enum_value(path, text);
	if (!read_index(&text, &index))
		return "the access string isn't numbers with colons between";
	if (!add_element(path, type, index))
		return "the type has no size";
	while (!why && *text) {
		if (!read_index(&text, &index))
			return "the access string isn't numbers with colons between";
		why = read_step(path, &type, index);
	}
	return why;
}

/* ---- the target's ---- */

/* The member called like the step, also inside anonymous ones. *fits: whether it can stand for the local one. The budget is what a
 * struct may have of members in all. */
static bool match_member(const struct core_path *local, const struct core_step *step,
	struct core_path *path, u32 *type, u32 *budget, bool *fits)
{
	u32 id = btf_resolve(path->btf, *type);
	struct btf_info info = btf_get(path->btf, id);

	if (!core_is_composite(info.kind))
		return false;
	for (u32 i = 0; i < info.nr && *budget; i++) {
		struct btf_field f = btf_get_field(path->btf, id, i);
		u64 before = path->bit_off;
		u32 inner = f.type;

		--*budget;
		path->bit_off += f.bit_off;
		if (!f.name[0]) {
			if (match_member(local, step, path, &inner, budget, fits)) {
				*type = inner;
				return true;
			}
		} else if (!strcmp(f.name, step->name)) {
			*fits = core_fields_fit(local->btf,
					btf_get_field(local->btf, step->type, step->index).type,
					path->btf, f.type) &&
				add_step(path, f.name, id, i);
			*type = f.type;
			return true;
		}
		path->bit_off = before;
	}
	return false;
}

static bool match_element(const struct core_step *step, struct core_path *path, u32 *type)
{
	struct btf_info info = btf_get(path->btf, btf_resolve(path->btf, *type));

	if (info.kind != BTF_ARRAY || (step->index >= info.nr && !is_flexible(path, &info)))
		return false;
	*type = info.type;
	return add_element(path, info.type, step->index);
}

static bool match_value(const struct core_path *local, struct core_path *path)
{
	u32 id = btf_resolve(path->btf, path->root);
	struct btf_info info = btf_get(path->btf, id);

	if (!core_is_enum(info.kind))
		return false;
	for (u32 i = 0; i < info.nr; i++) {
		const char *name = btf_get_value(path->btf, id, i).name;

		if (core_same_name(name, local->steps[0].name))
			return add_step(path, name, id, i);
	}
	return false;
}

#define CORE_MEMBERS_MAX 1000000u

bool core_path_match(const struct core_path *local, enum core_kind kind, const struct btf *target,
	u32 root, struct core_path *path)
{
	u32 type = root, budget = CORE_MEMBERS_MAX;

	path->btf = target;
	path->root = root;
	path->nr = 0;
	path->bit_off = 0;
	if (kind == CORE_TYPE_MATCHES)
		return core_types_match(local->btf, local->root, target, root);
	if (core_is_type_kind(kind))
		return core_types_fit(local->btf, local->root, target, root);
	if (core_is_value_kind(kind))
		return match_value(local, path);
	if (!add_element(path, root, local->steps[0].index))
		return false;
	for (u32 i = 1; i < local->nr; i++) {
		const struct core_step *step = &local->steps[i];
		bool fits = true;

		if (step->name ? !match_member(local, step, path, &type, &budget, &fits) || !fits
			       : !match_element(step, path, &type))
			return false;
	}
	return path->bit_off / 8 <= UINT32_MAX;
}

/* ---- numbers ---- */

static const char *answer_type(
	const struct core_path *path, enum core_kind kind, struct core_answer *answer)
{
	u32 size = 0;

	answer->checked = kind != CORE_TYPE_ID_LOCAL &&
			  kind != CORE_TYPE_ID_TARGET; /* a linker renumbers types */
	if (!path)
		return NULL; /* 0 */
	if (kind == CORE_TYPE_SIZE) {
		if (!btf_size_of(path->btf, path->root, &size))
			return "the type has no size";
		answer->value = size;
	} else {
		answer->value =
			kind == CORE_TYPE_EXISTS || kind == CORE_TYPE_MATCHES ? 1 : path->root;
	}
	return NULL;
}

static const char *answer_element(
	const struct core_path *path, enum core_kind kind, struct core_answer *answer)
{
	const struct core_step *last = &path->steps[path->nr - 1];
	u32 size;

	if (kind != CORE_FIELD_BYTE_OFFSET && kind != CORE_FIELD_BYTE_SIZE)
		return "of an array's element only offset, size and existence can be asked for";
	if (!btf_size_of(path->btf, last->type, &size))
		return "the type has no size";
	answer->value = size;
	if (kind == CORE_FIELD_BYTE_OFFSET) {
		answer->value = path->bit_off / 8;
		answer->size = size;
		answer->type = last->type;
	}
	return NULL;
}

/* The bytes to be loaded to get a field: its own, of a bitfield the smallest aligned integer that has all of it. */
struct place {
	u64 byte_off;
	u32 bytes, bits;
};

static const char *place_bitfield(
	const struct core_path *path, const struct btf_field *f, struct place *place)
{
	place->bits = f->bits;
	if (!btf_size_of(path->btf, f->type, &place->bytes) || !place->bytes)
		return "the bitfield's type has no size";
	for (;; place->bytes *= 2) {
		place->byte_off = path->bit_off / 8 / place->bytes * place->bytes;
		if (path->bit_off + f->bits - place->byte_off * 8 <= 8ull * place->bytes)
			return NULL;
		if (place->bytes >= 8)
			return "no integer of 8 bytes has the whole bitfield";
	}
}

static bool is_signed(const struct btf *btf, u32 type)
{
	struct btf_info info = btf_get(btf, btf_resolve(btf, type));

	return (info.kind == BTF_INT || core_is_enum(info.kind)) && info.is_signed;
}

static const char *answer_field(
	const struct core_path *path, enum core_kind kind, struct core_answer *answer)
{
	const struct core_step *last = &path->steps[path->nr - 1];
	struct btf_field f = btf_get_field(path->btf, last->type, last->index);
	struct place place = {.byte_off = path->bit_off / 8};
	const char *why = NULL;

	if (f.bits) {
		why = place_bitfield(path, &f, &place);
	} else {
		why = btf_size_of(path->btf, f.type, &place.bytes) ? NULL
								   : "the field's type has no size";
		place.bits = place.bytes * 8;
	}
	if (why)
		return why;
	/* How a bitfield is loaded is the compiler's choice, so its local answer needn't be ours. */
	answer->checked = !f.bits || kind == CORE_FIELD_SIGNED || kind == CORE_FIELD_RSHIFT_U64;
	if (kind == CORE_FIELD_BYTE_OFFSET) {
		answer->value = place.byte_off;
		answer->size = f.bits ? 0 : place.bytes;
		answer->type = f.type;
	} else if (kind == CORE_FIELD_BYTE_SIZE) {
		answer->value = place.bytes;
	} else if (kind == CORE_FIELD_SIGNED) {
		answer->value = is_signed(path->btf, f.type);
	} else if (kind == CORE_FIELD_LSHIFT_U64) {
		answer->value = (u32)(64 - (path->bit_off + place.bits - place.byte_off * 8));
	} else {
		answer->value = (u32)(64 - place.bits);
	}
	return NULL;
}

const char *core_answer(
	const struct core_path *path, enum core_kind kind, struct core_answer *answer)
{
	*answer = (struct core_answer){.checked = true};
	if (core_is_type_kind(kind))
		return answer_type(path, kind, answer);
	if (kind == CORE_FIELD_EXISTS || kind == CORE_ENUMVAL_EXISTS) {
		answer->value = path != NULL;
		return NULL;
	}
	if (!path) {
		answer->missing = true;
		return NULL;
	}
	if (kind == CORE_ENUMVAL_VALUE) {
		answer->value =
			btf_get_value(path->btf, path->steps[0].type, path->steps[0].index).value;
		return NULL;
	}
	if (!path->steps[path->nr - 1].name)
		return answer_element(path, kind, answer);
	return answer_field(path, kind, answer);
}

void core_path_print(const struct core_path *path, struct buf *out)
{
	btf_print_type(path->btf, path->root, out);
	for (u32 i = 0; i < path->nr; i++) {
		const struct core_step *step = &path->steps[i];

		if (step->name)
			buf_printf(out, "%s%s",
				core_is_enum(btf_get(path->btf, step->type).kind) ? "::" : ".",
				step->name);
		else if (i || step->index)
			buf_printf(out, "[%u]", step->index);
	}
}
