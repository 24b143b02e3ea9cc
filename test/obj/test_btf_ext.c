/* .BTF.ext: what clang writes, tables by hand, tables that are wrong. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "obj/btf_ext.h"
#include "obj/make_btf.h"
#include "obj/sections.h"

static char **files;
static int nr_files;

/* ---- what clang writes of types.bpf.c ---- */

static void lines_and_functions(void **state)
{
	(void)state;
	for (int i = 0; i < nr_files; i++) {
		struct buf types = {0}, ext_bytes = {0}, code = {0};
		struct btf_ext *ext;
		struct diag d = {0};
		struct btf *btf;
		size_t nr, nr_funcs;

		read_section(files[i], ".BTF", &types);
		read_section(files[i], ".BTF.ext", &ext_bytes);
		read_section(files[i], "xdp", &code);
		assert_int_equal(btf_new(types.data, types.len, files[i], &btf, &d), 0);
		if (btf_ext_new(ext_bytes.data, ext_bytes.len, btf, &ext, &d))
			fail_msg("%s", diag_first(&d));

		const struct btf_line *lines = btf_ext_lines(ext, "xdp", &nr);
		assert_true(nr >= 3);
		assert_int_equal(lines[0].pc, 0);
		assert_non_null(strstr(lines[0].file, "types.bpf.c"));
		assert_non_null(strstr(lines[0].text, "int program(void *ctx)"));
		assert_non_null(strstr(
			lines[nr - 1].text, "return add(0, n, constant, GREEN, ctx) + CONFIG_HZ;"));
		for (size_t k = 0; k < nr; k++) {
			assert_true(lines[k].pc < code.len / 8);
			assert_true(!k || lines[k].pc > lines[k - 1].pc);
			/* 0: what the compiler made up */
			assert_true(!lines[k].line || lines[k].line >= lines[0].line);
		}

		const struct btf_func_at *funcs = btf_ext_funcs(ext, "xdp", &nr_funcs);
		assert_int_equal(nr_funcs, 1);
		assert_string_equal(btf_get(btf, funcs[0].func).name, "program");
		funcs = btf_ext_funcs(ext, ".text", &nr_funcs);
		assert_int_equal(nr_funcs, 2);
		assert_true(funcs[0].pc == 0 && funcs[1].pc > 0);
		assert_null(btf_ext_relos(ext, "absent", &nr));
		assert_int_equal(nr, 0);

		btf_ext_free(ext);
		btf_free(btf);
		buf_fini(&types);
		buf_fini(&ext_bytes);
		buf_fini(&code);
	}
	assert_null(btf_ext_lines(NULL, "xdp", &(size_t){0}));
}

/* ---- by hand ---- */

/* Types: 1 int, 2 void (void), 3 function f. Strings: 1 "int", 5 "f", 7 "xdp", 11 "0", 13 "a line". */
static struct btf *made(void)
{
	struct make_btf m = {0};
	struct buf bytes = {0};
	struct btf *btf;

	make_int(&m, "int", 4);
	make_type(&m, "", BTF_FUNC_PROTO, 0, 0);
	make_type(&m, "f", BTF_FUNC, 1, 2);
	make_name(&m, "xdp");
	make_name(&m, "0");
	make_name(&m, "a line");
	make_bytes(&m, &bytes);
	assert_int_equal(btf_new(bytes.data, bytes.len, "made", &btf, NULL), 0);
	buf_fini(&bytes);
	return btf;
}

static const u32 good[] = {
	0x0001eb9f, 32, 0, 20, 20, 44, 64,
	28,            /* header: tables at 0 (20 bytes), 20 (44), 64 (28) */
	8, 7, 1, 0, 3, /* function 3 at 0 of xdp */
	16, 7, 2, 16, 5, 13, 7 << 10 | 3, 0, 5, 13, 6 << 10 | 1, /* lines, not in order */
	16, 7, 1, 8, 1, 11, CORE_TYPE_SIZE,                      /* a relocation */
};

static int open_words(
	const struct btf *btf, const u32 *words, size_t len, struct btf_ext **ext, struct diag *d)
{
	u8 *copy = malloc(len + !len); /* a sanitizer sees reads behind it */
	int err;

	memcpy(copy, words, len);
	err = btf_ext_new(copy, len, btf, ext, d);
	free(copy);
	return err;
}

