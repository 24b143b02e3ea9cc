/* The public interface, as a user has it: only the installed headers and the shared library. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <pthread.h>
#include <string.h>

#include <weir/weir.h>

#define LEN(a) (sizeof(a) / sizeof((a)[0]))

/* *(u32 *)(r10 - 4) = key; r0 = lookup(map 0, r10 - 4) */
#define LOOKUP(key_) \
	{.code = 0x62, .dst = 10, .off = -4, .imm = (key_)}, {.code = 0xbf, .dst = 2, .src = 10}, \
		{.code = 0x07, .dst = 2, .imm = -4}, {.code = 0x18, .dst = 1, .src = 5}, {0}, \
	{ \
		.code = 0x85, .imm = 1 \
	}
#define EXIT \
	{ \
		.code = 0x95 \
	}
#define RETURN(value) {.code = 0xb7, .imm = (value)}, EXIT

/* Adds 1 to the value of key 1, returns the CPU's number. */
static const struct weir_insn count[] = {
	LOOKUP(1),
	{.code = 0x15, .dst = 0, .off = 3},
	{.code = 0x79, .dst = 1, .src = 0},
	{.code = 0x07, .dst = 1, .imm = 1},
	{.code = 0x7b, .dst = 0, .src = 1},
	{.code = 0x85, .imm = 8},
	EXIT,
};

static struct weir_engine *engine_of(uint32_t slots)
{
	struct weir_engine *engine;

	assert_int_equal(weir_engine_new(slots, &engine, NULL), 0);
	assert_int_equal(weir_engine_slots(engine), slots);
	return engine;
}

static struct weir_map *map_of(
	struct weir_engine *engine, enum weir_map_type type, uint32_t value_size, uint32_t entries)
{
	struct weir_map_spec spec = {.name = "m",
		.type = type,
		.key_size = 4,
		.value_size = value_size,
		.max_entries = entries};
	struct weir_map *map;

	assert_int_equal(weir_map_new(engine, &spec, &map, NULL), 0);
	return map;
}

static void engines(void **state)
{
	struct weir_engine *engine = NULL;
	struct weir_error error;

	(void)state;
	assert_true(strlen(weir_version()) >= 5);
	assert_int_equal(weir_engine_new(0, &engine, &error), -EINVAL);
	assert_null(engine);
	assert_int_equal(error.code, EINVAL);
	assert_true(strlen(error.message) > 0);
	assert_int_equal(weir_engine_new(257, &engine, &error), -EINVAL);
	weir_engine_free(NULL);
	weir_map_free(NULL);
	weir_program_free(NULL);
	weir_slot_release(NULL);
}

static void *take_in_thread(void *arg)
{
	struct weir_slot *slot;

	return (void *)(intptr_t)weir_slot_take(arg, 1, &slot);
}

static void slots(void **state)
{
	struct weir_engine *engine = engine_of(2);
	struct weir_slot *slot, *again;
	pthread_t thread;
	void *result;

	(void)state;
	assert_int_equal(weir_slot_take(engine, 2, &slot), -EINVAL);
	assert_int_equal(weir_slot_take(engine, 1, &slot), 0);
	assert_int_equal(weir_slot_take(engine, 1, &again), 0);
	weir_slot_release(again);
	assert_int_equal(pthread_create(&thread, NULL, take_in_thread, engine), 0);
	pthread_join(thread, &result);
	assert_int_equal((intptr_t)result, -EBUSY);
	weir_engine_free(engine);
	weir_slot_release(slot);
}

