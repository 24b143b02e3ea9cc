/* Tail calls: the same scenarios in this machine's kernel (root) and on all engines: result and counters. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "cpu/cpu.h"
#include "engine/engine.h"
#include "helper/helper.h"
#include "isa/prog.h"
#include "kernel_prog.h"
#include "map/callable.h"
#include "map/map.h"
#include "progtype/progtype.h"
#include "weir/frame.h"

enum { PROGS_MAX = 4, INSNS_MAX = 64, ENTRIES = 8, LOG_WORDS = 8, MAPS = 3 };
enum { CALLS, OTHER_CALLS, LOG }; /* maps: two prog arrays, one array of counters */

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
#define ADD_REG(d, s) \
	{ \
		.code = 0x0f, .dst = (d), .src = (s) \
	}
#define LOAD_MAP(d, m) \
	{.code = 0x18, .dst = (d), .src = LD_IMM64_MAP_IDX, .imm = (m)}, \
	{ \
		0 \
	}
#define LOAD_64(d, low, high) \
	{.code = 0x18, .dst = (d), .imm = (low)}, \
	{ \
		.imm = (high) \
	}
#define HELPER_CALL(id) \
	{ \
		.code = 0x85, .imm = (id) \
	}
#define SUB_CALL(distance) \
	{ \
		.code = 0x85, .src = CALL_LOCAL, .imm = (distance) \
	}
#define EXIT \
	{ \
		.code = 0x95 \
	}
#define RETURN(value) MOV(0, value), EXIT
/* The context is in r6. */
#define BEGIN MOV_REG(6, 1)
#define TAIL_CALL_MAP(m, index) MOV_REG(1, 6), LOAD_MAP(2, m), MOV(3, index), HELPER_CALL(12)
#define TAIL_CALL(index) TAIL_CALL_MAP(CALLS, index)
/* Counter n goes up. */
#define COUNT(n) \
	{.code = 0x18, .dst = 1, .src = LD_IMM64_MAP_IDX_VALUE, .imm = LOG}, {.imm = 8 * (n)}, \
		MOV(2, 1), \
	{ \
		.code = 0xdb, .dst = 1, .src = 2, .imm = BPF_ADD \
	}

struct scenario {
	const char *name;
	struct insn progs[PROGS_MAX]
			 [INSNS_MAX]; /* the first one is run; all are in CALLS by their number */
	u8 other[ENTRIES];            /* 1 + program in OTHER_CALLS */
};

