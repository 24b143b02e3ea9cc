/* Back ends turn neighbours into shorter code when everything fits. Here are sequences that they may know, and every program
 * that differs from one of them in a single field: another opcode, register, constant, offset, a jump into the middle;
 * each with some of the registers dead behind it. The code must do what the interpreter does. */
#include "harness.h"

#include <string.h>

#include "base/diag.h"

enum { MEM_BYTES = 192, NR_GENERAL = 10, SEQUENCE_MAX = 8 };

/* r1 points here. r6 and r7 point into mem, r8 is what decides about jumps into the middle. */
struct bench {
	u64 in[NR_GENERAL];
	u64 out[NR_GENERAL];
	u8 mem[MEM_BYTES];
};

struct sequence {
	const char *name;
	struct insn insns[SEQUENCE_MAX];
	u32 n;
};

#define ALU(w, op, d, s) \
	{ \
		.code = (w) | (op) | BPF_X, .dst = (d), .src = (s) \
	}
#define ALUK(w, op, d, k) \
	{ \
		.code = (w) | (op) | BPF_K, .dst = (d), .imm = (k) \
	}
#define W64 BPF_ALU64
#define W32 BPF_ALU
#define LOAD(size, d, s, o) \
	{ \
		.code = BPF_LDX | BPF_MEM | (size), .dst = (d), .src = (s), .off = (o) \
	}
#define STORE(size, d, o, s) \
	{ \
		.code = BPF_STX | BPF_MEM | (size), .dst = (d), .src = (s), .off = (o) \
	}
#define STOREK(size, d, o, k) \
	{ \
		.code = BPF_ST | BPF_MEM | (size), .dst = (d), .off = (o), .imm = (k) \
	}
#define PERCPU(d, s) \
	{ \
		.code = BPF_ALU64 | BPF_MOV | BPF_X, .dst = (d), .src = (s), \
		.off = BPF_PERCPU_MOV_OFF \
	}
#define JUMP(cls, op, d, s, o) \
	{ \
		.code = (cls) | (op) | BPF_X, .dst = (d), .src = (s), .off = (o) \
	}
#define JUMPK(cls, op, d, k, o) \
	{ \
		.code = (cls) | (op) | BPF_K, .dst = (d), .imm = (k), .off = (o) \
	}
#define JA(o) \
	{ \
		.code = BPF_JMP | BPF_JA, .off = (o) \
	}
#define SWAP(bits, d) \
	{ \
		.code = BPF_ALU | BPF_END | BPF_X, .dst = (d), .imm = (bits) \
	}
#define CONST64(d, v) \
	{.code = BPF_LD | BPF_IMM | BPF_DW, .dst = (d), .imm = (v)}, \
	{ \
		0 \
	}

