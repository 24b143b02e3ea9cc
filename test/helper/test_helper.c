/* The table of helpers, and what helpers do on a slot. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "cpu/cpu.h"
#include "helper/helper.h"
#include "map/map.h"
#include "weir/frame.h"

static u64 call(u32 id, u64 r1, u64 r2, u64 r3, u64 r4, u64 r5)
{
	const struct helper *h = helper_by_id(id);

	assert_non_null(h);
	return h->fn(r1, r2, r3, r4, r5);
}

static u64 ptr(const void *p)
{
	return (uintptr_t)p;
}

/* Every row is found both ways, bears the kernel's name, and leaves no hole in its arguments. */
static void table(void **state)
{
	size_t n = 0;

	(void)state;
	for (const struct helper *h; (h = helper_at(n)); n++) {
		bool ended = false;

		assert_ptr_equal(helper_by_id(h->id), h);
		assert_ptr_equal(helper_by_name(h->name), h);
		assert_string_equal(helper_known_name(h->id), h->name);
		assert_non_null(h->fn);
		for (size_t i = 0; i < ARRAY_LEN(h->args); i++) {
			assert_false(ended && h->args[i] != ARG_NONE);
			ended = h->args[i] == ARG_NONE;
		}
	}
	assert_true(n >= 8);
	for (u32 id = HELPER_INTERNAL; helper_by_id(id); id++, n++) {
		assert_int_equal(helper_by_id(id)->id, id);
		assert_null(helper_by_name(helper_by_id(id)->name));
		assert_null(helper_known_name(id));
	}
	assert_null(helper_by_id(0));
	assert_null(helper_by_name("sk_redirect_map"));
	assert_string_equal(helper_known_name(52), "sk_redirect_map");
	assert_string_equal(helper_known_name(211), "cgrp_storage_delete");
	assert_null(helper_known_name(0));
	assert_null(helper_known_name(212));
	assert_null(helper_known_name(UINT32_MAX));
}

static struct cpus *enter_slot(u32 slot)
{
	struct cpus *c;

	assert_int_equal(cpus_new(4, &c, NULL), 0);
	assert_int_equal(cpu_take(c, slot), 0);
	cpu_enter(cpu_base(c, slot));
	return c;
}

static void leave_slot(struct cpus *c, u32 slot)
{
	cpu_enter(NULL);
	cpu_release(c, slot);
	cpus_free(c);
}

static void maps(void **state)
{
	const struct map_spec spec = {.name = "m",
		.type = MAP_TYPE_PERCPU_ARRAY,
		.key_size = 4,
		.value_size = 8,
		.max_entries = 2};
	struct cpus *c = enter_slot(3);
	struct map *m;
	u32 key = 1, beyond = 2;
	u64 value = 7, all[4];

	(void)state;
	assert_int_equal(map_new(&spec, c, &m, NULL), 0);
	assert_int_equal(
		call(HELPER_map_update_elem, ptr(m), ptr(&key), ptr(&value), BPF_ANY, 0), 0);
	assert_int_equal(
		(s64)call(HELPER_map_update_elem, ptr(m), ptr(&key), ptr(&value), BPF_NOEXIST, 0),
		-EEXIST);
	assert_int_equal(*(u64 *)call(HELPER_map_lookup_elem, ptr(m), ptr(&key), 0, 0, 0), 7);
	assert_int_equal(call(HELPER_map_lookup_elem, ptr(m), ptr(&beyond), 0, 0, 0), 0);
	assert_int_equal((s64)call(HELPER_map_delete_elem, ptr(m), ptr(&key), 0, 0, 0), -EINVAL);
	assert_int_equal(map_read(m, &key, all), 0);
	assert_int_equal(all[3], 7);
	assert_int_equal(all[0] | all[1] | all[2], 0);
	map_put(m);
	leave_slot(c, 3);
}

