/* The file as it is, before anything is linked. */
#include "cli/print_elf.h"

#include <elf.h>
#include <string.h>

#include "base/buf.h"
#include "isa/isa.h"
#include "obj/elf.h"

static void print_sections(const struct elf *e, struct buf *out)
{
	buf_puts(out, "sections:\n");
	for (u32 i = 1; i < e->nr_sections; i++) {
		const struct elf_section *s = &e->sections[i];
		const char *kind = elf_section_is_code(s)    ? "code"
				   : s->type == SHT_REL      ? "relocations"
				   : s->type == SHT_SYMTAB   ? "symbols"
				   : s->type == SHT_STRTAB   ? "strings"
				   : s->type == SHT_NOBITS   ? "zeroes"
				   : !(s->flags & SHF_ALLOC) ? "notes"
				   : s->flags & SHF_WRITE    ? "data"
							     : "read-only data";

		buf_printf(out, "  %3u  %-28s %-14s %8zu bytes\n", i, s->name, kind, s->size);
	}
}

static const char *section_name(const struct elf *e, u32 section)
{
	if (!section)
		return "(undefined)";
	return section < e->nr_sections ? e->sections[section].name : "(none)";
}

static void print_symbols(const struct elf *e, struct buf *out)
{
	static const char *const types[] = {
		[STT_OBJECT] = "object", [STT_FUNC] = "function", [STT_SECTION] = "section"};
	static const char *const binds[] = {
		[STB_LOCAL] = "local", [STB_GLOBAL] = "global", [STB_WEAK] = "weak"};

	buf_puts(out, "symbols:\n");
	for (u32 i = 1; i < e->nr_symbols; i++) {
		const struct elf_symbol *s = &e->symbols[i];
		const char *type = s->type < ARRAY_LEN(types) ? types[s->type] : NULL;
		const char *bind = s->bind < ARRAY_LEN(binds) ? binds[s->bind] : NULL;

		if (!type && !*s->name)
			continue;
		buf_printf(out, "  %3u  %-28s %-9s %-7s %s+0x%llx, %llu bytes\n", i, s->name,
			type ? type : "", bind ? bind : "", section_name(e, s->section),
			(unsigned long long)s->value, (unsigned long long)s->size);
	}
}

/* The relocation at a byte of a section, if there is one. */
static bool reloc_at(const struct elf *e, u32 section, u64 off, struct elf_reloc *out)
{
	for (u32 rel = elf_next_rel(e, section, 0); rel; rel = elf_next_rel(e, section, rel))
		for (size_t i = 0; i < elf_nr_relocs(e, rel); i++) {
			*out = elf_reloc_at(e, rel, i);
			if (out->off == off)
				return true;
		}
	return false;
}

static void print_label(const struct elf *e, u32 section, u64 off, struct buf *out)
{
	for (u32 i = 1; i < e->nr_symbols; i++) {
		const struct elf_symbol *s = &e->symbols[i];

		if (s->section == section && s->value == off && s->type == STT_FUNC)
			buf_printf(out, "%s:\n", s->name);
	}
}

static void print_code(const struct elf *e, u32 section, struct buf *out)
{
	const struct elf_section *s = &e->sections[section];
	size_t nr = s->size / sizeof(struct insn);
	struct insn i[2];

	buf_printf(out, "section %s:\n", s->name);
	for (size_t pc = 0; pc < nr; pc++) {
		struct elf_reloc r;

		print_label(e, section, pc * sizeof(*i), out);
		memcpy(i, s->data + pc * sizeof(*i), sizeof(*i));
		bool wide = insn_is_ld_imm64(i[0]) && pc + 1 < nr;
		if (wide)
			memcpy(i + 1, s->data + (pc + 1) * sizeof(*i), sizeof(*i));
		buf_printf(out, "%5zu: ", pc);
		insn_print(out, i[0], wide ? &i[1] : NULL);
		if (reloc_at(e, section, pc * sizeof(*i), &r)) {
			const char *type = elf_reloc_name(r.type);

			buf_printf(out, "    ; %s %s", type ? type : "unknown relocation",
				e->symbols[r.symbol].name);
		}
		buf_puts(out, "\n");
		pc += wide;
	}
}

int print_elf(const char *name, const void *bytes, size_t len, struct buf *out, struct diag *d)
{
	struct elf *e;
	int err = elf_open(bytes, len, name, &e, d);

	if (err)
		return err;
	print_sections(e, out);
	print_symbols(e, out);
	for (u32 i = 1; i < e->nr_sections; i++)
		if (elf_section_is_code(&e->sections[i]))
			print_code(e, i, out);
	elf_free(e);
	return 0;
}
