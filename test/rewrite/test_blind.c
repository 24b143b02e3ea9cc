/* Constants that the pass `blind` hides are in no target's code, and programs do what they did. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/bytes.h"
#include "base/diag.h"
#include "isa/builder.h"
#include "isa/isa.h"
#include "isa/op.h"
#include "jit/jit.h"
#include "rewrite/rewrite.h"
#include "../interp_once.h"
#include "verify/verify.h"

enum { MEM_BYTES = 128 };

static const u32 constants[] = {0x13579bdf, 0xeca86421, 0x7a5b3c19, 0x90e0f1a3, 0x2b0b6a79};

/* ---- programs ---- */

struct loaded_prog {
	struct prog *p;
	struct facts f;
};

/* -E2BIG: the pass has no room. */
static int load(const struct prog *p, const char *also, struct loaded_prog *out, struct diag *d)
{
	struct rewrite_opts opts = {.also = also, .skip = "*"};

	*out = (struct loaded_prog){.p = prog_clone(p)};
	assert_non_null(out->p);
	if (verify(out->p, NULL, &out->f, NULL, d))
		fail_msg("%s", diag_first(d));
	return rewrite(out->p, &out->f, &opts, d);
}

static void unload(struct loaded_prog *l)
{
	facts_fini(&l->f);
	prog_free(l->p);
}

static bool is_operand(const struct op *op)
{
	u8 cls = BPF_CLASS(op->code);

	return (op->imm.rule == OP_ANY || op->imm.rule == OP_NONZERO) && cls != BPF_LD &&
	       op->code != (BPF_JMP | BPF_CALL);
}

/* All registers hold something that the result depends on, if they are to be `crowded`. */
static struct prog *program(const struct op *op, u32 k, bool crowded)
{
	struct builder *b = builder_new();
	struct prog *p = prog_new("t", PROG_TYPE_RAW);
	struct insn i = {.code = op->code, .dst = 2, .imm = (s32)k};
	u8 last = crowded ? BPF_REG_9 : BPF_REG_3, cls = BPF_CLASS(op->code);
	label_t end = builder_label(b);

	p->raw_mem_bytes = MEM_BYTES;
	i.off = op->off.rule == OP_SEL ? op->off.value : 0;
	if (cls == BPF_ST)
		i.dst = BPF_REG_1, i.off = 8;
	bld_const(b, BPF_REG_0, 0);
	for (u8 reg = BPF_REG_2; reg <= last; reg++)
		bld_load(b, BPF_DW, reg, BPF_REG_1, (s16)(8 * reg));
	if (crowded)
		bld_load(b, BPF_DW, BPF_REG_0, BPF_REG_1, 0);
	if (cls == BPF_JMP)
		bld_jmp_imm(b, BPF_OP(op->code), 2, (s32)k, end);
	else if (cls == BPF_JMP32)
		bld_jmp32_imm(b, BPF_OP(op->code), 2, (s32)k, end);
	else
		bld_insn(b, i);
	bld_alu_imm(b, BPF_ADD, BPF_REG_0, 1);
	builder_bind(b, end);
	for (u8 reg = BPF_REG_2; reg <= last; reg++)
		bld_alu_reg(b, BPF_ADD, BPF_REG_0, reg);
	bld_load(b, BPF_DW, BPF_REG_1, BPF_REG_1, 8);
	bld_alu_reg(b, BPF_ADD, BPF_REG_0, BPF_REG_1);
	bld_exit(b);
	assert_int_equal(builder_finish(b, p, NULL), 0);
	builder_free(b);
	return p;
}

static struct prog *wide_program(u64 k)
{
	struct builder *b = builder_new();
	struct prog *p = prog_new("t", PROG_TYPE_RAW);

	p->raw_mem_bytes = MEM_BYTES;
	bld_load(b, BPF_DW, BPF_REG_0, BPF_REG_1, 0);
	bld_const(b, BPF_REG_2, k);
	bld_alu_reg(b, BPF_XOR, BPF_REG_0, BPF_REG_2);
	bld_exit(b);
	assert_int_equal(builder_finish(b, p, NULL), 0);
	builder_free(b);
	return p;
}

/* ---- code ---- */

/* arm64: MOVZ, MOVN or MOVK of this half. */
static bool moves_half(u32 word, u16 half)
{
	return (word & 0x1f800000) == 0x12800000 && (word >> 5 & 0xffff) == half;
}

static bool shows(const struct buf *code, u32 k)
{
	for (size_t at = 0; at + 4 <= code->len; at++)
		if (load_le32(code->data + at) == k)
			return true;
	for (size_t at = 0; at + 8 <= code->len; at += 4)
		if (moves_half(load_le32(code->data + at), (u16)k) &&
			moves_half(load_le32(code->data + at + 4), (u16)(k >> 16)))
			return true;
	return false;
}

/* Also by another name: the next one, its complement or its negative. */
static bool shows_some_form(const struct buf *code, u32 k)
{
	return shows(code, k) || shows(code, ~k) || shows(code, 0 - k) || shows(code, k + 1);
}

