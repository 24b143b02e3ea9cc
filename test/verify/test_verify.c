/* What text cases can't say: size and speed, limits, the log, running out of memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/diag.h"
#include "base/limits.h"
#include "isa/builder.h"
#include "isa/isa.h"
#include "isa/prog.h"
#include "verify/verify.h"

static struct prog *finished(struct builder *b, enum prog_type type)
{
	struct prog *p = prog_new("test", type);
	struct diag d = {0};

	assert_non_null(p);
	assert_int_equal(builder_finish(b, p, &d), 0);
	builder_free(b);
	return p;
}

/* Verifies and frees p, which must be accepted. */
static struct verify_stats accepted(struct prog *p)
{
	struct facts f = {0};
	struct verify_stats stats = {0};
	struct diag d = {0};

	if (verify(p, NULL, &f, &stats, &d))
		fail_msg("insn %u: %s", d.entries[0].pos.line, diag_first(&d));
	facts_fini(&f);
	prog_free(p);
	return stats;
}

static int verdict(const struct prog *p, const struct verify_opts *opts, char *reason, size_t size)
{
	struct facts f = {0};
	struct diag d = {0};
	int err = verify(p, opts, &f, NULL, &d);

	if (err)
		assert_null(f.insns);
	strncpy(reason, diag_first(&d), size - 1);
	facts_fini(&f);
	diag_fini(&d);
	return err;
}

static void straight_line(void **state)
{
	struct builder *b = builder_new();

	(void)state;
	bld_alu_imm(b, BPF_MOV, BPF_REG_0, 1);
	for (u32 n = 0; n < 100000; n++)
		bld_alu_imm(b, n & 1 ? BPF_ADD : BPF_XOR, BPF_REG_0, (s32)n);
	bld_exit(b);
	struct prog *p = finished(b, PROG_TYPE_RAW);
	struct verify_stats stats = accepted(p);
	assert_int_equal(stats.insns_walked, 100002);
	assert_int_equal(stats.branches_peak, 0);
}

/* The last instruction comes first, then each jumps to the one before it: time that grows with the square of the length
 * would be an hour. */
static void backwards(void **state)
{
	enum { LEN = 400000 };
	struct insn *insns = mem_zalloc(LEN * sizeof(*insns));
	struct prog *p = prog_new("test", PROG_TYPE_RAW);

	(void)state;
	insns[0] = (struct insn){.code = BPF_ALU64 | BPF_MOV | BPF_K};
	insns[1] = (struct insn){.code = BPF_JMP32 | BPF_JA, .imm = LEN - 3};
	insns[2] = (struct insn){.code = BPF_JMP | BPF_EXIT};
	for (u32 pc = 3; pc < LEN; pc++)
		insns[pc] = (struct insn){.code = BPF_JMP | BPF_JA, .off = -2};
	assert_int_equal(prog_set_insns(p, insns, LEN), 0);
	mem_free(insns);
	assert_int_equal(accepted(p).insns_walked, LEN);
}

/* r7, r8, r9: fields of a packet; r6: the context. */
static void load_fields(struct builder *b, label_t out)
{
	bld_alu_reg(b, BPF_MOV, BPF_REG_6, BPF_REG_1);
	bld_load(b, BPF_DW, BPF_REG_2, BPF_REG_1, 0);
	bld_load(b, BPF_DW, BPF_REG_3, BPF_REG_1, 8);
	bld_alu_reg(b, BPF_MOV, BPF_REG_4, BPF_REG_2);
	bld_alu_imm(b, BPF_ADD, BPF_REG_4, 54);
	bld_jmp_reg(b, BPF_JGT, BPF_REG_4, BPF_REG_3, out);
	bld_load(b, BPF_DW, BPF_REG_7, BPF_REG_2, 8);
	bld_load(b, BPF_DW, BPF_REG_8, BPF_REG_2, 16);
	bld_load(b, BPF_H, BPF_REG_9, BPF_REG_2, 42);
}

enum layout { FIELDS_FIRST, PORT_FIRST, PORT_FIRST_32, OUT_OF_LINE, COUNT_AND_GO_ON };

