/* insn_check against this machine's kernel: is the form of an instruction refused by both or by neither?
 *
 * Each row of ops.def and each unknown opcode is loaded inside a tiny program with one or two fields
 * changed. A refusal counts as one of form when the verifier's text says so; other refusals (types, memory)
 * say nothing about the form. Where Linux differs from RFC 9669 on purpose, `known` says why. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../kernel_prog.h"
#include "base/types.h"
#include "isa/isa.h"
#include "isa/op.h"

enum { EXIT_SKIPPED = 77, LOG_BYTES = 1 << 14, REPORTED_MAX = 20, FILLERS = 5 };

/* What the verifier says about forms. */
static const char *const form_texts[] = {
	"reserved field",
	"unknown opcode",
	"invalid BPF_",
	"unrecognized bpf_ld_imm64",
	"invalid bpf_ld_imm64",
	"is invalid",
	"frame pointer is read only",
	"div by zero",
	"invalid shift",
	"invalid atomic operand size",
	"uses invalid atomic opcode",
	"uses unsupported",
	"unknown insn class",
	"BPF_END",
	"addr_space_cast insn",
};

static bool exit_off(struct insn i)
{
	return (i.code == 0x95 || (i.code == 0x85 && i.src != CALL_KFUNC)) && i.off;
}

static bool kfunc(struct insn i)
{
	return i.code == 0x85 && i.src == CALL_KFUNC;
}

static bool legacy_src(struct insn i)
{
	return insn_is_legacy_load(i) && i.src >= BPF_NR_REGS;
}

static bool may_goto(struct insn i)
{
	return i.code == 0xe5;
}

static bool addr_space_cast(struct insn i)
{
	return i.code == 0xbf && i.off == 1;
}

static bool load_acquire(struct insn i)
{
	return BPF_CLASS(i.code) == BPF_STX && BPF_MODE(i.code) == BPF_ATOMIC &&
	       (i.imm == 0x100 || i.imm == 0x110);
}

static bool pseudo_load(struct insn i)
{
	return i.code == 0x18 && i.src;
}

static const struct {
	const char *why;
	bool (*fits)(struct insn i);
} known[] = {
	{"Linux does not look at off of exit and call", exit_off},
	{"Linux looks up a kernel function first, and off selects its BTF", kfunc},
	{"Linux looks at r6 before it looks at src", legacy_src},
	{"Linux extension: may_goto", may_goto},
	{"Linux extension: address space casts", addr_space_cast},
	{"Linux extension: load-acquire and store-release", load_acquire},
	{"needs maps, BTF or a callback to load", pseudo_load},
};

static bool is_known(struct insn i)
{
	for (size_t n = 0; n < ARRAY_LEN(known); n++)
		if (known[n].fits(i))
			return true;
	return false;
}

struct counts {
	unsigned tried, valid, known, wrong;
};

static bool refused_for_form(const char *log)
{
	for (size_t n = 0; n < ARRAY_LEN(form_texts); n++)
		if (strstr(log, form_texts[n]))
			return true;
	return false;
}

/* Registers set to numbers, the instruction, and room to jump into that is reachable in any case. */
static u32 tiny_program(struct insn i, struct insn next, struct insn *out)
{
	bool pair = insn_is_ld_imm64(i);
	u32 n = 0;

	for (u8 reg = 0; reg < 10; reg++)
		out[n++] = (struct insn){.code = 0xb7, .dst = reg & 0xfu, .imm = 1};
	out[n++] = (struct insn){.code = 0x15, .off = pair ? 2 : 1, .imm = 7};
	out[n++] = i;
	if (pair)
		out[n++] = next;
	for (int filler = 0; filler < FILLERS; filler++)
		out[n++] = (struct insn){.code = 0xb7, .imm = 0};
	out[n++] = (struct insn){.code = 0x95};
	if (insn_is_local_call(i)) {
		out[n++] = (struct insn){.code = 0xb7, .imm = 0};
		out[n++] = (struct insn){.code = 0x95};
	}
	return n;
}

