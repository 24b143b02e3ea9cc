/* Maps that hold maps, programs, records and places to send packets to, against this machine's kernel (root): which can be
 * made, and what calls from outside answer. */
#include "special_maps.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "kernel_prog.h"
#include "map/ring.h"

static const enum map_type special[] = {MAP_TYPE_PROG_ARRAY, MAP_TYPE_PERF_EVENT_ARRAY,
	MAP_TYPE_ARRAY_OF_MAPS, MAP_TYPE_HASH_OF_MAPS, MAP_TYPE_DEVMAP, MAP_TYPE_CPUMAP,
	MAP_TYPE_XSKMAP, MAP_TYPE_DEVMAP_HASH, MAP_TYPE_RINGBUF};

static bool holds_maps(enum map_type type)
{
	return type == MAP_TYPE_ARRAY_OF_MAPS || type == MAP_TYPE_HASH_OF_MAPS;
}

struct pattern {
	struct map *ours;
	int theirs;
};

static void compare_spec(struct cpus *cpus, const struct map_spec *spec, int kernels_inner)
{
	struct map *m = NULL;
	struct diag d = {0};

	/* How many CPUs at most is each kernel's own. */
	if (spec->type == MAP_TYPE_CPUMAP && spec->max_entries > 16)
		return;
	int ours = map_new(spec, cpus, &m, &d);
	int theirs = kernel_map_new_inner(spec->type, spec->key_size, spec->value_size,
		spec->max_entries, spec->flags, kernels_inner);

	if (theirs >= 0)
		close(theirs);
	theirs = theirs < 0 ? same_errno(theirs) : 0;
	if (ours != theirs)
		fail_msg("%s, key %u, value %u, max %u, flags 0x%x: %d (%s), the kernel's %d",
			map_type_name(spec->type), spec->key_size, spec->value_size,
			spec->max_entries, spec->flags, ours, diag_first(&d), theirs);
	if (!ours)
		map_put(m);
	diag_fini(&d);
}

static void specs(void **state)
{
	static const u32 keys[] = {0, 4, 8}, values[] = {0, 4, 8, 12};
	static const u32 maxima[] = {0, 1, 3, 4096, 6144, 8192};
	struct cpus *cpus = *state;

	if (!kernel_progs_work())
		skip();
	struct map *inner = map_of(cpus, MAP_TYPE_ARRAY, 4, 8, 2, 0, NULL);
	int fd = kernel_plain_map(MAP_TYPE_ARRAY, 4, 8, 2, 0);
	for (size_t t = 0; t < ARRAY_LEN(special); t++)
		for (size_t k = 0; k < ARRAY_LEN(keys); k++)
			for (size_t v = 0; v < ARRAY_LEN(values); v++)
				for (size_t m = 0; m < ARRAY_LEN(maxima); m++) {
					const struct map_spec spec = {.type = special[t],
						.key_size = keys[k],
						.value_size = values[v],
						.max_entries = maxima[m],
						.inner = holds_maps(special[t]) ? inner : NULL};

					compare_spec(cpus, &spec, holds_maps(special[t]) ? fd : 0);
				}
	for (size_t t = 0; t < ARRAY_LEN(special); t++)
		for (u32 bit = 0; bit < 16; bit++) {
			bool ring = special[t] == MAP_TYPE_RINGBUF;
			const struct map_spec spec = {.type = special[t],
				.key_size = ring ? 0 : 4,
				.value_size = ring ? 0 : 4,
				.max_entries = ring ? 4096 : 16,
				.flags = 1u << bit,
				.inner = holds_maps(special[t]) ? inner : NULL};

			compare_spec(cpus, &spec, holds_maps(special[t]) ? fd : 0);
		}
	close(fd);
	map_put(inner);
}

