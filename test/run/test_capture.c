/* Captures made here, read back: both byte orders and clocks, pcapng's interfaces, and everything
 * that can be broken. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/bytes.h"
#include "base/diag.h"
#include "run/capture.h"
#include "run/link.h"

static char path[] = "/tmp/weir-test-XXXXXX";

static void write_file(const struct buf *b)
{
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(b->data, 1, b->len, f), b->len);
	fclose(f);
}

static void put32(struct buf *b, u32 v, bool big)
{
	buf_le32(b, big ? __builtin_bswap32(v) : v);
}

static void put16(struct buf *b, u16 v, bool big)
{
	u16 raw = big ? __builtin_bswap16(v) : v;

	buf_put(b, &raw, 2);
}

static void pcap_header(struct buf *b, u32 magic, u32 snaplen, u32 link, bool big)
{
	put32(b, magic, big);
	put16(b, 2, big);
	put16(b, 4, big);
	put32(b, 0, big);
	put32(b, 0, big);
	put32(b, snaplen, big);
	put32(b, link, big);
}

static void pcap_record(
	struct buf *b, u32 sec, u32 frac, const char *bytes, u32 captured, u32 wire, bool big)
{
	put32(b, sec, big);
	put32(b, frac, big);
	put32(b, captured, big);
	put32(b, wire, big);
	buf_put(b, bytes, captured);
}

/* Opens what is in b, reads `want` records, and returns what the call behind them said. */
static int read_all(const struct buf *b, u64 want, char *message, size_t room)
{
	struct capture *c = NULL;
	struct diag d = {0};
	struct record r;
	int got;

	write_file(b);
	got = capture_open(path, &c, &d);
	for (u64 i = 0; !got && i < want; i++) {
		assert_int_equal(capture_next(c, &r, &d), 1);
		assert_int_equal(r.number, i + 1);
	}
	if (!got)
		got = capture_next(c, &r, &d);
	snprintf(message, room, "%s", diag_first(&d));
	capture_close(c);
	diag_fini(&d);
	return got;
}

static void pcap_both_orders_and_clocks(void **state)
{
	static const struct {
		u32 magic;
		bool big;
		u64 frac_ns;
	} cases[] = {
		{0xa1b2c3d4, false, 5000},
		{0xa1b2c3d4, true, 5000},
		{0xa1b23c4d, false, 5},
		{0xa1b23c4d, true, 5},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct buf b = {0};
		struct capture *c;
		struct record r;

		pcap_header(&b, cases[i].magic, 65535, 101, cases[i].big);
		pcap_record(&b, 7, 5, "abcdef", 6, 60, cases[i].big);
		write_file(&b);
		assert_int_equal(capture_open(path, &c, NULL), 0);
		assert_int_equal(capture_next(c, &r, NULL), 1);
		assert_int_equal(r.bytes, 6);
		assert_int_equal(r.wire_bytes, 60);
		assert_memory_equal(r.data, "abcdef", 6);
		assert_true(r.time_ns == 7000000000u + cases[i].frac_ns);
		assert_string_equal(link_name(r.link), "RAW");
		assert_int_equal(capture_next(c, &r, NULL), 0);
		capture_close(c);
		buf_fini(&b);
	}
}

static void pcap_broken(void **state)
{
	char text[256];
	struct buf b = {0};

	(void)state;
	assert_int_equal(read_all(&b, 0, text, sizeof(text)), -EINVAL);
	assert_string_equal(text, "is empty: no capture");
	buf_puts(&b, "abc");
	assert_int_equal(read_all(&b, 0, text, sizeof(text)), -EINVAL);
	assert_non_null(strstr(text, "shorter than four bytes"));
	buf_puts(&b, "defghijklmnopqrstuvwxyz");
	assert_int_equal(read_all(&b, 0, text, sizeof(text)), -EINVAL);
	assert_non_null(strstr(text, "neither a pcap nor a pcapng file"));
	buf_reset(&b);
	buf_put(&b, "\x1f\x8b\x08\x00\x00", 5);
	assert_int_equal(read_all(&b, 0, text, sizeof(text)), -EINVAL);
	assert_non_null(strstr(text, "zcat"));

	buf_reset(&b);
	pcap_header(&b, 0xa1b2c3d4, 65535, 1, false);
	assert_int_equal(read_all(&b, 0, text, sizeof(text)), 0);
	pcap_record(&b, 1, 1, "0123456789", 10, 10, false);
	size_t whole = b.len;
	for (size_t cut = 25; cut < whole; cut++) {
		b.len = cut;
		assert_int_equal(read_all(&b, 0, text, sizeof(text)), -EINVAL);
		assert_non_null(strstr(text, "packet 1: truncated"));
	}
	b.len = whole;
	assert_int_equal(read_all(&b, 1, text, sizeof(text)), 0);
	buf_fini(&b);
}

