/* Random programs: interpreter and machine code must agree on result, memory and per-CPU range.
 * WEIR_SEED repeats one program, WEIR_RUNS sets how many there are, from WEIR_FROM on. What differs is
 * made small and printed as a text case. Small programs come first. */
#include "harness.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "minimise.h"
#include "random_code.h"
#include "verify/facts.h"

static struct both gen_program(u64 seed, unsigned n)
{
	struct builder *b = builder_new();

	random_code(b, RANDOM_INTERNAL, seed, n);
	return both_of(b);
}

static struct random_work w; /* for all engines: its address may be in results */

struct question {
	u64 seed;
	u64 without; /* peepholes */
	bool native;
};

/* Runs on memory that the seed makes. */
static u64 run_on(const struct both *t, const struct question *q, struct random_work *after)
{
	random_fill(&w, q->seed);
	u64 r0 = (q->native ? run_jit : run_interp)(
		t, (u64)(uintptr_t)w.mem, RANDOM_MEM_BYTES, w.region);
	*after = w;
	return r0;
}

/* Interpreter and code differ. */
static bool differs(const struct prog *p, void *arg)
{
	struct question *q = arg;
	struct both t = both_of_insns(p->insns, p->len);
	struct jit_opts opts = random_opts(q->seed, q->without);
	struct random_work want, got;

	both_recompile(&t, NULL, &opts);
	q->native = false;
	u64 r0 = run_on(&t, q, &want);
	q->native = true;
	fault_may_crash();
	bool differs = r0 != run_on(&t, q, &got) || memcmp(&want, &got, sizeof(want)) != 0;
	both_free(&t);
	return differs;
}

/* As a text case, where the instructions that only passes make can be replaced. */
static void report(const struct both *t, struct question *q)
{
	struct prog *p = prog_clone(t->prog);
	struct buf text = {0};
	struct random_work after;

	print_error("WEIR_SEED=%llu, without peepholes 0x%llx\n", (unsigned long long)q->seed,
		(unsigned long long)q->without);
	minimise(p, differs, q);
	struct both small = both_of_insns(p->insns, p->len);
	q->native = false;
	u64 r0 = run_on(&small, q, &after);
	random_fill(&w, q->seed);
	prog_print(&text, p);
	/* print_error cuts long texts. */
	fprintf(stderr, "-- case seed %llu\n-- asm\n%s-- mem\n", (unsigned long long)q->seed,
		buf_cstr(&text));
	for (size_t i = 0; i < RANDOM_MEM_BYTES; i++)
		print_error("%02x%s", w.mem[i], i % 32 == 31 ? "\n" : " ");
	print_error("-- result\n0x%llx\n", (unsigned long long)r0);
	both_print(&small);
	both_free(&small);
	prog_free(p);
	buf_fini(&text);
	fail();
}

static struct question now; /* being answered, for on_crash */

/* A crash says which program it was; run again with its seed, it is made small. */
static void on_crash(int sig)
{
	static char text[] = "crash of WEIR_SEED=00000000000000000000\n";
	size_t at = sizeof(text) - 2;

	for (u64 seed = now.seed; seed; seed /= 10)
		text[--at] = (char)('0' + seed % 10);
	if (write(2, text, sizeof(text) - 1) < 0)
		_exit(3);
	signal(sig, SIG_DFL);
	raise(sig);
}

static void check_opts(
	struct both *t, u64 seed, u64 want, const struct random_work *expected, u64 without)
{
	struct jit_opts opts = random_opts(seed, without);
	struct random_work after;

	both_recompile(t, NULL, &opts);
	now = (struct question){seed, without, true};
	u64 got = run_on(t, &now, &after);
	if (want != got || memcmp(expected, &after, sizeof(after)))
		report(t, &now);
}

/* Whether other targets' code is right is for them to see; that they compile it can be seen everywhere. */
static void compile_elsewhere(const struct both *t, u64 without)
{
	const struct jit_target *target;

	for (size_t i = 0; (target = jit_target_at(i)); i++) {
		struct jit_opts opts = {
			.target = target, .without = without, .lse = JIT_LSE_ALWAYS};
		struct jit_image image = {0};

		if (target == jit_target_host())
			continue;
		if (jit_compile(t->prog, NULL, &opts, &image, NULL))
			fail_msg("%s doesn't compile it", jit_target_name(target));
		jit_image_fini(&image);
	}
}

static void check(u64 seed, unsigned n)
{
	now = (struct question){seed, 0, false};
	struct both t = gen_program(seed, n); /* compiles it, too */
	struct random_work expected;

	u64 want = run_on(&t, &now, &expected);
	for (unsigned i = 0; i < RANDOM_VARIANTS; i++) {
		check_opts(&t, seed, want, &expected, random_without(seed, i));
		compile_elsewhere(&t, random_without(seed, i));
	}
	both_free(&t);
}

/* One program, which may crash. */
static void check_alone(u64 seed, unsigned n)
{
	struct both t = gen_program(seed, n);

	for (unsigned i = 0; i < RANDOM_VARIANTS; i++) {
		struct question q = {seed, random_without(seed, i), true};

		if (fault_of(differs, t.prog, &q) != FAULT_NONE)
			report(&t, &q);
	}
	both_free(&t);
}

static void name_crashes(void)
{
	static const int crashes[] = {SIGSEGV, SIGILL, SIGBUS, SIGFPE, SIGTRAP};
	static u8 stack[65536]; /* the program may have lost its own */
	stack_t alternate = {.ss_sp = stack, .ss_size = sizeof(stack)};
	struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK};

	sigaltstack(&alternate, NULL);
	for (size_t i = 0; i < ARRAY_LEN(crashes); i++)
		sigaction(crashes[i], &action, NULL);
}

static void random_programs(void **state)
{
	const char *runs = getenv("WEIR_RUNS"), *seed = getenv("WEIR_SEED");
	const char *from = getenv("WEIR_FROM");
	u64 first = from ? strtoull(from, NULL, 0) : 1;
	u64 nr_runs = runs ? strtoull(runs, NULL, 0) : 2400;

	(void)state;
	if (!seed)
		name_crashes();
	if (seed) {
		u64 s = strtoull(seed, NULL, 0);

		check_alone(s, random_size(s));
		return;
	}
	for (u64 run = first; run < first + nr_runs; run++)
		check(run, random_size(run));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_programs),
	};

	if (!jit_target_host()) {
		print_message("no JIT for this host\n");
		return 77;
	}
	return cmocka_run_group_tests_name("jit-random", tests, NULL, NULL);
}
