/* What all map types share: specs, flags, references, running out of memory. */
#include "one_map.h"

#include <errno.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/limits.h"

static void names(void **state)
{
	static const enum map_type here[] = {MAP_TYPE_HASH, MAP_TYPE_ARRAY, MAP_TYPE_PERCPU_HASH,
		MAP_TYPE_PERCPU_ARRAY, MAP_TYPE_LPM_TRIE, MAP_TYPE_QUEUE, MAP_TYPE_STACK,
		MAP_TYPE_BLOOM_FILTER, MAP_TYPE_LRU_HASH, MAP_TYPE_LRU_PERCPU_HASH};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(here); i++) {
		assert_non_null(map_ops_of(here[i]));
		assert_int_equal(map_type_by_name(map_type_name(here[i])), here[i]);
	}
	assert_null(map_ops_of((enum map_type)7));
	assert_string_equal(map_type_name((enum map_type)7), "?");
	assert_int_equal(map_type_by_name("task_storage"), MAP_TYPE_UNSPEC);
}

static void bad_specs(void **state)
{
	static const struct {
		struct map_spec spec;
		int err;
		const char *message;
	} cases[] = {
		{SPEC("m", (enum map_type)7, 4, 4, 1, 0), EINVAL,
			"map 'm': map type 7 (stack_trace) is not supported"},
		{SPEC("m", (enum map_type)99, 4, 4, 1, 0), EINVAL,
			"map 'm': map type 99 is not supported"},
		{SPEC("a b", MAP_TYPE_ARRAY, 4, 4, 1, 0), EINVAL,
			"map name 'a b': character 2 is not a letter, digit, '_' or '.'"},
		{SPEC("m", MAP_TYPE_ARRAY, 8, 4, 1, 0), EINVAL,
			"map 'm': key_size is 8 bytes, an index of type array has 4"},
		{SPEC("m", MAP_TYPE_ARRAY, 4, 0, 1, 0), EINVAL,
			"map 'm': value_size is 0, type array needs at least 1"},
		{SPEC("m", MAP_TYPE_ARRAY, 4, 4, 1, 1), EINVAL,
			"map 'm': flags 0x1 are not known for type array (known are 0x159c)"},
		{SPEC("m", MAP_TYPE_ARRAY, 4, 4, 1, 0x180), EINVAL,
			"map 'm': flags 0x180 exclude each other"},
		{SPEC("m", MAP_TYPE_PERCPU_ARRAY, 4, 32769, 1, 0), E2BIG,
			"map 'm': value_size is 32769 bytes, type percpu_array has at most 32768"},
		{SPEC("m", MAP_TYPE_PERCPU_ARRAY, 4, 8, UINT32_MAX, 0), ENOMEM,
			"map 'm': no memory for 4294967295 entries of 4 + 8 bytes in every CPU "
			"slot"},
		{SPEC("m", MAP_TYPE_HASH, 0, 8, 1, 0), EINVAL,
			"map 'm': key_size is 0, type hash needs at least 1"},
		{SPEC("m", MAP_TYPE_HASH, 4194248, 8, 1, 0), E2BIG,
			"map 'm': key and value are 4194256 bytes, must be below 4194256"},
		{SPEC("m", MAP_TYPE_HASH, 4, 4, (1u << 31) + 1, 1), E2BIG,
			"map 'm': max_entries is 2147483649, type hash has at most 2147483648"},
		{SPEC("m", MAP_TYPE_PERCPU_HASH, 4, 8, 1, 4), EINVAL,
			"map 'm': flags 0x4 are not known for type percpu_hash (known are 0x1d9)"},
		{SPEC("m", MAP_TYPE_LPM_TRIE, 8, 8, 1, 0), EINVAL,
			"map 'm': type lpm_trie needs the flag BPF_F_NO_PREALLOC (0x1)"},
		{SPEC("m", MAP_TYPE_LPM_TRIE, 4, 8, 1, 1), EINVAL,
			"map 'm': key_size is 4 bytes, a prefix length of 4 and 1 to 256 bytes of "
			"data are possible"},
		{SPEC("m", MAP_TYPE_LRU_HASH, 4, 4, 1, 1), EOPNOTSUPP,
			"map 'm': type lru_hash can't have the flag BPF_F_NO_PREALLOC (0x1)"},
		{SPEC("m", MAP_TYPE_LRU_HASH, 4, 4, 1, 6), EINVAL,
			"map 'm': flags 0x4 are not known for type lru_hash (known are 0x1db)"},
		{{.name = "m",
			 .type = MAP_TYPE_ARRAY,
			 .key_size = 4,
			 .value_size = 8,
			 .max_entries = 1,
			 .lock_at = 6},
			EINVAL,
			"map 'm': a lock at byte 5 of the value is not a multiple of 4 with 4 "
			"bytes inside its 8"},
		{{.name = "m",
			 .type = MAP_TYPE_PERCPU_ARRAY,
			 .key_size = 4,
			 .value_size = 8,
			 .max_entries = 1,
			 .lock_at = 5},
			EOPNOTSUPP, "map 'm': values of type percpu_array can't have a lock"},
		{{.name = "m",
			 .type = MAP_TYPE_HASH,
			 .key_size = 4,
			 .value_size = 8,
			 .max_entries = 1,
			 .flags = BPF_F_RDONLY_PROG,
			 .lock_at = 5},
			EACCES, "map 'm': programs must read and write values that have a lock"},
		{SPEC("m", MAP_TYPE_QUEUE, 4, 8, 1, 0), EINVAL,
			"map 'm': key_size is 4, type queue has no keys and needs 0"},
		{SPEC("m", MAP_TYPE_STACK, 0, 8, 0, 0), EINVAL,
			"map 'm': max_entries is 0, type stack needs at least 1"},
		{SPEC("m", MAP_TYPE_STACK, 0, (4 << 20) + 1, 1, 0), E2BIG,
			"map 'm': value_size is 4194305 bytes, type stack has at most 4194304"},
		{{.name = "m",
			 .type = MAP_TYPE_BLOOM_FILTER,
			 .value_size = 4,
			 .max_entries = 1,
			 .extra = 16},
			EINVAL,
			"map 'm': map_extra is 0x10, the number of hashes of a bloom_filter is at "
			"most 15"},
		{{.name = "m",
			 .type = MAP_TYPE_ARRAY,
			 .key_size = 4,
			 .value_size = 4,
			 .max_entries = 1,
			 .extra = 1},
			EINVAL, "map 'm': map_extra is 0x1, must be 0 for type array"},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct map *m = NULL;
		struct diag d = {0};

		assert_int_equal(map_new(&cases[i].spec, *state, &m, &d), -cases[i].err);
		assert_string_equal(diag_first(&d), cases[i].message);
		assert_null(m);
		diag_fini(&d);
	}
}

