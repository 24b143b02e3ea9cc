/* Reads an ELF file of the BPF machine into tables. In order: the header by itself, the table of sections by itself (libelf
 * is handed nothing that points outside of the file), names and data through libelf, symbols, and relocations (elf_reloc.c). */
#include "obj/elf.h"

#include <elf.h>
#include <errno.h>
#include <gelf.h>
#include <libelf.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/limits.h"

enum {
	SECTION_BYTES = sizeof(Elf64_Shdr),
	SYMBOL_BYTES = sizeof(Elf64_Sym),
	REL_BYTES = sizeof(Elf64_Rel)
};

static struct pos pos_file(const struct elf *e)
{
	return pos_text(e->name, 0, 0);
}

/* ---- the header ---- */

static int check_ident(const struct elf *e, struct diag *d)
{
	const u8 *b = e->bytes;

	if (e->len < SELFMAG || memcmp(b, ELFMAG, SELFMAG))
		return diag_fail(d, pos_file(e), EINVAL,
			"not an ELF file: a BPF object as `clang -target bpf -c` makes it is "
			"needed");
	if (e->len < sizeof(Elf64_Ehdr))
		return diag_fail(d, pos_file(e), EINVAL,
			"%zu bytes are too few for an ELF header, which has %zu", e->len,
			sizeof(Elf64_Ehdr));
	if (b[EI_CLASS] != ELFCLASS64)
		return diag_fail(d, pos_file(e), ENOTSUP,
			"an ELF file of class %u; BPF objects are of 64 bits (class 2)",
			b[EI_CLASS]);
	if (b[EI_DATA] == ELFDATA2MSB)
		return diag_fail(d, pos_file(e), ENOTSUP,
			"a big-endian object: compile it with `-target bpfel`, this machine is "
			"little-endian");
	if (b[EI_DATA] != ELFDATA2LSB || b[EI_VERSION] != EV_CURRENT)
		return diag_fail(d, pos_file(e), EINVAL,
			"ELF byte order %u, version %u; 1 and 1 are known", b[EI_DATA],
			b[EI_VERSION]);
	return 0;
}

static int check_header(const struct elf *e, const Elf64_Ehdr *h, struct diag *d)
{
	/* Very old clang left the machine empty. */
	if (h->e_machine != EM_BPF && h->e_machine != EM_NONE)
		return diag_fail(d, pos_file(e), ENOTSUP,
			"an object for ELF machine %u, not for BPF (%u): compile it with `-target "
			"bpf`",
			h->e_machine, EM_BPF);
	if (h->e_type != ET_REL)
		return diag_fail(d, pos_file(e), EINVAL,
			"ELF type %u; only relocatable objects (1), as `-c` makes them, can be "
			"loaded",
			h->e_type);
	if (h->e_shentsize != SECTION_BYTES)
		return diag_fail(d, pos_file(e), EINVAL,
			"entries of the section table have %u bytes instead of %u", h->e_shentsize,
			(unsigned)SECTION_BYTES);
	if (!h->e_shoff || h->e_shoff > e->len || e->len - h->e_shoff < SECTION_BYTES)
		return diag_fail(d, pos_file(e), EINVAL,
			"the section table begins at byte %llu of a file of %zu",
			(unsigned long long)h->e_shoff, e->len);
	return 0;
}

/* ---- the table of sections ---- */

/* Number of sections and the one with their names: in the first entry when they don't fit the header. */
static int find_counts(
	const struct elf *e, const Elf64_Ehdr *h, u64 *nr, u64 *names, struct diag *d)
{
	Elf64_Shdr first;
	u64 room = (e->len - h->e_shoff) / SECTION_BYTES;

	memcpy(&first, e->bytes + h->e_shoff, SECTION_BYTES);
	*nr = h->e_shnum ? h->e_shnum : first.sh_size;
	*names = h->e_shstrndx == SHN_XINDEX ? first.sh_link : h->e_shstrndx;
	if (*nr > room)
		return diag_fail(d, pos_file(e), EINVAL,
			"%llu sections are declared, but the file ends after %llu",
			(unsigned long long)*nr, (unsigned long long)room);
	if (*nr > OBJ_MAX_SECTIONS)
		return diag_fail(d, pos_file(e), E2BIG, "%llu sections, the limit is %u",
			(unsigned long long)*nr, OBJ_MAX_SECTIONS);
	if (*names >= *nr)
		return diag_fail(d, pos_file(e), EINVAL,
			"the section names are said to be in section %llu of %llu",
			(unsigned long long)*names, (unsigned long long)*nr);
	return 0;
}

