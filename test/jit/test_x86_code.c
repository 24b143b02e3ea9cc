/* What x86-64 code looks like where it matters: the smallest program, the per-CPU MOV, the frame, short branches. Compiled
 * on any host. */
#include "harness.h"

#include <errno.h>
#include <string.h>

#include "base/diag.h"

struct golden {
	const char *what;
	enum percpu_base percpu;
	u32 thread_off;
	bool landing_pads;
	struct insn insns[8];
	u32 len;
	const char *code; /* hexadecimal */
};

#define MOV_IMM(r, v) \
	{ \
		.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst = (r), .imm = (v) \
	}
#define MOV32_IMM(r, v) \
	{ \
		.code = BPF_ALU | BPF_MOV | BPF_K, .dst = (r), .imm = (v) \
	}
#define MOV32(d, s) \
	{ \
		.code = BPF_ALU | BPF_MOV | BPF_X, .dst = (d), .src = (s) \
	}
#define ADD_REG(d, s) \
	{ \
		.code = BPF_ALU64 | BPF_ADD | BPF_X, .dst = (d), .src = (s) \
	}
#define PERCPU(d, s) \
	{ \
		.code = BPF_ALU64 | BPF_MOV | BPF_X, .dst = (d), .src = (s), \
		.off = BPF_PERCPU_MOV_OFF \
	}
#define CALL_MIX \
	{ \
		.code = BPF_JMP | BPF_CALL, .imm = TEST_HELPER_MIX \
	}
#define ADD_IMM(r, v) \
	{ \
		.code = BPF_ALU64 | BPF_ADD | BPF_K, .dst = (r), .imm = (v) \
	}
#define LOAD64(d, s, o) \
	{ \
		.code = BPF_LDX | BPF_MEM | BPF_DW, .dst = (d), .src = (s), .off = (o) \
	}
#define STORE64(d, o, s) \
	{ \
		.code = BPF_STX | BPF_MEM | BPF_DW, .dst = (d), .src = (s), .off = (o) \
	}
#define CALL_NEXT \
	{ \
		.code = BPF_JMP | BPF_CALL, .src = CALL_LOCAL, .imm = 1 \
	}
#define STORE_FP(off_) \
	{ \
		.code = BPF_ST | BPF_MEM | BPF_B, .dst = BPF_REG_FP, .off = (off_), .imm = 1 \
	}
#define EXIT \
	{ \
		.code = BPF_JMP | BPF_EXIT \
	}

