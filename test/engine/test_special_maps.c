/* Maps that hold maps, programs, records and places to send packets to, against this machine's kernel (root): which can be
 * made, what calls from outside answer, what programs find. And what only is outside here: consuming records. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "cpu/cpu.h"
#include "engine/engine.h"
#include "isa/prog.h"
#include "kernel_prog.h"
#include "map/map.h"
#include "map/ring.h"
#include "map/ringbuf.h"
#include "map/perf_event_array.h"
#include "progtype/progtype.h"
#include "weir/frame.h"

enum { KERNEL_ENOTSUPP = 524, INSNS_MAX = 96, SLOTS = 2 };

#define MOV(d, i) \
	{ \
		.code = 0xb7, .dst = (d), .imm = (i) \
	}
#define MOV_REG(d, s) \
	{ \
		.code = 0xbf, .dst = (d), .src = (s) \
	}
#define ADD(d, i) \
	{ \
		.code = 0x07, .dst = (d), .imm = (i) \
	}
#define LOAD_MAP(d, m) \
	{.code = 0x18, .dst = (d), .src = LD_IMM64_MAP_IDX, .imm = (m)}, \
	{ \
		0 \
	}
#define HELPER_CALL(id) \
	{ \
		.code = 0x85, .imm = (id) \
	}
#define EXIT \
	{ \
		.code = 0x95 \
	}
#define IF_NOT_NULL(r, off_) \
	{ \
		.code = 0x55, .dst = (r), .off = (off_) \
	}
/* *(u32 *)(r10 - 4) = key; r2 = r10 - 4 */
#define KEY(k) {.code = 0x62, .dst = 10, .off = -4, .imm = (k)}, MOV_REG(2, 10), ADD(2, -4)

static int same_errno(int err)
{
	return err == -KERNEL_ENOTSUPP ? -EOPNOTSUPP : err;
}

static struct map *map_of(struct cpus *cpus, enum map_type type, u32 key_size, u32 value_size,
	u32 max_entries, u32 flags, struct map *inner)
{
	const struct map_spec spec = {.type = type,
		.key_size = key_size,
		.value_size = value_size,
		.max_entries = max_entries,
		.flags = flags,
		.inner = inner};
	struct map *m;

	assert_int_equal(map_new(&spec, cpus, &m, NULL), 0);
	return m;
}

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

/* ---- programs ---- */

static u32 length(const struct insn *insns)
{
	u32 n = INSNS_MAX;

	while (n && !insns[n - 1].code)
		n--;
	return n;
}

static const struct {
	const char *name;
	struct engine_opts opts;
} engines[] = {
	{"interpreter", {.kind = ENGINE_INTERP}},
	{"native", {.kind = ENGINE_JIT}},
	{"native, no optional passes", {.kind = ENGINE_JIT, .rewrite = {.skip = "*"}}},
};

static struct loaded *load(const struct insn *insns, struct map *const *maps, u32 nr_maps,
	const struct engine_opts *opts)
{
	struct prog *p = prog_new("test", PROG_TYPE_XDP);
	struct loaded *l = NULL;
	struct diag d = {0};
	u32 index;

	assert_int_equal(prog_set_insns(p, insns, length(insns)), 0);
	for (u32 i = 0; i < nr_maps; i++)
		assert_int_equal(prog_add_map(p, maps[i], &index), 0);
	if (engine_load(p, opts, &l, &d))
		fail_msg("%s", diag_first(&d));
	diag_fini(&d);
	prog_free(p);
	return l;
}

static u8 packet_bytes[64];

static struct weir_frame frame_new(void)
{
	u64 start = (uintptr_t)packet_bytes;

	return (struct weir_frame){.room = start,
		.meta = start,
		.data = start,
		.data_end = start + sizeof(packet_bytes),
		.room_end = start + sizeof(packet_bytes),
		.len = sizeof(packet_bytes)};
}

static u32 run(struct cpus *cpus, const struct loaded *l, struct weir_frame *frame)
{
	assert_int_equal(cpu_take(cpus, 1), 0);
	u32 r = (u32)loaded_run(l, (uintptr_t)frame, 0, cpu_base(cpus, 1));
	cpu_release(cpus, 1);
	return r;
}