static void maps(void **state)
{
	struct weir_engine *engine = engine_of(3);
	struct weir_map *map = map_of(engine, WEIR_MAP_HASH, 8, 2);
	struct weir_map_spec bad = {.name = "bad",
		.type = WEIR_MAP_ARRAY,
		.key_size = 8,
		.value_size = 8,
		.max_entries = 1};
	struct weir_error error;
	uint32_t key = 7, next;
	uint64_t value = 70, sum = 0;

	(void)state;
	assert_int_equal(weir_map_value_bytes(map), 8);
	assert_int_equal(weir_map_lookup(map, &key, &value), -ENOENT);
	assert_int_equal(weir_map_update(map, &key, &value, WEIR_EXIST), -ENOENT);
	assert_int_equal(weir_map_update(map, &key, &value, WEIR_NOEXIST), 0);
	assert_int_equal(weir_map_update(map, &key, &value, WEIR_NOEXIST), -EEXIST);
	value = 0;
	assert_int_equal(weir_map_lookup(map, &key, &value), 0);
	assert_int_equal(value, 70);
	assert_int_equal(weir_map_sum(map, &key, &sum), 0);
	assert_int_equal(sum, 70);
	assert_int_equal(weir_map_lookup_slot(map, &key, 0, &value), -EINVAL);
	assert_int_equal(weir_map_next(map, NULL, &next), 0);
	assert_int_equal(next, 7);
	assert_int_equal(weir_map_next(map, &next, &next), -ENOENT);
	assert_int_equal(weir_map_delete(map, &key), 0);
	assert_int_equal(weir_map_delete(map, &key), -ENOENT);
	assert_int_equal(weir_map_new(engine, &bad, &map, &error), -EINVAL);
	assert_int_equal(error.code, EINVAL);
	assert_true(strlen(error.message) > 0);
	weir_map_free(map);
	weir_engine_free(engine);
}

static void per_cpu_maps(void **state)
{
	struct weir_engine *engine = engine_of(3);
	struct weir_map *map = map_of(engine, WEIR_MAP_PERCPU_ARRAY, 16, 2);
	uint64_t values[6] = {1, 10, 2, 20, 3, 30}, sums[2], one[2];
	uint32_t key = 1;

	(void)state;
	assert_int_equal(weir_map_value_bytes(map), sizeof(values));
	assert_int_equal(weir_map_update(map, &key, values, WEIR_ANY), 0);
	assert_int_equal(weir_map_sum(map, &key, sums), 0);
	assert_true(sums[0] == 6 && sums[1] == 60);
	assert_int_equal(weir_map_lookup_slot(map, &key, 2, one), 0);
	assert_true(one[0] == 3 && one[1] == 30);
	assert_int_equal(weir_map_lookup_slot(map, &key, 3, one), -EINVAL);
	key = 2;
	assert_int_equal(weir_map_sum(map, &key, sums), -ENOENT);
	weir_map_free(map);
	map = map_of(engine, WEIR_MAP_PERCPU_ARRAY, 12, 2);
	assert_int_equal(weir_map_sum(map, &key, sums), -EINVAL);
	weir_map_free(map);
	weir_engine_free(engine);
}

/* Everything freed in the worst order: the program keeps what it needs. */
static void count_per_cpu(enum weir_mode mode, const char *skip)
{
	struct weir_engine *engine = engine_of(3);
	struct weir_map *map = map_of(engine, WEIR_MAP_PERCPU_ARRAY, 8, 2);
	struct weir_program_spec spec = {.name = "count",
		.type = WEIR_PROG_XDP,
		.insns = count,
		.nr_insns = LEN(count),
		.maps = &map,
		.nr_maps = 1,
		.mode = mode,
		.skip_passes = skip};
	struct weir_program *program;
	uint8_t packet[40] = {0x60};
	uint64_t result = 0, sum = 0, one = 0;
	uint32_t key = 1;

	assert_int_equal(weir_program_new(engine, &spec, &program, NULL, NULL), 0);
	assert_true(mode != WEIR_MODE_INTERPRETER || !weir_program_is_native(program));
	weir_engine_free(engine);
	for (uint32_t cpu = 0; cpu < 3; cpu++) {
		struct weir_slot *slot;

		assert_int_equal(weir_slot_take(engine, cpu, &slot), 0);
		for (uint32_t n = 0; n <= cpu; n++) {
			assert_int_equal(
				weir_run(program, slot, packet, sizeof(packet), &result), 0);
			assert_int_equal(result, cpu);
		}
		weir_slot_release(slot);
	}
	assert_int_equal(weir_map_sum(map, &key, &sum), 0);
	assert_int_equal(sum, 1 + 2 + 3);
	assert_int_equal(weir_map_lookup_slot(map, &key, 2, &one), 0);
	assert_int_equal(one, 3);
	weir_map_free(map);
	weir_program_free(program);
}

