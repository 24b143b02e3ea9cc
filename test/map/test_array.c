/* Arrays and per-CPU arrays: the calls of programs, and the calls from outside. */
#include "one_map.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static void array(void **state)
{
	struct map *m = map_of(*state, MAP_TYPE_ARRAY, 4, 5, 3, 0);
	u32 key = 2, beyond = 3, next;

	assert_int_equal(m->layout.stride, 8);
	assert_int_equal(m->layout.base % 64, 0);
	assert_int_equal((uintptr_t)look(m, &key), m->layout.base + 16);
	assert_null(look(m, &beyond));
	assert_int_equal(update(m, &key, "hello", BPF_ANY), 0);
	assert_memory_equal(look(m, &key), "hello\0\0\0", 8);
	assert_int_equal(update(m, &beyond, "hello", BPF_ANY), -E2BIG);
	assert_int_equal(map_remove(m, &key), -EINVAL);
	assert_int_equal(map_next_key(m, NULL, &next), 0);
	assert_int_equal(next, 0);
	assert_int_equal(map_next_key(m, &beyond, &next), 0);
	assert_int_equal(next, 0);
	assert_int_equal(map_next_key(m, &key, &next), -ENOENT);
	assert_int_equal(m->ops->memory_bytes(m), 24);
	map_put(m);
}

static void percpu_array(void **state)
{
	struct cpus *c = *state;
	struct map *m = map_of(c, MAP_TYPE_PERCPU_ARRAY, 4, 12, 2, 0);
	u32 key = 1;
	u8 all[SLOTS][16], want[SLOTS][16] = {0};

	assert_int_equal(map_outside_value_bytes(m), sizeof(all));
	assert_int_equal(update(m, &key, "hello, world", BPF_ANY), 0);
	assert_ptr_equal(look(m, &key), cpu_base(c, 1) + m->layout.base + 16);
	memcpy(want[1], "hello, world", 12);
	assert_int_equal(map_read(m, &key, all), 0);
	assert_memory_equal(all, want, sizeof(all));
	memcpy(want[0], "0123456789abcdef", 16);
	memset(want[2], 7, 16);
	assert_int_equal(map_write(m, &key, want, BPF_EXIST), 0);
	assert_int_equal(map_read(m, &key, all), 0);
	assert_memory_equal(all, want, sizeof(all));
	map_put(m);
}

/* A freed per-CPU map leaves zeros to the next. */
static void percpu_reuse(void **state)
{
	for (size_t i = 0; i < 3; i++) {
		struct map *m = map_of(*state, MAP_TYPE_PERCPU_ARRAY, 4, 8, 100, 0);
		u32 key = 50;
		u64 *value = look(m, &key);

		assert_int_equal(*value, 0);
		*value = 1;
		map_put(m);
	}
}

/* Their pages hold nothing else. */
static void mmapable_array(void **state)
{
	struct map *m = map_of(*state, MAP_TYPE_ARRAY, 4, 8, 600, 1 << 10);
	u64 page = (u64)sysconf(_SC_PAGESIZE);

	assert_int_equal(m->layout.base % page, 0);
	assert_int_equal(m->ops->memory_bytes(m), (4800 + page - 1) / page * page);
	map_put(m);
}

static void array_batch(void **state)
{
	struct map *m = map_of(*state, MAP_TYPE_ARRAY, 4, 4, 5, 0);
	u32 keys[5], values[5], count = 3;
	u64 cursor = 0;

	for (u32 key = 0; key < 5; key++) {
		u32 value = 10 * key;

		assert_int_equal(map_write(m, &key, &value, 0), 0);
	}
	assert_int_equal(map_read_batch(m, &cursor, keys, values, &count), 0);
	assert_int_equal(count, 3);
	assert_int_equal(keys[2], 2);
	assert_int_equal(values[2], 20);
	count = 3;
	assert_int_equal(map_read_batch(m, &cursor, keys, values, &count), -ENOENT);
	assert_int_equal(count, 2);
	assert_int_equal(keys[1], 4);
	assert_int_equal(values[1], 40);
	assert_int_equal(map_read_and_remove(m, keys, values), -EOPNOTSUPP);
	map_put(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(array),
		TEST(percpu_array),
		TEST(percpu_reuse),
		TEST(mmapable_array),
		TEST(array_batch),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
