/* BTF: files given as arguments against libbpf's reading of them, hand-made BTF right and wrong, mutations. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "obj/btf_ext.h"
#include "obj/btf_func.h"
#include "obj/btf_map.h"
#include "obj/libbpf_types.h"
#include "obj/make_btf.h"

static char **files;
static int nr_files;

/* ---- against libbpf ---- */

static void compare_parts(
	const struct btf *btf, const void *other, u32 id, const struct btf_info *info)
{
	for (u32 i = 0; i < info->nr && (info->kind == BTF_STRUCT || info->kind == BTF_UNION);
		i++) {
		struct btf_field ours = btf_get_field(btf, id, i);
		struct other_field theirs = other_field(other, id, i);

		assert_string_equal(ours.name, theirs.name);
		assert_int_equal(ours.type, theirs.type);
		assert_int_equal(ours.bit_off, theirs.bit_off);
		assert_int_equal(ours.bits, theirs.bits);
	}
	for (u32 i = 0; i < info->nr && (info->kind == BTF_ENUM || info->kind == BTF_ENUM64); i++) {
		const char *name;
		s64 value = other_enum_value(other, id, i, &name);

		assert_string_equal(btf_get_value(btf, id, i).name, name);
		assert_int_equal((s64)btf_get_value(btf, id, i).value, value);
	}
}

static bool has_reference(enum btf_kind kind)
{
	return kind != BTF_INT && kind != BTF_ENUM && kind != BTF_ENUM64 && kind != BTF_STRUCT &&
	       kind != BTF_UNION && kind != BTF_DATASEC && kind != BTF_FLOAT;
}

static void compare_with_libbpf(const char *path)
{
	struct diag d = {0};
	struct btf *btf;
	void *other = other_open(path);

	assert_non_null(other);
	if (btf_open_file(path, &btf, &d))
		fail_msg("%s", diag_first(&d));
	assert_int_equal(btf_nr_types(btf), other_nr_types(other));
	for (u32 id = 1; id < btf_nr_types(btf); id++) {
		struct btf_info info = btf_get(btf, id);
		struct other_type theirs = other_get(other, id);
		u32 size, align;

		assert_int_equal(info.kind, theirs.kind);
		assert_string_equal(info.name, theirs.name);
		if (info.kind != BTF_FUNC)
			assert_int_equal(info.nr, theirs.nr);
		if (info.kind != BTF_FWD)
			assert_int_equal(has_reference(info.kind) ? info.type : info.size,
				theirs.size_or_type);
		if (btf_size_of(btf, id, &size))
			assert_int_equal(size, theirs.value_size);
		else
			assert_true(theirs.value_size < 0);
		/* libbpf has no answer for functions, and asks a 32-bit machine's question about floats. */
		if (theirs.align > 0 && info.kind != BTF_DATASEC) {
			assert_true(btf_align_of(btf, id, &align));
			if (align != (u32)theirs.align)
				fail_msg("type %u %s: %u, libbpf says %d", id, info.name, align,
					theirs.align);
		}
		compare_parts(btf, other, id, &info);
		if (info.name[0] && info.kind != BTF_DECL_TAG)
			assert_string_equal(
				btf_get(btf, btf_find(btf, info.kind, info.name)).name, info.name);
	}
	btf_free(btf);
	other_free(other);
	diag_fini(&d);
}

static void files_are_read_as_libbpf_reads_them(void **state)
{
	(void)state;
	for (int i = 0; i < nr_files; i++)
		compare_with_libbpf(files[i]);
}

static void this_kernels_types(void **state)
{
	(void)state;
	if (access("/sys/kernel/btf/vmlinux", R_OK))
		skip();
	compare_with_libbpf("/sys/kernel/btf/vmlinux");
}

/* ---- by hand ---- */

static int open_made(struct make_btf *m, struct btf **btf, struct diag *d)
{
	struct buf bytes = {0};
	int err;

	make_bytes(m, &bytes);
	err = btf_new(bytes.data, bytes.len, "made", btf, d);
	buf_fini(&bytes);
	return err;
}

static void expect_refusal(struct make_btf *m, int err, const char *text)
{
	struct diag d = {0};
	struct btf *btf;

	assert_int_equal(open_made(m, &btf, &d), -err);
	if (!strstr(diag_first(&d), text))
		fail_msg("'%s' doesn't say '%s'", diag_first(&d), text);
	diag_fini(&d);
}