static const struct map_spec inner_specs[] = {
	{.type = MAP_TYPE_ARRAY, .key_size = 4, .value_size = 8, .max_entries = 2},
	{.type = MAP_TYPE_ARRAY, .key_size = 4, .value_size = 8, .max_entries = 3},
	{.type = MAP_TYPE_ARRAY, .key_size = 4, .value_size = 4, .max_entries = 2},
	{.type = MAP_TYPE_ARRAY,
		.key_size = 4,
		.value_size = 8,
		.max_entries = 2,
		.flags = 1 << 12},
	{.type = MAP_TYPE_ARRAY,
		.key_size = 4,
		.value_size = 8,
		.max_entries = 3,
		.flags = 1 << 12},
	{.type = MAP_TYPE_ARRAY, .key_size = 4, .value_size = 8, .max_entries = 2, .flags = 1 << 7},
	{.type = MAP_TYPE_PERCPU_ARRAY, .key_size = 4, .value_size = 8, .max_entries = 2},
	{.type = MAP_TYPE_PERCPU_ARRAY, .key_size = 4, .value_size = 8, .max_entries = 3},
	{.type = MAP_TYPE_HASH, .key_size = 4, .value_size = 8, .max_entries = 2},
	{.type = MAP_TYPE_HASH, .key_size = 4, .value_size = 8, .max_entries = 3},
	{.type = MAP_TYPE_HASH, .key_size = 8, .value_size = 8, .max_entries = 2},
	{.type = MAP_TYPE_HASH, .key_size = 4, .value_size = 8, .max_entries = 2, .flags = 1},
	{.type = MAP_TYPE_LPM_TRIE, .key_size = 8, .value_size = 8, .max_entries = 2, .flags = 1},
	{.type = MAP_TYPE_QUEUE, .value_size = 8, .max_entries = 2},
	{.type = MAP_TYPE_RINGBUF, .max_entries = 4096},
	{.type = MAP_TYPE_RINGBUF, .max_entries = 8192},
	{.type = MAP_TYPE_PROG_ARRAY, .key_size = 4, .value_size = 4, .max_entries = 2},
	{.type = MAP_TYPE_PERF_EVENT_ARRAY, .key_size = 4, .value_size = 4, .max_entries = 2},
	{.type = MAP_TYPE_PERF_EVENT_ARRAY, .key_size = 4, .value_size = 4, .max_entries = 3},
	{.type = MAP_TYPE_DEVMAP, .key_size = 4, .value_size = 4, .max_entries = 2},
	{.type = MAP_TYPE_DEVMAP, .key_size = 4, .value_size = 8, .max_entries = 2},
	{.type = MAP_TYPE_CPUMAP, .key_size = 4, .value_size = 4, .max_entries = 2},
	{.type = MAP_TYPE_CPUMAP, .key_size = 4, .value_size = 4, .max_entries = 3},
	{.type = MAP_TYPE_XSKMAP, .key_size = 4, .value_size = 4, .max_entries = 2},
	{.type = MAP_TYPE_XSKMAP, .key_size = 4, .value_size = 4, .max_entries = 3},
};

static int kernels(const struct map_spec *s)
{
	return kernel_plain_map(s->type, s->key_size, s->value_size, s->max_entries, s->flags);
}

/* Per-CPU arrays of other sizes: Linux took them until a version of 6.18, and then not any more. */
static bool depends_on_version(const struct map_spec *a, const struct map_spec *b)
{
	return a->type == MAP_TYPE_PERCPU_ARRAY && b->type == MAP_TYPE_PERCPU_ARRAY &&
	       a->max_entries != b->max_entries;
}

/* Which maps may be the pattern, and which are like it. */
static void likeness(enum map_type outer_type, struct cpus *cpus)
{
	enum { N = ARRAY_LEN(inner_specs) };
	struct map *maps[N];
	int fds[N];

	for (u32 i = 0; i < N; i++) {
		assert_int_equal(map_new(&inner_specs[i], cpus, &maps[i], NULL), 0);
		fds[i] = kernels(&inner_specs[i]);
		assert_true(fds[i] > 0);
	}
	for (u32 i = 0; i < N; i++) {
		const struct map_spec spec = {.type = outer_type,
			.key_size = 4,
			.value_size = 4,
			.max_entries = 2,
			.inner = maps[i]};
		struct map *outer = NULL;
		int ours = map_new(&spec, cpus, &outer, NULL);
		int theirs = kernel_map_new_inner(outer_type, 4, 4, 2, 0, fds[i]);

		if (ours != (theirs < 0 ? same_errno(theirs) : 0))
			fail_msg("pattern %u: %d, the kernel's %d", i, ours, theirs);
		if (ours)
			continue;
		for (u32 n = 0; n < N; n++) {
			u32 key = 1, id;
			int set = map_set_map(outer, &key, maps[n], BPF_ANY);
			int kernels_set = kernel_elem_update(theirs, &key, &fds[n], BPF_ANY);

			if (depends_on_version(&inner_specs[i], &inner_specs[n])) {
				assert_int_equal(set, -EINVAL);
				continue;
			}
			if (set != same_errno(kernels_set))
				fail_msg("%u in place of %u: %d, the kernel's %d", n, i, set,
					kernels_set);
			assert_int_equal(map_read(outer, &key, &id), set ? -ENOENT : 0);
			if (set)
				continue;
			assert_int_equal(id, maps[n]->id);
			assert_int_equal(map_remove(outer, &key), kernel_elem_delete(theirs, &key));
		}
		close(theirs);
		map_put(outer);
	}
	for (u32 i = 0; i < N; i++) {
		close(fds[i]);
		map_put(maps[i]);
	}
}

static void inner_maps(void **state)
{
	if (!kernel_progs_work())
		skip();
	likeness(MAP_TYPE_ARRAY_OF_MAPS, *state);
	likeness(MAP_TYPE_HASH_OF_MAPS, *state);
}