static const struct scenario scenarios[] = {
	{.name = "a chain",
		.progs = {{BEGIN, COUNT(0), TAIL_CALL(1), RETURN(1)},
			{BEGIN, COUNT(1), TAIL_CALL(2), RETURN(1)}, {COUNT(2), RETURN(7)}}},
	{.name = "no program, no entry",
		.progs = {{BEGIN, TAIL_CALL(5), COUNT(0), TAIL_CALL(8), COUNT(1), TAIL_CALL(-1),
			COUNT(2), TAIL_CALL(INT32_MIN), RETURN(5)}}},
	{.name = "itself", .progs = {{BEGIN, COUNT(0), TAIL_CALL(0), COUNT(1), RETURN(9)}}},
	{.name = "two that call each other",
		.progs = {{BEGIN, COUNT(0), TAIL_CALL(1), RETURN(8)},
			{BEGIN, COUNT(1), TAIL_CALL(0), RETURN(9)}}},
	{.name = "an index of 32 bits",
		.progs = {{BEGIN, MOV_REG(1, 6), LOAD_MAP(2, CALLS), LOAD_64(3, 1, 1),
				  HELPER_CALL(12), RETURN(3)},
			{COUNT(1), RETURN(4)}}},
	/* What a program keeps over the call of its subprogram is kept by whoever comes in that one's place. */
	{.name = "from a subprogram",
		.progs =
			{{BEGIN, MOV(7, 100), MOV(8, 20), MOV(9, 3), SUB_CALL(4), ADD_REG(0, 7),
				 ADD_REG(0, 8), ADD_REG(0, 9), EXIT, BEGIN, TAIL_CALL(1),
				 RETURN(1)},
				{BEGIN, MOV(7, 1), MOV(8, 2), MOV(9, 4), HELPER_CALL(5), COUNT(3),
					MOV(0, 1000), ADD_REG(0, 7), ADD_REG(0, 8), ADD_REG(0, 9),
					EXIT}}},
	{.name = "from a subprogram, not made",
		.progs = {{BEGIN, MOV(7, 100), SUB_CALL(2), ADD_REG(0, 7), EXIT, BEGIN, MOV(8, 4),
			TAIL_CALL(4), MOV_REG(0, 8), EXIT}}},
	{.name = "itself, from a subprogram: all frames stay",
		.progs = {{BEGIN, COUNT(0), MOV_REG(1, 6), SUB_CALL(5), COUNT(1), EXIT, BEGIN,
			MOV(7, 0), TAIL_CALL(0), COUNT(2), RETURN(6)}}},
	/* COUNT changes r1 and r2 only. */
	{.name = "adds up through all frames",
		.progs = {{BEGIN, SUB_CALL(2), ADD(0, 1), EXIT, BEGIN, TAIL_CALL(0), RETURN(0)}}},
	{.name = "two subprograms, one limit",
		.progs = {{BEGIN, MOV_REG(1, 6), SUB_CALL(5), MOV_REG(7, 0), MOV_REG(1, 6),
				  SUB_CALL(2), ADD_REG(0, 7), EXIT, BEGIN, COUNT(0), TAIL_CALL(1),
				  RETURN(1)},
			{BEGIN, COUNT(1), TAIL_CALL(1), COUNT(2), RETURN(3)}}},
	/* 40 that find nothing, each time. */
	{.name = "what isn't made doesn't count",
		.progs = {{BEGIN, COUNT(0), MOV(7, 40), TAIL_CALL(5), ADD(7, -1),
			{.code = 0x55, .dst = 7, .off = -7, .imm = 0}, TAIL_CALL(0), RETURN(2)}}},
	/* The map depends on the way: counter 0 is even or odd. */
	{.name = "one of two maps",
		.progs = {{BEGIN, COUNT(0), {.code = 0x79, .dst = 3, .src = 1},
				  {.code = 0x57, .dst = 3, .imm = 1}, LOAD_MAP(2, CALLS),
				  {.code = 0x55, .dst = 3, .off = 2, .imm = 0},
				  LOAD_MAP(2, OTHER_CALLS), MOV_REG(1, 6), MOV(3, 1),
				  HELPER_CALL(12), RETURN(11)},
			{BEGIN, COUNT(1), TAIL_CALL(0), RETURN(12)}, {COUNT(2), RETURN(13)}},
		.other = {0, 3}},
	{.name = "a deep stack",
		.progs = {{BEGIN, {.code = 0x7a, .dst = 10, .off = -504, .imm = 5}, COUNT(0),
				  TAIL_CALL(1), RETURN(2)},
			{BEGIN, {.code = 0x7a, .dst = 10, .off = -8, .imm = 6}, COUNT(1),
				TAIL_CALL(0), {.code = 0x79, .dst = 0, .src = 10, .off = -8},
				EXIT}}},
};

struct outcome {
	u32 result;
	u64 log[LOG_WORDS];
};

static u32 length(const struct insn *insns)
{
	u32 n = INSNS_MAX;

	while (n && !insns[n - 1].code)
		n--;
	return n;
}

static struct map *map_of(struct cpus *cpus, enum map_type type)
{
	struct map_spec spec = {
		.type = type, .key_size = 4, .value_size = 4, .max_entries = ENTRIES};
	struct map *m;

	if (type == MAP_TYPE_ARRAY) {
		spec.value_size = 8 * LOG_WORDS;
		spec.max_entries = 1;
	}
	assert_int_equal(map_new(&spec, cpus, &m, NULL), 0);
	return m;
}

