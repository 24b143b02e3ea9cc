/* Every way in which a change can meet a call that takes no lock: the call runs one instruction at a time (the processor's
 * trap flag), and after its nth instruction another thread's work is done in the signal handler; for every n, or every fifth
 * by default, until the call ends first. So what the load test finds by luck is found here for certain.
 * Usage: test-map-steps [step of n]. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/cpu.h"
#include "map/hash.h"
#include "map/map.h"

enum { SKIPPED = 77 };

#if !defined(__x86_64__) || defined(__SANITIZE_THREAD__)

int main(void)
{
	fprintf(stderr,
		"SKIPPED: needs x86-64's trap flag and signals at once (no thread sanitizer)\n");
	return SKIPPED;
}

#else

#include <ucontext.h>
#include <x86intrin.h>

enum { TRAP_FLAG = 0x100, VALUE_WORDS = 3, SLOTS = 2, VALUE_WORDS_MAX = VALUE_WORDS * SLOTS };

struct world {
	struct cpus *cpus;
	struct map *m;
	u8 *self;
	u64 keys[8][2]; /* a scenario's own meaning */
	void *found;    /* by a lookup */
	int err;        /* of a read */
	u64 value[VALUE_WORDS_MAX];
};

struct scenario {
	const char *name;
	struct map_spec spec;
	void (*setup)(struct world *w);
	void (*call)(struct world *w);
	void (*change)(struct world *w);
	bool (*check)(struct world *w);
	bool in_run; /* the call is a program's */
};

/* ---- stepping; a signal handler has no other way to its data ---- */

static struct {
	struct world *world;
	void (*change)(struct world *w);
	u32 steps_left;
} stepping;

static void on_trap(int signal, siginfo_t *info, void *context)
{
	ucontext_t *uc = context;

	(void)signal;
	(void)info;
	if (stepping.steps_left && --stepping.steps_left)
		return;
	uc->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)TRAP_FLAG;
	if (stepping.change)
		stepping.change(stepping.world);
	stepping.change = NULL;
}

/* False: the call ended before its nth instruction. */
static bool call_and_change(const struct scenario *s, struct world *w, u32 n)
{
	stepping.world = w;
	stepping.change = s->change;
	stepping.steps_left = n;
	__writeeflags(__readeflags() | TRAP_FLAG);
	s->call(w);
	__writeeflags(__readeflags() & ~(unsigned long long)TRAP_FLAG);

	bool changed = !stepping.change;

	stepping.change = NULL;
	return changed;
}

/* ---- values and keys ---- */

/* All words of a value are the same number. */
static bool value_is(const u64 *value, u64 want)
{
	for (size_t i = 0; i < VALUE_WORDS; i++)
		if (value[i] != want)
			return false;
	return true;
}

static bool found_is(const struct world *w, u64 want)
{
	return w->found && value_is(w->found, want);
}

static bool read_is(const struct world *w, u64 want)
{
	return !w->err && value_is(w->value, want);
}

static void put(struct world *w, const void *key, u64 number)
{
	const u64 value[VALUE_WORDS] = {number, number, number};
	int err = w->m->ops->update(w->m, key, value, BPF_ANY, w->self);

	assert(!err);
}

static void take(struct world *w, const void *key)
{
	int err = w->m->ops->remove(w->m, key);

	assert(!err);
}

static void look_up_0(struct world *w)
{
	w->found = map_lookup(w->m, w->keys[0], w->self);
}

static void read_0(struct world *w)
{
	w->err = map_read(w->m, w->keys[0], w->value);
}

static void read_1(struct world *w)
{
	w->err = map_read(w->m, w->keys[1], w->value);
}

/* ---- hash: keys 0, 1, 2 are in one bucket, 0 last; 3 in the same, 4, 5, 6 in three others; not yet in the map ---- */

static void key_in_bucket(struct world *w, size_t i, u32 bucket)
{
	const struct hash *h = w->m->priv;

	w->keys[i][0] = 1000 * (i + 1);
	w->keys[i][1] = i;
	while (hash_bucket_of(h, hash_key(w->keys[i], h->key_size, &h->seed)) !=
		&h->buckets[bucket])
		w->keys[i][0]++;
	assert(w->keys[i][0] < 1000 * (i + 2));
}

static void setup_chain(struct world *w)
{
	static const u32 buckets[] = {0, 0, 0, 0, 1, 2, 3};

	for (size_t i = 0; i < ARRAY_LEN(buckets); i++)
		key_in_bucket(w, i, buckets[i]);
	for (size_t i = 0; i < 3; i++)
		put(w, w->keys[i], 10 + i);
}

