/* The object's BTF. Where variables are in their sections and how long these are clang leaves to be relocated, or to the
 * loader: both are taken from the ELF file. */
#include <elf.h>
#include <errno.h>
#include <string.h>

#include "base/alloc.h"
#include "base/bytes.h"
#include "obj/obj.h"

/* Adds the symbols' values, as the relocations of .BTF say. */
static void relocate(const struct elf *e, u32 section, u8 *bytes)
{
	for (u32 rel = elf_next_rel(e, section, 0); rel; rel = elf_next_rel(e, section, rel))
		for (size_t i = 0; i < elf_nr_relocs(e, rel); i++) {
			struct elf_reloc r = elf_reloc_at(e, rel, i);
			u8 *at = bytes + r.off;

			/* LLVM before 13 has the type of calls here. */
			if (r.type == ELF_R_BPF_64_NODYLD32 || r.type == ELF_R_BPF_64_32 ||
				r.type == ELF_R_BPF_64_ABS32)
				store_le32(at, load_le32(at) + (u32)e->symbols[r.symbol].value);
		}
}

/* Symbols win over what the file says: tools that drop relocations leave zeroes. Static ones can't be found by name. */
static void place_variables(struct weir_object *o, u32 datasec, u32 section)
{
	u32 nr = btf_get(o->btf, datasec).nr;

	for (u32 i = 0; i < nr; i++) {
		struct btf_info var = btf_get(o->btf, btf_get_secvar(o->btf, datasec, i).var);
		u32 symbol = var.linkage == BTF_STATIC ? 0 : obj_symbol(o, var.name);

		if (symbol && o->elf->symbols[symbol].section == section)
			btf_set_secvar_off(o->btf, datasec, i, (u32)o->elf->symbols[symbol].value);
	}
	btf_set_datasec_size(o->btf, datasec, (u32)o->elf->sections[section].size);
}

static void place_sections(struct weir_object *o)
{
	for (u32 i = 1; i < o->elf->nr_sections; i++) {
		const struct elf_section *s = &o->elf->sections[i];
		u32 datasec = (s->flags & SHF_ALLOC) && s->name[0]
				      ? btf_find(o->btf, BTF_DATASEC, s->name)
				      : 0;

		if (datasec)
			place_variables(o, datasec, i);
	}
}

int obj_read_types(struct weir_object *o, struct diag *d)
{
	u32 section = elf_find_section(o->elf, ".BTF");
	u32 ext = elf_find_section(o->elf, ".BTF.ext");

	if (!section || !o->elf->sections[section].size || !o->elf->sections[section].data)
		return 0;
	const struct elf_section *s = &o->elf->sections[section];
	u8 *bytes = mem_alloc(s->size);
	if (!bytes)
		return diag_nomem(d);
	memcpy(bytes, s->data, s->size);
	relocate(o->elf, section, bytes);
	int err = btf_new(bytes, s->size, "section '.BTF'", &o->btf, d);
	mem_free(bytes);
	if (err)
		return err;
	place_sections(o);
	if (ext && o->elf->sections[ext].data)
		err = btf_ext_new(
			o->elf->sections[ext].data, o->elf->sections[ext].size, o->btf, &o->ext, d);
	return err;
}
