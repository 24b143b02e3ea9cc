/* Assembler and disassembler undo each other; refusals stand at the right place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/diag.h"
#include "base/limits.h"
#include "isa/builder.h"
#include "isa/isa.h"
#include "isa/op.h"
#include "isa/prog.h"

static void assert_same(const struct prog *p, const struct prog *q)
{
	assert_int_equal(p->len, q->len);
	assert_memory_equal(p->insns, q->insns, p->len * sizeof(*p->insns));
}

/* Prints p, assembles the text, wants the same instructions. */
static void round_trip(const struct prog *p)
{
	struct prog *q = prog_new("q", PROG_TYPE_RAW);
	struct buf text = {0};
	struct diag d = {0};

	prog_print(&text, p);
	assert_false(text.failed);
	if (prog_assemble(q, "listing", (const char *)text.data, text.len, &d))
		fail_msg("line %u: %s: %s", d.entries[0].pos.line, diag_first(&d),
			d.entries[0].source);
	assert_same(p, q);
	diag_fini(&d);
	buf_fini(&text);
	prog_free(q);
}

/* Every row with every combination of edge values that its checks accept. */
static void every_form(void **state)
{
	u32 part = *(u32 *)*state;
	static const s32 imms[] = {0, 1, -1, 31, 63, 0x12345678, INT32_MAX, INT32_MIN};
	static const s16 offs[] = {0, 1, -1, INT16_MAX, INT16_MIN};
	bool seen[NR_OPS] = {false};
	struct builder *b = builder_new();
	struct prog *p = prog_new("p", PROG_TYPE_RAW);

	for (unsigned id = 0; id < NR_OPS; id++) {
		const struct op *op = op_at((enum op_id)id);
		u32 valid = 0;

		for (u32 regs = 0; regs < 256; regs++) {
			for (size_t n = 0; n < ARRAY_LEN(imms) * ARRAY_LEN(offs); n++) {
				struct insn i = {.code = op->code,
					.dst = regs & 0xfu,
					.src = regs >> 4 & 0xfu};
				struct insn next = {.imm = imms[(n + regs) % ARRAY_LEN(imms)]};

				i.off = op->off.rule == OP_SEL ? op->off.value
							       : offs[n % ARRAY_LEN(offs)];
				i.imm = op->imm.rule == OP_SEL ? op->imm.value
							       : imms[n / ARRAY_LEN(offs)];
				if (insn_check(i, &next, true) || op_of(i) != op)
					continue;
				seen[id] = true;
				if (valid++ % part)
					continue;
				bld_insn(b, i);
				if (insn_is_ld_imm64(i))
					bld_insn(b, next);
			}
		}
		if (!seen[id])
			fail_msg("no value of row %s was valid", op->name);
		assert_int_equal(builder_finish(b, p, NULL), 0);
		round_trip(p);
	}
	prog_free(p);
	builder_free(b);
}

