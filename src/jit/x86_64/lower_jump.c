/* Jumps, calls and exits. */
#include "helper/helper.h"
#include "jit/x86_64/fuse.h"

/* Jumps have a displacement of 1 byte until that proves too short. */
void x86_jump_to(struct jit *j, jit_label to)
{
	x86_jmp_rel8(&j->code, 0);
	jit_fixup(j, jit_offset(j) - 1, X86_REL8, to);
}

static void jump_if(struct jit *j, enum x86_cond cc, jit_label to)
{
	x86_jcc_rel8(&j->code, cc, 0);
	jit_fixup(j, jit_offset(j) - 1, X86_REL8, to);
}

bool x86_lengthen(const u8 *at, u8 kind, struct jit_longer *longer)
{
	u8 opcode = at[-1];

	if (kind != X86_REL8)
		return false;
	*longer = (struct jit_longer){.old_bytes = 2, .old_at = 1, .kind = X86_REL32};
	longer->new_at = x86_long_jump(longer->code, opcode);
	longer->new_bytes = longer->new_at + 4;
	return true;
}

/* Sets the flags for a comparison with a constant. */
static void compare_imm(struct buf *b, enum x86_width w, enum x86_reg dst, s32 imm)
{
	if (imm == 0) /* clears carry and overflow, so every condition reads as after cmp */
		x86_test(b, w, dst, dst);
	else
		x86_alu_imm(b, w, X86_CMP, dst, imm);
}

void x86_test_bits(struct buf *b, enum x86_width w, enum x86_reg dst, s32 imm)
{
	if (imm >= 0 && imm <= 0xff)
		x86_test_imm8(b, dst, (u8)imm);
	else
		x86_test_imm(b, imm > 0 ? X86_32 : w, dst, imm);
}

static bool asks_for_zero(struct insn i)
{
	return BPF_SRC(i.code) == BPF_K && i.imm == 0 &&
	       (BPF_OP(i.code) == BPF_JEQ || BPF_OP(i.code) == BPF_JNE);
}

bool x86_uses_flags(const struct jit *j, struct insn i)
{
	enum x86_width w = BPF_CLASS(i.code) == BPF_JMP ? X86_64 : X86_32;

	return insn_is_cond_jump(i) && asks_for_zero(i) && x86_has_flags(j, w, x86_src(j, i.dst));
}

u32 x86_jump_on_result(const struct jit *j)
{
	u16 own = j->effects[j->pc].writes, operands = j->effects[j->pc].reads;

	for (u32 pc = j->pc + 1; pc < j->pc + 5 && jit_fusible(j, pc); pc++) {
		struct insn i = *jit_insn(j, pc);
		struct jit_effect e = j->effects[pc];

		if (insn_is_cond_jump(i))
			return asks_for_zero(i) && own == 1u << i.dst ? pc : 0;
		if (!fuse_is_alu(i) || (own & (e.reads | e.writes)) || (operands & e.writes))
			return 0;
	}
	return 0;
}

void x86_compare(struct jit *j, struct insn i)
{
	if (x86_uses_flags(j, i))
		return;
	enum x86_width w = BPF_CLASS(i.code) == BPF_JMP ? X86_64 : X86_32;
	enum x86_reg dst = x86_src(j, i.dst), src = x86_src(j, i.src);
	bool is_test = BPF_OP(i.code) == BPF_JSET;
	bool is_reg = BPF_SRC(i.code) == BPF_X && !x86_const_src(j, i.src, &i.imm);

	if (is_test && is_reg)
		x86_test(&j->code, w, dst, src);
	else if (is_test)
		x86_test_bits(&j->code, w, dst, i.imm);
	else if (is_reg)
		x86_alu(&j->code, w, X86_CMP, dst, src);
	else
		compare_imm(&j->code, w, dst, i.imm);
}

/* "if this goto +1; goto there" is how compilers end loops: jump there if not. */
static bool skips_jump(const struct jit *j, u32 at)
{
	return jit_jump_target(j, at) == at + 2 && jit_fusible(j, at + 1) &&
	       insn_is_ja(*jit_insn(j, at + 1));
}

