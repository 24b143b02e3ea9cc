/* Which packets the IP layer lets through, and reassembly. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/text.h"
#include "run/defrag.h"
#include "run/input.h"
#include "weir/packet.h"

#define V6_HEAD(payload, next) "60000000" payload next "40"
#define SRC "20010db8000000000000000000000001"
#define DST "20010db8000000000000000000000002"
#define UDP8 "0035003500080000"

/* What Linux 6.18 did with each was asked of it; see the kernel comparison for the rest. */
static void ipv6_receive(void **state)
{
	static const struct {
		const char *name, *hex;
		u32 missing;
		enum input_reason reason;
		u32 len;
	} cases[] = {
		{"plain", V6_HEAD("0008", "11") SRC DST UDP8, 0, INPUT_PASSES, 48},
		{"padding behind", V6_HEAD("0008", "11") SRC DST UDP8 "0000000000", 0, INPUT_PASSES,
			48},
		{"short", V6_HEAD("0008", "11") SRC, 0, INPUT_SHORT, 0},
		{"short in the capture", V6_HEAD("0008", "11") SRC, 24, INPUT_CUT, 0},
		{"version 5",
			"50000000"
			"0008"
			"1140" SRC DST UDP8,
			0, INPUT_VERSION, 0},
		{"longer than the frame", V6_HEAD("0009", "11") SRC DST UDP8, 0, INPUT_LENGTH, 0},
		{"cut by the capture", V6_HEAD("0010", "11") SRC DST UDP8, 8, INPUT_CUT, 0},
		{"no payload", V6_HEAD("0000", "11") SRC DST UDP8, 0, INPUT_PASSES, 40},
		{"no payload but hop-by-hop keeps the frame",
			V6_HEAD("0000", "00") SRC DST "1100010400000000" UDP8, 0, INPUT_PASSES, 56},
		{"source multicast",
			V6_HEAD("0008", "11") "ff020000000000000000000000000001" DST UDP8, 0,
			INPUT_SOURCE, 0},
		{"source loopback",
			V6_HEAD("0008", "11") "00000000000000000000000000000001" DST UDP8, 0,
			INPUT_SOURCE, 0},
		{"destination loopback",
			V6_HEAD("0008", "11") SRC "00000000000000000000000000000001" UDP8, 0,
			INPUT_SCOPE, 0},
		{"destination interface-local",
			V6_HEAD("0008", "11") SRC "ff010000000000000000000000000001" UDP8, 0,
			INPUT_SCOPE, 0},
		{"destination scope 0",
			V6_HEAD("0008", "11") SRC "ff000000000000000000000000000001" UDP8, 0,
			INPUT_SCOPE, 0},
		{"router alert", V6_HEAD("0010", "00") SRC DST "1100050200000100" UDP8, 0,
			INPUT_PASSES, 56},
		{"unknown option to skip", V6_HEAD("0010", "00") SRC DST "11001e0400000000" UDP8, 0,
			INPUT_PASSES, 56},
		{"unknown option to discard", V6_HEAD("0010", "00") SRC DST "11009e0400000000" UDP8,
			0, INPUT_HOPOPTS, 0},
		{"padding not zero", V6_HEAD("0010", "00") SRC DST "1100010400000001" UDP8, 0,
			INPUT_HOPOPTS, 0},
		{"option beyond its header", V6_HEAD("0010", "00") SRC DST "1100010500000000" UDP8,
			0, INPUT_HOPOPTS, 0},
		{"six Pad1", V6_HEAD("0010", "00") SRC DST "1100000000000000" UDP8, 0, INPUT_PASSES,
			56},
		{"header beyond the packet", V6_HEAD("0010", "00") SRC DST "1105010400000000" UDP8,
			0, INPUT_HOPOPTS, 0},
		{"jumbo option where none may be",
			V6_HEAD("0010", "00") SRC DST "1100c20400010000" UDP8, 0, INPUT_HOPOPTS, 0},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		u8 ip[128];
		size_t bytes;
		u32 len = 0;
		struct input_opts opts = {0};

		assert_true(str_to_bytes(str_of(cases[i].hex), ip, sizeof(ip), &bytes));
		enum input_reason reason = input_receive(
			FAMILY_IPV6, ip, (u32)bytes, (u32)bytes + cases[i].missing, &opts, &len);
		if (reason != cases[i].reason)
			fail_msg("%s: %s", cases[i].name, input_reason_text(reason));
		if (!reason)
			assert_int_equal(len, cases[i].len);
	}
}

