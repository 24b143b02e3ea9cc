/* Signals within native code find the way to main: at faults, and on x86-64 at each instruction, by single steps. And
 * what perf and debuggers are told. With the argument "fault" it dies inside a subprogram, for a debugger to look at. */
#include "harness.h"

#include <elf.h>
#include <execinfo.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/alloc.h"
#include "jit/announce.h"
#include "jit/debugger.h"

enum { FRAMES_MAX = 64, FAULT_ADDRESS = 8 };

struct trace {
	void *at[FRAMES_MAX];
	int n;
};

static sigjmp_buf after_fault;
static struct trace outside; /* of the function that calls the code */
static const u8 *code;       /* that runs */
static size_t code_bytes;
static volatile unsigned deepest;    /* frames of code on the stack */
static volatile unsigned seen, lost; /* signals within code; those that didn't find out of it */

static bool in_code(const void *at)
{
	return (const u8 *)at >= code && (const u8 *)at < code + code_bytes;
}

/* All frames of `outside` but the first: it has moved on, and with sanitizers backtrace() has one of its own before it. */
static bool ends_outside(const struct trace *t)
{
	int n = outside.n - 2;

	return n > 0 && t->n > n &&
	       !memcmp(t->at + t->n - n, outside.at + 2, (size_t)n * sizeof(t->at[0]));
}

static void look(const void *pc)
{
	struct trace t;
	unsigned depth = 0;

	if (!in_code(pc))
		return;
	t.n = backtrace(t.at, FRAMES_MAX);
	for (int i = 0; i < t.n; i++)
		depth += in_code(t.at[i]);
	seen++;
	lost += !ends_outside(&t) || depth == 0;
	if (depth > deepest)
		deepest = depth;
}

static const void *pc_of(const void *context)
{
	const ucontext_t *c = context;

#if defined(__x86_64__)
	return (const void *)c->uc_mcontext.gregs[REG_RIP];
#else
	return (const void *)c->uc_mcontext.pc;
#endif
}

static void on_fault(int sig, siginfo_t *info, void *context)
{
	(void)sig, (void)info;
	look(pc_of(context));
	siglongjmp(after_fault, 1);
}

static void on_step(int sig, siginfo_t *info, void *context)
{
	(void)sig, (void)info;
	look(pc_of(context));
}

static void step_by_step(bool on)
{
#if defined(__x86_64__)
	u64 flags;

	__asm__ volatile("pushfq\n\tpopq %0" : "=r"(flags)::"memory");
	flags = on ? flags | 0x100 : flags & ~(u64)0x100;
	__asm__ volatile("pushq %0\n\tpopfq" ::"r"(flags) : "memory", "cc");
#else
	(void)on;
#endif
}

static __attribute__((noinline)) void call(const struct both *t, bool stepping)
{
	outside.n = backtrace(outside.at, FRAMES_MAX);
	if (sigsetjmp(after_fault, 1))
		return;
	step_by_step(stepping);
	run_jit(t, 0, 0, NULL);
	step_by_step(false);
}

/* Frees b. */
static struct both compile(struct builder *b)
{
	struct jit_opts opts = {.unwinding = true};
	struct both t = both_of(b);

	both_recompile(&t, NULL, &opts);
	snprintf(t.prog->name, sizeof(t.prog->name), "outer");
	return t;
}

/* Runs it with signals; how many were seen within the code. */
static unsigned run_watched(const struct both *t, bool stepping)
{
	struct announcement *a = NULL;
	struct sigaction fault = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_NODEFER},
			 step = {.sa_sigaction = on_step, .sa_flags = SA_SIGINFO}, old[2];

	code = jit_code_start(t->code);
	code_bytes = t->image.code.len;
	deepest = seen = lost = 0;
	assert_int_equal(announce(ANNOUNCE_UNWINDERS, &t->image, code, t->prog, &a, NULL), 0);
	sigaction(SIGSEGV, &fault, &old[0]);
	sigaction(SIGTRAP, &step, &old[1]);
	call(t, stepping);
	sigaction(SIGSEGV, &old[0], NULL);
	sigaction(SIGTRAP, &old[1], NULL);
	announcement_free(a);
	if (lost)
		both_print(t);
	assert_int_equal(lost, 0);
	return seen;
}

