/* The relocations of an ELF file: whether each names bytes of its section and a symbol. */
#include <elf.h>
#include <errno.h>

#include "base/bytes.h"
#include "base/diag.h"
#include "obj/elf.h"

enum { REL_BYTES = sizeof(Elf64_Rel) };

static const struct reloc_row {
	const char *name;
	u32 type;
	/* What it is about, in bytes: in code, and in data, where LLVM before 14 used the types of code. */
	u32 code_bytes, data_bytes;
} reloc_rows[] = {
	{"R_BPF_NONE", ELF_R_BPF_NONE, 0, 0},
	{"R_BPF_64_64", ELF_R_BPF_64_64, 16, 8},
	{"R_BPF_64_ABS64", ELF_R_BPF_64_ABS64, 8, 8},
	{"R_BPF_64_ABS32", ELF_R_BPF_64_ABS32, 4, 4},
	{"R_BPF_64_NODYLD32", ELF_R_BPF_64_NODYLD32, 4, 4},
	{"R_BPF_64_32", ELF_R_BPF_64_32, 8, 4},
};

static const struct reloc_row *reloc_row(u32 type)
{
	for (size_t i = 0; i < ARRAY_LEN(reloc_rows); i++)
		if (reloc_rows[i].type == type)
			return &reloc_rows[i];
	return NULL;
}

const char *elf_reloc_name(u32 type)
{
	const struct reloc_row *row = reloc_row(type);

	return row ? row->name : NULL;
}

static int check_reloc(const struct elf *e, u32 rel, size_t i, struct diag *d)
{
	const struct elf_section *to = &e->sections[e->sections[rel].info];
	struct elf_reloc r = elf_reloc_at(e, rel, i);
	const struct reloc_row *row = reloc_row(r.type);
	unsigned long long off = r.off;

	if (!row)
		return diag_fail(d, pos_text(e->name, 0, 0), ENOTSUP,
			"section '%s': relocation %zu at offset %llu is of type %u, which isn't "
			"known "
			"(1, 2, 3, 4 and 10 are)",
			to->name, i, off, r.type);
	u32 bytes = elf_section_is_code(to) ? row->code_bytes : row->data_bytes;
	if (r.off > to->size || bytes > to->size - r.off)
		return diag_fail(d, pos_text(e->name, 0, 0), EINVAL,
			"section '%s': relocation %zu (%s) at offset %llu is outside of its %zu "
			"bytes",
			to->name, i, row->name, off, to->size);
	if (r.symbol >= e->nr_symbols)
		return diag_fail(d, pos_text(e->name, 0, 0), EINVAL,
			"section '%s': relocation %zu (%s) at offset %llu names symbol %u, and "
			"there "
			"are %u",
			to->name, i, row->name, off, r.symbol, e->nr_symbols);
	return 0;
}

int elf_check_relocs(const struct elf *e, struct diag *d)
{
	for (u32 i = 1; i < e->nr_sections; i++) {
		const struct elf_section *s = &e->sections[i];

		if (s->type != SHT_REL)
			continue;
		if (!s->info || s->info >= e->nr_sections)
			return diag_fail(d, pos_text(e->name, 0, 0), EINVAL,
				"section '%s': relocates section %u, and there are %u", s->name,
				s->info, e->nr_sections);
		if (e->sections[s->link].type != SHT_SYMTAB)
			return diag_fail(d, pos_text(e->name, 0, 0), EINVAL,
				"section '%s': its symbols are said to be in section %u, which is "
				"no "
				"table of symbols",
				s->name, s->link);
		for (size_t k = 0; k < elf_nr_relocs(e, i); k++) {
			int err = check_reloc(e, i, k, d);

			if (err)
				return err;
		}
	}
	return 0;
}

u32 elf_next_rel(const struct elf *elf, u32 of, u32 after)
{
	for (u32 i = after + 1; i < elf->nr_sections; i++)
		if (elf->sections[i].type == SHT_REL && elf->sections[i].info == of)
			return i;
	return 0;
}

size_t elf_nr_relocs(const struct elf *elf, u32 rel)
{
	return elf->sections[rel].size / REL_BYTES;
}

struct elf_reloc elf_reloc_at(const struct elf *elf, u32 rel, size_t i)
{
	const u8 *p = elf->sections[rel].data + i * REL_BYTES;
	u64 info = load_le64(p + 8);

	return (struct elf_reloc){load_le64(p), (u32)info, (u32)(info >> 32)};
}
