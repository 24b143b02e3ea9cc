/* Compiled address matches against their byte-wise meaning: every prefix length and random masks, source and destination,
 * inverted and not, in every compiled form, interpreted and native. The packet's address is the rule's, or differs from it
 * in one bit: the bits just inside and outside of the mask decide. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "harness.h"
#include "weir/packet.h"

enum { HEADER_BYTES = 40, SRC_OFF = 8, DST_OFF = 24, RULES_PER_SET = 6 };

struct match {
	u8 addr[16], mask[16];
	bool is_dst, inverted;
};

static u64 next_random(u64 *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static void put_address(struct buf *out, const u8 a[static 16])
{
	for (size_t i = 0; i < 16; i += 2)
		buf_printf(out, "%s%x", i ? ":" : "", (unsigned)a[i] << 8 | a[i + 1]);
}

static void put_rule(struct buf *out, const struct match *m)
{
	buf_printf(out, "-A INPUT %s-%c ", m->inverted ? "! " : "", m->is_dst ? 'd' : 's');
	put_address(out, m->addr);
	buf_puts(out, "/");
	put_address(out, m->mask);
	buf_puts(out, "\n"); /* it only counts, so that all rules see each packet */
}

static bool holds(const struct match *m, const u8 *header)
{
	const u8 *a = header + (m->is_dst ? DST_OFF : SRC_OFF);
	bool differs = false;

	for (size_t i = 0; i < 16; i++)
		differs |= ((a[i] ^ m->addr[i]) & m->mask[i]) != 0;
	return differs == m->inverted;
}

/* Runs the packet through all forms, which compare themselves with each other, and says whether the evaluator's counts
 * rose as the byte-wise definition has it. */
static void check_packet(struct harness *h, const struct match *matches, u32 nr, const u8 *header)
{
	struct weir_packet packet = {.data = (uintptr_t)header,
		.data_end = (uintptr_t)header + HEADER_BYTES,
		.len = HEADER_BYTES};
	u64 before[RULES_PER_SET];
	struct buf why = {0};
	u32 i = 0;

	for (const struct rule *r = h->start->rules; r; r = r->next)
		before[i++] = h->counts[r->counter].packets;
	if (!harness_packet(h, &packet, &why))
		fail_msg("%s", buf_cstr(&why));
	buf_fini(&why);
	assert_int_equal(i, nr);
	i = 0;
	for (const struct rule *r = h->start->rules; r; r = r->next, i++)
		assert_int_equal(
			h->counts[r->counter].packets - before[i], holds(&matches[i], header));
}

static void check_matches(const struct match *matches, u32 nr, u64 *seed)
{
	u8 header[HEADER_BYTES] = {0x60, [6] = 59, [7] = 64};
	struct buf text = {0};
	struct harness h;

	buf_puts(&text,
		"*filter\n:INPUT ACCEPT [0:0]\n:FORWARD ACCEPT [0:0]\n:OUTPUT ACCEPT [0:0]\n");
	for (u32 i = 0; i < nr; i++)
		put_rule(&text, &matches[i]);
	buf_puts(&text, "COMMIT\n");
	assert_true(harness_init(&h, str_of(buf_cstr(&text)), FAMILY_IPV6, HOOK_INPUT));
	for (u32 i = 0; i < nr; i++) {
		const struct match *m = &matches[i];
		u8 *at = header + (m->is_dst ? DST_OFF : SRC_OFF);

		for (size_t k = SRC_OFF; k < HEADER_BYTES; k++)
			header[k] = (u8)next_random(seed);
		memcpy(at, m->addr, 16);
		check_packet(&h, matches, nr, header);
		for (unsigned bit = 0; bit < 128; bit++) {
			at[bit / 8] ^= (u8)(0x80u >> bit % 8);
			check_packet(&h, matches, nr, header);
			at[bit / 8] ^= (u8)(0x80u >> bit % 8);
		}
	}
	harness_fini(&h);
	buf_fini(&text);
}

static struct match some_match(u64 *seed)
{
	struct match m = {.is_dst = next_random(seed) & 1, .inverted = next_random(seed) % 3 == 0};

	for (size_t i = 0; i < 16; i++)
		m.addr[i] = (u8)next_random(seed);
	return m;
}

static void cut_to_mask(struct match *m)
{
	for (size_t i = 0; i < 16; i++)
		m->addr[i] &= m->mask[i];
}

/* One rule a set: its code is straight. */
static void each_prefix_alone(void **state)
{
	u64 seed = 0x9e3779b97f4a7c15u;

	(void)state;
	for (unsigned len = 0; len <= 128; len++) {
		struct match m = some_match(&seed);

		m.inverted = false;
		mask_from_prefix(m.mask, 16, len);
		cut_to_mask(&m);
		check_matches(&m, 1, &seed);
	}
}

/* Several rules: a test of each leads to the others. */
static void prefixes_in_lists(void **state)
{
	u64 seed = 0xd1342543de82ef95u;

	(void)state;
	for (unsigned n = 0; n < 20; n++) {
		struct match m[RULES_PER_SET];

		for (u32 i = 0; i < RULES_PER_SET; i++) {
			m[i] = some_match(&seed);
			mask_from_prefix(m[i].mask, 16, (unsigned)(next_random(&seed) % 129));
			cut_to_mask(&m[i]);
		}
		check_matches(m, RULES_PER_SET, &seed);
	}
}

static void random_masks(void **state)
{
	static const u8 edges[] = {0, 0xff, 0x0f, 0x80, 1};
	u64 seed = 0xaf251af3b0f025b5u;

	(void)state;
	for (unsigned n = 0; n < 40; n++) {
		struct match m[2];
		u32 nr = 1 + n % 2;

		for (u32 i = 0; i < nr; i++) {
			m[i] = some_match(&seed);
			for (size_t k = 0; k < 16; k++)
				m[i].mask[k] = next_random(&seed) % 2
						       ? (u8)next_random(&seed)
						       : edges[next_random(&seed) % 5];
			if (next_random(&seed) % 4 == 0)
				memset(m[i].mask + 8 * (n / 2 % 2), 0, 8);
			cut_to_mask(&m[i]);
		}
		check_matches(m, nr, &seed);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_prefix_alone),
		cmocka_unit_test(prefixes_in_lists),
		cmocka_unit_test(random_masks),
	};

	return cmocka_run_group_tests_name("address", tests, NULL, NULL);
}
