/* Random programs: what this machine's kernel makes of them, the interpreter and machine code must make, too. The memory is a packet,
 * r0 is stored behind it. WEIR_SEED looks at one program, WEIR_RUNS says how many there are, from WEIR_FROM on. */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../kernel_prog.h"
#include "../kernel_raw.h"
#include "base/buf.h"
#include "base/bytes.h"
#include "isa/prog.h"
#include "minimise.h"
#include "random_code.h"

enum { RUNS = 400, R0_OFF = RANDOM_MEM_BYTES, PACKET_BYTES = R0_OFF + 8 };

static void fill(u8 *packet, u64 seed)
{
	seed |= 1;
	for (size_t i = 0; i < PACKET_BYTES; i++)
		packet[i] = (u8)rnd(&seed);
}

/* False when the kernel refuses it; log: why. */
static bool run_in_kernel(const struct prog *p, u8 *packet, char *log)
{
	return kernel_raw_run(p, packet, PACKET_BYTES, 0, log) == 0;
}

struct question {
	u64 seed;
	bool native;                                 /* machine code, else the interpreter */
	u8 kernel[PACKET_BYTES], ours[PACKET_BYTES]; /* the answers */
};

static void run_here(const struct both *t, struct question *q)
{
	u64 mem = (u64)(uintptr_t)q->ours;

	fill(q->ours, q->seed);
	store_le64(q->ours + R0_OFF, (q->native ? run_jit : run_interp)(t, mem, 0, NULL));
}

/* The kernel takes it, and finds something else. */
static bool differs(const struct prog *p, void *arg)
{
	static char log[KERNEL_RAW_LOG_BYTES];
	struct question *q = arg;
	struct both t = both_of_insns(p->insns, p->len);

	fill(q->kernel, q->seed);
	bool accepted = run_in_kernel(p, q->kernel, log);
	fault_may_crash();
	if (accepted)
		run_here(&t, q);
	both_free(&t);
	return accepted && memcmp(q->kernel, q->ours, PACKET_BYTES) != 0;
}

/* As a text case. */
static void report(const struct both *t, struct question *q)
{
	struct prog *p = prog_clone(t->prog);
	struct buf text = {0};

	minimise(p, differs, q);
	differs(p, q);
	prog_print(&text, p);
	fprintf(stderr, "-- case seed %llu\n-- asm\n%s-- mem\n", (unsigned long long)q->seed,
		buf_cstr(&text));
	u64 theirs = load_le64(q->kernel + R0_OFF), ours = load_le64(q->ours + R0_OFF);
	fill(q->kernel, q->seed);
	for (size_t i = 0; i < RANDOM_MEM_BYTES; i++)
		fprintf(stderr, "%02x%s", q->kernel[i], i % 32 == 31 ? "\n" : " ");
	fprintf(stderr, "-- result\n0x%llx\n", (unsigned long long)theirs);
	buf_fini(&text);
	prog_free(p);
	fail_msg("WEIR_SEED=%llu: the %s differs from the kernel, r0 0x%llx",
		(unsigned long long)q->seed, q->native ? "machine code" : "interpreter",
		(unsigned long long)ours);
}

/* Whether the kernel accepts the program. */
static bool check(u64 seed, char *log)
{
	struct builder *b = builder_new();
	struct question q = {.seed = seed};

	random_code(b, RANDOM_VERIFIABLE, seed, 1 + (unsigned)(seed % 40));
	struct both t = both_of(b);
	fill(q.kernel, seed);
	bool accepted = run_in_kernel(t.prog, q.kernel, log);
	for (int native = 0; accepted && native <= (t.code != NULL); native++) {
		q.native = native;
		run_here(&t, &q);
		if (memcmp(q.kernel, q.ours, PACKET_BYTES))
			report(&t, &q);
	}
	both_free(&t);
	return accepted;
}

static void as_in_the_kernel(void **state)
{
	const char *runs = getenv("WEIR_RUNS"), *one = getenv("WEIR_SEED"),
		   *from = getenv("WEIR_FROM");
	u64 first = one ? strtoull(one, NULL, 0) : from ? strtoull(from, NULL, 0) : 1;
	u64 nr = one ? 1 : runs ? strtoull(runs, NULL, 0) : RUNS, accepted = 0;
	char *log = malloc(KERNEL_RAW_LOG_BYTES);

	(void)state;
	for (u64 seed = first; seed < first + nr; seed++)
		accepted += check(seed, log);
	if (one && !accepted)
		print_message("the kernel refuses it: %s\n", log);
	print_message("%llu of %llu run in the kernel\n", (unsigned long long)accepted,
		(unsigned long long)nr);
	/* Else it is no test. */
	assert_true(one || accepted >= nr / 2);
	free(log);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_in_the_kernel),
	};

	if (!kernel_progs_work()) {
		print_message("no right to load programs into the kernel: skipped\n");
		return 77;
	}
	return cmocka_run_group_tests_name("jit-kernel", tests, NULL, NULL);
}