static void try_one(struct counts *c, struct insn i, struct insn next)
{
	static char log[LOG_BYTES];
	struct insn insns[24];

	/* Any other distance is refused as such. */
	if (insn_is_local_call(i))
		i.imm = FILLERS + 1;
	u32 n = tiny_program(i, next, insns);
	const char *ours = insn_check(i, &next, false);
	int fd = kernel_prog_load(KERNEL_SOCKET_FILTER, insns, n, log, LOG_BYTES);
	bool refused = fd < 0 && refused_for_form(log);

	if (fd >= 0)
		close(fd);
	c->tried++;
	c->valid += !ours;
	if (refused == (ours != NULL))
		return;
	if (is_known(i)) {
		c->known++;
		return;
	}
	if (c->wrong++ < REPORTED_MAX)
		printf("code 0x%02x dst %u src %u off %d imm %d (second half: code %u imm %d)\n  "
		       "here: %s\n  kernel: %s%s\n",
			i.code, i.dst, i.src, i.off, i.imm, next.code, next.imm,
			ours ? ours : "valid", fd >= 0 ? "loaded" : "", log);
}

/* A valid instance of the row, jumping over one pair of instructions at most. */
static struct insn instance(const struct op *op)
{
	struct insn i = {.code = op->code};

	i.dst = op->dst.rule == OP_ZERO ? 0 : 1;
	i.src = op->src.rule == OP_ZERO  ? 0
		: op->src.rule == OP_SEL ? (u32)op->src.value & 0xfu
					 : 2;
	i.off = op->off.rule == OP_SEL ? op->off.value : op->off.rule == OP_JUMP ? 2 : 0;
	i.imm = op->imm.rule == OP_SEL    ? op->imm.value
		: op->imm.rule == OP_JUMP ? 2
		: op->imm.rule == OP_ZERO ? 0
					  : 1;
	return i;
}

static void vary_two_fields(struct counts *c, struct insn base)
{
	static const u8 regs[] = {0, 1, 2, 3, 4, 7, 9, 10, 11, 15};
	static const s16 offs[] = {0, 1, 2, -1, 8, 16, 32, 64, 4};
	static const s32 imms[] = {0, 1, -1, 2, 8, 16, 31, 32, 33, 63, 64, 0x40, 0x41, 0x50, 0x51,
		0xa0, 0xa1, 0xe0, 0xe1, 0xf0, 0xf1, 0x100, 0x110, 0x111};
	static const struct insn half = {0};
	bool jumps = BPF_CLASS(base.code) == BPF_JMP || BPF_CLASS(base.code) == BPF_JMP32;
	struct insn i;

	for (size_t n = 0; n < ARRAY_LEN(regs); n++) {
		i = base;
		i.dst = regs[n] & 0xfu;
		try_one(c, i, half);
		i.src = regs[n] & 0xfu;
		try_one(c, i, half);
		i.dst = base.dst;
		try_one(c, i, half);
	}
	for (size_t n = 0; n < ARRAY_LEN(offs); n++) {
		i = base;
		/* Other distances are refused as such. */
		if (!jumps || (offs[n] % 2 == 0 && offs[n] <= 4))
			i.off = offs[n];
		try_one(c, i, half);
		for (size_t m = 0; m < ARRAY_LEN(imms); m += 5) {
			i.imm = base.code == 0x06 || base.code == 0x85 ? base.imm : imms[m];
			try_one(c, i, half);
		}
	}
	for (size_t n = 0; n < ARRAY_LEN(imms); n++) {
		i = base;
		if (!jumps || i.code != 0x06)
			i.imm = imms[n];
		try_one(c, i, half);
	}
}

static void vary_second_half(struct counts *c)
{
	const struct insn first = {.code = 0x18, .dst = 1};

	try_one(c, first, (struct insn){.imm = -1});
	try_one(c, first, (struct insn){.code = 0xb7});
	try_one(c, first, (struct insn){.dst = 1});
	try_one(c, first, (struct insn){.src = 1});
	try_one(c, first, (struct insn){.off = 1});
}

int main(void)
{
	struct counts c = {0};

	if (!kernel_progs_work()) {
		puts("SKIP: no right to load programs in the kernel");
		return EXIT_SKIPPED;
	}
	for (unsigned id = 0; id < NR_OPS; id++)
		vary_two_fields(&c, instance(op_at((enum op_id)id)));
	for (unsigned code = 0; code < 256; code++)
		if (!op_first((u8)code))
			try_one(&c, (struct insn){.code = (u8)code}, (struct insn){0});
	vary_second_half(&c);
	printf("%u instructions, %u of them valid: %u verdicts unlike the kernel's, %u more for "
	       "known reasons\n",
		c.tried, c.valid, c.wrong, c.known);
	return c.wrong || !c.valid ? EXIT_FAILURE : EXIT_SUCCESS;
}