static void pcap_record_beyond_snaplen(void **state)
{
	char text[256];
	struct buf b = {0};

	(void)state;
	pcap_header(&b, 0xa1b2c3d4, 8, 1, true);
	pcap_record(&b, 1, 1, "01234567", 8, 10, true);
	pcap_record(&b, 1, 1, "012345678", 9, 10, true);
	assert_int_equal(read_all(&b, 1, text, sizeof(text)), -EINVAL);
	assert_string_equal(text, "packet 2: has 9 captured bytes, more than the file's snap "
				  "length of 8: the file is corrupt");
	buf_reset(&b);
	pcap_header(&b, 0xa1b2c3d4, 65535, 1, false);
	put32(&b, 1, false);
	put32(&b, 1, false);
	put32(&b, 0x7fffffff, false);
	put32(&b, 0x7fffffff, false);
	assert_int_equal(read_all(&b, 0, text, sizeof(text)), -EINVAL);
	buf_fini(&b);
}

/* ---- pcapng ---- */

static void ng_block(struct buf *b, u32 type, const struct buf *body, bool big)
{
	u32 padded = (u32)((body->len + 3) & ~3u), length = padded + 12;

	put32(b, type, big);
	put32(b, length, big);
	buf_put(b, body->data, body->len);
	buf_put(b, "\0\0\0", padded - body->len);
	put32(b, length, big);
}

static void ng_section(struct buf *b, bool big)
{
	struct buf body = {0};

	put32(&body, 0x1a2b3c4d, big);
	put16(&body, 1, big);
	put16(&body, 0, big);
	put32(&body, UINT32_MAX, big);
	put32(&body, UINT32_MAX, big);
	ng_block(b, 0x0a0d0d0a, &body, big);
	buf_fini(&body);
}

static void ng_iface(struct buf *b, u16 link, const char *name, u8 resolution, bool big)
{
	struct buf body = {0};
	size_t len = strlen(name);

	put16(&body, link, big);
	put16(&body, 0, big);
	put32(&body, 100, big);
	put16(&body, 2, big);
	put16(&body, (u16)len, big);
	buf_put(&body, name, len);
	buf_put(&body, "\0\0\0", (4 - len % 4) % 4);
	if (resolution) {
		put16(&body, 9, big);
		put16(&body, 1, big);
		buf_put(&body, (u8[]){resolution, 0, 0, 0}, 4);
	}
	put32(&body, 0, big);
	ng_block(b, 1, &body, big);
	buf_fini(&body);
}

static void ng_packet(struct buf *b, u32 iface, u64 time, const char *bytes, u32 captured,
	u32 direction, bool big)
{
	struct buf body = {0};

	put32(&body, iface, big);
	put32(&body, (u32)(time >> 32), big);
	put32(&body, (u32)time, big);
	put32(&body, captured, big);
	put32(&body, captured, big);
	buf_put(&body, bytes, strlen(bytes));
	buf_put(&body, "\0\0\0", (4 - strlen(bytes) % 4) % 4);
	if (direction) {
		put16(&body, 2, big);
		put16(&body, 4, big);
		put32(&body, direction, big);
		put32(&body, 0, big);
	}
	ng_block(b, 6, &body, big);
	buf_fini(&body);
}

static void pcapng_interfaces(void **state)
{
	(void)state;
	for (int big = 0; big < 2; big++) {
		struct buf b = {0}, other = {0};
		struct capture *c;
		struct record r;

		ng_section(&b, big);
		ng_iface(&b, 1, "eth0", 0, big);
		ng_iface(&b, 101, "wlan0.7", 9, big);
		buf_puts(&other, "a block nobody knows");
		ng_block(&b, 0x0bad, &other, big);
		ng_packet(&b, 1, 5000000001u, "xyz", 3, 2, big);
		ng_packet(&b, 0, 7, "hello", 5, 1, big);
		ng_section(&b, !big); /* a second section, the other way round */
		ng_iface(&b, 0, "lo", 0x80 | 10, !big);
		ng_packet(&b, 0, 1024, "z", 1, 0, !big);
		write_file(&b);
		assert_int_equal(capture_open(path, &c, NULL), 0);
		assert_int_equal(capture_next(c, &r, NULL), 1);
		assert_string_equal(r.iface, "wlan0.7");
		assert_int_equal(r.link, 101);
		assert_true(r.time_ns == 5000000001u);
		assert_memory_equal(r.data, "xyz", 3);
		assert_int_equal(r.direction, DIRECTION_OUT);
		assert_int_equal(capture_next(c, &r, NULL), 1);
		assert_string_equal(r.iface, "eth0");
		assert_true(r.time_ns == 7000);
		assert_int_equal(r.direction, DIRECTION_IN);
		assert_int_equal(capture_next(c, &r, NULL), 1);
		assert_string_equal(r.iface, "lo");
		assert_true(r.time_ns == 1000000000u);
		assert_int_equal(r.direction, DIRECTION_UNKNOWN);
		assert_int_equal(r.number, 3);
		assert_int_equal(capture_next(c, &r, NULL), 0);
		capture_close(c);
		buf_fini(&b);
		buf_fini(&other);
	}
}

