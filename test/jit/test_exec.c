/* Every row of isa/ops.def on registers and edge values: the machine code must leave all registers and the memory as the
 * interpreter does. */
#include "harness.h"

#include <string.h>

#include "isa/op.h"

enum { NR_GENERAL = 10 /* r0 ... r9 */, MEM_BYTES = 128, MEM_AT = 64 };

/* What a probe works on: r1 points here. */
struct bench {
	u64 in[NR_GENERAL];
	u64 out[NR_GENERAL];
	u64 jumped;
	u8 mem[MEM_BYTES];
};

static const s16 edge_offs[] = {0, 1, -1, 7, 8, 127, 128, -128, -129, 255, 256, -256, -257, 4095,
	4096, 16380, 32760, 32761, 32767, -32768};

/* Loads r0 ... r9 from bench.in, executes i (and next), stores r0 ... r9 to bench.out and whether i jumped. */
static struct both probe_of(struct insn i, const struct insn *next)
{
	struct builder *b = builder_new();
	const s16 self = -8, jumped = -16, saved = -24;

	bld_store(b, BPF_DW, BPF_REG_FP, self, BPF_REG_1);
	bld_store_imm(b, BPF_DW, BPF_REG_FP, jumped, 1);
	for (u8 r = 0; r < NR_GENERAL; r++)
		if (r != BPF_REG_1)
			bld_load(b, BPF_DW, r, BPF_REG_1, (s16)(8 * r));
	bld_load(b, BPF_DW, BPF_REG_1, BPF_REG_1, 8);
	bld_insn(b, i);
	if (next)
		bld_insn(b, *next);
	if (insn_is_cond_jump(i) || insn_is_ja(i))
		bld_store_imm(b, BPF_DW, BPF_REG_FP, jumped, 0);
	for (u8 r = 0; r < NR_GENERAL; r++)
		bld_store(b, BPF_DW, BPF_REG_FP, (s16)(saved - 8 * r), r);
	bld_load(b, BPF_DW, BPF_REG_1, BPF_REG_FP, self);
	for (u8 r = 0; r < NR_GENERAL; r++) {
		bld_load(b, BPF_DW, BPF_REG_0, BPF_REG_FP, (s16)(saved - 8 * r));
		bld_store(b, BPF_DW, BPF_REG_1, (s16)((int)offsetof(struct bench, out) + 8 * r),
			BPF_REG_0);
	}
	bld_load(b, BPF_DW, BPF_REG_0, BPF_REG_FP, jumped);
	bld_store(b, BPF_DW, BPF_REG_1, offsetof(struct bench, jumped), BPF_REG_0);
	bld_alu_imm(b, BPF_MOV, BPF_REG_0, 42);
	bld_exit(b);
	return both_of(b);
}

/* The register that an access goes through, or -1. */
static int base_of(struct insn i)
{
	switch (BPF_CLASS(i.code)) {
	case BPF_LDX:
		return i.src;
	case BPF_ST:
	case BPF_STX:
		return i.dst;
	default:
		return -1;
	}
}

static void fill(struct bench *t, struct insn i, u64 dst, u64 src)
{
	static const u64 distinct = 0x1111111111111111;
	int base = base_of(i);

	memset(t, 0, sizeof(*t));
	for (unsigned r = 0; r < NR_GENERAL; r++)
		t->in[r] = 0x8000000080000000 + distinct * r;
	t->in[i.src] = src;
	t->in[i.dst] = dst;
	for (size_t at = 0; at < MEM_BYTES; at += 8)
		memcpy(&t->mem[at], at == MEM_AT ? &dst : &distinct, 8);
	if (base >= 0)
		t->in[base] = (u64)(uintptr_t)&t->mem[MEM_AT] - (u64)(s64)i.off;
	if (BPF_MODE(i.code) == BPF_ATOMIC && i.imm == BPF_CMPXCHG && base != BPF_REG_0)
		t->in[BPF_REG_0] =
			src & 1 ? dst
				: dst ^ 0xffffffff00000000; /* equal, in the lower half, or not */
	if (i.imm == BPF_CMPXCHG && src & 2 && base != BPF_REG_0)
		t->in[BPF_REG_0]++;
}