static void long_name(void **state)
{
	struct map_spec spec = {
		.type = MAP_TYPE_ARRAY, .key_size = 4, .value_size = 4, .max_entries = 1};
	struct map *m;

	memset(spec.name, 'x', sizeof(spec.name));
	assert_int_equal(map_new(&spec, *state, &m, NULL), -EINVAL);
	spec.name[15] = '\0';
	assert_int_equal(map_new(&spec, *state, &m, NULL), 0);
	map_put(m);
}

static void access_flags(void **state)
{
	struct map *read_only = map_of(*state, MAP_TYPE_ARRAY, 4, 4, 1, 1 << 3);
	struct map *write_only = map_of(*state, MAP_TYPE_ARRAY, 4, 4, 1, 1 << 4);
	u32 key = 0, value = 5, count = 1;
	u64 cursor = 0;

	assert_int_equal(map_write(read_only, &key, &value, 0), -EPERM);
	assert_int_equal(map_remove(read_only, &key), -EPERM);
	assert_int_equal(map_read(read_only, &key, &value), 0);
	assert_int_equal(map_write(write_only, &key, &value, 0), 0);
	assert_int_equal(map_read(write_only, &key, &value), -EPERM);
	assert_int_equal(map_next_key(write_only, &key, &value), -EPERM);
	assert_int_equal(map_read_batch(write_only, &cursor, &key, &value, &count), -EPERM);
	assert_int_equal(map_read_and_remove(write_only, &key, &value), -EPERM);
	assert_int_equal(map_freeze(read_only), -EPERM);
	assert_int_equal(map_freeze(write_only), 0);
	assert_int_equal(map_freeze(write_only), -EPERM);
	assert_int_equal(map_write(write_only, &key, &value, 0), -EPERM);
	assert_int_equal(update(write_only, &key, &value, 0), 0); /* programs still may */
	map_put(read_only);
	map_put(write_only);
}