static bool in_code(const struct loaded_prog *l, const struct jit_target *target, u32 k)
{
	struct jit_opts opts = {.target = target};
	struct jit_image image = {0};

	assert_int_equal(jit_compile(l->p, &l->f, &opts, &image, NULL), 0);
	bool found = shows_some_form(&image.code, k);
	jit_image_fini(&image);
	return found;
}

static u64 run(const struct loaded_prog *l, bool native, u8 *mem)
{
	struct jit_image image = {0};
	struct jit_code *code = NULL;

	if (!native)
		return interp_once(l->p, (u64)(uintptr_t)mem, MEM_BYTES, NULL);
	assert_int_equal(jit_compile(l->p, &l->f, &(struct jit_opts){0}, &image, NULL), 0);
	assert_int_equal(jit_code_new(&image, &code, NULL), 0);
	u64 r0 = jit_code_entry(code)((u64)(uintptr_t)mem, MEM_BYTES, NULL);
	jit_code_free(code);
	jit_image_fini(&image);
	return r0;
}

static void expect_same(const struct loaded_prog *plain, const struct loaded_prog *blind, u32 k)
{
	const u64 values[] = {0, 1, k, (u64)(s64)(s32)k, k + 1, ~(u64)0, (u64)k << 32 | 7};

	for (size_t v = 0; v < ARRAY_LEN(values); v++)
		for (int native = 0; native <= (jit_target_host() != NULL); native++) {
			u64 a[MEM_BYTES / 8], b[MEM_BYTES / 8];

			for (size_t n = 0; n < ARRAY_LEN(a); n++)
				a[n] = b[n] = values[v] + (n > 2) * n;
			u64 want = run(plain, false, (u8 *)a), got = run(blind, native, (u8 *)b);
			assert_true(want == got && !memcmp(a, b, sizeof(a)));
		}
}

/* ---- tests ---- */

/* How often the constant was seen when it wasn't hidden: else nothing would be shown. */
static u32 seen[8];

static void check(const struct prog *p, u32 k)
{
	struct loaded_prog plain, blind, again;

	assert_int_equal(load(p, NULL, &plain, NULL), 0);
	assert_int_equal(load(p, "h", &blind, NULL), 0);
	assert_int_equal(load(p, "h", &again, NULL), 0);
	for (size_t t = 0; jit_target_at(t); t++) {
		seen[t] += in_code(&plain, jit_target_at(t), k);
		if (in_code(&blind, jit_target_at(t), k)) {
			struct buf text = {0};
			prog_print(&text, blind.p);
			fail_msg("0x%x is in the code for %s of\n%s", k,
				jit_target_name(jit_target_at(t)), buf_cstr(&text));
		}
	}
	/* Other numbers each time. */
	assert_true(blind.p->len == again.p->len &&
		    memcmp(blind.p->insns, again.p->insns, blind.p->len * sizeof(struct insn)));
	expect_same(&plain, &blind, k);
	unload(&plain);
	unload(&blind);
	unload(&again);
}

static void every_operand(void **state)
{
	u32 forms = 0;

	(void)state;
	for (unsigned id = 0; id < NR_OPS; id++) {
		const struct op *op = op_at((enum op_id)id);

		if (!is_operand(op))
			continue;
		forms++;
		for (size_t c = 0; c < ARRAY_LEN(constants); c++) {
			struct prog *p = program(op, constants[c], false);

			check(p, constants[c]);
			prog_free(p);
		}
	}
	assert_true(forms > 45);
	for (size_t t = 0; jit_target_at(t); t++)
		assert_true(seen[t] > 20 * ARRAY_LEN(constants));
}

static void wide_constants(void **state)
{
	(void)state;
	for (size_t c = 0; c + 1 < ARRAY_LEN(constants); c++) {
		u64 k = (u64)constants[c] << 32 | constants[c + 1];
		struct prog *p = wide_program(k);

		check(p, (u32)k);
		check(p, (u32)(k >> 32));
		prog_free(p);
	}
}

/* Where no register is free one is saved. */
static void crowded_registers(void **state)
{
	(void)state;
	for (unsigned id = 0; id < NR_OPS; id++) {
		const struct op *op = op_at((enum op_id)id);
		if (!is_operand(op))
			continue;
		struct prog *p = program(op, constants[0], true);
		check(p, constants[0]);
		prog_free(p);
	}
}

static void full_stack(void **state)
{
	struct builder *b = builder_new();
	struct prog *p = prog_new("t", PROG_TYPE_RAW);
	struct loaded_prog l;
	struct diag d = {0};

	(void)state;
	p->raw_mem_bytes = 8;
	bld_store_imm(b, BPF_DW, BPF_REG_FP, -504, 5);
	bld_load(b, BPF_DW, BPF_REG_0, BPF_REG_FP, -504);
	bld_exit(b);
	assert_int_equal(builder_finish(b, p, NULL), 0);
	builder_free(b);
	assert_int_equal(load(p, "h", &l, &d), -E2BIG);
	assert_non_null(strstr(diag_first(&d), "no 16 bytes of stack"));
	unload(&l);
	diag_fini(&d);
	prog_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_operand),
		cmocka_unit_test(wide_constants),
		cmocka_unit_test(crowded_registers),
		cmocka_unit_test(full_stack),
	};

	return cmocka_run_group_tests_name("blind", tests, NULL, NULL);
}
