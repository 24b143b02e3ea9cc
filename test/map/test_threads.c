/* Eight threads on maps that test_stress.c's keys don't fit: queues and stacks, bloom filters, values with locks. Built with
 * -Db_sanitize=thread this also shows that there is no data race. Usage: test-map-threads [calls per thread]. */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "cpu/cpu.h"
#include "map/map.h"
#include "map/spin.h"

enum { THREADS = 8, CALLS = 30000, LOCK_WORDS = 4 };

struct run {
	struct map *m;
	u32 calls;
	_Atomic u32 nr_failed;
	_Atomic u32 nr_popped;
	_Atomic u8 *popped; /* how often, for each thread and call */
};

struct worker {
	struct run *run;
	u32 number;
	pthread_t thread;
};

struct scenario {
	const char *name;
	struct map_spec spec;
	void *(*work)(void *worker);
	bool (*check)(struct run *run);
};

static void complain(struct worker *w, const char *what, u64 seen)
{
	if (atomic_fetch_add(&w->run->nr_failed, 1) < 5)
		fprintf(stderr, "thread %u: %s (%lx)\n", w->number, what, (unsigned long)seen);
}

/* ---- queues and stacks: odd threads pop what even ones push ---- */

struct item {
	u32 producer, nr, check[3];
};

static void push_all(struct worker *w)
{
	for (u32 i = 0; i < w->run->calls;) {
		struct item item = {w->number, i, {~w->number, ~i, i ^ w->number}};
		int err = map_push(w->run->m, &item, BPF_ANY);

		if (!err)
			i++;
		else if (err == -E2BIG)
			sched_yield();
		else
			complain(w, "push fails", (u64)-err);
	}
}

/* Of a queue each producer's items come in order. */
static void check_item(struct worker *w, const struct item *item, u32 *next)
{
	struct run *r = w->run;

	if (item->producer >= THREADS || item->nr >= r->calls ||
		item->check[0] != ~item->producer || item->check[1] != ~item->nr ||
		item->check[2] != (item->nr ^ item->producer)) {
		complain(w, "an item is not as it was pushed", item->nr);
		return;
	}
	if (r->m->spec.type == MAP_TYPE_QUEUE && item->nr < next[item->producer])
		complain(w, "items out of order", item->nr);
	next[item->producer] = item->nr + 1;
	if (atomic_fetch_add(&r->popped[item->producer * r->calls + item->nr], 1))
		complain(w, "an item comes twice", item->nr);
}

static void pop_all(struct worker *w)
{
	struct run *r = w->run;
	u32 next[THREADS] = {0};

	while (atomic_load(&r->nr_popped) < THREADS / 2 * r->calls) {
		struct item item;
		int err = map_pop(r->m, &item);

		if (err == -ENOENT) {
			sched_yield();
			continue;
		}
		if (err)
			complain(w, "pop fails", (u64)-err);
		check_item(w, &item, next);
		atomic_fetch_add(&r->nr_popped, 1);
	}
}

static void *push_or_pop(void *arg)
{
	struct worker *w = arg;

	if (w->number % 2)
		pop_all(w);
	else
		push_all(w);
	return NULL;
}

static bool all_popped(struct run *r)
{
	struct item item;

	for (u32 t = 0; t < THREADS; t += 2)
		for (u32 i = 0; i < r->calls; i++)
			if (atomic_load(&r->popped[t * r->calls + i]) != 1)
				return false;
	return map_pop(r->m, &item) == -ENOENT;
}

/* ---- bloom filter: what is pushed is there at once, and for everybody in the end ---- */

static void *push_and_peek(void *arg)
{
	struct worker *w = arg;

	for (u32 i = 0; i < w->run->calls; i++) {
		struct item item = {w->number, i, {0}};

		if (map_push(w->run->m, &item, BPF_ANY) || map_peek(w->run->m, &item))
			complain(w, "what was pushed isn't there", i);
	}
	return NULL;
}

static bool all_there(struct run *r)
{
	for (u32 t = 0; t < THREADS; t++)
		for (u32 i = 0; i < r->calls; i++) {
			struct item item = {t, i, {0}};

			if (map_peek(r->m, &item))
				return false;
		}
	return true;
}

/* ---- values with a lock: all words of a value are the same under it; two programs' additions are never lost ---- */