static void ipv6_options_apply(void **state)
{
	u8 ip[64];
	size_t bytes;
	u32 len;

	(void)state;
	assert_true(
		str_to_bytes(str_of(V6_HEAD("0010", "11") SRC DST UDP8), ip, sizeof(ip), &bytes));
	assert_int_equal(input_receive(FAMILY_IPV6, ip, 48, 56,
				 &(struct input_opts){.count_cut = true}, &len),
		INPUT_PASSES);
	assert_int_equal(len, 56);
	assert_int_equal(input_receive(FAMILY_IPV6, ip, 48, 50,
				 &(struct input_opts){.count_cut = true}, &len),
		INPUT_LENGTH);
	assert_true(str_to_bytes(
		str_of(V6_HEAD("0008", "11") "00000000000000000000000000000001" DST UDP8), ip,
		sizeof(ip), &bytes));
	assert_int_equal(input_receive(FAMILY_IPV6, ip, 48, 48,
				 &(struct input_opts){.loopback = true}, &len),
		INPUT_PASSES);
	assert_int_equal(input_receive(FAMILY_IPV6, ip, 48, 48,
				 &(struct input_opts){.outgoing = true}, &len),
		INPUT_PASSES);
}

static void ipv6_routing(void **state)
{
	static const u8 groups[][16] = {{0xff, 2, [15] = 1}};
	static const struct {
		const char *dst;
		enum input_reason deliver, forward;
	} cases[] = {
		{"2001:db8::1", INPUT_PASSES, INPUT_PASSES},
		{"ff02::1", INPUT_PASSES, INPUT_NOT_FORWARDED},
		{"ff02::fb", INPUT_NOT_JOINED, INPUT_NOT_FORWARDED},
		{"fe80::1", INPUT_NOT_LOCAL, INPUT_PASSES},
		{"fec0::1", INPUT_PASSES, INPUT_PASSES},
	};
	struct host host = {.groups = groups, .nr_groups = 1}, any = {.any_destination = true};
	u8 ip[40] = {0x60, [7] = 2};

	(void)state;
	assert_true(str_to_ipv6(str_of("2001:db8::9"), ip + 8));
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		assert_true(str_to_ipv6(str_of(cases[i].dst), ip + 24));
		assert_int_equal(input_deliver(FAMILY_IPV6, ip, &host), cases[i].deliver);
		assert_int_equal(input_deliver(FAMILY_IPV6, ip, &any), INPUT_PASSES);
		assert_int_equal(input_forward(FAMILY_IPV6, ip), cases[i].forward);
	}
	assert_true(str_to_ipv6(str_of("2001:db8::1"), ip + 24));
	ip[7] = 1;
	assert_int_equal(input_forward(FAMILY_IPV6, ip), INPUT_NOT_FORWARDED);
	ip[7] = 64;
	assert_true(str_to_ipv6(str_of("::"), ip + 8));
	assert_int_equal(input_forward(FAMILY_IPV6, ip), INPUT_NOT_FORWARDED);
	assert_int_equal(input_deliver(FAMILY_IPV6, ip, &host), INPUT_PASSES);
}

/* ---- IPv4 ---- */

static void set_checksum(u8 *ip)
{
	u32 sum = 0;

	store_be16(ip + 10, 0);
	for (u32 i = 0; i < (ip[0] & 0xfu) * 4; i += 2)
		sum += load_be16(ip + i);
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	store_be16(ip + 10, (u16)~sum);
}

static void make_ipv4(u8 *ip, const char *src, const char *dst, u16 total)
{
	memset(ip, 0, 20);
	ip[0] = 0x45;
	store_be16(ip + 2, total);
	ip[8] = 64;
	ip[9] = 17;
	assert_true(str_to_ipv4(str_of(src), ip + 12));
	assert_true(str_to_ipv4(str_of(dst), ip + 16));
	set_checksum(ip);
}

static void ipv4_receive(void **state)
{
	struct input_opts opts = {0};
	u8 ip[64];
	u32 len = 0;

	(void)state;
	make_ipv4(ip, "192.0.2.1", "198.51.100.1", 28);
	assert_int_equal(input_receive(FAMILY_IPV4, ip, 46, 46, &opts, &len), INPUT_PASSES);
	assert_int_equal(len, 28);
	assert_int_equal(input_receive(FAMILY_IPV4, ip, 27, 27, &opts, &len), INPUT_LENGTH);
	assert_int_equal(input_receive(FAMILY_IPV4, ip, 27, 28, &opts, &len), INPUT_CUT);
	assert_int_equal(input_receive(FAMILY_IPV4, ip, 19, 19, &opts, &len), INPUT_SHORT);
	ip[8]--;
	assert_int_equal(input_receive(FAMILY_IPV4, ip, 28, 28, &opts, &len), INPUT_CHECKSUM);
	make_ipv4(ip, "192.0.2.1", "198.51.100.1", 19);
	assert_int_equal(input_receive(FAMILY_IPV4, ip, 28, 28, &opts, &len), INPUT_LENGTH);
	ip[0] = 0x44;
	assert_int_equal(input_receive(FAMILY_IPV4, ip, 28, 28, &opts, &len), INPUT_LENGTH);
	ip[0] = 0x65;
	assert_int_equal(input_receive(FAMILY_IPV4, ip, 28, 28, &opts, &len), INPUT_VERSION);
}