static const struct sequence sequences[] = {
	{"rotate, two copies",
		{ALU(W64, BPF_MOV, 2, 1), ALUK(W64, BPF_RSH, 2, 51), ALU(W64, BPF_MOV, 3, 1),
			ALUK(W64, BPF_LSH, 3, 13), ALU(W64, BPF_OR, 3, 2)},
		5},
	{"rotate in place",
		{ALU(W32, BPF_MOV, 2, 1), ALUK(W32, BPF_RSH, 2, 19), ALUK(W32, BPF_LSH, 1, 13),
			ALU(W32, BPF_OR, 1, 2)},
		4},
	{"rotate, copy last",
		{ALU(W64, BPF_MOV, 2, 1), ALUK(W64, BPF_LSH, 1, 40), ALUK(W64, BPF_RSH, 2, 24),
			ALU(W64, BPF_XOR, 2, 1)},
		4},
	{"rotate with a move in between",
		{ALU(W64, BPF_MOV, 2, 1), ALUK(W64, BPF_RSH, 2, 51), ALU(W64, BPF_MOV, 4, 3),
			ALU(W64, BPF_MOV, 3, 1), ALUK(W64, BPF_LSH, 3, 13), ALU(W64, BPF_OR, 3, 2)},
		6},
	{"32-bit rotate of a 64-bit copy",
		{ALU(W64, BPF_MOV, 2, 1), ALUK(W32, BPF_LSH, 2, 8), ALU(W64, BPF_MOV, 3, 1),
			ALUK(W32, BPF_RSH, 3, 24), ALU(W32, BPF_ADD, 2, 3)},
		5},
	{"truncation",
		{ALU(W64, BPF_MOV, 2, 1), ALUK(W64, BPF_LSH, 2, 32), ALUK(W64, BPF_RSH, 2, 32)}, 3},
	{"sign extension", {ALUK(W64, BPF_LSH, 2, 48), ALUK(W64, BPF_ARSH, 2, 48)}, 2},
	{"byte of a word", {ALUK(W32, BPF_LSH, 2, 24), ALUK(W32, BPF_ARSH, 2, 24)}, 2},
	{"sum with a constant", {ALU(W64, BPF_MOV, 2, 1), ALUK(W64, BPF_ADD, 2, 14)}, 2},
	{"difference", {ALU(W64, BPF_MOV, 2, 1), ALUK(W64, BPF_SUB, 2, 14)}, 2},
	{"sum", {ALU(W64, BPF_MOV, 2, 1), ALU(W64, BPF_ADD, 2, 3)}, 2},
	{"32-bit sum", {ALU(W32, BPF_MOV, 2, 1), ALU(W32, BPF_ADD, 2, 3)}, 2},
	{"product", {ALU(W64, BPF_MOV, 2, 1), ALUK(W64, BPF_MUL, 2, 5)}, 2},
	{"scaled index",
		{ALU(W64, BPF_MOV, 2, 1), ALUK(W64, BPF_LSH, 2, 3), ALU(W64, BPF_ADD, 2, 3)}, 3},
	{"masked copy", {ALU(W64, BPF_MOV, 2, 1), ALUK(W64, BPF_AND, 2, 255)}, 2},
	{"field", {ALU(W64, BPF_MOV, 2, 1), ALUK(W64, BPF_RSH, 2, 8), ALUK(W64, BPF_AND, 2, 15)},
		3},
	{"shifted operand",
		{ALU(W64, BPF_MOV, 2, 1), ALUK(W64, BPF_LSH, 2, 4), ALU(W64, BPF_OR, 3, 2)}, 3},
	{"product and sum", {ALU(W64, BPF_MUL, 2, 1), ALU(W64, BPF_ADD, 3, 2)}, 2},
	{"counter", {LOAD(BPF_DW, 2, 6, 8), ALUK(W64, BPF_ADD, 2, 1), STORE(BPF_DW, 6, 8, 2)}, 3},
	{"16-bit counter", {LOAD(BPF_H, 2, 6, 8), ALUK(W64, BPF_SUB, 2, 1), STORE(BPF_H, 6, 8, 2)},
		3},
	{"byte flags", {LOAD(BPF_B, 2, 6, 8), ALUK(W32, BPF_OR, 2, 64), STORE(BPF_B, 6, 8, 2)}, 3},
	{"sum in memory", {LOAD(BPF_W, 2, 6, 8), ALU(W64, BPF_ADD, 2, 3), STORE(BPF_W, 6, 8, 2)},
		3},
	{"operand in memory", {LOAD(BPF_DW, 2, 6, 8), ALU(W64, BPF_XOR, 3, 2)}, 2},
	{"operand in memory, behind a move",
		{LOAD(BPF_DW, 2, 6, 8), ALU(W64, BPF_MOV, 4, 3), ALU(W64, BPF_XOR, 3, 2)}, 3},
	{"32-bit operand in memory", {LOAD(BPF_W, 2, 6, 8), ALU(W32, BPF_ADD, 3, 2)}, 2},
	{"address and operand are one", {LOAD(BPF_DW, 6, 6, 8), ALU(W64, BPF_SUB, 3, 6)}, 2},
	{"two words",
		{LOAD(BPF_DW, 2, 6, 0), LOAD(BPF_DW, 3, 6, 8), STORE(BPF_DW, 7, 0, 2),
			STORE(BPF_DW, 7, 8, 3)},
		4},
	{"swapped half", {LOAD(BPF_H, 2, 6, 8), SWAP(16, 2)}, 2},
	{"swapped word", {LOAD(BPF_W, 2, 6, 8), SWAP(32, 2)}, 2},
	{"compare a byte",
		{LOAD(BPF_B, 2, 6, 8), JUMPK(BPF_JMP, BPF_JEQ, 2, 17, 1), ALUK(W64, BPF_MOV, 3, 1)},
		3},
	{"compare a half",
		{LOAD(BPF_H, 2, 6, 8), JUMPK(BPF_JMP, BPF_JGT, 2, 17, 1), ALUK(W64, BPF_MOV, 3, 1)},
		3},
	{"compare a word",
		{LOAD(BPF_W, 2, 6, 8), JUMPK(BPF_JMP, BPF_JLT, 2, 0x1111, 1),
			ALUK(W64, BPF_MOV, 3, 1)},
		3},
	{"test a word",
		{LOAD(BPF_W, 2, 6, 8), JUMPK(BPF_JMP32, BPF_JSET, 2, 0x10, 1),
			ALUK(W64, BPF_MOV, 3, 1)},
		3},
	{"compare with a register",
		{LOAD(BPF_DW, 2, 6, 8), JUMP(BPF_JMP, BPF_JNE, 2, 3, 1), ALUK(W64, BPF_MOV, 3, 1)},
		3},
	{"compare with a register, behind a sum",
		{LOAD(BPF_DW, 2, 6, 8), ALU(W64, BPF_ADD, 4, 3), JUMP(BPF_JMP, BPF_JNE, 2, 3, 1),
			ALUK(W64, BPF_MOV, 3, 1)},
		4},
	{"rotate with a sum in between",
		{ALU(W64, BPF_MOV, 2, 1), ALUK(W64, BPF_RSH, 2, 51), ALU(W64, BPF_ADD, 4, 1),
			ALUK(W64, BPF_LSH, 1, 13), ALU(W64, BPF_OR, 1, 2)},
		5},
	{"operation on a copy", {ALU(W64, BPF_MOV, 2, 1), ALU(W64, BPF_XOR, 2, 3)}, 2},
	{"test a bit",
		{ALU(W64, BPF_MOV, 2, 1), ALUK(W64, BPF_AND, 2, 16),
			JUMPK(BPF_JMP, BPF_JEQ, 2, 0, 1), ALUK(W64, BPF_MOV, 3, 1)},
		4},
	{"difference is zero",
		{ALU(W64, BPF_SUB, 2, 1), JUMPK(BPF_JMP, BPF_JNE, 2, 0, 1),
			ALUK(W64, BPF_MOV, 3, 1)},
		3},
	{"choice",
		{ALUK(W64, BPF_MOV, 3, 1), JUMPK(BPF_JMP, BPF_JEQ, 1, 0, 1),
			ALUK(W64, BPF_MOV, 3, 0)},
		3},
	{"choice of registers", {JUMP(BPF_JMP, BPF_JGT, 1, 2, 1), ALU(W64, BPF_MOV, 1, 2)}, 2},
	{"range check",
		{JUMPK(BPF_JMP, BPF_JLT, 1, 16, 3), JUMPK(BPF_JMP, BPF_JGT, 1, 32, 1),
			ALUK(W64, BPF_MOV, 2, 1), ALUK(W64, BPF_MOV, 3, 1)},
		4},
	{"jump over a jump",
		{JUMPK(BPF_JMP, BPF_JSGT, 1, 0, 1), JA(1), ALUK(W64, BPF_MOV, 3, 1),
			ALUK(W64, BPF_MOV, 2, 5)},
		4},
	{"per-CPU load", {ALUK(W64, BPF_MOV, 2, 32), PERCPU(2, 2), LOAD(BPF_DW, 3, 2, 8)}, 3},
	{"per-CPU load, two constants",
		{ALUK(W64, BPF_MOV, 3, 64), ALUK(W64, BPF_MOV, 2, 32), PERCPU(2, 2),
			LOAD(BPF_DW, 3, 2, 8)},
		4},
	{"per-CPU load, swapped",
		{ALUK(W64, BPF_MOV, 2, 32), PERCPU(2, 2), LOAD(BPF_H, 3, 2, 8), SWAP(16, 3)}, 4},
	{"per-CPU load from a register",
		{ALUK(W64, BPF_MOV, 3, 32), PERCPU(2, 3), LOAD(BPF_W, 2, 2, 8)}, 3},
	{"per-CPU store", {ALUK(W64, BPF_MOV, 2, 32), PERCPU(2, 2), STOREK(BPF_W, 2, 8, 77)}, 3},
	{"per-CPU store of a register",
		{ALUK(W32, BPF_MOV, 2, 32), PERCPU(2, 2), STORE(BPF_H, 2, 8, 1)}, 3},
	{"per-CPU counter",
		{CONST64(2, 32), PERCPU(2, 2), LOAD(BPF_DW, 3, 2, 8), ALUK(W64, BPF_ADD, 3, 1),
			STORE(BPF_DW, 2, 8, 3)},
		6},
	{"per-CPU sum",
		{CONST64(2, 32), PERCPU(2, 2), LOAD(BPF_DW, 3, 2, 8), ALU(W64, BPF_ADD, 3, 1),
			STORE(BPF_DW, 2, 8, 3)},
		6},
	{"per-CPU operand",
		{CONST64(2, 32), PERCPU(2, 2), LOAD(BPF_DW, 3, 2, 8), ALU(W64, BPF_ADD, 1, 3)}, 5},
	{"per-CPU compare",
		{CONST64(2, 32), PERCPU(2, 2), LOAD(BPF_DW, 3, 2, 8),
			JUMP(BPF_JMP, BPF_JGT, 3, 1, 1), ALUK(W64, BPF_MOV, 4, 1)},
		6},
	{"constant division",
		{ALUK(W64, BPF_DIV, 2, 10), ALUK(W64, BPF_MUL, 2, 10), ALU(W64, BPF_SUB, 1, 2)}, 3},
	{"cmpxchg reads r0",
		{LOAD(BPF_DW, 0, 6, 8), ALU(W64, BPF_XOR, 3, 0),
			{.code = BPF_STX | BPF_ATOMIC | BPF_DW,
				.dst = 7,
				.src = 4,
				.imm = BPF_CMPXCHG}},
		3},
	{"fetch writes its operand",
		{LOAD(BPF_DW, 4, 6, 8), ALU(W64, BPF_XOR, 3, 4), ALUK(W64, BPF_MOV, 4, 1),
			{.code = BPF_STX | BPF_ATOMIC | BPF_DW,
				.dst = 7,
				.src = 4,
				.imm = BPF_ADD | BPF_FETCH}},
		4},
	{"wide constant", {CONST64(2, 0x1234), ALU(W64, BPF_AND, 1, 2)}, 3},
};