static void pcapng_broken(void **state)
{
	char text[256];
	struct buf b = {0};

	(void)state;
	ng_section(&b, false);
	ng_iface(&b, 1, "eth0", 0, false);
	size_t before = b.len;
	ng_packet(&b, 0, 7, "hello", 5, 0, false);
	size_t whole = b.len;
	for (size_t cut = 4; cut < whole; cut++) {
		bool at_block = cut == 28 || cut == before;

		b.len = cut;
		assert_int_equal(read_all(&b, 0, text, sizeof(text)), at_block ? 0 : -EINVAL);
		if (!at_block)
			assert_non_null(strstr(text, "truncated"));
	}
	b.len = before;
	ng_packet(&b, 1, 7, "hello", 5, 0, false);
	assert_int_equal(read_all(&b, 0, text, sizeof(text)), -EINVAL);
	assert_non_null(strstr(text, "interface that the file doesn't describe"));
	b.len = before;
	ng_packet(&b, 0, 7, "hello", 50, 0, false);
	assert_int_equal(read_all(&b, 0, text, sizeof(text)), -EINVAL);
	assert_non_null(strstr(text, "packet longer than its block"));
	b.len = before;
	ng_packet(&b, 0, 7,
		"0123456789012345678901234567890123456789012345678901234567890123456789"
		"0123456789012345678901234567890123456789",
		110, 0, false);
	assert_int_equal(read_all(&b, 0, text, sizeof(text)), -EINVAL);
	assert_non_null(strstr(text, "snap length"));
	/* every byte of the file changed in turn: an error or not, but never a crash */
	b.len = whole;
	for (size_t i = 0; i < whole; i++) {
		u8 kept = b.data[i];

		for (unsigned bit = 0; bit < 8; bit++) {
			struct capture *c = NULL;
			struct record r;

			b.data[i] = (u8)(kept ^ 1u << bit);
			write_file(&b);
			if (capture_open(path, &c, NULL))
				continue;
			while (capture_next(c, &r, NULL) == 1)
				;
			capture_close(c);
		}
		b.data[i] = kept;
	}
	buf_fini(&b);
}

static void written_is_read_back(void **state)
{
	struct record r = {.data = (const u8 *)"abcdef",
		.bytes = 6,
		.wire_bytes = 9,
		.link = 101,
		.time_ns = 3000000007u};
	struct capture_writer *w;
	struct capture *c;
	struct diag d = {0};

	(void)state;
	assert_int_equal(capture_writer_open(path, 101, &w, NULL), 0);
	assert_int_equal(capture_writer_put(w, &r, NULL), 0);
	r.link = 1;
	assert_int_equal(capture_writer_put(w, &r, &d), -EINVAL);
	assert_non_null(strstr(diag_first(&d), "link type"));
	assert_int_equal(capture_writer_close(w, NULL), 0);
	assert_int_equal(capture_open(path, &c, NULL), 0);
	assert_int_equal(capture_next(c, &r, NULL), 1);
	assert_true(r.time_ns == 3000000007u && r.bytes == 6 && r.wire_bytes == 9);
	assert_int_equal(capture_next(c, &r, NULL), 0);
	capture_close(c);
	assert_int_equal(capture_writer_open("/nowhere/at/all", 101, &w, NULL), -EIO);
	assert_int_equal(capture_open("/nowhere/at/all", &c, NULL), -ENOENT);
	assert_int_equal(capture_open("/tmp", &c, NULL), -EISDIR);
	diag_fini(&d);
}

/* ---- link types ---- */

