/* Many threads on one map: programs on slots look up, update and delete, others do so from outside, and everything that
 * anybody sees must make sense. A further thread stops them by signals for a while, so that they meet each other in the
 * middle of everything. Built with -Db_sanitize=thread this also shows that there is no data race.
 *
 * A value is words that each say which key they are of and which update wrote them. Keys below `stable` are never deleted:
 * nobody may ever miss one. Usage: test-map-stress [calls per thread]. */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cpu/cpu.h"
#include "map/map.h"

enum { THREADS = 8, SLOTS = 5, CALLS = 100000, VALUE_WORDS_MAX = 6, KEY_BYTES_MAX = 40 };

struct scenario {
	const char *name;
	enum map_type type;
	u32 flags;
	u32 key_size;
	u32 value_words;
	u32 max_entries;
	u32 keys; /* more than max_entries: some updates find the map full */
	u32 stable;
};

static const struct scenario scenarios[] = {
	{"hash, short keys", MAP_TYPE_HASH, 0, 4, 3, 16, 24, 4},
	{"hash, 16-byte keys", MAP_TYPE_HASH, 0, 16, 4, 64, 70, 8},
	{"hash, long keys, one bucket", MAP_TYPE_HASH, BPF_F_NO_PREALLOC, 40, 2, 2, 5, 1},
	{"hash, one word", MAP_TYPE_HASH, 0, 8, 1, 1024, 1024, 100},
	{"per-CPU hash", MAP_TYPE_PERCPU_HASH, 0, 4, 2, 16, 24, 4},
	{"per-CPU hash, long keys", MAP_TYPE_PERCPU_HASH, BPF_F_NO_PREALLOC, 24, 1, 40, 60, 10},
	/* With room for what each thread may have in its hands: deleted, but not given back yet. */
	{"LRU hash, all fit", MAP_TYPE_LRU_HASH, 0, 8, 3, 24 + 8, 24, 4},
	{"LRU hash, long keys, evicting", MAP_TYPE_LRU_HASH, 0, 40, 2, 16, 24, 0},
	{"LRU hash, many, evicting", MAP_TYPE_LRU_HASH, 0, 4, 2, 1000, 1500, 0},
	{"LRU per-CPU hash, evicting", MAP_TYPE_LRU_PERCPU_HASH, 0, 8, 2, 16, 24, 0},
	{"array", MAP_TYPE_ARRAY, 0, 4, 4, 8, 8, 8},
	{"LPM trie", MAP_TYPE_LPM_TRIE, BPF_F_NO_PREALLOC, 20, 3, 50, 63, 1},
	{"LPM trie, mostly there", MAP_TYPE_LPM_TRIE, BPF_F_NO_PREALLOC, 20, 2, 31, 31, 15},
	{"per-CPU array", MAP_TYPE_PERCPU_ARRAY, 0, 4, 4, 8, 8, 8},
};

struct run {
	const struct scenario *scenario;
	struct cpus *cpus;
	struct map *m;
	u32 calls;
	_Atomic u32 nr_failed;
	_Atomic u32 nr_ended;
	struct worker *workers;
};

struct worker {
	struct run *run;
	u32 number; /* below SLOTS: a program on that slot */
	u64 random;
	u32 updates;
	pthread_t thread;
};

static u32 below(struct worker *w, u32 n)
{
	w->random = w->random * 6364136223846793005u + 1442695040888963407u;
	return (u32)((w->random >> 33) % n);
}

static void complain(struct worker *w, const char *what, u32 id, u64 seen)
{
	if (atomic_fetch_add(&w->run->nr_failed, 1) < 5)
		fprintf(stderr, "%s: thread %u, key %u: %s (%lx)\n", w->run->scenario->name,
			w->number, id, what, (unsigned long)seen);
}

static bool per_cpu(const struct run *r)
{
	return r->m->ops->flags & MAP_PER_CPU;
}

