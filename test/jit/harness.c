#include "harness.h"

#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "helper/helper.h"
#include "../interp_once.h"

const u64 edges[] = {
	0,
	1,
	2,
	31,
	32,
	63,
	64,
	0x7f,
	0x80,
	0xff,
	0x7fff,
	0x8000,
	0xffff,
	0x7fffffff,
	0x80000000,
	0x80000001,
	0xfffffffe,
	0xffffffff,
	0x100000000,
	0x100000001,
	0x7fffffff00000000,
	0x7fffffffffffffff,
	0x8000000000000000,
	0x8000000000000001,
	0xffffffff00000000,
	0xffffffff7fffffff,
	0xffffffff80000000,
	0xfffffffffffffffe,
	0xffffffffffffffff,
	0x0123456789abcdef,
	0xfedcba9876543210,
};
const size_t nr_edges = ARRAY_LEN(edges);

const s32 edge_imms[] = {
	0,
	1,
	-1,
	2,
	3,
	4,
	5,
	8,
	9,
	10,
	0x7f,
	0x80,
	-0x80,
	-0x81,
	0xff,
	0x100,
	0xfff,
	0x1000,
	0x1001,
	-0xfff,
	-0x1000,
	-0x1001,
	0x7fff,
	0x8000,
	0xffff,
	0x10000,
	-0x8000,
	-0x10000,
	-0x10001,
	0xff0000,
	0xfff000,
	0x1000000,
	0x55555555,
	0x12345678,
	0x7ffffffe,
	0x7fffffff,
	0x40000000,
	INT32_MIN,
	INT32_MIN + 1,
	(s32)0xffff0000,
	(s32)0xff00ff00,
};
const size_t nr_edge_imms = ARRAY_LEN(edge_imms);

u64 rnd(u64 *seed)
{
	*seed ^= *seed >> 12;
	*seed ^= *seed << 25;
	*seed ^= *seed >> 27;
	return *seed * 0x2545f4914f6cdd1d;
}

u32 rnd_below(u64 *seed, u32 n)
{
	return (u32)((rnd(seed) >> 32) * n >> 32);
}

