/* Kernel configurations: the lines CONFIG_NAME=VALUE of a file, and what an extern of a type makes of a value. Which types and
 * values go together is libbpf's rule, which objects are written for. */
#include "obj/kconfig.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <zlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/bytes.h"
#include "base/diag.h"
#include "base/text.h"
#include "obj/btf.h"

/* Of the text, unpacked: a kernel's is some 300 KiB. */
#define KCONFIG_BYTES_MAX (16u << 20)

struct setting {
	const char *name, *value; /* in the text */
};

struct kconfig {
	char *name;               /* owned */
	struct buf text;          /* lines and names end with NUL */
	struct setting *settings; /* owned; sorted by name */
	size_t nr, cap;
	u32 version; /* of the kernel, as the text's first lines have it; 0: they don't */
};

/* ---- reading ---- */

static u32 version_of(const char *text)
{
	unsigned major, minor, patch = 0;

	if (sscanf(text, "%u.%u.%u", &major, &minor, &patch) < 2 || major > 255 || minor > 255)
		return 0;
	return major << 16 | minor << 8 | (patch < 255 ? patch : 255);
}

/* "# Linux/x86 6.18.44 Kernel Configuration" */
static void read_comment(struct kconfig *k, const char *line)
{
	const char *arch = strstr(line, "# Linux/"), *blank = arch ? strchr(arch + 8, ' ') : NULL;

	if (blank && strstr(blank, "Kernel Configuration") && !k->version)
		k->version = version_of(blank + 1);
}

static int by_name(const void *a, const void *b)
{
	const struct setting *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : x->name < y->name ? -1 : x->name > y->name;
}

/* Of a setting that is there twice the first one counts. */
static void sort_settings(struct kconfig *k)
{
	size_t nr = 0;

	if (k->nr)
		qsort(k->settings, k->nr, sizeof(*k->settings), by_name);
	for (size_t i = 0; i < k->nr; i++)
		if (!nr || strcmp(k->settings[nr - 1].name, k->settings[i].name))
			k->settings[nr++] = k->settings[i];
	k->nr = nr;
}

