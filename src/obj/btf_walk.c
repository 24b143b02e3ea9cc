/* Questions whose answers follow from several types. What btf_check.c has proved lets them recurse; where a type can be come to
 * by very many ways (a struct with two members of a struct with two members ...) a budget ends the walk. */
#include "obj/btf_inside.h"

#include "base/buf.h"

/* Types that one question looks at. */
#define BTF_WALK_MAX 1000000u

u32 btf_skip_mods(const struct btf *b, u32 id)
{
	for (;;) {
		struct btf_info info = btf_get(b, id);

		if (info.kind != BTF_CONST && info.kind != BTF_VOLATILE &&
			info.kind != BTF_RESTRICT && info.kind != BTF_TYPE_TAG)
			return id;
		id = info.type;
	}
}

u32 btf_resolve(const struct btf *b, u32 id)
{
	for (;;) {
		id = btf_skip_mods(b, id);
		if (btf_get(b, id).kind != BTF_TYPEDEF)
			return id;
		id = btf_get(b, id).type;
	}
}

bool btf_size_of(const struct btf *b, u32 id, u32 *bytes)
{
	u64 times = 1;

	for (;;) {
		struct btf_info info = btf_get(b, btf_resolve(b, id));
		u64 size = info.size;

		switch (info.kind) {
		case BTF_ARRAY:
			times *= info.nr;
			if (times > UINT32_MAX)
				return false;
			id = info.type;
			continue;
		case BTF_VAR:
			id = info.type;
			continue;
		case BTF_PTR:
			size = 8;
			break;
		case BTF_INT:
		case BTF_STRUCT:
		case BTF_UNION:
		case BTF_ENUM:
		case BTF_ENUM64:
		case BTF_DATASEC:
		case BTF_FLOAT:
			break;
		case BTF_VOID:
		case BTF_FWD:
		case BTF_TYPEDEF:
		case BTF_VOLATILE:
		case BTF_CONST:
		case BTF_RESTRICT:
		case BTF_FUNC:
		case BTF_FUNC_PROTO:
		case BTF_DECL_TAG:
		case BTF_TYPE_TAG:
		case BTF_NR_KINDS:
			return false;
		}
		size *= times;
		if (size > UINT32_MAX)
			return false;
		*bytes = (u32)size;
		return true;
	}
}

static bool align_within(const struct btf *b, u32 id, u32 *budget, u32 *bytes)
{
	struct btf_info info;

	do {
		id = btf_resolve(b, id);
		info = btf_get(b, id);
		id = info.kind == BTF_ARRAY || info.kind == BTF_VAR ? info.type : id;
	} while (info.kind == BTF_ARRAY || info.kind == BTF_VAR);
	if (!*budget || !--*budget)
		return false;
	if (info.kind != BTF_STRUCT && info.kind != BTF_UNION) {
		if (!btf_size_of(b, id, bytes))
			return false;
		*bytes = !*bytes ? 1 : *bytes < 8 ? *bytes : 8;
		return true;
	}
	*bytes = 1;
	for (u32 i = 0; i < info.nr; i++) {
		struct btf_field f = btf_get_field(b, id, i);
		u32 align;

		if (!align_within(b, f.type, budget, &align))
			return false;
		/* A member where its type can't be, or a size that it wouldn't have: packed. */
		if ((!f.bits && f.bit_off % (8ull * align)) || info.size % align) {
			*bytes = 1;
			return true;
		}
		if (align > *bytes)
			*bytes = align;
	}
	return true;
}

bool btf_align_of(const struct btf *b, u32 id, u32 *bytes)
{
	u32 budget = BTF_WALK_MAX, align;

	if (!align_within(b, id, &budget, &align))
		return false;
	*bytes = align;
	return true;
}

static bool field_within(const struct btf *b, u32 id, const char *name, u32 base, u32 *budget,
	struct btf_field *field, u32 *bit_off)
{
	u32 nr = btf_get(b, id).nr;

	for (u32 i = 0; i < nr && *budget; i++) {
		struct btf_field f = btf_get_field(b, id, i);

		--*budget;
		if (!strcmp(f.name, name)) {
			*field = f;
			*bit_off = base + f.bit_off;
			return true;
		}
		if (f.name[0])
			continue;

		u32 inner = btf_resolve(b, f.type);
		enum btf_kind kind = btf_get(b, inner).kind;
		if ((kind == BTF_STRUCT || kind == BTF_UNION) &&
			field_within(b, inner, name, base + f.bit_off, budget, field, bit_off))
			return true;
	}
	return false;
}