static u32 run_in_kernel(const struct insn *insns, const int *maps)
{
	static char log[1 << 16];
	struct insn copy[INSNS_MAX];
	u8 packet[64] = {0};
	u32 n = length(insns), retval = 0;

	memcpy(copy, insns, sizeof(copy));
	for (u32 pc = 0; pc < n; pc += insn_is_ld_imm64(copy[pc]) ? 2 : 1)
		if (insn_is_ld_imm64(copy[pc]) && copy[pc].src == LD_IMM64_MAP_IDX) {
			copy[pc].src = LD_IMM64_MAP_FD;
			copy[pc].imm = maps[copy[pc].imm];
		}
	int fd = kernel_prog_load(KERNEL_XDP, copy, n, log, sizeof(log));
	if (fd < 0)
		fail_msg("%s", log);
	assert_int_equal(kernel_prog_run(fd, packet, sizeof(packet), &retval), 0);
	close(fd);
	return retval;
}

/* Runs it in the kernel and on all engines, with the same maps in each. */
static void same_everywhere(const char *name, struct cpus *cpus, const struct insn *insns,
	struct map *const *maps, const int *fds, u32 nr_maps)
{
	u32 theirs = run_in_kernel(insns, fds);

	for (size_t e = 0; e < ARRAY_LEN(engines); e++) {
		struct weir_frame frame = frame_new();
		struct loaded *l = load(insns, maps, nr_maps, &engines[e].opts);
		u32 ours = run(cpus, l, &frame);

		loaded_free(l);
		if (ours != theirs)
			fail_msg("%s, %s: %d, the kernel's %d", name, engines[e].name, (int)ours,
				(int)theirs);
	}
}

/* From the outer map's entry KEY to value 1 of the map there; 7 and 8 where there is none. */
#define INNER_VALUE(key_) \
	{ \
		KEY(key_), LOAD_MAP(1, 0), HELPER_CALL(1), IF_NOT_NULL(0, 2), MOV(0, 7), EXIT, \
			MOV_REG(1, 0), KEY(1), HELPER_CALL(1), IF_NOT_NULL(0, 2), MOV(0, 8), EXIT, \
			{.code = 0x61, .dst = 0, .src = 0, .off = 4}, EXIT \
	}

static void lookups(struct cpus *cpus, enum map_type outer, enum map_type inner)
{
	static const struct insn progs[][INSNS_MAX] = {
		INNER_VALUE(0), INNER_VALUE(1), INNER_VALUE(2), INNER_VALUE(9)};
	u64 value = 0x1234ull << 32 | 1;
	struct map *maps[2] = {NULL, map_of(cpus, inner, 4, 8, 2, 0, NULL)};
	struct map *empty = map_of(cpus, inner, 4, 8, 2, 0, NULL);
	int fds[2] = {0, kernel_plain_map(inner, 4, 8, 2, 0)};
	int empty_fd = kernel_plain_map(inner, 4, 8, 2, 0);

	maps[0] = map_of(cpus, outer, 4, 4, 3, 0, maps[1]);
	fds[0] = kernel_map_new_inner(outer, 4, 4, 3, 0, fds[1]);
	for (u32 key = 0; key < 2; key++) {
		assert_int_equal(map_set_map(maps[0], &key, key ? maps[1] : empty, BPF_ANY), 0);
		assert_int_equal(kernel_elem_update(fds[0], &key, key ? &fds[1] : &empty_fd, 0), 0);
	}
	u32 one = 1;
	assert_int_equal(map_write(maps[1], &one, &value, BPF_ANY), 0);
	assert_int_equal(kernel_elem_update(fds[1], &one, &value, BPF_ANY), 0);
	for (size_t i = 0; i < ARRAY_LEN(progs); i++)
		same_everywhere("maps in maps", cpus, progs[i], maps, fds, 1);
	close(fds[0]);
	close(fds[1]);
	close(empty_fd);
	map_put(maps[0]);
	map_put(maps[1]);
	map_put(empty);
}