static void add_one(struct worker *w, u32 key)
{
	u64 *value = map_lookup(w->run->m, &key, NULL);

	spin_take(spin_of(w->run->m, value));
	for (u32 i = 1; i < LOCK_WORDS; i++) {
		u64 now = atomic_load_explicit((_Atomic u64 *)&value[i], memory_order_relaxed);

		atomic_store_explicit((_Atomic u64 *)&value[i], now + 1, memory_order_relaxed);
	}
	spin_drop(spin_of(w->run->m, value));
}

static void *count_under_lock(void *arg)
{
	struct worker *w = arg;
	struct map *m = w->run->m;

	for (u32 i = 0; i < w->run->calls; i++) {
		u32 key = i % 2;
		u64 value[LOCK_WORDS];
		int err;

		add_one(w, 0);
		if (key) {
			memset(value, 0, sizeof(value));
			value[1] = value[2] = value[3] = (u64)w->number << 32 | i;
			err = m->ops->update(m, &key, value, BPF_F_LOCK | BPF_EXIST, NULL);
		} else {
			err = map_read_flags(m, &(u32){1}, value, BPF_F_LOCK);
			if (value[0] || value[1] != value[2] || value[2] != value[3])
				complain(w, "a value is mixed", value[1] ^ value[3]);
		}
		if (err)
			complain(w, "a call fails", (u64)-err);
	}
	return NULL;
}

static bool all_counted(struct run *r)
{
	u64 value[LOCK_WORDS];

	return !map_read(r->m, &(u32){0}, value) && value[1] == (u64)THREADS * r->calls &&
	       value[3] == value[1];
}

static const struct scenario scenarios[] = {
	{"queue",
		{.name = "m",
			.type = MAP_TYPE_QUEUE,
			.value_size = sizeof(struct item),
			.max_entries = 7},
		push_or_pop, all_popped},
	{"stack",
		{.name = "m",
			.type = MAP_TYPE_STACK,
			.value_size = sizeof(struct item),
			.max_entries = 7},
		push_or_pop, all_popped},
	{"bloom filter",
		{.name = "m",
			.type = MAP_TYPE_BLOOM_FILTER,
			.value_size = sizeof(struct item),
			.max_entries = 100000},
		push_and_peek, all_there},
	{"array with locks",
		{.name = "m",
			.type = MAP_TYPE_ARRAY,
			.key_size = 4,
			.value_size = 8 * LOCK_WORDS,
			.max_entries = 2,
			.lock_at = 1},
		count_under_lock, all_counted},
	{"hash with locks",
		{.name = "m",
			.type = MAP_TYPE_HASH,
			.key_size = 4,
			.value_size = 8 * LOCK_WORDS,
			.max_entries = 2,
			.lock_at = 5},
		count_under_lock, all_counted},
};

static bool run(const struct scenario *s, u32 calls)
{
	struct run r = {.calls = calls};
	struct worker workers[THREADS];
	struct cpus *cpus;
	const u64 zeros[LOCK_WORDS] = {0};
	bool ok = true;

	if (cpus_new(1, &cpus, NULL) || map_new(&s->spec, cpus, &r.m, NULL))
		return false;
	for (u32 key = 0; s->spec.lock_at && key < 2; key++)
		ok &= !map_write(r.m, &key, zeros, BPF_ANY);
	r.popped = mem_zalloc((size_t)THREADS * calls);
	for (u32 i = 0; i < THREADS; i++) {
		workers[i] = (struct worker){.run = &r, .number = i};
		ok &= !pthread_create(&workers[i].thread, NULL, s->work, &workers[i]);
	}
	for (u32 i = 0; i < THREADS; i++)
		pthread_join(workers[i].thread, NULL);
	ok = ok && !r.nr_failed && s->check(&r);
	mem_free((void *)(uintptr_t)r.popped);
	map_put(r.m);
	cpus_free(cpus);
	printf("%s: %s\n", s->name, ok ? "ok" : "FAILED");
	return ok;
}

int main(int argc, char **argv)
{
	u32 calls = argc > 1 ? (u32)strtoul(argv[1], NULL, 0) : CALLS;
	bool ok = true;

	for (size_t i = 0; i < ARRAY_LEN(scenarios); i++)
		ok &= run(&scenarios[i], calls);
	return !ok;
}
