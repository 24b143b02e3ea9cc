/* The list that a debugger finds by its name, and the file behind each entry: one section for the code, which isn't in the
 * file, symbols, and .eh_frame. */
#include "jit/debugger.h"

#include <elf.h>
#include <pthread.h>
#include <string.h>

#include "jit/announce.h"
#include "jit/target.h"
#include "jit/unwind.h"

/* ---- the file ---- */

enum { TEXT = 1, EH_FRAME, SYMTAB, STRTAB, NR_SECTIONS };

static const char section_names[] = "\0.text\0.eh_frame\0.symtab\0.strtab";
static const u8 name_offsets[NR_SECTIONS] = {0, 1, 7, 17, 25};

struct file {
	Elf64_Ehdr header;
	Elf64_Shdr sections[NR_SECTIONS];
};

static void put_symbols(const struct jit_image *image, u64 base, const struct prog *p,
	struct buf *symbols, struct buf *strings)
{
	Elf64_Sym none = {0};

	buf_put(symbols, &none, sizeof(none));
	buf_put(strings, section_names, sizeof(section_names));
	for (u32 i = 0; i < image->nr_functions; i++) {
		const struct jit_function *f = &image->functions[i];
		Elf64_Sym s = {.st_name = (u32)strings->len,
			.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
			.st_shndx = TEXT,
			.st_value = base + f->at,
			.st_size = f->end - f->at};

		buf_put(symbols, &s, sizeof(s));
		announce_name(p, f, strings);
		buf_u8(strings, 0);
	}
}

static void init_header(struct file *file, const struct jit_image *image)
{
	memcpy(file->header.e_ident, ELFMAG, SELFMAG);
	file->header.e_ident[EI_CLASS] = ELFCLASS64;
	file->header.e_ident[EI_DATA] = ELFDATA2LSB;
	file->header.e_ident[EI_VERSION] = EV_CURRENT;
	file->header.e_type = ET_EXEC;
	file->header.e_machine = image->target->elf_machine;
	file->header.e_version = EV_CURRENT;
	file->header.e_shoff = offsetof(struct file, sections);
	file->header.e_ehsize = sizeof(file->header);
	file->header.e_shentsize = sizeof(file->sections[0]);
	file->header.e_shnum = NR_SECTIONS;
	file->header.e_shstrndx = STRTAB;
}

static void put_section(struct file *file, unsigned which, Elf64_Shdr section,
	const struct buf *bytes, struct buf *out)
{
	section.sh_name = name_offsets[which];
	if (bytes) {
		section.sh_offset = out->len;
		section.sh_size = bytes->len;
		buf_put(out, bytes->data, bytes->len);
	}
	section.sh_addralign = 8;
	file->sections[which] = section;
}

void debugger_file(const struct jit_image *image, u64 base, const struct prog *p, struct buf *out)
{
	struct buf frames = {0}, symbols = {0}, strings = {0};
	struct file file = {0};

	init_header(&file, image);
	buf_put(out, &file, sizeof(file));
	unwind_table(image, base, &frames);
	put_symbols(image, base, p, &symbols, &strings);
	put_section(&file, TEXT,
		(Elf64_Shdr){.sh_type = SHT_NOBITS,
			.sh_flags = SHF_ALLOC | SHF_EXECINSTR,
			.sh_addr = base,
			.sh_size = image->code.len},
		NULL, out);
	put_section(&file, SYMTAB,
		(Elf64_Shdr){.sh_type = SHT_SYMTAB,
			.sh_link = STRTAB,
			.sh_info = 1,
			.sh_entsize = sizeof(Elf64_Sym)},
		&symbols, out);
	put_section(&file, EH_FRAME, (Elf64_Shdr){.sh_type = SHT_PROGBITS, .sh_flags = SHF_ALLOC},
		&frames, out);
	put_section(&file, STRTAB, (Elf64_Shdr){.sh_type = SHT_STRTAB}, &strings, out);
	if (frames.failed || symbols.failed || strings.failed)
		out->failed = true;
	if (!out->failed)
		memcpy(out->data, &file, sizeof(file));
	buf_fini(&frames);
	buf_fini(&symbols);
	buf_fini(&strings);
}

/* ---- the list ---- */

enum { NO_ACTION, ADDED, REMOVED };

struct descriptor {
	u32 version;
	u32 action;
	struct debugger_entry *about; /* what was just added or removed */
	struct debugger_entry *first;
};

/* The debugger knows these two by their names, and stops at the function to look at what has changed. */
__attribute__((visibility("default"))) struct descriptor __jit_debug_descriptor;
__attribute__((visibility("default"), noinline)) void __jit_debug_register_code(void);

struct descriptor __jit_debug_descriptor = {.version = 1};

void __jit_debug_register_code(void)
{
	__asm__ volatile("" ::: "memory");
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void tell(u32 action, struct debugger_entry *e)
{
	__jit_debug_descriptor.action = action;
	__jit_debug_descriptor.about = e;
	__jit_debug_register_code();
	__jit_debug_descriptor.action = NO_ACTION;
	__jit_debug_descriptor.about = NULL;
}

void debugger_add(struct debugger_entry *e)
{
	pthread_mutex_lock(&lock);
	e->next = __jit_debug_descriptor.first;
	e->prev = NULL;
	if (e->next)
		e->next->prev = e;
	__jit_debug_descriptor.first = e;
	tell(ADDED, e);
	pthread_mutex_unlock(&lock);
}

void debugger_remove(struct debugger_entry *e)
{
	pthread_mutex_lock(&lock);
	if (e->prev)
		e->prev->next = e->next;
	else
		__jit_debug_descriptor.first = e->next;
	if (e->next)
		e->next->prev = e->prev;
	tell(REMOVED, e);
	pthread_mutex_unlock(&lock);
}