static bool is_lpm(const struct scenario *s)
{
	return s->type == MAP_TYPE_LPM_TRIE;
}

/* All bits of id + 1 behind the first 1, each 20 times: every key is a prefix of keys 2 * id + 1 and 2 * id + 2. */
static void lpm_key_of(u32 id, u8 key[static KEY_BYTES_MAX])
{
	u32 len = 0;

	memset(key, 0, KEY_BYTES_MAX);
	for (int bit = 30 - __builtin_clz(id + 1); bit >= 0; bit--)
		for (u32 i = 0; i < 20; i++, len++)
			key[4 + len / 8] |= (u8)(((id + 1) >> bit & 1) << (7 - len % 8));
	memcpy(key, &len, sizeof(len));
}

static bool lpm_covers(u32 prefix, u32 id)
{
	u32 n = id + 1;

	while (n > prefix + 1)
		n >>= 1;
	return n == prefix + 1;
}

static void key_of(const struct scenario *s, u32 id, u8 key[static KEY_BYTES_MAX])
{
	if (is_lpm(s)) {
		lpm_key_of(id, key);
		return;
	}
	for (size_t i = 0; i < KEY_BYTES_MAX; i++)
		key[i] = (u8)(id * (i + 1) >> (i & 7));
	memcpy(key, &id, sizeof(id));
}

/* Key, update and thread, and a check over them. 0 is right too where a value may be fresh. */
static u64 word_of(u32 id, u32 update)
{
	u64 word = (u64)id << 32 | (update & 0xffffff) << 8;

	return word | ((word >> 8) * 0x9e3779b97f4a7c15u >> 56);
}

static bool word_ok(u64 word)
{
	return word == word_of((u32)(word >> 32), (u32)(word >> 8) & 0xffffff);
}

static void value_of(struct worker *w, u32 id, u64 *value)
{
	u32 update = w->number << 20 | (++w->updates & 0xfffff);

	for (u32 i = 0; i < w->run->scenario->value_words; i++)
		value[i] = word_of(id, update);
}

/* What a program's pointer shows: every word whole; of this key or, for keys that come and go, of another one. */
static void check_seen(struct worker *w, u32 id, const void *value)
{
	const struct scenario *s = w->run->scenario;
	const _Atomic u64 *words = value;

	for (u32 i = 0; i < s->value_words; i++) {
		u64 word = atomic_load_explicit(&words[i], memory_order_relaxed);

		if (!word_ok(word))
			complain(w, "a program sees a torn word", id, word);
		else if (s->keys == s->stable && word && word >> 32 != id)
			complain(w, "a program sees another key's word", id, word);
	}
}

/* LPM tries promise more: what was found stays as it is until the run ends. */
static void check_lpm_seen(struct worker *w, u32 id, const void *value)
{
	const struct scenario *s = w->run->scenario;
	const _Atomic u64 *words = value;
	u64 first = atomic_load_explicit(&words[0], memory_order_relaxed);

	if (!word_ok(first) || !lpm_covers((u32)(first >> 32), id) ||
		(id < s->stable && first >> 32 != id))
		complain(w, "a program finds what is not the prefix", id, first);
	if (!below(w, 16))
		sched_yield();
	for (u32 i = 0; i < s->value_words; i++) {
		u64 word = atomic_load_explicit(&words[i], memory_order_relaxed);

		if (word != first)
			complain(w, "a value changes during the run", id, word);
	}
}

/* What is read from outside: of this key; for hashes, as one update wrote it. */
static void check_read(struct worker *w, u32 id, const u64 *value, u32 nr_words)
{
	bool fresh_ok = per_cpu(w->run) || w->run->scenario->type == MAP_TYPE_ARRAY;

	for (u32 i = 0; i < nr_words; i++) {
		if (!value[i] && fresh_ok)
			continue;
		u32 of = (u32)(value[i] >> 32);

		if (!word_ok(value[i]) ||
			!(is_lpm(w->run->scenario) ? lpm_covers(of, id) : of == id))
			complain(w, "a read gives another key's or a torn word", id, value[i]);
		if (!fresh_ok && value[i] != value[0])
			complain(w, "a read mixes two updates", id, value[i]);
	}
}

