/* Kernel configurations: values and types, as libbpf puts them together; files, plain and packed. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <cmocka.h>
#include <zlib.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "obj/kconfig.h"
#include "obj/make_btf.h"

static const char text[] =
	"#\n# Linux/x86 6.1.2 Kernel Configuration\n#\n"
	"CONFIG_YES=y\nCONFIG_MODULE=m\nCONFIG_NO=n\n# CONFIG_UNSET is not set\n"
	"CONFIG_HZ=250\nCONFIG_MINUS=-129\nCONFIG_BIG=0xffffffff81000000\nCONFIG_TOO_BIG="
	"18446744073709551616\n"
	"CONFIG_NAME=\"a=b \\\"c\"\nCONFIG_EMPTY=\"\"\nCONFIG_OPEN=\"abc\nCONFIG_WORD=abc\r\n"
	"CONFIG_HZ=300\n\nOTHER=1\nCONFIG_LAST=1";

enum {
	TYPE_BOOL = 1,
	TYPE_CHAR,
	TYPE_S8,
	TYPE_U32,
	TYPE_S32,
	TYPE_U64,
	TYPE_CHARS,
	TYPE_TRISTATE,
	TYPE_ENUM,
	TYPE_FLAVOUR,
	TYPE_STRUCT,
	TYPE_INTS
};

static u32 make_encoded(struct make_btf *m, const char *name, u32 size, u32 encoding)
{
	u32 id = make_type(m, name, BTF_INT, 0, size);

	buf_le32(&m->types, encoding << 24 | size * 8);
	return id;
}

static struct btf *make_types(void)
{
	struct make_btf m = {0};
	struct buf bytes = {0};
	struct btf *btf;

	make_encoded(&m, "_Bool", 1, 4);
	make_encoded(&m, "unsigned char", 1, 0);
	make_encoded(&m, "char", 1, 1);
	make_encoded(&m, "u32", 4, 0);
	make_encoded(&m, "int", 4, 1);
	make_encoded(&m, "u64", 8, 0);
	make_array(&m, TYPE_S8, TYPE_U32, 8);
	make_type(&m, "libbpf_tristate", BTF_ENUM, 0, 4);
	make_type(&m, "other", BTF_ENUM, 0, 4);
	make_type(&m, "number", BTF_TYPEDEF, 0, TYPE_U32);
	make_type(&m, "s", BTF_STRUCT, 0, 4);
	make_array(&m, TYPE_U32, TYPE_U32, 2);
	make_bytes(&m, &bytes);
	assert_int_equal(btf_new(bytes.data, bytes.len, "made", &btf, NULL), 0);
	buf_fini(&bytes);
	return btf;
}

static const struct {
	const char *name;
	u32 type;
	int err;
	u64 value;        /* the value's bytes, up to 8 */
	const char *text; /* of the error */
} rows[] = {
	{"CONFIG_YES", TYPE_BOOL, 0, 1, NULL},
	{"CONFIG_NO", TYPE_BOOL, 0, 0, NULL},
	{"CONFIG_MODULE", TYPE_BOOL, EINVAL, 0, "m in made is neither y nor n"},
	{"CONFIG_YES", TYPE_TRISTATE, 0, 1, NULL},
	{"CONFIG_MODULE", TYPE_TRISTATE, 0, 2, NULL},
	{"CONFIG_NO", TYPE_TRISTATE, 0, 0, NULL},
	{"CONFIG_YES", TYPE_CHAR, 0, 'y', NULL},
	{"CONFIG_MODULE", TYPE_S8, 0, 'm', NULL},
	{"CONFIG_YES", TYPE_U32, EINVAL, 0, "is for a bool, a char or an enum libbpf_tristate"},
	{"CONFIG_YES", TYPE_ENUM, EINVAL, 0, "is for a bool"},
	{"CONFIG_YES", TYPE_CHARS, EINVAL, 0, "is for a bool"},
	{"CONFIG_HZ", TYPE_U32, 0, 250, NULL},
	{"CONFIG_HZ", TYPE_FLAVOUR, 0, 250, NULL},
	{"CONFIG_HZ", TYPE_CHAR, 0, 250, NULL},
	{"CONFIG_HZ", TYPE_S8, ERANGE, 0, "250 of made doesn't fit into a signed 1-byte integer"},
	{"CONFIG_HZ", TYPE_U64, 0, 250, NULL},
	{"CONFIG_HZ", TYPE_BOOL, EINVAL, 0, "is a number, which is for an integer"},
	{"CONFIG_HZ", TYPE_TRISTATE, EINVAL, 0, "is a number"},
	{"CONFIG_HZ", TYPE_CHARS, EINVAL, 0, "is a number"},
	{"CONFIG_HZ", TYPE_STRUCT, EINVAL, 0, "is a number"},
	{"CONFIG_MINUS", TYPE_S32, 0, 0xffffff7f, NULL},
	{"CONFIG_MINUS", TYPE_S8, ERANGE, 0, "doesn't fit"},
	{"CONFIG_MINUS", TYPE_U32, ERANGE, 0, "doesn't fit into an unsigned 4-byte integer"},
	{"CONFIG_BIG", TYPE_U64, 0, 0xffffffff81000000, NULL},
	{"CONFIG_BIG", TYPE_U32, ERANGE, 0, "doesn't fit"},
	{"CONFIG_TOO_BIG", TYPE_U64, EINVAL, 0, "nor a number of 64 bits"},
	{"CONFIG_NAME", TYPE_CHARS, 0, 0x5c20623d61, NULL}, /* 'a=b \"c' is cut */
	{"CONFIG_EMPTY", TYPE_CHARS, 0, 0, NULL},
	{"CONFIG_NAME", TYPE_S8, EINVAL, 0, "is a string, which is for an array of char"},
	{"CONFIG_NAME", TYPE_INTS, EINVAL, 0, "is a string"},
	{"CONFIG_OPEN", TYPE_CHARS, EINVAL, 0, "has no quotes at its end"},
	{"CONFIG_WORD", TYPE_U32, EINVAL, 0,
		"abc in made is neither y, m, n, a string nor a number"},
	{"CONFIG_UNSET", TYPE_BOOL, ENOENT, 0, ""},
	{"OTHER", TYPE_U32, ENOENT, 0, ""},
	{"CONFIG_LAST", TYPE_U32, 0, 1, NULL},
	{"LINUX_KERNEL_VERSION", TYPE_U32, 0, 0x60102, NULL},
	{"LINUX_KERNEL_VERSION", TYPE_CHAR, EINVAL, 0,
		"it is for an integer that has room for 393474"},
	{"LINUX_HAS_BPF_COOKIE", TYPE_U32, 0, 0, NULL},
};

