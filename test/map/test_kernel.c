/* Our maps against those of the kernel that runs this test: the same random specs and calls on both; results, errno and
 * contents must be the same. Exit 77 where bpf(2) is not allowed. Usage: test-kernel [first seed [number of seeds]]. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "cpu/cpu.h"
#include "kernel_map.h"

enum {
	SKIPPED = 77,
	SEEDS = 400,
	CALLS = 400,
	KEY_BYTES_MAX = 300,
	VALUE_BYTES_MAX = 1 << 16,
	BATCH_MAX = 64
};

struct pair {
	u64 random;
	u64 seed;
	struct map_spec spec;
	struct cpus *cpus;
	struct map *m;
	int fd;
	u32 nr_calls;
	const char *call; /* what is being compared */
	bool failed;
	bool pushed[256]; /* bloom filter: values, by their first byte */
	u8 key[KEY_BYTES_MAX], ours_key[KEY_BYTES_MAX], kernels_key[KEY_BYTES_MAX];
	u8 value[VALUE_BYTES_MAX], ours[VALUE_BYTES_MAX], kernels[VALUE_BYTES_MAX];
};

static u32 below(struct pair *p, u32 n)
{
	p->random = p->random * 6364136223846793005u + 1442695040888963407u;
	return (u32)((p->random >> 33) % n);
}

static u32 pick(struct pair *p, const u32 *from, size_t nr)
{
	return from[below(p, (u32)nr)];
}

static void fail(struct pair *p, const char *what, long ours, long kernels)
{
	if (!p->failed)
		fprintf(stderr,
			"seed %lu: %s key %u value %u max %u flags 0x%x: call %u %s: %s: ours %ld, "
			"kernel's %ld\n",
			(unsigned long)p->seed, map_type_name(p->spec.type), p->spec.key_size,
			p->spec.value_size, p->spec.max_entries, p->spec.flags, p->nr_calls,
			p->call, what, ours, kernels);
	p->failed = true;
}

static bool same_result(struct pair *p, int ours, int kernels)
{
	if (ours != kernels)
		fail(p, "results differ", ours, kernels);
	return ours == kernels && ours == 0;
}

static void same_bytes(
	struct pair *p, const char *what, const u8 *ours, const u8 *kernels, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		if (ours[i] != kernels[i]) {
			fail(p, what, ours[i], kernels[i]);
			return;
		}
}

/* ---- specs ---- */

static const u32 all_types[] = {MAP_TYPE_HASH, MAP_TYPE_ARRAY, MAP_TYPE_PERCPU_HASH,
	MAP_TYPE_PERCPU_ARRAY, MAP_TYPE_LPM_TRIE, MAP_TYPE_QUEUE, MAP_TYPE_STACK,
	MAP_TYPE_BLOOM_FILTER, MAP_TYPE_LRU_HASH, MAP_TYPE_LRU_PERCPU_HASH};

static bool is_lru(const struct map_spec *s)
{
	return s->type == MAP_TYPE_LRU_HASH || s->type == MAP_TYPE_LRU_PERCPU_HASH;
}

static bool is_hash(const struct map_spec *s)
{
	return s->type == MAP_TYPE_HASH || s->type == MAP_TYPE_PERCPU_HASH || is_lru(s);
}

static bool is_keyless(const struct map_spec *s)
{
	return s->type == MAP_TYPE_QUEUE || s->type == MAP_TYPE_STACK ||
	       s->type == MAP_TYPE_BLOOM_FILTER;
}

static struct map_spec good_spec(struct pair *p)
{
	static const u32 key_sizes[] = {1, 2, 3, 4, 5, 8, 9, 12, 16, 17, 24, 40};
	static const u32 lpm_key_sizes[] = {5, 6, 8, 12, 20, 24, 260};
	static const u32 value_sizes[] = {1, 2, 4, 7, 8, 9, 16, 24, 100};
	static const u32 access_flags[] = {
		0, 0, 0, 0, 0, 0, 0, 0, 0, 1 << 3, 1 << 4, 1 << 7, 1 << 8};
	struct map_spec s = {.name = "weir_test",
		.type = pick(p, all_types, ARRAY_LEN(all_types)),
		.key_size = 4};

