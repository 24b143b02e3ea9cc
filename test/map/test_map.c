/* Each map type by itself: specs, the calls of programs, the calls from outside, running out of memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/limits.h"
#include "cpu/cpu.h"
#include "map/map.h"

enum { SLOTS = 3 };

/* A fresh set of slots, of which this thread runs on slot 1. */
static int enter(void **state)
{
	struct cpus *c;

	if (cpus_new(SLOTS, &c, NULL) || cpu_take(c, 1))
		return -1;
	cpu_enter(cpu_base(c, 1));
	*state = c;
	return 0;
}

static int leave(void **state)
{
	cpu_enter(NULL);
	cpu_release(*state, 1);
	cpus_free(*state);
	return 0;
}

static struct map *map_of(struct cpus *c, enum map_type type, u32 key_size, u32 value_size, u32 max_entries, u32 flags)
{
	const struct map_spec spec = {.name = "m", .type = type, .key_size = key_size, .value_size = value_size,
		.max_entries = max_entries, .flags = flags};
	struct map *m;

	assert_int_equal(map_new(&spec, c, &m, NULL), 0);
	return m;
}

static void *look(struct map *m, const void *key)
{
	return map_lookup(m, key, cpu_self());
}

static int update(struct map *m, const void *key, const void *value, u64 flags)
{
	return m->ops->update(m, key, value, flags, cpu_self());
}

static void names(void **state)
{
	static const enum map_type here[] = {MAP_TYPE_ARRAY, MAP_TYPE_PERCPU_ARRAY};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(here); i++) {
		assert_non_null(map_ops_of(here[i]));
		assert_int_equal(map_type_by_name(map_type_name(here[i])), here[i]);
	}
	assert_null(map_ops_of((enum map_type)3));
	assert_string_equal(map_type_name((enum map_type)3), "?");
	assert_int_equal(map_type_by_name("queue"), MAP_TYPE_UNSPEC);
}

static void bad_specs(void **state)
{
	static const struct { struct map_spec spec; int err; const char *message; } cases[] = {
		{{"m", (enum map_type)3, 4, 4, 1, 0}, EINVAL, "map 'm': map type 3 is not supported"},
		{{"a b", MAP_TYPE_ARRAY, 4, 4, 1, 0}, EINVAL,
			"map name 'a b': character 2 is not a letter, digit, '_' or '.'"},
		{{"m", MAP_TYPE_ARRAY, 8, 4, 1, 0}, EINVAL, "map 'm': key_size is 8 bytes, an index of type array has 4"},
		{{"m", MAP_TYPE_ARRAY, 4, 0, 1, 0}, EINVAL, "map 'm': value_size is 0, type array needs at least 1"},
		{{"m", MAP_TYPE_ARRAY, 4, 4, 1, 1}, EINVAL,
			"map 'm': flags 0x1 are not known for type array (known are 0x159c)"},
		{{"m", MAP_TYPE_ARRAY, 4, 4, 1, 0x180}, EINVAL, "map 'm': flags 0x180 exclude each other"},
		{{"m", MAP_TYPE_PERCPU_ARRAY, 4, 32769, 1, 0}, E2BIG,
			"map 'm': value_size is 32769 bytes, type percpu_array has at most 32768"},
		{{"m", MAP_TYPE_PERCPU_ARRAY, 4, 8, UINT32_MAX, 0}, ENOMEM,
			"map 'm': no memory for 4294967295 entries of 4 + 8 bytes in every CPU slot"},
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
	struct map_spec spec = {.type = MAP_TYPE_ARRAY, .key_size = 4, .value_size = 4, .max_entries = 1};
	struct map *m;

	memset(spec.name, 'x', sizeof(spec.name));
	assert_int_equal(map_new(&spec, *state, &m, NULL), -EINVAL);
	spec.name[15] = '\0';
	assert_int_equal(map_new(&spec, *state, &m, NULL), 0);
	map_put(m);
}

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
	write_only->frozen = true;
	assert_int_equal(map_write(write_only, &key, &value, 0), -EPERM);
	assert_int_equal(update(write_only, &key, &value, 0), 0); /* programs still may */
	map_put(read_only);
	map_put(write_only);
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
		{.name = "array", .type = MAP_TYPE_ARRAY, .key_size = 4, .value_size = 12, .max_entries = 10},
		{.name = "percpu", .type = MAP_TYPE_PERCPU_ARRAY, .key_size = 4, .value_size = 12, .max_entries = 10},
	};

	for (size_t i = 0; i < ARRAY_LEN(specs); i++) {
		int err = -ENOMEM;

		for (u64 nth = 1; err; nth++) {
			struct map *m;
			u32 key = 3;
			u64 value[SLOTS * 2] = {1, 2, 3, 4, 5, 6};

			mem_fail_at(nth);
			err = map_new(&specs[i], *state, &m, NULL);
			if (!err) {
				assert_int_equal(map_write(m, &key, value, 0), 0);
				assert_int_equal(update(m, &key, value, 0), 0);
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
		cmocka_unit_test_setup_teardown(bad_specs, enter, leave),
		cmocka_unit_test_setup_teardown(long_name, enter, leave),
		cmocka_unit_test_setup_teardown(array, enter, leave),
		cmocka_unit_test_setup_teardown(percpu_array, enter, leave),
		cmocka_unit_test_setup_teardown(percpu_reuse, enter, leave),
		cmocka_unit_test_setup_teardown(access_flags, enter, leave),
		cmocka_unit_test_setup_teardown(array_batch, enter, leave),
		cmocka_unit_test_setup_teardown(references, enter, leave),
		cmocka_unit_test_setup_teardown(without_memory, enter, leave),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
