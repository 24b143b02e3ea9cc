/* Distances and frames: what text cases are too small for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <limits.h>
#include <pthread.h>

#include "base/limits.h"
#include "cpu/cpu.h"
#include "helper/helper.h"
#include "../interp_once.h"
#include "isa/builder.h"
#include "isa/isa.h"
#include "isa/op.h"

static u64 finish_and_run(struct builder *b)
{
	struct prog *p = prog_new("t", PROG_TYPE_RAW);

	assert_int_equal(builder_finish(b, p, NULL), 0);
	assert_int_equal(prog_check(p, NULL), 0);
	u64 result = interp_once(p, 0, 0, NULL);
	prog_free(p);
	builder_free(b);
	return result;
}

/* Must never run. */
static void filler(struct builder *b, u32 n)
{
	for (u32 i = 0; i < n; i++)
		bld_const(b, BPF_REG_0, 0xbad);
}

/* Start jumps over filler to the end, the end back to the middle, the middle leaves. */
static u64 run_there_and_back(u32 distance, bool conditional)
{
	struct builder *b = builder_new();
	label_t end = builder_label(b), middle = builder_label(b);

	bld_const(b, BPF_REG_0, 1);
	if (conditional)
		bld_jmp_imm(b, BPF_JSET, BPF_REG_0, 1, end);
	else
		bld_ja(b, end);
	filler(b, 7);
	builder_bind(b, middle);
	bld_alu_imm(b, BPF_ADD, BPF_REG_0, 10);
	bld_exit(b);
	filler(b, distance);
	builder_bind(b, end);
	bld_alu_imm(b, BPF_ADD, BPF_REG_0, 100);
	if (conditional)
		bld_jmp32_imm(b, BPF_JGT, BPF_REG_0, 5, middle);
	else
		bld_ja(b, middle);
	bld_exit(b);
	return finish_and_run(b);
}

static void far_jumps(void **state)
{
	static const u32 distances[] = {
		0, 100, 32740, 32757, 32758, 32759, 32760, 32765, 32766, 32767, 32768, 200000};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(distances); i++) {
		assert_int_equal(run_there_and_back(distances[i], false), 111);
		assert_int_equal(run_there_and_back(distances[i], true), 111);
	}
}

static void far_calls(void **state)
{
	struct builder *b = builder_new();
	label_t f = builder_label(b), g = builder_label(b);

	(void)state;
	bld_const(b, BPF_REG_1, 1);
	bld_call_local(b, f);
	bld_exit(b);
	builder_bind(b, g);
	bld_alu_imm(b, BPF_ADD, BPF_REG_1, 10);
	bld_alu_reg(b, BPF_MOV, BPF_REG_0, BPF_REG_1);
	bld_exit(b);
	filler(b, 300000);
	bld_exit(b);
	builder_bind(b, f);
	bld_call_local(b, g);
	bld_alu_imm(b, BPF_ADD, BPF_REG_0, 100);
	bld_exit(b);
	assert_int_equal(finish_and_run(b), 111);
}

/* Every frame fills all of its stack with its number, calls the next one, and finds it unchanged. */
static void frames_do_not_overlap(void **state)
{
	struct builder *b = builder_new();

	(void)state;
	bld_const(b, BPF_REG_0, 0);
	for (u32 depth = 0; depth < PROG_MAX_CALL_DEPTH; depth++) {
		label_t next = builder_label(b), wrong = builder_label(b);
		bool last = depth == PROG_MAX_CALL_DEPTH - 1;

		bld_const(b, BPF_REG_6, 1000 + depth);
		for (s16 off = -(s16)PROG_STACK_BYTES; off < 0; off = (s16)(off + 8))
			bld_store(b, BPF_DW, BPF_REG_FP, off, BPF_REG_6);
		if (!last)
			bld_call_local(b, next);
		bld_jmp_imm(b, BPF_JNE, BPF_REG_6, (s32)(1000 + depth), wrong);
		for (s16 off = -(s16)PROG_STACK_BYTES; off < 0; off = (s16)(off + 8)) {
			bld_load(b, BPF_DW, BPF_REG_1, BPF_REG_FP, off);
			bld_jmp_reg(b, BPF_JNE, BPF_REG_1, BPF_REG_6, wrong);
		}
		bld_alu_imm(b, BPF_ADD, BPF_REG_0, 1);
		bld_exit(b);
		builder_bind(b, wrong);
		bld_alu_imm(b, BPF_ADD, BPF_REG_0, 100);
		bld_exit(b);
		builder_bind(b, next);
	}
	bld_exit(b);
	assert_int_equal(finish_and_run(b), PROG_MAX_CALL_DEPTH);
}

