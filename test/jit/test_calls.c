/* Frames: what must survive helper calls, local calls, and the whole program. */
#include "harness.h"

#include <signal.h>
#include <string.h>
#include <sys/time.h>

#include "helper/helper.h"
#include "map/callable.h"

#if defined(__x86_64__)
/* call_checked(entry, r1, r2, self, *bad): calls entry with known values in all callee-saved registers; *bad gets how
 * many of them, rsp included, came back changed. */
__asm__(".text\n"
	"call_checked:\n"
	"	push %rbx; push %rbp; push %r12; push %r13; push %r14; push %r15; push %r8\n"
	"	mov %rdi, %rax; mov %rsi, %rdi; mov %rdx, %rsi; mov %rcx, %rdx\n"
	"	mov $0x1111111111111111, %rbx; lea 1(%rbx), %rbp; lea 2(%rbx), %r12\n"
	"	lea 3(%rbx), %r13; lea 4(%rbx), %r14; lea 5(%rbx), %r15\n"
	"	mov %rsp, saved_sp(%rip)\n"
	"	call *%rax\n"
	"	xor %r9d, %r9d; mov $0x1111111111111111, %rcx\n"
	"	cmp %rsp, saved_sp(%rip); setne %r9b; mov saved_sp(%rip), %rsp\n"
	"	xor %r8d, %r8d; cmp %rcx, %rbx; setne %r8b; add %r8, %r9; inc %rcx\n"
	"	xor %r8d, %r8d; cmp %rcx, %rbp; setne %r8b; add %r8, %r9; inc %rcx\n"
	"	xor %r8d, %r8d; cmp %rcx, %r12; setne %r8b; add %r8, %r9; inc %rcx\n"
	"	xor %r8d, %r8d; cmp %rcx, %r13; setne %r8b; add %r8, %r9; inc %rcx\n"
	"	xor %r8d, %r8d; cmp %rcx, %r14; setne %r8b; add %r8, %r9; inc %rcx\n"
	"	xor %r8d, %r8d; cmp %rcx, %r15; setne %r8b; add %r8, %r9\n"
	"	pop %r8; mov %r9, (%r8)\n"
	"	pop %r15; pop %r14; pop %r13; pop %r12; pop %rbp; pop %rbx\n"
	"	ret\n"
	".local saved_sp\n"
	".comm saved_sp, 8, 8\n");
#elif defined(__aarch64__)
__asm__(".text\n"
	"call_checked:\n"
	"	stp x29, x30, [sp, #-112]!\n"
	"	stp x19, x20, [sp, #16]; stp x21, x22, [sp, #32]; stp x23, x24, [sp, #48]\n"
	"	stp x25, x26, [sp, #64]; stp x27, x28, [sp, #80]; str x4, [sp, #96]\n"
	"	mov x8, x0; mov x0, x1; mov x1, x2; mov x2, x3\n"
	"	mov x19, #0x1111; add x20, x19, #1; add x21, x19, #2; add x22, x19, #3; add x23, "
	"x19, #4\n"
	"	add x24, x19, #5; add x25, x19, #6; add x26, x19, #7; add x27, x19, #8; add x28, "
	"x19, #9; add x29, x19, #10\n"
	"	mov x9, sp; adrp x10, saved_sp; str x9, [x10, #:lo12:saved_sp]\n"
	"	blr x8\n"
	"	adrp x10, saved_sp; ldr x9, [x10, #:lo12:saved_sp]; mov x10, sp; cmp x9, x10; cset "
	"x11, ne; mov sp, x9\n"
	"	mov x9, #0x1111\n"
	"	cmp x19, x9; cinc x11, x11, ne; add x9, x9, #1; cmp x20, x9; cinc x11, x11, ne; "
	"add x9, x9, #1\n"
	"	cmp x21, x9; cinc x11, x11, ne; add x9, x9, #1; cmp x22, x9; cinc x11, x11, ne; "
	"add x9, x9, #1\n"
	"	cmp x23, x9; cinc x11, x11, ne; add x9, x9, #1; cmp x24, x9; cinc x11, x11, ne; "
	"add x9, x9, #1\n"
	"	cmp x25, x9; cinc x11, x11, ne; add x9, x9, #1; cmp x26, x9; cinc x11, x11, ne; "
	"add x9, x9, #1\n"
	"	cmp x27, x9; cinc x11, x11, ne; add x9, x9, #1; cmp x28, x9; cinc x11, x11, ne; "
	"add x9, x9, #1\n"
	"	cmp x29, x9; cinc x11, x11, ne\n"
	"	ldr x4, [sp, #96]; str x11, [x4]\n"
	"	ldp x27, x28, [sp, #80]; ldp x25, x26, [sp, #64]; ldp x23, x24, [sp, #48]; ldp "
	"x21, x22, [sp, #32]\n"
	"	ldp x19, x20, [sp, #16]; ldp x29, x30, [sp], #112\n"
	"	ret\n"
	".local saved_sp\n"
	".comm saved_sp, 8, 8\n");
