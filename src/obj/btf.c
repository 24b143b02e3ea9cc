/* BTF from bytes, and what stands in one type. btf_check.c has the checks that need all types, btf_walk.c what follows from
 * several. */
#include "obj/btf_inside.h"

#include <errno.h>

#include "base/alloc.h"
#include "base/diag.h"

#define BTF_MAGIC 0xeb9f
#define BTF_HEADER_BYTES 24

const struct btf_kind_row btf_kind_rows[BTF_NR_KINDS] = {
	[BTF_VOID] = {"void", 0, 0, false},
	[BTF_INT] = {"int", 4, 0, false},
	[BTF_PTR] = {"pointer", 0, 0, true},
	[BTF_ARRAY] = {"array", 12, 0, false},
	[BTF_STRUCT] = {"struct", 0, 12, false},
	[BTF_UNION] = {"union", 0, 12, false},
	[BTF_ENUM] = {"enum", 0, 8, false},
	[BTF_FWD] = {"forward declaration", 0, 0, false},
	[BTF_TYPEDEF] = {"typedef", 0, 0, true},
	[BTF_VOLATILE] = {"volatile", 0, 0, true},
	[BTF_CONST] = {"const", 0, 0, true},
	[BTF_RESTRICT] = {"restrict", 0, 0, true},
	[BTF_FUNC] = {"function", 0, 0, true},
	[BTF_FUNC_PROTO] = {"function prototype", 0, 8, true},
	[BTF_VAR] = {"variable", 4, 0, true},
	[BTF_DATASEC] = {"section", 0, 12, false},
	[BTF_FLOAT] = {"float", 0, 0, false},
	[BTF_DECL_TAG] = {"declaration tag", 4, 0, true},
	[BTF_TYPE_TAG] = {"type tag", 0, 0, true},
	[BTF_ENUM64] = {"enum64", 0, 12, false},
};

static int bad(struct diag *d, const struct btf *b, const char *what)
{
	return diag_fail(d, pos_none(), EINVAL, "%s: %s", b->name, what);
}

/* Bytes [off, off + len) behind the header, or NULL when they aren't all there. */
static u8 *part_of(u8 *bytes, size_t len, u32 header_len, u32 off, u32 part_len)
{
	u64 start = (u64)header_len + off;

	return start + part_len <= len ? bytes + start : NULL;
}

static int read_header(struct btf *b, size_t len, struct diag *d)
{
	u8 *p = b->bytes;

	if (len < BTF_HEADER_BYTES)
		return diag_fail(d, pos_none(), EINVAL,
			"%s: %zu bytes are no BTF, its header has 24", b->name, len);
	if (load_be16(p) == BTF_MAGIC)
		return diag_fail(d, pos_none(), ENOTSUP,
			"%s: big-endian BTF; weir's machines are little-endian: build with -target "
			"bpfel",
			b->name);
	if (load_le16(p) != BTF_MAGIC)
		return diag_fail(d, pos_none(), EINVAL,
			"%s: not BTF: starts with 0x%04x instead of 0xeb9f", b->name, load_le16(p));
	if (p[2] != 1)
		return diag_fail(d, pos_none(), ENOTSUP, "%s: BTF version %u, only 1 is known",
			b->name, p[2]);

	u32 header_len = load_le32(p + 4);
	if (header_len < BTF_HEADER_BYTES || header_len > len)
		return diag_fail(d, pos_none(), EINVAL, "%s: BTF header of %u bytes in %zu",
			b->name, header_len, len);
	for (u32 i = BTF_HEADER_BYTES; i < header_len; i++)
		if (p[i])
			return diag_fail(d, pos_none(), ENOTSUP,
				"%s: the BTF header has fields that weir doesn't know", b->name);

	b->types_len = load_le32(p + 12);
	b->types = part_of(p, len, header_len, load_le32(p + 8), (u32)b->types_len);
	if (!b->types)
		return bad(d, b, "the types lie behind the end of the BTF");
	if (load_le32(p + 8) % 4)
		return bad(d, b, "the types don't start at a multiple of 4");
	b->strings_len = load_le32(p + 20);
	b->strings =
		(const char *)part_of(p, len, header_len, load_le32(p + 16), (u32)b->strings_len);
	if (!b->strings)
		return bad(d, b, "the strings lie behind the end of the BTF");
	if (!b->strings_len || b->strings[0] || b->strings[b->strings_len - 1])
		return bad(d, b, "the strings of the BTF don't start and end with a NUL byte");
	return 0;
}

