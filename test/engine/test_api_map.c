/* The public interface's maps, as a user has them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include <weir/weir.h>

#define LEN(a) (sizeof(a) / sizeof((a)[0]))

static int setup(void **state)
{
	struct weir_engine *engine;
	int err = weir_engine_new(3, &engine, NULL);

	*state = engine;
	return err;
}

static int teardown(void **state)
{
	weir_engine_free(*state);
	return 0;
}

static struct weir_map *map_of(struct weir_engine *engine, const struct weir_map_spec *spec)
{
	struct weir_map *map;
	struct weir_error error;

	if (weir_map_new(engine, spec, &map, &error))
		fail_msg("%s", error.message);
	return map;
}

static void names(void **state)
{
	static const struct {
		enum weir_map_type type;
		const char *name;
	} cases[] = {
		{WEIR_MAP_HASH, "hash"},
		{WEIR_MAP_ARRAY, "array"},
		{WEIR_MAP_PERCPU_HASH, "percpu_hash"},
		{WEIR_MAP_LRU_HASH, "lru_hash"},
		{WEIR_MAP_LRU_PERCPU_HASH, "lru_percpu_hash"},
		{WEIR_MAP_LPM_TRIE, "lpm_trie"},
		{WEIR_MAP_QUEUE, "queue"},
		{WEIR_MAP_STACK, "stack"},
		{WEIR_MAP_BLOOM_FILTER, "bloom_filter"},
	};

	(void)state;
	for (size_t i = 0; i < LEN(cases); i++)
		assert_string_equal(weir_map_type_name(cases[i].type), cases[i].name);
	assert_null(weir_map_type_name((enum weir_map_type)0));
	assert_null(weir_map_type_name((enum weir_map_type)29)); /* task_storage: not here */
	assert_null(weir_map_type_name((enum weir_map_type)999));
}

static void info(void **state)
{
	const struct weir_map_spec spec = {.name = "a_name_of_more_than_15",
		.type = WEIR_MAP_BLOOM_FILTER,
		.value_size = 12,
		.max_entries = 7,
		.flags = 1 << 6,
		.map_extra = 3};
	const struct weir_map_spec lock = {.type = WEIR_MAP_HASH,
		.key_size = 2,
		.value_size = 12,
		.max_entries = 7,
		.lock_at = 9};
	struct weir_map *map = map_of(*state, &spec);
	struct weir_map_spec got;

	assert_int_equal(weir_map_info(map, &got), 0);
	assert_string_equal(got.name, "a_name_of_more_");
	assert_int_equal(got.type, WEIR_MAP_BLOOM_FILTER);
	assert_int_equal(got.key_size, 0);
	assert_int_equal(got.value_size, 12);
	assert_int_equal(got.max_entries, 7);
	assert_int_equal(got.flags, 1 << 6);
	assert_int_equal(got.map_extra, 3);
	assert_int_equal(weir_map_info(NULL, &got), -EINVAL);
	assert_int_equal(weir_map_info(map, NULL), -EINVAL);
	weir_map_free(map);
	map = map_of(*state, &lock);
	assert_int_equal(weir_map_info(map, &got), 0);
	assert_int_equal(got.lock_at, 9);
	assert_int_equal(got.key_size, 2);
	weir_map_free(map);
}

static void sizes_are_checked(void **state)
{
	const struct weir_map_spec spec = {
		.type = WEIR_MAP_PERCPU_HASH, .key_size = 5, .value_size = 12, .max_entries = 7};
	struct weir_map *map = map_of(*state, &spec);
	uint64_t in[6] = {1, 2, 3, 4, 5, 6}, out[6];

	assert_int_equal(weir_map_value_bytes(map), 3 * 16);
	assert_int_equal(weir_map_update_sized(map, "key__", 5, in, 12, 0), -EINVAL);
	assert_int_equal(weir_map_update_sized(map, "key__", 5, in, 36, 0), -EINVAL);
	assert_int_equal(weir_map_update_sized(map, "key__", 4, in, 48, 0), -EINVAL);
	assert_int_equal(weir_map_update_sized(map, "key__", 5, in, 48, WEIR_EXIST), -ENOENT);
	assert_int_equal(weir_map_update_sized(map, "key__", 5, in, 48, 0), 0);
	assert_int_equal(weir_map_lookup_sized(map, "key__", 5, out, 32, 0), -EINVAL);
	assert_int_equal(weir_map_lookup_sized(map, "key__", 6, out, 48, 0), -EINVAL);
	assert_int_equal(weir_map_lookup_sized(map, "key__", 5, out, 48, WEIR_LOCK), -EINVAL);
	assert_int_equal(weir_map_lookup_sized(map, "other", 5, out, 48, 0), -ENOENT);
	assert_int_equal(weir_map_lookup_sized(map, "key__", 5, out, 48, 0), 0);
	assert_int_equal(out[4], 5);
	assert_int_equal(weir_map_lookup_sized(NULL, "key__", 5, out, 48, 0), -EINVAL);
	assert_int_equal(weir_map_lookup_sized(map, NULL, 5, out, 48, 0), -EINVAL);
	weir_map_free(map);
}

static void locks(void **state)
{
	const struct weir_map_spec spec = {.type = WEIR_MAP_ARRAY,
		.key_size = 4,
		.value_size = 8,
		.max_entries = 2,
		.lock_at = 1};
	struct weir_map *map = map_of(*state, &spec);
	uint32_t key = 1, value[2] = {0xffffffff, 7};

	assert_int_equal(weir_map_update(map, &key, value, WEIR_LOCK), 0);
	assert_int_equal(weir_map_lookup(map, &key, value), 0);
	assert_true(value[0] == 0 && value[1] == 7);
	value[1] = 0;
	assert_int_equal(weir_map_lookup_sized(map, &key, 4, value, 8, WEIR_LOCK), 0);
	assert_int_equal(value[1], 7);
	assert_int_equal(weir_map_freeze(map), -EOPNOTSUPP);
	weir_map_free(map);
}