static void rule(struct builder *b, enum layout layout, u32 n, label_t tail)
{
	label_t next = builder_label(b);

	if (layout == PORT_FIRST || layout == COUNT_AND_GO_ON)
		bld_jmp_imm(b, BPF_JNE, BPF_REG_9, (s32)n, next);
	if (layout == PORT_FIRST_32)
		bld_jmp32_imm(b, BPF_JNE, BPF_REG_9, (s32)n, next);
	bld_const(b, BPF_REG_0, 0x20010db800000000ull + n);
	bld_jmp_reg(b, BPF_JNE, BPF_REG_7, BPF_REG_0, next);
	bld_const(b, BPF_REG_0, n);
	bld_jmp_reg(b, BPF_JNE, BPF_REG_8, BPF_REG_0, next);
	if (layout == FIELDS_FIRST)
		bld_jmp_imm(b, BPF_JNE, BPF_REG_9, (s32)n, next);
	bld_alu_imm(b, BPF_MOV, BPF_REG_5, (s32)n);
	if (layout == COUNT_AND_GO_ON)
		bld_store(b, BPF_DW, BPF_REG_FP, -8, BPF_REG_5);
	else
		bld_ja(b, tail);
	builder_bind(b, next);
}

/* Rules whose matches end in one shared tail, which uses the rule's number. */
static struct prog *rules(enum layout layout, u32 nr)
{
	struct builder *b = builder_new();
	label_t tail = builder_label(b), out = builder_label(b);

	load_fields(b, out);
	bld_store_imm(b, BPF_DW, BPF_REG_FP, -8, 0);
	if (layout == OUT_OF_LINE) {
		label_t *matches = mem_alloc(nr * sizeof(*matches)),
			*backs = mem_alloc(nr * sizeof(*backs));

		for (u32 n = 0; n < nr; n++) {
			matches[n] = builder_label(b);
			backs[n] = builder_label(b);
			bld_jmp_imm(b, BPF_JEQ, BPF_REG_9, (s32)n, matches[n]);
			builder_bind(b, backs[n]);
		}
		bld_ja(b, out);
		for (u32 n = 0; n < nr; n++) {
			builder_bind(b, matches[n]);
			bld_const(b, BPF_REG_0, 0x20010db800000000ull + n);
			bld_jmp_reg(b, BPF_JNE, BPF_REG_7, BPF_REG_0, backs[n]);
			bld_alu_imm(b, BPF_MOV, BPF_REG_5, (s32)n);
			bld_ja(b, tail);
		}
		mem_free(matches);
		mem_free(backs);
	} else {
		for (u32 n = 0; n < nr; n++)
			rule(b, layout, n, tail);
		bld_alu_imm(b, BPF_MOV, BPF_REG_5, 0);
	}
	builder_bind(b, tail);
	if (layout != OUT_OF_LINE)
		bld_store(b, BPF_DW, BPF_REG_FP, -16, BPF_REG_5);
	bld_load(b, BPF_DW, BPF_REG_1, BPF_REG_FP, -8);
	bld_store(b, BPF_DW, BPF_REG_FP, -24, BPF_REG_1);
	bld_alu_imm(b, BPF_MOV, BPF_REG_0, 1);
	bld_exit(b);
	builder_bind(b, out);
	bld_alu_imm(b, BPF_MOV, BPF_REG_0, 0);
	bld_exit(b);
	return finished(b, PROG_TYPE_PACKET);
}

static void rules_cost_no_more_than_their_length(void **state)
{
	(void)state;
	for (enum layout layout = FIELDS_FIRST; layout <= COUNT_AND_GO_ON; layout++) {
		struct prog *p = rules(layout, 3000);
		u32 len = p->len;
		struct verify_stats stats = accepted(p);

		if (stats.insns_walked > 2 * len)
			fail_msg("layout %d: %u steps for %u instructions", (int)layout,
				stats.insns_walked, len);
	}
}

/* Numbers that differ from path to path, and matter: no pruning helps, the limit does. */
static struct prog *exploding(void)
{
	struct builder *b = builder_new();

	bld_alu_imm(b, BPF_MOV, BPF_REG_5, 0);
	bld_load(b, BPF_DW, BPF_REG_3, BPF_REG_1, 0);
	for (s32 n = 0; n < 24; n++) {
		label_t skip = builder_label(b);

		bld_jmp_imm(b, BPF_JSET, BPF_REG_3, 1 << n, skip);
		bld_alu_imm(b, BPF_ADD, BPF_REG_5, 1 << n);
		builder_bind(b, skip);
	}
	bld_alu_imm(b, BPF_AND, BPF_REG_5, 7);
	bld_alu_reg(b, BPF_ADD, BPF_REG_1, BPF_REG_5);
	bld_load(b, BPF_B, BPF_REG_0, BPF_REG_1, 0);
	bld_exit(b);
	struct prog *p = finished(b, PROG_TYPE_RAW);
	p->raw_mem_bytes = 8;
	return p;
}