static void ipv4_routing(void **state)
{
	static const u8 groups[][16] = {{224, 0, 0, 1}};
	static const struct {
		const char *src, *dst;
		enum input_reason deliver;
	} cases[] = {
		{"192.0.2.1", "198.51.100.1", INPUT_PASSES},
		{"127.0.0.1", "198.51.100.1", INPUT_PASSES},
		{"0.0.0.0", "198.51.100.1", INPUT_MARTIAN},
		{"0.0.0.0", "255.255.255.255", INPUT_PASSES},
		{"0.1.2.3", "198.51.100.1", INPUT_PASSES},
		{"192.0.2.1", "0.1.2.3", INPUT_PASSES},
		{"192.0.2.1", "0.0.0.0", INPUT_MARTIAN},
		{"224.0.0.1", "198.51.100.1", INPUT_MARTIAN},
		{"255.255.255.255", "198.51.100.1", INPUT_MARTIAN},
		{"240.0.0.1", "198.51.100.1", INPUT_PASSES},
		{"192.0.2.1", "255.255.255.255", INPUT_PASSES},
		{"192.0.2.1", "224.0.0.1", INPUT_PASSES},
		{"192.0.2.1", "224.0.0.251", INPUT_NOT_JOINED},
	};
	struct host host = {.groups = groups, .nr_groups = 1};
	u8 ip[64] = {0};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		make_ipv4(ip, cases[i].src, cases[i].dst, 20);
		assert_int_equal(input_deliver(FAMILY_IPV4, ip, &host), cases[i].deliver);
	}
	make_ipv4(ip, "192.0.2.1", "198.51.100.1", 32);
	static const struct {
		const char *options;
		enum input_reason reason;
	} options[] = {
		{"0101010000000000", INPUT_PASSES},
		{"8307040000000000", INPUT_OPTIONS},
		{"0707040000000000", INPUT_PASSES},
		{"0709040000000000", INPUT_OPTIONS},
		{"4408050000000000", INPUT_PASSES},
		{"9404000001010100", INPUT_PASSES},
		{"8201000000000000", INPUT_OPTIONS},
		{"0100000000000007", INPUT_PASSES},
		{"0707030000000000", INPUT_OPTIONS},
	};
	ip[0] = 0x47;
	for (size_t i = 0; i < ARRAY_LEN(options); i++) {
		size_t len;

		assert_true(str_to_bytes(str_of(options[i].options), ip + 20, 8, &len));
		if (input_deliver(FAMILY_IPV4, ip, &host) != options[i].reason)
			fail_msg("options %s", options[i].options);
	}
}

/* ---- reassembly ---- */

static u32 make_fragment(u8 *out, u16 id, u32 from, u32 to, bool more)
{
	make_ipv4(out, "192.0.2.1", "198.51.100.1", (u16)(20 + to - from));
	store_be16(out + 4, id);
	store_be16(out + 6, (u16)((more ? 0x2000 : 0) | from / 8));
	set_checksum(out);
	for (u32 i = from; i < to; i++)
		out[20 + i - from] = (u8)(i * 7 + id);
	return 20 + to - from;
}

struct piece {
	u32 from, to;
	bool more;
	enum defrag_result result;
};

static struct weir_packet packet_of(const u8 *ip, u32 bytes, u64 time_ns)
{
	return (struct weir_packet){.data = (uintptr_t)ip,
		.data_end = (uintptr_t)ip + bytes,
		.len = bytes,
		.mark = load_be16(ip + 6),
		.time_ns = time_ns};
}

static void feed(struct defrag *f, u16 id, const struct piece *pieces, size_t n, u32 total)
{
	static u8 bytes[70000];

	for (size_t i = 0; i < n; i++) {
		struct weir_packet p = packet_of(bytes,
			make_fragment(bytes, id, pieces[i].from, pieces[i].to, pieces[i].more), 0);
		enum defrag_result got = defrag_add(f, &p);

		assert_int_equal(got, pieces[i].result);
		if (got != DEFRAG_COMPLETE)
			continue;
		const u8 *whole = (const u8 *)(uintptr_t)p.data;
		u32 checked = 0;
		assert_int_equal(p.len, 20 + total);
		assert_int_equal(p.data_end - p.data, p.len);
		assert_int_equal(p.mark, 0x2000); /* the first fragment's */
		assert_int_equal(load_be16(whole + 2), p.len);
		assert_int_equal(load_be16(whole + 6), 0);
		assert_int_equal(input_receive(FAMILY_IPV4, whole, p.len, p.len,
					 &(struct input_opts){0}, &checked),
			INPUT_PASSES);
		for (u32 k = 0; k < total; k++)
			assert_int_equal(whole[20 + k], (u8)(k * 7 + id));
	}
}