#endif
u64 call_checked(jit_entry entry, u64 r1, u64 r2, u8 *self, u64 *bad);

static u64 run_checked(const struct both *t, u64 r1, u64 r2, u8 *self)
{
	u64 bad = 99, result = call_checked(jit_code_entry(t->code), r1, r2, self, &bad);

	if (bad) {
		print_error("%llu callee-saved registers changed\n", (unsigned long long)bad);
		both_print(t);
		fail();
	}
	return result;
}

static void expect_same(struct both *t, u64 r1, u64 r2, u8 *self)
{
	u64 want = run_interp(t, r1, r2, self), got = run_checked(t, r1, r2, self);

	both_expect(t, r1, want, got);
}

static void call_mix(struct builder *b)
{
	for (u8 r = BPF_REG_1; r <= BPF_REG_5; r++)
		bld_alu_imm(b, BPF_MOV, r, 1000 + r);
	bld_call(b, TEST_HELPER_MIX);
}

static void bld_percpu_mov(struct builder *b, u8 dst, u8 src)
{
	bld_insn(b, (struct insn){.code = BPF_ALU64 | BPF_MOV | BPF_X,
			    .dst = dst & 15u,
			    .src = src & 15u,
			    .off = BPF_PERCPU_MOV_OFF});
}

enum what {
	WITH_HELPER = 1,
	WITH_LOCAL = 2,
	WITH_PERCPU = 4,
	WITH_DIV = 8,
	WITH_R3 = 16,
	NR_WHAT = 32
};

/* Values in the saved registers of `set` and on the stack; then what may disturb them; then their sum. */
static void bld_keeper(
	struct builder *b, unsigned set, s32 stack_bytes, unsigned what, const label_t *callee)
{
	bld_alu_imm(b, BPF_MOV, BPF_REG_0, 77);
	if (what & WITH_R3)
		bld_alu_imm(b, BPF_MOV, BPF_REG_3, 33);
	for (u8 r = 0; r < 4; r++)
		if (set >> r & 1)
			bld_alu_imm(b, BPF_MOV, (u8)(BPF_REG_6 + r), 0x1000 + r);
	for (s32 off = 8; off <= stack_bytes; off += 8)
		bld_store_imm(b, BPF_DW, BPF_REG_FP, (s16)-off, off);
	if (what & WITH_DIV)
		bld_alu_imm(b, BPF_DIV, BPF_REG_0, 5);
	if (what & WITH_R3)
		bld_alu_reg(b, BPF_ADD, BPF_REG_0, BPF_REG_3);
	if (what & WITH_HELPER)
		call_mix(b);
	if (callee)
		bld_call_local(b, *callee);
	if (what & WITH_PERCPU) {
		bld_alu_imm(b, BPF_MOV, BPF_REG_2, 0x500);
		bld_percpu_mov(b, BPF_REG_1, BPF_REG_2);
		bld_percpu_mov(b, BPF_REG_2, BPF_REG_2);
		bld_alu_reg(b, BPF_ADD, BPF_REG_0, BPF_REG_1);
		bld_alu_reg(b, BPF_XOR, BPF_REG_0, BPF_REG_2);
	}
	for (u8 r = 0; r < 4; r++)
		if (set >> r & 1)
			bld_alu_reg(b, BPF_ADD, BPF_REG_0, (u8)(BPF_REG_6 + r));
	for (s32 off = 8; off <= stack_bytes; off += 8) {
		bld_load(b, BPF_DW, BPF_REG_1, BPF_REG_FP, (s16)-off);
		bld_alu_imm(b, BPF_MUL, BPF_REG_0, 3);
		bld_alu_reg(b, BPF_ADD, BPF_REG_0, BPF_REG_1);
	}
	bld_exit(b);
}

static const s32 stacks[] = {0, 8, 16, 120, 128, 136, 504, 512};
static const s32 odd_stacks[] = {0, 1, 7, 8, 9, 16, 121, 130, 500, 512};