static void without_keys(void **state)
{
	const struct weir_map_spec spec = {
		.type = WEIR_MAP_STACK, .value_size = 4, .max_entries = 2};
	struct weir_map *map = map_of(*state, &spec);
	uint32_t value = 1, key = 0;

	assert_int_equal(weir_map_push(map, &value, WEIR_ANY), 0);
	value = 2;
	assert_int_equal(weir_map_update(map, NULL, &value, WEIR_ANY), 0);
	assert_int_equal(weir_map_push(map, &value, WEIR_ANY), -E2BIG);
	assert_int_equal(weir_map_lookup(map, NULL, &value), 0);
	assert_int_equal(value, 2);
	assert_int_equal(weir_map_pop(map, &value), 0);
	assert_int_equal(weir_map_peek(map, &value), 0);
	assert_int_equal(value, 1);
	assert_int_equal(weir_map_lookup_and_delete(map, NULL, &value), 0);
	assert_int_equal(weir_map_pop(map, &value), -ENOENT);
	assert_int_equal(weir_map_lookup(map, &key, &value), -EINVAL);
	assert_int_equal(weir_map_delete(map, NULL), -EINVAL);
	assert_int_equal(weir_map_push(NULL, &value, 0), -EINVAL);
	assert_int_equal(weir_map_push(map, NULL, 0), -EINVAL);
	assert_int_equal(weir_map_peek(map, NULL), -EINVAL);
	weir_map_free(map);
}

static void arrays_in_place(void **state)
{
	const struct weir_map_spec spec = {.type = WEIR_MAP_ARRAY,
		.key_size = 4,
		.value_size = 12,
		.max_entries = 3,
		.flags = 1 << 10};
	const struct weir_map_spec hash = {
		.type = WEIR_MAP_LRU_HASH, .key_size = 4, .value_size = 4, .max_entries = 3};
	struct weir_map *map = map_of(*state, &spec);
	uint32_t key = 2, value[3] = {1, 2, 3};
	size_t stride = 0;
	char *values = weir_map_array_values(map, &stride);

	assert_int_equal(stride, 16);
	assert_int_equal((uintptr_t)values % 4096, 0);
	assert_int_equal(weir_map_update(map, &key, value, 0), 0);
	assert_memory_equal(values + 2 * stride, value, 12);
	values[2 * stride] = 9;
	assert_int_equal(weir_map_lookup(map, &key, value), 0);
	assert_int_equal(value[0], 9);
	assert_int_equal(weir_map_lookup_and_delete(map, &key, value), -EOPNOTSUPP);
	assert_int_equal(weir_map_pop(map, value), -EOPNOTSUPP);
	assert_int_equal(weir_map_freeze(map), 0);
	assert_int_equal(weir_map_freeze(map), -EPERM);
	assert_int_equal(weir_map_update(map, &key, value, 0), -EPERM);
	assert_null(weir_map_array_values(map, NULL));
	weir_map_free(map);
	map = map_of(*state, &hash);
	assert_null(weir_map_array_values(map, &stride));
	assert_int_equal(weir_map_update(map, &key, value, 0), 0);
	assert_int_equal(weir_map_lookup_and_delete(map, &key, value), 0);
	assert_int_equal(value[0], 9);
	assert_int_equal(weir_map_lookup_and_delete(map, &key, value), -ENOENT);
	weir_map_free(map);
}

static uint64_t forty_two(void *arg, enum weir_clock clock)
{
	(void)arg;
	return clock == WEIR_CLOCK_MONOTONIC ? 42 : 0;
}

/* A slot's environment is what programs on it see, until it is replaced or the slot released. */
static void environments(void **state)
{
	static const struct weir_env env = {.now = forty_two};
	static const struct weir_insn now[] = {{.code = 0x85, .imm = 5}, {.code = 0x95}};
	const struct weir_program_spec spec = {
		.type = WEIR_PROG_RAW, .insns = now, .nr_insns = LEN(now)};
	struct weir_program *program;
	struct weir_slot *slot;
	uint64_t result;

	assert_int_equal(weir_program_new(*state, &spec, &program, NULL, NULL), 0);
	assert_int_equal(weir_slot_set_env(NULL, &env), -EINVAL);
	for (int replaced = 0; replaced < 2; replaced++) {
		assert_int_equal(weir_slot_take(*state, 1, &slot), 0);
		assert_int_equal(weir_run(program, slot, &result, 0, &result), 0);
		assert_int_not_equal(result, 42);
		assert_int_equal(weir_slot_set_env(slot, &env), 0);
		assert_int_equal(weir_run(program, slot, &result, 0, &result), 0);
		assert_int_equal(result, 42);
		if (replaced)
			assert_int_equal(weir_slot_set_env(slot, NULL), 0);
		weir_slot_release(slot);
	}
	weir_program_free(program);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names),
		cmocka_unit_test_setup_teardown(info, setup, teardown),
		cmocka_unit_test_setup_teardown(sizes_are_checked, setup, teardown),
		cmocka_unit_test_setup_teardown(locks, setup, teardown),
		cmocka_unit_test_setup_teardown(without_keys, setup, teardown),
		cmocka_unit_test_setup_teardown(arrays_in_place, setup, teardown),
		cmocka_unit_test_setup_teardown(environments, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