struct world {
	struct cpus *cpus;
	struct map *maps[MAPS];
	struct loaded *loaded[PROGS_MAX];
};

static void world_new(struct world *w)
{
	*w = (struct world){0};
	assert_int_equal(cpus_new(3, &w->cpus, NULL), 0);
	w->maps[CALLS] = map_of(w->cpus, MAP_TYPE_PROG_ARRAY);
	w->maps[OTHER_CALLS] = map_of(w->cpus, MAP_TYPE_PROG_ARRAY);
	w->maps[LOG] = map_of(w->cpus, MAP_TYPE_ARRAY);
}

/* Maps first: programs in prog arrays that hold each other must go all the same. */
static void world_free(struct world *w)
{
	for (u32 i = 0; i < MAPS; i++)
		map_put_outside(w->maps[i]);
	for (u32 i = 0; i < PROGS_MAX; i++)
		loaded_free(w->loaded[i]);
	cpus_free(w->cpus);
}

static int load(const struct world *w, const struct insn *insns, enum prog_type type,
	const struct engine_opts *opts, struct loaded **out)
{
	struct prog *p = prog_new("test", type);
	struct diag d = {0};
	u32 index;

	assert_int_equal(prog_set_insns(p, insns, length(insns)), 0);
	for (u32 i = 0; i < MAPS; i++)
		assert_int_equal(prog_add_map(p, w->maps[i], &index), 0);
	int err = engine_load(p, opts, out, &d);
	if (err)
		print_message("%s\n", diag_first(&d));
	diag_fini(&d);
	prog_free(p);
	return err;
}

static u32 run_once(const struct world *w, const struct loaded *l, u32 slot)
{
	u8 packet[64] = {0};
	u64 start = (uintptr_t)packet;
	struct weir_frame ctx = {.room = start,
		.meta = start,
		.data = start,
		.data_end = start + sizeof(packet),
		.room_end = start + sizeof(packet),
		.len = sizeof(packet)};

	return (u32)loaded_run(l, (uintptr_t)&ctx, 0, cpu_base(w->cpus, slot));
}

static void run_here(const struct scenario *s, const struct engine_opts *opts, struct outcome *out)
{
	struct world w;
	u32 key = 0;

	world_new(&w);
	for (u32 n = 0; n < PROGS_MAX && length(s->progs[n]); n++) {
		assert_int_equal(load(&w, s->progs[n], PROG_TYPE_XDP, opts, &w.loaded[n]), 0);
		assert_int_equal(
			map_set_program(w.maps[CALLS], n, loaded_callable(w.loaded[n])), 0);
	}
	for (u32 n = 0; n < ENTRIES; n++)
		if (s->other[n])
			assert_int_equal(map_set_program(w.maps[OTHER_CALLS], n,
						 loaded_callable(w.loaded[s->other[n] - 1])),
				0);
	assert_int_equal(cpu_take(w.cpus, 1), 0);
	out->result = run_once(&w, w.loaded[0], 1);
	cpu_release(w.cpus, 1);
	assert_int_equal(map_read(w.maps[LOG], &key, out->log), 0);
	world_free(&w);
}

static int load_in_kernel(const struct insn *insns, const int *maps)
{
	struct insn copy[INSNS_MAX];
	u32 n = length(insns);
	static char log[1 << 20];

	memcpy(copy, insns, sizeof(copy));
	for (u32 pc = 0; pc < n; pc += insn_is_ld_imm64(copy[pc]) ? 2 : 1) {
		struct insn *i = &copy[pc];

		if (!insn_is_ld_imm64(*i) || !i->src)
			continue;
		i->src = i->src == LD_IMM64_MAP_IDX ? LD_IMM64_MAP_FD : LD_IMM64_MAP_VALUE;
		i->imm = maps[i->imm];
	}
	int fd = kernel_prog_load_subprogs(KERNEL_XDP, 0, copy, n, log, sizeof(log));
	if (fd < 0)
		print_message("errno %d: %s\n", -fd, log);
	return fd;
}