/* Values outside are those of the slots that exist, one behind the other. */
static void sparse_slots(void **state)
{
	struct weir_engine *engine;
	struct weir_error error;
	struct weir_slot *slot;
	uint64_t values[5] = {10, 20, 30, 40, 50}, value;
	uint32_t key = 0;

	(void)state;
	assert_int_equal(weir_engine_new_sparse("0,4-7,", &engine, &error), -EINVAL);
	assert_string_equal(
		error.message, "'0,4-7,' is not a list of slots below 256 like \"0,4-7\"");
	assert_int_equal(weir_engine_new_sparse("0,4-7", &engine, &error), 0);
	assert_int_equal(weir_engine_slots(engine), 8);
	assert_int_equal(weir_engine_slot_count(engine), 5);
	assert_int_equal(weir_engine_slot_number(engine, 1), 4);
	assert_int_equal(weir_engine_slot_number(engine, 5), -EINVAL);
	assert_int_equal(weir_slot_take(engine, 1, &slot), -EINVAL);
	for (int hash = 0; hash < 2; hash++) {
		struct weir_map *map =
			map_of(engine, hash ? WEIR_MAP_PERCPU_HASH : WEIR_MAP_PERCPU_ARRAY, 8, 2);

		assert_int_equal(weir_map_value_bytes(map), sizeof(values));
		assert_int_equal(weir_map_update(map, &key, values, WEIR_ANY), 0);
		assert_int_equal(weir_map_lookup_slot(map, &key, 5, &value), 0);
		assert_int_equal(value, 30);
		assert_int_equal(weir_map_lookup_slot(map, &key, 3, &value), -EINVAL);
		assert_int_equal(weir_map_sum(map, &key, &value), 0);
		assert_int_equal(value, 150);
		weir_map_free(map);
	}
	weir_engine_free(engine);
}

static void counting(void **state)
{
	static const char *const skips[] = {NULL, "*", "m", "s", "d", "r", "t"};

	(void)state;
	for (size_t i = 0; i < LEN(skips); i++) {
		count_per_cpu(WEIR_MODE_AUTO, skips[i]);
		count_per_cpu(WEIR_MODE_INTERPRETER, skips[i]);
	}
}

static void refusals(void **state)
{
	static const struct weir_insn leak[] = {{.code = 0xbf, .dst = 0, .src = 3}, EXIT};
	static const struct weir_insn five[] = {RETURN(5)};
	struct weir_engine *engine = engine_of(1), *other = engine_of(1);
	struct weir_map *map = map_of(other, WEIR_MAP_ARRAY, 8, 2);
	struct weir_program_spec spec = {.name = "leak",
		.type = WEIR_PROG_RAW,
		.insns = leak,
		.nr_insns = LEN(leak),
		.log_level = 1};
	struct weir_program *program = NULL;
	struct weir_error error = {0};
	char *log = NULL;

	(void)state;
	assert_int_equal(weir_program_new(engine, &spec, &program, &log, &error), -EACCES);
	assert_null(program);
	assert_int_equal(error.code, EACCES);
	assert_int_equal(error.where, WEIR_AT_INSN);
	assert_int_equal(error.insn, 0);
	assert_string_equal(error.name, "leak");
	assert_non_null(strstr(error.message, "R3 !read_ok"));
	assert_non_null(log);
	assert_non_null(strstr(log, "R3 !read_ok"));
	weir_text_free(log);
	spec.insns = five;
	spec.type = WEIR_PROG_PACKET; /* 0 ... 2 only */
	assert_int_equal(weir_program_new(engine, &spec, &program, NULL, &error), -EINVAL);
	spec.type = (enum weir_program_type)99;
	assert_int_equal(weir_program_new(engine, &spec, &program, NULL, &error), -EINVAL);
	assert_string_equal(error.message, "program type 99 is not known");
	spec.type = WEIR_PROG_RAW;
	spec.maps = &map;
	spec.nr_maps = 1;
	assert_int_equal(weir_program_new(engine, &spec, &program, NULL, &error), -EINVAL);
	assert_non_null(strstr(error.message, "another engine"));
	spec.nr_maps = 0;
	spec.nr_insns = 0;
	assert_int_equal(weir_program_new(engine, &spec, &program, NULL, &error), -EINVAL);
	spec.nr_insns = SIZE_MAX;
	assert_int_equal(weir_program_new(engine, &spec, &program, NULL, &error), -E2BIG);
	weir_map_free(map);
	weir_engine_free(engine);
	weir_engine_free(other);
}

static struct weir_program *program_of(struct weir_engine *engine, enum weir_program_type type,
	const struct weir_insn *insns, size_t n)
{
	struct weir_program_spec spec = {.type = type,
		.insns = insns,
		.nr_insns = n,
		.raw_bytes = type == WEIR_PROG_RAW ? 8 : 0};
	struct weir_program *program;
	struct weir_error error;

	if (weir_program_new(engine, &spec, &program, NULL, &error))
		fail_msg("instruction %u: %s", error.insn, error.message);
	return program;
}