/* Bytes of an entry, for sections that are tables. */
static u64 entry_bytes(u32 type)
{
	return type == SHT_SYMTAB ? SYMBOL_BYTES : type == SHT_REL ? REL_BYTES : 1;
}

static int check_section(const struct elf *e, u32 i, u32 nr, const Elf64_Shdr *h, struct diag *d)
{
	u64 entry = entry_bytes(h->sh_type);

	if (h->sh_type == SHT_NULL)
		return 0;
	if (h->sh_type == SHT_NOBITS) {
		if (h->sh_size > OBJ_DATA_BYTES_MAX)
			return diag_fail(d, pos_file(e), E2BIG,
				"section %u: %llu bytes of zeroed data, the limit is %u", i,
				(unsigned long long)h->sh_size, OBJ_DATA_BYTES_MAX);
		return 0;
	}
	if (h->sh_offset > e->len || h->sh_size > e->len - h->sh_offset)
		return diag_fail(d, pos_file(e), EINVAL,
			"section %u: bytes %llu up to %llu are outside of the file, which has %zu",
			i, (unsigned long long)h->sh_offset,
			(unsigned long long)(h->sh_offset + h->sh_size), e->len);
	if (h->sh_type == SHT_RELA)
		return diag_fail(d, pos_file(e), ENOTSUP,
			"section %u: relocations with addends (SHT_RELA), which BPF objects don't have", i);
	if (h->sh_flags & SHF_COMPRESSED)
		return diag_fail(d, pos_file(e), ENOTSUP,
			"section %u is compressed; objects are loaded uncompressed only", i);
	if (h->sh_size % entry || (entry > 1 && h->sh_entsize != entry))
		return diag_fail(d, pos_file(e), EINVAL,
			"section %u: %llu bytes in entries of %llu, where entries have %llu", i,
			(unsigned long long)h->sh_size, (unsigned long long)h->sh_entsize,
			(unsigned long long)entry);
	if (entry > 1 && h->sh_link >= nr)
		return diag_fail(d, pos_file(e), EINVAL,
			"section %u: belongs to section %u, and there are %u", i, h->sh_link, nr);
	return 0;
}

static int check_sections(const struct elf *e, const Elf64_Ehdr *h, u32 nr, struct diag *d)
{
	for (u32 i = 1; i < nr; i++) {
		Elf64_Shdr s;

		memcpy(&s, e->bytes + h->e_shoff + (u64)i * SECTION_BYTES, SECTION_BYTES);
		int err = check_section(e, i, nr, &s, d);

		if (err)
			return err;
	}
	return 0;
}

/* A string that ends inside its section, or NULL. */
static const char *string_at(const struct elf_section *strings, u64 off)
{
	if (strings->type != SHT_STRTAB || off >= strings->size)
		return NULL;
	return memchr(strings->data + off, 0, strings->size - off)
		       ? (const char *)strings->data + off
		       : NULL;
}