/* What a register may be used for: the sequence must not follow wild pointers. */
enum content { NUMBER, POINTER, SMALL /* a constant that is a valid per-CPU offset */ };

/* Follows the instructions in order; jumps only skip some of them, so a register is a pointer only if it is on every path:
 * what is written behind a jump counts as a number. */
static bool is_safe(const struct insn *insns, u32 n)
{
	u8 content[16] = {[BPF_REG_6] = POINTER, [BPF_REG_7] = POINTER};
	bool jumped = false;

	for (u32 pc = 0; pc < n; pc += insn_is_ld_imm64(insns[pc]) ? 2 : 1) {
		struct insn i = insns[pc];
		unsigned cls = BPF_CLASS(i.code);
		unsigned base = cls == BPF_LDX ? i.src : i.dst;

		if (i.dst >= NR_GENERAL || (i.src >= NR_GENERAL && BPF_SRC(i.code) == BPF_X) ||
			(cls == BPF_LDX && i.src >= NR_GENERAL))
			return false;
		if (i.code == (BPF_JMP | BPF_CALL) || insn_is_exit(i))
			return false;
		if (cls == BPF_LDX || cls == BPF_ST || cls == BPF_STX) {
			if (content[base] != POINTER || i.off < -32 || i.off > 32 ||
				(BPF_MODE(i.code) == BPF_ATOMIC && i.off % 8))
				return false;
		}
		jumped |= insn_is_cond_jump(i) || insn_is_ja(i);
		if ((insn_is_cond_jump(i) || insn_is_ja(i)) &&
			(insn_jump_off(i) < 0 || pc + 1 + (u32)insn_jump_off(i) > n))
			return false;
		bool writes = cls == BPF_LDX || cls == BPF_LD || cls == BPF_ALU || cls == BPF_ALU64;
		if (BPF_MODE(i.code) == BPF_ATOMIC && cls == BPF_STX)
			content[i.imm == BPF_CMPXCHG ? BPF_REG_0 : i.src] = NUMBER;
		if (!writes)
			continue;
		bool is_mov_imm =
			BPF_OP(i.code) == BPF_MOV && BPF_SRC(i.code) == BPF_K && cls != BPF_LDX;
		bool is_small = (is_mov_imm || (insn_is_ld_imm64(i) && insns[pc + 1].imm == 0)) &&
				i.imm >= 32 && i.imm <= 128;
		u8 made = insn_is_percpu_mov(i) && content[i.src] == SMALL ? POINTER
			  : is_small                                       ? SMALL
									   : NUMBER;
		content[i.dst] = jumped ? NUMBER : made;
	}
	return true;
}

