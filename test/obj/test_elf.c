/* Files that are wrong in one place: each gets a message that says which place, and what is wrong with it. Arguments: an
 * object made of progs/data.bpf.c. */
#include <elf.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "weir/object.h"

static const char *path;

struct file {
	uint8_t *bytes;
	size_t len;
};

static struct file read_file(void)
{
	FILE *in = fopen(path, "rb");
	struct file f;

	assert_non_null(in);
	fseek(in, 0, SEEK_END);
	f.len = (size_t)ftell(in);
	rewind(in);
	f.bytes = malloc(f.len);
	assert_int_equal(fread(f.bytes, 1, f.len, in), f.len);
	fclose(in);
	return f;
}

static Elf64_Ehdr *header(struct file *f)
{
	return (Elf64_Ehdr *)(void *)f->bytes;
}

static Elf64_Shdr *table(struct file *f)
{
	return (Elf64_Shdr *)(void *)(f->bytes + header(f)->e_shoff);
}

static const char *section_name(struct file *f, unsigned i)
{
	return (char *)f->bytes + table(f)[header(f)->e_shstrndx].sh_offset + table(f)[i].sh_name;
}

static Elf64_Shdr *section(struct file *f, const char *name)
{
	for (unsigned i = 1; i < header(f)->e_shnum; i++)
		if (!strcmp(section_name(f, i), name))
			return &table(f)[i];
	fail_msg("no section %s", name);
	return NULL;
}

static Elf64_Sym *symbol(struct file *f, const char *name)
{
	Elf64_Shdr *symbols = section(f, ".symtab"), *strings = &table(f)[symbols->sh_link];
	Elf64_Sym *s = (Elf64_Sym *)(void *)(f->bytes + symbols->sh_offset);

	for (size_t i = 1; i < symbols->sh_size / sizeof(*s); i++)
		if (!strcmp((char *)f->bytes + strings->sh_offset + s[i].st_name, name))
			return &s[i];
	fail_msg("no symbol %s", name);
	return NULL;
}

static Elf64_Rel *reloc(struct file *f)
{
	return (Elf64_Rel *)(void *)(f->bytes + section(f, ".relxdp")->sh_offset);
}

/* ---- the wrong places ---- */

#define EDIT(name) static void name(struct file *f)
EDIT(not_elf) { f->bytes[0] = 'x'; }
EDIT(empty) { f->len = 0; }
EDIT(short_header) { f->len = 63; }
EDIT(class32) { f->bytes[EI_CLASS] = ELFCLASS32; }
EDIT(big_endian) { f->bytes[EI_DATA] = ELFDATA2MSB; }
EDIT(machine) { header(f)->e_machine = EM_X86_64; }
EDIT(executable) { header(f)->e_type = ET_EXEC; }
EDIT(entry_size) { header(f)->e_shentsize = 40; }
EDIT(table_behind) { header(f)->e_shoff = f->len + 1; }
EDIT(too_many) { header(f)->e_shnum = 60000; }
EDIT(names_behind) { header(f)->e_shstrndx = 999; }
EDIT(section_behind) { section(f, "xdp")->sh_offset = f->len - 8; }
EDIT(section_wraps) { section(f, "xdp")->sh_offset = UINT64_MAX - 4; }
EDIT(section_name_behind) { section(f, "xdp")->sh_name = 1 << 30; }
EDIT(huge_bss) { section(f, ".bss")->sh_size = 1ull << 40; }
EDIT(compressed) { section(f, "xdp")->sh_flags |= SHF_COMPRESSED; }
EDIT(half_insn) { section(f, "xdp")->sh_size -= 4, symbol(f, "count")->st_size -= 8; }
EDIT(no_symbols) { section(f, ".symtab")->sh_type = SHT_PROGBITS; }
EDIT(symbol_size) { section(f, ".symtab")->sh_entsize = 16; }
EDIT(symbol_section) { symbol(f, "count")->st_shndx = 0x1234; }
EDIT(symbol_behind) { symbol(f, "count")->st_value = 1 << 20; }
EDIT(symbol_name) { symbol(f, "count")->st_name = 1 << 30; }
EDIT(symbol_odd) { symbol(f, "count")->st_size = 12; }
EDIT(symbol_common) { symbol(f, "sum")->st_shndx = SHN_COMMON; }
EDIT(symbol_abs) { symbol(f, "sum")->st_shndx = SHN_ABS; }
EDIT(symbol_license) { symbol(f, "sum")->st_shndx = symbol(f, "_license")->st_shndx, symbol(f, "sum")->st_value = 0; }
EDIT(rela) { section(f, ".relxdp")->sh_type = SHT_RELA; }
EDIT(reloc_of) { section(f, ".relxdp")->sh_info = 777; }
EDIT(reloc_symbols) { section(f, ".relxdp")->sh_link = 0; }
EDIT(reloc_type) { reloc(f)->r_info = ELF64_R_INFO(1, 99); }
EDIT(reloc_symbol) { reloc(f)->r_info = ELF64_R_INFO(12345, 1); }
EDIT(reloc_behind) { reloc(f)->r_offset = 1 << 20; }
EDIT(reloc_odd) { reloc(f)->r_offset += 4; }
EDIT(reloc_other_insn) { reloc(f)->r_offset += 16; }
EDIT(reloc_call) { reloc(f)->r_info = ELF64_R_INFO(reloc(f)->r_info >> 32, 10); }
EDIT(reloc_twice) { reloc(f)[1] = reloc(f)[0]; }
EDIT(version) { section(f, "version")->sh_size = 3, symbol(f, "_version")->st_size = 3; }
EDIT(btf) { f->bytes[section(f, ".BTF")->sh_offset] = 0; }