static void kinds_of_runs(void **state)
{
	static const struct weir_insn raw[] = {/* the byte behind 7 others, plus the length */
		{.code = 0x71, .dst = 0, .src = 1, .off = 7}, {.code = 0x0f, .dst = 0, .src = 2},
		EXIT};
	static const struct weir_insn xdp[] = {/* 2 when there are 14 bytes, else 1 */
		{.code = 0x61, .dst = 2, .src = 1, .off = 0},
		{.code = 0x61, .dst = 3, .src = 1, .off = 4}, {.code = 0xb7, .dst = 0, .imm = 1},
		{.code = 0x07, .dst = 2, .imm = 14}, {.code = 0x2d, .dst = 2, .src = 3, .off = 1},
		{.code = 0xb7, .dst = 0, .imm = 2}, EXIT};
	static const struct weir_insn mark[] = {/* mark += uid */
		{.code = 0x61, .dst = 2, .src = 1, .off = offsetof(struct weir_packet, mark)},
		{.code = 0x61, .dst = 3, .src = 1, .off = offsetof(struct weir_packet, uid)},
		{.code = 0x0f, .dst = 2, .src = 3},
		{.code = 0x63, .dst = 1, .src = 2, .off = offsetof(struct weir_packet, mark)},
		RETURN(1)};
	struct weir_engine *engine = engine_of(1), *other = engine_of(1);
	struct weir_program *p = program_of(engine, WEIR_PROG_RAW, raw, LEN(raw));
	struct weir_packet packet = {.mark = 40, .uid = 2};
	struct weir_slot *slot, *foreign;
	uint8_t bytes[14] = {[7] = 9};
	uint64_t r;

	(void)state;
	assert_int_equal(weir_slot_take(engine, 0, &slot), 0);
	assert_int_equal(weir_slot_take(other, 0, &foreign), 0);
	assert_int_equal(weir_run(p, slot, bytes, 8, &r), 0);
	assert_int_equal(r, 17);
	assert_int_equal(weir_run(p, slot, bytes, 7, &r), -EINVAL);
	assert_int_equal(weir_run(p, foreign, bytes, 8, &r), -EINVAL);
	assert_int_equal(weir_run_packet(p, slot, &packet, &r), -EINVAL);
	weir_program_free(p);
	p = program_of(engine, WEIR_PROG_XDP, xdp, LEN(xdp));
	assert_int_equal(weir_run(p, slot, bytes, 14, &r), 0);
	assert_int_equal(r, 2);
	assert_int_equal(weir_run(p, slot, bytes, 13, &r), -EINVAL);
	weir_program_free(p);
	p = program_of(engine, WEIR_PROG_PACKET, mark, LEN(mark));
	assert_int_equal(weir_run_packet(p, slot, &packet, &r), 0);
	assert_int_equal(packet.mark, 42);
	assert_int_equal(weir_run(p, slot, bytes, 14, &r), 0);
	assert_int_equal(weir_run_packet(p, foreign, &packet, &r), -EINVAL);
	weir_program_free(p);
	weir_slot_release(slot);
	weir_slot_release(foreign);
	weir_engine_free(engine);
	weir_engine_free(other);
}

