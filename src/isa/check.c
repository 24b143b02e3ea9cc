/* Whether an instruction, and a program as a mere list of them, has a valid form. Meaning is left
 * to verify/. */
#include "isa/isa.h"

#include <errno.h>
#include <string.h>

#include "base/diag.h"
#include "base/limits.h"
#include "isa/op.h"
#include "isa/prog.h"

#define DIV_OFF "off of a division or modulo must be 0 (unsigned) or 1 (signed)"
#define SWAP_IMM "imm of a byte swap must be 16, 32 or 64"
#define ATOMIC_IMM \
	"imm of an atomic must be add, or, and, xor (0x00, 0x40, 0x50, 0xa0; +1 to fetch), xchg " \
	"(0xe1) or cmpxchg (0xf1)"

/* Why an opcode, or a form of it, is refused by name. The first row that fits decides. */
static const struct refusal {
	u8 code, mask;
	const char *reason;
} refusals[] = {
	{0x38, 0xff, "a legacy packet load must be 8, 16 or 32 bits wide"},
	{0x58, 0xff, "a legacy packet load must be 8, 16 or 32 bits wide"},
	{0x8d, 0xff, "call through a register (callx) is not part of RFC 9669"},
	{0xe5, 0xff, "may_goto is a Linux extension and not part of RFC 9669"},
	{0x37, 0xf7, DIV_OFF},
	{0x34, 0xf7, DIV_OFF},
	{0x97, 0xf7, DIV_OFF},
	{0x94, 0xf7, DIV_OFF},
	{0xbf, 0xff, "off of a 64-bit move must be 0, or 8, 16, 32 (sign extension)"},
	{0xbc, 0xff, "off of a 32-bit move must be 0, or 8, 16 (sign extension)"},
	{0xd4, 0xf7, SWAP_IMM},
	{0xd7, 0xff, SWAP_IMM},
	{0xc3, 0xff, ATOMIC_IMM},
	{0xdb, 0xff, ATOMIC_IMM},
	{0xc3, 0xe7, "an atomic must be 32 or 64 bits wide"},
	{0x18, 0xff, "src of a 64-bit immediate load must be 0 ... 6"},
	{0x85, 0xff, "src of a call must be 0 (helper), 1 (local) or 2 (kernel function)"},
};

static const char *why_unknown(u8 code)
{
	for (size_t i = 0; i < ARRAY_LEN(refusals); i++)
		if ((code & refusals[i].mask) == refusals[i].code)
			return refusals[i].reason;
	return "unknown opcode";
}

static const char *check_reg(
	struct op_field f, unsigned reg, const char *reserved, const char *range)
{
	switch ((enum op_rule)f.rule) {
	case OP_ZERO:
		return reg ? reserved : NULL;
	case OP_W:
	case OP_RW:
		if (reg == BPF_REG_FP)
			return "frame pointer is read only (r10)";
		return reg < BPF_NR_REGS ? NULL : range;
	case OP_R:
		return reg < BPF_NR_REGS ? NULL : range;
	case OP_SEL:
		return NULL;
	case OP_ANY:
	case OP_NONZERO:
	case OP_SHIFT32:
	case OP_SHIFT64:
	case OP_MEM:
	case OP_JUMP:
		break;
	}
	UNREACHABLE();
}

static const char *check_number(struct op_field f, s32 value, const char *reserved)
{
	switch ((enum op_rule)f.rule) {
	case OP_ZERO:
		return value ? reserved : NULL;
	case OP_NONZERO:
		return value ? NULL : "division by zero: imm must not be 0";
	case OP_SHIFT32:
		return value >= 0 && value < 32 ? NULL : "invalid shift: imm must be 0 ... 31";
	case OP_SHIFT64:
		return value >= 0 && value < 64 ? NULL : "invalid shift: imm must be 0 ... 63";
	case OP_SEL:
	case OP_ANY:
	case OP_MEM:
	case OP_JUMP:
		return NULL;
	case OP_R:
	case OP_W:
	case OP_RW:
		break;
	}
	UNREACHABLE();
}

static bool uses_second_imm(enum op_id id)
{
	return id == OP_ld64_value || id == OP_ld64_map_fd_value || id == OP_ld64_btf_id ||
	       id == OP_ld64_map_value;
}

static const char *check_second_half(const struct op *op, const struct insn *next)
{
	if (!next)
		return "64-bit immediate load lacks its second half";
	if (next->code || next->dst || next->src || next->off)
		return "second half of a 64-bit immediate load must be zero but for imm";
	if (next->imm && !uses_second_imm(op_id_of(op)))
		return "reserved field imm of the second half must be 0";
	return NULL;
}