static u64 random_u64(u64 *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

static void random_bytes(void **state)
{
	u32 len = 100000 / *(u32 *)*state;
	struct prog *p = prog_new("p", PROG_TYPE_RAW);
	u64 seed = 0x9e3779b97f4a7c15;

	for (int round = 0; round < 4; round++) {
		struct insn *insns = mem_alloc(len * sizeof(*insns));

		for (size_t i = 0; i < len; i++) {
			u64 raw = random_u64(&seed);

			/* Mostly zero off or imm, so that many are valid. */
			if (round & 1)
				raw &= 0xffffffff0000ffff;
			if (round & 2)
				raw &= 0x000000ffffffffff;
			memcpy(&insns[i], &raw, sizeof(raw));
		}
		assert_int_equal(prog_set_insns(p, insns, len), 0);
		mem_free(insns);
		round_trip(p);
	}
	prog_free(p);
}

/* Damaged text is refused with a position inside it, or means what its listing means. */
static void damaged_text(void **state)
{
	static const char letters[] = "r0w19x-+*/%&|^<>=!(),[];:# \t.abfgilnpsu_\x00\x80";
	struct prog *p = prog_new("p", PROG_TYPE_RAW);
	u64 seed = 0x0123456789abcdef;
	unsigned good = 0, bad = 0, rounds = 200 / *(u32 *)*state;

	for (unsigned round = 0; round < rounds; round++) {
		for (unsigned id = 0; id < NR_OPS; id++) {
			const struct op *op = op_at((enum op_id)id);
			struct insn i = {.code = op->code, .dst = 1};
			struct buf text = {0};
			struct diag d = {0};

			i.src = (op->src.rule == OP_SEL ? (u32)op->src.value
							: op->src.rule != OP_ZERO) &
				0xfu;
			i.off = op->off.rule == OP_SEL ? op->off.value : 0;
			i.imm = op->imm.rule == OP_SEL ? op->imm.value : op->imm.rule != OP_ZERO;
			insn_print(&text, i, &(struct insn){0});
			buf_cstr(&text);
			for (u64 edits = random_u64(&seed) % 3 + 1; edits; edits--)
				text.data[random_u64(&seed) % text.len] =
					(u8)letters[random_u64(&seed) % (sizeof(letters) - 1)];
			int err = prog_assemble(p, "f", (const char *)text.data, text.len, &d);
			if (err) {
				assert_int_equal(err, -EINVAL);
				assert_true(d.nr && d.entries[0].pos.line == 1 &&
					    d.entries[0].pos.col >= 1);
				assert_true(d.entries[0].pos.col <= text.len + 1);
			} else {
				round_trip(p);
			}
			good += !err;
			bad += !!err;
			diag_fini(&d);
			buf_fini(&text);
		}
	}
	assert_true(good > 100 && bad > 1000);
	prog_free(p);
}

/* The second half of a pair has no row of its own, and a row's code must order with its neighbours'. */
static void table_is_sound(void **state)
{
	(void)state;
	for (unsigned id = 0; id < NR_OPS; id++) {
		const struct op *op = op_at((enum op_id)id), *first = op_first(op->code);

		assert_int_not_equal(op->code, 0);
		assert_int_equal(op_id_of(op), id);
		for (const struct op *o = first; o <= op; o++)
			assert_int_equal(o->code, op->code);
		for (unsigned other = 0; other < id; other++)
			assert_string_not_equal(op->text, op_at((enum op_id)other)->text);
	}
}

static const char *test_name(u32 id)
{
	return id == 1 ? "map_lookup_elem" : NULL;
}

static void helper_names(void **state)
{
	struct buf out = {0};

	(void)state;
	insn_print_named(&out, (struct insn){.code = 0x85, .imm = 1}, NULL, test_name);
	assert_string_equal(buf_cstr(&out), "call bpf_map_lookup_elem#1");
	buf_reset(&out);
	insn_print_named(&out, (struct insn){.code = 0x85, .imm = 2}, NULL, test_name);
	assert_string_equal(buf_cstr(&out), "call 2");
	buf_fini(&out);
}

static void source_lines(void **state)
{
	struct builder *b = builder_new();
	struct prog *p = prog_new("p", PROG_TYPE_RAW);
	struct buf out = {0};

	(void)state;
	builder_line(b, 1, 1, "-A INPUT -j DROP");
	bld_alu_imm(b, BPF_MOV, BPF_REG_0, 1);
	builder_line(b, 2, 1, NULL);
	bld_const(b, BPF_REG_1, 0x123456789a);
	bld_exit(b);
	assert_int_equal(builder_finish(b, p, NULL), 0);
	prog_print(&out, p);
	assert_string_equal(buf_cstr(&out),
		"; -A INPUT -j DROP\n   0: r0 = 1\n   1: r1 = 0x123456789a ll\n   3: exit\n");
	round_trip(p);
	buf_fini(&out);
	prog_free(p);
	builder_free(b);
}

static void failure_leaves_program(void **state)
{
	struct prog *p = prog_new("p", PROG_TYPE_RAW), *q;
	static const char good[] = "r0 = 1\nexit\n", bad[] = "r0 = 2\nfoo\nexit\n";

	(void)state;
	assert_int_equal(prog_assemble(p, "f", good, sizeof(good) - 1, NULL), 0);
	assert_int_equal(prog_line_of(p, 1)->line, 2);
	q = prog_clone(p);
	assert_int_equal(prog_assemble(p, "f", bad, sizeof(bad) - 1, NULL), -EINVAL);
	assert_same(p, q);
	prog_free(q);
	prog_free(p);
}

static void survives_no_memory(void **state)
{
	static const char text[] = "if r1 == 2 goto out\nr0 = map[0]+4 ll\nout: exit\n";

	(void)state;
	for (u64 n = 1;; n++) {
		struct prog *p = prog_new("p", PROG_TYPE_RAW);
		struct diag d = {0};

		mem_fail_at(n);
		int err = prog_assemble(p, "f", text, sizeof(text) - 1, &d);
		mem_fail_at(0);
		assert_true(err == 0 ? p->len == 4 : err == -ENOMEM && !p->insns);
		diag_fini(&d);
		prog_free(p);
		if (!err)
			break;
		assert_true(n < 50);
	}
}

static void too_far(void **state)
{
	struct prog *p = prog_new("p", PROG_TYPE_RAW);
	struct buf text = {0};
	struct diag d = {0};

	(void)state;
	buf_puts(&text, "goto x\n");
	for (u32 n = 0; n < 32768; n++)
		buf_puts(&text, "exit\n");
	buf_puts(&text, "x: exit\n");
	assert_int_equal(prog_assemble(p, "f", buf_cstr(&text), text.len, &d), -EINVAL);
	assert_non_null(strstr(diag_first(&d), "farther than 16 bits"));
	diag_fini(&d);
	buf_reset(&text);
	buf_puts(&text, "gotol x\n");
	for (u32 n = 0; n < 32768; n++)
		buf_puts(&text, "exit\n");
	buf_puts(&text, "x: exit\n");
	assert_int_equal(prog_assemble(p, "f", buf_cstr(&text), text.len, &d), 0);
	assert_int_equal(p->insns[0].imm, 32768);
	buf_fini(&text);
	prog_free(p);
}

static void too_long(void **state)
{
	struct prog *p = prog_new("p", PROG_TYPE_RAW);
	struct buf text = {0};
	struct diag d = {0};

	(void)state;
	for (u32 n = 0; n < PROG_MAX_INSNS; n++)
		buf_puts(&text, "exit\n");
	buf_puts(&text, "x: goto x\ny: goto x\nr1 = y ll\nr1 = func x ll\n");
	assert_int_equal(prog_assemble(p, "f", buf_cstr(&text), text.len, &d), -EINVAL);
	assert_int_equal(d.nr_errors, 1);
	diag_fini(&d);
	text.len -= strlen("r1 = y ll\nr1 = func x ll\n");
	assert_int_equal(prog_assemble(p, "f", buf_cstr(&text), text.len, &d), -E2BIG);
	assert_non_null(strstr(diag_first(&d), "PROG_MAX_INSNS"));
	diag_fini(&d);
	buf_fini(&text);
	prog_free(p);
}

/* Usage: test-isa-text [N]: only one of N cases, where there are many. */
int main(int argc, char **argv)
{
	u32 part = argc > 1 ? (u32)strtoul(argv[1], NULL, 0) : 1;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(table_is_sound),
		cmocka_unit_test_prestate(every_form, &part),
		cmocka_unit_test_prestate(random_bytes, &part),
		cmocka_unit_test_prestate(damaged_text, &part),
		cmocka_unit_test(helper_names),
		cmocka_unit_test(source_lines),
		cmocka_unit_test(failure_leaves_program),
		cmocka_unit_test(survives_no_memory),
		cmocka_unit_test(too_far),
		cmocka_unit_test(too_long),
	};

	return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