/* What a program finds in a frame and leaves there. */
static void frames(void **state)
{
	static const struct weir_insn tc[] = {
		/* mark = the second byte, if it is there; r0 = priority */
		{.code = 0x61, .dst = 0, .src = 1, .off = 32},
		{.code = 0x61, .dst = 2, .src = 1, .off = 76},
		{.code = 0x61, .dst = 3, .src = 1, .off = 80}, {.code = 0xbf, .dst = 4, .src = 2},
		{.code = 0x07, .dst = 4, .imm = 2}, {.code = 0x2d, .dst = 4, .src = 3, .off = 2},
		{.code = 0x71, .dst = 3, .src = 2, .off = 1},
		{.code = 0x63, .dst = 1, .src = 3, .off = 8}, EXIT};
	struct weir_engine *engine = engine_of(1);
	struct weir_program *p = program_of(engine, WEIR_PROG_SCHED_CLS, tc, LEN(tc));
	struct weir_slot *slot;
	uint8_t bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
	uint64_t start = (uintptr_t)bytes, r[3];
	struct weir_frame two[2] = {
		{.room = start,
			.meta = start,
			.data = start,
			.data_end = start + 4,
			.room_end = start + 4,
			.len = 4,
			.priority = 3},
		{.room = start,
			.meta = start + 4,
			.data = start + 4,
			.data_end = start + 5,
			.room_end = start + 8,
			.len = 1,
			.mark = 9},
	};

	(void)state;
	assert_int_equal(weir_slot_take(engine, 0, &slot), 0);
	assert_int_equal(weir_run_frames(p, slot, two, 2, r), 0);
	assert_int_equal(r[0], 3);
	assert_int_equal(two[0].mark, 2);
	assert_int_equal(r[1], 0);
	assert_int_equal(two[1].mark, 9);
	assert_int_equal(weir_run_frames(p, slot, NULL, 0, NULL), 0);
	assert_int_equal(weir_run_frame(p, slot, NULL, r), -EINVAL);
	assert_int_equal(weir_run_frame(p, slot, two, NULL), -EINVAL);
	two[0].len = 5;
	assert_int_equal(weir_run_frame(p, slot, two, r), -EINVAL);
	two[0].len = 4;
	two[0].room++;
	assert_int_equal(weir_run_frame(p, slot, two, r), -EINVAL);
	weir_program_free(p);
	weir_slot_release(slot);
	weir_engine_free(engine);
}

/* bpf_tail_call(ctx, map 0, 1); returns 1 if there is nothing. */
static const struct weir_insn tail_call[] = {{.code = 0x18, .dst = 2, .src = 5}, {0},
	{.code = 0xb7, .dst = 3, .imm = 1}, {.code = 0x85, .imm = 12}, RETURN(1)};

static void prog_arrays(void **state)
{
	static const struct weir_insn two[] = {RETURN(2)};
	struct weir_engine *engine = engine_of(1), *other = engine_of(1);
	struct weir_map *map = map_of(engine, WEIR_MAP_PROG_ARRAY, 4, 3);
	struct weir_map *array = map_of(engine, WEIR_MAP_ARRAY, 4, 3);
	struct weir_program_spec spec = {.type = WEIR_PROG_XDP,
		.insns = tail_call,
		.nr_insns = LEN(tail_call),
		.maps = &map,
		.nr_maps = 1};
	struct weir_program *calls, *p, *foreign = program_of(other, WEIR_PROG_XDP, two, LEN(two));
	struct weir_program *raw = program_of(engine, WEIR_PROG_RAW, two, LEN(two));
	struct weir_slot *slot;
	uint8_t bytes[14] = {0};
	uint32_t key = 1, id = 0;
	uint64_t r = 0;

	(void)state;
	assert_int_equal(weir_slot_take(engine, 0, &slot), 0);
	assert_int_equal(weir_program_new(engine, &spec, &calls, NULL, NULL), 0);
	p = program_of(engine, WEIR_PROG_XDP, two, LEN(two));
	assert_int_equal(weir_run(calls, slot, bytes, 14, &r), 0);
	assert_int_equal(r, 1);
	assert_int_equal(weir_map_set_program(map, 1, NULL), -ENOENT);
	assert_int_equal(weir_map_set_program(map, 3, p), -E2BIG);
	assert_int_equal(weir_map_set_program(map, 1, foreign), -EINVAL);
	assert_int_equal(weir_map_set_program(map, 1, raw), -EINVAL);
	assert_int_equal(weir_map_set_program(array, 1, p), -EINVAL);
	assert_int_equal(weir_map_set_program(NULL, 1, p), -EINVAL);
	assert_int_equal(weir_map_set_program(map, 1, p), 0);
	assert_int_equal(weir_map_set_program(map, 2, calls), 0);
	assert_int_equal(weir_map_lookup(map, &key, &id), 0);
	assert_int_equal(id, weir_program_id(p));
	assert_true(id && weir_map_id(map) && id != weir_map_id(map));
	weir_program_free(p); /* the map has it */
	assert_int_equal(weir_run(calls, slot, bytes, 14, &r), 0);
	assert_int_equal(r, 2);
	weir_map_free(map); /* empties it */
	assert_int_equal(weir_run(calls, slot, bytes, 14, &r), 0);
	assert_int_equal(r, 1);
	weir_slot_release(slot);
	weir_program_free(calls);
	weir_program_free(foreign);
	weir_program_free(raw);
	weir_map_free(array);
	weir_engine_free(engine);
	weir_engine_free(other);
}