	s.value_size = pick(p, value_sizes, ARRAY_LEN(value_sizes));
	s.max_entries = 1 + below(p, below(p, 2) ? 6 : 60);
	s.flags = pick(p, access_flags, ARRAY_LEN(access_flags));
	if (is_hash(&s)) {
		s.key_size = pick(p, key_sizes, ARRAY_LEN(key_sizes));
		s.flags |= below(p, 2) && !is_lru(&s) ? BPF_F_NO_PREALLOC : 0;
	}
	if (is_lru(&s)) {
		s.max_entries = 30 + below(p, 100);
		s.flags |= below(p, 4) ? 0 : 1 << 1; /* BPF_F_NO_COMMON_LRU */
	}
	if (s.type == MAP_TYPE_LPM_TRIE) {
		s.key_size = pick(p, lpm_key_sizes, ARRAY_LEN(lpm_key_sizes));
		s.flags |= BPF_F_NO_PREALLOC;
	}
	if (is_keyless(&s))
		s.key_size = 0;
	if (!below(p, 4) && s.value_size >= 4)
		s.lock_at = 1 + 4 * below(p, s.value_size / 4);
	if (s.type == MAP_TYPE_BLOOM_FILTER)
		s.extra = below(p, 16);
	return s;
}

/* Makes one or two members of a spec odd. Big maps are left out: whether there is memory for them is no matter of rules.
 * But LPM tries of any size can be made, for they are empty. */
static void spoil(struct pair *p, struct map_spec *s)
{
	static const u32 key_sizes[] = {0, 1, 3, 4, 5, 8, 259, 260, 261, 262};
	static const u32 value_sizes[] = {0, 1, 32760, 32761, 32768, 32769, 4194303 - 48 - 300,
		4194304 - 48 - 260, 4194304 - 48 - 259, 4194304 - 48 - 4, 4194304 - 48 - 5,
		4194304 - 48 - 8, 4194304, 0x7fffffff, 0x80000000, UINT32_MAX};
	static const u32 lpm_sizes[] = {0, 1 << 20, 1u << 31, UINT32_MAX};
	static const char *const names[] = {
		"", "a b", "a.b", "A_9", "-", "fifteen_letters", "\xc3\xa4"};

	for (u32 i = 0; i <= below(p, 2); i++) {
		switch (below(p, 7)) {
		case 0:
			s->key_size = pick(p, key_sizes, ARRAY_LEN(key_sizes));
			break;
		case 1:
			s->value_size = pick(p, value_sizes, ARRAY_LEN(value_sizes));
			s->max_entries = 1;
			break;
		case 2:
			s->max_entries = s->type == MAP_TYPE_LPM_TRIE
						 ? pick(p, lpm_sizes, ARRAY_LEN(lpm_sizes))
						 : 0;
			break;
		case 3:
			s->flags ^= 1u << below(p, 15);
			break;
		case 4:
			memset(s->name, 0, sizeof(s->name));
			strcpy(s->name, names[below(p, ARRAY_LEN(names))]);
			break;
		case 5:
			s->extra = 1ull << below(p, 64);
			break;
		case 6:
			s->lock_at = 1 + 4 * below(p, 5);
			break;
		}
	}
}

/* What BTF can't describe. */
static void drop_impossible_lock(struct map_spec *s)
{
	if (s->lock_at + sizeof(u32) - 1 > s->value_size)
		s->lock_at = 0;
}

/* ---- keys and values ---- */

/* Of an LRU hash so few that neither side makes room: the kernel does so long before its map is full. */
static u32 universe(const struct pair *p)
{
	if (is_lru(&p->spec))
		return p->spec.max_entries / 4;
	return 2 * (p->spec.max_entries < 1000 ? p->spec.max_entries : 1000) + 1;
}

static void random_lpm_key(struct pair *p)
{
	u32 bits = 8 * (p->spec.key_size - 4);
	u32 prefix = below(p, 8) ? below(p, below(p, 2) ? bits + 1 : 10) : bits + below(p, 2);

	memset(p->key, 0, p->spec.key_size);
	memcpy(p->key, &prefix, 4);
	p->key[4] = (u8)below(p, 256) & (below(p, 2) ? 0xff : 0xe0);
	p->key[p->spec.key_size - 1] |= (u8)(below(p, 2) ? below(p, 256) : below(p, 2));
}

static void random_key(struct pair *p)
{
	u32 n = below(p, universe(p));

	if (p->spec.type == MAP_TYPE_LPM_TRIE) {
		random_lpm_key(p);
		return;
	}
	memset(p->key, (int)(n * 7), sizeof(p->key));
	if (!is_hash(&p->spec))
		n = below(p, p->spec.max_entries + 2);
	memcpy(p->key, &n, p->spec.key_size < 4 ? p->spec.key_size : 4);
	if (p->spec.key_size == 4)
		memcpy(p->key, &n, 4);
}