u32 x86_branch_insns(const struct jit *j, u32 at)
{
	return skips_jump(j, at) ? 2 : 1;
}

enum x86_cond x86_condition(struct insn i)
{
	static const u8 conditions[16] = {
		[BPF_JEQ >> 4] = X86_E,
		[BPF_JNE >> 4] = X86_NE,
		[BPF_JSET >> 4] = X86_NE,
		[BPF_JGT >> 4] = X86_A,
		[BPF_JGE >> 4] = X86_AE,
		[BPF_JLT >> 4] = X86_B,
		[BPF_JLE >> 4] = X86_BE,
		[BPF_JSGT >> 4] = X86_G,
		[BPF_JSGE >> 4] = X86_GE,
		[BPF_JSLT >> 4] = X86_L,
		[BPF_JSLE >> 4] = X86_LE,
	};

	return conditions[BPF_OP(i.code) >> 4];
}

/* Jumps that meet jumps: after so many it is enough, they might go round. */
enum { HOPS_MAX = 16 };

u32 x86_jump_target(const struct jit *j, u32 pc)
{
	u32 to = jit_jump_target(j, pc);

	for (unsigned hops = 0; jit_may(j, JIT_THREAD) && hops < HOPS_MAX; hops++) {
		if (!insn_is_ja(*jit_insn(j, to)))
			break;
		to = jit_jump_target(j, to);
	}
	return to;
}

u32 x86_branch(struct jit *j, u32 at)
{
	enum x86_cond cc = x86_condition(*jit_insn(j, at));
	const struct x86_way_out *out = x86_state(j)->way_out;
	bool skips = skips_jump(j, at);
	jit_label to = out ? out->label : x86_jump_target(j, at + skips);

	cc ^= skips;
	if (x86_goes_on(j, at))
		jump_if(j, cc ^ 1, at + 1 + skips);
	else
		jump_if(j, cc, to);
	return 1 + skips;
}

u32 x86_lower_jump(struct jit *j)
{
	struct insn i = *jit_insn(j, j->pc);

	if (i.code == (BPF_JMP | BPF_CALL))
		return x86_lower_call(j);
	if (insn_is_exit(i))
		return x86_lower_exit(j);
	u32 to = jit_jump_target(j, j->pc);
	if (to == j->pc + 1) /* both ways lead there */
		return 1;
	if (insn_is_ja(i)) {
		x86_jump_to(j, x86_jump_target(j, j->pc));
		return 1;
	}
	x86_compare(j, i);
	return x86_branch(j, j->pc);
}

u32 x86_lower_call(struct jit *j)
{
	struct insn i = *jit_insn(j, j->pc);

	if (jit_is_tail_jump(i)) {
		x86_tail_jump(j);
		return 1;
	}
	x86_call_rel32(&j->code, 0);
	u32 at = jit_offset(j) - 4;
	if (i.src == CALL_LOCAL)
		jit_fixup(j, at, X86_REL32,
			jit_label_entry(j, jit_subprog_at(j, jit_jump_target(j, j->pc))));
	else
		jit_fixup_address(j, at, X86_REL32, (u64)(uintptr_t)helper_by_id((u32)i.imm)->fn);
	return 1;
}

/* Bytes of code that leaving takes; up to this many are repeated at each exit. */
enum { RETURN_BYTES_INLINE = 5 };

static unsigned return_bytes(const struct x86_frame *f)
{
	unsigned bytes = 1;

	for (unsigned s = 0; s < f->nr_saved; s++)
		bytes += f->saved[s] < R8 ? 1 : 2;
	return bytes + f->pointer + f->pad;
}

bool x86_returns_inline(const struct jit *j)
{
	return return_bytes(&x86_state(j)->frame) <= RETURN_BYTES_INLINE;
}

u32 x86_lower_exit(struct jit *j)
{
	if (j->pc + 1 == jit_subprog(j)->end)
		return 1; /* runs on into the epilogue */
	if (x86_returns_inline(j)) {
		x86_return(j);
	} else {
		x86_jump_to(j, jit_label_exit(j));
		x86_state(j)->exit_wanted = true;
	}
	return 1;
}