static void check_error(struct worker *w, u32 id, const char *what, int err, const int *allowed)
{
	for (; *allowed; allowed++)
		if (err == *allowed)
			return;
	complain(w, what, id, (u64)-err);
}

static const int update_errors[] = {-E2BIG, -ENOSPC, -EEXIST, -ENOENT, 0};
static const int stable_errors[] = {-EEXIST, 0};
static const int absent_errors[] = {-ENOENT, -EINVAL, 0};

static void program_call(struct worker *w, u32 id, u8 *self)
{
	struct map *m = w->run->m;
	bool stable = id < w->run->scenario->stable;
	u8 key[KEY_BYTES_MAX];
	u64 value[VALUE_WORDS_MAX];
	u32 what = below(w, 8);

	key_of(w->run->scenario, id, key);
	if (what < 4) {
		void *seen = map_lookup(m, key, self);

		if (seen && is_lpm(w->run->scenario))
			check_lpm_seen(w, id, seen);
		else if (seen)
			check_seen(w, id, seen);
		else if (stable)
			complain(w, "a program misses a key that is always there", id, 0);
	} else if (what < 7) {
		value_of(w, id, value);
		int err = m->ops->update(m, key, value, what == 6 ? below(w, 3) : BPF_ANY, self);

		if (err)
			check_error(
				w, id, "update fails", err, stable ? stable_errors : update_errors);
	} else if (!stable) {
		int err = m->ops->remove(m, key);

		if (err)
			check_error(w, id, "remove fails", err, absent_errors);
	}
}

static void outside_call(struct worker *w, u32 id)
{
	struct map *m = w->run->m;
	bool stable = id < w->run->scenario->stable;
	u32 nr_words = (u32)map_outside_value_bytes(m) / 8;
	u8 key[KEY_BYTES_MAX], next[KEY_BYTES_MAX];
	u64 value[VALUE_WORDS_MAX * SLOTS];
	u32 what = below(w, 10);
	int err = 0;

	key_of(w->run->scenario, id, key);
	if (what < 5) {
		err = map_read(m, key, value);
		if (!err)
			check_read(w, id, value, nr_words);
		else if (stable)
			complain(w, "a read misses a key that is always there", id, (u64)-err);
	} else if (what < 7) {
		for (u32 i = 0; i < nr_words; i += w->run->scenario->value_words)
			value_of(w, id, value + i);
		err = map_write(m, key, value, BPF_ANY);
		if (err)
			check_error(w, id, "write fails", err,
				stable ? absent_errors + 2 : update_errors);
	} else if (what < 8) {
		if (!map_next_key(m, key, next)) {
			u32 n = 0;
			u8 known[KEY_BYTES_MAX];

			do {
				key_of(w->run->scenario, n, known);
			} while (memcmp(next, known, m->spec.key_size) &&
				 ++n < w->run->scenario->keys);
			if (n == w->run->scenario->keys)
				complain(w, "next_key makes up a key", id, n);
		}
	} else if (!stable && what < 9) {
		err = map_read_and_remove(m, key, value);
		if (!err)
			check_read(w, id, value, nr_words);
	} else if (!stable) {
		map_remove(m, key);
	}
}

static void *work(void *arg)
{
	struct worker *w = arg;
	struct run *r = w->run;
	u8 *self = w->number < SLOTS ? cpu_base(r->cpus, w->number) : NULL;

	if (self && cpu_take(r->cpus, w->number)) {
		complain(w, "can't take its slot", 0, 0);
		atomic_fetch_add(&r->nr_ended, 1);
		return NULL;
	}
	for (u32 i = 0; i < r->calls; i++) {
		u32 id = below(w, r->scenario->keys);

		if (!self) {
			outside_call(w, id);
			continue;
		}
		cpu_enter(self);
		program_call(w, id, self);
		cpu_enter(NULL);
	}
	if (self)
		cpu_release(r->cpus, w->number);
	atomic_fetch_add(&r->nr_ended, 1);
	return NULL;
}

