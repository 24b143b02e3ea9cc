/* Types without keys: queues, stacks, bloom filters. */
#include "one_map.h"

#include <errno.h>
#include <string.h>

/* Oldest or newest first; a push into a full one fails or drops the oldest; the ring goes round. */
static void queue_and_stack(void **state)
{
	struct map *q = map_of(*state, MAP_TYPE_QUEUE, 0, 12, 3, 0);
	struct map *s = map_of(*state, MAP_TYPE_STACK, 0, 12, 3, 0);
	u8 value[16] = "untouched------";

	assert_int_equal(map_pop(q, value), -ENOENT);
	assert_int_equal(map_peek(s, value), -ENOENT);
	assert_memory_equal(value, "untouched------", 16);
	for (u8 round = 0; round < 7; round++) {
		for (u8 i = 0; i < 5; i++) {
			u8 in[12] = {round, i};

			assert_int_equal(map_push(s, in, BPF_NOEXIST), -EINVAL);
			assert_int_equal(map_push(q, in, BPF_ANY), i < 3 ? 0 : -E2BIG);
			assert_int_equal(map_write(s, NULL, in, BPF_ANY), i < 3 ? 0 : -E2BIG);
			if (i < 3)
				continue;
			assert_int_equal(map_push(q, in, BPF_EXIST), 0);
			assert_int_equal(map_push(s, in, BPF_EXIST), 0);
		}
		for (u8 i = 0; i < 3; i++) {
			assert_int_equal(map_read(q, NULL, value), 0);
			assert_true(value[0] == round && value[1] == 2 + i);
			assert_int_equal(map_pop(q, value), 0);
			assert_true(value[0] == round && value[1] == 2 + i);
			assert_int_equal(map_peek(s, value), 0);
			assert_true(value[0] == round && value[1] == 4 - i);
			assert_int_equal(map_read_and_remove(s, NULL, value), 0);
			assert_true(value[0] == round && value[1] == 4 - i);
		}
		assert_int_equal(map_pop(q, value), -ENOENT);
		assert_int_equal(map_pop(s, value), -ENOENT);
	}
	assert_memory_equal(value + 12, "---", 4);
	assert_int_equal(map_remove(q, NULL), -EINVAL);
	assert_int_equal(map_read(q, "key", value), -EINVAL);
	assert_int_equal(map_freeze(q), 0);
	assert_int_equal(map_push(q, value, 0), -EPERM);
	map_put(q);
	map_put(s);
}

/* Nothing pushed is missed; others are found about as often as the share of bits that are set says. */
static void bloom_filter(void **state)
{
	enum { VALUES = 1000, OTHERS = 200000 };

	for (u64 hashes = 0; hashes <= 15; hashes++) {
		const struct map_spec spec = {.name = "bloom",
			.type = MAP_TYPE_BLOOM_FILTER,
			.value_size = 12,
			.max_entries = VALUES,
			.flags = 1 << 6,
			.extra = hashes};
		double bits, unset = 1, theory = 1;
		u32 value[3] = {0}, false_positives = 0;
		u64 nr = hashes ? hashes : 5;
		struct map *m;

		assert_int_equal(map_new(&spec, *state, &m, NULL), 0);
		for (value[1] = 0; value[1] < VALUES; value[1]++)
			assert_int_equal(map_push(m, value, 0), 0);
		for (value[1] = 0; value[1] < VALUES; value[1]++)
			assert_int_equal(map_peek(m, value), 0);
		for (; value[1] < VALUES + OTHERS; value[1]++)
			false_positives += !map_peek(m, value);
		bits = 8 * (double)m->ops->memory_bytes(m);
		assert_true(bits >= 1.44 * (double)VALUES * (double)nr);
		for (u64 i = 0; i < VALUES * nr; i++)
			unset *= 1 - 1 / bits;
		for (u64 i = 0; i < nr; i++)
			theory *= 1 - unset;
		theory *= (double)OTHERS;
		assert_true(false_positives <= 1.3 * theory + 12);
		assert_true(false_positives >= 0.7 * theory - 12);
		assert_int_equal(map_push(m, value, BPF_EXIST), -EINVAL);
		assert_int_equal(map_pop(m, value), -EOPNOTSUPP);
		map_put(m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(queue_and_stack),
		TEST(bloom_filter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