/* Addresses of subprograms are numbers before a JIT gets to see them. */
static bool takes_function(const struct prog *p)
{
	for (u32 pc = 0; pc < p->len; pc += insn_is_ld_imm64(p->insns[pc]) ? 2 : 1)
		if (insn_is_ld_imm64(p->insns[pc]) && p->insns[pc].src == LD_IMM64_FUNC)
			return true;
	return false;
}

/* Loads registers, goes to the sequence (or into its middle when r8 is odd), stores those that are live. */
static struct prog *program_of(const struct insn *insns, u32 n, u32 enter_at, unsigned live)
{
	struct prog *p = prog_new("fuse", PROG_TYPE_RAW);
	struct builder *b = builder_new();

	bld_store(b, BPF_DW, BPF_REG_FP, -8, BPF_REG_1);
	for (u8 r = 0; r < NR_GENERAL; r++)
		if (r != BPF_REG_1)
			bld_load(b, BPF_DW, r, BPF_REG_1, (s16)(8 * r));
	bld_load(b, BPF_DW, BPF_REG_1, BPF_REG_1, 8);
	if (enter_at)
		bld_insn(b, (struct insn){.code = BPF_JMP | BPF_JSET | BPF_K,
				    .dst = BPF_REG_8,
				    .imm = 1,
				    .off = (s16)enter_at});
	for (u32 i = 0; i < n; i++)
		bld_insn(b, insns[i]);
	for (u8 r = 0; r < NR_GENERAL; r++)
		if (live >> r & 1)
			bld_store(b, BPF_DW, BPF_REG_FP, (s16)(-16 - 8 * r), r);
	bld_load(b, BPF_DW, BPF_REG_1, BPF_REG_FP, -8);
	for (u8 r = 0; r < NR_GENERAL; r++)
		if (live >> r & 1) {
			bld_load(b, BPF_DW, BPF_REG_0, BPF_REG_FP, (s16)(-16 - 8 * r));
			bld_store(b, BPF_DW, BPF_REG_1,
				(s16)((int)offsetof(struct bench, out) + 8 * r), BPF_REG_0);
		}
	bld_alu_imm(b, BPF_MOV, BPF_REG_0, 1);
	bld_exit(b);
	p->internal = true;
	bool ok = builder_finish(b, p, NULL) == 0 && prog_check(p, NULL) == 0 && !takes_function(p);
	builder_free(b);
	if (ok)
		return p;
	prog_free(p);
	return NULL;
}