static void cycles_through_pointers_are_fine(void **state)
{
	struct make_btf m = {0};
	struct buf text = {0};
	struct btf *btf;
	u32 size;

	(void)state;
	make_type(&m, "list", BTF_STRUCT, 1, 8);
	make_field(&m, "next", 2, 0);
	make_type(&m, NULL, BTF_PTR, 0, 1);
	make_type(&m, NULL, BTF_PTR, 0, 4);
	make_type(&m, NULL, BTF_CONST, 0, 3);
	assert_int_equal(open_made(&m, &btf, NULL), 0);
	assert_true(btf_size_of(btf, 1, &size));
	assert_int_equal(size, 8);
	btf_print_type(btf, 2, &text);
	assert_string_equal(buf_cstr(&text), "struct list *");
	buf_reset(&text);
	btf_print_type(btf, 4, &text);
	assert_non_null(strstr(buf_cstr(&text), "..."));
	buf_fini(&text);
	btf_free(btf);
}

static void types_that_contain_themselves(void **state)
{
	struct make_btf m = {0};

	(void)state;
	make_type(&m, "loop", BTF_TYPEDEF, 0, 1);
	expect_refusal(&m, EINVAL, "type 1, typedef 'loop', contains itself");

	make_type(&m, "a", BTF_TYPEDEF, 0, 2);
	make_type(&m, NULL, BTF_CONST, 0, 1);
	expect_refusal(&m, EINVAL, "contains itself");

	make_type(&m, "self", BTF_STRUCT, 1, 8);
	make_field(&m, "again", 2, 0);
	make_array(&m, 1, 1, 1);
	expect_refusal(&m, EINVAL, "'self', contains itself");

	make_type(&m, ".data", BTF_DATASEC, 1, 8);
	for (int i = 0; i < 3; i++)
		buf_le32(&m.types, i ? 0 : 2);
	make_type(&m, "v", BTF_VAR, 0, 1);
	buf_le32(&m.types, 0);
	expect_refusal(&m, EINVAL, "contains itself");

	for (u32 i = 1; i < 1000; i++)
		make_type(&m, NULL, BTF_CONST, 0, i + 1);
	make_int(&m, "int", 4);
	expect_refusal(&m, EINVAL, "more than 256 levels");
}

static void wrong_types(void **state)
{
	struct make_btf m = {0};

	(void)state;
	make_type(&m, NULL, BTF_PTR, 0, 9);
	expect_refusal(&m, EINVAL, "type 1, pointer '', refers to type 9; there are 1");

	make_type(&m, "s", BTF_STRUCT, 1, 4);
	make_field(&m, "f", 77, 0);
	expect_refusal(&m, EINVAL, "type 1, struct 's', refers to type 77");

	make_type(&m, "s", BTF_STRUCT, 2, 4);
	make_field(&m, "f", 0, 0);
	expect_refusal(&m, EINVAL, "type 1, a struct, is cut off");

	make_type(&m, "f", BTF_FUNC, 1, 2);
	make_int(&m, "int", 4);
	expect_refusal(
		&m, EINVAL, "refers to type 2, which is a int instead of a function prototype");

	make_type(&m, ".data", BTF_DATASEC, 1, 4);
	for (u32 i = 0; i < 3; i++)
		buf_le32(&m.types, i ? 0 : 1);
	expect_refusal(&m, EINVAL, "instead of a variable");

	make_type(&m, "x", 20, 0, 0);
	expect_refusal(&m, ENOTSUP, "type 1 is of kind 20; known are 1 to 19");
	make_type(&m, "x", 0, 0, 0);
	expect_refusal(&m, EINVAL, "kind 0");

	make_int(&m, "odd", 3);
	expect_refusal(&m, EINVAL, "int 'odd', has 24 bits from bit 0 on in 3 bytes");

	make_type(&m, "e", BTF_ENUM, 0, 3);
	expect_refusal(&m, EINVAL, "enum 'e', has 3 bytes");

	make_type(&m, NULL, BTF_ENUM, 1, 4);
	buf_le32(&m.types, 4000);
	buf_le32(&m.types, 0);
	expect_refusal(&m, EINVAL, "name of part 0");

	make_type(&m, NULL, BTF_PTR, 0, 0);
	store_le32(m.types.data, 4000);
	expect_refusal(&m, EINVAL, "the name of type 1, a pointer, is at 4000");
}