/* The same calls on both. */
static void outside(struct cpus *cpus, enum map_type type)
{
	struct map *inner = map_of(cpus, MAP_TYPE_ARRAY, 4, 8, 2, 0, NULL);
	int inner_fd = kernel_plain_map(MAP_TYPE_ARRAY, 4, 8, 2, 0), no_fd = 9999;
	struct map *m = map_of(cpus, type, 4, 4, 3, 0, inner);
	int fd = kernel_map_new_inner(type, 4, 4, 3, 0, inner_fd);

	for (u32 step = 0; step < 400; step++) {
		u32 key = step * 7 % 5, flags = step / 3 % 4, a = 0, b = 0;
		int ours, theirs;

		if (step % 3 == 0) {
			ours = map_set_map(m, &key, inner, flags);
			theirs = kernel_elem_update(fd, &key, &inner_fd, flags);
		} else if (step % 3 == 1) {
			ours = map_remove(m, &key);
			theirs = kernel_elem_delete(fd, &key);
			if (step % 2) {
				ours = map_remove(m, &key);
				theirs = kernel_elem_delete(fd, &key);
			}
		} else {
			ours = map_read(m, &key, &a);
			theirs = kernel_elem_lookup(fd, &key, &b);
			assert_int_equal(a, ours ? 0 : inner->id);
		}
		if (ours != same_errno(theirs))
			fail_msg("type %d, step %u, key %u, flags %u: %d, the kernel's %d",
				(int)type, step, key, flags, ours, theirs);
	}
	assert_true(kernel_elem_update(fd, &no_fd, &no_fd, 0) < 0);
	close(fd);
	close(inner_fd);
	map_put(m);
	map_put(inner);
}

static void maps_from_outside(void **state)
{
	if (!kernel_progs_work())
		skip();
	outside(*state, MAP_TYPE_ARRAY_OF_MAPS);
	outside(*state, MAP_TYPE_HASH_OF_MAPS);
}

static void compare_places(struct cpus *cpus, enum map_type type, u32 value_size)
{
	/* Interface 1 is there on every machine, and so is CPU 0. */
	static const u32 values[][2] = {
		{0, 0}, {1, 0}, {1, UINT32_MAX}, {1, 999}, {0, 999}, {0, UINT32_MAX}};
	static const u32 queues[][2] = {
		{0, 0}, {16, 0}, {16384, 0}, {16385, 0}, {16, 999}, {0, 999}, {16, UINT32_MAX}};
	bool cpumap = type == MAP_TYPE_CPUMAP;
	struct map *m = map_of(cpus, type, 4, value_size, 2, 0, NULL);
	int fd = kernel_plain_map(type, 4, value_size, 2, 0);

	for (u32 step = 0; step < 600; step++) {
		u32 key = step * 5 % 4, flags = step / 5 % 4, a[2] = {0}, b[2] = {0};
		const u32 *value = cpumap ? queues[step % ARRAY_LEN(queues)]
					  : values[step % ARRAY_LEN(values)];
		int ours, theirs;

		if (cpumap && key == 1)
			key = 0; /* there may be one CPU only */
		if (type == MAP_TYPE_DEVMAP_HASH && step % 3 == 0 && flags == BPF_EXIST)
			flags = BPF_ANY;
		switch (step % 3) {
		case 0:
			ours = map_write(m, &key, value, flags);
			theirs = kernel_elem_update(fd, &key, value, flags);
			break;
		case 1:
			ours = map_read(m, &key, a);
			theirs = kernel_elem_lookup(fd, &key, b);
			break;
		default:
			if (step % 7)
				continue;
			ours = map_remove(m, &key);
			theirs = kernel_elem_delete(fd, &key);
		}
		if (ours != same_errno(theirs) || memcmp(a, b, sizeof(a)))
			fail_msg("type %d, value %u, step %u, key %u, value %u %d, flags %u: %d, "
				 "the kernel's %d; read %u %u, %u %u",
				(int)type, value_size, step, key, value[0], (int)value[1], flags,
				ours, theirs, a[0], a[1], b[0], b[1]);
	}
	close(fd);
	map_put(m);
}

static void places(void **state)
{
	if (!kernel_progs_work())
		skip();
	for (u32 size = 4; size <= 8; size += 4) {
		compare_places(*state, MAP_TYPE_DEVMAP, size);
		compare_places(*state, MAP_TYPE_DEVMAP_HASH, size);
		compare_places(*state, MAP_TYPE_CPUMAP, size);
	}
}

static void sockets(void **state)
{
	struct map *m = map_of(*state, MAP_TYPE_XSKMAP, 4, 4, 2, 0, NULL);
	u32 key = 1, value = 77, read = 0;

	assert_int_equal(map_read(m, &key, &read), -ENOENT);
	assert_int_equal(map_write(m, &key, &value, BPF_ANY), 0);
	assert_int_equal(map_read(m, &key, &read), 0);
	assert_int_equal(read, 77);
	assert_int_equal(map_write(m, &key, &value, BPF_NOEXIST), -EEXIST);
	assert_int_equal(map_remove(m, &key), 0);
	assert_int_equal(map_read(m, &key, &read), -ENOENT);
	key = 2;
	assert_int_equal(map_write(m, &key, &value, BPF_ANY), -E2BIG);
	map_put(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(specs),
		TEST(inner_maps),
		TEST(maps_from_outside),
		TEST(places),
		TEST(sockets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
