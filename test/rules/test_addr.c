/* The masked IPv6 compare against its byte-wise meaning; and each likely slip in it must be caught
 * by the same checker. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/text.h"
#include "base/types.h"
#include "weir/addr.h"

typedef bool (*differs_fn)(const void *a1, const void *a2, const void *mask);

static bool differs_bytewise(const u8 *a1, const u8 *a2, const u8 *mask)
{
	for (size_t i = 0; i < 16; i++)
		if ((a1[i] ^ a2[i]) & mask[i])
			return true;
	return false;
}

static u64 next_random(u64 *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* The three operands at every combination of a few misalignments, each with nothing behind its 16
 * bytes to rely on. */
static bool agrees_at_all_alignments(differs_fn f, const u8 *a1, const u8 *a2, const u8 *mask)
{
	bool want = differs_bytewise(a1, a2, mask);

	for (size_t shift = 0; shift < 8; shift++) {
		u8 room1[16 + 8], room2[16 + 8], room3[16 + 8];

		memset(room1, 0x55, sizeof(room1));
		memset(room2, 0xaa, sizeof(room2));
		memset(room3, 0xff, sizeof(room3));
		memcpy(room1 + shift, a1, 16);
		memcpy(room2 + (shift + 3) % 8, a2, 16);
		memcpy(room3 + (shift + 5) % 8, mask, 16);
		if (f(room1 + shift, room2 + (shift + 3) % 8, room3 + (shift + 5) % 8) != want)
			return false;
	}
	return true;
}

/* Addresses that differ in one bit under every prefix length: the bit just inside and just outside
 * decide. */
static bool right_on_prefixes(differs_fn f, u64 *seed)
{
	for (unsigned len = 0; len <= 128; len++) {
		u8 a[16], b[16], mask[16];

		for (size_t i = 0; i < 16; i++)
			a[i] = (u8)next_random(seed);
		mask_from_prefix(mask, 16, len);
		if (!agrees_at_all_alignments(f, a, a, mask))
			return false;
		for (unsigned bit = 0; bit < 128; bit++) {
			memcpy(b, a, 16);
			b[bit / 8] ^= (u8)(0x80u >> bit % 8);
			if (!agrees_at_all_alignments(f, a, b, mask))
				return false;
		}
	}
	return true;
}

static bool right_on_edges(differs_fn f)
{
	static const u8 bytes[] = {0x00, 0x01, 0x7f, 0x80, 0xff};
	u8 a[16] = {0}, b[16] = {0}, mask[16] = {0};

	for (size_t i = 0; i < 16; i++) {
		for (size_t x = 0; x < 5 * 5 * 5; x++) {
			a[i] = bytes[x % 5];
			b[i] = bytes[x / 5 % 5];
			mask[i] = bytes[x / 25];
			if (!agrees_at_all_alignments(f, a, b, mask))
				return false;
		}
		a[i] = b[i] = mask[i] = 0;
	}
	return true;
}

/* Sparse masks make both answers about equally likely. */
static bool right_on_random(differs_fn f, u64 *seed)
{
	for (int n = 0; n < 2000; n++) {
		u8 a[16], b[16], mask[16];

		for (size_t i = 0; i < 16; i++) {
			a[i] = (u8)next_random(seed);
			b[i] = next_random(seed) % 4 == 0 ? (u8)next_random(seed) : a[i];
			mask[i] = (u8)(next_random(seed) & next_random(seed) & next_random(seed));
		}
		if (!agrees_at_all_alignments(f, a, b, mask))
			return false;
	}
	return true;
}

static bool is_right(differs_fn f)
{
	u64 seed = 0x9e3779b97f4a7c15u;

	return right_on_prefixes(f, &seed) && right_on_edges(f) && right_on_random(f, &seed);
}

/* What the mutants share: the operands as two words each. */
struct words {
	u64 a[2], b[2], m[2];
};

static struct words load_words(const void *a, const void *b, const void *m)
{
	struct words w;

	memcpy(w.a, a, 16);
	memcpy(w.b, b, 16);
	memcpy(w.m, m, 16);
	return w;
}

#define MUTANT(name, expr) \
	static bool name(const void *p, const void *q, const void *r) \
	{ \
		struct words w = load_words(p, q, r); \
		return (expr) != 0; \
	}

