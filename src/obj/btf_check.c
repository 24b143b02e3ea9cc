/* Checks of BTF that need all types: what is referred to is there and of a kind that makes sense, and no type contains itself, so
 * that every walk over what a value consists of ends. */
#include "obj/btf_inside.h"

#include <errno.h>

#include "base/alloc.h"
#include "base/diag.h"

/* Types inside each other, typedefs and qualifiers counted. Walks may recurse that deep. The kernel's own types come to about 30. */
#define BTF_NESTING_MAX 256

static int check_reference(const struct btf *b, u32 id, u32 to, struct diag *d)
{
	if (to < b->nr)
		return 0;
	return diag_fail(d, pos_none(), EINVAL,
		"%s: type %u, %s '%s', refers to type %u; there are %u", b->name, id,
		btf_kind_rows[btf_get(b, id).kind].word, btf_get(b, id).name, to, b->nr - 1);
}

static int check_kind(const struct btf *b, u32 id, u32 to, enum btf_kind kind, struct diag *d)
{
	struct btf_info info = btf_get(b, to);

	if (info.kind == kind)
		return 0;
	return diag_fail(d, pos_none(), EINVAL,
		"%s: type %u, %s '%s', refers to type %u, which is a %s instead of a %s", b->name,
		id, btf_kind_rows[btf_get(b, id).kind].word, btf_get(b, id).name, to,
		btf_kind_rows[info.kind].word, btf_kind_rows[kind].word);
}

static int check_int(const struct btf *b, u32 id, const struct btf_info *info, struct diag *d)
{
	if (info->size && info->size <= 16 && !(info->size & (info->size - 1)) &&
		info->int_bit_off + info->int_bits <= 8 * info->size)
		return 0;
	return diag_fail(d, pos_none(), EINVAL,
		"%s: type %u, int '%s', has %u bits from bit %u on in %u bytes", b->name, id,
		info->name, info->int_bits, info->int_bit_off, info->size);
}

static int check_enum_size(const struct btf *b, u32 id, const struct btf_info *info, struct diag *d)
{
	if (info->size && info->size <= 8 && !(info->size & (info->size - 1)))
		return 0;
	return diag_fail(d, pos_none(), EINVAL,
		"%s: type %u, enum '%s', has %u bytes instead of 1, 2, 4 or 8", b->name, id,
		info->name, info->size);
}

static int check_float(const struct btf *b, u32 id, const struct btf_info *info, struct diag *d)
{
	if (info->size == 2 || info->size == 4 || info->size == 8 || info->size == 12 ||
		info->size == 16)
		return 0;
	return diag_fail(d, pos_none(), EINVAL,
		"%s: type %u, float '%s', has %u bytes instead of 2, 4, 8, 12 or 16", b->name, id,
		info->name, info->size);
}

/* Name and, if the items of the kind have one, type of item i. */
static int check_item(const struct btf *b, u32 id, u32 i, enum btf_kind kind, struct diag *d)
{
	const u8 *p = btf_at(b, id) + BTF_TYPE_BYTES + (size_t)i * btf_kind_rows[kind].item_bytes;
	int err = 0;

	if (kind == BTF_DATASEC) {
		err = check_reference(b, id, load_le32(p), d);
		/* Kernel functions that programs call stand in .ksyms. */
		if (err || btf_get(b, load_le32(p)).kind == BTF_FUNC)
			return err;
		return check_kind(b, id, load_le32(p), BTF_VAR, d);
	}
	if (!btf_has_string(b, load_le32(p)))
		return diag_fail(d, pos_none(), EINVAL,
			"%s: type %u, %s '%s': the name of part %u is behind the end of the "
			"strings",
			b->name, id, btf_kind_rows[kind].word, btf_get(b, id).name, i);
	if (kind == BTF_STRUCT || kind == BTF_UNION || kind == BTF_FUNC_PROTO)
		err = check_reference(b, id, load_le32(p + 4), d);
	return err;
}