static void fill(struct bench *w, u64 seed, u64 r8)
{
	for (unsigned r = 0; r < NR_GENERAL; r++)
		w->in[r] = edges[rnd_below(&seed, (u32)nr_edges)];
	for (size_t i = 0; i < MEM_BYTES; i += 8) {
		u64 v = rnd_below(&seed, 2) ? edges[rnd_below(&seed, (u32)nr_edges)]
					    : 0x11111111111111 * rnd_below(&seed, 3);

		memcpy(&w->mem[i], &v, 8);
	}
	memset(w->out, 0, sizeof(w->out));
	w->in[BPF_REG_6] = (u64)(uintptr_t)&w->mem[48];
	w->in[BPF_REG_7] = (u64)(uintptr_t)&w->mem[112];
	w->in[BPF_REG_8] = r8;
	if (rnd_below(&seed, 2))
		w->in[BPF_REG_2] = w->in[BPF_REG_1];
}

static u64 nr_programs;

static void check_live(const struct sequence *s, const struct insn *insns, u32 n, u32 enter_at,
	unsigned live, u64 *seed)
{
	static struct bench work;
	struct bench expected;
	struct prog *p =
		is_safe(insns, n) && !(enter_at && !is_safe(insns + enter_at, n - enter_at))
			? program_of(insns, n, enter_at, live)
			: NULL;

	if (!p)
		return;
	struct both t = {.prog = p};
	both_recompile(&t, NULL, NULL);
	for (u64 round = 0; round < 8; round++) {
		u64 values = rnd(seed) | 1;

		fill(&work, values, round & 1);
		run_interp(&t, (u64)(uintptr_t)&work, 0, work.mem);
		expected = work;
		fill(&work, values, round & 1);
		run_jit(&t, (u64)(uintptr_t)&work, 0, work.mem);
		if (!memcmp(&expected, &work, sizeof(work)))
			continue;
		print_error(
			"a variant of '%s', live 0x%x, entered at %u:\n", s->name, live, enter_at);
		for (unsigned r = 0; r < NR_GENERAL; r++)
			print_error("  r%u: in 0x%llx interpreter 0x%llx code 0x%llx\n", r,
				(unsigned long long)work.in[r], (unsigned long long)expected.out[r],
				(unsigned long long)work.out[r]);
		both_print(&t);
		fail();
	}
	nr_programs++;
	both_free(&t);
}

