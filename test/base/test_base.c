/* Tables for base: text, masks, buffers, arenas, diagnostics. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/bytes.h"
#include "base/diag.h"
#include "base/limits.h"
#include "base/text.h"

static void numbers(void **state)
{
	static const struct {
		const char *text;
		bool ok;
		u64 value;
	} cases[] = {
		{"0", true, 0},
		{"42", true, 42},
		{"0x2A", true, 42},
		{"052", true, 42},
		{"18446744073709551615", true, UINT64_MAX},
		{"18446744073709551616", false, 0},
		{"0xffffffffffffffff", true, UINT64_MAX},
		{"0x10000000000000000", false, 0},
		{"", false, 0},
		{"0x", false, 0},
		{"08", false, 0},
		{"-1", false, 0},
		{"1 ", false, 0},
		{"12a", false, 0},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		u64 value = 7;

		assert_int_equal(str_to_u64(str_of(cases[i].text), &value), cases[i].ok);
		assert_true(value == (cases[i].ok ? cases[i].value : 7));
	}
	u16 port = 1;
	assert_true(str_to_u16(str_of("65535"), &port));
	assert_int_equal(port, 65535);
	assert_false(str_to_u16(str_of("65536"), &port));
	assert_int_equal(port, 65535);
	u32 word = 1;
	assert_false(str_to_u32(str_of("4294967296"), &word));
	assert_int_equal(word, 1);
}

static void addresses(void **state)
{
	u8 addr[16] = {0};
	struct buf out = {0};

	(void)state;
	assert_true(str_to_ipv6(str_of("2001:db8::1"), addr));
	buf_ipv6(&out, addr);
	assert_string_equal(buf_cstr(&out), "2001:db8::1");
	assert_false(str_to_ipv6(str_of("2001:db8::1::"), addr));
	assert_false(str_to_ipv6(str_of("1.2.3.4"), addr));
	buf_reset(&out);
	assert_true(str_to_ipv4(str_of("192.0.2.1"), addr));
	buf_ipv4(&out, addr);
	assert_string_equal(buf_cstr(&out), "192.0.2.1");
	assert_false(str_to_ipv4(str_of("192.0.2"), addr));
	buf_fini(&out);
}

static void masks(void **state)
{
	u8 mask[16];

	(void)state;
	for (unsigned bits = 0; bits <= 128; bits++) {
		mask_from_prefix(mask, 16, bits);
		assert_int_equal(mask_to_prefix(mask, 16), (int)bits);
		for (unsigned i = 0; i < 128; i++)
			assert_int_equal(mask[i / 8] >> (7 - i % 8) & 1, i < bits);
	}
	memset(mask, 0, 16);
	mask[1] = 0xff;
	assert_int_equal(mask_to_prefix(mask, 16), -1);
}

static void words(void **state)
{
	struct str head, rest;

	(void)state;
	assert_true(str_split(str_of("80:90"), ':', &head, &rest));
	assert_true(str_eq(head, "80") && str_eq(rest, "90"));
	assert_false(str_split(str_of("80"), ':', &head, &rest));
	assert_true(str_eq(head, "80") && rest.len == 0);
	assert_true(str_is_abbrev(str_of("to-des"), "to-destination"));
	assert_false(str_is_abbrev(str_of(""), "x"));
	assert_true(str_eq_nocase(str_of("ALL"), "all"));
	u8 bytes[4];
	size_t len = 9;
	assert_true(str_to_bytes(str_of("00ffA5"), bytes, sizeof(bytes), &len));
	assert_int_equal(len, 3);
	assert_memory_equal(bytes, "\x00\xff\xa5", 3);
	assert_false(str_to_bytes(str_of("0"), bytes, sizeof(bytes), &len));
	assert_false(str_to_bytes(str_of("0g"), bytes, sizeof(bytes), &len));
	assert_false(str_to_bytes(str_of("0011223344"), bytes, sizeof(bytes), &len));
}

static void buffer_survives_no_memory(void **state)
{
	struct buf b = {0};

	(void)state;
	buf_printf(&b, "%s", "abc");
	mem_fail_at(1);
	for (int i = 0; i < 100; i++)
		buf_printf(&b, "%d", i);
	assert_true(b.failed);
	mem_fail_at(0);
	buf_puts(&b, "more");
	assert_string_equal(buf_cstr(&b), "");
	buf_reset(&b);
	buf_puts(&b, "again");
	assert_string_equal(buf_cstr(&b), "again");
	buf_fini(&b);
}

static void byte_order(void **state)
{
	static const u8 bytes[] = {1, 2, 3, 4, 5, 6, 7, 8};

	(void)state;
	assert_int_equal(load_be16(bytes), 0x0102);
	assert_int_equal(load_le16(bytes), 0x0201);
	assert_int_equal(load_be32(bytes), 0x01020304);
	assert_true(load_be64(bytes) == 0x0102030405060708);
	assert_true(load_le64(bytes) == 0x0807060504030201);
}

static void messages(void **state)
{
	struct diag d = {0};

	(void)state;
	assert_int_equal(diag_fail(&d, pos_text("f", 3, 4), EINVAL, "bad %d", 5), -EINVAL);
	diag_source(&d, "line three\n", 10);
	diag_note(&d, pos_none(), "and a note");
	assert_int_equal(d.nr, 2);
	assert_int_equal(d.nr_errors, 1);
	assert_string_equal(diag_first(&d), "bad 5");
	assert_string_equal(d.entries[0].source, "line three");
	for (u32 i = 0; i < DIAG_MAX_ENTRIES + 10; i++)
		diag_fail(&d, pos_none(), EINVAL, "again");
	assert_int_equal(d.nr, DIAG_MAX_ENTRIES);
	assert_int_equal(d.nr_dropped, 12);
	diag_fini(&d);
	assert_int_equal(diag_fail(NULL, pos_none(), ENOENT, "nobody listens"), -ENOENT);
}

static void arenas(void **state)
{
	struct arena a = {0};

	(void)state;
	assert_non_null(arena_array(&a, 0, 8));
	u8 *big = arena_alloc(&a, 100000);
	assert_non_null(big);
	for (int i = 0; i < 100000; i++)
		assert_int_equal(big[i], 0);
	for (size_t i = 1; i < 300; i++) {
		u8 *p = arena_alloc(&a, i);
		assert_non_null(p);
		assert_int_equal((uintptr_t)p % _Alignof(max_align_t), 0);
		memset(p, 0xee, i);
	}
	assert_null(arena_array(&a, SIZE_MAX / 2, 4));
	assert_string_equal(arena_strndup(&a, "hello world", 5), "hello");
	arena_fini(&a);
}

static void cpu_lists(void **state)
{
	static const char *const good[][2] = {{"0", "0"}, {"0,4-7", "0,4-7"}, {"4-7,0", "0,4-7"},
		{"1-2,3", "1-3"}, {"0-0", "0"}, {"127,63,64", "63-64,127"}, {"2,2", "2"}};
	static const char *const bad[] = {"", ",", "0,", ",0", "0,,1", "-", "1-", "-1", "2-1",
		"128", "0-128", "1 ", "0x1", "a", "1-2-3", "99999999999999999999"};
	u64 set[2];
	u32 nr;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(good); i++) {
		struct buf b = {0};

		assert_true(str_to_cpus(str_of(good[i][0]), set, 128, &nr));
		buf_cpus(&b, set, nr);
		assert_string_equal(buf_cstr(&b), good[i][1]);
		buf_fini(&b);
	}
	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		assert_false(str_to_cpus(str_of(bad[i]), set, 128, &nr));
	assert_true(str_to_cpus(str_of("0,4-7"), set, 128, &nr));
	assert_int_equal(nr, 8);
	assert_int_equal(set[0], 0xf1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers),
		cmocka_unit_test(addresses),
		cmocka_unit_test(masks),
		cmocka_unit_test(cpu_lists),
		cmocka_unit_test(words),
		cmocka_unit_test(buffer_survives_no_memory),
		cmocka_unit_test(byte_order),
		cmocka_unit_test(messages),
		cmocka_unit_test(arenas),
	};

	return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
