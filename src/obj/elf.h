/* The sections, symbols and relocations of a BPF object. Everything is checked when it is opened, so that the offsets and
 * indices below need no further question. */
#ifndef WEIR_OBJ_ELF_H
#define WEIR_OBJ_ELF_H

#include "base/types.h"

struct diag;

struct elf_section {
	const char *name;
	u32 type; /* SHT_... */
	u64 flags; /* SHF_... */
	const u8 *data; /* borrowed from the file; NULL for SHT_NOBITS */
	size_t size; /* bytes, also of SHT_NOBITS */
	u32 link, info;
};

struct elf_symbol {
	const char *name; /* of a section symbol the section's */
	u64 value, size;
	u8 bind, type, visibility; /* STB_..., STT_..., STV_... */
	u32 section; /* an index, 0 (undefined), or SHN_ABS and above */
};

struct elf_reloc {
	u64 off; /* bytes from the start of the section */
	u32 type; /* R_BPF_... */
	u32 symbol;
};

/* Owns all of it; sections[0] and symbols[0] are ELF's empty entries. */
struct elf {
	char *name; /* begins messages */
	u8 *bytes;
	size_t len;
	struct elf_section *sections;
	u32 nr_sections;
	struct elf_symbol *symbols;
	u32 nr_symbols;
};

enum { /* relocations, LLVM's numbers */
	ELF_R_BPF_NONE = 0,
	ELF_R_BPF_64_64 = 1,
	ELF_R_BPF_64_ABS64 = 2,
	ELF_R_BPF_64_ABS32 = 3,
	ELF_R_BPF_64_NODYLD32 = 4,
	ELF_R_BPF_64_32 = 10,
};

/* From the bytes of a file, which are copied. -EINVAL, -ENOTSUP (another machine or byte order), -ENOMEM, with file and
 * section in d. */
int elf_open(const void *bytes, size_t len, const char *name, struct elf **elf, struct diag *d);
void elf_free(struct elf *elf);

/* Index of the first section of that name, 0: none. */
u32 elf_find_section(const struct elf *elf, const char *name);
/* The SHT_REL section of section `of` behind `after` (0: the first), 0: no more. */
u32 elf_next_rel(const struct elf *elf, u32 of, u32 after);
size_t elf_nr_relocs(const struct elf *elf, u32 rel);
/* i below elf_nr_relocs. Offset, type and symbol are in range of what they name. */
struct elf_reloc elf_reloc_at(const struct elf *elf, u32 rel, size_t i);
const char *elf_reloc_name(u32 type); /* "R_BPF_64_64", or NULL */

/* elf_reloc.c, for elf_open. */
int elf_check_relocs(const struct elf *elf, struct diag *d);

static inline bool elf_section_is_code(const struct elf_section *s)
{
	return s->type == 1 /* SHT_PROGBITS */ && (s->flags & 4 /* SHF_EXECINSTR */) && s->size;
}

#endif
