/* Code memory, refusals, lack of memory: what does not depend on what the code does. */
#include "harness.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__aarch64__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

#include "base/alloc.h"
#include "base/diag.h"

static struct both small(void)
{
	struct builder *b = builder_new();

	bld_alu_imm(b, BPF_MOV, BPF_REG_1, 3);
	bld_call(b, TEST_HELPER_MIX);
	bld_alu_imm(b, BPF_MOV, BPF_REG_0, 7);
	bld_exit(b);
	return both_of(b);
}

/* What /proc/self/maps says about the mapping that holds `at`: "r-xs", or "" when there is none; and no mapping is writable and
 * executable. */
static void permissions(uintptr_t at, char out[5], uintptr_t *start, uintptr_t *end)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[512];
	unsigned long from, to;
	char perms[5];

	assert_non_null(maps);
	out[0] = '\0';
	while (fgets(line, sizeof(line), maps)) {
		assert_int_equal(sscanf(line, "%lx-%lx %4s", &from, &to, perms), 3);
		assert_false(perms[1] == 'w' && perms[2] == 'x');
		if (at < from || at >= to)
			continue;
		memcpy(out, perms, 5);
		*start = from;
		*end = to;
	}
	fclose(maps);
}

static void never_writable_and_executable(void **state)
{
	struct both t = small();
	uintptr_t from, to, other;
	char perms[5];

	(void)state;
	permissions((uintptr_t)jit_code_start(t.code), perms, &from, &to);
	assert_memory_equal(perms, "r-x", 3);
	permissions(from - 1, perms, &other, &other);
	assert_string_equal(perms, "---p");
	permissions(to, perms, &other, &other);
	assert_string_equal(perms, "---p");
	both_free(&t);
}

/* Thousands of programs, some of them large, freed in another order: each does what it should, all the time. */
static void many_at_once(void **state)
{
	enum { NR = 3000 };
	static struct both all[NR];

	(void)state;
	for (u32 round = 0; round < 2; round++) {
		for (u32 n = 0; n < NR; n++) {
			struct builder *b = builder_new();

			for (u32 pad = 0; n % 500 == 7 && pad < 20000; pad++)
				bld_alu_imm(b, BPF_XOR, BPF_REG_1, 0x123456);
			bld_alu_imm(b, BPF_MOV, BPF_REG_0, (s32)n);
			bld_exit(b);
			all[n] = both_of(b);
		}
		for (u32 n = 0; n < NR; n += 3)
			both_free(&all[n]);
		for (u32 n = 0; n < NR; n++)
			if (n % 3)
				assert_int_equal(run_jit(&all[n], 0, 0, NULL), n);
		for (u32 n = 0; n < NR; n++)
			if (n % 3)
				both_free(&all[n]);
	}
}

/* A child has its parent's programs; what either of them loads from then on is its own. */
static void forks_share_nothing_new(void **state)
{
	struct both before = small();
	int status;

	(void)state;
	pid_t child = fork();
	assert_true(child >= 0);
	struct builder *b = builder_new();
	bld_alu_imm(b, BPF_MOV, BPF_REG_0, child ? 1 : 2);
	bld_exit(b);
	struct both after = both_of(b);
	for (u32 n = 0; !child && n < 1000; n++) {
		if (run_jit(&after, 0, 0, NULL) != 2 || run_jit(&before, 0, 0, NULL) != 7)
			_exit(1);
		struct builder *more = builder_new();
		bld_alu_imm(more, BPF_MOV, BPF_REG_0, 5);
		bld_exit(more);
		struct both m = both_of(more);
		if (run_jit(&m, 0, 0, NULL) != 5)
			_exit(1);
		both_free(&m);
	}
	if (!child) {
		both_free(&before);
		_exit(0);
	}
	for (u32 n = 0; n < 1000; n++)
		assert_int_equal(run_jit(&after, 0, 0, NULL), 1);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status) && !WEXITSTATUS(status));
	assert_int_equal(run_jit(&before, 0, 0, NULL), 7);
	assert_int_equal(run_jit(&after, 0, 0, NULL), 1);
	both_free(&after);
	both_free(&before);
}

/* What a parent frees stays with its child. */
static void a_child_keeps_programs(void **state)
{
	struct both t = small();
	int status, freed[2];
	char byte;

	(void)state;
	assert_int_equal(pipe(freed), 0);
	pid_t child = fork();
	assert_true(child >= 0);
	if (!child) {
		close(freed[1]);
		if (read(freed[0], &byte, 1) != 0)
			_exit(2);
		_exit(run_jit(&t, 0, 0, NULL) == 7 ? 0 : 1);
	}
	both_free(&t);
	close(freed[0]);
	close(freed[1]);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status) && !WEXITSTATUS(status));
}

