/* Which types of a target can stand for those of the object. The rules are those of the kernel's and libbpf's matching, so that an
 * object means the same here. */
#include "obj/core_inside.h"

#include <string.h>

/* Types that refer to each other may form cycles through pointers; a comparison that gets deeper than this says no. */
#define CORE_DEPTH_MAX 32
/* And one with very many ways says no, too. */
#define CORE_STEPS_BUDGET 1000000u

bool core_same_name(const char *a, const char *b)
{
	size_t len = btf_essential_len(a);

	return len == btf_essential_len(b) && !strncmp(a, b, len);
}

bool core_fields_fit(const struct btf *local, u32 a, const struct btf *target, u32 b)
{
	struct btf_info x, y;

	for (;;) {
		x = btf_get(local, btf_resolve(local, a));
		y = btf_get(target, btf_resolve(target, b));
		if (x.kind != BTF_ARRAY || y.kind != BTF_ARRAY)
			break;
		a = x.type;
		b = y.type;
	}
	if (core_is_composite(x.kind) && core_is_composite(y.kind))
		return true;
	if (!core_same_kind(x.kind, y.kind))
		return false;
	if (x.kind == BTF_PTR || x.kind == BTF_FLOAT)
		return true;
	if (x.kind == BTF_INT) /* of any size and sign, but no bitfield of the older way */
		return !x.int_bit_off && !y.int_bit_off;
	if (x.kind == BTF_FWD || core_is_enum(x.kind))
		return !x.name[0] || !y.name[0] || core_same_name(x.name, y.name);
	return false;
}

struct comparison {
	const struct btf *local, *target;
	u32 budget;
};

static bool spend(struct comparison *c, u32 depth)
{
	return depth < CORE_DEPTH_MAX && c->budget && c->budget--;
}

/* ---- types that fit ---- */

static bool types_fit(struct comparison *c, u32 a, u32 b, u32 depth);

static bool prototypes_fit(struct comparison *c, u32 a, u32 b, u32 depth)
{
	struct btf_info x = btf_get(c->local, a), y = btf_get(c->target, b);

	if (x.nr != y.nr)
		return false;
	for (u32 i = 0; i < x.nr; i++)
		if (!types_fit(c, btf_get_arg(c->local, a, i).type,
			    btf_get_arg(c->target, b, i).type, depth + 1))
			return false;
	return types_fit(c, x.type, y.type, depth + 1);
}

static bool types_fit(struct comparison *c, u32 a, u32 b, u32 depth)
{
	struct btf_info x, y;

	if (!spend(c, depth))
		return false;
	a = btf_resolve(c->local, a);
	b = btf_resolve(c->target, b);
	x = btf_get(c->local, a);
	y = btf_get(c->target, b);
	if (!core_same_kind(x.kind, y.kind))
		return false;
	if (x.kind == BTF_VOID || core_is_composite(x.kind) || core_is_enum(x.kind) ||
		x.kind == BTF_FWD)
		return true;
	if (x.kind == BTF_INT)
		return !x.int_bit_off && !y.int_bit_off;
	if (x.kind == BTF_PTR || x.kind == BTF_ARRAY)
		return types_fit(c, x.type, y.type, depth + 1);
	return x.kind == BTF_FUNC_PROTO && prototypes_fit(c, a, b, depth);
}

bool core_types_fit(const struct btf *local, u32 a, const struct btf *target, u32 b)
{
	struct comparison c = {local, target, CORE_STEPS_BUDGET};

	return core_same_kind(btf_get(local, a).kind, btf_get(target, b).kind) &&
	       types_fit(&c, a, b, 0);
}

/* ---- types that match ---- */

static bool types_match(struct comparison *c, u32 a, u32 b, bool behind_pointer, u32 depth);

static bool members_match(struct comparison *c, u32 a, u32 b, u32 depth)
{
	u32 nr = btf_get(c->local, a).nr, other_nr = btf_get(c->target, b).nr;

	if (nr > other_nr)
		return false;
	for (u32 i = 0; i < nr; i++) {
		struct btf_field f = btf_get_field(c->local, a, i);
		bool found = false;

		for (u32 k = 0; !found && k < other_nr && c->budget;
			k++, c->budget -= c->budget > 0) {
			struct btf_field g = btf_get_field(c->target, b, k);

			found = core_same_name(f.name, g.name) &&
				types_match(c, f.type, g.type, false, depth + 1);
		}
		if (!found)
			return false;
	}
	return true;
}

static bool has_value(struct comparison *c, u32 b, u32 nr, const char *name)
{
	for (u32 k = 0; k < nr && c->budget; k++, c->budget -= c->budget > 0)
		if (core_same_name(btf_get_value(c->target, b, k).name, name))
			return true;
	return false;
}

static bool enums_match(struct comparison *c, u32 a, u32 b)
{
	struct btf_info x = btf_get(c->local, a), y = btf_get(c->target, b);

	if (x.size != y.size || x.nr > y.nr)
		return false;
	for (u32 i = 0; i < x.nr; i++)
		if (!has_value(c, b, y.nr, btf_get_value(c->local, a, i).name))
			return false;
	return true;
}

static bool prototypes_match(struct comparison *c, u32 a, u32 b, u32 depth)
{
	struct btf_info x = btf_get(c->local, a), y = btf_get(c->target, b);

	if (x.nr != y.nr)
		return false;
	for (u32 i = 0; i < x.nr; i++)
		if (!types_match(c, btf_get_arg(c->local, a, i).type,
			    btf_get_arg(c->target, b, i).type, false, depth + 1))
			return false;
	return types_match(c, x.type, y.type, false, depth + 1);
}

static bool forward_matches(const struct btf_info *fwd, const struct btf_info *other)
{
	if (other->kind == BTF_FWD)
		return fwd->is_union == other->is_union;
	return other->kind == (fwd->is_union ? BTF_UNION : BTF_STRUCT);
}

static bool types_match(struct comparison *c, u32 a, u32 b, bool behind_pointer, u32 depth)
{
	struct btf_info x, y;

	if (!spend(c, depth))
		return false;
	a = btf_resolve(c->local, a);
	b = btf_resolve(c->target, b);
	x = btf_get(c->local, a);
	y = btf_get(c->target, b);
	if (!core_same_name(x.name, y.name))
		return false;
	if (x.kind == BTF_FWD)
		return (behind_pointer || y.kind == BTF_FWD) && forward_matches(&x, &y);
	if (core_is_composite(x.kind) && behind_pointer)
		return x.kind == y.kind || (y.kind == BTF_FWD && forward_matches(&y, &x));
	if (!core_same_kind(x.kind, y.kind))
		return false;
	if (core_is_composite(x.kind))
		return members_match(c, a, b, depth);
	if (core_is_enum(x.kind))
		return enums_match(c, a, b);
	if (x.kind == BTF_INT)
		return x.size == y.size && x.is_signed == y.is_signed;
	if (x.kind == BTF_PTR)
		return types_match(c, x.type, y.type, true, depth + 1);
	if (x.kind == BTF_ARRAY)
		return x.nr == y.nr && types_match(c, x.type, y.type, behind_pointer, depth + 1);
	if (x.kind == BTF_FUNC_PROTO)
		return prototypes_match(c, a, b, depth);
	return x.kind == BTF_VOID;
}

bool core_types_match(const struct btf *local, u32 a, const struct btf *target, u32 b)
{
	struct comparison c = {local, target, CORE_STEPS_BUDGET};

	return types_match(&c, a, b, false, 0);
}
