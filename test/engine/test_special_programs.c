/* What programs find in maps of maps, and where they send packets, against this machine's kernel (root). */
#include "special_maps.h"

#include <errno.h>
#include <unistd.h>

#include "isa/prog.h"
#include "kernel_prog.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(programs_with_maps),
		TEST(redirects),
		TEST(redirect_result),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