static void programs_with_maps(void **state)
{
	if (!kernel_progs_work())
		skip();
	lookups(*state, MAP_TYPE_ARRAY_OF_MAPS, MAP_TYPE_ARRAY);
	lookups(*state, MAP_TYPE_ARRAY_OF_MAPS, MAP_TYPE_HASH);
	lookups(*state, MAP_TYPE_HASH_OF_MAPS, MAP_TYPE_ARRAY);
	lookups(*state, MAP_TYPE_HASH_OF_MAPS, MAP_TYPE_HASH);
}

/* redirect_map(map, key, flags) */
static void redirects(void **state)
{
	static const enum map_type types[] = {
		MAP_TYPE_DEVMAP, MAP_TYPE_DEVMAP_HASH, MAP_TYPE_CPUMAP, MAP_TYPE_XSKMAP};
	static const u32 flags[] = {0, 1, 2, 3, 4, 8, 16, 24, 8 | 2, 32};

	if (!kernel_progs_work())
		skip();
	for (size_t t = 0; t < ARRAY_LEN(types); t++) {
		struct map *m = map_of(*state, types[t], 4, 4, 2, 0, NULL);
		int fd = kernel_plain_map(types[t], 4, 4, 2, 0);
		u32 key = 0, value = 1;

		if (types[t] != MAP_TYPE_XSKMAP) {
			assert_int_equal(map_write(m, &key, &value, BPF_ANY), 0);
			assert_int_equal(kernel_elem_update(fd, &key, &value, BPF_ANY), 0);
		}
		for (key = 0; key < 4; key++)
			for (size_t f = 0; f < ARRAY_LEN(flags); f++) {
				const struct insn insns[INSNS_MAX] = {LOAD_MAP(1, 0),
					MOV(2, (s32)key), MOV(3, (s32)flags[f]), HELPER_CALL(51),
					EXIT};

				same_everywhere(map_type_name(types[t]), *state, insns, &m, &fd, 1);
			}
		close(fd);
		map_put(m);
	}
}

static void redirect_result(void **state)
{
	static const struct insn insns[INSNS_MAX] = {
		LOAD_MAP(1, 0), MOV(2, 1), MOV(3, 8 | 16), HELPER_CALL(51), EXIT};
	static const struct insn missing[INSNS_MAX] = {LOAD_MAP(1, 0), MOV(2, 1), MOV(3, 0),
		HELPER_CALL(51), LOAD_MAP(1, 0), MOV(2, 0), MOV(3, 2), HELPER_CALL(51), EXIT};
	struct map *m = map_of(*state, MAP_TYPE_DEVMAP, 4, 4, 2, 0, NULL);
	struct weir_frame frame = frame_new();
	u32 key = 1, value = 5;

	assert_int_equal(map_write(m, &key, &value, BPF_ANY), 0);
	struct loaded *l = load(insns, &m, 1, &engines[1].opts);
	assert_int_equal(run(*state, l, &frame), 4);
	assert_int_equal(frame.redirect, WEIR_REDIRECT_MAP);
	assert_ptr_equal(frame.redirect_map, m);
	assert_int_equal(frame.redirect_key, 1);
	assert_int_equal(frame.redirect_flags, 8 | 16);
	loaded_free(l);
	l = load(missing, &m, 1, &engines[1].opts);
	assert_int_equal(run(*state, l, &frame), 2);
	assert_int_equal(frame.redirect, WEIR_REDIRECT_NONE);
	loaded_free(l);
	map_put(m);
}

/* ---- records ---- */

/* r9 = r9 * 31 + r0: what all calls have answered. */
#define MIX \
	{.code = 0x27, .dst = 9, .imm = 31}, \
	{ \
		.code = 0x0f, .dst = 9, .src = 0 \
	}
#define OUTPUT(bytes, flags) \
	LOAD_MAP(1, 0), MOV_REG(2, 10), ADD(2, -256), MOV(3, bytes), MOV(4, flags), \
		HELPER_CALL(130), MIX