static void references(void **state)
{
	struct map *m = map_of(*state, MAP_TYPE_ARRAY, 4, 4, 5, 0);

	map_get(m);
	map_put(m);
	assert_int_equal(m->spec.max_entries, 5);
	map_put(m);
	map_put(NULL);
}

/* Creation and every call, with the Nth allocation failing: an error or success, nothing lost. */
static void without_memory(void **state)
{
	static const struct map_spec specs[] = {
		{.name = "array",
			.type = MAP_TYPE_ARRAY,
			.key_size = 4,
			.value_size = 12,
			.max_entries = 10},
		{.name = "hash",
			.type = MAP_TYPE_HASH,
			.key_size = 4,
			.value_size = 12,
			.max_entries = 10},
		{.name = "lazy",
			.type = MAP_TYPE_HASH,
			.key_size = 4,
			.value_size = 12,
			.max_entries = 10,
			.flags = 1},
		{.name = "percpu_hash",
			.type = MAP_TYPE_PERCPU_HASH,
			.key_size = 4,
			.value_size = 12,
			.max_entries = 10},
		{.name = "lpm",
			.type = MAP_TYPE_LPM_TRIE,
			.key_size = 8,
			.value_size = 12,
			.max_entries = 10,
			.flags = 1},
		{.name = "lru",
			.type = MAP_TYPE_LRU_HASH,
			.key_size = 4,
			.value_size = 12,
			.max_entries = 10},
		{.name = "lru_percpu",
			.type = MAP_TYPE_LRU_PERCPU_HASH,
			.key_size = 4,
			.value_size = 12,
			.max_entries = 10},
		{.name = "queue", .type = MAP_TYPE_QUEUE, .value_size = 12, .max_entries = 10},
		{.name = "stack", .type = MAP_TYPE_STACK, .value_size = 12, .max_entries = 10},
		{.name = "bloom",
			.type = MAP_TYPE_BLOOM_FILTER,
			.value_size = 12,
			.max_entries = 10},
		{.name = "percpu",
			.type = MAP_TYPE_PERCPU_ARRAY,
			.key_size = 4,
			.value_size = 12,
			.max_entries = 10},
	};

	for (size_t i = 0; i < ARRAY_LEN(specs); i++) {
		int err = -ENOMEM;

		for (u64 nth = 1; err; nth++) {
			struct map *m;
			u32 key[2] = {3};
			u64 value[SLOTS * 2] = {1, 2, 3, 4, 5, 6};

			mem_fail_at(nth);
			err = map_new(&specs[i], *state, &m, NULL);
			if (!err) {
				if (specs[i].key_size) {
					assert_int_equal(map_write(m, key, value, 0), 0);
					assert_int_equal(update(m, key, value, 0), 0);
				} else {
					assert_int_equal(map_push(m, value, 0), 0);
				}
				map_put(m);
			}
			mem_fail_at(0);
			assert_true(!err || err == -ENOMEM);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names),
		TEST(bad_specs),
		TEST(long_name),
		TEST(access_flags),
		TEST(references),
		TEST(without_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