static const struct golden goldens[] = {
	{"return 0: xor eax, eax; ret", .insns = {MOV_IMM(0, 0), EXIT}, .len = 2, .code = "31c0c3"},
	{"return 1: mov eax, 1; ret", .insns = {MOV_IMM(0, 1), EXIT}, .len = 2,
		.code = "b801000000c3"},
	{"return (u32)-1: mov eax, -1; ret", .insns = {MOV32_IMM(0, -1), EXIT}, .len = 2,
		.code = "b8ffffffffc3"},
	{"landing pad: endbr64; xor eax, eax; ret", .landing_pads = true,
		.insns = {MOV_IMM(0, 0), EXIT}, .len = 2, .code = "f30f1efa31c0c3"},

	{"base stays in rdx: lea rax, [rdx + rdi]; ret", .insns = {PERCPU(0, 1), EXIT}, .len = 2,
		.code = "488d043ac3"},
	{"a constant: lea rax, [rdx + 64]; ret", .insns = {MOV_IMM(0, 64), PERCPU(0, 0), EXIT},
		.len = 3, .code = "488d4240c3"},
	{"r3 is used: mov r9, rdx; mov edx, edx; lea rax, [r9 + rdx]; ret",
		.insns = {MOV32(3, 3), PERCPU(0, 3), EXIT}, .len = 3,
		.code = "4989d189d2498d0411c3"},
	{"calls: push r12; mov r12, rdx; call; add rax, r12; pop r12; ret; thunk",
		.insns = {CALL_MIX, PERCPU(0, 0), EXIT}, .len = 3,
		.code = "41544989d4e8060000004c01e0415cc3"},

	{"a per-CPU counter: inc qword [rdx + 64]; xor eax, eax; ret",
		.insns = {MOV_IMM(1, 64), PERCPU(1, 1), LOAD64(2, 1, 0), ADD_IMM(2, 1),
			STORE64(1, 0, 2), MOV_IMM(0, 0), EXIT},
		.len = 7, .code = "48ff424031c0c3"},
	{"a per-CPU load in place: mov rax, [rdx + 64]; ret",
		.insns = {MOV_IMM(0, 64), PERCPU(0, 0), LOAD64(0, 0, 0), EXIT}, .len = 4,
		.code = "488b4240c3"},
	{"thread: mov rax, rdi; add rax, fs:[-16]; ret", PERCPU_THREAD, (u32)-16,
		.insns = {PERCPU(0, 1), EXIT}, .len = 2,
		.code = "4889f864480304"
			"25f0ffffffc3"},
	{"kernel, in place: add rax, gs:[0x2c020]; ret", PERCPU_KERNEL, 0x2c020,
		.insns = {PERCPU(0, 0), EXIT}, .len = 2,
		.code = "6548030425"
			"20c00200c3"},
	{"kernel, r9 in the register of r1, for it needn't be saved: mov rdi, rbx; add rdi, gs:[0x2c020]; ret",
		PERCPU_KERNEL, 0x2c020, .insns = {PERCPU(9, 6), EXIT}, .len = 2,
		.code = "4889df6548033c2520c00200c3"},
	{"r6 must be saved when someone is called: push rbx; mov rbx, [rdi]; call; add rax, rbx; pop rbx; ret",
		.insns = {LOAD64(6, 1, 0), CALL_MIX, ADD_REG(0, 6), EXIT}, .len = 4,
		.code = "53488b1fe8050000004801d85bc3"},
	{"kernel: add rax, gs:[16]; mov rax, [rax]; ret", PERCPU_KERNEL, 16,
		.insns = {PERCPU(0, 0), LOAD64(0, 0, 0), EXIT}, .len = 3,
		.code = "6548030425"
			"10000000"
			"488b00c3"},
	{"VHE is the same here", PERCPU_KERNEL_VHE, 0x2c020, .insns = {PERCPU(0, 0), EXIT},
		.len = 2,
		.code = "6548030425"
			"20c00200c3"},
	{"only the main program sets the base up", .insns = {CALL_NEXT, EXIT, PERCPU(0, 1), EXIT},
		.len = 4, .code = "41544989d4e803000000415cc3498d043cc3"},
	{"only the pinned base is saved", PERCPU_KERNEL, 0x10,
		.insns = {CALL_MIX, PERCPU(0, 0), EXIT}, .len = 3,
		.code = "50e80b0000006548030425100000"
			"0059c3"},

	{"a register that only ever holds 32 bits is moved as a whole, so that it is read where it "
	 "comes from: mov eax, esi; cmp edi, 7; je +2; mov eax, edx; mov [rsi + 8], rax; ret",
		.insns = {MOV32(0, 2),
			{.code = BPF_JMP32 | BPF_JEQ | BPF_K, .dst = 1, .off = 1, .imm = 7},
			MOV32(0, 3), MOV32(4, 0), STORE64(2, 8, 4), EXIT}, .len = 6,
		.code = "89f083ff07740289d048894608c3"},
	{"a loop's test once more at its end goes on in the loop: mov eax, 0; dec rdi; je 4f; "
	 "1: xor rax, rsi; dec rdi; jne 1b; 4: ret",
		.insns = {MOV_IMM(0, 0), ADD_IMM(1, -1),
			{.code = BPF_JMP | BPF_JEQ | BPF_K, .dst = 1, .off = 2},
			{.code = BPF_ALU64 | BPF_XOR | BPF_X, .dst = 0, .src = 2},
			{.code = BPF_JMP | BPF_JA, .off = -4}, EXIT},
		.len = 6, .code = "b80000000048ffcf74084831f048ffcf75f8c3"},
	{"a rotate leaves alone what its other half was made in: rol rdi, 13; xor rdi, rsi; mov "
	 "rax, rdi; ret",
		.insns = {{.code = BPF_ALU64 | BPF_MOV | BPF_X, .src = 2},
			{.code = BPF_ALU64 | BPF_MOV | BPF_X, .dst = 2, .src = 1},
			{.code = BPF_ALU64 | BPF_RSH | BPF_K, .dst = 2, .imm = 51},
			{.code = BPF_ALU64 | BPF_LSH | BPF_K, .dst = 1, .imm = 13},
			{.code = BPF_ALU64 | BPF_OR | BPF_X, .dst = 1, .src = 2},
			{.code = BPF_ALU64 | BPF_XOR | BPF_X, .dst = 1},
			{.code = BPF_ALU64 | BPF_MOV | BPF_X, .src = 1}, EXIT},
		.len = 8, .code = "48c1c70d4831f74889f8c3"},
	{"a move that nobody asks for is nothing: xor rdi, rsi; mov rax, rdi; ret",
		.insns = {{.code = BPF_ALU64 | BPF_MOV | BPF_X, .src = 2},
			{.code = BPF_ALU64 | BPF_MOV | BPF_X, .dst = 2, .src = 1},
			{.code = BPF_ALU64 | BPF_XOR | BPF_X, .dst = 1},
			{.code = BPF_ALU64 | BPF_MOV | BPF_X, .src = 1}, EXIT},
		.len = 5, .code = "4831f74889f8c3"},
	{"a slot is a register, and a move of it nothing: mov rax, rdi; ret",
		.insns = {STORE64(10, -8, 1), LOAD64(0, 10, -8), EXIT}, .len = 3,
		.code = "4889f8c3"},
	{"a slot that survives a call isn't worth saving a register: push rbp; mov rbp, rsp; sub "
	 "rsp, 16; ...",
		.insns = {STORE64(10, -8, 1), CALL_MIX, LOAD64(0, 10, -8), EXIT}, .len = 4,
		.code = "554889e54883ec1048897df8e806000000488b45f8c9c3"},
	{"red zone: push rbp; mov rbp, rsp; mov byte [rbp - 128], 1; pop rbp; ret",
		.insns = {STORE_FP(-128), EXIT}, .len = 2, .code = "554889e5c64580015dc3"},
	{"more: push rbp; mov rbp, rsp; sub rsp, 136; mov byte [rbp - 136], 1; leave; ret",
		.insns = {STORE_FP(-136), EXIT}, .len = 2,
		.code = "554889e54881ec88000000c68578ffffff01c9c3"},
};