static void run_in_kernel(const struct scenario *s, struct outcome *out)
{
	int maps[MAPS] = {kernel_plain_map(MAP_TYPE_PROG_ARRAY, 4, 4, ENTRIES, 0),
		kernel_plain_map(MAP_TYPE_PROG_ARRAY, 4, 4, ENTRIES, 0),
		kernel_plain_map(MAP_TYPE_ARRAY, 4, 8 * LOG_WORDS, 1, 0)};
	int fds[PROGS_MAX] = {0};
	u8 packet[64] = {0};
	u32 key = 0, n;

	for (n = 0; n < PROGS_MAX && length(s->progs[n]); n++) {
		fds[n] = load_in_kernel(s->progs[n], maps);
		assert_true(fds[n] > 0);
		assert_int_equal(kernel_elem_update(maps[CALLS], &n, &fds[n], 0), 0);
	}
	for (u32 e = 0; e < ENTRIES; e++)
		if (s->other[e])
			assert_int_equal(
				kernel_elem_update(maps[OTHER_CALLS], &e, &fds[s->other[e] - 1], 0),
				0);
	assert_int_equal(kernel_prog_run(fds[0], packet, sizeof(packet), &out->result), 0);
	assert_int_equal(kernel_elem_lookup(maps[LOG], &key, out->log), 0);
	while (n--)
		close(fds[n]);
	for (u32 i = 0; i < MAPS; i++)
		close(maps[i]);
}

static void assert_same(
	const char *name, const char *engine, const struct outcome *a, const struct outcome *b)
{
	if (a->result == b->result && !memcmp(a->log, b->log, sizeof(a->log)))
		return;
	for (u32 n = 0; n < LOG_WORDS; n++)
		print_message("counter %u: %llu, %llu\n", n, (unsigned long long)a->log[n],
			(unsigned long long)b->log[n]);
	fail_msg("%s, %s: returns %u, not %u", name, engine, b->result, a->result);
}

static const struct {
	const char *name;
	struct engine_opts opts;
} engines[] = {
	{"interpreter", {.kind = ENGINE_INTERP}},
	{"interpreter, no optional passes", {.kind = ENGINE_INTERP, .rewrite = {.skip = "*"}}},
	{"native", {.kind = ENGINE_JIT}},
	{"native, no optional passes", {.kind = ENGINE_JIT, .rewrite = {.skip = "*"}}},
	{"native, landing pads", {.kind = ENGINE_JIT, .jit = {.landing_pads = true}}},
};

static void all_engines(void **state)
{
	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(scenarios); i++) {
		struct outcome first = {0}, other = {0};

		run_here(&scenarios[i], &engines[0].opts, &first);
		for (u32 e = 1; e < ARRAY_LEN(engines); e++) {
			run_here(&scenarios[i], &engines[e].opts, &other);
			assert_same(scenarios[i].name, engines[e].name, &first, &other);
		}
	}
}

static void kernel(void **state)
{
	(void)state;
	if (!kernel_progs_work())
		skip();
	for (u32 i = 0; i < ARRAY_LEN(scenarios); i++) {
		struct outcome theirs = {0}, ours = {0};

		run_in_kernel(&scenarios[i], &theirs);
		run_here(&scenarios[i], &engines[0].opts, &ours);
		assert_same(scenarios[i].name, "interpreter", &theirs, &ours);
	}
}

/* The limit by number, so that it holds without a kernel to ask. */
static void limit(void **state)
{
	struct outcome o = {0};

	(void)state;
	run_here(&scenarios[2], &engines[2].opts, &o);
	assert_int_equal(o.log[0], 1 + 33);
	assert_int_equal(o.log[1], 1);
	assert_int_equal(o.result, 9);
}

struct many_runs {
	struct world *w;
	const struct loaded *loaded;
	u32 slot, runs;
	u32 lowest, highest; /* results */
};