/* Accepts what comes in by IPv6, through two pointers of the context. */
static void netfilter(void **state)
{
	static const struct weir_insn insns[] = {{.code = 0x79, .dst = 2, .src = 1, .off = 0},
		{.code = 0x71, .dst = 3, .src = 2, .off = 0}, /* hook */
		{.code = 0x71, .dst = 4, .src = 2, .off = 1}, /* pf */
		{.code = 0xb7, .dst = 0, .imm = 0}, {.code = 0x55, .dst = 3, .imm = 1, .off = 2},
		{.code = 0x55, .dst = 4, .imm = 10, .off = 1}, {.code = 0xb7, .dst = 0, .imm = 1},
		EXIT};
	struct weir_engine *engine = engine_of(1);
	struct weir_program_spec spec = {.type = WEIR_PROG_NETFILTER,
		.insns = insns,
		.nr_insns = LEN(insns),
		.attach_type = 45};
	struct weir_program *p;
	struct weir_slot *slot;
	struct weir_frame frame = {.nf_hook = 1, .nf_pf = 10};
	uint8_t bytes[34] = {[12] = 8, [14] = 0x45};
	uint64_t r;

	(void)state;
	assert_int_equal(weir_slot_take(engine, 0, &slot), 0);
	assert_int_equal(weir_program_new(engine, &spec, &p, NULL, NULL), 0);
	assert_int_equal(weir_run_frame(p, slot, &frame, &r), 0);
	assert_int_equal(r, 1);
	frame.nf_pf = 2;
	assert_int_equal(weir_run_frame(p, slot, &frame, &r), 0);
	assert_int_equal(r, 0);
	assert_int_equal(weir_run(p, slot, bytes, sizeof(bytes), &r), 0);
	assert_int_equal(r, 0);
	bytes[12] = 9;
	assert_int_equal(weir_run(p, slot, bytes, sizeof(bytes), &r), -EINVAL);
	weir_program_free(p);
	spec.attach_type = 0;
	assert_int_equal(weir_program_new(engine, &spec, &p, NULL, NULL), -EINVAL);
	weir_slot_release(slot);
	weir_engine_free(engine);
}

struct foreign_run {
	struct weir_program *program;
	struct weir_slot *slot;
	struct weir_packet packet;
	int run, run_packet;
};

static void *run_in_thread(void *arg)
{
	struct foreign_run *f = arg;
	uint8_t byte = 0;
	uint64_t r;

	f->run = weir_run(f->program, f->slot, &byte, 1, &r);
	f->run_packet = weir_run_packet(f->program, f->slot, &f->packet, &r);
	return NULL;
}

static void slot_of_another_thread(void **state)
{
	static const struct weir_insn one[] = {RETURN(1)};
	struct weir_engine *engine = engine_of(1);
	struct foreign_run f = {.program = program_of(engine, WEIR_PROG_PACKET, one, LEN(one))};
	pthread_t thread;

	(void)state;
	assert_int_equal(weir_slot_take(engine, 0, &f.slot), 0);
	assert_int_equal(pthread_create(&thread, NULL, run_in_thread, &f), 0);
	pthread_join(thread, NULL);
	assert_int_equal(f.run, -EINVAL);
	assert_int_equal(f.run_packet, -EINVAL);
	run_in_thread(&f);
	assert_int_equal(f.run, 0);
	assert_int_equal(f.run_packet, 0);
	weir_slot_release(f.slot);
	weir_program_free(f.program);
	weir_engine_free(engine);
}

