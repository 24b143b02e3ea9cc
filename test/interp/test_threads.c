/* Atomics of the interpreter under real concurrency. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <string.h>

#include "base/diag.h"
#include "../interp_once.h"
#include "isa/isa.h"

enum { THREADS = 4, ROUNDS = 20000 };

struct job {
	struct prog *prog;
	u64 *memory;
};

static void *work(void *arg)
{
	const struct job *job = arg;

	interp_once(job->prog, (u64)(uintptr_t)job->memory, ROUNDS, NULL);
	return NULL;
}

/* r1: memory, r2: rounds. All threads do the same. */
static void run_on_all(const char *text, u64 *memory)
{
	struct job job = {prog_new("t", PROG_TYPE_RAW), memory};
	pthread_t threads[THREADS];
	struct diag d = {0};

	if (prog_assemble(job.prog, "t", text, strlen(text), &d) || prog_check(job.prog, &d))
		fail_msg("%s", diag_first(&d));
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, work, &job), 0);
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_join(threads[i], NULL), 0);
	prog_free(job.prog);
}

static void adds_are_not_lost(void **state)
{
	u64 memory[4] = {0};

	(void)state;
	run_on_all("r3 = 3\n"
		   "again: lock *(u64 *)(r1 +0) += r3\n"
		   "lock *(u32 *)(r1 +8) += r3\n"
		   "r4 = 1\n"
		   "r4 = atomic64_fetch_add((u64 *)(r1 +16), r4)\n"
		   "r4 = 1\n"
		   "r4 = atomic_fetch_add((u32 *)(r1 +24), r4)\n"
		   "r2 -= 1\n"
		   "if r2 != 0 goto again\n"
		   "r0 = 0\n"
		   "exit\n",
		memory);
	assert_int_equal(memory[0], 3 * THREADS * ROUNDS);
	assert_int_equal(memory[1], 3 * THREADS * ROUNDS);
	assert_int_equal(memory[2], THREADS * ROUNDS);
	assert_int_equal(memory[3], THREADS * ROUNDS);
}

/* A lock made of cmpxchg and xchg guards plain loads and stores. */
static void a_lock_holds(void **state)
{
	u64 memory[2] = {0};

	(void)state;
	run_on_all("again: r0 = 0\n"
		   "r3 = 1\n"
		   "r0 = atomic64_cmpxchg((u64 *)(r1 +0), r0, r3)\n"
		   "if r0 != 0 goto again\n"
		   "r4 = *(u64 *)(r1 +8)\n"
		   "r4 += 1\n"
		   "*(u64 *)(r1 +8) = r4\n"
		   "r3 = 0\n"
		   "r3 = atomic64_xchg((u64 *)(r1 +0), r3)\n"
		   "if r3 != 1 goto out\n"
		   "r2 -= 1\n"
		   "if r2 != 0 goto again\n"
		   "out: r0 = 0\n"
		   "exit\n",
		memory);
	assert_int_equal(memory[0], 0);
	assert_int_equal(memory[1], THREADS * ROUNDS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(adds_are_not_lost),
		cmocka_unit_test(a_lock_holds),
	};

	return cmocka_run_group_tests_name("threads", tests, NULL, NULL);
}
