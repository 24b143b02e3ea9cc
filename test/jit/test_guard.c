/* Stacks that end: native code that has no room left faults in the page behind, however its frames look, and writes
 * nothing beyond. And code is surrounded by pages that nobody can touch. */
#include "harness.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

enum { STACK_PAGES = 16, CALLS = 7 };

static sigjmp_buf after_fault;
static u8 *volatile fault_at;
static const struct both *running;
static ucontext_t outside, inside;

static void on_fault(int sig, siginfo_t *info, void *context)
{
	(void)sig, (void)context;
	fault_at = info->si_addr;
	siglongjmp(after_fault, 1);
}

/* Takes the stack down until `left` bytes or a few more are there, then runs the program. */
static __attribute__((noinline)) void descend(u8 *bottom, size_t left)
{
	u8 room[128];

	__asm__ volatile("" ::"r"(room) : "memory");
	if ((size_t)((u8 *)__builtin_frame_address(0) - bottom) > left + 512)
		descend(bottom, left);
	else
		run_jit(running, 0, 0, NULL);
	__asm__ volatile("" ::"r"(room) : "memory");
}

struct plan {
	u8 *bottom;
	size_t left;
} plan;

static void enter(void)
{
	descend(plan.bottom, plan.left);
}

/* Subprograms that each write to the deepest byte of their stack first, and call the next. */
static struct both deep_program(u32 stack_bytes)
{
	struct builder *b = builder_new();

	for (u32 n = 0; n <= CALLS; n++) {
		label_t next = builder_label(b);

		bld_store_imm(b, BPF_DW, BPF_REG_FP, (s16) - (s32)stack_bytes, 1);
		bld_const(b, BPF_REG_0, 1);
		if (n < CALLS)
			bld_call_local(b, next);
		bld_exit(b);
		builder_bind(b, next);
	}
	bld_exit(b);
	return both_of(b);
}

static __attribute__((noinline)) void run_on_stack(
	const struct both *t, u8 *bottom, size_t bytes, size_t left)
{
	running = t;
	plan = (struct plan){bottom, left};
	fault_at = NULL;
	getcontext(&inside);
	inside.uc_stack = (stack_t){.ss_sp = bottom, .ss_size = bytes};
	inside.uc_link = &outside;
	makecontext(&inside, enter, 0);
	if (!sigsetjmp(after_fault, 1))
		swapcontext(&outside, &inside);
}

static void a_full_stack_faults_in_its_guard(void **state)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = STACK_PAGES * page;
	u8 *below = mmap(
		NULL, bytes + 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	u8 *handlers = malloc(65536), *before = malloc(page);
	stack_t alternate = {.ss_sp = handlers, .ss_size = 65536}, old_stack;
	struct sigaction fault = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK},
			 old, old_bus;
	u32 faults = 0;

	(void)state;
	assert_true(below != MAP_FAILED && handlers && before);
	/* A page that would show it, the guard, the stack. */
	u8 *guard = below + page;
	memset(below, 0x5a, page);
	memset(before, 0x5a, page);
	assert_int_equal(mprotect(guard, page, PROT_NONE), 0);
	sigaltstack(&alternate, &old_stack);
	sigaction(SIGSEGV, &fault, &old);
	sigaction(SIGBUS, &fault, &old_bus);
	static const u32 stacks[] = {8, 128, 256, 504, 512};
	for (size_t i = 0; i < ARRAY_LEN(stacks); i++) {
		struct both t = deep_program(stacks[i]);

		for (size_t left = 0; left < 4800; left += 400) {
			run_on_stack(&t, guard + page, bytes, left);
			if (fault_at) {
				faults++;
				assert_true(fault_at >= guard && fault_at < guard + page);
			}
			assert_memory_equal(below, before, page);
		}
		both_free(&t);
	}
	sigaction(SIGSEGV, &old, NULL);
	sigaction(SIGBUS, &old_bus, NULL);
	sigaltstack(&old_stack, NULL);
	/* Some fitted, some did not. */
	assert_true(faults > 5 && faults < ARRAY_LEN(stacks) * 12);
	munmap(below, bytes + 2 * page);
	free(handlers);
	free(before);
}

static bool can_read(const u8 *at)
{
	struct sigaction fault = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO}, old, old_bus;
	volatile bool read = false;

	sigaction(SIGSEGV, &fault, &old);
	sigaction(SIGBUS, &fault, &old_bus);
	if (!sigsetjmp(after_fault, 1)) {
		(void)*(const volatile u8 *)at;
		read = true;
	}
	sigaction(SIGSEGV, &old, NULL);
	sigaction(SIGBUS, &old_bus, NULL);
	return read;
}

/* The first page at or behind `at`, in this direction, that can't be read; NULL: there is none within a megabyte. */
static const u8 *find_guard(const u8 *at, ptrdiff_t step)
{
	for (u32 n = 0; n < 256; n++, at += step)
		if (!can_read(at))
			return at;
	return NULL;
}

/* Programs lie side by side in memory that has guards. */
static void code_has_guards(void **state)
{
	ptrdiff_t page = (ptrdiff_t)sysconf(_SC_PAGESIZE);

	(void)state;
	for (u32 n = 1; n < 3000; n += 1400) {
		struct builder *b = builder_new();

		bld_const(b, BPF_REG_0, 1);
		for (u32 i = 0; i < n; i++)
			bld_alu_imm(b, BPF_XOR, BPF_REG_1, 0x123456);
		bld_alu_reg(b, BPF_ADD, BPF_REG_0, BPF_REG_1);
		bld_exit(b);
		struct both t = both_of(b);
		const u8 *start = jit_code_start(t.code), *end = start + t.image.code.len;
		const u8 *first = (const u8 *)((uintptr_t)start & ~((uintptr_t)page - 1));

		assert_true(can_read(start) && can_read(end - 1));
		assert_non_null(find_guard(first, -page));
		assert_true(find_guard(first, page) >= end);
		both_free(&t);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_full_stack_faults_in_its_guard),
		cmocka_unit_test(code_has_guards),
	};

	if (!jit_target_host())
		return 77;
	return cmocka_run_group_tests_name("guard", tests, NULL, NULL);
}