/* What libelf reads must be what check_section saw. */
static int take_section(struct elf *e, u32 i, Elf_Scn *scn, u32 *name, struct diag *d)
{
	GElf_Shdr copy; /* elf64_getshdr's pointer needn't be aligned */
	const GElf_Shdr *h = scn ? gelf_getshdr(scn, &copy) : NULL;
	Elf_Data *data = h && h->sh_type != SHT_NULL ? elf_rawdata(scn, NULL) : NULL;
	struct elf_section *s = &e->sections[i];

	if (!h || (!data && h->sh_type != SHT_NULL && h->sh_type != SHT_NOBITS && h->sh_size))
		return diag_fail(
			d, pos_file(e), EINVAL, "section %u can't be read: %s", i, elf_errmsg(-1));
	*s = (struct elf_section){
		.name = "",
		.type = h->sh_type,
		.flags = h->sh_flags,
		.size = h->sh_type == SHT_NULL ? 0 : h->sh_size,
		.link = h->sh_link,
		.info = h->sh_info,
	};
	*name = h->sh_name;
	if (h->sh_type == SHT_NOBITS || !s->size)
		return 0;
	if (!data->d_buf || data->d_size != s->size)
		return diag_fail(d, pos_file(e), EINVAL, "section %u: %zu of %zu bytes can be read",
			i, data->d_buf ? data->d_size : 0, s->size);
	s->data = data->d_buf;
	return 0;
}

static int name_sections(struct elf *e, const u32 *names, u32 strings, struct diag *d)
{
	for (u32 i = 1; i < e->nr_sections; i++) {
		if (e->sections[i].type == SHT_NULL)
			continue;
		const char *name = string_at(&e->sections[strings], names[i]);

		if (!name)
			return diag_fail(d, pos_file(e), EINVAL,
				"section %u: its name (offset %u) isn't in the table of names", i,
				names[i]);
		e->sections[i].name = name;
	}
	return 0;
}

static int take_sections(struct elf *e, Elf *file, u32 nr, u32 strings, struct diag *d)
{
	u32 *names = mem_alloc(array_size(nr, sizeof(*names)));
	int err = 0;

	e->sections = mem_zalloc(array_size(nr, sizeof(*e->sections)));
	if (!names || !e->sections)
		err = diag_nomem(d);
	else
		e->nr_sections = nr;
	if (!err)
		e->sections[0].name = "";
	for (u32 i = 1; !err && i < nr; i++)
		err = take_section(e, i, elf_getscn(file, i), &names[i], d);
	if (!err)
		err = name_sections(e, names, strings, d);
	mem_free(names);
	return err;
}

static int read_sections(struct elf *e, struct diag *d)
{
	Elf64_Ehdr h;
	u64 nr, strings;
	int err = check_ident(e, d);

	if (err)
		return err;
	memcpy(&h, e->bytes, sizeof(h));
	err = check_header(e, &h, d);
	if (!err)
		err = find_counts(e, &h, &nr, &strings, d);
	if (!err)
		err = check_sections(e, &h, (u32)nr, d);
	if (err)
		return err;
	Elf *file =
		elf_version(EV_CURRENT) != EV_NONE ? elf_memory((char *)e->bytes, e->len) : NULL;
	if (!file)
		return diag_fail(
			d, pos_file(e), EINVAL, "libelf can't read the file: %s", elf_errmsg(-1));
	err = take_sections(e, file, (u32)nr, (u32)strings, d);
	elf_end(file); /* raw data stays where it was, in e->bytes */
	return err;
}

/* ---- symbols ---- */

static int take_symbol(struct elf *e, const struct elf_section *table, u32 i, struct diag *d)
{
	Elf64_Sym s;
	struct elf_symbol *out = &e->symbols[i];

	memcpy(&s, table->data + (size_t)i * SYMBOL_BYTES, sizeof(s));
	*out = (struct elf_symbol){
		.name = string_at(&e->sections[table->link], s.st_name),
		.value = s.st_value,
		.size = s.st_size,
		.bind = ELF64_ST_BIND(s.st_info),
		.type = ELF64_ST_TYPE(s.st_info),
		.visibility = ELF64_ST_VISIBILITY(s.st_other),
		.section = s.st_shndx,
	};
	if (!i) {
		out->name = "";
		return 0;
	}
	if (!out->name)
		return diag_fail(d, pos_file(e), EINVAL,
			"symbol %u: its name (offset %u) isn't in the table of strings", i,
			s.st_name);
	if (s.st_shndx == SHN_XINDEX)
		return diag_fail(d, pos_file(e), ENOTSUP,
			"symbol '%s' (%u): its section's number is in a table of its own, which is "
			"not supported",
			out->name, i);
	if (s.st_shndx < SHN_LORESERVE && s.st_shndx >= e->nr_sections)
		return diag_fail(d, pos_file(e), EINVAL,
			"symbol '%s' (%u): is in section %u, and there are %u", out->name, i,
			s.st_shndx, e->nr_sections);
	if (out->type == STT_SECTION && s.st_shndx < SHN_LORESERVE)
		out->name = e->sections[s.st_shndx].name;
	return 0;
}