static const struct setting *find_setting(const struct kconfig *k, const char *name)
{
	size_t low = 0, high = k ? k->nr : 0;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		int order = strcmp(k->settings[mid].name, name);

		if (!order)
			return &k->settings[mid];
		if (order < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return NULL;
}

static int read_line(struct kconfig *k, char *line, u32 number, struct diag *d)
{
	size_t len = strlen(line);
	char *equals;

	if (len && line[len - 1] == '\r')
		line[len - 1] = '\0';
	if (line[0] == '#')
		read_comment(k, line);
	if (strncmp(line, "CONFIG_", 7))
		return 0;
	equals = strchr(line, '=');
	if (!equals || !equals[1])
		return diag_fail(d, pos_text(k->name, number, 1), EINVAL,
			"a line of a configuration is CONFIG_NAME=VALUE");
	*equals = '\0';
	if (array_grow((void **)&k->settings, &k->cap, k->nr + 1, sizeof(*k->settings)))
		return diag_nomem(d);
	k->settings[k->nr++] = (struct setting){line, equals + 1};
	return 0;
}

static int read_text(struct kconfig *k, struct diag *d)
{
	u32 number = 1;
	int err = 0;

	buf_u8(&k->text, '\n');
	buf_u8(&k->text, '\0');
	if (k->text.failed)
		return diag_nomem(d);
	for (char *line = (char *)k->text.data, *end; !err && (end = strchr(line, '\n'));
		line = end + 1, number++) {
		*end = '\0';
		err = read_line(k, line, number, d);
	}
	if (!err)
		sort_settings(k);
	return err;
}

static int take_text(struct kconfig *k, const char *name, struct kconfig **out, struct diag *d)
{
	int err = 0;

	k->name = mem_strdup(name);
	if (!k->name)
		err = diag_nomem(d);
	if (!err)
		err = read_text(k, d);
	if (err)
		kconfig_free(k);
	else
		*out = k;
	return err;
}

int kconfig_new(const void *bytes, size_t len, const char *name, struct kconfig **k, struct diag *d)
{
	struct kconfig *new = mem_zalloc(sizeof(*new));

	if (!new)
		return diag_nomem(d);
	buf_put(&new->text, bytes, len);
	return take_text(new, name, k, d);
}

/* zlib reads plain files as they are. */
static int read_file(const char *path, gzFile file, struct buf *out, struct diag *d)
{
	static const int chunk_bytes = 65536;
	u8 *chunk = mem_alloc((size_t)chunk_bytes);
	int n, err = 0;

	if (!chunk)
		return diag_nomem(d);
	while (!err && (n = gzread(file, chunk, (unsigned)chunk_bytes)) > 0) {
		buf_put(out, chunk, (size_t)n);
		if (out->len > KCONFIG_BYTES_MAX)
			err = diag_fail(d, pos_none(), EFBIG,
				"%s: a configuration of more than %u MiB", path,
				KCONFIG_BYTES_MAX >> 20);
	}
	if (!err && n < 0)
		err = diag_fail(d, pos_none(), EINVAL, "%s: %s", path, gzerror(file, &n));
	mem_free(chunk);
	return err;
}

static int open_path(const char *path, struct kconfig **k, struct diag *d)
{
	struct kconfig *new = mem_zalloc(sizeof(*new));
	gzFile file = new ? gzopen(path, "rbe") : NULL;
	int err;

	if (!file) {
		err = new ? diag_fail(d, pos_none(), errno ? errno : ENOMEM, "%s: %s", path,
				    strerror(errno))
			  : diag_nomem(d);
		mem_free(new);
		return err;
	}
	err = read_file(path, file, &new->text, d);
	if (gzclose_r(file) == Z_BUF_ERROR && !err)
		err = diag_fail(d, pos_none(), EINVAL, "%s: the packed configuration is cut off", path);
	if (err) {
		kconfig_free(new);
		return err;
	}
	return take_text(new, path, k, d);
}

int kconfig_open(const char *path, struct kconfig **k, struct diag *d)
{
	char boot[sizeof(struct utsname)];
	struct utsname name;

	if (path)
		return open_path(path, k, d);
	if (!access("/proc/config.gz", R_OK))
		return open_path("/proc/config.gz", k, d);
	if (uname(&name))
		return diag_fail(d, pos_none(), errno, "uname: %s", strerror(errno));
	snprintf(boot, sizeof(boot), "/boot/config-%.100s", name.release);
	if (!access(boot, R_OK))
		return open_path(boot, k, d);
	return diag_fail(d, pos_none(), ENOENT,
		"this machine has neither /proc/config.gz nor %s: name a kernel configuration",
		boot);
}

void kconfig_free(struct kconfig *k)
{
	if (!k)
		return;
	mem_free(k->name);
	buf_fini(&k->text);
	mem_free(k->settings);
	mem_free(k);
}

/* ---- what names mean ---- */

static u32 this_kernels_version(void)
{
	struct utsname name;

	return uname(&name) ? 0 : version_of(name.release);
}

/* Externs that libbpf answers by what it finds out of a kernel. Of those programs here have none of what is asked for. */
static bool virtual_value(const struct kconfig *k, const char *name, u64 *value)
{
	if (!strcmp(name, "LINUX_KERNEL_VERSION")) {
		*value = k && k->version ? k->version : this_kernels_version();
		return true;
	}
	if (!strcmp(name, "LINUX_HAS_BPF_COOKIE") || !strcmp(name, "LINUX_HAS_SYSCALL_WRAPPER")) {
		*value = 0;
		return true;
	}
	return false;
}

bool kconfig_is_needed(const char *name)
{
	u64 value;

	return !virtual_value(NULL, name, &value);
}

struct extern_var {
	const struct kconfig *k;
	const char *name;
	struct btf_info type;    /* without typedefs and qualifiers */
	struct btf_info element; /* of an array */
	u8 *bytes;
	size_t len;
	struct diag *d;
};

static int fail(const struct extern_var *v, int err, const char *value, const char *why)
{
	return diag_fail(v->d, pos_none(), err, "extern %s: its value %s%s%s%s", v->name, value,
		v->k ? " in " : "", v->k ? v->k->name : "", why);
}

static bool is_tristate(const struct btf_info *type)
{
	return type->kind == BTF_ENUM && !strcmp(type->name, "libbpf_tristate");
}

static void store(const struct extern_var *v, u64 value)
{
	for (size_t i = 0; i < v->len; i++)
		v->bytes[i] = i < 8 ? (u8)(value >> 8 * i) : 0;
}

/* y, m, n */
static int store_letter(const struct extern_var *v, const char *value)
{
	if (v->type.kind == BTF_INT && v->type.is_bool) {
		if (value[0] == 'm')
			return fail(v, EINVAL, value,
				" is neither y nor n, and a bool can't be m: make it an enum "
				"libbpf_tristate");
		store(v, value[0] == 'y');
		return 0;
	}
	if (is_tristate(&v->type)) {
		store(v, value[0] == 'y' ? 1 : value[0] == 'm' ? 2 : 0);
		return 0;
	}
	if (v->type.kind == BTF_INT && v->type.size == 1) {
		store(v, (u8)value[0]);
		return 0;
	}
	return fail(v, EINVAL, value, " is for a bool, a char or an enum libbpf_tristate");
}

static int store_string(const struct extern_var *v, const char *value)
{
	size_t len = strlen(value);

	if (v->type.kind != BTF_ARRAY || v->element.kind != BTF_INT || v->element.size != 1)
		return fail(v, EINVAL, value, " is a string, which is for an array of char");
	if (len < 2 || value[len - 1] != '"')
		return fail(v, EINVAL, value, " has no quotes at its end");
	len -= 2;
	if (len > v->len - 1)
		len = v->len - 1; /* cut, as libbpf does */
	memcpy(v->bytes, value + 1, len);
	memset(v->bytes + len, 0, v->len - len);
	return 0;
}

static bool read_number(const char *text, bool *negative, u64 *value)
{
	char *end;

	*negative = text[0] == '-';
	if ((text[*negative] < '0' || text[*negative] > '9'))
		return false;
	errno = 0;
	*value = strtoull(text + *negative, &end, 0);
	return !*end && !errno;
}

static bool in_range(const struct btf_info *type, bool negative, u64 value)
{
	u64 max = type->size >= 8 ? UINT64_MAX : (1ull << 8 * type->size) - 1;

	if (type->size >= 8) /* addresses are written as if unsigned, whatever the type */
		return true;
	if (!type->is_signed)
		return !negative && value <= max;
	return negative ? value <= max / 2 + 1 : value <= max / 2;
}

static int store_number(const struct extern_var *v, const char *value)
{
	bool negative;
	u64 n;

	if (!read_number(value, &negative, &n))
		return fail(
			v, EINVAL, value, " is neither y, m, n, a string nor a number of 64 bits");
	if (v->type.kind != BTF_INT || v->type.is_bool || v->type.size > 8)
		return fail(v, EINVAL, value, " is a number, which is for an integer");
	if (!in_range(&v->type, negative, n))
		return diag_fail(v->d, pos_none(), ERANGE,
			"extern %s: %s%s%s doesn't fit into %s %u-byte integer", v->name, value,
			v->k ? " of " : "", v->k ? v->k->name : "",
			v->type.is_signed ? "a signed" : "an unsigned", v->type.size);
	store(v, negative ? 0 - n : n);
	return 0;
}

static int store_virtual(const struct extern_var *v, u64 value)
{
	if (v->type.kind != BTF_INT || v->type.size > 8 || !in_range(&v->type, false, value))
		return diag_fail(v->d, pos_none(), EINVAL,
			"extern %s: it is for an integer that has room for %llu", v->name,
			(unsigned long long)value);
	store(v, value);
	return 0;
}

int kconfig_value(const struct kconfig *k, const char *name, const struct btf *btf, u32 type,
	void *bytes, size_t len, struct diag *d)
{
	struct extern_var v = {.k = k,
		.name = name,
		.type = btf_get(btf, btf_resolve(btf, type)),
		.bytes = bytes,
		.len = len,
		.d = d};
	const struct setting *found;
	const char *value;
	u64 number;

	memset(bytes, 0, len);
	if (v.type.kind == BTF_ARRAY)
		v.element = btf_get(btf, btf_resolve(btf, v.type.type));
	if (virtual_value(k, name, &number))
		return store_virtual(&v, number);
	if (!len)
		return fail(&v, EINVAL, "", "has a type without a size");
	found = find_setting(k, name);
	if (!found)
		return -ENOENT;
	value = found->value;
	if ((value[0] == 'y' || value[0] == 'm' || value[0] == 'n') && !value[1])
		return store_letter(&v, value);
	return value[0] == '"' ? store_string(&v, value) : store_number(&v, value);
}