/* Another slot's value; queues give zeros when they are empty. */
static void other_maps(void **state)
{
	const struct map_spec percpu = {.name = "m",
		.type = MAP_TYPE_PERCPU_HASH,
		.key_size = 4,
		.value_size = 8,
		.max_entries = 2};
	const struct map_spec stack = {
		.name = "s", .type = MAP_TYPE_STACK, .value_size = 8, .max_entries = 1};
	struct cpus *c = enter_slot(3);
	struct map *m, *s;
	u32 key = 1, absent = 2;
	u64 values[4] = {10, 11, 12, 13}, value = 5;

	(void)state;
	assert_int_equal(map_new(&percpu, c, &m, NULL), 0);
	assert_int_equal(map_write(m, &key, values, 0), 0);
	for (u32 slot = 0; slot < 4; slot++)
		assert_int_equal(
			*(u64 *)call(HELPER_map_lookup_percpu_elem, ptr(m), ptr(&key), slot, 0, 0),
			values[slot]);
	assert_int_equal(call(HELPER_map_lookup_percpu_elem, ptr(m), ptr(&absent), 0, 0, 0), 0);
	assert_int_equal(call(HELPER_map_lookup_percpu_elem, ptr(m), ptr(&key), 4, 0, 0), 0);
	map_put(m);
	assert_int_equal(map_new(&stack, c, &s, NULL), 0);
	assert_int_equal(call(HELPER_map_push_elem, ptr(s), ptr(&value), BPF_ANY, 0, 0), 0);
	assert_int_equal(
		(s64)call(HELPER_map_push_elem, ptr(s), ptr(&value), BPF_ANY, 0, 0), -E2BIG);
	value = 6;
	assert_int_equal(call(HELPER_map_peek_elem, ptr(s), ptr(&value), 0, 0, 0), 0);
	assert_int_equal(value, 5);
	assert_int_equal(call(HELPER_map_pop_elem, ptr(s), ptr(&value), 0, 0, 0), 0);
	assert_int_equal((s64)call(HELPER_map_pop_elem, ptr(s), ptr(&value), 0, 0, 0), -ENOENT);
	assert_int_equal(value, 0);
	map_put(s);
	assert_int_equal(call(HELPER_get_numa_node_id, 0, 0, 0, 0, 0), 0);
	leave_slot(c, 3);
}

static void cpu_and_time(void **state)
{
	struct cpus *c = enter_slot(2);
	u64 before = call(HELPER_ktime_get_ns, 0, 0, 0, 0, 0), bits_or = 0, bits_and = UINT64_MAX;

	(void)state;
	assert_int_equal(call(HELPER_get_smp_processor_id, 0, 0, 0, 0, 0), 2);
	assert_true(call(HELPER_ktime_get_ns, 0, 0, 0, 0, 0) >= before);
	assert_true(call(HELPER_ktime_get_boot_ns, 0, 0, 0, 0, 0) >= before);
	for (size_t i = 0; i < 200; i++) {
		u64 random = call(HELPER_get_prandom_u32, 0, 0, 0, 0, 0);

		bits_or |= random;
		bits_and &= random;
	}
	assert_int_equal(bits_or, UINT32_MAX);
	assert_int_equal(bits_and, 0);
	leave_slot(c, 2);
}

/* Expected values were computed by a 6.18 kernel (BPF_PROG_TEST_RUN). */
static void csum_diff(void **state)
{
	static const u8 a[] = {1, 2, 3, 4, 0xff, 0xff, 0xff, 0xff},
			b[] = {0x80, 0, 0, 1, 9, 9, 9, 9};
	static const struct {
		u32 from, to;
		u64 seed, want;
	} cases[] = {
		{8, 8, 0, 3470},
		{8, 0, 0, 63995},
		{0, 8, 0, 5010},
		{0, 0, 0x12345678, 26796},
		{8, 8, UINT32_MAX, 3470},
		{4, 8, 0xffffffffull << 8, 3215},
		{2, 8, 0, 4497},
		{4, 6, 0, 1157},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		assert_int_equal(call(HELPER_csum_diff, ptr(a), cases[i].from, ptr(b), cases[i].to,
					 cases[i].seed),
			cases[i].want);
	}
}

struct lines {
	char text[256];
	u32 nr;
};

static void keep_line(void *arg, const char *text, size_t len)
{
	struct lines *l = arg;
	size_t at = strlen(l->text);

	assert_true(at + len + 2 < sizeof(l->text));
	memcpy(l->text + at, text, len);
	strcpy(l->text + at + len, "|");
	l->nr++;
}

static u64 print(const char *format, u64 a, u64 b)
{
	return call(HELPER_trace_printk, ptr(format), strlen(format) + 1, a, b, 0);
}

