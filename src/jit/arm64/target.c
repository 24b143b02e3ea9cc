/* arm64: the target's table of functions, and how an instruction finds the function for its class. */
#include "base/bytes.h"
#include "jit/arm64/lower.h"

static const u16 elf_machine_aarch64 = 183;

static void (*const lower_class[8])(struct jit *j, struct insn i) = {
	[BPF_LD] = a64_lower_ld,
	[BPF_LDX] = a64_lower_ldx,
	[BPF_ST] = a64_lower_st,
	[BPF_STX] = a64_lower_stx,
	[BPF_ALU] = a64_lower_alu,
	[BPF_JMP] = a64_lower_jump,
	[BPF_JMP32] = a64_lower_jump,
	[BPF_ALU64] = a64_lower_alu,
};

void a64_lower_one(struct jit *j)
{
	struct a64 *a = a64_of(j);
	struct insn i = *jit_insn(j, j->pc);

	a->next = j->pc + (insn_is_ld_imm64(i) ? 2 : 1);
	a->last = j->pc;
	a->live = a64_live_in(j, j->pc) | a64_live_out(j, j->pc);
	lower_class[BPF_CLASS(i.code)](j, i);
}

static u32 lower(struct jit *j)
{
	struct a64 *a = a64_of(j);

	a->unreachable = a->unreachable && !a->branched[j->pc];
	if (a->unreachable)
		return insn_is_ld_imm64(*jit_insn(j, j->pc)) ? 2 : 1;
	a64_lower_one(j);
	if (a->next >= jit_subprog(j)->end || !a->branched[a->next] || a->unreachable)
		return a->next - j->pc;
	a64_reads_done(j);
	if (a64_exits_here(j))
		a64_exit(j);
	else
		a64_flush(j, a64_live_in(j, a->next));
	if (!a->unreachable)
		a64_hoist_enter(j, a->next);
	return a->next - j->pc;
}

static bool patch_field(u8 *code, s64 delta, unsigned bits, unsigned at)
{
	if (delta % 4 || !a64_fits_signed(delta / 4, bits))
		return false;
	u32 mask = (((u32)1 << bits) - 1) << at;
	store_le32(code, (load_le32(code) & ~mask) | a64_branch_off(delta, bits, at));
	return true;
}

static bool patch(u8 *code, u8 kind, s64 delta)
{
	switch ((enum a64_fixup)kind) {
	case A64_FIX_IMM26:
		return patch_field(code, delta, 26, 0);
	case A64_FIX_IMM19:
		return patch_field(code, delta, 19, 5);
	case A64_FIX_IMM14:
		return patch_field(code, delta, 14, 5);
	case A64_FIX_ADR: /* a multiple of 4, so the two low bits are 0 */
		return patch_field(code, delta, 19, 5);
	}
	UNREACHABLE();
}

/* DWARF for the Arm 64-bit architecture, 4.1: x0 ... x30 are 0 ... 30. */
static const u8 dwarf_regs[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18,
	19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30};

const struct jit_target jit_target_arm64 = {
	.name = "arm64",
	.elf_machine = elf_machine_aarch64,
	.dwarf_regs = dwarf_regs,
	.dwarf_sp = 31,
	.dwarf_fp = 29,
	.dwarf_return = 30,
	.prologue = a64_prologue,
	.lower = lower,
	.epilogue = a64_epilogue,
	.thunk = a64_thunk,
	.finish = a64_emit_literals,
	.patch = patch,
	.spare = a64_spare,
};
