/* Each map type by itself: specs, the calls of programs, the calls from outside, running out of memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/limits.h"
#include "cpu/cpu.h"
#include "map/hash.h"
#include "map/map.h"
#include "map/spin.h"

enum { SLOTS = 3 };

/* A fresh set of slots, of which this thread runs on slot 1. */
/* A spec without what only some types have. */
#define SPEC(name_, type_, key, value, entries, flags_) \
	{ \
		.name = name_, .type = type_, .key_size = key, .value_size = value, \
		.max_entries = entries, .flags = flags_ \
	}

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

static struct map *map_of(struct cpus *c, enum map_type type, u32 key_size, u32 value_size,
	u32 max_entries, u32 flags)
{
	const struct map_spec spec = {.name = "m",
		.type = type,
		.key_size = key_size,
		.value_size = value_size,
		.max_entries = max_entries,
		.flags = flags};
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

/* An update of a full hash replaces; a new key finds no room until another goes. */
static void hash_full(void **state)
{
	static const u32 flags[] = {0, BPF_F_NO_PREALLOC};

	for (size_t f = 0; f < ARRAY_LEN(flags); f++) {
		struct map *m = map_of(*state, MAP_TYPE_HASH, 8, 8, 3, flags[f]);
		u64 value = 1;

		for (u64 key = 0; key < 3; key++)
			assert_int_equal(update(m, &key, &value, BPF_NOEXIST), 0);
		for (u64 key = 0; key < 100; key++) {
			value = key;
			assert_int_equal(update(m, &key, &value, BPF_ANY), key < 3 ? 0 : -E2BIG);
			assert_int_equal(map_write(m, &key, &value, BPF_ANY), key < 3 ? 0 : -E2BIG);
		}
		u64 gone = 1, other = 77;

		assert_int_equal(map_read_and_remove(m, &gone, &value), 0);
		assert_int_equal(value, 1);
		assert_null(look(m, &gone));
		assert_int_equal(update(m, &other, &value, BPF_EXIST), -ENOENT);
		assert_int_equal(update(m, &other, &value, BPF_ANY), 0);
		assert_int_equal(update(m, &gone, &value, BPF_ANY), -E2BIG);
		assert_int_equal(m->ops->remove(m, &gone), -ENOENT);
		map_put(m);
	}
}

/* A new key of a program has zeros on other slots, also where its element was another key's. */
static void percpu_hash_fresh(void **state)
{
	struct map *m = map_of(*state, MAP_TYPE_PERCPU_HASH, 4, 8, 1, 0);
	u32 a = 1, b = 2;
	u64 all[SLOTS] = {5, 6, 7}, value = 9;

	assert_int_equal(map_write(m, &a, all, 0), 0);
	assert_int_equal(*(u64 *)look(m, &a), 6);
	assert_int_equal(update(m, &a, &value, BPF_EXIST), 0);
	assert_int_equal(map_read(m, &a, all), 0);
	assert_true(all[0] == 5 && all[1] == 9 && all[2] == 7);
	assert_int_equal(map_remove(m, &a), 0);
	assert_int_equal(update(m, &b, &value, BPF_NOEXIST), 0);
	assert_int_equal(map_read(m, &b, all), 0);
	assert_true(all[0] == 0 && all[1] == 9 && all[2] == 0);
	map_put(m);
}

static u32 count_keys(struct map *m)
{
	u64 key[2];
	u32 nr = 0;

	for (int err = map_next_key(m, NULL, key); !err; err = map_next_key(m, key, key))
		nr++;
	return nr;
}

/* Keys that programs look up or anybody updates survive any number of new ones; what is only read from outside doesn't. */
static void lru_keeps_what_is_used(void **state)
{
	enum { MAX = 1000, HOT = 100, NEW = 20000 };
	static const enum map_type types[] = {MAP_TYPE_LRU_HASH, MAP_TYPE_LRU_PERCPU_HASH};

	for (size_t t = 0; t < ARRAY_LEN(types) * 2; t++) {
		struct map *m = map_of(*state, types[t / 2], t % 2 ? 8 : 16, 8, MAX, 0);
		u64 values[SLOTS] = {1, 1, 1};

		for (u64 n = 0; n < MAX; n++) {
			u64 key[2] = {n, n};

			assert_int_equal(map_write(m, key, values, BPF_NOEXIST), 0);
			assert_int_equal(count_keys(m), n + 1);
		}
		for (u64 n = MAX; n < NEW; n++) {
			u64 key[2] = {n, n};

			for (u64 hot = 0; n % 500 == 0 && hot < HOT; hot++) {
				u64 hot_key[2] = {hot, hot};

				if (hot % 3 == 0)
					assert_int_equal(
						map_write(m, hot_key, values, BPF_EXIST), 0);
				else if (hot % 3 == 1)
					assert_int_equal(update(m, hot_key, values, BPF_EXIST), 0);
				else
					assert_non_null(look(m, hot_key));
			}
			for (u64 cold = HOT; n % 500 == 0 && cold < 2 * HOT; cold++)
				map_read(m, (u64[]){cold, cold}, values);
			assert_int_equal(update(m, key, values, BPF_NOEXIST), 0);
		}
		assert_int_equal(count_keys(m), MAX);
		for (u64 cold = HOT; cold < 2 * HOT; cold++)
			assert_null(look(m, (u64[]){cold, cold}));
		for (u64 n = NEW - MAX + HOT + 100; n < NEW; n++)
			assert_non_null(look(m, (u64[]){n, n}));
		map_put(m);
	}
}

/* More keys in use than one call takes marks from: somebody goes all the same. */
static void lru_all_used(void **state)
{
	enum { MAX = 5000 };
	struct map *m = map_of(*state, MAP_TYPE_LRU_HASH, 4, 4, MAX, 0);

	for (u32 round = 0; round < 3; round++) {
		for (u32 key = 0; key < MAX; key++)
			assert_int_equal(update(m, &key, &key, BPF_ANY), 0);
		for (u32 key = 0; key < MAX; key++)
			look(m, &key);
		for (u32 key = MAX; key < MAX + 50; key++)
			assert_int_equal(update(m, &key, &key, BPF_ANY), 0);
		assert_int_equal(count_keys(m), MAX);
	}
	map_put(m);
}

/* A per-CPU value that takes an evicted one's place is zero on other slots. */
static void lru_percpu_fresh(void **state)
{
	struct map *m = map_of(*state, MAP_TYPE_LRU_PERCPU_HASH, 4, 8, 2, 0);
	u64 all[SLOTS] = {5, 6, 7}, value = 9;

	for (u32 key = 0; key < 10; key++)
		assert_int_equal(map_write(m, &key, all, BPF_ANY), 0);
	for (u32 key = 10; key < 20; key++) {
		u64 got[SLOTS];

		assert_int_equal(update(m, &key, &value, BPF_ANY), 0);
		assert_int_equal(map_read(m, &key, got), 0);
		assert_true(got[0] == 0 && got[1] == 9 && got[2] == 0);
	}
	map_put(m);
}

/* Values are copied around the lock, whoever has it; BPF_F_LOCK takes it. */
static void spin_locks(void **state)
{
	static const struct {
		enum map_type type;
		u32 value_size, lock_at;
	} cases[] = {
		{MAP_TYPE_ARRAY, 4, 1},
		{MAP_TYPE_ARRAY, 12, 1},
		{MAP_TYPE_ARRAY, 12, 5},
		{MAP_TYPE_ARRAY, 12, 9},
		{MAP_TYPE_ARRAY, 27, 17},
		{MAP_TYPE_HASH, 8, 5},
		{MAP_TYPE_HASH, 23, 9},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct map_spec spec = {.name = "m",
			.type = cases[i].type,
			.key_size = 4,
			.value_size = cases[i].value_size,
			.max_entries = 2,
			.lock_at = cases[i].lock_at};
		u32 key = 1;
		u8 in[32], want[32], out[33];
		struct map *m;

		assert_int_equal(map_new(&spec, *state, &m, NULL), 0);
		memset(in, 0xaa, sizeof(in));
		memset(want, 0xaa, sizeof(want));
		memset(want + cases[i].lock_at - 1, 0, 4);
		memset(out, 0x11, sizeof(out));
		assert_int_equal(map_write(m, &key, in, BPF_ANY), 0);
		assert_int_equal(map_write(m, &key, in, BPF_F_LOCK), 0);
		assert_int_equal(update(m, &key, in, BPF_F_LOCK | BPF_EXIST), 0);
		assert_int_equal(update(m, &key, in, BPF_F_LOCK | BPF_NOEXIST), -EEXIST);
		assert_memory_equal(look(m, &key), want, spec.value_size);

		void *lock = spin_of(m, look(m, &key));

		spin_take(lock);
		assert_int_equal(update(m, &key, in, BPF_ANY), 0);
		assert_int_equal(map_read(m, &key, out), 0);
		assert_memory_equal(out, want, spec.value_size);
		assert_int_equal(out[spec.value_size], 0x11);
		spin_drop(lock);
		assert_int_equal(map_read_flags(m, &key, out, BPF_F_LOCK), 0);
		assert_memory_equal(out, want, spec.value_size);
		assert_int_equal(map_read_flags(m, &key, out, BPF_F_LOCK | 1), -EINVAL);
		key = 9;
		assert_int_equal(map_read_flags(m, &key, out, BPF_F_LOCK), -ENOENT);
		assert_int_equal(map_freeze(m), -EOPNOTSUPP);
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

/* The direct functions agree with the map's own lookup. */
static void hash_direct(void **state)
{
	static const struct {
		u32 key_size;
		u64 (*value)(const struct map *m, const void *key);
		u64 (*percpu)(const struct map *m, const void *key);
	} cases[] = {
		{4, hash_value_4, hash_percpu_4},
		{8, hash_value_8, hash_percpu_8},
		{16, hash_value_16, hash_percpu_16},
		{1, hash_value_any, hash_percpu_any},
		{4, hash_value_any, hash_percpu_any},
		{12, hash_value_any, hash_percpu_any},
		{24, hash_value_any, hash_percpu_any},
		{4, lru_value_4, lru_percpu_4},
		{8, lru_value_8, lru_percpu_8},
		{16, lru_value_16, lru_percpu_16},
		{24, lru_value_any, lru_percpu_any},
	};
	enum { NOT_LRU = 7 };

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		u32 key_size = cases[i].key_size;
		bool lru = i >= NOT_LRU;
		struct map *h =
			map_of(*state, lru ? MAP_TYPE_LRU_HASH : MAP_TYPE_HASH, key_size, 8, 4, 0);
		struct map *p = map_of(*state,
			lru ? MAP_TYPE_LRU_PERCPU_HASH : MAP_TYPE_PERCPU_HASH, key_size, 8, 4, 0);
		u8 key[24] = {7, 0, 0, 9}, absent[24] = {8};
		u64 value = 3;

		assert_int_equal(update(h, key, &value, 0), 0);
		assert_int_equal(update(p, key, &value, 0), 0);
		assert_int_equal(cases[i].value(h, key), (uintptr_t)look(h, key));
		assert_int_equal(
			(uintptr_t)cpu_self() + cases[i].percpu(p, key), (uintptr_t)look(p, key));
		assert_int_equal(cases[i].value(h, absent), 0);
		assert_int_equal(cases[i].percpu(p, absent), 0);
		assert_int_equal(*(u64 *)look(h, key), 3);
		map_put(h);
		map_put(p);
	}
}

static void hash_batch(void **state)
{
	struct map *m = map_of(*state, MAP_TYPE_HASH, 4, 4, 8, 0);
	u32 keys[8], values[8], count = 8, seen = 0;
	u64 cursor = 0;

	for (u32 key = 0; key < 8; key++)
		assert_int_equal(map_write(m, &key, &key, 0), 0);
	assert_int_equal(map_read_batch(m, &cursor, keys, values, &count), -ENOENT);
	assert_int_equal(count, 8);
	for (u32 i = 0; i < 8; i++) {
		assert_int_equal(keys[i], values[i]);
		seen |= 1u << keys[i];
	}
	assert_int_equal(seen, 0xff);
	map_put(m);
}

/* Keys at equal distances spread as random ones do (1.5 probes for a hit on average), whatever the random numbers are. */
static void hash_spread(void **state)
{
	enum { KEYS = 1024, KEY_BITS = 10, SEEDS = 300 };
	static const u64 distances[] = {1, 256, 1 << 24, 0x10001, 1ull << 48, 0x100000001};
	struct hash_seed seed = {.a = 1, .b = 3, .spread = HASH_SPREAD};

	(void)state;
	for (size_t s = 0; s < SEEDS; s++) {
		seed.a = (seed.a ^ seed.a >> 31) * 0x9e3779b97f4a7c15u + 1;
		seed.b = (seed.b ^ seed.b >> 29) * 0xbf58476d1ce4e5b9u | 1;
		for (size_t d = 0; d < ARRAY_LEN(distances); d++) {
			u32 in_bucket[KEYS] = {0}, probes = 0;

			for (u64 i = 0; i < KEYS; i++) {
				u64 key = i * distances[d];

				probes += ++in_bucket[hash_key(&key, sizeof(key), &seed) >>
						      (32 - KEY_BITS)];
			}
			assert_in_range(probes, KEYS, 2 * KEYS);
		}
	}
}

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
		cmocka_unit_test_setup_teardown(bad_specs, enter, leave),
		cmocka_unit_test_setup_teardown(long_name, enter, leave),
		cmocka_unit_test_setup_teardown(array, enter, leave),
		cmocka_unit_test_setup_teardown(percpu_array, enter, leave),
		cmocka_unit_test_setup_teardown(percpu_reuse, enter, leave),
		cmocka_unit_test_setup_teardown(hash_full, enter, leave),
		cmocka_unit_test_setup_teardown(percpu_hash_fresh, enter, leave),
		cmocka_unit_test_setup_teardown(lru_keeps_what_is_used, enter, leave),
		cmocka_unit_test_setup_teardown(lru_all_used, enter, leave),
		cmocka_unit_test_setup_teardown(lru_percpu_fresh, enter, leave),
		cmocka_unit_test_setup_teardown(spin_locks, enter, leave),
		cmocka_unit_test_setup_teardown(mmapable_array, enter, leave),
		cmocka_unit_test_setup_teardown(hash_direct, enter, leave),
		cmocka_unit_test_setup_teardown(hash_batch, enter, leave),
		cmocka_unit_test(hash_spread),
		cmocka_unit_test_setup_teardown(lpm, enter, leave),
		cmocka_unit_test_setup_teardown(lpm_grace, enter, leave),
		cmocka_unit_test_setup_teardown(queue_and_stack, enter, leave),
		cmocka_unit_test_setup_teardown(bloom_filter, enter, leave),
		cmocka_unit_test_setup_teardown(access_flags, enter, leave),
		cmocka_unit_test_setup_teardown(array_batch, enter, leave),
		cmocka_unit_test_setup_teardown(references, enter, leave),
		cmocka_unit_test_setup_teardown(without_memory, enter, leave),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