static int check_type(const struct btf *b, u32 id, size_t off, size_t *bytes, struct diag *d)
{
	if (b->types_len - off < BTF_TYPE_BYTES)
		return diag_fail(d, pos_none(), EINVAL, "%s: type %u is cut off", b->name, id);

	const u8 *t = b->types + off;
	u32 kind = btf_raw_kind(t);
	if (kind == BTF_VOID || kind >= BTF_NR_KINDS)
		return diag_fail(d, pos_none(), kind ? ENOTSUP : EINVAL,
			"%s: type %u is of kind %u; known are 1 to %u", b->name, id, kind,
			BTF_NR_KINDS - 1);

	const struct btf_kind_row *row = &btf_kind_rows[kind];
	*bytes = BTF_TYPE_BYTES + row->fixed_bytes +
		 (size_t)row->item_bytes * (row->item_bytes ? btf_raw_vlen(t) : 0);
	if (b->types_len - off < *bytes)
		return diag_fail(d, pos_none(), EINVAL, "%s: type %u, a %s, is cut off", b->name,
			id, row->word);
	if (!btf_has_string(b, load_le32(t)))
		return diag_fail(d, pos_none(), EINVAL,
			"%s: the name of type %u, a %s, is at %u, behind the end of the strings",
			b->name, id, row->word, load_le32(t));
	return 0;
}

static int index_types(struct btf *b, struct diag *d)
{
	size_t cap = 0;

	if (array_grow((void **)&b->offs, &cap, 1, sizeof(*b->offs)))
		return diag_nomem(d);
	b->offs[0] = 0;
	b->nr = 1;
	for (size_t off = 0; off < b->types_len;) {
		size_t bytes = 0;
		int err = check_type(b, b->nr, off, &bytes, d);

		if (err)
			return err;
		if (array_grow((void **)&b->offs, &cap, (size_t)b->nr + 1, sizeof(*b->offs)))
			return diag_nomem(d);
		b->offs[b->nr++] = (u32)off;
		off += bytes;
	}
	return 0;
}

size_t btf_essential_len(const char *name)
{
	size_t len = strlen(name);

	/* The last "___" counts, and something stands on both sides of it. */
	for (size_t i = len; i-- > 4;)
		if (name[i] != '_' && name[i - 1] == '_' && name[i - 2] == '_' &&
			name[i - 3] == '_' && name[i - 4] != '_')
			return i - 3;
	return len;
}

static u32 hash_name(const char *name, size_t len)
{
	u32 h = 2166136261u; /* FNV-1a */

	for (size_t i = 0; i < len; i++)
		h = (h ^ (u8)name[i]) * 16777619u;
	return h ^ h >> 16;
}

static int index_names(struct btf *b, struct diag *d)
{
	u32 buckets = 16;

	while (buckets < b->nr && buckets < 1u << 30)
		buckets *= 2;
	b->bucket_mask = buckets - 1;
	b->buckets = mem_zalloc(array_size(buckets, sizeof(*b->buckets)));
	b->chain = mem_zalloc(array_size(b->nr, sizeof(*b->chain)));
	if (!b->buckets || !b->chain)
		return diag_nomem(d);
	for (u32 id = b->nr; --id > 0;) {
		const char *name = btf_string(b, load_le32(btf_at(b, id)));
		u32 *head = &b->buckets[hash_name(name, btf_essential_len(name)) & b->bucket_mask];

		if (btf_raw_kind(btf_at(b, id)) == BTF_DECL_TAG)
			b->nr_tags++;
		if (!name[0])
			continue;
		b->chain[id] = *head;
		*head = id;
	}
	return 0;
}

static int index_tags(struct btf *b, struct diag *d)
{
	u32 nr = 0;

	b->tags = mem_alloc(array_size(b->nr_tags, sizeof(*b->tags)));
	if (!b->tags)
		return diag_nomem(d);
	for (u32 id = 1; id < b->nr; id++)
		if (btf_raw_kind(btf_at(b, id)) == BTF_DECL_TAG)
			b->tags[nr++] = id;
	return 0;
}