static void null_objects(void **state)
{
	struct weir_engine *engine = engine_of(1);
	struct weir_map_spec map_spec = {.name = "m",
		.type = WEIR_MAP_ARRAY,
		.key_size = 4,
		.value_size = 8,
		.max_entries = 1};
	struct weir_map *map = map_of(engine, WEIR_MAP_ARRAY, 8, 1);
	struct weir_slot *slot;
	struct weir_error error;
	uint32_t key = 0;
	uint64_t value;

	(void)state;
	assert_int_equal(weir_engine_new(1, NULL, &error), -EINVAL);
	assert_string_equal(error.message, "engine is NULL");
	assert_int_equal(weir_engine_slots(NULL), 0);
	assert_int_equal(weir_slot_take(NULL, 0, &slot), -EINVAL);
	assert_int_equal(weir_slot_take(engine, 0, NULL), -EINVAL);
	assert_int_equal(weir_map_new(NULL, &map_spec, &map, &error), -EINVAL);
	assert_string_equal(error.message, "engine is NULL");
	assert_int_equal(weir_map_new(engine, NULL, &map, &error), -EINVAL);
	assert_int_equal(weir_map_new(engine, &map_spec, NULL, &error), -EINVAL);
	assert_int_equal(weir_map_value_bytes(NULL), 0);
	assert_int_equal(weir_map_lookup(NULL, &key, &value), -EINVAL);
	assert_int_equal(weir_map_lookup(map, NULL, &value), -EINVAL);
	assert_int_equal(weir_map_lookup(map, &key, NULL), -EINVAL);
	assert_int_equal(weir_map_lookup_slot(NULL, &key, 0, &value), -EINVAL);
	assert_int_equal(weir_map_sum(map, &key, NULL), -EINVAL);
	assert_int_equal(weir_map_update(map, NULL, &value, 0), -EINVAL);
	assert_int_equal(weir_map_update(map, &key, NULL, 0), -EINVAL);
	assert_int_equal(weir_map_delete(map, NULL), -EINVAL);
	assert_int_equal(weir_map_next(map, NULL, NULL), -EINVAL);
	assert_false(weir_program_is_native(NULL));
	assert_false(weir_pass(0, NULL));
	weir_map_free(map);
	weir_engine_free(engine);
}

static void expect_refused(
	struct weir_engine *engine, const struct weir_program_spec *spec, const char *message)
{
	struct weir_program *program = NULL;
	struct weir_error error = {0};
	char *text = NULL;

	assert_int_equal(weir_program_new(engine, spec, &program, &text, &error), -EINVAL);
	assert_null(program);
	assert_null(text);
	assert_string_equal(error.message, message);
}

static void null_programs(void **state)
{
	static const struct weir_insn one[] = {RETURN(1)};
	struct weir_engine *engine = engine_of(1);
	struct weir_map *maps[] = {NULL};
	const struct weir_program_spec good = {
		.type = WEIR_PROG_RAW, .insns = one, .nr_insns = LEN(one), .raw_bytes = 1};
	struct weir_program_spec spec = good;
	struct weir_program *p = program_of(engine, WEIR_PROG_RAW, one, LEN(one));
	struct weir_slot *slot;
	struct weir_error error;
	uint8_t bytes[8] = {0};
	uint64_t r;
	char *text;

	(void)state;
	expect_refused(NULL, &good, "engine is NULL");
	expect_refused(engine, NULL, "spec is NULL");
	assert_int_equal(weir_program_new(engine, &good, NULL, NULL, &error), -EINVAL);
	spec.nr_maps = 1;
	expect_refused(engine, &spec, "map 0 is NULL");
	spec.maps = maps;
	expect_refused(engine, &spec, "map 0 is NULL");
	spec = good;
	spec.insns = NULL;
	expect_refused(engine, &spec, "the instructions are NULL");
	spec = good;
	spec.mode = (enum weir_mode)3;
	expect_refused(engine, &spec, "mode 3 is not known");
	assert_int_equal(weir_program_dump(engine, &good, NULL, NULL, &text, &error), -EINVAL);
	assert_null(text);
	assert_string_equal(error.message, "stages is NULL");
	assert_int_equal(weir_program_dump(engine, &good, "P", NULL, NULL, &error), -EINVAL);
	assert_int_equal(weir_slot_take(engine, 0, &slot), 0);
	assert_int_equal(weir_run(NULL, slot, bytes, 8, &r), -EINVAL);
	assert_int_equal(weir_run(p, NULL, bytes, 8, &r), -EINVAL);
	assert_int_equal(weir_run(p, slot, NULL, 8, &r), -EINVAL);
	assert_int_equal(weir_run(p, slot, bytes, 8, NULL), -EINVAL);
	assert_int_equal(weir_run_packet(p, slot, NULL, &r), -EINVAL);
	weir_slot_release(slot);
	weir_program_free(p);
	weir_engine_free(engine);
}

static void fib_refused(void **state)
{
	static const struct weir_insn call[] = {{.code = 0x85, .imm = 69}, RETURN(1)};
	static const struct weir_insn other[] = {RETURN(1)};
	struct weir_engine *engine = engine_of(1);
	struct weir_program_spec spec = {
		.type = WEIR_PROG_XDP, .insns = call, .nr_insns = LEN(call), .refuse_fib = true};
	struct weir_program *program = NULL;
	struct weir_error error = {0};

	(void)state;
	assert_int_equal(weir_program_new(engine, &spec, &program, NULL, &error), -ENOTSUP);
	assert_null(program);
	assert_string_equal(error.message,
		"helper bpf_fib_lookup#69 needs weir_env.fib_lookup, and nobody answers it here");
	spec.insns = other;
	spec.nr_insns = LEN(other);
	assert_int_equal(weir_program_new(engine, &spec, &program, NULL, &error), 0);
	weir_program_free(program);
	weir_engine_free(engine);
}