static struct jit_image compile(const struct insn *insns, u32 len, const struct jit_opts *opts)
{
	struct prog *p = prog_new("golden", PROG_TYPE_RAW);
	struct jit_image image = {0};
	struct diag d = {0};

	prog_set_insns(p, insns, len);
	if (jit_compile(p, NULL, opts, &image, &d))
		fail_msg("%s", diag_first(&d));
	prog_free(p);
	return image;
}

static void golden_code(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(goldens); i++) {
		const struct golden *g = &goldens[i];
		struct jit_opts opts = {.target = jit_target_by_name("x86_64"),
			.percpu = g->percpu,
			.thread_off = g->thread_off,
			.landing_pads = g->landing_pads};
		struct jit_image image = compile(g->insns, g->len, &opts);
		struct buf hex = {0};

		for (u32 at = 0; at < image.insn_off[image.len]; at++)
			buf_printf(&hex, "%02x", image.code.data[at]);
		if (strcmp(buf_cstr(&hex), g->code))
			fail_msg("%s:\n  %s should be\n  %s", g->what, buf_cstr(&hex), g->code);
		buf_fini(&hex);
		jit_image_fini(&image);
	}
}

static const struct {
	const char *what;
	u32 at; /* the instruction that has these flags */
	u16 flags;
	u32 stack_bytes;
	struct insn insns[4];
	u32 len;
	const char *without, *with;
} with_facts[] = {
	{"u16 in memory < w2, which is below 2^16: cmp [rdi], si; jb ...", 1, FACT_SRC_SHORT, 0,
		{{.code = BPF_LDX | BPF_MEM | BPF_H, .dst = 3, .src = 1},
			{.code = BPF_JMP32 | BPF_JLT | BPF_X, .dst = 3, .src = 2, .off = 1},
			MOV_IMM(0, 1), EXIT},
		4, "0fb71739f27205b801000000c3", "6639377205b801000000c3"},
	{"u8 in memory < w2, which is below 2^8: cmp [rdi], sil; jb ...", 1,
		FACT_SRC_BYTE | FACT_SRC_SHORT, 0,
		{{.code = BPF_LDX | BPF_MEM | BPF_B, .dst = 3, .src = 1},
			{.code = BPF_JMP32 | BPF_JLT | BPF_X, .dst = 3, .src = 2, .off = 1},
			MOV_IMM(0, 1), EXIT},
		4, "0fb61739f27205b801000000c3", "4038377205b801000000c3"},
	{"u8 in memory < w2, which is below 2^16 only", 1, FACT_SRC_SHORT, 0,
		{{.code = BPF_LDX | BPF_MEM | BPF_B, .dst = 3, .src = 1},
			{.code = BPF_JMP32 | BPF_JLT | BPF_X, .dst = 3, .src = 2, .off = 1},
			MOV_IMM(0, 1), EXIT},
		4, "0fb61739f27205b801000000c3", "0fb61739f27205b801000000c3"},
	{"w1 = w1 of a value below 2^32; r0 = r1", 0, FACT_DST_UPPER_ZERO, 0,
		{{.code = BPF_ALU | BPF_MOV | BPF_X, .dst = 1, .src = 1},
			{.code = BPF_ALU64 | BPF_MOV | BPF_X, .src = 1}, EXIT},
		3, "89ff4889f8c3", "4889f8c3"},
	{"w1 += 0", 0, FACT_DST_UPPER_ZERO, 0,
		{{.code = BPF_ALU | BPF_ADD | BPF_K, .dst = 1}, EXIT}, 2, "89ffc3", "c3"},
	{"w0 /= w1, r1 isn't 0", 0, FACT_SRC_NONZERO, 0,
		{{.code = BPF_ALU | BPF_DIV | BPF_X, .src = 1}, EXIT}, 2,
		"85ff750431c0eb0431d2f7f7c3", "31d2f7f7c3"},
	{"r1 = r10 with calls and 24 bytes of stack", 0, 0, 24,
		{{.code = BPF_ALU64 | BPF_MOV | BPF_X, .dst = 1, .src = 10}, CALL_MIX, EXIT}, 3,
		"554889e54881ec000200004889efe802000000c9c3",
		"554889e54883ec204889efe802000000c9c3"},
};