#define QUERY(what) LOAD_MAP(1, 0), MOV(2, what), HELPER_CALL(134), MIX
#define RESERVE(bytes, flags, end) \
	LOAD_MAP(1, 0), MOV(2, bytes), MOV(3, flags), HELPER_CALL(131), IF_NOT_NULL(0, 2), \
		ADD(9, 5), {.code = 0x05, .off = 4}, {.code = 0x7a, .dst = 0, .imm = (bytes)}, \
		MOV_REG(1, 0), MOV(2, 0), HELPER_CALL(end)

static void ringbuf_programs(void **state)
{
	static const struct insn progs[][INSNS_MAX] = {
		{MOV(9, 0), {.code = 0x7a, .dst = 10, .off = -256, .imm = 3}, OUTPUT(8, 0),
			QUERY(0), QUERY(1), QUERY(2), QUERY(3), QUERY(4), OUTPUT(8, 4),
			OUTPUT(8, 1), OUTPUT(8, 2), QUERY(0), MOV_REG(0, 9), EXIT},
		{MOV(9, 0), RESERVE(8, 0, 132), RESERVE(16, 0, 133), RESERVE(8, 1, 132), QUERY(0),
			QUERY(3), MOV_REG(0, 9), EXIT},
		/* until it is full: 4080 with their header are one too many behind 8. */
		{MOV(9, 0), RESERVE(4089, 0, 132), QUERY(3), RESERVE(8, 0, 132),
			RESERVE(4072, 0, 132), QUERY(3), RESERVE(4064, 0, 132), QUERY(3),
			RESERVE(8, 0, 132), QUERY(0), MOV_REG(0, 9), EXIT},
		{MOV(9, 0), RESERVE(4088, 0, 132), QUERY(3), RESERVE(4080, 0, 133), QUERY(3),
			RESERVE(8, 0, 132), QUERY(0), MOV_REG(0, 9), EXIT},
	};

	if (!kernel_progs_work())
		skip();
	for (size_t i = 0; i < ARRAY_LEN(progs); i++)
		for (size_t e = 0; e < ARRAY_LEN(engines); e++) {
			struct map *m = map_of(*state, MAP_TYPE_RINGBUF, 0, 0, 4096, 0, NULL);
			int fd = kernel_plain_map(MAP_TYPE_RINGBUF, 0, 0, 4096, 0);
			struct loaded *l = load(progs[i], &m, 1, &engines[e].opts);
			struct weir_frame frame = frame_new();
			u32 theirs = run_in_kernel(progs[i], &fd), ours = run(*state, l, &frame);

			loaded_free(l);
			map_put(m);
			close(fd);
			if (ours != theirs)
				fail_msg("program %zu, %s: %u, the kernel's %u", i, engines[e].name,
					ours, theirs);
		}
}

struct seen {
	u32 nr, slot, last_len;
	u64 next[8]; /* the number that each producer's next record has */
	u32 stop_at; /* 0: never */
};

struct record {
	u32 producer, bytes;
	u64 number;
	u8 fill[];
};

static int see_record(void *arg, u32 slot, const void *data, size_t len)
{
	struct seen *s = arg;
	const struct record *r = data;

	assert_int_equal(len, r->bytes);
	assert_int_equal(r->number, s->next[r->producer]);
	for (size_t i = sizeof(*r); i < len; i++)
		assert_int_equal(r->fill[i - sizeof(*r)], (u8)r->number);
	s->next[r->producer]++;
	s->slot = slot;
	s->last_len = (u32)len;
	return ++s->nr == s->stop_at ? -ECANCELED : 0;
}

static bool readable(struct map *m)
{
	struct pollfd p = {.fd = map_event(m), .events = POLLIN};

	return poll(&p, 1, 0) == 1;
}

static void record_fill(struct record *r, u32 producer, u32 bytes, u64 number)
{
	r->producer = producer;
	r->bytes = bytes;
	r->number = number;
	memset(r->fill, (int)(u8)number, bytes - sizeof(*r));
}