static void move_middle_away(struct world *w)
{
	take(w, w->keys[1]);
	put(w, w->keys[4], 99);
}

static void move_two_crosswise(struct world *w)
{
	take(w, w->keys[1]);
	take(w, w->keys[2]);
	put(w, w->keys[4], 98);
	put(w, w->keys[3], 99);
}

static void replace_0(struct world *w)
{
	put(w, w->keys[0], 20);
}

/* The element that key 0 had becomes key 2's. */
static void replace_0_and_2(struct world *w)
{
	put(w, w->keys[0], 20);
	put(w, w->keys[2], 22);
}

/* The element that key 1 had becomes key 0's: on the way to itself. */
static void replace_1_and_0(struct world *w)
{
	put(w, w->keys[1], 21);
	put(w, w->keys[0], 20);
}

static void take_0(struct world *w)
{
	take(w, w->keys[0]);
	put(w, w->keys[4], 99);
}

static bool found_0(struct world *w)
{
	return found_is(w, 10);
}

static bool found_some_0(struct world *w)
{
	return found_is(w, 10) || found_is(w, 20);
}

/* A program's pointer may show another key's value when its key was replaced. */
static bool found_any(struct world *w)
{
	return w->found;
}

static bool read_0_same(struct world *w)
{
	return read_is(w, 10);
}

static bool read_some_0(struct world *w)
{
	return read_is(w, 10) || read_is(w, 20);
}

static bool read_0_or_gone(struct world *w)
{
	return read_is(w, 10) || w->err == -ENOENT;
}

static bool read_1_or_gone(struct world *w)
{
	return read_is(w, 11) || w->err == -ENOENT;
}

/* ---- hash, long keys: key 1 is there and has the hash of key 0; key 2 and key 0 end alike ---- */

static int compare_hash(const void *a, const void *b)
{
	u32 x = (u32)(*(const u64 *)a >> 32), y = (u32)(*(const u64 *)b >> 32);

	return (x > y) - (x < y);
}

static u64 scattered(u64 n)
{
	n *= 0x9e3779b97f4a7c15u;
	return (n ^ n >> 29) * 0xbf58476d1ce4e5b9u;
}

/* Two second words that with the same first word give the same hash: of 2^18 some do. */
static void find_collision(const struct hash *h, u64 first, u64 *x, u64 *y)
{
	enum { WORDS = 1 << 18 };
	static u64 hashes[WORDS];
	size_t i = 1;

	for (u32 word = 0; word < WORDS; word++) {
		const u64 key[2] = {first, scattered(word)};

		hashes[word] = (u64)hash_key(key, 16, &h->seed) << 32 | word;
	}
	qsort(hashes, WORDS, sizeof(*hashes), compare_hash);
	while (hashes[i] >> 32 != hashes[i - 1] >> 32) {
		i++;
		assert(i < WORDS);
	}
	*x = scattered((u32)hashes[i - 1]);
	*y = scattered((u32)hashes[i]);
}

static void setup_same_hash(struct world *w)
{
	static u64 x, y; /* the seed is always the same here */

	if (x == y)
		find_collision(w->m->priv, 7, &x, &y);
	w->keys[0][0] = w->keys[1][0] = 7;
	w->keys[0][1] = w->keys[2][1] = x;
	w->keys[1][1] = y;
	w->keys[2][0] = 8;
	put(w, w->keys[1], 11);
}

static void give_1_to_2(struct world *w)
{
	take(w, w->keys[1]);
	put(w, w->keys[2], 12);
}

static bool found_nothing(struct world *w)
{
	return !w->found;
}

/* ---- free elements: three are on the stack; a call takes one while others are taken and one comes back ---- */

static void setup_free(struct world *w)
{
	setup_chain(w);
	for (size_t i = 0; i < 3; i++)
		take(w, w->keys[i]);
}

static void put_0(struct world *w)
{
	put(w, w->keys[0], 10);
}

static void take_two_free_and_give_one_back(struct world *w)
{
	put(w, w->keys[4], 14);
	put(w, w->keys[5], 15);
	take(w, w->keys[4]);
}

static bool all_elements_apart(struct world *w)
{
	bool ok = true;

	put(w, w->keys[6], 16);
	put(w, w->keys[4], 14);
	for (size_t i = 0; i < 7; i++) {
		if (i >= 1 && i <= 3)
			continue;
		ok &= !map_read(w->m, w->keys[i], w->value) && value_is(w->value, 10 + i);
	}
	return ok;
}

/* ---- per-CPU hash: keys as above; values of all slots at once ---- */

