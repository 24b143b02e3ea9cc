/* .BTF.ext: three tables of records, each in groups by section. Records may be longer than what is known of them here. */
#include "obj/btf_ext.h"

#include <errno.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/bytes.h"
#include "base/diag.h"

#define EXT_MAGIC 0xeb9f
#define INSN_BYTES 8

enum table_kind { TABLE_FUNCS, TABLE_LINES, TABLE_RELOS, NR_TABLES };

struct group {
	const char *section;
	void *records; /* in the arena */
	size_t nr;
};

struct table {
	struct group *groups; /* owned */
	size_t nr, cap;
};

struct btf_ext {
	struct arena arena;
	struct table tables[NR_TABLES];
};

struct reader {
	struct btf_ext *ext;
	const struct btf *btf;
	struct diag *d;
	const char *section; /* of the group that is read */
};

static int read_func(struct reader *r, const u8 *p, void *out)
{
	struct btf_func_at *at = out;

	at->func = load_le32(p + 4);
	if (btf_get(r->btf, at->func).kind != BTF_FUNC)
		return diag_fail(r->d, pos_none(), EINVAL,
			".BTF.ext: section '%s', instruction %u: type %u is no function",
			r->section, at->pc, at->func);
	return 0;
}

static int read_line(struct reader *r, const u8 *p, void *out)
{
	struct btf_line *line = out;

	if (!btf_has_string(r->btf, load_le32(p + 4)) || !btf_has_string(r->btf, load_le32(p + 8)))
		return diag_fail(r->d, pos_none(), EINVAL,
			".BTF.ext: section '%s', instruction %u: the line's text is behind the end "
			"of the strings",
			r->section, line->pc);
	line->file = btf_string(r->btf, load_le32(p + 4));
	line->text = btf_string(r->btf, load_le32(p + 8));
	line->line = load_le32(p + 12) >> 10;
	line->col = load_le32(p + 12) & 0x3ff;
	return 0;
}

static int read_relo(struct reader *r, const u8 *p, void *out)
{
	struct core_relo *relo = out;
	u32 kind = load_le32(p + 12);

	relo->type = load_le32(p + 4);
	if (kind >= CORE_NR_KINDS)
		return diag_fail(r->d, pos_none(), ENOTSUP,
			".BTF.ext: section '%s', instruction %u: CO-RE relocation of kind %u; "
			"known are 0 to %u",
			r->section, relo->pc, kind, CORE_NR_KINDS - 1);
	relo->kind = (enum core_kind)kind;
	if (!relo->type || relo->type >= btf_nr_types(r->btf))
		return diag_fail(r->d, pos_none(), EINVAL,
			".BTF.ext: section '%s', instruction %u: there is no type %u", r->section,
			relo->pc, relo->type);
	if (!btf_has_string(r->btf, load_le32(p + 8)))
		return diag_fail(r->d, pos_none(), EINVAL,
			".BTF.ext: section '%s', instruction %u: the access string is behind the "
			"end of the strings",
			r->section, relo->pc);
	relo->access = btf_string(r->btf, load_le32(p + 8));
	return 0;
}

/* All records begin with the offset of their instruction, and the structs made of them with its index. */
static const struct table_row {
	const char *word;
	u32 header_off;   /* of the table's offset and length in the header */
	u32 record_bytes; /* known ones */
	size_t out_bytes;
	int (*read)(struct reader *r, const u8 *p, void *out);
} rows[NR_TABLES] = {
	[TABLE_FUNCS] = {"function records", 8, 8, sizeof(struct btf_func_at), read_func},
	[TABLE_LINES] = {"line records", 16, 16, sizeof(struct btf_line), read_line},
	[TABLE_RELOS] = {"CO-RE relocations", 24, 16, sizeof(struct core_relo), read_relo},
};

_Static_assert(!offsetof(struct btf_func_at, pc) && !offsetof(struct btf_line, pc) &&
		       !offsetof(struct core_relo, pc),
	"records are sorted by their first word");

static int by_pc(const void *a, const void *b)
{
	u32 x = load_le32(a), y = load_le32(b);

	return x < y ? -1 : x > y;
}

static int read_records(struct reader *r, const struct table_row *row, const u8 *p,
	u32 record_bytes, struct group *group, size_t nr)
{
	bool sorted = true;
	u32 last = 0;

	group->records = arena_array(&r->ext->arena, nr, row->out_bytes);
	if (!group->records)
		return diag_nomem(r->d);
	for (; group->nr < nr; group->nr++, p += record_bytes) {
		u8 *out = (u8 *)group->records + group->nr * row->out_bytes;
		u32 off = load_le32(p), pc = off / INSN_BYTES;
		int err;

		if (off % INSN_BYTES)
			return diag_fail(r->d, pos_none(), EINVAL,
				".BTF.ext: section '%s', %s: offset %u is inside an instruction",
				r->section, row->word, off);
		memcpy(out, &pc, sizeof(pc));
		err = row->read(r, p, out);
		if (err)
			return err;
		sorted = sorted && pc >= last;
		last = pc;
	}
	if (!sorted)
		qsort(group->records, nr, row->out_bytes, by_pc);
	return 0;
}