static void registers_and_stack_survive(void **state)
{
	(void)state;
	for (unsigned set = 0; set < 16; set++)
		for (size_t s = 0; s < ARRAY_LEN(stacks); s++)
			for (unsigned what = 0; what < NR_WHAT; what++) {
				struct builder *b = builder_new();
				label_t callee = builder_label(b);

				bld_keeper(b, set, stacks[s], what,
					what & WITH_LOCAL ? &callee : NULL);
				builder_bind(b, callee);
				if (what & WITH_LOCAL)
					bld_keeper(b, set ^ 15, stacks[ARRAY_LEN(stacks) - 1 - s],
						what, NULL);
				struct both t = both_of(b);
				expect_same(&t, 1, 2, (u8 *)(uintptr_t)0x7700000000);
				both_free(&t);
			}
}

/* Each level with a frame of another size; the innermost calls a helper. */
static void deep_calls(void **state)
{
	(void)state;
	struct builder *b = builder_new();
	label_t levels[8];

	for (unsigned i = 0; i < 8; i++)
		levels[i] = builder_label(b);
	for (unsigned i = 0; i < 8; i++) {
		builder_bind(b, levels[i]);
		bld_keeper(b, i * 5 % 16, (s32)(i * 8),
			i == 7 ? WITH_HELPER | WITH_PERCPU : WITH_PERCPU,
			i < 7 ? &levels[i + 1] : NULL);
	}
	struct both t = both_of(b);
	expect_same(&t, 1, 2, (u8 *)(uintptr_t)0x7700000000);
	both_free(&t);
}

/* A subprogram passes its arguments on without naming them, with code between that wants their registers. */
static void unnamed_arguments(void **state)
{
	(void)state;
	struct builder *b = builder_new();
	label_t callee = builder_label(b);

	for (u8 r = BPF_REG_1; r <= BPF_REG_5; r++)
		bld_alu_imm(b, BPF_MOV, r, 1000 + r);
	bld_call_local(b, callee);
	bld_exit(b);
	builder_bind(b, callee);
	bld_alu_imm(b, BPF_MOV, BPF_REG_6, 77);
	bld_alu_imm(b, BPF_MOV, BPF_REG_7, 3);
	bld_alu_reg(b, BPF_DIV, BPF_REG_6, BPF_REG_7);
	bld_alu_reg(b, BPF_LSH, BPF_REG_6, BPF_REG_7);
	bld_call(b, TEST_HELPER_MIX);
	bld_alu_reg(b, BPF_ADD, BPF_REG_0, BPF_REG_6);
	bld_exit(b);
	struct both t = both_of(b);
	expect_same(&t, 0, 0, NULL);
	both_free(&t);
}

/* Without relocations every call goes through its thunk, as when the code lies too far away. */
static void far_helpers(void **state)
{
	(void)state;
	struct builder *b = builder_new();

	bld_keeper(b, 5, 16, WITH_HELPER, NULL);
	struct both t = both_of(b);
	assert_true(t.image.nr_relocs > 0);
	t.image.nr_relocs = 0;
	jit_code_free(t.code);
	assert_int_equal(jit_code_new(&t.image, &t.code, NULL), 0);
	expect_same(&t, 0, 0, NULL);
	both_free(&t);
}

/* Calls must find the stack aligned to 16 bytes, whatever the frame looks like. */
static void stack_is_aligned(void **state)
{
	(void)state;
	for (unsigned set = 0; set < 16; set++)
		for (size_t s = 0; s < ARRAY_LEN(odd_stacks); s++)
			for (unsigned nested = 0; nested < 2; nested++) {
				struct builder *b = builder_new();
				label_t callee = builder_label(b);

				for (u8 r = 0; nested && r < 4; r++)
					if (set >> r & 1)
						bld_alu_imm(b, BPF_MOV, (u8)(BPF_REG_6 + r), 1);
				if (nested)
					bld_call_local(b, callee);
				if (nested)
					bld_exit(b);
				builder_bind(b, callee);
				for (u8 r = 0; r < 4; r++)
					if (set >> r & 1)
						bld_alu_imm(b, BPF_MOV, (u8)(BPF_REG_6 + r), 1);
				if (odd_stacks[s])
					bld_store_imm(b, BPF_B, BPF_REG_FP, (s16)-odd_stacks[s], 1);
				bld_call(b, TEST_HELPER_STACK_POINTER);
				bld_exit(b);
				struct both t = both_of(b);
				assert_int_equal(run_checked(&t, 0, 0, NULL) % 16, 0);
				both_free(&t);
			}
}