static void expect_code(
	const struct prog *p, const struct facts *f, const char *what, const char *hex)
{
	struct jit_opts opts = {.target = jit_target_by_name("x86_64")};
	struct jit_image image = {0};
	struct buf got = {0};

	assert_int_equal(jit_compile(p, f, &opts, &image, NULL), 0);
	for (u32 at = 0; at < image.insn_off[image.len]; at++)
		buf_printf(&got, "%02x", image.code.data[at]);
	if (strcmp(buf_cstr(&got), hex))
		fail_msg("%s:\n  %s should be\n  %s", what, buf_cstr(&got), hex);
	buf_fini(&got);
	jit_image_fini(&image);
}

static void facts_are_used(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(with_facts); i++) {
		struct fact facts[4] = {{0}};
		u32 stack_bytes = with_facts[i].stack_bytes, start = 0;
		facts[with_facts[i].at].flags = with_facts[i].flags;
		struct facts f = {.insns = facts,
			.len = with_facts[i].len,
			.stack_bytes = &stack_bytes,
			.subprog_start = &start,
			.subprog_origin = &start,
			.nr_subprogs = 1};
		struct prog *p = prog_new("facts", PROG_TYPE_RAW);

		prog_set_insns(p, with_facts[i].insns, with_facts[i].len);
		expect_code(p, NULL, with_facts[i].what, with_facts[i].without);
		expect_code(p, &f, with_facts[i].what, with_facts[i].with);
		prog_free(p);
	}
}