static void setup_percpu(struct world *w)
{
	setup_chain(w);
	for (size_t i = 0; i < VALUE_WORDS_MAX; i++)
		w->value[i] = 10;
	map_write(w->m, w->keys[0], w->value, BPF_ANY);
}

static bool read_all_0_or_gone(struct world *w)
{
	return w->err == -ENOENT ||
	       (value_is(w->value, 10) && value_is(w->value + VALUE_WORDS, 10));
}

/* ---- LRU: the eight places are taken; further inserts evict ---- */

static void setup_lru(struct world *w)
{
	setup_chain(w);
	for (u64 i = 0; i < 5; i++) {
		u64 key[2] = {5000000 + i, 0};

		put(w, key, 30 + i);
	}
}

static void insert_many(struct world *w)
{
	for (u64 i = 0; i < 20; i++) {
		u64 key[2] = {6000000 + i, 0};

		put(w, key, 50 + i);
	}
}

/* The element may be another key's by now, whose value is whole all the same. */
static bool found_none_torn(struct world *w)
{
	const u64 *value = w->found;

	return !value || value_is(value, value[0]);
}

static bool read_percpu_0_or_gone(struct world *w)
{
	return w->err == -ENOENT || value_is(w->value + VALUE_WORDS, 10);
}

/* ---- LPM trie ---- */

struct prefix {
	u32 len;
	u8 data[4];
};

static const struct prefix lpm_prefixes[] = {{0, {0}}, {8, {10}}, {16, {10, 1}}, {24, {10, 1, 2}}};
static const struct prefix lpm_host = {32, {10, 1, 2, 3}}, lpm_other = {32, {10, 1, 3, 3}},
			   lpm_far = {8, {99}};

static void setup_lpm(struct world *w)
{
	memcpy(w->keys[0], &lpm_host, sizeof(lpm_host));
	for (size_t i = 0; i < ARRAY_LEN(lpm_prefixes); i++)
		put(w, &lpm_prefixes[i], 10 + i);
}

static void take_longest(struct world *w)
{
	take(w, &lpm_prefixes[3]);
}

static void take_second(struct world *w)
{
	take(w, &lpm_prefixes[2]);
}

static void put_longer_and_beside(struct world *w)
{
	put(w, &lpm_other, 98);
	put(w, &lpm_host, 14);
}

/* So many changes that the longest prefix's node is used again where it can be. */
static void take_longest_and_churn(struct world *w)
{
	take(w, &lpm_prefixes[3]);
	for (u64 i = 0; i < 200; i++) {
		put(w, &lpm_far, 99);
		put(w, &lpm_far, 97);
		take(w, &lpm_far);
	}
}

static bool found_13_or_12(struct world *w)
{
	return found_is(w, 13) || found_is(w, 12);
}

static bool found_13_or_14(struct world *w)
{
	return found_is(w, 13) || found_is(w, 14);
}

static bool found_13(struct world *w)
{
	return found_is(w, 13);
}

static bool read_13_or_12(struct world *w)
{
	return read_is(w, 13) || read_is(w, 12);
}

/* ---- the scenarios ---- */

#define SPEC(map_type, key_bytes, map_flags) \
	{ \
		.name = "steps", .type = map_type, .key_size = key_bytes, \
		.value_size = 8 * VALUE_WORDS, .max_entries = 8, .flags = map_flags \
	}
#define HASH SPEC(MAP_TYPE_HASH, 8, 0)
#define LONG_HASH SPEC(MAP_TYPE_HASH, 16, 0)
#define SEEDED_HASH SPEC(MAP_TYPE_HASH, 16, 1 << 6)
#define PERCPU_HASH SPEC(MAP_TYPE_PERCPU_HASH, 8, 0)
#define LRU SPEC(MAP_TYPE_LRU_HASH, 8, 0)
#define LRU_PERCPU SPEC(MAP_TYPE_LRU_PERCPU_HASH, 8, 0)
#define LPM SPEC(MAP_TYPE_LPM_TRIE, 8, BPF_F_NO_PREALLOC)

