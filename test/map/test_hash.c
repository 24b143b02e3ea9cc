/* The four hashes: what a full one does, who goes from an LRU one, locks in values, how keys spread. */
#include "one_map.h"

#include <errno.h>
#include <string.h>

#include "map/hash.h"
#include "map/spin.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(hash_full),
		TEST(percpu_hash_fresh),
		TEST(lru_keeps_what_is_used),
		TEST(lru_all_used),
		TEST(lru_percpu_fresh),
		TEST(spin_locks),
		TEST(hash_direct),
		TEST(hash_batch),
		cmocka_unit_test(hash_spread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