/* Some of r6 ... r9 and some stack in use. */
static void use_frame(struct builder *b, unsigned set, s32 stack)
{
	for (u8 r = 0; r < 4; r++)
		if (set >> r & 1)
			bld_alu_imm(b, BPF_MOV, (u8)(BPF_REG_6 + r), 1);
	if (stack)
		bld_store_imm(b, BPF_B, BPF_REG_FP, (s16)-stack, 1);
}

/* A program that goes on in `to`, from a subprogram if it is `nested`. */
static struct both jumper(const struct callable *to, unsigned set, s32 stack, bool nested)
{
	struct builder *b = builder_new();
	label_t callee = builder_label(b);

	use_frame(b, set, nested ? 8 : stack);
	if (nested) {
		bld_call_local(b, callee);
		bld_exit(b);
	}
	builder_bind(b, callee);
	if (nested)
		use_frame(b, set ^ 5, stack);
	bld_const(b, BPF_REG_2, (u64)(uintptr_t)to);
	bld_call(b, HELPER_tail_jump);
	bld_exit(b);
	return both_of(b);
}

/* From frames of every shape into frames of every shape: registers come back, and the stack is where it was and aligned. */
static void tail_jumps_take_no_stack(void **state)
{
	(void)state;
	for (unsigned set = 0; set < 16; set++)
		for (size_t s = 0; s < ARRAY_LEN(odd_stacks); s++) {
			struct builder *b = builder_new();

			use_frame(b, set, odd_stacks[s]);
			bld_call(b, TEST_HELPER_STACK_POINTER);
			bld_exit(b);
			struct both last = both_of(b);
			struct callable end = {.entry = jit_code_entry(last.code)};
			u64 direct = run_checked(&last, 0, 0, NULL);
			for (unsigned from = 0; from < 16; from += 3) {
				s32 stack = odd_stacks[(s + from) % ARRAY_LEN(odd_stacks)];
				struct both middle = jumper(&end, from, stack, false);
				struct callable second = {.entry = jit_code_entry(middle.code)};
				struct both first = jumper(&second, from ^ 9, stack, false);
				struct both nested = jumper(&second, from, stack, true);

				assert_true(run_checked(&middle, 0, 0, NULL) == direct);
				assert_true(run_checked(&first, 0, 0, NULL) == direct);
				assert_int_equal(run_checked(&nested, 0, 0, NULL) % 16, 0);
				both_free(&first);
				both_free(&middle);
				both_free(&nested);
			}
			assert_int_equal(direct % 16, 0);
			both_free(&last);
		}
}

/* The frame pointer leaves by a move or through memory: then no offset tells how much stack there is. */
static void frame_pointer_escapes(void **state)
{
	(void)state;
	for (unsigned through_memory = 0; through_memory < 2; through_memory++) {
		struct builder *b = builder_new();
		u64 word = 0;

		if (through_memory) {
			bld_store(b, BPF_DW, BPF_REG_1, 0, BPF_REG_FP);
			bld_load(b, BPF_DW, BPF_REG_6, BPF_REG_1, 0);
		} else {
			bld_alu_reg(b, BPF_MOV, BPF_REG_6, BPF_REG_FP);
		}
		bld_alu_imm(b, BPF_ADD, BPF_REG_6, -512);
		bld_store_imm(b, BPF_DW, BPF_REG_6, 0, 4711);
		call_mix(b);
		bld_load(b, BPF_DW, BPF_REG_0, BPF_REG_6, 0);
		bld_exit(b);
		struct both t = both_of(b);
		assert_int_equal(run_checked(&t, (u64)(uintptr_t)&word, 0, NULL), 4711);
		both_free(&t);
	}
}

/* The code behind the last instruction is reached only by exits in the middle. */
static void last_is_a_jump(void **state)
{
	(void)state;
	struct builder *b = builder_new();
	label_t end = builder_label(b), back = builder_label(b);

	for (u8 r = BPF_REG_6; r <= BPF_REG_9; r++)
		bld_alu_imm(b, BPF_MOV, r, r);
	bld_alu_imm(b, BPF_MOV, BPF_REG_0, 1);
	bld_jmp_imm(b, BPF_JNE, BPF_REG_1, 0, end);
	builder_bind(b, back);
	bld_alu_imm(b, BPF_ADD, BPF_REG_0, 10);
	bld_exit(b);
	builder_bind(b, end);
	bld_alu_imm(b, BPF_MOV, BPF_REG_0, 2);
	bld_ja(b, back);
	struct both t = both_of(b);
	expect_same(&t, 0, 0, NULL);
	expect_same(&t, 1, 0, NULL);
	both_free(&t);
}

