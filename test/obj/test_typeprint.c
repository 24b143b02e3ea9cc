/* Values as text: types of typeprint.bpf.c, with bytes that this compiler lays out the same way. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/diag.h"
#include "obj/btf.h"
#include "obj/make_btf.h"
#include "obj/typeprint.h"
#include "obj/typeprint_types.h"

static char **files;
static int nr_files;

static struct typeprint_value value = {
	.u8 = 200,
	.s8 = -100,
	.u64 = UINT64_MAX,
	.s64 = INT64_MIN,
	.color = GREEN,
	.unknown = (enum color)77,
	.negative = MINUS,
	.yes = true,
	.name = "eth0 \"x\\",
	.not_text = {1, 0, 'a'},
	.full = {'a', 'b', 'c', 'd'},
	.numbers = {{1, 2}, {3, 4}},
	.in_union = 0x01020304,
	.tight = {.a = 1, .b = 0x1122334455667788},
	.bits = {.a = 5, .b = -3, .c = 0x123456789a, .d = true, .color = BLUE},
	.real = 1.5f,
	.very_real = 0.1,
	.pointer = (void *)0xffff888012345678,
};

static const char expected[] =
	"{\"u8\":200,\"s8\":-100,\"u64\":18446744073709551615,\"s64\":-9223372036854775808,"
	"\"color\":\"GREEN\",\"unknown\":77,"
	"\"negative\":\"MINUS\",\"yes\":true,\"name\":\"eth0 "
	"\\\"x\\\\\",\"not_text\":[1,0,97],\"full\":\"abcd\","
	"\"numbers\":[[1,2],[3,4]],\"in_union\":16909060,\"bytes\":[4,3,2,1],\"tight\":{\"a\":1,"
	"\"b\":1234605616436508552},"
	"\"bits\":{\"a\":5,\"b\":-3,\"c\":78187493530,\"d\":true,\"color\":\"BLUE\"},\"real\":1.5,"
	"\"very_real\":0.10000000000000001,"
	"\"pointer\":\"0xffff888012345678\",\"function\":\"0x0\",\"last\":[]}";

static struct btf *open_types(int i)
{
	struct btf *btf;
	struct diag d = {0};

	if (btf_open_file(files[i], &btf, &d))
		fail_msg("%s", diag_first(&d));
	return btf;
}

static void everything(void **state)
{
	(void)state;
	if (!nr_files)
		skip();
	for (int i = 0; i < nr_files; i++) {
		struct btf *btf = open_types(i);
		struct buf text = {0};
		u32 size;

		assert_true(btf_size_of(btf, btf_find(btf, BTF_STRUCT, "typeprint_value"), &size));
		assert_int_equal(size, sizeof(value));
		typeprint(btf, btf_find(btf, BTF_STRUCT, "typeprint_value"), &value, sizeof(value),
			&text);
		assert_string_equal(buf_cstr(&text), expected);
		buf_fini(&text);
		btf_free(btf);
	}
}

static void flexible_and_cut_off(void **state)
{
	struct btf *btf;
	struct buf text = {0};
	u8 bytes[sizeof(value) + 8];
	u32 type;

	(void)state;
	if (!nr_files)
		skip();
	btf = open_types(0);
	type = btf_find(btf, BTF_STRUCT, "typeprint_value");
	typeprint(btf, type, &value, 3, &text);
	assert_string_equal(buf_cstr(&text), "{\"u8\":200,\"s8\":-100}");
	memcpy(bytes, &value, sizeof(value));
	for (size_t len = 0; len <= sizeof(value); len++) {
		u8 *exact = malloc(len + !len); /* a sanitizer sees reads behind it */

		memcpy(exact, bytes, len);
		buf_reset(&text);
		typeprint(btf, type, exact, len, &text);
		assert_true(text.len >= 2 && text.data[text.len - 1] == '}');
		free(exact);
	}
	buf_reset(&text);
	typeprint(btf, btf_find(btf, BTF_DATASEC, ".data"), bytes, 4, &text);
	assert_true(text.len >= 2);
	buf_fini(&text);
	btf_free(btf);
}

static void hexadecimal(void **state)
{
	struct buf text = {0};

	(void)state;
	typeprint(NULL, 0, "\x01\xff", 2, &text);
	assert_string_equal(buf_cstr(&text), "\"01ff\"");
	buf_fini(&text);
}

/* An array of four thousand million nothings; unions with 2^60 ways to one byte; ints that aren't there. */
static void hostile_types(void **state)
{
	struct make_btf m = {0};
	struct buf bytes = {0}, text = {0};
	struct btf *btf;

	(void)state;
	make_type(&m, "nothing", BTF_STRUCT, 0, 0);
	make_array(&m, 1, 1, UINT32_MAX);
	make_int(&m, "int", 4);
	make_array(&m, 3, 3, UINT32_MAX / 8);
	for (u32 i = 5; i < 65; i++) {
		make_type(&m, "u", BTF_UNION, 2, 4);
		make_field(&m, "a", i == 64 ? 3 : i + 1, 0);
		make_field(&m, "b", i == 64 ? 3 : i + 1, 0);
	}
	make_bytes(&m, &bytes);
	assert_int_equal(btf_new(bytes.data, bytes.len, "made", &btf, NULL), 0);
	typeprint(btf, 2, "abcd", 4, &text);
	assert_string_equal(buf_cstr(&text), "[]");
	buf_reset(&text);
	typeprint(btf, 3, "abc", 3, &text);
	assert_string_equal(buf_cstr(&text), "null");
	buf_reset(&text);
	typeprint(btf, 4, "\1\0\0\0\2\0\0\0", 8, &text);
	assert_string_equal(buf_cstr(&text), "[1,2]");
	buf_reset(&text);
	typeprint(btf, 5, "abcd", 4, &text);
	assert_true(text.len < 10u << 20);
	buf_fini(&text);
	buf_fini(&bytes);
	btf_free(btf);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything),
		cmocka_unit_test(flexible_and_cut_off),
		cmocka_unit_test(hexadecimal),
		cmocka_unit_test(hostile_types),
	};

	files = argv + 1;
	nr_files = argc - 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