static const struct {
	const char *what;
	u32 at, value; /* a word of the header */
	int err;
	const char *text;
} headers[] = {
	{"magic", 0, 0x00011234, EINVAL, "starts with 0x1234 instead of 0xeb9f"},
	{"big endian", 0, 0x00019feb, ENOTSUP, "big-endian BTF"},
	{"version", 0, 0x0002eb9f, ENOTSUP, "version 2"},
	{"short header", 4, 20, EINVAL, "header of 20 bytes"},
	{"long header", 4, 4000, EINVAL, "header of 4000 bytes"},
	{"unknown header", 4, 28, ENOTSUP, "fields that weir doesn't know"},
	{"types behind the end", 8, 400, EINVAL, "types lie behind the end"},
	{"types wrap around", 8, 0xfffffff0, EINVAL, "types lie behind the end"},
	{"types at an odd place", 8, 1, EINVAL, "multiple of 4"},
	{"too many types", 12, 0x10000000, EINVAL, "types lie behind the end"},
	{"half a type", 12, 8, EINVAL, "type 1 is cut off"},
	{"strings behind the end", 16, 0xffffffff, EINVAL, "strings lie behind the end"},
	{"no strings", 20, 0, EINVAL, "start and end with a NUL"},
	{"no end", 20, 3, EINVAL, "start and end with a NUL"},
};

static void wrong_headers(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(headers); i++) {
		struct make_btf m = {0};
		struct buf bytes = {0};
		struct diag d = {0};
		struct btf *btf;

		make_int(&m, "int", 4);
		make_bytes(&m, &bytes);
		store_le32(bytes.data + headers[i].at, headers[i].value);
		assert_int_equal(btf_new(bytes.data, bytes.len, "made", &btf, &d), -headers[i].err);
		if (!strstr(diag_first(&d), headers[i].text))
			fail_msg("%s: '%s' doesn't say '%s'", headers[i].what, diag_first(&d),
				headers[i].text);
		diag_fini(&d);
		buf_fini(&bytes);
	}
}

static void sizes_that_overflow(void **state)
{
	struct make_btf m = {0};
	struct btf *btf;
	u32 size;

	(void)state;
	make_int(&m, "int", 4);
	make_array(&m, 1, 1, 0x40000000);
	make_array(&m, 1, 1, 0x3fffffff);
	make_array(&m, 2, 1, 0x40000000);
	make_array(&m, 4, 1, 0);
	assert_int_equal(open_made(&m, &btf, NULL), 0);
	assert_false(btf_size_of(btf, 2, &size));
	assert_true(btf_size_of(btf, 3, &size));
	assert_int_equal(size, 0xfffffffc);
	assert_false(btf_size_of(btf, 4, &size));
	assert_false(btf_size_of(btf, 0, &size));
	assert_false(btf_size_of(btf, 1000, &size));
	btf_free(btf);
}

/* 2^50 ways lead to the innermost int. */
static void many_ways_to_one_type(void **state)
{
	struct make_btf m = {0};
	struct btf_field field;
	struct btf *btf;
	u32 off, align;

	(void)state;
	for (u32 i = 1; i <= 50; i++) {
		make_type(&m, "", BTF_UNION, 2, 4);
		make_field(&m, "", i + 1, 0);
		make_field(&m, "", i + 1, 0);
	}
	make_int(&m, "int", 4);
	assert_int_equal(open_made(&m, &btf, NULL), 0);
	assert_int_equal(btf_find_inside(btf, 1, "bpf_spin_lock", &off), 0);
	assert_false(btf_find_field(btf, 1, "missing", &field, &off));
	assert_false(btf_align_of(btf, 1, &align));
	btf_free(btf);
}

static void flavours(void **state)
{
	static const struct {
		const char *name;
		size_t len;
	} names[] = {
		{"sk_buff", 7},
		{"sk_buff___old", 7},
		{"a___b___c", 5},
		{"___x", 4},
		{"a___", 4},
		{"a____b", 6},
		{"a__b", 4},
		{"", 0},
		{"x___y", 1},
		{"a___b_", 1},
	};
	struct make_btf m = {0};
	struct btf *btf;
	u32 id;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		assert_int_equal(btf_essential_len(names[i].name), names[i].len);
	make_int(&m, "x___one", 4);
	make_int(&m, "y", 4);
	make_type(&m, "x", BTF_STRUCT, 0, 0);
	make_int(&m, "x", 4);
	assert_int_equal(open_made(&m, &btf, NULL), 0);
	id = btf_find_flavour(btf, "x", 1, 0);
	assert_int_equal(id, 1);
	id = btf_find_flavour(btf, "x", 1, id);
	assert_int_equal(id, 3);
	id = btf_find_flavour(btf, "x", 1, id);
	assert_int_equal(id, 4);
	assert_int_equal(btf_find_flavour(btf, "x", 1, id), 0);
	assert_int_equal(btf_find(btf, BTF_INT, "x"), 4);
	assert_int_equal(btf_find(btf, BTF_INT, "x___one"), 1);
	assert_int_equal(btf_find(btf, BTF_PTR, "x"), 0);
	btf_free(btf);
}