/* What goes to the log: a line for each call, whatever it ends with; nothing where the format is refused. */
static void messages(void **state)
{
	static struct lines lines;
	const struct weir_env env = {.arg = &lines, .trace = keep_line};
	static const u64 args[4] = {1, 2, 3, 4};
	struct cpus *cpus;

	(void)state;
	assert_int_equal(cpus_new(1, &cpus, NULL), 0);
	assert_int_equal(cpu_take(cpus, 0), 0);
	u8 *before = cpu_enter(cpu_base(cpus, 0));

	assert_int_equal(print("nobody listens", 0, 0), 14);
	((struct cpu_head *)cpu_self())->env = &env;
	assert_int_equal(print("%d and %lld", (u64)-1, (u64)-1), 9);
	assert_int_equal(print("a line\n", 0, 0), 7);
	assert_int_equal(print("two\n\n", 0, 0), 5);
	assert_int_equal(print("", 0, 0), 0);
	assert_int_equal(print("%y", 0, 0), (u64)-EINVAL);
	assert_int_equal(call(HELPER_trace_vprintk, ptr("%u%u%u%u"), 9, ptr(args), 32, 0), 4);
	assert_int_equal(call(HELPER_trace_vprintk, ptr("%u"), 3, ptr(args), 31, 0), (u64)-EINVAL);
	assert_int_equal(call(HELPER_trace_vprintk, ptr("%u"), 3, 0, 8, 0), (u64)-EINVAL);
	assert_string_equal(lines.text, "-1 and -1|a line|two\n||1234|");
	assert_int_equal(lines.nr, 5);

	cpu_enter(before);
	cpu_release(cpus, 0);
	cpus_free(cpus);
}

static long answer_fib(
	void *arg, const struct weir_frame *frame, void *params, uint32_t bytes, uint32_t flags)
{
	*(const struct weir_frame **)arg = frame;
	((u8 *)params)[1] = (u8)bytes;
	return (long)flags;
}

/* The environment is asked only what makes sense. */
static void fib_lookup(void **state)
{
	struct cpus *c = enter_slot(0);
	const struct weir_frame *seen = NULL;
	const struct weir_env env = {.arg = &seen, .fib_lookup = answer_fib};
	struct weir_frame frame = {0};
	u8 params[64] = {2};

	(void)state;
	assert_int_equal((s64)call(HELPER_fib_lookup, ptr(&frame), ptr(params), 64, 1, 0), -524);
	((struct cpu_head *)cpu_base(c, 0))->env = &env;
	assert_int_equal(call(HELPER_fib_lookup, ptr(&frame), ptr(params), 64, 5, 0), 5);
	assert_ptr_equal(seen, &frame);
	assert_int_equal(params[1], 64);
	assert_int_equal((s64)call(HELPER_fib_lookup, ptr(&frame), ptr(params), 63, 1, 0), -EINVAL);
	assert_int_equal(
		(s64)call(HELPER_fib_lookup, ptr(&frame), ptr(params), 64, 64, 0), -EINVAL);
	params[0] = 3;
	assert_int_equal(
		(s64)call(HELPER_fib_lookup, ptr(&frame), ptr(params), 64, 1, 0), -EAFNOSUPPORT);
	leave_slot(c, 0);
}

static u64 clock_of(void *arg, enum weir_clock clock)
{
	(void)arg;
	return 1000 + (u64)clock;
}

static void clocks_of_the_environment(void **state)
{
	struct cpus *c = enter_slot(0);
	const struct weir_env env = {.now = clock_of};

	(void)state;
	assert_true(call(HELPER_jiffies64, 0, 0, 0, 0, 0) <
		    call(HELPER_ktime_get_coarse_ns, 0, 0, 0, 0, 0));
	((struct cpu_head *)cpu_base(c, 0))->env = &env;
	assert_int_equal(call(HELPER_ktime_get_ns, 0, 0, 0, 0, 0), 1000 + WEIR_CLOCK_MONOTONIC);
	assert_int_equal(call(HELPER_ktime_get_boot_ns, 0, 0, 0, 0, 0), 1000 + WEIR_CLOCK_BOOT);
	assert_int_equal(call(HELPER_ktime_get_coarse_ns, 0, 0, 0, 0, 0),
		1000 + WEIR_CLOCK_MONOTONIC_COARSE);
	assert_int_equal(call(HELPER_ktime_get_tai_ns, 0, 0, 0, 0, 0), 1000 + WEIR_CLOCK_TAI);
	assert_int_equal(call(HELPER_jiffies64, 0, 0, 0, 0, 0), 1000 + WEIR_CLOCK_JIFFIES);
	leave_slot(c, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(table),
		cmocka_unit_test(maps),
		cmocka_unit_test(other_maps),
		cmocka_unit_test(cpu_and_time),
		cmocka_unit_test(csum_diff),
		cmocka_unit_test(fib_lookup),
		cmocka_unit_test(clocks_of_the_environment),
		cmocka_unit_test(messages),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