static void random_value(struct pair *p)
{
	size_t bytes = map_outside_value_bytes(p->m);
	u8 fill = (u8)below(p, 256);

	for (size_t i = 0; i < bytes; i++)
		p->value[i] = (u8)(fill + i);
}

/* ---- calls ---- */

static const u8 *key(const struct pair *p)
{
	return p->spec.key_size ? p->key : NULL;
}

/* Each may have false positives of its own. */
static void compare_bloom(struct pair *p)
{
	memcpy(p->ours, p->value, p->spec.value_size);
	memcpy(p->kernels, p->value, p->spec.value_size);

	int ours = map_read(p->m, NULL, p->ours);
	int kernels = kernel_map_read(p->fd, NULL, p->kernels);

	if (p->pushed[p->value[0]] || (ours && ours != -ENOENT) || (kernels && kernels != -ENOENT))
		same_result(p, ours, kernels);
	if (p->pushed[p->value[0]] && ours == -ENOENT)
		fail(p, "a value that was pushed isn't there", ours, kernels);
	same_bytes(p, "values differ", p->ours, p->kernels, p->spec.value_size);
}

static void compare_read(struct pair *p)
{
	p->call = "read";
	if (p->spec.type == MAP_TYPE_BLOOM_FILTER) {
		compare_bloom(p);
		return;
	}
	u64 flags = below(p, 3) ? 0 : BPF_F_LOCK;

	if (same_result(p, map_read_flags(p->m, key(p), p->ours, flags),
		    kernel_map_read_flags(p->fd, key(p), p->kernels, flags)))
		same_bytes(p, "values differ", p->ours, p->kernels, map_outside_value_bytes(p->m));
}

static void call_read(struct pair *p)
{
	random_key(p);
	random_value(p);
	compare_read(p);
}

static void call_write(struct pair *p)
{
	static const u64 odd[] = {3, BPF_F_LOCK, BPF_F_LOCK | BPF_NOEXIST, BPF_F_LOCK | BPF_EXIST,
		BPF_F_LOCK | 3, 8, 16, 1ull << 32, 1ull << 63, UINT64_MAX};
	u64 flags =
		below(p, 12) ? below(p, 2) ? BPF_ANY : below(p, 3) : odd[below(p, ARRAY_LEN(odd))];

	random_key(p);
	random_value(p);
	p->call = "write";
	if (same_result(p, map_write(p->m, key(p), p->value, flags),
		    kernel_map_write(p->fd, key(p), p->value, flags)))
		p->pushed[p->value[0]] = true;
	if (!p->failed)
		compare_read(p);
}

static void call_remove(struct pair *p)
{
	random_key(p);
	p->call = "remove";
	same_result(p, map_remove(p->m, key(p)), kernel_map_remove(p->fd, key(p)));
}

static void call_read_and_remove(struct pair *p)
{
	random_key(p);
	p->call = "read and remove";
	if (same_result(p, map_read_and_remove(p->m, key(p), p->ours),
		    kernel_map_read_and_remove(p->fd, key(p), p->kernels)))
		same_bytes(p, "values differ", p->ours, p->kernels, map_outside_value_bytes(p->m));
}

/* The order of a hash's keys is nobody's promise: there only the number and the sort of results is compared. */
static void call_next_key(struct pair *p)
{
	bool null = !below(p, 6);

	random_key(p);
	p->call = null ? "next key of NULL" : "next key";

	int ours = map_next_key(p->m, null ? NULL : key(p), p->ours_key);
	int kernels = kernel_map_next_key(p->fd, null ? NULL : key(p), p->kernels_key);

	if (is_hash(&p->spec)) {
		u8 read[VALUE_BYTES_MAX];

		if (ours && ours != kernels && ours != -ENOENT)
			fail(p, "results differ", ours, kernels);
		if (!ours && !(p->spec.flags & 1 << 4) && kernel_map_read(p->fd, p->ours_key, read))
			fail(p, "a key that the kernel hasn't", ours, kernels);
		return;
	}
	if (same_result(p, ours, kernels))
		same_bytes(p, "keys differ", p->ours_key, p->kernels_key, p->spec.key_size);
}

/* Walks both maps; each of our keys must be the kernel's next one, or for hashes one that it has. */
static void call_walk(struct pair *p)
{
	u32 ours_nr = 0, kernels_nr = 0;
	int err = map_next_key(p->m, NULL, p->key);

	p->call = "walk";
	while (!err && !p->failed && ours_nr <= universe(p) + 2) {
		ours_nr++;
		compare_read(p);
		err = map_next_key(p->m, p->key, p->key);
	}
	err = kernel_map_next_key(p->fd, NULL, p->key);
	while (!err && kernels_nr <= universe(p) + 2) {
		kernels_nr++;
		err = kernel_map_next_key(p->fd, p->key, p->key);
	}
	p->call = "walk";
	if (ours_nr != kernels_nr)
		fail(p, "numbers of keys differ", ours_nr, kernels_nr);
}