static void clobber(void)
{
	volatile u8 stack[1024]; /* more than a program has */

	for (size_t i = 0; i < sizeof(stack); i++)
		stack[i] = 0xcc;
#if defined(__x86_64__)
	__asm__ volatile(
		"mov $-1, %%eax\n\tmov $-2, %%ecx\n\tmov $-3, %%edx\n\tmov $-4, %%esi\n\tmov $-5, "
		"%%edi\n\t"
		"mov $-6, %%r8\n\tmov $-7, %%r9\n\tmov $-8, %%r10\n\tmov $-9, %%r11" ::
			: "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "cc");
#elif defined(__aarch64__)
	__asm__ volatile("mov x0, #-1\n\tmov x1, #-2\n\tmov x2, #-3\n\tmov x3, #-4\n\tmov x4, "
			 "#-5\n\tmov x5, #-6\n\t"
			 "mov x6, #-7\n\tmov x7, #-8\n\tmov x8, #-9\n\tmov x9, #-10\n\tmov x10, "
			 "#-11\n\tmov x11, #-12\n\t"
			 "mov x12, #-13\n\tmov x13, #-14\n\tmov x14, #-15\n\tmov x15, #-16\n\tmov "
			 "x16, #-17\n\tmov x17, #-18" ::
				 : "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9",
			 "x10", "x11", "x12", "x13", "x14", "x15", "x16", "x17", "cc");
#endif
}

static u64 mix(u64 r1, u64 r2, u64 r3, u64 r4, u64 r5)
{
	u64 result = r1 * 3 + r2 * 5 + r3 * 7 + r4 * 11 + r5 * 13;

	clobber();
	return result;
}

/* Where the stack is; a vector store that must be aligned makes a misaligned one crash. */
static u64 stack_pointer(u64 r1, u64 r2, u64 r3, u64 r4, u64 r5)
{
	(void)r1, (void)r2, (void)r3, (void)r4, (void)r5;
	return (u64)(uintptr_t)__builtin_frame_address(0);
}

/* The engines' only way to helpers; stands before the library's. */
const struct helper *helper_by_id(u32 id)
{
	static const struct helper helpers[] = {
		{.id = TEST_HELPER_MIX,
			.name = "mix",
			.fn = mix,
			.args = {ARG_ANYTHING, ARG_ANYTHING, ARG_ANYTHING, ARG_ANYTHING,
				ARG_ANYTHING}},
		{.id = TEST_HELPER_STACK_POINTER, .name = "stack_pointer", .fn = stack_pointer},
		{.id = HELPER_tail_jump,
			.name = "tail_jump",
			.flags = HELPER_INLINE_ONLY,
			.args = {ARG_CTX, ARG_ANYTHING}},
	};

	for (size_t i = 0; i < ARRAY_LEN(helpers); i++)
		if (helpers[i].id == id)
			return &helpers[i];
	return NULL;
}

static void fail_with(struct both *t, struct diag *d, const char *what)
{
	print_error("%s: %s\n", what, diag_first(d));
	both_print(t);
	diag_fini(d);
	fail();
}

void both_recompile(struct both *t, const struct facts *f, const struct jit_opts *opts)
{
	struct diag d = {0};
	static const struct jit_opts defaults;

	jit_code_free(t->code);
	t->code = NULL;
	jit_image_fini(&t->image);
	if (jit_compile(t->prog, f, opts ? opts : &defaults, &t->image, &d))
		fail_with(t, &d, "jit_compile");
	if (t->image.target == jit_target_host() && jit_code_new(&t->image, &t->code, &d))
		fail_with(t, &d, "jit_code_new");
	diag_fini(&d);
}

static void check_and_compile(struct both *t)
{
	struct diag d = {0};

	t->prog->internal = true;
	if (prog_check(t->prog, &d))
		fail_with(t, &d, "prog_check");
	diag_fini(&d);
	both_recompile(t, NULL, NULL);
}

struct both both_of(struct builder *b)
{
	struct both t = {.prog = prog_new("test", PROG_TYPE_RAW)};

	assert_int_equal(builder_finish(b, t.prog, NULL), 0);
	builder_free(b);
	check_and_compile(&t);
	return t;
}

struct both both_of_insns(const struct insn *insns, size_t n)
{
	struct both t = {.prog = prog_new("test", PROG_TYPE_RAW)};

	assert_int_equal(prog_set_insns(t.prog, insns, (u32)n), 0);
	check_and_compile(&t);
	return t;
}

struct both both_of_text(const char *text)
{
	struct prog *p = prog_new("t", PROG_TYPE_RAW);
	struct diag d = {0};

	if (prog_assemble(p, "t", text, strlen(text), &d))
		fail_msg("%s", diag_first(&d));
	struct both t = both_of_insns(p->insns, p->len);
	prog_free(p);
	return t;
}

void both_free(struct both *t)
{
	jit_code_free(t->code);
	jit_image_fini(&t->image);
	prog_free(t->prog);
	*t = (struct both){0};
}

u64 run_interp(const struct both *t, u64 r1, u64 r2, u8 *self)
{
	return interp_once(t->prog, r1, r2, self);
}

u64 run_jit(const struct both *t, u64 r1, u64 r2, u8 *self)
{
	return jit_code_entry(t->code)(r1, r2, self);
}

void both_print(const struct both *t)
{
	for (u32 pc = 0; pc < t->prog->len; pc++) {
		struct insn i = t->prog->insns[pc];

		print_error("%4u: %02x dst=%u src=%u off=%d imm=%d (0x%x)\n", pc, i.code, i.dst,
			i.src, i.off, i.imm, (u32)i.imm);
	}
	for (size_t at = 0; at < t->image.code.len; at++)
		print_error("%02x%s", t->image.code.data[at], at % 32 == 31 ? "\n" : " ");
	print_error("\n");
}

void both_expect(const struct both *t, u64 r1, u64 interpreter, u64 code)
{
	if (interpreter == code)
		return;
	print_error("on 0x%llx: interpreter 0x%llx, code 0x%llx\n", (unsigned long long)r1,
		(unsigned long long)interpreter, (unsigned long long)code);
	both_print(t);
	fail();
}