/* An instruction of this form that can stand in a loop, whatever it computes. */
static struct insn harmless(const struct op *op)
{
	u32 src = op->src.rule == OP_SEL ? (u32)op->src.value : op->src.rule == OP_ZERO ? 0 : 3;
	bool memory = op->off.rule == OP_MEM;
	struct insn i = {.code = op->code, .off = op->off.rule == OP_SEL ? op->off.value : 0};

	i.dst = op->dst.rule == OP_ZERO ? 0 : memory && op->dst.rule == OP_R ? BPF_REG_FP : 2;
	i.src = (memory && op->dst.rule == OP_W ? BPF_REG_FP : src) & 0xf;
	i.imm = op->imm.rule == OP_SEL ? op->imm.value : op->imm.rule != OP_ZERO;
	if (memory)
		i.off = -8;
	if (op_id_of(op) == OP_gotol)
		i.imm = 0;
	if (op_id_of(op) == OP_call_helper)
		i.imm = HELPER_get_numa_node_id;
	return i;
}

static void put_forms(struct builder *b)
{
	for (enum op_id id = 0; id < NR_OPS; id++)
		if (BPF_CLASS(op_at(id)->code) != BPF_LD && id != OP_call_kfunc &&
			id != OP_call_local && id != OP_exit)
			bld_insn(b, harmless(op_at(id)));
}

/* A step that didn't give its stack back before the next one would take megabytes. */
static void *run_loop(void *result)
{
	struct builder *b = builder_new();
	label_t again = builder_label(b), f = builder_label(b);
	struct cpus *cpus;

	bld_const(b, BPF_REG_6, 0);
	builder_bind(b, again);
	bld_store(b, BPF_DW, BPF_REG_FP, -8, BPF_REG_6);
	bld_const(b, BPF_REG_2, 1);
	bld_const(b, BPF_REG_3, 1);
	put_forms(b);
	bld_call_local(b, f);
	bld_alu_imm(b, BPF_ADD, BPF_REG_6, 1);
	bld_jmp_imm(b, BPF_JNE, BPF_REG_6, 100000, again);
	bld_alu_reg(b, BPF_MOV, BPF_REG_0, BPF_REG_6);
	bld_exit(b);
	builder_bind(b, f);
	bld_const(b, BPF_REG_0, 0);
	bld_exit(b);
	struct prog *p = prog_new("t", PROG_TYPE_RAW);
	p->internal = true;
	assert_int_equal(builder_finish(b, p, NULL), 0);
	assert_int_equal(prog_check(p, NULL), 0);
	assert_int_equal(cpus_new(1, &cpus, NULL), 0);
	assert_int_equal(cpu_take(cpus, 0), 0);
	u8 *before = cpu_enter(cpu_base(cpus, 0));
	*(u64 *)result = interp_once(p, 0, 0, cpu_base(cpus, 0));
	cpu_enter(before);
	cpu_release(cpus, 0);
	cpus_free(cpus);
	prog_free(p);
	builder_free(b);
	return NULL;
}

static void steps_take_no_stack(void **state)
{
	pthread_attr_t attr;
	pthread_t thread;
	u64 result = 0;

	(void)state;
	assert_int_equal(pthread_attr_init(&attr), 0);
	assert_int_equal(pthread_attr_setstacksize(&attr, (size_t)PTHREAD_STACK_MIN + 65536), 0);
	assert_int_equal(pthread_create(&thread, &attr, run_loop, &result), 0);
	assert_int_equal(pthread_join(thread, NULL), 0);
	pthread_attr_destroy(&attr);
	assert_int_equal(result, 100000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(far_jumps),
		cmocka_unit_test(far_calls),
		cmocka_unit_test(frames_do_not_overlap),
		cmocka_unit_test(steps_take_no_stack),
	};

	return cmocka_run_group_tests_name("flow", tests, NULL, NULL);
}