static void stop_for_a_while(int signal)
{
	const struct timespec while_ = {.tv_nsec = 200000};

	(void)signal;
	nanosleep(&while_, NULL);
}

static void *disturb(void *arg)
{
	struct run *r = arg;
	const struct timespec between = {.tv_nsec = 1000};

	for (u32 i = 0; atomic_load(&r->nr_ended) < THREADS; i++) {
		pthread_kill(r->workers[i * 5 % THREADS].thread, SIGUSR1);
		nanosleep(&between, NULL);
	}
	return NULL;
}

static int write_as(struct run *r, u32 id)
{
	struct worker nobody = {.run = r, .number = THREADS};
	u8 key[KEY_BYTES_MAX];
	u64 value[VALUE_WORDS_MAX * SLOTS];

	key_of(r->scenario, id, key);
	for (u32 s = 0; s < SLOTS; s++)
		value_of(&nobody, id, value + s * r->scenario->value_words);
	return map_write(r->m, key, value, BPF_ANY);
}

/* Nothing was lost: exactly max_entries keys still fit, or all that there are. */
static bool still_whole(struct run *r)
{
	const struct scenario *s = r->scenario;
	u32 room = s->keys < s->max_entries ? s->keys : s->max_entries;
	u32 nr = 0;
	u8 key[KEY_BYTES_MAX];

	for (u32 id = 0; id < r->scenario->keys; id++)
		write_as(r, id);
	for (int err = map_next_key(r->m, NULL, key); !err; err = map_next_key(r->m, key, key))
		nr++;
	if (nr != room)
		fprintf(stderr, "%s: %u keys fit, not %u\n", s->name, nr, room);
	return nr == room;
}

static bool run(const struct scenario *s, u32 calls)
{
	const struct map_spec spec = {.name = "stress",
		.type = s->type,
		.key_size = s->key_size,
		.value_size = 8 * s->value_words,
		.max_entries = s->max_entries,
		.flags = s->flags};
	struct run r = {.scenario = s, .calls = calls};
	struct worker workers[THREADS];
	pthread_t disturber;
	bool ok = true;

	if (cpus_new(SLOTS, &r.cpus, NULL) || map_new(&spec, r.cpus, &r.m, NULL))
		return false;
	for (u32 id = 0; id < s->stable; id++)
		ok &= !write_as(&r, id);
	for (u32 i = 0; i < THREADS; i++) {
		workers[i] = (struct worker){.run = &r, .number = i, .random = i * 977 + 5};
		ok &= !pthread_create(&workers[i].thread, NULL, work, &workers[i]);
	}
	r.workers = workers;
	ok &= !pthread_create(&disturber, NULL, disturb, &r);
	/* Ends before the workers are joined: a joined thread can't be sent signals. */
	pthread_join(disturber, NULL);
	for (u32 i = 0; i < THREADS; i++)
		pthread_join(workers[i].thread, NULL);
	ok = ok && !r.nr_failed && still_whole(&r);
	map_put(r.m);
	cpus_free(r.cpus);
	printf("%s: %s\n", s->name, ok ? "ok" : "FAILED");
	return ok;
}

int main(int argc, char **argv)
{
	u32 calls = argc > 1 ? (u32)strtoul(argv[1], NULL, 0) : CALLS;
	bool ok = true;

	signal(SIGUSR1, stop_for_a_while);
	for (size_t i = 0; i < ARRAY_LEN(scenarios); i++)
		ok &= run(&scenarios[i], calls);
	return !ok;
}
