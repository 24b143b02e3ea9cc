/* Sections of an ELF file as libelf has them, for tests of what is in them. */
#ifndef WEIR_TEST_SECTIONS_H
#define WEIR_TEST_SECTIONS_H

#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"

/* Appends the bytes of the section; nothing if there is none. */
static inline void read_section(const char *path, const char *name, struct buf *out)
{
	int fd = open(path, O_RDONLY);
	size_t names;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (!elf || elf_getshdrstrndx(elf, &names))
		return;
	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn));) {
		GElf_Shdr header;
		Elf_Data *data = elf_rawdata(scn, NULL);
		const char *it = gelf_getshdr(scn, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;

		if (it && data && !strcmp(it, name))
			buf_put(out, data->d_buf, data->d_size);
	}
	elf_end(elf);
	close(fd);
}

#endif