static const struct scenario scenarios[] = {
	{"lookup, an element on the way moves to another bucket", HASH, setup_chain, look_up_0,
		move_middle_away, found_0, true},
	{"the same, long keys", LONG_HASH, setup_chain, look_up_0, move_middle_away, found_0, true},
	{"lookup, elements on the way change places", HASH, setup_chain, look_up_0,
		move_two_crosswise, found_0, true},
	{"lookup, the key is replaced", HASH, setup_chain, look_up_0, replace_0, found_some_0,
		true},
	{"lookup, one before the key is replaced, then the key", HASH, setup_chain, look_up_0,
		replace_1_and_0, found_some_0, true},
	{"lookup, the key is replaced, then one before it", HASH, setup_chain, look_up_0,
		replace_0_and_2, found_any, true},
	{"the same, long keys", LONG_HASH, setup_chain, look_up_0, replace_0_and_2, found_any,
		true},
	{"lookup, a key half of one and half of the next", SEEDED_HASH, setup_same_hash, look_up_0,
		give_1_to_2, found_nothing, true},
	{"read, an element on the way moves", HASH, setup_chain, read_0, move_two_crosswise,
		read_0_same, false},
	{"read, the key is replaced", LONG_HASH, setup_chain, read_0, replace_0, read_some_0,
		false},
	{"read, the key is replaced, then one before it", HASH, setup_chain, read_0,
		replace_0_and_2, read_some_0, false},
	{"read, the key's element becomes another's", HASH, setup_chain, read_1, move_middle_away,
		read_1_or_gone, false},
	{"read, the last key's element becomes another's", LONG_HASH, setup_chain, read_0, take_0,
		read_0_or_gone, false},
	{"LRU lookup, elements on the way change places", LRU, setup_chain, look_up_0,
		move_two_crosswise, found_0, true},
	{"LRU lookup, the key is evicted and its element used again", LRU, setup_lru, look_up_0,
		insert_many, found_none_torn, true},
	{"LRU read, the key is evicted and its element used again", LRU, setup_lru, read_0,
		insert_many, read_0_or_gone, false},
	{"LRU read of all slots, the key is evicted", LRU_PERCPU, setup_lru, read_0, insert_many,
		read_percpu_0_or_gone, false},
	{"insert, free elements come and go", HASH, setup_free, put_0,
		take_two_free_and_give_one_back, all_elements_apart, true},
	{"read of all slots, the element becomes another's", PERCPU_HASH, setup_percpu, read_0,
		take_0, read_all_0_or_gone, false},
	{"LPM lookup, the prefix goes", LPM, setup_lpm, look_up_0, take_longest, found_13_or_12,
		true},
	{"LPM lookup, the prefix goes and its node is wanted", LPM, setup_lpm, look_up_0,
		take_longest_and_churn, found_13_or_12, true},
	{"LPM lookup, a shorter prefix goes", LPM, setup_lpm, look_up_0, take_second, found_13,
		true},
	{"LPM lookup, prefixes come", LPM, setup_lpm, look_up_0, put_longer_and_beside,
		found_13_or_14, true},
	{"LPM read, the prefix goes", LPM, setup_lpm, read_0, take_longest, read_13_or_12, false},
	{"LPM read, the prefix goes and its node is used again", LPM, setup_lpm, read_0,
		take_longest_and_churn, read_13_or_12, false},
};

static void world_new(struct world *w, const struct map_spec *spec)
{
	int err;

	memset(w, 0, sizeof(*w));
	err = cpus_new(SLOTS, &w->cpus, NULL);
	if (!err)
		err = cpu_take(w->cpus, 1);
	if (!err)
		err = map_new(spec, w->cpus, &w->m, NULL);
	assert(!err);
	w->self = cpu_base(w->cpus, 1);
}

static void world_free(struct world *w)
{
	map_put(w->m);
	cpu_release(w->cpus, 1);
	cpus_free(w->cpus);
}

static bool run(const struct scenario *s, u32 stride)
{
	bool changed = true, ok = true;
	u32 n;

	for (n = 1; changed && ok; n += stride) {
		struct world w;

		world_new(&w, &s->spec);
		cpu_enter(w.self);
		s->setup(&w);
		if (!s->in_run)
			cpu_enter(NULL);
		changed = call_and_change(s, &w, n);
		if (changed)
			ok = s->check(&w);
		cpu_enter(NULL);
		world_free(&w);
	}
	if (n < 20) /* or nothing was stepped through */
		ok = false;
	printf("%s: %s, %u steps\n", s->name, ok ? "ok" : "FAILED", n);
	return ok;
}

int main(int argc, char **argv)
{
	u32 stride = argc > 1 ? (u32)strtoul(argv[1], NULL, 0) : 5;
	const struct sigaction action = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO};
	bool ok = true;

	setlinebuf(stdout);
	if (!stride || sigaction(SIGTRAP, &action, NULL))
		return 1;
	for (size_t i = 0; i < ARRAY_LEN(scenarios); i++)
		ok &= run(&scenarios[i], stride);
	return !ok;
}

#endif