MUTANT(compared_with_itself, ((w.a[0] ^ w.a[0]) & w.m[0]) | ((w.a[1] ^ w.a[1]) & w.m[1]))
MUTANT(low_half_with_itself, ((w.a[0] ^ w.b[0]) & w.m[0]) | ((w.a[1] ^ w.a[1]) & w.m[1]))
MUTANT(first_half_dropped, (w.a[1] ^ w.b[1]) & w.m[1])
MUTANT(second_half_dropped, (w.a[0] ^ w.b[0]) & w.m[0])
MUTANT(mask_halves_swapped, ((w.a[0] ^ w.b[0]) & w.m[1]) | ((w.a[1] ^ w.b[1]) & w.m[0]))
MUTANT(first_mask_for_both, ((w.a[0] ^ w.b[0]) & w.m[0]) | ((w.a[1] ^ w.b[1]) & w.m[0]))
MUTANT(halves_crossed, ((w.a[0] ^ w.b[1]) & w.m[0]) | ((w.a[1] ^ w.b[0]) & w.m[1]))
MUTANT(bytes_of_mask_swapped, ((w.a[0] ^ w.b[0]) & __builtin_bswap64(w.m[0])) |
				      ((w.a[1] ^ w.b[1]) & __builtin_bswap64(w.m[1])))
MUTANT(bytes_of_one_address_swapped, ((__builtin_bswap64(w.a[0]) ^ w.b[0]) & w.m[0]) |
					     ((__builtin_bswap64(w.a[1]) ^ w.b[1]) & w.m[1]))
MUTANT(masks_ignored, (w.a[0] ^ w.b[0]) | (w.a[1] ^ w.b[1]))
MUTANT(halves_anded, ((w.a[0] ^ w.b[0]) & w.m[0]) & ((w.a[1] ^ w.b[1]) & w.m[1]))
MUTANT(both_halves_must_differ, ((w.a[0] ^ w.b[0]) & w.m[0]) && ((w.a[1] ^ w.b[1]) & w.m[1]))
MUTANT(halves_xored, ((w.a[0] ^ w.b[0]) & w.m[0]) ^ ((w.a[1] ^ w.b[1]) & w.m[1]))
MUTANT(or_for_xor, ((w.a[0] | w.b[0]) & w.m[0]) | ((w.a[1] | w.b[1]) & w.m[1]))
MUTANT(only_one_side_masked, ((w.a[0] & w.m[0]) ^ w.b[0]) | ((w.a[1] & w.m[1]) ^ w.b[1]))
MUTANT(answer_negated, !(((w.a[0] ^ w.b[0]) & w.m[0]) | ((w.a[1] ^ w.b[1]) & w.m[1])))
MUTANT(answer_cut_to_int, (int)(u32)(((w.a[0] ^ w.b[0]) & w.m[0]) | ((w.a[1] ^ w.b[1]) & w.m[1])))
MUTANT(always_true, w.a[0] | 1)
MUTANT(always_false, w.a[0] & 0)

static void meaning(void **state)
{
	(void)state;
	assert_true(is_right(weir_ipv6_masked_differs));
}

static void mutants_are_caught(void **state)
{
	static const struct {
		const char *name;
		differs_fn f;
	} mutants[] = {
#define ROW(f) {#f, f}
		ROW(compared_with_itself),
		ROW(low_half_with_itself),
		ROW(first_half_dropped),
		ROW(second_half_dropped),
		ROW(mask_halves_swapped),
		ROW(first_mask_for_both),
		ROW(halves_crossed),
		ROW(bytes_of_mask_swapped),
		ROW(bytes_of_one_address_swapped),
		ROW(masks_ignored),
		ROW(halves_anded),
		ROW(both_halves_must_differ),
		ROW(halves_xored),
		ROW(or_for_xor),
		ROW(only_one_side_masked),
		ROW(answer_negated),
		ROW(answer_cut_to_int),
		ROW(always_true),
		ROW(always_false),
#undef ROW
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(mutants); i++)
		if (is_right(mutants[i].f))
			fail_msg("the checker doesn't notice the mutant %s", mutants[i].name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(meaning),
		cmocka_unit_test(mutants_are_caught),
	};

	return cmocka_run_group_tests_name("addr", tests, NULL, NULL);
}