static void limits(void **state)
{
	struct verify_opts few = {.max_insns = 5000};
	char reason[200] = "";
	struct builder *b = builder_new();

	(void)state;
	struct prog *p = exploding();
	assert_int_equal(verdict(p, &few, reason, sizeof(reason)), -E2BIG);
	assert_string_equal(reason, "BPF program is too large. Processed 5001 insn");
	p->internal = true;
	assert_int_equal(verdict(p, NULL, reason, sizeof(reason)), -EINVAL);
	prog_free(p);

	label_t out = builder_label(b);
	bld_load(b, BPF_W, BPF_REG_2, BPF_REG_1, 16);
	bld_alu_imm(b, BPF_MOV, BPF_REG_0, 0);
	for (u32 n = 0; n <= VERIFY_MAX_BRANCHES; n++)
		bld_jmp_imm(b, BPF_JEQ, BPF_REG_2, (s32)n, out);
	builder_bind(b, out);
	bld_exit(b);
	p = finished(b, PROG_TYPE_PACKET);
	assert_int_equal(verdict(p, NULL, reason, sizeof(reason)), -E2BIG);
	assert_string_equal(reason, "The sequence of 65537 jumps is too complex.");
	prog_free(p);
}

static struct prog *assembled(const char *text, enum prog_type type)
{
	struct prog *p = prog_new("test", type);
	struct diag d = {0};

	if (prog_assemble(p, "test", text, strlen(text), &d))
		fail_msg("%s", diag_first(&d));
	return p;
}

static void logs(void **state)
{
	static const char text[] = "r0 = *(u32 *)(r1 +16)\nif r0 > 5 goto +1\nr0 = 1\nexit\n";
	struct prog *p = assembled(text, PROG_TYPE_PACKET);
	struct buf log = {0};
	struct verify_opts opts = {.log_level = 1, .log = &log};
	char reason[200] = "";

	(void)state;
	assert_int_equal(verdict(p, &opts, reason, sizeof(reason)), -EINVAL);
	assert_string_equal(buf_cstr(&log),
		"0: R1=ctx() R10=fp0\n"
		"0: (61) r0 = *(u32 *)(r1 +16)         ; "
		"R0=scalar(smin=0,smax=umax=0xffffffff,var_off=(0x0; 0xffffffff)) R1=ctx()\n"
		"1: (25) if r0 > 0x5 goto pc+1\n"
		"3: R0=scalar(smin=umin=umin32=6,smax=umax=0xffffffff,var_off=(0x0; "
		"0xffffffff)) "
		"R1=ctx() R10=fp0\n"
		"3: (95) exit\n"
		"At program exit the register R0 has unknown scalar value should have been in [0, "
		"2]\n"
		"processed 5 insns (limit 1000000) max_states_per_insn 0 total_states 0 "
		"peak_states 1 mark_read 0\n");
	buf_reset(&log);
	opts.log_level = 2;
	assert_int_equal(verdict(p, &opts, reason, sizeof(reason)), -EINVAL);
	assert_non_null(strstr(buf_cstr(&log), "2: (b7) r0 = 1                        ; R0=1\n"));
	buf_reset(&log);
	opts.log_level = 0;
	assert_int_equal(verdict(p, &opts, reason, sizeof(reason)), -EINVAL);
	assert_int_equal(log.len, 0);
	buf_fini(&log);
	prog_free(p);
}

/* Every allocation fails once: an error, no leak (under a sanitizer), and facts untouched. */
static void no_memory(void **state)
{
	struct prog *p = rules(COUNT_AND_GO_ON, 40);
	struct facts f = {0};
	u64 nth = 1;

	(void)state;
	for (;; nth++) {
		mem_fail_at(nth);
		int err = verify(p, NULL, &f, NULL, NULL);
		mem_fail_at(0);
		if (!err)
			break;
		assert_int_equal(err, -ENOMEM);
		assert_null(f.insns);
	}
	assert_true(nth > 5);
	facts_fini(&f);
	prog_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(straight_line),
		cmocka_unit_test(backwards),
		cmocka_unit_test(rules_cost_no_more_than_their_length),
		cmocka_unit_test(limits),
		cmocka_unit_test(logs),
		cmocka_unit_test(no_memory),
	};

	return cmocka_run_group_tests_name("verify", tests, NULL, NULL);
}
