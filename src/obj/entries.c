/* What maps hold from the start: `.values` of a map of maps or a prog array, which are relocations of .maps; iproute2's
 * maps inside of maps, and its programs for slots of prog arrays, which are named in sections and records. */
#include <elf.h>
#include <errno.h>

#include "base/bytes.h"
#include "obj/obj.h"
#include "obj/section.h"

enum { ENTRY_BYTES = 8, INSN_BYTES = 8 };

static int add_entry(
	struct weir_object *o, struct obj_map *m, struct obj_entry entry, struct diag *d)
{
	int err = obj_grow(o, (void **)&m->entries, m->nr_entries, sizeof(*m->entries), d);

	if (!err)
		m->entries[m->nr_entries++] = entry;
	return err;
}

static int entry_fail(const struct weir_object *o, const struct obj_map *m,
	const struct elf_symbol *s, const char *what, struct diag *d)
{
	return diag_fail(d, obj_pos(o), EINVAL, "section '.maps', map '%s': its entry '%s' %s",
		m->pub.name, s->name, what);
}

static int add_program_entry(struct weir_object *o, struct obj_map *m, u32 index,
	const struct elf_symbol *s, u64 off, struct diag *d)
{
	int func = off % INSN_BYTES || off / INSN_BYTES > UINT32_MAX
			   ? -1
			   : obj_func_at(o, s->section, (u32)(off / INSN_BYTES));

	if (m->pub.spec.type != WEIR_MAP_PROG_ARRAY)
		return entry_fail(o, m, s, "is a program, and the map isn't a prog array", d);
	for (u32 i = 0; func >= 0 && i < o->nr_programs; i++) {
		const struct obj_func *f = &o->funcs[o->programs[i].func];

		if (f->section == o->funcs[func].section && f->start == o->funcs[func].start)
			return add_entry(o, m, (struct obj_entry){index, true, i}, d);
	}
	return entry_fail(
		o, m, s, "is no program: a function in a section of its own is needed", d);
}

static int add_map_entry(struct weir_object *o, struct obj_map *m, u32 index,
	const struct elf_symbol *s, u64 off, struct diag *d)
{
	int map = obj_map_at(o, s->section, off);

	if (map < 0 || o->maps[map].off != off || o->maps[map].pub.is_data)
		return entry_fail(o, m, s, "is neither a map nor a program", d);
	if (m->pub.spec.type != WEIR_MAP_ARRAY_OF_MAPS && m->pub.spec.type != WEIR_MAP_HASH_OF_MAPS)
		return entry_fail(o, m, s, "is a map, and the map that it is in holds none", d);
	return add_entry(o, m, (struct obj_entry){index, false, (u32)map}, d);
}

static int read_reloc(struct weir_object *o, u32 section, struct elf_reloc r, struct diag *d)
{
	const struct elf_symbol *s = &o->elf->symbols[r.symbol];
	int map = obj_map_at(o, section, r.off);
	const u8 *data = o->elf->sections[section].data;

	if (r.type == ELF_R_BPF_NONE)
		return 0;
	if (map < 0 || (r.type != ELF_R_BPF_64_ABS64 && r.type != ELF_R_BPF_64_64))
		return diag_fail(d, obj_pos(o), EINVAL,
			"section '.maps': relocation %s at offset %llu, where entries of maps are "
			"pointers "
			"(R_BPF_64_ABS64)",
			elf_reloc_name(r.type), (unsigned long long)r.off);
	struct obj_map *m = &o->maps[map];
	u64 at = r.off - m->off;
	if (!m->has_values || at < m->values_off || (at - m->values_off) % ENTRY_BYTES)
		return entry_fail(o, m, s, "isn't in its `values`", d);
	u64 index = (at - m->values_off) / ENTRY_BYTES, off = s->value + load_le64(data + r.off);
	if (m->values_nr && index >= m->values_nr)
		return entry_fail(o, m, s, "is behind the end of `values`", d);
	if (s->section != SHN_UNDEF && s->section < o->elf->nr_sections &&
		obj_code_of(o, s->section))
		return add_program_entry(o, m, (u32)index, s, off, d);
	return add_map_entry(o, m, (u32)index, s, off, d);
}

static int read_values(struct weir_object *o, struct diag *d)
{
	u32 section = elf_find_section(o->elf, ".maps");

	if (!section || !o->elf->sections[section].data)
		return 0;
	for (u32 rel = elf_next_rel(o->elf, section, 0); rel;
		rel = elf_next_rel(o->elf, section, rel))
		for (size_t i = 0; i < elf_nr_relocs(o->elf, rel); i++) {
			int err = read_reloc(o, section, elf_reloc_at(o->elf, rel, i), d);

			if (err)
				return err;
		}
	return 0;
}

/* ---- iproute2 ---- */

static const u32 NO_INDEX = UINT32_MAX; /* inner_idx of a map that is a pattern only */

static int add_inner(struct weir_object *o, struct obj_map *outer, struct diag *d)
{
	bool found = false;

	for (u32 i = 0; i < o->nr_maps; i++) {
		struct obj_map *m = &o->maps[i];

		if (m->id != outer->inner_id)
			continue;
		if (!found) {
			outer->has_inner = true;
			outer->inner = m->pub.spec;
			found = true;
		}
		int err = m->inner_index == NO_INDEX
				  ? 0
				  : add_entry(o, outer,
					    (struct obj_entry){m->inner_index, false, i}, d);
		if (err)
			return err;
	}
	return found ? 0
		     : diag_fail(d, obj_pos(o), EINVAL,
			       "section 'maps', map '%s': inner_id is %u, and no map has this id",
			       outer->pub.name, outer->inner_id);
}

static int add_tail_call(struct weir_object *o, u32 program, u32 id, u32 slot, struct diag *d)
{
	for (u32 i = 0; i < o->nr_maps; i++)
		if (o->maps[i].id == id && o->maps[i].pub.spec.type == WEIR_MAP_PROG_ARRAY)
			return add_entry(
				o, &o->maps[i], (struct obj_entry){slot, true, program}, d);
	return 0; /* just a name with numbers */
}

int obj_find_entries(struct weir_object *o, struct diag *d)
{
	int err = read_values(o, d);

	for (u32 i = 0; !err && i < o->nr_maps; i++)
		if (o->maps[i].inner_id &&
			(o->maps[i].pub.spec.type == WEIR_MAP_ARRAY_OF_MAPS ||
				o->maps[i].pub.spec.type == WEIR_MAP_HASH_OF_MAPS))
			err = add_inner(o, &o->maps[i], d);
	for (u32 i = 0; !err && i < o->nr_programs; i++) {
		u32 id, slot;

		if (section_tail_call(o->programs[i].pub.section, &id, &slot) && id)
			err = add_tail_call(o, i, id, slot, d);
	}
	return err;
}
