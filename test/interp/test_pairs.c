/* Steps that take an operand from the step before, and pairs of steps: each row of pairs.def must do what the checked interpreter
 * does, which takes everything from memory and one step at a time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/diag.h"
#include "cpu/cpu.h"
#include "interp/checked.h"
#include "interp/interp.h"
#include "interp/step.h"
#include "isa/isa.h"

enum { MEM_BYTES = 128, TRIES = 20000, ENOUGH = 20, INSNS_MAX = 64 };

static const struct {
	u8 first, first_from, second, second_from;
} rows[] = {
#define PAIR(first, first_from, second, second_from) \
	{OP_##first, FROM_##first_from, OP_##second, FROM_##second_from},
#include "interp/pairs.def"
#undef PAIR
};

struct code {
	struct insn insns[INSNS_MAX];
	u32 len;
};

static u8 mem[MEM_BYTES] __attribute__((aligned(16)));
static u64 seed = 1;

static u32 random_below(u32 n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (u32)(seed >> 33) % n;
}

static void put(struct code *c, struct insn i)
{
	assert_true(c->len < INSNS_MAX);
	c->insns[c->len++] = i;
}

static void put_const(struct code *c, u32 reg, u64 value)
{
	put(c, (struct insn){.code = 0x18, .dst = reg & 15u, .imm = (s32)(u32)value});
	put(c, (struct insn){.imm = (s32)(u32)(value >> 32)});
}

/* Something that is often an address when it has to be, or a number of any size. */
static u64 some_value(void)
{
	switch (random_below(4)) {
	case 0:
		return (u64)random_below(4);
	case 1:
		return (u64)random_below(1u << 31) << random_below(33);
	default:
		return (u64)(uintptr_t)mem + 8 * random_below(4);
	}
}

static u32 reg_but(u32 a, u32 b)
{
	u32 reg;

	do
		reg = random_below(10);
	while (reg == a || reg == b);
	return reg;
}

static s32 some_imm(const struct op *op)
{
	switch ((enum op_rule)op->imm.rule) {
	case OP_ZERO:
	case OP_SEL:
		return op->imm.value;
	case OP_SHIFT32:
	case OP_SHIFT64:
		return (s32)random_below(random_below(2) ? 1 : 32);
	case OP_NONZERO:
		return 1 + (s32)random_below(100);
	default:
		return (s32)random_below(random_below(2) ? 9 : UINT32_MAX);
	}
}

static s16 some_off(const struct op *op)
{
	if (op->off.rule == OP_MEM)
		return (s16)random_below(32);
	return op->off.rule == OP_JUMP ? 1 : op->off.value;
}

/* The instruction, with its operands where `from` says when `held` is the register that was written last. */
static void put_op(struct code *c, enum op_id id, enum from from, u32 held)
{
	const struct op *op = op_at(id);
	struct insn i = {.code = op->code, .imm = some_imm(op), .off = some_off(op)};
	bool has_src = op->src.rule == OP_R, has_dst = op->dst.rule != OP_ZERO;
	bool reads_dst = op->dst.rule == OP_R || op->dst.rule == OP_RW;

	if (has_src)
		i.src = (from == FROM_src ? held : reg_but(held, held)) & 15u;
	if (has_dst && reads_dst)
		i.dst = (from == FROM_dst ? held : reg_but(held, held)) & 15u;
	else if (has_dst)
		i.dst = random_below(10) & 15u;
	put(c, i);
	if (insn_is_ld_imm64(i))
		put(c, (struct insn){.imm = some_imm(op)});
	if (op->off.rule == OP_JUMP) /* what a taken jump leaves out */
		put(c, (struct insn){
			       .code = 0xa7, .dst = reg_but(i.dst, i.src) & 15u, .imm = 0x5a5a});
}

/* Everything that there is in r0. */
static void put_end(struct code *c)
{
	for (u32 reg = 1; reg < 10; reg++) {
		put(c, (struct insn){.code = 0x27, .imm = 0x10dcd});
		put(c, (struct insn){.code = 0x0f, .src = reg & 15u});
	}
	put(c, (struct insn){.code = 0x95});
}

static void write_program(struct code *c, size_t row)
{
	const struct op *first = op_at((enum op_id)rows[row].first);
	u32 held = random_below(10);

	c->len = 0;
	for (u32 reg = 0; reg < 10; reg++)
		put_const(c, reg, some_value());
	put_const(c, held, some_value());
	put_op(c, (enum op_id)rows[row].first, (enum from)rows[row].first_from, held);
	if (first->dst.rule == OP_W || first->dst.rule == OP_RW)
		held = c->insns[insn_is_ld_imm64(c->insns[c->len - 2]) ? c->len - 2 : c->len - 1]
			       .dst;
	put_op(c, (enum op_id)rows[row].second, (enum from)rows[row].second_from, held);
	put_end(c);
}

static void fill_mem(void)
{
	for (u32 i = 0; i < MEM_BYTES; i++)
		mem[i] = (u8)(i * 37 + 11);
}

/* False: the checked interpreter says that there are no such accesses. */
static bool compare(const struct code *c, size_t row, u8 *self)
{
	struct prog *p = prog_new("pair", PROG_TYPE_RAW);
	struct diag d = {0};
	u8 expected[MEM_BYTES];
	u64 result = 0;

	assert_int_equal(prog_set_insns(p, c->insns, c->len), 0);
	p->internal = true;
	assert_int_equal(prog_check(p, &d), 0);
	fill_mem();
	bool fine = !interp_run_checked(p, mem, MEM_BYTES, self, 1000, &result, &d);
	memcpy(expected, mem, MEM_BYTES);
	if (fine) {
		struct step *steps = interp_new(p);

		fill_mem();
		u64 got = interp_run(steps, (uintptr_t)mem, MEM_BYTES, self);
		if (got != result || memcmp(mem, expected, MEM_BYTES) != 0)
			fail_msg("row %zu of pairs.def, %s and %s: 0x%llx, should be 0x%llx",
				row + 1, op_at((enum op_id)rows[row].first)->name,
				op_at((enum op_id)rows[row].second)->name, (unsigned long long)got,
				(unsigned long long)result);
		interp_free(steps);
	}
	prog_free(p);
	diag_fini(&d);
	return fine;
}

static void pairs_do_both(void **state)
{
	struct code c;
	struct cpus *cpus;
	u32 done;

	(void)state;
	assert_int_equal(cpus_new(1, &cpus, NULL), 0);
	assert_int_equal(cpu_take(cpus, 0), 0);
	for (size_t row = 0; row < ARRAY_LEN(rows); row++) {
		done = 0;
		for (u32 i = 0; i < TRIES && done < ENOUGH; i++) {
			write_program(&c, row);
			done += compare(&c, row, cpu_base(cpus, 0));
		}
		if (done < ENOUGH)
			fail_msg("row %zu of pairs.def ran %u times only", row + 1, done);
	}
	cpu_release(cpus, 0);
	cpus_free(cpus);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(pairs_do_both)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
