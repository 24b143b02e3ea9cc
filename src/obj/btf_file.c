/* BTF from a file, raw or in a section of an ELF file. */
#include "obj/btf_inside.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/diag.h"

/* Of raw BTF: a kernel's is some 6 MiB. ELF files are mapped and may have any size. */
#define BTF_FILE_BYTES_MAX (256u << 20)

static int fail_elf(const char *path, struct diag *d)
{
	return diag_fail(d, pos_none(), EINVAL, "%s: %s", path, elf_errmsg(-1));
}

static int fail_errno(const char *path, struct diag *d)
{
	return diag_fail(d, pos_none(), errno, "%s: %s", path, strerror(errno));
}

static int find_section(Elf *elf, const char *path, Elf_Data **data, struct diag *d)
{
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return fail_elf(path, d);
	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn));) {
		GElf_Shdr header;
		const char *name;

		if (!gelf_getshdr(scn, &header))
			return fail_elf(path, d);
		name = elf_strptr(elf, names, header.sh_name);
		if (!name || strcmp(name, ".BTF"))
			continue;
		*data = header.sh_type == SHT_NOBITS ? NULL : elf_rawdata(scn, NULL);
		if (!*data || ((*data)->d_size && !(*data)->d_buf))
			return diag_fail(
				d, pos_none(), EINVAL, "%s: section .BTF has no bytes", path);
		return 0;
	}
	return diag_fail(d, pos_none(), ENOENT,
		"%s: an ELF file without a section .BTF: it was built without -g", path);
}

static int read_elf(int fd, const char *path, struct btf **btf, struct diag *d)
{
	Elf_Data *data = NULL;
	Elf *elf;
	int err;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (!elf)
		return fail_elf(path, d);
	err = find_section(elf, path, &data, d);
	if (!err)
		err = btf_new(data->d_buf, data->d_size, path, btf, d);
	elf_end(elf);
	return err;
}

/* At least `min` bytes, unless the file is shorter, as far as the file goes if min is SIZE_MAX. */
static int read_bytes(int fd, const char *path, size_t min, struct buf *out, struct diag *d)
{
	u8 chunk[65536];

	while (out->len < min) {
		ssize_t n = read(fd, chunk, sizeof(chunk));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return fail_errno(path, d);
		if (n == 0)
			break;
		if (out->len + (size_t)n > BTF_FILE_BYTES_MAX)
			return diag_fail(d, pos_none(), EFBIG, "%s: BTF of more than %u MiB", path,
				BTF_FILE_BYTES_MAX >> 20);
		buf_put(out, chunk, (size_t)n);
	}
	return out->failed ? diag_nomem(d) : 0;
}

int btf_open_file(const char *path, struct btf **btf, struct diag *d)
{
	struct buf file = {0};
	int fd = open(path, O_RDONLY | O_CLOEXEC), err;

	if (fd < 0)
		return fail_errno(path, d);
	err = read_bytes(fd, path, 4, &file, d);
	if (!err && file.len >= 4 && !memcmp(file.data, "\177ELF", 4)) {
		err = read_elf(fd, path, btf, d);
	} else if (!err) {
		err = read_bytes(fd, path, SIZE_MAX, &file, d);
		if (!err) {
			err = btf_take(file.data, file.len, path, btf, d);
			file = (struct buf){0};
		}
	}
	buf_fini(&file);
	close(fd);
	return err;
}