/* One far jump does not make near ones long. */
static void only_far_jumps_are_long(void **state)
{
	static const struct jit_opts opts = {0};
	struct jit_opts x86 = opts;
	struct insn insns[200];
	u32 n = 0;

	(void)state;
	x86.target = jit_target_by_name("x86_64");
	insns[n++] = (struct insn){.code = BPF_JMP | BPF_JEQ | BPF_K, .dst = 1, .off = 152};
	for (unsigned i = 0; i < 50; i++) {
		insns[n++] = (struct insn){.code = BPF_JMP | BPF_JEQ | BPF_K, .dst = 1, .off = 1};
		insns[n++] = (struct insn){.code = BPF_ALU64 | BPF_XOR | BPF_X, .dst = 2, .src = 3};
		insns[n++] = (struct insn){.code = BPF_ALU64 | BPF_XOR | BPF_X, .dst = 2, .src = 3};
	}
	insns[n++] = (struct insn)MOV_IMM(0, 0);
	insns[n++] = (struct insn)EXIT;
	insns[n++] = (struct insn)MOV_IMM(0, 0);
	insns[n++] = (struct insn)EXIT;
	struct jit_image image = compile(insns, n, &x86);
	assert_int_equal(image.code.len, 3 + 6 + 50 * (3 + 2 + 3 + 3) + 3 + 3);
	jit_image_fini(&image);
}

/* `before` additions, then a loop of `body` additions, which is entered at its end. */
static struct prog *loop_program(u32 before, u32 body)
{
	struct prog *p = prog_new("loop", PROG_TYPE_RAW);
	struct builder *b = builder_new();
	label_t start = builder_label(b), check = builder_label(b);

	bld_alu_imm(b, BPF_MOV, BPF_REG_0, 0);
	bld_alu_imm(b, BPF_MOV, BPF_REG_3, 10);
	for (u32 i = 0; i < before; i++)
		bld_alu32_reg(b, BPF_ADD, BPF_REG_0, BPF_REG_1);
	bld_ja(b, check);
	builder_bind(b, start);
	for (u32 i = 0; i < body; i++)
		bld_alu32_reg(b, BPF_ADD, BPF_REG_0, BPF_REG_2);
	builder_bind(b, check);
	bld_alu_imm(b, BPF_SUB, BPF_REG_3, 1);
	bld_jmp_imm(b, BPF_JNE, BPF_REG_3, 0, start);
	bld_exit(b);
	assert_int_equal(builder_finish(b, p, NULL), 0);
	builder_free(b);
	return p;
}

static u32 lines(u32 from, u32 to)
{
	return (to - 1) / 64 - from / 64 + 1;
}

static void short_loops_lie_well(void **state)
{
	const struct jit_opts opts = {.target = jit_target_by_name("x86_64")};

	(void)state;
	for (u32 before = 0; before < 50; before++)
		for (u32 body = 0; body < 60; body++) {
			struct prog *p = loop_program(before, body);
			struct both t = {.prog = p};
			u32 start = 2 + before + 1, end = start + body + 2;

			both_recompile(&t, NULL, &opts);
			u32 from = t.image.insn_off[start], to = t.image.insn_off[end];
			bool is_short = to - from <= 128;

			if (is_short && lines(from, to) > lines(0, to - from))
				fail_msg("loop at %u to %u", from, to);
			if (!is_short) /* nothing moved it */
				assert_true(from - t.image.insn_off[start - 1] <= 5);
			if (jit_target_host() == opts.target)
				assert_int_equal(
					run_jit(&t, 1000, 1, NULL), before * 1000 + body * 9);
			both_free(&t);
		}
}

/* What prog_check would have refused must not become code either. */
static void unknown_instructions(void **state)
{
	static const struct insn bad[] = {
		{.code = BPF_STX | BPF_ATOMIC | BPF_W, .dst = 1, .src = 2, .imm = 0x77},
		{.code = BPF_LD | BPF_ABS},
	};
	const struct jit_opts opts = {.target = jit_target_by_name("x86_64")};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		const struct insn insns[] = {bad[i], EXIT};
		struct prog *p = prog_new("bad", PROG_TYPE_RAW);
		struct jit_image image = {0};

		prog_set_insns(p, insns, 2);
		assert_int_equal(jit_compile(p, NULL, &opts, &image, NULL), -ENOTSUP);
		prog_free(p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(golden_code),
		cmocka_unit_test(facts_are_used),
		cmocka_unit_test(only_far_jumps_are_long),
		cmocka_unit_test(short_loops_lie_well),
		cmocka_unit_test(unknown_instructions),
	};

	return cmocka_run_group_tests_name("x86-code", tests, NULL, NULL);
}
