/* Maps of section `maps` (or "NAME/maps"), each a record of 32-bit fields. Records are as long as the bytes of the section divided by the
 * number of symbols in it. What they are:
 *   - 36 bytes, or 28 in an object with iproute2's section names: its struct bpf_elf_map, with id, pinning, inner_id,
 *     inner_idx behind the flags;
 *   - else struct bpf_map_def of any length from 20 on, in which bytes behind the flags must be zero.
 * Both begin with the same five fields. */
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "obj/obj.h"
#include "obj/section.h"

enum { DEF_BYTES = 20, OLD_ELF_MAP_BYTES = 28, ELF_MAP_BYTES = 36 };
enum {
	FIELD_TYPE,
	FIELD_KEY,
	FIELD_VALUE,
	FIELD_MAX,
	FIELD_FLAGS,
	FIELD_ID,
	FIELD_PINNING,
	FIELD_INNER_ID,
	FIELD_INNER_IDX
};

static bool defines_map(const struct elf_symbol *s, u32 section)
{
	if (s->section != section || s->type == STT_SECTION || !s->name[0])
		return false;
	return s->type == STT_OBJECT || (s->type == STT_NOTYPE && s->bind != STB_LOCAL);
}

static u32 count_maps(const struct weir_object *o, u32 section)
{
	u32 nr = 0;

	for (u32 i = 1; i < o->elf->nr_symbols; i++)
		nr += defines_map(&o->elf->symbols[i], section);
	return nr;
}

static bool has_iproute_names(const struct weir_object *o)
{
	for (u32 i = 0; i < o->nr_codes; i++) {
		const char *name = o->elf->sections[o->codes[i].section].name;
		u32 id, slot;

		if (!strcmp(name, "classifier") || !strcmp(name, "action") ||
			section_tail_call(name, &id, &slot))
			return true;
	}
	return false;
}

static int check_rest(const struct weir_object *o, const struct elf_symbol *s, const u8 *record,
	u32 bytes, struct diag *d)
{
	for (u32 i = DEF_BYTES; i < bytes; i++)
		if (record[i])
			return diag_fail(d, obj_pos(o), ENOTSUP,
				"section '%s': map '%s' has a record of %u bytes, and byte %u "
				"isn't zero: "
				"struct bpf_map_def has %u, and what is behind them must be zero; "
				"iproute2's "
				"struct bpf_elf_map has %u",
				o->elf->sections[s->section].name, s->name, bytes, i,
				(unsigned)DEF_BYTES, (unsigned)ELF_MAP_BYTES);
	return 0;
}

static int read_iproute(
	struct weir_object *o, struct obj_map *m, const u8 *record, u32 bytes, struct diag *d)
{
	m->id = load_le32(record + 4 * FIELD_ID);
	m->pub.pinned = load_le32(record + 4 * FIELD_PINNING) != 0;
	if (bytes < ELF_MAP_BYTES)
		return 0;
	m->inner_id = load_le32(record + 4 * FIELD_INNER_ID);
	m->inner_index = load_le32(record + 4 * FIELD_INNER_IDX);
	if (m->inner_id && m->inner_id == m->id)
		return diag_fail(d, obj_pos(o), EINVAL,
			"section '%s': map '%s' has itself (id %u) as the map inside",
			m->pub.section, m->pub.name, m->id);
	return 0;
}

static int add_map(struct weir_object *o, u32 section, const struct elf_symbol *s, u32 bytes,
	bool iproute, struct diag *d)
{
	const struct elf_section *maps = &o->elf->sections[section];

	if (s->value > maps->size || maps->size - s->value < bytes || s->value % 4)
		return diag_fail(d, obj_pos(o), EINVAL,
			"section '%s': map '%s' begins at byte %llu; its record of %u bytes must "
			"begin at "
			"a multiple of 4 and end in the section, which has %zu",
			maps->name, s->name, (unsigned long long)s->value, bytes, maps->size);
	const u8 *record = maps->data + s->value;
	struct obj_map *m = obj_add_map(o, d);
	if (!m)
		return -ENOMEM;
	m->pub.name = s->name;
	m->pub.section = maps->name;
	m->pub.spec = (struct weir_map_spec){
		.name = s->name,
		.type = (enum weir_map_type)load_le32(record + 4 * FIELD_TYPE),
		.key_size = load_le32(record + 4 * FIELD_KEY),
		.value_size = load_le32(record + 4 * FIELD_VALUE),
		.max_entries = load_le32(record + 4 * FIELD_MAX),
		.flags = load_le32(record + 4 * FIELD_FLAGS),
	};
	m->section = section;
	m->off = s->value;
	m->size = bytes;
	return iproute ? read_iproute(o, m, record, bytes, d) : check_rest(o, s, record, bytes, d);
}

static int compare_places(const void *x, const void *y)
{
	const struct obj_map *a = x, *b = y;

	return a->off < b->off ? -1 : a->off > b->off;
}

static int check_overlap(const struct weir_object *o, u32 first, struct diag *d)
{
	for (u32 i = first + 1; i < o->nr_maps; i++)
		if (o->maps[i].off - o->maps[i - 1].off < o->maps[i].size)
			return diag_fail(d, obj_pos(o), EINVAL,
				"section '%s': the records of maps '%s' and '%s', of %llu bytes "
				"each, overlap",
				o->maps[i].pub.section, o->maps[i - 1].pub.name,
				o->maps[i].pub.name, (unsigned long long)o->maps[i].size);
	return 0;
}

static int read_section(struct weir_object *o, u32 section, struct diag *d)
{
	const struct elf_section *s = &o->elf->sections[section];
	u32 nr = count_maps(o, section), first = o->nr_maps;
	int err = 0;

	if (!nr || s->size % nr || !s->data)
		return diag_fail(d, obj_pos(o), EINVAL,
			"section '%s': %zu bytes for %u symbols; all maps must have records of one "
			"length",
			s->name, s->size, nr);
	size_t bytes = s->size / nr;
	if (bytes < DEF_BYTES || bytes > UINT16_MAX || bytes % 4)
		return diag_fail(d, obj_pos(o), EINVAL,
			"section '%s': records of %zu bytes (%zu bytes for %u symbols); struct "
			"bpf_map_def has "
			"%u, iproute2's struct bpf_elf_map %u",
			s->name, bytes, s->size, nr, (unsigned)DEF_BYTES, (unsigned)ELF_MAP_BYTES);
	bool iproute =
		bytes == ELF_MAP_BYTES || (bytes == OLD_ELF_MAP_BYTES && has_iproute_names(o));
	for (u32 i = 1; !err && i < o->elf->nr_symbols; i++)
		if (defines_map(&o->elf->symbols[i], section))
			err = add_map(o, section, &o->elf->symbols[i], (u32)bytes, iproute, d);
	if (err)
		return err;
	qsort(o->maps + first, o->nr_maps - first, sizeof(*o->maps), compare_places);
	return check_overlap(o, first, d);
}

/* V4L's decoders have "lirc_mode2/maps". */
static bool is_maps(const struct elf_section *s)
{
	size_t len = strlen(s->name), word = strlen("/maps");

	if (s->type != SHT_PROGBITS || !s->size || (s->flags & SHF_EXECINSTR))
		return false;
	return !strcmp(s->name, "maps") || (len > word && !strcmp(s->name + len - word, "/maps"));
}

int obj_find_old_maps(struct weir_object *o, struct diag *d)
{
	int err = 0;

	for (u32 i = 1; !err && i < o->elf->nr_sections; i++)
		if (is_maps(&o->elf->sections[i]))
			err = read_section(o, i, d);
	return err;
}