/* ---- programs ---- */

struct shape {
	bool saves, calls_helper, calls_local;
	u32 stack_bytes; /* of each subprogram */
	bool faults;     /* the innermost one, at its end */
	bool leaves_early;
};

static void put_body(struct builder *b, const struct shape *s, bool innermost, label_t callee)
{
	label_t on = builder_label(b);

	for (u32 off = 8; off <= s->stack_bytes; off += 56)
		bld_store_imm(b, BPF_DW, BPF_REG_FP, (s16)-off, 1);
	if (s->saves)
		for (u8 reg = BPF_REG_6; reg <= BPF_REG_9; reg++)
			bld_const(b, reg, reg);
	if (s->calls_helper)
		bld_call(b, TEST_HELPER_STACK_POINTER);
	bld_const(b, BPF_REG_0, 5);
	if (s->leaves_early) {
		bld_jmp_imm(b, BPF_JNE, BPF_REG_1, 77, on);
		bld_exit(b);
		builder_bind(b, on);
	} else {
		builder_bind(b, on);
	}
	if (!innermost)
		bld_call_local(b, callee);
	if (s->faults && innermost) {
		bld_const(b, BPF_REG_2, FAULT_ADDRESS);
		bld_load(b, BPF_DW, BPF_REG_0, BPF_REG_2, 0);
	}
	bld_exit(b);
}

/* Three deep if there are local calls. */
static struct builder *program(const struct shape *s)
{
	struct builder *b = builder_new();
	label_t inner = builder_label(b), innermost = builder_label(b);

	for (u8 reg = BPF_REG_1; reg <= BPF_REG_5; reg++)
		bld_const(b, reg, reg);
	put_body(b, s, !s->calls_local, inner);
	builder_bind(b, inner);
	if (s->calls_local)
		put_body(b, s, false, innermost);
	builder_bind(b, innermost);
	if (s->calls_local)
		put_body(b, s, true, innermost);
	return b;
}

static void every_frame(void **state)
{
	static const u32 stacks[] = {0, 8, 64, 120, 128, 136, 440, 504, 512};

	(void)state;
	for (u32 bits = 0; bits < 16; bits++)
		for (size_t i = 0; i < ARRAY_LEN(stacks); i++) {
			struct shape s = {.saves = bits & 1,
				.calls_helper = bits & 2,
				.calls_local = bits & 4,
				.leaves_early = bits & 8,
				.stack_bytes = stacks[i],
				.faults = true};
			struct both t = compile(program(&s));

			assert_int_equal(run_watched(&t, false), 1);
			assert_int_equal(deepest, s.calls_local ? 3 : 1);
			both_free(&t);
#if defined(__x86_64__)
			s.faults = false;
			t = compile(program(&s));
			assert_true(run_watched(&t, true) >= 2);
			assert_int_equal(deepest, s.calls_local ? 3 : 1);
			both_free(&t);
#endif
		}
}

/* Loops are moved when their end is known: what is told of the code behind their beginning moves along. */
static void loops_that_were_moved(void **state)
{
	(void)state;
	for (u32 before = 0; before < 24; before++) {
		struct builder *b = builder_new();
		label_t again = builder_label(b), on = builder_label(b);

		bld_const(b, BPF_REG_6, 3);
		bld_store(b, BPF_DW, BPF_REG_FP, -200, BPF_REG_6);
		bld_const(b, BPF_REG_0, 1);
		for (u32 i = 0; i < before; i++)
			bld_alu_imm(b, BPF_XOR, BPF_REG_0, 0x1234567);
		builder_bind(b, again);
		bld_alu_imm(b, BPF_SUB, BPF_REG_6, 1);
		bld_jmp_imm(b, BPF_JNE, BPF_REG_6, 0, on);
		bld_exit(b);
		builder_bind(b, on);
		bld_alu_imm(b, BPF_ADD, BPF_REG_0, 0x76543);
		bld_ja(b, again);
		struct both t = compile(b);
#if defined(__x86_64__)
		assert_true(run_watched(&t, true) > 10);
#endif
		both_free(&t);
	}
}

/* ---- what tools are told ---- */