/* A symbol with a size must be inside its section. Labels may stand at its end. */
static int check_symbol_place(const struct elf *e, u32 i, struct diag *d)
{
	const struct elf_symbol *s = &e->symbols[i];

	if (!s->section || s->section >= SHN_LORESERVE)
		return 0;
	const struct elf_section *section = &e->sections[s->section];
	if (s->value > section->size || s->size > section->size - s->value)
		return diag_fail(d, pos_file(e), EINVAL,
			"symbol '%s' (%u): bytes %llu up to %llu of section '%s', which has %zu",
			s->name, i, (unsigned long long)s->value,
			(unsigned long long)(s->value + s->size), section->name, section->size);
	return 0;
}

static int read_symbols(struct elf *e, struct diag *d)
{
	u32 table = 0;
	int err = 0;

	for (u32 i = 1; i < e->nr_sections; i++) {
		if (e->sections[i].type != SHT_SYMTAB)
			continue;
		if (table)
			return diag_fail(d, pos_file(e), EINVAL,
				"sections %u and %u are both tables of symbols, an object has one",
				table, i);
		table = i;
	}
	if (!table)
		return diag_fail(d, pos_file(e), EINVAL,
			"the object has no symbols: they are needed to find programs and maps (was "
			"it "
			"stripped? `strip -g` keeps them)");
	const struct elf_section *s = &e->sections[table];
	u64 nr = s->size / SYMBOL_BYTES;
	if (nr > OBJ_MAX_SYMBOLS)
		return diag_fail(d, pos_file(e), E2BIG, "%llu symbols, the limit is %u",
			(unsigned long long)nr, OBJ_MAX_SYMBOLS);
	e->symbols = mem_zalloc(array_size(nr, sizeof(*e->symbols)));
	if (!e->symbols)
		return diag_nomem(d);
	e->nr_symbols = (u32)nr;
	for (u32 i = 0; !err && i < nr; i++)
		err = take_symbol(e, s, i, d);
	for (u32 i = 1; !err && i < nr; i++)
		err = check_symbol_place(e, i, d);
	return err;
}

/* ---- the whole ---- */

int elf_open(const void *bytes, size_t len, const char *name, struct elf **elf, struct diag *d)
{
	struct elf *e = mem_zalloc(sizeof(*e));
	int err;

	if (!e)
		return diag_nomem(d);
	e->name = mem_strdup(name);
	e->bytes = mem_alloc(len);
	if (!e->name || !e->bytes) {
		elf_free(e);
		return diag_nomem(d);
	}
	if (len)
		memcpy(e->bytes, bytes, len);
	e->len = len;
	err = read_sections(e, d);
	if (!err)
		err = read_symbols(e, d);
	if (!err)
		err = elf_check_relocs(e, d);
	if (err) {
		elf_free(e);
		return err;
	}
	*elf = e;
	return 0;
}

void elf_free(struct elf *elf)
{
	if (!elf)
		return;
	mem_free(elf->symbols);
	mem_free(elf->sections);
	mem_free(elf->bytes);
	mem_free(elf->name);
	mem_free(elf);
}

u32 elf_find_section(const struct elf *elf, const char *name)
{
	for (u32 i = 1; i < elf->nr_sections; i++)
		if (elf->sections[i].type != SHT_NULL && !strcmp(elf->sections[i].name, name))
			return i;
	return 0;
}