/* Without descriptors for memory files code lies in a mapping of its own. */
static void without_descriptors(void **state)
{
	struct rlimit old, none;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &old), 0);
	none = (struct rlimit){0, old.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
	struct builder *b = builder_new();
	for (u32 n = 0; n < 30000; n++)
		bld_alu_imm(b, BPF_XOR, BPF_REG_1, 0x123456); /* more than what is left anywhere */
	bld_alu_imm(b, BPF_MOV, BPF_REG_0, 3);
	bld_exit(b);
	struct both t = both_of(b);
	assert_int_equal(run_jit(&t, 0, 0, NULL), 3);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &old), 0);
	uintptr_t from, to;
	char perms[5];
	permissions((uintptr_t)jit_code_start(t.code), perms, &from, &to);
	assert_string_equal(perms, "r-xp");
	both_free(&t);
}

static void other_hosts_code_is_refused(void **state)
{
	struct both t = small();
	struct jit_code *code;

	(void)state;
	for (size_t i = 0; jit_target_at(i); i++) {
		struct jit_image foreign = {0};
		struct jit_opts opts = {.target = jit_target_at(i)};
		struct diag d = {0};

		assert_int_equal(jit_compile(t.prog, NULL, &opts, &foreign, &d), 0);
		assert_ptr_equal(foreign.target, jit_target_at(i));
		assert_true(foreign.code.len > 0);
		if (jit_target_at(i) != jit_target_host()) {
			assert_int_equal(jit_code_new(&foreign, &code, &d), -ENOTSUP);
			assert_non_null(strstr(diag_first(&d), jit_target_name(jit_target_at(i))));
		}
		jit_image_fini(&foreign);
		diag_fini(&d);
	}
	both_free(&t);
}

#if defined(__aarch64__)
static sigjmp_buf refused;

static void on_refusal(int sig)
{
	siglongjmp(refused, sig);
}

/* Where the processor has BTI, code with landing pads can't be entered beside them. */
static void pads_are_insisted_on(void **state)
{
	struct jit_opts opts = {.landing_pads = true};
	struct both t = small();
	jit_entry beside;
	struct sigaction action = {.sa_handler = on_refusal}, old;

	(void)state;
	both_recompile(&t, NULL, &opts);
	assert_int_equal(run_jit(&t, 0, 0, NULL), 7);
	if (!(getauxval(AT_HWCAP2) & HWCAP2_BTI)) {
		both_free(&t);
		skip();
	}
	u64 address = (u64)(uintptr_t)jit_code_start(t.code) + 4;
	memcpy(&beside, &address, sizeof(beside));
	sigaction(SIGILL, &action, &old);
	int sig = sigsetjmp(refused, 1);
	if (!sig)
		beside(0, 0, NULL);
	sigaction(SIGILL, &old, NULL);
	assert_int_equal(sig, SIGILL);
	both_free(&t);
}
#endif

static void targets_have_names(void **state)
{
	(void)state;
	assert_non_null(jit_target_by_name("x86_64"));
	assert_null(jit_target_by_name("vax"));
	for (size_t i = 0; jit_target_at(i); i++)
		assert_ptr_equal(
			jit_target_by_name(jit_target_name(jit_target_at(i))), jit_target_at(i));
}

#define EXIT \
	{ \
		.code = BPF_JMP | BPF_EXIT \
	}
#define CALL_TO(distance) \
	{ \
		.code = BPF_JMP | BPF_CALL, .src = CALL_LOCAL, .imm = (distance) \
	}

static const struct refusal {
	const char *reason; /* part of it */
	u32 pc;
	int err;
	struct insn insns[6];
	u32 len;
} refusals[] = {
	{"no such helper (imm 999999)", 0, -ENOTSUP,
		{{.code = BPF_JMP | BPF_CALL, .imm = 999999}, EXIT}, 2},
	{"kernel functions", 0, -ENOTSUP,
		{{.code = BPF_JMP | BPF_CALL, .src = CALL_KFUNC, .imm = 1}, EXIT}, 2},
	{"address of a subprogram", 0, -ENOTSUP,
		{{.code = BPF_LD | BPF_IMM | BPF_DW, .src = LD_IMM64_FUNC, .imm = 2}, {0}, EXIT,
			EXIT},
		4},
	{"no address yet", 0, -ENOTSUP,
		{{.code = BPF_LD | BPF_IMM | BPF_DW, .src = LD_IMM64_MAP_IDX}, {0}, EXIT}, 3},
	{"call of instruction 0", 1, -ENOTSUP, {{.code = BPF_ALU64 | BPF_MOV}, CALL_TO(-2), EXIT},
		3},
	{"leaves its subprogram", 0, -EINVAL,
		{{.code = BPF_JMP | BPF_JA, .off = 2}, CALL_TO(1), EXIT, EXIT}, 4},
	{"leaves its subprogram", 2, -EINVAL,
		{CALL_TO(1), EXIT, {.code = BPF_JMP | BPF_JA, .off = -2}}, 3},
	{"without an exit", 1, -EINVAL, {CALL_TO(1), {.code = BPF_ALU64 | BPF_MOV}, EXIT}, 3},
};