/* With different registers dead. */
static void check(
	const struct sequence *s, const struct insn *insns, u32 n, u32 enter_at, u64 *seed)
{
	/* What sequences leave behind is in r2 and r3, sometimes in r1 and r6. */
	check_live(s, insns, n, enter_at, 0x3ff & ~0x04u, seed);
	check_live(s, insns, n, enter_at, 0x3ff & ~0x08u, seed);
	check_live(s, insns, n, enter_at, 0x3ff & ~((unsigned)rnd(seed) & 0x4e), seed);
	check_live(s, insns, n, enter_at, 0x3ff & ~0x0cu, seed);
}

/* The sequence with one field of instruction `at` changed. */
static void vary(const struct sequence *s, u32 at, u64 *seed)
{
	static const s16 offs[] = {0, 1, 2, 8, 16, -8};
	struct insn insns[SEQUENCE_MAX];
	struct insn *i = &insns[at];
	const struct insn was = s->insns[at];

	memcpy(insns, s->insns, sizeof(insns));
	for (unsigned code = 0; code < 256; code++) {
		i->code = (u8)code;
		check(s, insns, s->n, 0, seed);
	}
	*i = was;
	for (unsigned reg = 0; reg < NR_GENERAL; reg++) {
		i->dst = reg & 15u;
		check(s, insns, s->n, 0, seed);
		i->dst = was.dst;
		i->src = reg & 15u;
		check(s, insns, s->n, 0, seed);
		*i = was;
	}
	for (size_t k = 0; k < nr_edge_imms; k++) {
		i->imm = edge_imms[k];
		check(s, insns, s->n, 0, seed);
	}
	for (s32 k = 0; k < 64; k++) {
		i->imm = k;
		check(s, insns, s->n, 0, seed);
	}
	*i = was;
	for (size_t k = 0; k < ARRAY_LEN(offs); k++) {
		i->off = offs[k];
		check(s, insns, s->n, 0, seed);
	}
}