/* ---- what clang made of types.bpf.c ---- */

static struct btf *open_types(void)
{
	struct diag d = {0};
	struct btf *btf;

	if (!nr_files)
		skip();
	if (btf_open_file(files[0], &btf, &d))
		fail_msg("%s", diag_first(&d));
	return btf;
}

static void definitions_of_maps(void **state)
{
	struct btf *btf = open_types();
	struct btf_map_def def, inner = {.type = 99};
	struct diag d = {0};

	(void)state;
	assert_int_equal(
		btf_map_read(btf, btf_find(btf, BTF_VAR, "with_lock"), &def, &inner, &d), 0);
	assert_int_equal(def.type, 1);
	assert_int_equal(def.max_entries, 16);
	assert_int_equal(def.key_size, 4);
	assert_string_equal(btf_get(btf, def.value_type).name, "value_type");
	assert_int_equal(def.pinning, BTF_PIN_BY_NAME);
	assert_false(def.has_inner);
	assert_int_equal(inner.type, 99);

	assert_int_equal(btf_map_read(btf, btf_find(btf, BTF_VAR, "outer"), &def, &inner, &d), 0);
	assert_true(def.has_inner && def.has_values);
	assert_int_equal(def.values_nr, 0);
	assert_int_equal(def.values_off, 24);
	assert_int_equal(def.value_size, 4);
	assert_int_equal(inner.type, 2);
	assert_int_equal(inner.key_size, 4);
	assert_int_equal(inner.value_size, 8);
	assert_int_equal(inner.flags, 0x400);
	assert_int_equal(inner.value_type, 0);

	assert_int_equal(
		btf_map_read(btf, btf_find(btf, BTF_VAR, "programs"), &def, &inner, &d), 0);
	assert_true(!def.has_inner && def.has_values);

	assert_int_equal(
		btf_map_read(btf, btf_find(btf, BTF_VAR, "constant"), &def, &inner, &d), -EINVAL);
	assert_string_equal(diag_first(&d), "map 'constant': its definition is no struct");
	diag_fini(&d);
	btf_free(btf);
}

static void members_and_locks(void **state)
{
	struct btf *btf = open_types();
	u32 value = btf_find(btf, BTF_TYPEDEF, "value_type"), off = 0, align;
	struct btf_field field;

	(void)state;
	assert_int_equal(btf_find_inside(btf, value, "bpf_spin_lock", &off), 1);
	assert_int_equal(off, 4);
	assert_int_equal(btf_find_inside(btf, value, "inner", &off), 2);
	assert_int_equal(btf_find_inside(btf, value, "bpf_timer", &off), 0);
	assert_true(btf_find_field(btf, value, "deep", &field, &off));
	assert_int_equal(off, 64);
	assert_true(btf_find_field(btf, value, "bits", &field, &off));
	assert_int_equal(field.bits, 40);
	assert_false(btf_find_field(btf, value, "absent", &field, &off));
	assert_true(btf_align_of(btf, btf_find(btf, BTF_STRUCT, "tight"), &align));
	assert_int_equal(align, 1);
	btf_free(btf);
}

static void functions(void **state)
{
	struct btf *btf = open_types();
	struct prog_func f = {0};

	(void)state;
	btf_func_describe(btf, btf_find(btf, BTF_FUNC, "add"), PROG_TYPE_XDP, &f);
	assert_true(f.global && !f.returns_void);
	assert_int_equal(f.nr_args, 5);
	assert_int_equal(f.args[0].kind, FUNC_ARG_MEM);
	assert_int_equal(f.args[0].bytes, 16);
	assert_int_equal(f.args[1].kind, FUNC_ARG_SCALAR);
	assert_int_equal(f.args[3].kind, FUNC_ARG_SCALAR);
	assert_int_equal(f.args[4].kind, FUNC_ARG_UNSUPPORTED);
	btf_func_describe(btf, btf_find(btf, BTF_FUNC, "nothing_back"), PROG_TYPE_XDP, &f);
	assert_true(!f.global && f.returns_void);
	btf_free(btf);
}