int btf_take(u8 *bytes, size_t len, const char *name, struct btf **btf, struct diag *d)
{
	struct btf *b = mem_zalloc(sizeof(*b));
	int err;

	if (!b) {
		mem_free(bytes);
		return diag_nomem(d);
	}
	b->bytes = bytes;
	b->name = mem_strdup(name);
	if (!b->name)
		err = diag_nomem(d);
	else
		err = read_header(b, len, d);
	if (!err)
		err = index_types(b, d);
	if (!err)
		err = btf_check_references(b, d);
	if (!err)
		err = index_names(b, d);
	if (!err)
		err = index_tags(b, d);
	if (err) {
		btf_free(b);
		return err;
	}
	*btf = b;
	return 0;
}

int btf_new(const void *bytes, size_t len, const char *name, struct btf **btf, struct diag *d)
{
	u8 *copy = mem_alloc(len);

	if (!copy)
		return diag_nomem(d);
	memcpy(copy, bytes, len);
	return btf_take(copy, len, name, btf, d);
}

void btf_free(struct btf *b)
{
	if (!b)
		return;
	mem_free(b->name);
	mem_free(b->bytes);
	mem_free(b->offs);
	mem_free(b->buckets);
	mem_free(b->chain);
	mem_free(b->tags);
	mem_free(b);
}

const char *btf_name(const struct btf *b)
{
	return b->name;
}

u32 btf_nr_types(const struct btf *b)
{
	return b->nr;
}

bool btf_has_string(const struct btf *b, u32 off)
{
	return off < b->strings_len;
}

const char *btf_string(const struct btf *b, u32 off)
{
	return btf_has_string(b, off) ? b->strings + off : "";
}

static void read_int(const u8 *t, struct btf_info *info)
{
	u32 data = load_le32(t + BTF_TYPE_BYTES), encoding = data >> 24 & 0xf;

	info->is_signed = encoding & 1;
	info->is_char = encoding & 2;
	info->is_bool = encoding & 4;
	info->int_bit_off = (u8)(data >> 16);
	info->int_bits = (u8)data;
}

struct btf_info btf_get(const struct btf *b, u32 id)
{
	if (!id || id >= b->nr)
		return (struct btf_info){.name = "", .kind = BTF_VOID};

	const u8 *t = btf_at(b, id), *rest = t + BTF_TYPE_BYTES;
	struct btf_info info = {
		.kind = (enum btf_kind)btf_raw_kind(t), .name = btf_string(b, load_le32(t))};

	if (btf_kind_rows[info.kind].item_bytes)
		info.nr = btf_raw_vlen(t);
	*(btf_kind_rows[info.kind].refers ? &info.type : &info.size) = btf_raw_size_or_type(t);
	switch (info.kind) {
	case BTF_INT:
		read_int(t, &info);
		break;
	case BTF_ARRAY:
		info.size = 0;
		info.type = load_le32(rest);
		info.index = load_le32(rest + 4);
		info.nr = load_le32(rest + 8);
		break;
	case BTF_FWD:
		info.size = 0;
		info.is_union = btf_raw_flag(t);
		break;
	case BTF_ENUM:
	case BTF_ENUM64:
		info.is_signed = btf_raw_flag(t);
		break;
	case BTF_FUNC:
		info.linkage = (enum btf_linkage)btf_raw_vlen(t);
		break;
	case BTF_VAR:
		info.linkage = (enum btf_linkage)load_le32(rest);
		break;
	case BTF_DECL_TAG:
		info.component = (s32)load_le32(rest);
		break;
	case BTF_VOID:
	case BTF_PTR:
	case BTF_STRUCT:
	case BTF_UNION:
	case BTF_TYPEDEF:
	case BTF_VOLATILE:
	case BTF_CONST:
	case BTF_RESTRICT:
	case BTF_FUNC_PROTO:
	case BTF_DATASEC:
	case BTF_FLOAT:
	case BTF_TYPE_TAG:
	case BTF_NR_KINDS:
		break;
	}
	return info;
}