static void ringbuf_consuming(void **state)
{
	struct map *m = map_of(*state, MAP_TYPE_RINGBUF, 0, 0, 4096, 0, NULL);
	struct seen s = {0};
	u64 lost = 9;

	assert_false(readable(m));
	assert_int_equal(map_consume(m, see_record, &s, &lost), 0);
	assert_int_equal(lost, 0);
	struct record *first = ringbuf_reserve(m, 24), *second = ringbuf_reserve(m, 40);
	record_fill(first, 0, 24, 0);
	record_fill(second, 0, 40, 1);
	ring_commit(second, 0, 0); /* not the one that is waited for */
	assert_false(readable(m));
	assert_int_equal(map_consume(m, see_record, &s, NULL), 0);
	ring_commit(first, 0, 0);
	assert_true(readable(m));
	s.stop_at = 1;
	assert_int_equal(map_consume(m, see_record, &s, NULL), -ECANCELED);
	assert_true(readable(m)); /* one more waits */
	assert_int_equal(map_consume(m, see_record, &s, NULL), 1);
	assert_false(readable(m));
	assert_int_equal(s.nr, 2);
	/* What was dropped isn't seen; flags decide about waking. */
	ring_commit(ringbuf_reserve(m, 8), RING_DISCARD, BPF_RB_NO_WAKEUP);
	assert_false(readable(m));
	record_fill(first = ringbuf_reserve(m, 32), 0, 32, 2);
	ring_commit(first, 0, BPF_RB_FORCE_WAKEUP);
	assert_true(readable(m));
	assert_int_equal(map_consume(m, see_record, &s, NULL), 1);
	assert_null(ringbuf_reserve(m, 4096));
	assert_int_equal(map_consume(m, see_record, &s, &lost), 0);
	assert_int_equal(lost, 1);
	assert_int_equal(map_consume(m, see_record, &s, &lost), 0);
	assert_int_equal(lost, 0);
	/* Records that go over the end are in one piece. */
	for (u32 n = 0; n < 300; n++) {
		u32 bytes = 24 + n * 8 % 900;

		record_fill(first = ringbuf_reserve(m, bytes), 0, bytes, 3 + n);
		ring_commit(first, 0, 0);
		assert_int_equal(map_consume(m, see_record, &s, NULL), 1);
	}
	map_put(m);
	m = map_of(*state, MAP_TYPE_ARRAY, 4, 4, 1, 0, NULL);
	assert_int_equal(map_event(m), -EINVAL);
	assert_int_equal(map_consume(m, see_record, &s, NULL), -EINVAL);
	map_put(m);
}

struct producer {
	struct map *m;
	u32 number, records;
};

static void *produce(void *arg)
{
	struct producer *p = arg;

	for (u64 n = 0; n < p->records; n++) {
		u32 bytes = 24 + (u32)(n * 8 % 200);
		struct record *r;

		if (n % 13 == 0) {
			void *dropped = ringbuf_reserve(p->m, bytes);

			if (dropped)
				ring_commit(dropped, RING_DISCARD, 0);
		}
		while (!(r = ringbuf_reserve(p->m, bytes)))
			sched_yield();
		record_fill(r, p->number, bytes, n);
		ring_commit(r, 0, 0);
	}
	return NULL;
}

/* Many producers; the consumer sleeps in poll, and is woken whenever something is there for it. */
static void ringbuf_threads(void **state)
{
	enum { PRODUCERS = 3, RECORDS = 20000 };
	struct map *m = map_of(*state, MAP_TYPE_RINGBUF, 0, 0, 8192, 0, NULL);
	struct producer producers[PRODUCERS];
	pthread_t threads[PRODUCERS];
	struct seen s = {0};

	for (u32 n = 0; n < PRODUCERS; n++) {
		producers[n] = (struct producer){.m = m, .number = n, .records = RECORDS};
		assert_int_equal(pthread_create(&threads[n], NULL, produce, &producers[n]), 0);
	}
	while (s.nr < PRODUCERS * RECORDS) {
		struct pollfd p = {.fd = map_event(m), .events = POLLIN};

		if (poll(&p, 1, 30000) != 1)
			fail_msg("no wakeup behind %u records", s.nr);
		assert_true(map_consume(m, see_record, &s, NULL) >= 0);
	}
	for (u32 n = 0; n < PRODUCERS; n++)
		pthread_join(threads[n], NULL);
	map_put(m);
}