static void compare(const struct both *t, struct insn i, u64 dst, u64 src)
{
	static _Alignas(64) struct bench work;
	struct bench expected;

	fill(&work, i, dst, src);
	u64 a = run_interp(t, (u64)(uintptr_t)&work, 0, (u8 *)(uintptr_t)0x123456789000);
	expected = work;
	fill(&work, i, dst, src);
	u64 b = run_jit(t, (u64)(uintptr_t)&work, 0, (u8 *)(uintptr_t)0x123456789000);
	if (a == b && !memcmp(&expected, &work, sizeof(work)))
		return;
	print_error("code 0x%02x dst r%u src r%u off %d imm %d on dst 0x%llx, src 0x%llx\n", i.code,
		i.dst, i.src, i.off, i.imm, (unsigned long long)dst, (unsigned long long)src);
	for (unsigned r = 0; r < NR_GENERAL; r++)
		print_error("  r%u: in 0x%llx interpreter 0x%llx code 0x%llx\n", r,
			(unsigned long long)work.in[r], (unsigned long long)expected.out[r],
			(unsigned long long)work.out[r]);
	print_error("  jumped: %llu %llu; memory %s\n", (unsigned long long)expected.jumped,
		(unsigned long long)work.jumped,
		memcmp(expected.mem, work.mem, MEM_BYTES) ? "differs" : "same");
	both_print(t);
	fail();
}

/* One instruction on all pairs of edge values; `step` thins them out. */
static void sweep_values(struct insn i, const struct insn *next, size_t step)
{
	struct both t = probe_of(i, next);

	for (size_t a = 0; a < nr_edges; a += step)
		for (size_t b = 0; b < nr_edges; b += step)
			compare(&t, i, edges[a], edges[b]);
	both_free(&t);
}

static bool has_src(const struct op *op)
{
	return op->src.rule == OP_R || op->src.rule == OP_W || op->src.rule == OP_RW;
}

static void sweep_offs(struct insn i, const struct op *op, size_t step)
{
	if (op->off.rule == OP_SEL)
		i.off = op->off.value;
	if (op->off.rule == OP_JUMP)
		i.off = 1;
	if (op->imm.rule == OP_JUMP)
		i.imm = 1;
	if (op->off.rule != OP_MEM) {
		sweep_values(i, NULL, step);
		return;
	}
	for (size_t o = 0; o < ARRAY_LEN(edge_offs); o++) {
		i.off = edge_offs[o];
		if (BPF_MODE(i.code) == BPF_ATOMIC && i.off % 8 && o % 3)
			continue;
		sweep_values(i, NULL, step * 3);
	}
}

static void sweep_imms(struct insn i, const struct op *op, size_t step)
{
	switch ((enum op_rule)op->imm.rule) {
	case OP_ANY:
	case OP_NONZERO:
		for (size_t k = 0; k < nr_edge_imms; k++) {
			i.imm = edge_imms[k];
			if (i.imm || op->imm.rule == OP_ANY)
				sweep_offs(i, op, 5);
		}
		break;
	case OP_SHIFT32:
	case OP_SHIFT64:
		for (i.imm = 0; i.imm < (op->imm.rule == OP_SHIFT64 ? 64 : 32); i.imm++)
			sweep_offs(i, op, 5);
		break;
	default:
		i.imm = op->imm.rule == OP_SEL ? op->imm.value : 0;
		sweep_offs(i, op, step);
	}
}

static void sweep_wide_imms(struct insn i)
{
	struct insn second = {0};

	for (size_t k = 0; k < nr_edges; k++) {
		i.imm = (s32)(u32)edges[k];
		second.imm = (s32)(u32)(edges[k] >> 32);
		sweep_values(i, &second, nr_edges);
	}
}

/* What needs a test of its own: calls, exit, addresses of maps. */
static bool is_probed(const struct op *op)
{
	struct insn i = {.code = op->code};

	if (BPF_CLASS(i.code) == BPF_LD)
		return op_id_of(op) == OP_ld64_value;
	return i.code != (BPF_JMP | BPF_CALL) && i.code != (BPF_JMP | BPF_EXIT);
}

static void sweep_registers(const struct op *op)
{
	struct insn i = {.code = op->code};

	if (op->src.rule == OP_SEL)
		i.src = (unsigned)op->src.value & 15u;
	for (unsigned dst = 0; dst < (op->dst.rule == OP_ZERO ? 1 : NR_GENERAL); dst++)
		for (unsigned src = 0; src < (has_src(op) ? NR_GENERAL : 1); src++) {
			i.dst = dst & 15u;
			if (has_src(op))
				i.src = src & 15u;
			/* All values for some pairs, fewer for the others. */
			if (op_id_of(op) == OP_ld64_value)
				sweep_wide_imms(i);
			else
				sweep_imms(i, op, dst == 6 && src == 7 ? 1 : 4);
		}
}

static void every_row(void **state)
{
	unsigned probed = 0;

	(void)state;
	for (unsigned id = 0; id < NR_OPS; id++) {
		const struct op *op = op_at((enum op_id)id);

		if (!is_probed(op))
			continue;
		sweep_registers(op);
		probed++;
	}
	assert_true(probed > 140);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_row),
	};

	if (!jit_target_host()) {
		print_message("no JIT for this host\n");
		return 77;
	}
	return cmocka_run_group_tests_name("jit-exec", tests, NULL, NULL);
}