static void values(void **state)
{
	struct btf *btf = make_types();
	struct kconfig *k;

	(void)state;
	assert_int_equal(kconfig_new(text, sizeof(text) - 1, "made", &k, NULL), 0);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		u8 bytes[16] = {0};
		struct diag d = {0};
		u32 size;
		int err;

		memset(bytes, 0xee, sizeof(bytes));
		assert_true(btf_size_of(btf, rows[i].type, &size));
		err = kconfig_value(k, rows[i].name, btf, rows[i].type, bytes, size, &d);
		if (err != -rows[i].err)
			fail_msg("row %zu, %s: %d, '%s'", i, rows[i].name, err, diag_first(&d));
		if (rows[i].text && !strstr(diag_first(&d), rows[i].text))
			fail_msg("row %zu: '%s' doesn't say '%s'", i, diag_first(&d), rows[i].text);
		if (!err && rows[i].type == TYPE_CHARS && !strcmp(rows[i].name, "CONFIG_NAME")) {
			assert_memory_equal(bytes, "a=b \\\"c\0", 8);
		} else if (!err) {
			u64 value = 0;

			memcpy(&value, bytes, size < 8 ? size : 8);
			assert_int_equal(value, rows[i].value);
		}
		assert_int_equal(bytes[size], 0xee);
		diag_fini(&d);
	}
	kconfig_free(k);
	btf_free(btf);
}