static void reassembly(void **state)
{
	static const struct piece in_order[] = {{0, 16, true, DEFRAG_HELD},
		{16, 32, true, DEFRAG_HELD}, {32, 37, false, DEFRAG_COMPLETE}};
	static const struct piece reversed[] = {{32, 37, false, DEFRAG_HELD},
		{16, 32, true, DEFRAG_HELD}, {0, 16, true, DEFRAG_COMPLETE}};
	static const struct piece duplicate[] = {{0, 16, true, DEFRAG_HELD},
		{0, 16, true, DEFRAG_HELD}, {8, 16, true, DEFRAG_HELD},
		{16, 24, false, DEFRAG_COMPLETE}};
	/* an overlap ends everything; the last fragment alone starts anew and waits */
	static const struct piece overlap[] = {{0, 16, true, DEFRAG_HELD},
		{8, 24, true, DEFRAG_HELD}, {16, 24, false, DEFRAG_HELD}};
	static const struct piece short_last[] = {{0, 32, true, DEFRAG_HELD},
		{16, 24, false, DEFRAG_HELD}, {32, 40, false, DEFRAG_HELD}};
	static const struct piece whole[] = {{0, 24, false, DEFRAG_WHOLE}};
	struct defrag *f = defrag_new();

	(void)state;
	assert_non_null(f);
	feed(f, 1, in_order, ARRAY_LEN(in_order), 37);
	assert_int_equal(defrag_nr_fragments(f), 3);
	feed(f, 2, reversed, ARRAY_LEN(reversed), 37);
	feed(f, 3, duplicate, ARRAY_LEN(duplicate), 24);
	assert_int_equal(defrag_nr_fragments(f), 2);
	feed(f, 4, overlap, ARRAY_LEN(overlap), 24);
	feed(f, 5, short_last, ARRAY_LEN(short_last), 0);
	feed(f, 6, whole, 1, 24);
	defrag_free(f);
}

static void reassembly_times_out(void **state)
{
	struct defrag *f = defrag_new();
	u8 bytes[128];

	(void)state;
	struct weir_packet p = packet_of(bytes, make_fragment(bytes, 9, 0, 16, true), 1);
	assert_int_equal(defrag_add(f, &p), DEFRAG_HELD);
	p = packet_of(bytes, make_fragment(bytes, 9, 16, 24, false), 31ull * 1000000000u);
	assert_int_equal(defrag_add(f, &p), DEFRAG_HELD);
	defrag_free(f);
}

/* Many datagrams in random order of their pieces, all found; then garbage, without harm. */
static void reassembly_random(void **state)
{
	struct defrag *f = defrag_new();
	enum { PIECES = 12, ROUNDS = 200 };

	(void)state;
	srand(1);
	for (u16 id = 0; id < ROUNDS; id++) {
		struct piece pieces[PIECES];

		for (u32 i = 0; i < PIECES; i++)
			pieces[i] =
				(struct piece){i * 24, i * 24 + 24, i < PIECES - 1, DEFRAG_HELD};
		for (int i = PIECES - 1; i > 0; i--) {
			int k = rand() % (i + 1);
			struct piece t = pieces[i];

			pieces[i] = pieces[k];
			pieces[k] = t;
		}
		pieces[PIECES - 1].result = DEFRAG_COMPLETE;
		feed(f, id, pieces, PIECES, PIECES * 24);
	}
	for (int i = 0; i < 20000; i++) {
		static u8 bytes[70000];
		u32 from = (u32)(rand() % 8191) * 8, size = (u32)(rand() % 3000);
		u32 len = make_fragment(bytes, (u16)(rand() % 50), from, from + size, rand() % 4);
		struct weir_packet p = packet_of(bytes, len, (u64)i * 1000000);

		defrag_add(f, &p);
	}
	defrag_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ipv6_receive),
		cmocka_unit_test(ipv6_options_apply),
		cmocka_unit_test(ipv6_routing),
		cmocka_unit_test(ipv4_receive),
		cmocka_unit_test(ipv4_routing),
		cmocka_unit_test(reassembly),
		cmocka_unit_test(reassembly_times_out),
		cmocka_unit_test(reassembly_random),
	};

	return cmocka_run_group_tests_name("input", tests, NULL, NULL);
}