static volatile u64 alarm_rang;

static void on_alarm(int sig)
{
	(void)sig;
	alarm_rang = 1;
}

/* A signal may come at any time and uses the same stack: the program writes its whole stack, waits for one, reads. */
static void signals_leave_the_stack_alone(void **state)
{
	const struct itimerval soon = {.it_value = {.tv_usec = 1000}};

	(void)state;
	signal(SIGALRM, on_alarm);
	for (size_t s = 1; s < ARRAY_LEN(stacks); s++) {
		struct builder *b = builder_new();
		label_t again = builder_label(b);

		for (s32 off = 8; off <= stacks[s]; off += 8)
			bld_store_imm(b, BPF_DW, BPF_REG_FP, (s16)-off, off);
		builder_bind(b, again);
		bld_load(b, BPF_DW, BPF_REG_2, BPF_REG_1, 0);
		bld_jmp_imm(b, BPF_JEQ, BPF_REG_2, 0, again);
		bld_alu_imm(b, BPF_MOV, BPF_REG_0, 0);
		for (s32 off = 8; off <= stacks[s]; off += 8) {
			bld_load(b, BPF_DW, BPF_REG_2, BPF_REG_FP, (s16)-off);
			bld_alu_imm(b, BPF_SUB, BPF_REG_2, off);
			bld_alu_reg(b, BPF_OR, BPF_REG_0, BPF_REG_2);
		}
		bld_exit(b);
		struct both t = both_of(b);
		alarm_rang = 0;
		assert_int_equal(setitimer(ITIMER_REAL, &soon, NULL), 0);
		assert_int_equal(run_checked(&t, (u64)(uintptr_t)&alarm_rang, 0, NULL), 0);
		both_free(&t);
	}
	signal(SIGALRM, SIG_DFL);
}

/* A million jumps back to instruction 0 must not run the prologue again. */
static void loop_to_the_first_instruction(void **state)
{
	struct {
		u64 rounds, first, last;
	} work = {.rounds = 1000000};
	struct builder *b = builder_new();
	label_t top = builder_label(b), later = builder_label(b);

	(void)state;
	builder_bind(b, top);
	bld_alu_reg(b, BPF_MOV, BPF_REG_6, BPF_REG_1);
	bld_store(b, BPF_DW, BPF_REG_FP, -8, BPF_REG_1);
	bld_call(b, TEST_HELPER_STACK_POINTER);
	bld_store(b, BPF_DW, BPF_REG_6, 16, BPF_REG_0);
	bld_load(b, BPF_DW, BPF_REG_1, BPF_REG_6, 8);
	bld_jmp_imm(b, BPF_JNE, BPF_REG_1, 0, later);
	bld_store(b, BPF_DW, BPF_REG_6, 8, BPF_REG_0);
	builder_bind(b, later);
	bld_load(b, BPF_DW, BPF_REG_2, BPF_REG_6, 0);
	bld_alu_imm(b, BPF_SUB, BPF_REG_2, 1);
	bld_store(b, BPF_DW, BPF_REG_6, 0, BPF_REG_2);
	bld_load(b, BPF_DW, BPF_REG_1, BPF_REG_FP, -8);
	bld_jmp_imm(b, BPF_JNE, BPF_REG_2, 0, top);
	bld_alu_imm(b, BPF_MOV, BPF_REG_0, 5);
	bld_exit(b);
	struct both t = both_of(b);
	assert_int_equal(run_checked(&t, (u64)(uintptr_t)&work, 0, NULL), 5);
	assert_int_equal(work.rounds, 0);
	assert_true(work.first != 0 && work.first == work.last);
	both_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(registers_and_stack_survive),
		cmocka_unit_test(deep_calls),
		cmocka_unit_test(unnamed_arguments),
		cmocka_unit_test(far_helpers),
		cmocka_unit_test(stack_is_aligned),
		cmocka_unit_test(tail_jumps_take_no_stack),
		cmocka_unit_test(frame_pointer_escapes),
		cmocka_unit_test(last_is_a_jump),
		cmocka_unit_test(signals_leave_the_stack_alone),
		cmocka_unit_test(loop_to_the_first_instruction),
	};

	if (!jit_target_host()) {
		print_message("no JIT for this host\n");
		return 77;
	}
	return cmocka_run_group_tests_name("jit-calls", tests, NULL, NULL);
}