static void without_a_configuration(void **state)
{
	struct btf *btf = make_types();
	struct utsname name;
	unsigned major;
	u32 version;

	(void)state;
	assert_true(kconfig_is_needed("CONFIG_HZ"));
	assert_false(kconfig_is_needed("LINUX_KERNEL_VERSION"));
	assert_int_equal(
		kconfig_value(NULL, "LINUX_KERNEL_VERSION", btf, TYPE_U32, &version, 4, NULL), 0);
	uname(&name);
	sscanf(name.release, "%u", &major);
	assert_int_equal(version >> 16, major);
	assert_int_equal(
		kconfig_value(NULL, "CONFIG_HZ", btf, TYPE_U32, &version, 4, NULL), -ENOENT);
	btf_free(btf);
}

static void files(void **state)
{
	static const char *const modes[] = {"wb", "wbT"}; /* packed; as it is */
	struct btf *btf = make_types();

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(modes); i++) {
		char path[] = "/tmp/weir-kconfig-XXXXXX";
		struct kconfig *k;
		u32 hz;
		int fd = mkstemp(path);
		gzFile f = gzdopen(fd, modes[i]);

		gzwrite(f, text, sizeof(text) - 1);
		gzclose(f);
		assert_int_equal(kconfig_open(path, &k, NULL), 0);
		assert_int_equal(kconfig_value(k, "CONFIG_HZ", btf, TYPE_U32, &hz, 4, NULL), 0);
		assert_int_equal(hz, 250);
		kconfig_free(k);
		unlink(path);
	}
	btf_free(btf);
}

static void wrong_files(void **state)
{
	static const u8 cut_off[] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0x4b};
	struct diag d = {0};
	struct kconfig *k;
	char path[] = "/tmp/weir-kconfig-XXXXXX";
	int fd = mkstemp(path);

	(void)state;
	assert_int_equal(write(fd, cut_off, sizeof(cut_off)), sizeof(cut_off));
	close(fd);
	assert_int_equal(kconfig_open(path, &k, &d), -EINVAL);
	assert_non_null(strstr(diag_first(&d), path));
	unlink(path);
	diag_fini(&d);
	assert_int_equal(kconfig_open(path, &k, &d), -ENOENT);
	assert_non_null(strstr(diag_first(&d), "No such file"));
	diag_fini(&d);
	assert_int_equal(kconfig_new("A=1\nCONFIG_X\n", 13, "made", &k, &d), -EINVAL);
	assert_int_equal(d.entries[0].pos.line, 2);
	diag_fini(&d);
}

static void this_machine(void **state)
{
	struct btf *btf = make_types();
	struct diag d = {0};
	struct kconfig *k;
	u8 yes = 0;

	(void)state;
	if (kconfig_open(NULL, &k, &d)) {
		assert_non_null(strstr(diag_first(&d), "/proc/config.gz"));
		diag_fini(&d);
	} else {
		assert_int_equal(kconfig_value(k, "CONFIG_MMU", btf, TYPE_BOOL, &yes, 1, NULL), 0);
		assert_int_equal(yes, 1);
		kconfig_free(k);
	}
	btf_free(btf);
}

static void lack_of_memory(void **state)
{
	struct kconfig *k = NULL;
	int err = -ENOMEM;

	(void)state;
	for (u64 n = 1; err == -ENOMEM; n++) {
		mem_fail_at(n);
		err = kconfig_new(text, sizeof(text) - 1, "made", &k, NULL);
		mem_fail_at(0);
	}
	assert_int_equal(err, 0);
	kconfig_free(k);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values),
		cmocka_unit_test(without_a_configuration),
		cmocka_unit_test(files),
		cmocka_unit_test(wrong_files),
		cmocka_unit_test(this_machine),
		cmocka_unit_test(lack_of_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
