/* Slots: taking, entering, grace periods; per-CPU memory: layout, reuse, zeroing, who touches pages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/limits.h"
#include "cpu/cpu.h"

static struct cpus *cpus_of(u32 nr)
{
	struct cpus *c;

	assert_int_equal(cpus_new(nr, &c, NULL), 0);
	assert_int_equal(cpus_nr(c), nr);
	return c;
}

static void slot_limits(void **state)
{
	struct cpus *c = (struct cpus *)1;
	struct diag d = {0};

	(void)state;
	assert_int_equal(cpus_new(0, &c, NULL), -EINVAL);
	assert_int_equal(cpus_new(CPU_SLOTS_MAX + 1, &c, &d), -EINVAL);
	assert_string_equal(diag_first(&d), "257 CPU slots asked for, 1 to 256 are possible");
	assert_ptr_equal(c, (struct cpus *)1);
	diag_fini(&d);
	c = cpus_of(CPU_SLOTS_MAX);
	assert_int_equal(cpu_base(c, 255) - cpu_base(c, 0), 255 * (s64)PERCPU_SLOT_BYTES);
	cpus_free(c);
	cpus_free(NULL);
}

static void sparse_slots(void **state)
{
	const u64 present[CPU_SLOTS_MAX / 64] = {0x91};
	static const u32 numbers[] = {0, 4, 7, 8};
	struct cpus *c;
	u32 i = 0;

	(void)state;
	assert_int_equal(cpus_new_sparse(present, 8, &c, NULL), 0);
	assert_int_equal(cpus_nr(c), 8);
	assert_int_equal(cpus_count(c), 3);
	for (u32 s = cpus_next(c, 0); s < cpus_nr(c); s = cpus_next(c, s + 1))
		assert_int_equal(s, numbers[i++]);
	assert_int_equal(i, 3);
	for (u32 s = 0; s < 9; s++) {
		bool exists = s == 0 || s == 4 || s == 7;

		assert_int_equal(cpu_take(c, s), exists ? 0 : -EINVAL);
		if (exists)
			cpu_release(c, s);
	}
	cpus_free(c);
}

static void *other_takes(void *arg)
{
	struct cpus *c = arg;
	int err = cpu_take(c, 1);

	if (!err)
		cpu_release(c, 1);
	return (void *)(intptr_t)err;
}

static int take_by_other(struct cpus *c)
{
	pthread_t t;
	void *err;

	assert_int_equal(pthread_create(&t, NULL, other_takes, c), 0);
	pthread_join(t, &err);
	return (int)(intptr_t)err;
}

static void taking(void **state)
{
	struct cpus *c = cpus_of(2);

	(void)state;
	assert_int_equal(cpu_take(c, 2), -EINVAL);
	assert_int_equal(cpu_take(c, 1), 0);
	assert_int_equal(cpu_take(c, 1), 0);
	assert_int_equal(take_by_other(c), -EBUSY);
	cpu_release(c, 1);
	assert_int_equal(take_by_other(c), -EBUSY);
	cpu_release(c, 1);
	assert_int_equal(take_by_other(c), 0);
	cpus_free(c);
}

static void entering(void **state)
{
	struct cpus *c = cpus_of(2);
	u8 *base = cpu_base(c, 1);

	(void)state;
	assert_int_equal(cpu_take(c, 1), 0);
	assert_null(cpu_self());
	assert_null(cpu_enter(base));
	assert_ptr_equal(cpu_self(), base);
	assert_int_equal(((struct cpu_head *)base)->number, 1);
	assert_ptr_equal(((struct cpu_head *)base)->cpus, c);
	assert_ptr_equal(cpu_enter(base), base);
	assert_ptr_equal(cpu_enter(NULL), base);
	assert_null(cpu_self());
	cpu_release(c, 1);
	cpus_free(c);
}

static void grace(void **state)
{
	struct cpus *c = cpus_of(2);
	u32 idle[2], running[2];

	(void)state;
	assert_int_equal(cpu_take(c, 1), 0);
	cpu_grace_start(c, idle);
	cpu_enter(cpu_base(c, 1));
	assert_true(cpu_grace_over(c, idle)); /* began to run afterwards */
	cpu_grace_start(c, running);
	assert_false(cpu_grace_over(c, running));
	cpu_enter(cpu_enter(cpu_base(c, 1))); /* a nested run doesn't end the outer one */
	assert_false(cpu_grace_over(c, running));
	cpu_enter(NULL);
	assert_true(cpu_grace_over(c, running));
	cpu_enter(cpu_base(c, 1));
	assert_true(cpu_grace_over(c, running));
	cpu_enter(NULL);
	cpu_release(c, 1);
	cpus_free(c);
}