static const struct {
	const char *name;
	void (*edit)(struct file *f);
	int err;
	const char *text;
} rows[] = {
#define ROW(name, err, text) {#name, name, err, text}
	ROW(not_elf, EINVAL, "not an ELF file: a BPF object as `clang -target bpf -c` makes it is needed"),
	ROW(empty, EINVAL, "not an ELF file"),
	ROW(short_header, EINVAL, "63 bytes are too few for an ELF header, which has 64"),
	ROW(class32, ENOTSUP, "an ELF file of class 1; BPF objects are of 64 bits"),
	ROW(big_endian, ENOTSUP, "a big-endian object: compile it with `-target bpfel`"),
	ROW(machine, ENOTSUP, "an object for ELF machine 62, not for BPF (247)"),
	ROW(executable, EINVAL, "ELF type 2; only relocatable objects (1)"),
	ROW(entry_size, EINVAL, "entries of the section table have 40 bytes instead of 64"),
	ROW(table_behind, EINVAL, "the section table begins at byte "),
	ROW(too_many, EINVAL, "60000 sections are declared, but the file ends after "),
	ROW(names_behind, EINVAL, "the section names are said to be in section 999 of "),
	ROW(section_behind, EINVAL, "are outside of the file, which has "),
	ROW(section_wraps, EINVAL, "are outside of the file, which has "),
	ROW(section_name_behind, EINVAL, "its name (offset 1073741824) isn't in the table of names"),
	ROW(huge_bss, E2BIG, "1099511627776 bytes of zeroed data, the limit is 268435456"),
	ROW(compressed, ENOTSUP, "is compressed; objects are loaded uncompressed only"),
	ROW(half_insn, EINVAL, "bytes aren't whole instructions, which have 8"),
	ROW(no_symbols, EINVAL, ""),
	ROW(symbol_size, EINVAL, "in entries of 16, where entries have 24"),
	ROW(symbol_section, EINVAL, "symbol 'count' ("),
	ROW(symbol_behind, EINVAL, "of section 'xdp', which has "),
	ROW(symbol_name, EINVAL, "its name (offset 1073741824) isn't in the table of strings"),
	ROW(symbol_odd, EINVAL, "section 'xdp': function 'count' has bytes 0 up to 12, which isn't on the bounds of "
				"instructions (8)"),
	ROW(symbol_common, ENOTSUP, "'sum' is a common variable: compile with -fno-common"),
	ROW(symbol_abs, ENOTSUP, "'sum' is an absolute address, which means nothing here"),
	ROW(symbol_license, EINVAL, "'sum' is in a section that is neither data (.data, .rodata, .bss), maps nor code"),
	ROW(rela, ENOTSUP, ": relocations with addends (SHT_RELA), which BPF objects don't have"),
	ROW(reloc_of, EINVAL, "section '.relxdp': relocates section 777, and there are "),
	ROW(reloc_symbols, EINVAL, "section '.relxdp': its symbols are said to be in section 0"),
	ROW(reloc_type, ENOTSUP, "section 'xdp': relocation 0 at offset 0 is of type 99, which isn't known"),
	ROW(reloc_symbol, EINVAL, "section 'xdp': relocation 0 (R_BPF_64_64) at offset 0 names symbol 12345"),
	ROW(reloc_behind, EINVAL, "section 'xdp': relocation 0 (R_BPF_64_64) at offset 1048576 is outside of its "),
	ROW(reloc_odd, EINVAL, "at offset 4, which isn't where an instruction begins"),
	ROW(reloc_other_insn, EINVAL, "section 'xdp', instruction 2: relocation R_BPF_64_64 for opcode 0x"),
	ROW(reloc_call, EINVAL, "section 'xdp', instruction 0: relocation R_BPF_64_32 for opcode 0x18"),
	ROW(reloc_twice, EINVAL, "section 'xdp', instruction 0: two relocations for one instruction"),
	ROW(version, EINVAL, "section 'version': 3 bytes, a kernel's version has 4"),
	ROW(btf, EINVAL, "section '.BTF': "),
#undef ROW
};

static void test_wrong_places(void **state)
{
	const struct weir_object_opts opts = {.name = "wrong.o"};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct file f = read_file();
		struct weir_object *o = NULL;
		struct weir_error error = {0};

		rows[i].edit(&f);
		uint8_t *exact = malloc(f.len ? f.len : 1);
		memcpy(exact, f.bytes, f.len);
		int err = weir_object_open_memory(exact, f.len, &opts, &o, &error);
		if (err != -rows[i].err || !strstr(error.message, rows[i].text))
			fail_msg("%s: %d, '%s'", rows[i].name, err, error.message);
		assert_null(o);
		assert_int_equal(error.where, WEIR_AT_TEXT);
		assert_string_equal(error.name, "wrong.o");
		free(exact);
		free(f.bytes);
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_wrong_places)};

	if (argc != 2) {
		printf("no object: there is no clang that makes it\n");
		return 77;
	}
	path = argv[1];
	return cmocka_run_group_tests(tests, NULL, NULL);
}