bool btf_find_field(
	const struct btf *b, u32 id, const char *name, struct btf_field *field, u32 *bit_off)
{
	u32 budget = BTF_WALK_MAX;
	enum btf_kind kind;

	id = btf_resolve(b, id);
	kind = btf_get(b, id).kind;
	return name[0] && (kind == BTF_STRUCT || kind == BTF_UNION) &&
	       field_within(b, id, name, 0, &budget, field, bit_off);
}

struct search {
	const struct btf *btf;
	const char *name;
	u32 budget;
	u32 found;
	u32 first;
};

static void search_inside(struct search *s, u32 id, u32 base)
{
	struct btf_info info;
	u64 times = 1;

	for (;; id = info.type) {
		id = btf_resolve(s->btf, id);
		info = btf_get(s->btf, id);
		if (info.kind == BTF_ARRAY)
			times *= info.nr;
		else if (info.kind != BTF_VAR)
			break;
		if (!times || times > UINT32_MAX)
			return;
	}
	if (!s->budget || (info.kind != BTF_STRUCT && info.kind != BTF_UNION))
		return;
	s->budget--;

	u32 before = s->found;
	if (info.kind == BTF_STRUCT && !strcmp(info.name, s->name)) {
		s->first = before ? s->first : base;
		s->found++;
	} else {
		for (u32 i = 0; i < info.nr && s->budget; i++) {
			struct btf_field f = btf_get_field(s->btf, id, i);

			search_inside(s, f.type, base + f.bit_off / 8);
		}
	}
	if (s->found > before && times > 1)
		s->found = s->found < UINT32_MAX / times
				   ? (u32)(before + (s->found - before) * times)
				   : UINT32_MAX / 2;
}

u32 btf_find_inside(const struct btf *b, u32 id, const char *name, u32 *off)
{
	struct search s = {.btf = b, .name = name, .budget = BTF_WALK_MAX};

	search_inside(&s, id, 0);
	if (s.found)
		*off = s.first;
	return s.found;
}

/* ---- types as text ---- */

#define BTF_PRINT_DEPTH 16

static void print_named(const char *keyword, const struct btf_info *info, struct buf *out)
{
	buf_printf(out, "%s %s", keyword, info->name[0] ? info->name : "(anonymous)");
}

static void print_type(const struct btf *b, u32 id, u32 depth, struct buf *out)
{
	struct btf_info info = btf_get(b, id);

	if (depth > BTF_PRINT_DEPTH) {
		buf_puts(out, "...");
		return;
	}
	switch (info.kind) {
	case BTF_VOID:
	case BTF_NR_KINDS:
		buf_puts(out, "void");
		return;
	case BTF_INT:
	case BTF_FLOAT:
	case BTF_TYPEDEF:
		buf_puts(out, info.name[0] ? info.name : "(anonymous)");
		return;
	case BTF_PTR:
		print_type(b, info.type, depth + 1, out);
		buf_puts(out, btf_get(b, info.type).kind == BTF_PTR ? "*" : " *");
		return;
	case BTF_ARRAY:
		print_type(b, info.type, depth + 1, out);
		buf_printf(out, "[%u]", info.nr);
		return;
	case BTF_STRUCT:
		print_named("struct", &info, out);
		return;
	case BTF_UNION:
		print_named("union", &info, out);
		return;
	case BTF_ENUM:
	case BTF_ENUM64:
		print_named("enum", &info, out);
		return;
	case BTF_FWD:
		print_named(info.is_union ? "union" : "struct", &info, out);
		return;
	case BTF_VOLATILE:
		buf_puts(out, "volatile ");
		break;
	case BTF_CONST:
		buf_puts(out, "const ");
		break;
	case BTF_RESTRICT:
	case BTF_TYPE_TAG:
		break;
	case BTF_FUNC:
		print_named("function", &info, out);
		return;
	case BTF_FUNC_PROTO:
		print_type(b, info.type, depth + 1, out);
		buf_puts(out, "()");
		return;
	case BTF_VAR:
		print_named("variable", &info, out);
		return;
	case BTF_DATASEC:
		print_named("section", &info, out);
		return;
	case BTF_DECL_TAG:
		print_named("tag", &info, out);
		return;
	}
	print_type(b, info.type, depth + 1, out);
}

void btf_print_type(const struct btf *b, u32 id, struct buf *out)
{
	print_type(b, id, 0, out);
}