static int check_one(const struct btf *b, u32 id, struct diag *d)
{
	struct btf_info info = btf_get(b, id);
	int err = check_reference(b, id, info.type, d);

	if (!err && info.kind == BTF_ARRAY)
		err = check_reference(b, id, info.index, d);
	if (!err && info.kind == BTF_INT)
		err = check_int(b, id, &info, d);
	if (!err && info.kind == BTF_FLOAT)
		err = check_float(b, id, &info, d);
	if (!err && (info.kind == BTF_ENUM || info.kind == BTF_ENUM64))
		err = check_enum_size(b, id, &info, d);
	if (!err && info.kind == BTF_FUNC)
		err = check_kind(b, id, info.type, BTF_FUNC_PROTO, d);
	if (btf_kind_rows[info.kind].item_bytes)
		for (u32 i = 0; !err && i < info.nr; i++)
			err = check_item(b, id, i, info.kind, d);
	return err;
}

/* The i-th type that a value of the type contains, or 0 when there is no more. Void counts as containing nothing: *more says
 * whether there was an i-th one. */
static u32 part_of(const struct btf *b, u32 id, u32 i, bool *more)
{
	struct btf_info info = btf_get(b, id);
	const u8 *items = id ? btf_at(b, id) + BTF_TYPE_BYTES : NULL;

	switch (info.kind) {
	case BTF_STRUCT:
	case BTF_UNION:
		*more = i < info.nr;
		return *more ? load_le32(items + (size_t)i * 12 + 4) : 0;
	case BTF_DATASEC:
		*more = i < info.nr;
		return *more ? load_le32(items + (size_t)i * 12) : 0;
	case BTF_ARRAY:
	case BTF_TYPEDEF:
	case BTF_VOLATILE:
	case BTF_CONST:
	case BTF_RESTRICT:
	case BTF_TYPE_TAG:
	case BTF_VAR:
		*more = i == 0;
		return *more ? info.type : 0;
	case BTF_VOID:
	case BTF_INT:
	case BTF_PTR:
	case BTF_ENUM:
	case BTF_FWD:
	case BTF_FUNC:
	case BTF_FUNC_PROTO:
	case BTF_FLOAT:
	case BTF_DECL_TAG:
	case BTF_ENUM64:
	case BTF_NR_KINDS:
		break;
	}
	*more = false;
	return 0;
}

/* Heights of types: 0 isn't known yet, else 1 + levels of types inside. */
#define BTF_ON_PATH UINT16_MAX

struct step {
	u32 id;
	u32 next; /* part to look at */
};

static int fail_nesting(const struct btf *b, u32 id, bool cycle, struct diag *d)
{
	struct btf_info info = btf_get(b, id);

	if (cycle)
		return diag_fail(d, pos_none(), EINVAL, "%s: type %u, %s '%s', contains itself",
			b->name, id, btf_kind_rows[info.kind].word, info.name);
	return diag_fail(d, pos_none(), EINVAL,
		"%s: type %u, %s '%s', has more than %u levels of types inside each other", b->name,
		id, btf_kind_rows[info.kind].word, info.name, BTF_NESTING_MAX);
}

/* Walks down from one type whose height isn't known. */
static int find_height(const struct btf *b, u32 start, u16 *heights, struct diag *d)
{
	struct step path[BTF_NESTING_MAX];
	u32 depth = 0;

	path[depth++] = (struct step){start, 0};
	heights[start] = BTF_ON_PATH;
	while (depth) {
		struct step *top = &path[depth - 1];
		bool more;
		u32 part = part_of(b, top->id, top->next++, &more);

		if (!more) {
			u16 height = 1;

			for (u32 i = 0; part = part_of(b, top->id, i, &more), more; i++)
				if (part && heights[part] >= height)
					height = (u16)(heights[part] + 1);
			if (height > BTF_NESTING_MAX)
				return fail_nesting(b, top->id, false, d);
			heights[top->id] = height;
			depth--;
		} else if (part && heights[part] == BTF_ON_PATH) {
			return fail_nesting(b, part, true, d);
		} else if (part && !heights[part]) {
			if (depth == BTF_NESTING_MAX)
				return fail_nesting(b, start, false, d);
			heights[part] = BTF_ON_PATH;
			path[depth++] = (struct step){part, 0};
		}
	}
	return 0;
}

int btf_check_references(const struct btf *b, struct diag *d)
{
	u16 *heights = mem_zalloc(array_size(b->nr, sizeof(*heights)));
	int err = 0;

	if (!heights)
		return diag_nomem(d);
	for (u32 id = 1; !err && id < b->nr; id++)
		err = check_one(b, id, d);
	for (u32 id = 1; !err && id < b->nr; id++)
		if (!heights[id])
			err = find_height(b, id, heights, d);
	mem_free(heights);
	return err;
}