struct batch {
	u8 keys[BATCH_MAX * KEY_BYTES_MAX];
	u8 values[BATCH_MAX * 256];
	u32 count;
};

/* For a batch that gets all, so that its size is the same whatever the buckets are; other types: any size. */
static void call_batch(struct pair *p)
{
	static struct batch ours, kernels;
	u32 size = is_hash(&p->spec) ? BATCH_MAX : 1 + below(p, BATCH_MAX);
	u8 kernels_cursor[KEY_BYTES_MAX];
	u64 cursor = 0;
	int err = 0;

	if (p->spec.max_entries > BATCH_MAX || map_outside_value_bytes(p->m) > 256)
		return;
	p->call = "batch";
	for (bool start = true; !err && !p->failed; start = false) {
		ours.count = kernels.count = size;
		err = map_read_batch(p->m, &cursor, ours.keys, ours.values, &ours.count);
		same_result(p, err,
			kernel_map_read_batch(p->fd, start, kernels_cursor, kernels.keys,
				kernels.values, &kernels.count));
		if (err && err != -ENOENT)
			return;
		if (ours.count != kernels.count)
			fail(p, "counts differ", ours.count, kernels.count);
		if (p->failed)
			return;
		if (!is_hash(&p->spec)) {
			same_bytes(p, "keys differ", ours.keys, kernels.keys,
				ours.count * p->spec.key_size);
			same_bytes(p, "values differ", ours.values, kernels.values,
				ours.count * map_outside_value_bytes(p->m));
		}
	}
}

static void call_freeze(struct pair *p)
{
	if (below(p, 20))
		return;
	p->call = "freeze";
	same_result(p, map_freeze(p->m), kernel_map_freeze(p->fd));
	if (!p->failed && below(p, 2)) {
		p->call = "freeze again";
		same_result(p, map_freeze(p->m), kernel_map_freeze(p->fd));
	}
}

static void call_any(struct pair *p)
{
	static void (*const calls[])(struct pair * p) = {call_read, call_write, call_write,
		call_write, call_write, call_remove, call_remove, call_read_and_remove,
		call_next_key, call_next_key, call_walk, call_batch};

	p->nr_calls++;
	if (below(p, 400))
		calls[below(p, ARRAY_LEN(calls))](p);
	else
		call_freeze(p);
}

static void compare_maps(struct pair *p)
{
	for (u32 i = 0; i < CALLS && !p->failed; i++)
		call_any(p);
	if (!p->failed)
		call_walk(p);
}

static bool run_seed(struct pair *p, u64 seed)
{
	struct diag d = {0};
	int err;

	p->seed = p->random = seed;
	below(p, 1);
	p->failed = false;
	p->nr_calls = 0;
	memset(p->pushed, 0, sizeof(p->pushed));
	p->call = "create";
	p->spec = good_spec(p);
	if (below(p, 2))
		spoil(p, &p->spec);
	drop_impossible_lock(&p->spec);
	p->fd = kernel_map_new(&p->spec);
	err = map_new(&p->spec, p->cpus, &p->m, &d);
	if (err != (p->fd < 0 ? p->fd : 0))
		fail(p, diag_first(&d), err, p->fd);
	if (!!err != !!d.nr_errors)
		fail(p, "a refusal without a reason", err, (long)d.nr_errors);
	if (!err && p->fd >= 0 && p->spec.value_size <= 100 && universe(p))
		compare_maps(p);
	if (!err)
		map_put(p->m);
	if (p->fd >= 0)
		close(p->fd);
	diag_fini(&d);
	return !p->failed;
}

int main(int argc, char **argv)
{
	static struct pair p;
	u64 first = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
	u64 nr = argc > 2 ? strtoull(argv[2], NULL, 0) : SEEDS;
	u64 nr_failed = 0;

	if (!kernel_maps_work()) {
		fprintf(stderr, "SKIPPED: this process may not make maps by bpf(2): nothing was "
				"compared\n");
		return SKIPPED;
	}
	if (cpus_new(kernel_nr_cpus(), &p.cpus, NULL))
		return 1;
	for (u64 seed = first; seed < first + nr; seed++)
		nr_failed += !run_seed(&p, seed);
	cpus_free(p.cpus);
	printf("%lu seeds, %lu failed\n", (unsigned long)nr, (unsigned long)nr_failed);
	return nr_failed != 0;
}
