/* Opening an object: the stages are obj_open's. Nothing is made and no machine is asked yet. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "obj/error.h"
#include "obj/obj.h"

static int read_license(struct weir_object *o, struct diag *d)
{
	u32 section = elf_find_section(o->elf, "license");
	const struct elf_section *s = &o->elf->sections[section];

	if (!section || !s->data)
		return 0;
	size_t len = strnlen((const char *)s->data, s->size);
	if (len > OBJ_LICENSE_BYTES_MAX)
		return diag_fail(d, obj_pos(o), EINVAL,
			"section 'license': %zu bytes, the limit is %u", len,
			OBJ_LICENSE_BYTES_MAX);
	o->license = arena_strndup(&o->arena, (const char *)s->data, len);
	return o->license ? 0 : diag_nomem(d);
}

static int check_version(struct weir_object *o, struct diag *d)
{
	u32 section = elf_find_section(o->elf, "version");

	if (section && o->elf->sections[section].size != sizeof(u32))
		return diag_fail(d, obj_pos(o), EINVAL,
			"section 'version': %zu bytes, a kernel's version has %zu",
			o->elf->sections[section].size, sizeof(u32));
	return 0;
}

/* In order: what a stage reads, those before it have found. */
static int (*const stages[])(struct weir_object *o, struct diag *d) = {
	obj_index_symbols,
	read_license,
	check_version,
	obj_read_types,
	obj_find_code,
	obj_find_programs,
	obj_find_maps,
	obj_find_externs,
	obj_find_refs,
	obj_find_entries,
	obj_find_pieces,
};

static int obj_open(struct weir_object *o, const void *bytes, size_t len, struct diag *d)
{
	int err = elf_open(bytes, len, o->name, &o->elf, d);

	for (size_t i = 0; !err && i < ARRAY_LEN(stages); i++)
		err = stages[i](o, d);
	return err;
}

static int take_opts(struct weir_object *o, const char *path, const struct weir_object_opts *opts,
	struct diag *d)
{
	const char *name = opts && opts->name ? opts->name : path ? path : "object";
	const char *slash = strrchr(name, '/');

	o->name = arena_strndup(&o->arena, name, strlen(name));
	if (!o->name)
		return diag_nomem(d);
	o->short_name = o->name + (slash ? slash + 1 - name : 0);
	if (!opts)
		return 0;
	o->default_type = opts->default_type;
	o->default_raw_bytes = opts->default_raw_bytes;
	if (opts->btf)
		o->btf_path = arena_strndup(&o->arena, opts->btf, strlen(opts->btf));
	if (opts->kconfig)
		o->kconfig_path = arena_strndup(&o->arena, opts->kconfig, strlen(opts->kconfig));
	if (opts->skip_passes)
		o->skip_passes = arena_strndup(&o->arena, opts->skip_passes, strlen(opts->skip_passes));
	if ((opts->btf && !o->btf_path) || (opts->kconfig && !o->kconfig_path) || (opts->skip_passes && !o->skip_passes))
		return diag_nomem(d);
	if (opts->default_type && !weir_program_type_name(opts->default_type))
		return diag_fail(d, obj_pos(o), EINVAL, "default_type: program type %u isn't known",
			(unsigned)opts->default_type);
	return 0;
}

static int open_bytes(const char *path, const void *bytes, size_t len,
	const struct weir_object_opts *opts, struct weir_object **object, struct weir_error *error)
{
	struct diag d = {0};
	struct weir_object *o = mem_zalloc(sizeof(*o));
	int err = o ? take_opts(o, path, opts, &d) : diag_nomem(&d);

	if (!err)
		err = obj_open(o, bytes, len, &d);
	if (err) {
		obj_error(o, error, err, &d);
		weir_object_free(o);
	} else {
		*object = o;
	}
	diag_fini(&d);
	return err;
}

int weir_object_open_memory(const void *bytes, size_t len, const struct weir_object_opts *opts,
	struct weir_object **object, struct weir_error *error)
{
	if (!bytes && len)
		return error_null(error, "bytes");
	if (!object)
		return error_null(error, "object");
	return open_bytes(NULL, bytes, len, opts, object, error);
}

/* ---- files ---- */

static int read_all(int fd, u8 *bytes, size_t len)
{
	for (size_t at = 0; at < len;) {
		ssize_t n = read(fd, bytes + at, len - at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : -EIO;
		at += (size_t)n;
	}
	return 0;
}

static int read_file(const char *path, u8 **bytes, size_t *len, struct diag *d)
{
	struct pos pos = pos_text(path, 0, 0);
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	int err = fd < 0 || fstat(fd, &st) ? -errno : 0;
	u8 *new = NULL;

	if (err)
		diag_fail(d, pos, -err, "%s", strerror(-err));
	else if (!S_ISREG(st.st_mode))
		err = diag_fail(d, pos, EINVAL, "not a regular file, so no BPF object");
	else if (st.st_size > (off_t)OBJ_FILE_BYTES_MAX)
		err = diag_fail(d, pos, EFBIG, "%lld bytes, the limit for an object is %u",
			(long long)st.st_size, OBJ_FILE_BYTES_MAX);
	if (!err) {
		new = mem_alloc((size_t)st.st_size);
		err = new ? read_all(fd, new, (size_t)st.st_size) : diag_nomem(d);
		if (err && err != -ENOMEM)
			diag_fail(d, pos, -err, "can't be read: %s", strerror(-err));
	}
	if (fd >= 0)
		close(fd);
	if (err) {
		mem_free(new);
		return err;
	}
	*bytes = new;
	*len = (size_t)st.st_size;
	return 0;
}

int weir_object_open(const char *path, const struct weir_object_opts *opts,
	struct weir_object **object, struct weir_error *error)
{
	struct diag d = {0};
	u8 *bytes;
	size_t len;

	if (!path)
		return error_null(error, "path");
	if (!object)
		return error_null(error, "object");
	int err = read_file(path, &bytes, &len, &d);
	if (err) {
		error_fill(error, err, &d);
	} else {
		err = open_bytes(path, bytes, len, opts, object, error);
		mem_free(bytes);
	}
	diag_fini(&d);
	return err;
}

void weir_object_free(struct weir_object *o)
{
	if (!o)
		return;
	for (u32 i = 0; i < o->nr_programs; i++)
		weir_program_free(o->programs[i].program);
	for (u32 i = 0; i < o->nr_maps; i++)
		if (!o->maps[i].given)
			weir_map_free(o->maps[i].map);
	btf_free(o->target);
	btf_ext_free(o->ext);
	btf_free(o->btf);
	elf_free(o->elf);
	arena_fini(&o->arena);
	mem_free(o);
}