static void *run_many(void *arg)
{
	struct many_runs *m = arg;

	m->lowest = UINT32_MAX;
	assert_int_equal(cpu_take(m->w->cpus, m->slot), 0);
	for (u32 n = 0; n < m->runs; n++) {
		u32 r = run_once(m->w, m->loaded, m->slot);

		m->lowest = r < m->lowest ? r : m->lowest;
		m->highest = r > m->highest ? r : m->highest;
	}
	cpu_release(m->w->cpus, m->slot);
	return NULL;
}

/* On a stack that has no room for more than a few frames of each run: what one run left there would soon be too much. */
static void small_stack(
	u32 scenario, const struct engine_opts *opts, size_t stack_bytes, u32 runs, u32 expected)
{
	const struct scenario *s = &scenarios[scenario];
	struct world w;
	pthread_attr_t attr;
	pthread_t thread;

	world_new(&w);
	assert_int_equal(load(&w, s->progs[0], PROG_TYPE_XDP, opts, &w.loaded[0]), 0);
	assert_int_equal(map_set_program(w.maps[CALLS], 0, loaded_callable(w.loaded[0])), 0);
	struct many_runs many = {.w = &w, .loaded = w.loaded[0], .slot = 2, .runs = runs};
	pthread_attr_init(&attr);
	assert_int_equal(pthread_attr_setstacksize(&attr, stack_bytes), 0);
	assert_int_equal(pthread_create(&thread, &attr, run_many, &many), 0);
	pthread_join(thread, NULL);
	pthread_attr_destroy(&attr);
	assert_int_equal(many.lowest, expected);
	assert_int_equal(many.highest, expected);
	world_free(&w);
}

static u32 runs_wanted(void)
{
#if defined(__x86_64__)
	return 1000000;
#else
	return 20000; /* emulated, perhaps */
#endif
}

static void stack(void **state)
{
	(void)state;
	small_stack(2, &engines[2].opts, 256 << 10, runs_wanted(), 9);
	small_stack(8, &engines[2].opts, 256 << 10, runs_wanted() / 10, 34);
	small_stack(8, &engines[0].opts, 512 << 10, runs_wanted() / 100, 34);
}

static const struct insn returns_one[INSNS_MAX] = {RETURN(1)};
static const struct insn returns_two[INSNS_MAX] = {RETURN(2)};
static const struct insn calls_entry[INSNS_MAX] = {BEGIN, TAIL_CALL(0), RETURN(0)};

/* What fits into a prog array: type, attach type and engine of the first that has to do with it. */
static void owners(void **state)
{
	static const struct insn raw[INSNS_MAX] = {RETURN(1)};
	struct world w;
	struct loaded *l = NULL;

	(void)state;
	world_new(&w);
	assert_int_equal(load(&w, calls_entry, PROG_TYPE_XDP, &engines[0].opts, &w.loaded[0]), 0);
	assert_int_equal(load(&w, returns_one, PROG_TYPE_XDP, &engines[2].opts, &l), -EINVAL);
	/* Every map of the program counts, used or not, as the kernel's do: so this one gets none. */
	struct prog *p = prog_new("native", PROG_TYPE_XDP);
	assert_int_equal(prog_set_insns(p, returns_one, length(returns_one)), 0);
	assert_int_equal(engine_load(p, &engines[2].opts, &w.loaded[1], NULL), 0);
	prog_free(p);
	assert_int_equal(map_set_program(w.maps[CALLS], 0, loaded_callable(w.loaded[1])), -EINVAL);
	p = prog_new("raw", PROG_TYPE_RAW);
	assert_int_equal(prog_set_insns(p, raw, length(raw)), 0);
	assert_int_equal(engine_load(p, &engines[0].opts, &w.loaded[2], NULL), 0);
	assert_int_equal(map_set_program(w.maps[CALLS], 0, loaded_callable(w.loaded[2])), -EINVAL);
	p->type = PROG_TYPE_XDP;
	p->attach_type = 5;
	assert_int_equal(engine_load(p, &engines[0].opts, &w.loaded[3], NULL), 0);
	assert_int_equal(map_set_program(w.maps[CALLS], 0, loaded_callable(w.loaded[3])), -EINVAL);
	prog_free(p);
	assert_int_equal(map_set_program(w.maps[CALLS], 0, loaded_callable(w.loaded[0])), 0);
	world_free(&w);
}