/* Item i of a type of kind a or b, or NULL. */
static const u8 *item_of(
	const struct btf *b, u32 id, u32 i, enum btf_kind kind, enum btf_kind or_kind)
{
	if (!id || id >= b->nr)
		return NULL;

	const u8 *t = btf_at(b, id);
	u32 k = btf_raw_kind(t);
	if ((k != (u32)kind && k != (u32)or_kind) || i >= btf_raw_vlen(t))
		return NULL;
	return t + BTF_TYPE_BYTES + (size_t)i * btf_kind_rows[k].item_bytes;
}

struct btf_field btf_get_field(const struct btf *b, u32 id, u32 i)
{
	const u8 *p = item_of(b, id, i, BTF_STRUCT, BTF_UNION);

	if (!p)
		return (struct btf_field){.name = ""};

	struct btf_field f = {.name = btf_string(b, load_le32(p)),
		.type = load_le32(p + 4),
		.bit_off = load_le32(p + 8)};
	if (btf_raw_flag(btf_at(b, id))) {
		f.bits = f.bit_off >> 24;
		f.bit_off &= 0xffffff;
		return f;
	}

	/* The older way: the bitfield's int says how many of its bits there are. */
	struct btf_info info = btf_get(b, btf_resolve(b, f.type));
	if (info.kind == BTF_INT && (info.int_bits != 8 * info.size || info.int_bit_off)) {
		f.bits = info.int_bits;
		f.bit_off += info.int_bit_off;
	}
	return f;
}

struct btf_value btf_get_value(const struct btf *b, u32 id, u32 i)
{
	const u8 *p = item_of(b, id, i, BTF_ENUM, BTF_ENUM64);

	if (!p)
		return (struct btf_value){.name = ""};

	u32 low = load_le32(p + 4);
	bool wide = btf_raw_kind(btf_at(b, id)) == BTF_ENUM64;
	return (struct btf_value){
		.name = btf_string(b, load_le32(p)),
		.value = wide ? low | (u64)load_le32(p + 8) << 32 : (u64)(s32)low,
	};
}

struct btf_arg btf_get_arg(const struct btf *b, u32 id, u32 i)
{
	const u8 *p = item_of(b, id, i, BTF_FUNC_PROTO, BTF_FUNC_PROTO);

	if (!p)
		return (struct btf_arg){.name = ""};
	return (struct btf_arg){.name = btf_string(b, load_le32(p)), .type = load_le32(p + 4)};
}

struct btf_secvar btf_get_secvar(const struct btf *b, u32 id, u32 i)
{
	const u8 *p = item_of(b, id, i, BTF_DATASEC, BTF_DATASEC);

	if (!p)
		return (struct btf_secvar){0};
	return (struct btf_secvar){
		.var = load_le32(p), .off = load_le32(p + 4), .size = load_le32(p + 8)};
}

void btf_set_secvar_off(struct btf *b, u32 datasec, u32 i, u32 off)
{
	const u8 *p = item_of(b, datasec, i, BTF_DATASEC, BTF_DATASEC);

	if (p)
		store_le32(b->types + (p - b->types) + 4, off);
}

void btf_set_datasec_size(struct btf *b, u32 datasec, u32 size)
{
	if (btf_get(b, datasec).kind == BTF_DATASEC)
		store_le32(b->types + b->offs[datasec] + 8, size);
}

u32 btf_find_flavour(const struct btf *b, const char *name, size_t len, u32 after)
{
	if (!len)
		return 0;
	for (u32 id = after ? b->chain[after] : b->buckets[hash_name(name, len) & b->bucket_mask];
		id; id = b->chain[id]) {
		const char *other = btf_string(b, load_le32(btf_at(b, id)));

		if (btf_essential_len(other) == len && !strncmp(other, name, len))
			return id;
	}
	return 0;
}

u32 btf_find(const struct btf *b, enum btf_kind kind, const char *name)
{
	size_t len = btf_essential_len(name);

	for (u32 id = 0; (id = btf_find_flavour(b, name, len, id));)
		if (btf_raw_kind(btf_at(b, id)) == (u32)kind && !strcmp(btf_get(b, id).name, name))
			return id;
	return 0;
}

const char *btf_decl_tag(const struct btf *b, u32 id, s32 component, u32 i)
{
	for (u32 k = 0; k < b->nr_tags; k++) {
		struct btf_info tag = btf_get(b, b->tags[k]);

		if (tag.type == id && tag.component == component && i-- == 0)
			return tag.name;
	}
	return NULL;
}