static void link_layers(void **state)
{
	static const struct {
		u32 link;
		const char *frame; /* hex; an IP header follows */
		enum family family;
		u32 ip_off;
		int mac_off; /* -1: none */
		enum direction direction;
	} cases[] = {
		{1, "aaaaaaaaaaaabbbbbbbbbbbb86dd60", FAMILY_IPV6, 14, 6, DIRECTION_UNKNOWN},
		{1, "aaaaaaaaaaaabbbbbbbbbbbb080045", FAMILY_IPV4, 14, 6, DIRECTION_UNKNOWN},
		{1, "aaaaaaaaaaaabbbbbbbbbbbb8100006486dd60", FAMILY_IPV6, 18, 6,
			DIRECTION_UNKNOWN},
		{1, "aaaaaaaaaaaabbbbbbbbbbbb88a80064810000c8080045", FAMILY_IPV4, 22, 6,
			DIRECTION_UNKNOWN},
		{1, "aaaaaaaaaaaabbbbbbbbbbbb91000064810000c886dd60", FAMILY_IPV6, 22, 6,
			DIRECTION_UNKNOWN},
		{1, "aaaaaaaaaaaabbbbbbbbbbbb08060001", FAMILY_NONE, 0, -1, DIRECTION_UNKNOWN},
		{1, "aaaaaaaaaaaabbbbbbbbbbbb81000064", FAMILY_NONE, 0, -1, DIRECTION_UNKNOWN},
		{1, "aaaaaaaaaaaabbbbbbbbbbbb", FAMILY_NONE, 0, -1, DIRECTION_UNKNOWN},
		{101, "60", FAMILY_IPV6, 0, -1, DIRECTION_UNKNOWN},
		{101, "45", FAMILY_IPV4, 0, -1, DIRECTION_UNKNOWN},
		{228, "45", FAMILY_IPV4, 0, -1, DIRECTION_UNKNOWN},
		{229, "60", FAMILY_IPV6, 0, -1, DIRECTION_UNKNOWN},
		{101, "", FAMILY_NONE, 0, -1, DIRECTION_UNKNOWN},
		{113, "000000010006bbbbbbbbbbbb000086dd60", FAMILY_IPV6, 16, 6, DIRECTION_IN},
		{113, "000403040006000000000000000086dd60", FAMILY_IPV6, 16, -1, DIRECTION_OUT},
		{276,
			"0800000000000003000104060102030405060000"
			"45",
			FAMILY_IPV4, 20, 12, DIRECTION_OUT},
		{0, "0200000045", FAMILY_IPV4, 4, -1, DIRECTION_UNKNOWN},
		{0, "0000001e60", FAMILY_IPV6, 4, -1, DIRECTION_UNKNOWN},
		{108, "0000001860", FAMILY_IPV6, 4, -1, DIRECTION_UNKNOWN},
		{9, "ff03002145", FAMILY_IPV4, 4, -1, DIRECTION_UNKNOWN},
		{9, "005760", FAMILY_IPV6, 2, -1, DIRECTION_UNKNOWN},
		{9, "5760", FAMILY_IPV6, 1, -1, DIRECTION_UNKNOWN},
		{9, "ff03", FAMILY_NONE, 0, -1, DIRECTION_UNKNOWN},
		{50, "ff03005760", FAMILY_IPV6, 4, -1, DIRECTION_UNKNOWN},
		{51,
			"1100000100020021"
			"45",
			FAMILY_IPV4, 8, -1, DIRECTION_UNKNOWN},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		u8 frame[64];
		size_t len;
		struct link_packet out;

		assert_true(str_to_bytes(str_of(cases[i].frame), frame, sizeof(frame), &len));
		struct record r = {.data = frame,
			.bytes = (u32)len,
			.wire_bytes = (u32)len + 3,
			.link = cases[i].link};
		link_parse(&r, &out);
		assert_int_equal(out.family, cases[i].family);
		assert_int_equal(out.direction, cases[i].direction);
		if (cases[i].family == FAMILY_NONE)
			continue;
		assert_int_equal(out.ip - frame, cases[i].ip_off);
		assert_int_equal(out.bytes, len - cases[i].ip_off);
		assert_int_equal(out.wire_bytes, len + 3 - cases[i].ip_off);
		if (cases[i].mac_off < 0)
			assert_null(out.mac_source);
		else
			assert_int_equal(out.mac_source - frame, cases[i].mac_off);
	}
	assert_null(link_name(147));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pcap_both_orders_and_clocks),
		cmocka_unit_test(pcap_broken),
		cmocka_unit_test(pcap_record_beyond_snaplen),
		cmocka_unit_test(pcapng_interfaces),
		cmocka_unit_test(pcapng_broken),
		cmocka_unit_test(written_is_read_back),
		cmocka_unit_test(link_layers),
	};
	int fd = mkstemp(path);

	if (fd < 0)
		return 1;
	close(fd);
	int failed = cmocka_run_group_tests_name("capture", tests, NULL, NULL);
	unlink(path);
	return failed;
}