static void offsets(void **state)
{
	struct cpus *c = cpus_of(3);
	u64 a, b, d, e;

	(void)state;
	assert_int_equal(percpu_alloc(c, 1, 1, &a), 0);
	assert_int_equal(a, CPU_HEAD_BYTES);
	assert_int_equal(percpu_alloc(c, 100, 64, &b), 0);
	assert_int_equal(b, 128);
	assert_int_equal(percpu_alloc(c, 8, 8, &d), 0);
	assert_int_equal(d, 72); /* fits into the gap */
	percpu_free(c, b);
	assert_int_equal(percpu_alloc(c, 40, 16, &e), 0);
	assert_int_equal(e, 80);
	percpu_free(c, 0);
	assert_int_equal(percpu_alloc(c, PERCPU_SLOT_BYTES, 8, &e), -ENOMEM);
	assert_int_equal(percpu_alloc(c, SIZE_MAX, 8, &e), -ENOMEM);
	assert_int_equal(e, 80);
	assert_int_equal(percpu_alloc(c, PERCPU_SLOT_BYTES - 128, 64, &e), 0);
	assert_int_equal(e, 128);
	memset((u8 *)percpu_ptr(c, 2, e) + PERCPU_SLOT_BYTES - 128 - 8, 1, 8);
	cpus_free(c);
}

static bool all_zero(const u8 *p, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		if (p[i])
			return false;
	return true;
}

/* Small and page-sized pieces, with neighbours that must keep what they have. */
static void freed_is_zero(void **state)
{
	static const size_t sizes[] = {8, 24, 4096, 5000, 70000};
	struct cpus *c = cpus_of(2);

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		u64 before, off, after, again;

		assert_int_equal(percpu_alloc(c, 8, 8, &before), 0);
		assert_int_equal(percpu_alloc(c, sizes[i], 8, &off), 0);
		assert_int_equal(percpu_alloc(c, 8, 8, &after), 0);
		for (u32 s = 0; s < 2; s++) {
			assert_true(all_zero(percpu_ptr(c, s, off), sizes[i]));
			memset(percpu_ptr(c, s, before), 0xb0, 8);
			memset(percpu_ptr(c, s, off), 0xff, sizes[i]);
			memset(percpu_ptr(c, s, after), 0xaf, 8);
		}
		percpu_free(c, off);
		assert_int_equal(percpu_alloc(c, sizes[i], 8, &again), 0);
		assert_int_equal(again, off);
		for (u32 s = 0; s < 2; s++) {
			assert_true(all_zero(percpu_ptr(c, s, off), sizes[i]));
			assert_int_equal(*(u8 *)percpu_ptr(c, s, before + 7), 0xb0);
			assert_int_equal(*(u8 *)percpu_ptr(c, s, after), 0xaf);
		}
	}
	cpus_free(c);
}

static bool page_present(u8 *p)
{
	unsigned char present;
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	assert_int_equal(mincore((void *)((uintptr_t)p & ~(page - 1)), page, &present), 0);
	return present & 1;
}

/* Neither making slots nor allocating gives a slot a page; taking it does. */
static void pages_untouched(void **state)
{
	struct cpus *c = cpus_of(2);
	u64 off;

	(void)state;
	assert_int_equal(percpu_alloc(c, 1 << 20, 64, &off), 0);
	for (u32 s = 0; s < 2; s++) {
		assert_false(page_present(cpu_base(c, s)));
		assert_false(page_present(percpu_ptr(c, s, off + (1 << 19))));
	}
	assert_int_equal(cpu_take(c, 0), 0);
	assert_true(page_present(cpu_base(c, 0)));
	assert_false(page_present(cpu_base(c, 1)));
	cpu_release(c, 0);
	cpus_free(c);
}

static void without_memory(void **state)
{
	struct cpus *c = NULL;
	int err = -ENOMEM;
	u64 nth;

	(void)state;
	for (nth = 1; err; nth++) {
		mem_fail_at(nth);
		err = cpus_new(4, &c, NULL);
		mem_fail_at(0);
		assert_true(err == 0 || err == -ENOMEM);
	}
	assert_true(nth > 3);
	cpus_free(c);
}

enum { RACERS = 4, RACE_ALLOCS = 200 };

static void *allocate_much(void *arg)
{
	struct cpus *c = arg;
	u64 offs[RACE_ALLOCS];

	for (size_t i = 0; i < RACE_ALLOCS; i++) {
		if (percpu_alloc(c, 16, 8, &offs[i]))
			return (void *)1;
		*(u64 *)percpu_ptr(c, 0, offs[i]) = offs[i];
	}
	for (size_t i = 0; i < RACE_ALLOCS; i++)
		if (*(u64 *)percpu_ptr(c, 0, offs[i]) != offs[i])
			return (void *)2;
	for (size_t i = 0; i < RACE_ALLOCS; i++)
		percpu_free(c, offs[i]);
	return NULL;
}

static void allocation_race(void **state)
{
	struct cpus *c = cpus_of(1);
	pthread_t t[RACERS];

	(void)state;
	for (size_t i = 0; i < RACERS; i++)
		assert_int_equal(pthread_create(&t[i], NULL, allocate_much, c), 0);
	for (size_t i = 0; i < RACERS; i++) {
		void *failed;

		pthread_join(t[i], &failed);
		assert_null(failed);
	}
	cpus_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slot_limits),
		cmocka_unit_test(sparse_slots),
		cmocka_unit_test(taking),
		cmocka_unit_test(entering),
		cmocka_unit_test(grace),
		cmocka_unit_test(offsets),
		cmocka_unit_test(freed_is_zero),
		cmocka_unit_test(pages_untouched),
		cmocka_unit_test(without_memory),
		cmocka_unit_test(allocation_race),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