static int read_table(struct reader *r, enum table_kind kind, const u8 *p, size_t len)
{
	const struct table_row *row = &rows[kind];
	struct table *table = &r->ext->tables[kind];
	u32 record_bytes;

	if (!len)
		return 0;
	if (len < 4)
		return diag_fail(r->d, pos_none(), EINVAL, ".BTF.ext: %s: cut off", row->word);
	record_bytes = load_le32(p);
	if (record_bytes < row->record_bytes || record_bytes % 4)
		return diag_fail(r->d, pos_none(), EINVAL, ".BTF.ext: %s of %u bytes; they have %u",
			row->word, record_bytes, row->record_bytes);
	p += 4;
	len -= 4;
	while (len) {
		u32 name = len < 8 ? 0 : load_le32(p), nr = len < 8 ? 0 : load_le32(p + 4);
		struct group *group;
		int err;

		if (len < 8 || nr > (len - 8) / record_bytes)
			return diag_fail(
				r->d, pos_none(), EINVAL, ".BTF.ext: %s: cut off", row->word);
		if (!nr || !btf_string(r->btf, name)[0])
			return diag_fail(r->d, pos_none(), EINVAL,
				".BTF.ext: %s: a section without %s", row->word,
				nr ? "name" : "records");
		if (array_grow((void **)&table->groups, &table->cap, table->nr + 1,
			    sizeof(*table->groups)))
			return diag_nomem(r->d);
		group = &table->groups[table->nr++];
		*group = (struct group){.section = r->section = btf_string(r->btf, name)};
		err = read_records(r, row, p + 8, record_bytes, group, nr);
		if (err)
			return err;
		p += 8 + (size_t)nr * record_bytes;
		len -= 8 + (size_t)nr * record_bytes;
	}
	return 0;
}

static int read_all(struct reader *r, const u8 *p, size_t len)
{
	u32 header_len;

	if (len < 8)
		return diag_fail(
			r->d, pos_none(), EINVAL, ".BTF.ext: %zu bytes are no header", len);
	if (load_le16(p) != EXT_MAGIC)
		return diag_fail(r->d, pos_none(), load_be16(p) == EXT_MAGIC ? ENOTSUP : EINVAL,
			".BTF.ext: starts with 0x%04x instead of 0xeb9f%s", load_le16(p),
			load_be16(p) == EXT_MAGIC ? ": it is big-endian" : "");
	if (p[2] != 1)
		return diag_fail(
			r->d, pos_none(), ENOTSUP, ".BTF.ext: version %u, only 1 is known", p[2]);
	header_len = load_le32(p + 4);
	if (header_len < 8 || header_len > len)
		return diag_fail(r->d, pos_none(), EINVAL, ".BTF.ext: header of %u bytes in %zu",
			header_len, len);
	for (enum table_kind kind = 0; kind < NR_TABLES; kind++) {
		u32 off, bytes;
		int err;

		if (header_len < rows[kind].header_off + 8) /* older than this table */
			continue;
		off = load_le32(p + rows[kind].header_off);
		bytes = load_le32(p + rows[kind].header_off + 4);
		if ((u64)header_len + off + bytes > len)
			return diag_fail(r->d, pos_none(), EINVAL,
				".BTF.ext: %s lie behind the end", rows[kind].word);
		err = read_table(r, kind, p + header_len + off, bytes);
		if (err)
			return err;
	}
	return 0;
}

int btf_ext_new(
	const void *bytes, size_t len, const struct btf *btf, struct btf_ext **ext, struct diag *d)
{
	struct reader r = {.ext = mem_zalloc(sizeof(struct btf_ext)), .btf = btf, .d = d};
	int err;

	if (!r.ext)
		return diag_nomem(d);
	err = read_all(&r, bytes, len);
	if (err) {
		btf_ext_free(r.ext);
		return err;
	}
	*ext = r.ext;
	return 0;
}

void btf_ext_free(struct btf_ext *ext)
{
	if (!ext)
		return;
	for (size_t i = 0; i < NR_TABLES; i++)
		mem_free(ext->tables[i].groups);
	arena_fini(&ext->arena);
	mem_free(ext);
}

static const void *records_of(
	const struct btf_ext *ext, enum table_kind kind, const char *section, size_t *nr)
{
	*nr = 0;
	for (size_t i = 0; ext && i < ext->tables[kind].nr; i++) {
		const struct group *group = &ext->tables[kind].groups[i];

		if (!strcmp(group->section, section)) {
			*nr = group->nr;
			return group->records;
		}
	}
	return NULL;
}

const struct btf_line *btf_ext_lines(const struct btf_ext *ext, const char *section, size_t *nr)
{
	return records_of(ext, TABLE_LINES, section, nr);
}

const struct btf_func_at *btf_ext_funcs(const struct btf_ext *ext, const char *section, size_t *nr)
{
	return records_of(ext, TABLE_FUNCS, section, nr);
}

const struct core_relo *btf_ext_relos(const struct btf_ext *ext, const char *section, size_t *nr)
{
	return records_of(ext, TABLE_RELOS, section, nr);
}