static void tables_by_hand(void **state)
{
	struct btf *btf = made();
	struct btf_ext *ext;
	size_t nr;

	(void)state;
	assert_int_equal(open_words(btf, good, sizeof(good), &ext, NULL), 0);
	const struct btf_line *lines = btf_ext_lines(ext, "xdp", &nr);
	assert_int_equal(nr, 2);
	assert_int_equal(lines[0].pc, 0);
	assert_int_equal(lines[0].line, 6);
	assert_int_equal(lines[1].pc, 2);
	assert_int_equal(lines[1].line, 7);
	assert_int_equal(lines[1].col, 3);
	assert_string_equal(lines[1].text, "a line");
	const struct core_relo *relos = btf_ext_relos(ext, "xdp", &nr);
	assert_int_equal(nr, 1);
	assert_int_equal(relos[0].pc, 1);
	assert_int_equal(relos[0].kind, CORE_TYPE_SIZE);
	assert_string_equal(relos[0].access, "0");
	btf_ext_free(ext);
	btf_free(btf);
}

static const struct {
	u32 word, value;
	int err;
	const char *text;
} wrong[] = {
	{0, 0x0001eb9e, EINVAL, "starts with 0xeb9e"},
	{0, 0x00019feb, ENOTSUP, "it is big-endian"},
	{0, 0x0002eb9f, ENOTSUP, "version 2"},
	{1, 7, EINVAL, "header of 7 bytes"},
	{1, 4000, EINVAL, "header of 4000 bytes"},
	{3, 2000, EINVAL, "function records lie behind the end"},
	{2, 0xfffffff0, EINVAL, "function records lie behind the end"},
	{3, 3, EINVAL, "function records: cut off"},
	{3, 8, EINVAL, "function records: cut off"},
	{8, 4, EINVAL, "function records of 4 bytes; they have 8"},
	{8, 10, EINVAL, "function records of 10 bytes"},
	{9, 0, EINVAL, "a section without name"},
	{9, 5000, EINVAL, "a section without name"},
	{10, 0, EINVAL, "a section without records"},
	{10, 0x20000000, EINVAL, "cut off"},
	{11, 4, EINVAL, "offset 4 is inside an instruction"},
	{12, 1, EINVAL, "type 1 is no function"},
	{12, 77, EINVAL, "type 77 is no function"},
	{13, 12, EINVAL, "line records of 12 bytes"},
	{17, 5000, EINVAL, "the line's text is behind the end"},
	{18, 5000, EINVAL, "section 'xdp', instruction 2: the line's text is behind the end"},
	{28, 0, EINVAL, "there is no type 0"},
	{28, 4, EINVAL, "there is no type 4"},
	{29, 5000, EINVAL, "the access string is behind the end"},
	{30, 13, ENOTSUP,
		"section 'xdp', instruction 1: CO-RE relocation of kind 13; known are 0 to 12"},
};

static void wrong_tables(void **state)
{
	struct btf *btf = made();

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		u32 words[ARRAY_LEN(good)];
		struct btf_ext *ext;
		struct diag d = {0};

		memcpy(words, good, sizeof(good));
		words[wrong[i].word] = wrong[i].value;
		assert_int_equal(open_words(btf, words, sizeof(words), &ext, &d), -wrong[i].err);
		if (!strstr(diag_first(&d), wrong[i].text))
			fail_msg(
				"row %zu: '%s' doesn't say '%s'", i, diag_first(&d), wrong[i].text);
		diag_fini(&d);
	}
	btf_free(btf);
}

static void cut_off_anywhere(void **state)
{
	struct btf *btf = made();

	(void)state;
	for (size_t len = 0; len < sizeof(good); len++) {
		struct btf_ext *ext;

		assert_int_equal(open_words(btf, good, len, &ext, NULL), -EINVAL);
	}
	btf_free(btf);
}

/* A header from before there were relocations. */
static void older_headers(void **state)
{
	u32 words[ARRAY_LEN(good)];
	struct btf *btf = made();
	struct btf_ext *ext;
	size_t nr;

	(void)state;
	memcpy(words, good, sizeof(good));
	words[1] = 24;
	memmove(words + 6, words + 8, sizeof(words) - 32);
	assert_int_equal(open_words(btf, words, sizeof(words), &ext, NULL), 0);
	assert_non_null(btf_ext_lines(ext, "xdp", &nr));
	assert_null(btf_ext_relos(ext, "xdp", &nr));
	btf_ext_free(ext);
	btf_free(btf);
}

static void lack_of_memory(void **state)
{
	struct btf *btf = made();
	struct btf_ext *ext = NULL;
	int err = -ENOMEM;

	(void)state;
	for (u64 n = 1; err == -ENOMEM; n++) {
		mem_fail_at(n);
		err = btf_ext_new(good, sizeof(good), btf, &ext, NULL);
		mem_fail_at(0);
	}
	assert_int_equal(err, 0);
	btf_ext_free(ext);
	btf_free(btf);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_and_functions),
		cmocka_unit_test(tables_by_hand),
		cmocka_unit_test(wrong_tables),
		cmocka_unit_test(cut_off_anywhere),
		cmocka_unit_test(older_headers),
		cmocka_unit_test(lack_of_memory),
	};

	files = argv + 1;
	nr_files = argc - 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