static struct both named(void)
{
	struct shape s = {.saves = true, .calls_local = true, .stack_bytes = 8, .faults = true};
	static const char names[] = "\0inner\0in\nmost";
	struct both t = compile(program(&s));
	struct prog *p = t.prog;

	mem_free(p->line_text);
	p->line_text = mem_alloc(sizeof(names));
	p->funcs = mem_zalloc(2 * sizeof(*p->funcs));
	assert_true(p->line_text && p->funcs);
	memcpy(p->line_text, names, sizeof(names));
	p->nr_funcs = 2;
	for (u32 i = 0; i < 2; i++)
		p->funcs[i] =
			(struct prog_func){.pc = t.image.functions[i + 1].pc, .name = i ? 7 : 1};
	return t;
}

static void perf_map(void **state)
{
	struct both t = named();
	struct announcement *a = NULL;
	char path[64], line[256];
	static const char *const names[] = {
		"weir_outer\n", "weir_outer_inner\n", "weir_outer_in_most\n"};

	(void)state;
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	unlink(path);
	assert_int_equal(
		announce(ANNOUNCE_PERF, &t.image, jit_code_start(t.code), t.prog, &a, NULL), 0);
	FILE *file = fopen(path, "r");
	assert_non_null(file);
	for (u32 i = 0; i < 3; i++) {
		const struct jit_function *f = &t.image.functions[i];
		unsigned long at;
		unsigned bytes;
		int n = 0;

		assert_non_null(fgets(line, sizeof(line), file));
		assert_int_equal(sscanf(line, "%lx %x %n", &at, &bytes, &n), 2);
		assert_true(at == (unsigned long)jit_code_start(t.code) + f->at);
		assert_int_equal(bytes, f->end - f->at);
		assert_string_equal(line + n, names[i]);
	}
	assert_null(fgets(line, sizeof(line), file));
	fclose(file);
	announcement_free(a);
	unlink(path);
	/* Another's file isn't written to. */
	assert_int_equal(symlink("/dev/null", path), 0);
	assert_true(
		announce(ANNOUNCE_PERF, &t.image, jit_code_start(t.code), t.prog, &a, NULL) < 0);
	unlink(path);
	both_free(&t);
}

static void debugger_reads_an_elf_file(void **state)
{
	struct both t = named();
	struct buf file = {0};

	(void)state;
	debugger_file(&t.image, 0x123450000, t.prog, &file);
	assert_false(file.failed);
	const Elf64_Ehdr *header = (const void *)file.data;
	const Elf64_Shdr *sections = (const void *)(file.data + header->e_shoff);
	const char *strings = (const char *)file.data + sections[header->e_shstrndx].sh_offset;
	u32 found = 0;
	for (u32 i = 0; i < header->e_shnum; i++) {
		const Elf64_Shdr *s = &sections[i];

		found += !strcmp(strings + s->sh_name, ".text") && s->sh_addr == 0x123450000;
		found += !strcmp(strings + s->sh_name, ".eh_frame") && s->sh_size > 0;
		if (s->sh_type != SHT_SYMTAB)
			continue;
		const Elf64_Sym *symbols = (const void *)(file.data + s->sh_offset);
		assert_int_equal(s->sh_size, 4 * sizeof(*symbols));
		assert_string_equal(strings + symbols[1].st_name, "weir_outer");
		assert_string_equal(strings + symbols[3].st_name, "weir_outer_in_most");
		assert_true(symbols[2].st_value == 0x123450000u + t.image.functions[1].at);
		found++;
	}
	assert_int_equal(found, 3);
	buf_fini(&file);
	both_free(&t);
}

/* For a debugger. */
static int die_inside(void)
{
	struct both t = named();
	struct announcement *a = NULL;

	if (announce(ANNOUNCE_DEBUGGER, &t.image, jit_code_start(t.code), t.prog, &a, NULL))
		return 1;
	run_jit(&t, 0, 0, NULL);
	return 1;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_frame),
		cmocka_unit_test(loops_that_were_moved),
		cmocka_unit_test(perf_map),
		cmocka_unit_test(debugger_reads_an_elf_file),
	};

	if (argc == 2 && !strcmp(argv[1], "fault"))
		return die_inside();
	if (!jit_target_host())
		return 77;
	return cmocka_run_group_tests_name("unwind", tests, NULL, NULL);
}