static void entries(void **state)
{
	struct world w;
	u32 key = 1, id = 0, ids[2];

	(void)state;
	world_new(&w);
	assert_int_equal(load(&w, returns_one, PROG_TYPE_XDP, &engines[0].opts, &w.loaded[0]), 0);
	assert_int_equal(load(&w, returns_two, PROG_TYPE_XDP, &engines[0].opts, &w.loaded[1]), 0);
	struct map *m = w.maps[CALLS];
	assert_int_equal(map_read(m, &key, &id), -ENOENT);
	assert_int_equal(map_remove(m, &key), -ENOENT);
	assert_int_equal(map_set_program(m, ENTRIES, loaded_callable(w.loaded[0])), -E2BIG);
	assert_int_equal(map_set_program(w.maps[LOG], 0, loaded_callable(w.loaded[0])), -EINVAL);
	for (u32 n = 0; n < 2; n++) {
		assert_int_equal(map_set_program(m, 1, loaded_callable(w.loaded[n])), 0);
		assert_int_equal(map_read(m, &key, &ids[n]), 0);
		assert_int_equal(ids[n], callable_id(loaded_callable(w.loaded[n]), w.cpus));
	}
	assert_true(ids[0] && ids[0] != ids[1] && ids[1] != m->id);
	assert_int_equal(map_write(m, &key, &id, 0), -EOPNOTSUPP);
	assert_int_equal(map_remove(m, &key), 0);
	assert_int_equal(map_read(m, &key, &id), -ENOENT);
	key = ENTRIES;
	assert_int_equal(map_read(m, &key, &id), -ENOENT);
	assert_int_equal(map_remove(m, &key), -E2BIG);
	assert_int_equal(map_next_key(m, NULL, &key), 0);
	assert_int_equal(key, 0);
	world_free(&w);
}

/* Entries are replaced by programs that nobody else holds, while others run through them: each runs to its end. */
static void replaced(const struct engine_opts *opts)
{
	struct world w;
	pthread_t threads[2];
	struct many_runs many[2];

	world_new(&w);
	assert_int_equal(load(&w, calls_entry, PROG_TYPE_XDP, opts, &w.loaded[0]), 0);
	for (u32 n = 0; n < 2; n++) {
		many[n] = (struct many_runs){
			.w = &w, .loaded = w.loaded[0], .slot = n, .runs = runs_wanted() / 20};
		assert_int_equal(pthread_create(&threads[n], NULL, run_many, &many[n]), 0);
	}
	for (u32 n = 0; n < 500; n++) {
		struct loaded *l;

		assert_int_equal(
			load(&w, n % 2 ? returns_one : returns_two, PROG_TYPE_XDP, opts, &l), 0);
		assert_int_equal(map_set_program(w.maps[CALLS], 0, loaded_callable(l)), 0);
		loaded_free(l);
		if (n % 7 == 0)
			assert_int_equal(map_set_program(w.maps[CALLS], 0, NULL), 0);
	}
	for (u32 n = 0; n < 2; n++) {
		pthread_join(threads[n], NULL);
		assert_true(many[n].highest <= 2);
	}
	world_free(&w);
}

static void replacing(void **state)
{
	(void)state;
	replaced(&engines[0].opts);
	replaced(&engines[2].opts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_engines),
		cmocka_unit_test(kernel),
		cmocka_unit_test(limit),
		cmocka_unit_test(stack),
		cmocka_unit_test(owners),
		cmocka_unit_test(entries),
		cmocka_unit_test(replacing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