/* perf_event_output(ctx, map, flags, stack, 24) */
static void perf_events(void **state)
{
	static const struct insn insns[INSNS_MAX] = {
		{.code = 0x7a, .dst = 10, .off = -24, .imm = 0},
		{.code = 0x62, .dst = 10, .off = -20, .imm = 24},
		{.code = 0x7a, .dst = 10, .off = -16, .imm = 0},
		{.code = 0x7a, .dst = 10, .off = -8, .imm = 0}, LOAD_MAP(2, 0),
		{.code = 0x18, .dst = 3, .imm = -1}, {0}, MOV_REG(4, 10), ADD(4, -24), MOV(5, 24),
		HELPER_CALL(25), EXIT};
	static const struct {
		u64 flags;
		int result;
		u32 packet_bytes;
	} calls[] = {
		{UINT32_MAX, 0, 0},
		{1, 0, 0},
		{0, -EOPNOTSUPP, 0},
		{2, -ENOENT, 0}, /* no such slot */
		{4, -E2BIG, 0},
		{UINT32_MAX | 10ull << 32, 0, 10},
		{UINT32_MAX | 64ull << 32, 0, 64},
		{UINT32_MAX | 65ull << 32, -EFAULT, 0},
		{UINT32_MAX | 1ull << 52, -EINVAL, 0},
	};
	struct map *m = map_of(*state, MAP_TYPE_PERF_EVENT_ARRAY, 4, 4, 4, 0, NULL);

	for (size_t e = 0; e < ARRAY_LEN(engines); e++)
		for (size_t i = 0; i < ARRAY_LEN(calls); i++) {
			struct insn copy[INSNS_MAX];
			struct weir_frame frame = frame_new();
			struct seen s = {0};
			u64 lost = 9;

			memcpy(copy, insns, sizeof(copy));
			copy[1].imm = 24 + (s32)calls[i].packet_bytes;
			copy[6].imm = (s32)calls[i].flags;
			copy[7].imm = (s32)(calls[i].flags >> 32);
			struct loaded *l = load(copy, &m, 1, &engines[e].opts);
			assert_int_equal((int)run(*state, l, &frame), calls[i].result);
			loaded_free(l);
			assert_int_equal(readable(m), calls[i].result == 0);
			assert_int_equal(
				map_consume(m, see_record, &s, &lost), calls[i].result == 0);
			assert_int_equal(lost, 0);
			if (!calls[i].result) {
				assert_int_equal(s.last_len, 24 + calls[i].packet_bytes);
				assert_int_equal(s.slot, 1);
			}
		}
	map_put(m);
}

static void perf_lost(void **state)
{
	struct map *m = map_of(*state, MAP_TYPE_PERF_EVENT_ARRAY, 4, 4, 2, 0, NULL);
	struct seen s = {0};
	u64 big[1000 / sizeof(u64)] = {0}; /* a struct record and its bytes */
	u64 lost = 0, nr = 0, failed = 0;

	assert_int_equal(cpu_take(*state, 0), 0);
	for (; nr < 1000; nr++) {
		record_fill((struct record *)(void *)big, 0, 1000, nr - failed);
		int err = perf_event_output(m, UINT32_MAX, big, 1000, NULL, 0, cpu_base(*state, 0));
		assert_true(err == 0 || err == -ENOSPC);
		failed += err != 0;
	}
	cpu_release(*state, 0);
	assert_true(failed > 0 && failed < 1000);
	assert_int_equal(map_consume(m, see_record, &s, &lost), nr - failed);
	assert_int_equal(lost, failed);
	map_put(m);
}

static int slots_new(void **state)
{
	struct cpus *c;

	if (cpus_new(SLOTS, &c, NULL))
		return -1;
	*state = c;
	return 0;
}

static int slots_free(void **state)
{
	cpus_free(*state);
	return 0;
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, slots_new, slots_free)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(specs),
		TEST(inner_maps),
		TEST(maps_from_outside),
		TEST(places),
		TEST(sockets),
		TEST(programs_with_maps),
		TEST(redirects),
		TEST(redirect_result),
		TEST(ringbuf_programs),
		TEST(ringbuf_consuming),
		TEST(ringbuf_threads),
		TEST(perf_events),
		TEST(perf_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