static void refusals_name_the_instruction(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(refusals); i++)
		for (size_t k = 0; jit_target_at(k); k++) {
			const struct refusal *r = &refusals[i];
			struct prog *p = prog_new("bad", PROG_TYPE_RAW);
			struct jit_opts opts = {.target = jit_target_at(k)};
			struct jit_image image = {.len = 12345};
			struct diag d = {0};

			prog_set_insns(p, r->insns, r->len);
			assert_int_equal(jit_compile(p, NULL, &opts, &image, &d), r->err);
			assert_int_equal(image.len, 12345);
			assert_int_equal(d.nr_errors, 1);
			if (!strstr(diag_first(&d), r->reason))
				fail_msg("'%s' should say '%s'", diag_first(&d), r->reason);
			assert_int_equal(d.entries[0].pos.kind, POS_INSN);
			assert_int_equal(d.entries[0].pos.line, r->pc);
			diag_fini(&d);
			prog_free(p);
		}
}

static void every_allocation_may_fail(void **state)
{
	struct both t = small();
	bool done = false;

	(void)state;
	for (size_t k = 0; jit_target_at(k); k++) {
		done = false;
		for (u64 nth = 1; !done; nth++) {
			struct jit_image image = {0};
			struct jit_opts opts = {.target = jit_target_at(k)};

			mem_fail_at(nth);
			int err = jit_compile(t.prog, NULL, &opts, &image, NULL);
			mem_fail_at(0);
			done = err == 0;
			assert_true(done || err == -ENOMEM);
			assert_true(done ? image.len == t.prog->len : image.len == 0);
			jit_image_fini(&image);
			assert_true(nth < 1000);
		}
	}
	struct jit_code *code = NULL;
	mem_fail_at(1);
	assert_int_equal(jit_code_new(&t.image, &code, NULL), -ENOMEM);
	mem_fail_at(0);
	assert_null(code);
	jit_code_free(NULL);
	both_free(&t);
}

static u64 thread_pointer(void)
{
	u64 at;

#if defined(__x86_64__)
	__asm__("mov %%fs:0, %0" : "=r"(at));
#elif defined(__aarch64__)
	__asm__("mrs %0, tpidr_el0" : "=r"(at));
#endif
	return at;
}

/* Where this thread's per-CPU range starts, as the code finds it. */
static _Thread_local u8 *thread_base;

static void base_through_the_thread_pointer(void **state)
{
	static u64 range[8] = {0, 0, 0, 47, 11};
	const struct jit_opts opts = {.percpu = PERCPU_THREAD,
		.thread_off = (u32)((u64)(uintptr_t)&thread_base - thread_pointer())};
	struct builder *b = builder_new();

	(void)state;
	thread_base = (u8 *)range;
	bld_alu_imm(b, BPF_MOV, BPF_REG_6, 24);
	bld_insn(b, (struct insn){.code = BPF_ALU64 | BPF_MOV | BPF_X,
			    .dst = BPF_REG_7,
			    .src = BPF_REG_6,
			    .off = BPF_PERCPU_MOV_OFF});
	bld_insn(b, (struct insn){.code = BPF_ALU64 | BPF_MOV | BPF_X,
			    .dst = BPF_REG_6,
			    .src = BPF_REG_6,
			    .off = BPF_PERCPU_MOV_OFF});
	bld_load(b, BPF_DW, BPF_REG_0, BPF_REG_7, 0);
	bld_load(b, BPF_DW, BPF_REG_1, BPF_REG_6, 8);
	bld_alu_reg(b, BPF_ADD, BPF_REG_0, BPF_REG_1);
	bld_exit(b);
	struct both t = both_of(b);
	both_recompile(&t, NULL, &opts);
	assert_int_equal(run_jit(&t, 0, 0, NULL), 47 + 11);
	both_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(never_writable_and_executable),
		cmocka_unit_test(many_at_once),
		cmocka_unit_test(forks_share_nothing_new),
		cmocka_unit_test(a_child_keeps_programs),
		cmocka_unit_test(without_descriptors),
		cmocka_unit_test(other_hosts_code_is_refused),
#if defined(__aarch64__)
		cmocka_unit_test(pads_are_insisted_on),
#endif
		cmocka_unit_test(targets_have_names),
		cmocka_unit_test(refusals_name_the_instruction),
		cmocka_unit_test(every_allocation_may_fail),
		cmocka_unit_test(base_through_the_thread_pointer),
	};

	if (!jit_target_host()) {
		print_message("no JIT for this host\n");
		return 77;
	}
	return cmocka_run_group_tests_name("jit-code", tests, NULL, NULL);
}
