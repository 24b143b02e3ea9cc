/* What a lookup in a map costs a program: alone, and while another thread updates the map without
 * pause. Beside it the same lookup under one spinlock for the map, which is how others make maps in
 * user space safe for threads.
 *
 * usage: bench-maps [ROUNDS]
 *
 * Prints nanoseconds of thread CPU time, kinds interleaved, median of ROUNDS (default 15). */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "bench/clock.h"
#include "cpu/cpu.h"
#include "map/map.h"

enum { ROUNDS_MAX = 101, LOOKUPS = 100000, KEY_BYTES_MAX = 20, NR_WAYS = 4 };

/* A spec without what only some types have. */
#define SPEC(name_, type_, key, value, entries, flags_) \
	{ \
		.name = name_, .type = type_, .key_size = key, .value_size = value, \
		.max_entries = entries, .flags = flags_ \
	}

static const struct subject {
	const char *name;
	struct map_spec spec;
} subjects[] = {
	{"array", SPEC("bench", MAP_TYPE_ARRAY, 4, 8, 1000, 0)},
	{"per-CPU array", SPEC("bench", MAP_TYPE_PERCPU_ARRAY, 4, 8, 1000, 0)},
	{"hash, 4-byte keys", SPEC("bench", MAP_TYPE_HASH, 4, 8, 1000, 0)},
	{"hash, 16-byte keys", SPEC("bench", MAP_TYPE_HASH, 16, 8, 1000, 0)},
	{"hash, 16-byte keys, 1M", SPEC("bench", MAP_TYPE_HASH, 16, 8, 1000000, 0)},
	{"per-CPU hash, 4-byte keys", SPEC("bench", MAP_TYPE_PERCPU_HASH, 4, 8, 1000, 0)},
	{"LPM trie, IPv4", SPEC("bench", MAP_TYPE_LPM_TRIE, 8, 8, 1000, BPF_F_NO_PREALLOC)},
	{"LPM trie, IPv6", SPEC("bench", MAP_TYPE_LPM_TRIE, 20, 8, 1000, BPF_F_NO_PREALLOC)},
};

struct bench {
	const struct subject *subject;
	struct cpus *cpus;
	struct map *m;
	u8 *self;
	pthread_spinlock_t lock;
	_Atomic bool use_lock;
	_Atomic bool stop;
	u64 sum; /* so that lookups aren't optimised away */
};

static void key_of(const struct map_spec *spec, u32 n, u8 key[static KEY_BYTES_MAX])
{
	u32 scattered = n * 0x9e3779b1u;

	memset(key, 0, KEY_BYTES_MAX);
	if (spec->type != MAP_TYPE_LPM_TRIE) {
		memcpy(key, &n, sizeof(n));
		return;
	}
	memcpy(key, &(u32){8 * (spec->key_size - 4)}, 4);
	memcpy(key + 4, &scattered, sizeof(scattered));
}

static u32 random_index(u64 *state, u32 nr)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (u32)((*state >> 32) * nr >> 32);
}

static double lookup_ns(struct bench *b, bool use_lock)
{
	u64 random = 1, start = clock_cpu_ns();
	u8 key[KEY_BYTES_MAX];

	cpu_enter(b->self);
	for (u32 i = 0; i < LOOKUPS; i++) {
		key_of(&b->subject->spec, random_index(&random, b->subject->spec.max_entries), key);
		if (use_lock)
			pthread_spin_lock(&b->lock);

		u64 *value = map_lookup(b->m, key, b->self);

		b->sum += value ? *value : 0;
		if (use_lock)
			pthread_spin_unlock(&b->lock);
		if (i % 64 == 63)
			cpu_enter(cpu_enter(NULL)); /* a batch of packets is over */
	}
	cpu_enter(NULL);
	return (double)(clock_cpu_ns() - start) / (double)LOOKUPS;
}

/* What lookup_ns measures without the lookup. */
static double loop_ns(struct bench *b)
{
	u64 random = 1, start = clock_cpu_ns();
	u8 key[KEY_BYTES_MAX];

	for (u32 i = 0; i < LOOKUPS; i++) {
		key_of(&b->subject->spec, random_index(&random, b->subject->spec.max_entries), key);
		b->sum += *(volatile u8 *)key;
	}
	return (double)(clock_cpu_ns() - start) / (double)LOOKUPS;
}

static void *update_all_the_time(void *arg)
{
	struct bench *b = arg;
	u64 random = 2, value[256] = {1};
	u8 key[KEY_BYTES_MAX];

	while (!atomic_load(&b->stop)) {
		bool use_lock = atomic_load(&b->use_lock);

		key_of(&b->subject->spec, random_index(&random, b->subject->spec.max_entries), key);
		if (use_lock)
			pthread_spin_lock(&b->lock);
		map_write(b->m, key, value, BPF_ANY);
		if (use_lock)
			pthread_spin_unlock(&b->lock);
	}
	return NULL;
}

static double disturbed_ns(struct bench *b, bool use_lock)
{
	pthread_t writer;
	double ns;

	atomic_store(&b->stop, false);
	atomic_store(&b->use_lock, use_lock);
	if (pthread_create(&writer, NULL, update_all_the_time, b))
		exit(1);
	ns = lookup_ns(b, use_lock);
	atomic_store(&b->stop, true);
	pthread_join(writer, NULL);
	return ns;
}

static void setup(struct bench *b)
{
	struct diag d = {0};
	u64 value[256] = {1};
	u8 key[KEY_BYTES_MAX];

	if (cpus_new(1, &b->cpus, &d) || cpu_take(b->cpus, 0) ||
		map_new(&b->subject->spec, b->cpus, &b->m, &d)) {
		fprintf(stderr, "bench-maps: %s\n", diag_first(&d));
		exit(1);
	}
	b->self = cpu_base(b->cpus, 0);
	pthread_spin_init(&b->lock, PTHREAD_PROCESS_PRIVATE);
	for (u32 n = 0; n < b->subject->spec.max_entries; n++) {
		key_of(&b->subject->spec, n, key);
		map_write(b->m, key, value, BPF_ANY);
	}
}

static void run(const struct subject *subject, size_t rounds)
{
	struct bench b = {.subject = subject};
	double ns[NR_WAYS][ROUNDS_MAX], loop[ROUNDS_MAX], base;

	setup(&b);
	for (size_t r = 0; r < rounds; r++) {
		loop[r] = loop_ns(&b);
		ns[0][r] = lookup_ns(&b, false);
		ns[1][r] = lookup_ns(&b, true);
		ns[2][r] = disturbed_ns(&b, false);
		ns[3][r] = disturbed_ns(&b, true);
	}
	base = bench_median(loop, rounds);
	printf("%-26s", subject->name);
	for (size_t way = 0; way < NR_WAYS; way++)
		printf(" %8.1f", bench_median(ns[way], rounds) - base);
	printf("\n");
	map_put(b.m);
	cpu_release(b.cpus, 0);
	cpus_free(b.cpus);
	pthread_spin_destroy(&b.lock);
}

int main(int argc, char **argv)
{
	size_t rounds = argc > 1 ? strtoul(argv[1], NULL, 0) : 15;

	if (rounds < 1 || rounds > ROUNDS_MAX) {
		fprintf(stderr, "bench-maps: 1 to %d rounds\n", ROUNDS_MAX);
		return 1;
	}
	printf("%-26s %8s %8s %8s %8s\n", "ns per lookup", "alone", "spinlock", "updates", "both");
	for (size_t i = 0; i < ARRAY_LEN(subjects); i++)
		run(&subjects[i], rounds);
	return 0;
}