const char *insn_check(struct insn i, const struct insn *next, bool internal)
{
	const struct op *op = op_of(i);
	const char *why;

	if (!op)
		return why_unknown(i.code);
	if (op_id_of(op) == OP_mov_percpu && !internal)
		return "internal-only instruction (per-CPU address, mov with off -1)";
	why = check_reg(op->dst, i.dst, "reserved field dst must be 0", "dst must be r0 ... r10");
	if (!why)
		why = check_reg(
			op->src, i.src, "reserved field src must be 0", "src must be r0 ... r10");
	if (!why)
		why = check_number(op->off, i.off, "reserved field off must be 0");
	if (!why)
		why = check_number(op->imm, i.imm, "reserved field imm must be 0");
	if (!why && insn_is_ld_imm64(i))
		why = check_second_half(op, next);
	return why;
}

static int fail_at(const struct prog *p, u32 pc, struct diag *d, int err, const char *why)
{
	const struct prog_line *line = prog_line_of(p, pc);
	struct insn i = p->insns[pc];

	diag_fail(d, pos_insn(p->name, pc), err, "%s (code 0x%02x, dst %u, src %u, off %d, imm %d)",
		why, i.code, i.dst, i.src, i.off, i.imm);
	if (line && line->text)
		diag_source(d, p->line_text + line->text, strlen(p->line_text + line->text));
	return -err;
}

/* Distance to what a jump, local call or function address names; false for other instructions. */
static bool target_distance(struct insn i, s32 *distance)
{
	const struct op *op = op_of(i);

	if (op->off.rule == OP_JUMP)
		*distance = i.off;
	else if (op->imm.rule == OP_JUMP)
		*distance = i.imm;
	else
		return false;
	return true;
}

static int check_target(const struct prog *p, u32 pc, struct diag *d)
{
	s32 distance;

	if (!target_distance(p->insns[pc], &distance))
		return 0;
	s64 to = (s64)pc + 1 + distance;
	if (to < 0 || to >= p->len)
		return fail_at(p, pc, d, EINVAL,
			"jump out of range: the target is outside of the program");
	/* No first half has code 0: insn_check has seen them all. */
	if (!p->insns[to].code)
		return fail_at(p, pc, d, EINVAL, "jump into the middle of a 64-bit immediate load");
	return 0;
}

static bool has_legacy_loads(enum prog_type type)
{
	return type == PROG_TYPE_SOCKET_FILTER || type == PROG_TYPE_SCHED_CLS ||
	       type == PROG_TYPE_SCHED_ACT;
}

/* What RFC 9669 allows but weir's programs do not contain. */
static const char *check_kind(const struct prog *p, struct insn i)
{
	const struct op *op = op_of(i);

	if (insn_is_legacy_load(i) && !has_legacy_loads(p->type))
		return "BPF_LD_[ABS|IND] instructions not allowed for this program type";
	switch (op_id_of(op)) {
	case OP_ld64_map:
	case OP_ld64_map_value:
		if ((u32)i.imm >= p->nr_maps)
			return "map index is beyond the program's maps";
		return NULL;
	case OP_ld64_map_fd:
	case OP_ld64_map_fd_value:
		return "map by file descriptor is not supported: use its index in the program's "
		       "maps";
	case OP_ld64_btf_id:
		return "load of a kernel variable by BTF id is not supported";
	case OP_call_kfunc:
		return p->internal ? "call of a kernel function that no pass has replaced" : NULL;
	default:
		return NULL;
	}
}

static bool ends_program(struct insn i)
{
	return insn_is_exit(i) || insn_is_ja(i);
}

int prog_check(const struct prog *p, struct diag *d)
{
	u32 last = 0;

	if (!p->len)
		return diag_fail(
			d, pos_insn(p->name, 0), EINVAL, "a program needs an instruction at least");
	if (p->len > PROG_MAX_INSNS)
		return diag_fail(d, pos_insn(p->name, 0), E2BIG,
			"%u instructions are more than PROG_MAX_INSNS (%u)", p->len,
			PROG_MAX_INSNS);
	for (u32 pc = 0; pc < p->len; pc++) {
		const struct insn *next = pc + 1 < p->len ? &p->insns[pc + 1] : NULL;
		const char *why = insn_check(p->insns[pc], next, p->internal);

		if (!why)
			why = check_kind(p, p->insns[pc]);
		if (why)
			return fail_at(p, pc, d, EINVAL, why);
		last = pc;
		pc += insn_is_ld_imm64(p->insns[pc]);
	}
	for (u32 pc = 0; pc < p->len; pc++) {
		int err = check_target(p, pc, d);

		if (err)
			return err;
		pc += insn_is_ld_imm64(p->insns[pc]);
	}
	if (!ends_program(p->insns[last]))
		return fail_at(p, last, d, EINVAL, "last insn is not an exit or jmp");
	return 0;
}
