/* Prefixes: the longest that fits, and what a program holds while others change. */
#include "one_map.h"

#include <errno.h>
#include <string.h>

struct lpm4 {
	u32 len;
	u8 data[4];
};

static void lpm(void **state)
{
	static const struct {
		struct lpm4 key;
		u32 want;
	} lookups[] = {
		{{32, {10, 1, 2, 3}}, 4},
		{{32, {10, 1, 3, 3}}, 3},
		{{32, {10, 2, 0, 0}}, 2},
		{{32, {11, 0, 0, 0}}, 1},
		{{24, {10, 1, 2, 3}}, 4},
		{{23, {10, 1, 2, 3}}, 3},
		{{0, {10, 1, 2, 3}}, 1},
		{{33, {10, 1, 2, 3}}, 0},
	};
	static const struct lpm4 prefixes[] = {
		{0, {0}}, {8, {10}}, {16, {10, 1}}, {24, {10, 1, 2}}};
	struct map *m = map_of(*state, MAP_TYPE_LPM_TRIE, 8, 4, 4, BPF_F_NO_PREALLOC);
	struct lpm4 too_long = {33, {0}}, fifth = {32, {1}};

	for (u32 i = 0; i < 4; i++) {
		u32 value = i + 1;

		assert_int_equal(update(m, &prefixes[i], &value, BPF_NOEXIST), 0);
		assert_int_equal(update(m, &prefixes[i], &value, BPF_NOEXIST), -EEXIST);
	}
	for (size_t i = 0; i < ARRAY_LEN(lookups); i++) {
		u32 *found = look(m, &lookups[i].key);

		assert_int_equal(found ? *found : 0, lookups[i].want);
	}
	assert_int_equal(update(m, &too_long, "valu", 0), -EINVAL);
	assert_int_equal(map_remove(m, &too_long), -EINVAL);
	assert_int_equal(update(m, &fifth, "valu", 0), -ENOSPC);
	assert_int_equal(map_remove(m, &fifth), -ENOENT);
	map_put(m);
}

/* What a program found stays as it is until its run ends, however many changes follow. */
static void lpm_grace(void **state)
{
	struct map *m = map_of(*state, MAP_TYPE_LPM_TRIE, 8, 8, 4, BPF_F_NO_PREALLOC);
	struct lpm4 key = {32, {1}};
	u64 value = 1;
	u64 *found, memory;

	assert_int_equal(update(m, &key, &value, 0), 0);
	found = look(m, &key);
	for (value = 2; value < 2000; value++)
		assert_int_equal(update(m, &key, &value, 0), 0);
	assert_int_equal(*found, 1);
	assert_int_equal(*(u64 *)look(m, &key), 1999);
	memory = m->ops->memory_bytes(m);
	for (; value < 20000; value++) {
		cpu_enter(cpu_enter(NULL)); /* the next run */
		assert_int_equal(update(m, &key, &value, 0), 0);
	}
	assert_int_equal(m->ops->memory_bytes(m), memory); /* nodes are used again */
	map_put(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(lpm),
		TEST(lpm_grace),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