static void dumps(void **state)
{
	struct weir_engine *engine = engine_of(1);
	struct weir_map *map = map_of(engine, WEIR_MAP_PERCPU_ARRAY, 8, 2);
	struct weir_program_spec spec = {.type = WEIR_PROG_XDP,
		.insns = count,
		.nr_insns = LEN(count),
		.maps = &map,
		.nr_maps = 1};
	static const char *const parts[] = {"; program\n", "; verifier\n", "; before map_lookup\n",
		"; after map_lookup\n", "; rewritten\n", "; native code, arm64, "};
	struct weir_error error;
	struct weir_pass pass;
	char *text = NULL;
	size_t passes = 0;

	(void)state;
	if (weir_program_dump(engine, &spec, "PVRJm", "arm64", &text, &error))
		fail_msg("%s", error.message);
	const char *at = text;
	for (size_t i = 0; i < LEN(parts); i++) {
		at = strstr(at, parts[i]);
		assert_non_null(at);
	}
	assert_null(strstr(text, "dead_code"));
	weir_text_free(text);
	assert_int_equal(weir_program_dump(engine, &spec, "J", "x86_64", &text, &error), 0);
	assert_non_null(strstr(text, "; native code, x86_64, "));
	weir_text_free(text);
	assert_int_equal(weir_program_dump(engine, &spec, "*", NULL, &text, &error), 0);
	for (; weir_pass(passes, &pass); passes++)
		assert_int_equal(strstr(text, pass.name) != NULL, !pass.on_request);
	assert_true(passes >= 5);
	weir_text_free(text);
	weir_engine_harden(engine, WEIR_HARDEN_CONSTANTS | WEIR_HARDEN_LANDING_PADS);
	assert_int_equal(weir_program_dump(engine, &spec, "hJ", "x86_64", &text, &error), 0);
	assert_non_null(strstr(text, "; after blind"));
	assert_non_null(strstr(text, "entry: f3 0f 1e fa"));
	weir_text_free(text);
	assert_int_equal(weir_program_dump(engine, &spec, "J", "vax", &text, &error), -EINVAL);
	assert_string_equal(error.message, "'vax' is not a target");
	weir_text_free(text);
	weir_map_free(map);
	weir_engine_free(engine);
}

static void unknown_passes(void **state)
{
	static const char *const wrong[] = {"Q?", "c", "m?", "h"};
	struct weir_engine *engine = engine_of(1);
	struct weir_program *program = NULL;

	(void)state;
	for (size_t i = 0; i < LEN(wrong); i++) {
		struct weir_map *map = map_of(engine, WEIR_MAP_PERCPU_ARRAY, 8, 2);
		struct weir_program_spec spec = {.name = "count",
			.type = WEIR_PROG_XDP,
			.insns = count,
			.nr_insns = LEN(count),
			.maps = &map,
			.nr_maps = 1,
			.skip_passes = wrong[i]};
		struct weir_error error;

		assert_int_equal(weir_program_new(engine, &spec, &program, NULL, &error), -EINVAL);
		assert_non_null(strstr(error.message, "to leave out, must be among"));
		assert_null(program);
		weir_map_free(map);
	}
	weir_engine_free(engine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unknown_passes),
		cmocka_unit_test(engines),
		cmocka_unit_test(slots),
		cmocka_unit_test(maps),
		cmocka_unit_test(per_cpu_maps),
		cmocka_unit_test(sparse_slots),
		cmocka_unit_test(counting),
		cmocka_unit_test(refusals),
		cmocka_unit_test(kinds_of_runs),
		cmocka_unit_test(frames),
		cmocka_unit_test(netfilter),
		cmocka_unit_test(prog_arrays),
		cmocka_unit_test(slot_of_another_thread),
		cmocka_unit_test(null_objects),
		cmocka_unit_test(null_programs),
		cmocka_unit_test(fib_refused),
		cmocka_unit_test(dumps),
	};

	return cmocka_run_group_tests_name("public interface", tests, NULL, NULL);
}