static void one_field_differs(void **state)
{
	u64 seed = 0x9e3779b97f4a7c15;

	(void)state;
	for (size_t s = 0; s < ARRAY_LEN(sequences); s++)
		for (u32 at = 0; at < sequences[s].n; at++) {
			for (unsigned round = 0; round < 8; round++)
				check(&sequences[s], sequences[s].insns, sequences[s].n, 0, &seed);
			if (at)
				check(&sequences[s], sequences[s].insns, sequences[s].n, at, &seed);
			vary(&sequences[s], at, &seed);
		}
	assert_true(nr_programs > 20000);
}

/* Two fields differ, at random. */
static void two_fields_differ(void **state)
{
	u64 seed = 0xfedcba9876543211;

	(void)state;
	for (unsigned run = 0; run < 30000; run++) {
		const struct sequence *s = &sequences[rnd_below(&seed, ARRAY_LEN(sequences))];
		struct insn insns[SEQUENCE_MAX];

		memcpy(insns, s->insns, sizeof(insns));
		for (unsigned change = 0; change < 2; change++) {
			struct insn *i = &insns[rnd_below(&seed, s->n)];

			switch (rnd_below(&seed, 5)) {
			case 0:
				i->code ^= (u8)(1u << rnd_below(&seed, 8));
				break;
			case 1:
				i->dst = rnd_below(&seed, 8) & 15u;
				break;
			case 2:
				i->src = rnd_below(&seed, 8) & 15u;
				break;
			case 3:
				i->imm = edge_imms[rnd_below(&seed, (u32)nr_edge_imms)];
				break;
			default:
				i->off = (s16)(8 * (s32)rnd_below(&seed, 4) - 8);
			}
		}
		check(s, insns, s->n, rnd_below(&seed, 4) ? 0 : rnd_below(&seed, s->n), &seed);
	}
}

/* Offsets that no addressing mode holds: the base is far away so that the sum is not. */
static void wide_percpu_offsets(void **state)
{
	static const struct {
		u64 offset;
		bool is_mov32;
		s16 off;
	} cases[] = {
		{0x7ffffff0, false, 8},
		{0x7ffffff8, false, 8},
		{0x80000000, false, 0},
		{0xfffffff0, true, 8},
		{0x80000000, true, 0},
		{0x123456789abc, false, -8},
		{(u64)-16, false, 0},
		{0xffffffff80000000, false, -8},
	};
	static u64 words[4] = {11, 22, 33, 44};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct builder *b = builder_new();
		u8 *self = (u8 *)((u64)(uintptr_t)&words[1] - cases[i].offset);
		const struct insn percpu = PERCPU(2, 2);

		if (cases[i].is_mov32)
			bld_alu32_imm(b, BPF_MOV, BPF_REG_2, (s32)(u32)cases[i].offset);
		else
			bld_const(b, BPF_REG_2, cases[i].offset);
		bld_insn(b, percpu);
		bld_load(b, BPF_DW, BPF_REG_0, BPF_REG_2, cases[i].off);
		bld_exit(b);
		struct both t = both_of(b);
		assert_int_equal(run_interp(&t, 0, 0, self), run_jit(&t, 0, 0, self));
		assert_int_equal(run_jit(&t, 0, 0, self), words[1 + cases[i].off / 8]);
		both_free(&t);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_field_differs),
		cmocka_unit_test(two_fields_differ),
		cmocka_unit_test(wide_percpu_offsets),
	};

	if (!jit_target_host()) {
		print_message("no JIT for this host\n");
		return 77;
	}
	return cmocka_run_group_tests_name("jit-fuse", tests, NULL, NULL);
}
