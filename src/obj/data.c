/* Maps of global data: each section .data*, .rodata*, .bss* is an array of one value, and programs' variables are places
 * in it. */
#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <string.h>

#include "base/limits.h"
#include "obj/obj.h"

enum { F_MMAPABLE = 1 << 10, F_RDONLY_PROG = 1 << 7 }; /* linux/bpf.h */

static bool is_or_begins(const char *name, const char *word)
{
	size_t len = strlen(word);

	return !strncmp(name, word, len) && (!name[len] || name[len] == '.');
}

static bool is_data(const struct elf_section *s)
{
	if (!s->size || !(s->flags & SHF_ALLOC) || (s->flags & SHF_EXECINSTR))
		return false;
	if (s->type == SHT_NOBITS)
		return is_or_begins(s->name, ".bss") || is_or_begins(s->name, ".data");
	return s->type == SHT_PROGBITS &&
	       (is_or_begins(s->name, ".data") || is_or_begins(s->name, ".rodata") ||
		       is_or_begins(s->name, ".bss"));
}

/* As libbpf: only what others may name is to be shared with them. */
static bool has_global_variable(const struct weir_object *o, const char *section)
{
	u32 datasec = o->btf ? btf_find(o->btf, BTF_DATASEC, section) : 0;
	u32 nr = datasec ? btf_get(o->btf, datasec).nr : 0;

	for (u32 i = 0; i < nr; i++)
		if (btf_get(o->btf, btf_get_secvar(o->btf, datasec, i).var).linkage != BTF_STATIC)
			return true;
	return false;
}

/* "program.rodata" as libbpf has it: the object's name as far as there is room beside the section's, for which 7 bytes are
 * kept at least; without it where the section's has a second dot. */
const char *obj_data_map_name(struct weir_object *o, const char *section)
{
	enum { NAME_BYTES = 15, SECTION_BYTES_MIN = 7 };
	size_t part = strlen(section), prefix = strcspn(o->short_name, ".");
	size_t kept = part > SECTION_BYTES_MIN ? part : SECTION_BYTES_MIN;

	if (part > NAME_BYTES)
		part = NAME_BYTES;
	if (kept > NAME_BYTES || strchr(section + 1, '.'))
		prefix = 0;
	else if (prefix > NAME_BYTES - kept)
		prefix = NAME_BYTES - kept;
	char *name = arena_alloc(&o->arena, NAME_BYTES + 1);
	if (!name)
		return NULL;
	memcpy(name, o->short_name, prefix);
	memcpy(name + prefix, section, part);
	for (char *c = name; *c; c++) /* what names of maps may not have */
		if (!isalnum((unsigned char)*c) && *c != '.')
			*c = '_';
	return name;
}

static int add_data(struct weir_object *o, u32 section, struct diag *d)
{
	const struct elf_section *s = &o->elf->sections[section];
	bool read_only = is_or_begins(s->name, ".rodata");
	struct obj_map *m;

	if (s->size > OBJ_DATA_BYTES_MAX)
		return diag_fail(d, obj_pos(o), E2BIG,
			"section '%s': %zu bytes of data, the limit is %u", s->name, s->size,
			OBJ_DATA_BYTES_MAX);
	m = obj_add_map(o, d);
	if (!m)
		return -ENOMEM;
	m->pub.name = s->name;
	m->pub.section = s->name;
	m->pub.is_data = true;
	m->pub.read_only = read_only;
	m->pub.spec = (struct weir_map_spec){
		.name = obj_data_map_name(o, s->name),
		.type = WEIR_MAP_ARRAY,
		.key_size = 4,
		.value_size = (u32)s->size,
		.max_entries = 1,
		.flags = (read_only ? F_RDONLY_PROG : 0u) |
			 (has_global_variable(o, s->name) ? F_MMAPABLE : 0u),
	};
	m->section = section;
	m->size = s->size;
	m->data_len = s->size;
	m->value_type = o->btf ? btf_find(o->btf, BTF_DATASEC, s->name) : 0;
	m->data = arena_alloc(&o->arena, s->size);
	if (!m->data || !m->pub.spec.name)
		return diag_nomem(d);
	if (s->data)
		memcpy(m->data, s->data, s->size);
	return 0;
}

int obj_find_data(struct weir_object *o, struct diag *d)
{
	for (u32 i = 1; i < o->elf->nr_sections; i++) {
		if (!is_data(&o->elf->sections[i]))
			continue;
		int err = add_data(o, i, d);

		if (err)
			return err;
	}
	return 0;
}