/* ---- hostile ---- */

static void ask_everything(const struct btf *btf)
{
	struct buf text = {0};
	struct btf_map_def def, inner;
	struct prog_func func;
	struct btf_field field;

	for (u32 id = 0; id <= btf_nr_types(btf); id++) {
		struct btf_info info = btf_get(btf, id);
		u32 n;

		btf_size_of(btf, id, &n);
		btf_align_of(btf, id, &n);
		btf_find_inside(btf, id, "bpf_spin_lock", &n);
		btf_find_field(btf, id, "deep", &field, &n);
		btf_print_type(btf, id, &text);
		btf_decl_tag(btf, id, -1, 0);
		btf_map_read(btf, id, &def, &inner, NULL);
		btf_func_describe(btf, id, PROG_TYPE_XDP, &func);
		btf_find(btf, info.kind, info.name);
		for (u32 i = 0; i < info.nr && i < 100; i++) {
			btf_get_field(btf, id, i);
			btf_get_value(btf, id, i);
			btf_get_arg(btf, id, i);
			btf_get_secvar(btf, id, i);
		}
		buf_reset(&text);
	}
	buf_fini(&text);
}

static void read_bytes(const char *path, struct buf *out)
{
	u8 chunk[4096];
	FILE *f = fopen(path, "rb");

	assert_non_null(f);
	for (size_t n; (n = fread(chunk, 1, sizeof(chunk), f));)
		buf_put(out, chunk, n);
	fclose(f);
}

/* Changed files: refused or answered, nothing else. */
static void mutations(void **state)
{
	u64 seed = 1;

	(void)state;
	for (int file = 0; file < nr_files; file++) {
		struct buf whole = {0};
		const u8 *btf_bytes = NULL;
		size_t len = 0;

		read_bytes(files[file], &whole);
		for (size_t i = 0; !btf_bytes && i + 24 < whole.len; i += 4)
			if (load_le32(whole.data + i) == 0x0001eb9f)
				btf_bytes = whole.data + i;
		assert_non_null(btf_bytes);
		len = 24 + load_le32(btf_bytes + 16) + load_le32(btf_bytes + 20);
		for (int round = 0; round < 3000; round++) {
			u8 *copy = malloc(len);
			struct btf *btf;

			memcpy(copy, btf_bytes, len);
			for (int k = 0; k < 1 + round % 4; k++) {
				seed = seed * 6364136223846793005u + 1442695040888963407u;
				copy[(seed >> 33) % len] = (u8)(seed >> 20);
			}
			if (!btf_new(copy, round % 7 ? len : (seed >> 30) % len, "mutated", &btf,
				    NULL)) {
				ask_everything(btf);
				btf_free(btf);
			}
			free(copy);
		}
		buf_fini(&whole);
	}
}

static void lack_of_memory(void **state)
{
	struct make_btf m = {0};
	struct buf bytes = {0};
	struct btf *btf = NULL;
	int err = -ENOMEM;

	(void)state;
	make_int(&m, "int", 4);
	make_type(&m, "tag", BTF_DECL_TAG, 0, 1);
	buf_le32(&m.types, UINT32_MAX);
	make_bytes(&m, &bytes);
	for (u64 n = 1; err == -ENOMEM; n++) {
		mem_fail_at(n);
		err = btf_new(bytes.data, bytes.len, "made", &btf, NULL);
		mem_fail_at(0);
	}
	assert_int_equal(err, 0);
	assert_string_equal(btf_decl_tag(btf, 1, -1, 0), "tag");
	assert_null(btf_decl_tag(btf, 1, -1, 1));
	assert_null(btf_decl_tag(btf, 1, 0, 0));
	btf_free(btf);
	buf_fini(&bytes);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_are_read_as_libbpf_reads_them),
		cmocka_unit_test(this_kernels_types),
		cmocka_unit_test(cycles_through_pointers_are_fine),
		cmocka_unit_test(types_that_contain_themselves),
		cmocka_unit_test(wrong_types),
		cmocka_unit_test(wrong_headers),
		cmocka_unit_test(sizes_that_overflow),
		cmocka_unit_test(many_ways_to_one_type),
		cmocka_unit_test(flavours),
		cmocka_unit_test(definitions_of_maps),
		cmocka_unit_test(members_and_locks),
		cmocka_unit_test(functions),
		cmocka_unit_test(mutations),
		cmocka_unit_test(lack_of_memory),
	};

	files = argv + 1;
	nr_files = argc - 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
