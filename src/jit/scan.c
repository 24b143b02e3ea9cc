/* Splits a program into subprograms and notes what each needs: registers, stack, calls, the per-CPU base. Control must
 * stay inside a subprogram but for calls, because each has a frame of its own. */
#include "jit/scan.h"

#include <errno.h>
#include <string.h>

#include "base/limits.h"
#include "jit/target.h"

#define REG(r) ((u16)(1u << (r)))
#define ARG_REGS (REG(1) | REG(2) | REG(3) | REG(4) | REG(5))

static void jump_regs(struct insn i, struct jit_subprog *s)
{
	switch (BPF_OP(i.code)) {
	case BPF_JA:
	case BPF_CALL:
		break;
	case BPF_EXIT:
		s->reads |= REG(0);
		break;
	default:
		s->reads |= REG(i.dst);
		if (BPF_SRC(i.code) == BPF_X)
			s->reads |= REG(i.src);
	}
}

static void alu_regs(struct insn i, struct jit_subprog *s)
{
	bool has_src = BPF_SRC(i.code) == BPF_X && BPF_OP(i.code) != BPF_END;

	s->writes |= REG(i.dst);
	if (BPF_OP(i.code) != BPF_MOV)
		s->reads |= REG(i.dst);
	if (has_src)
		s->reads |= REG(i.src);
}

static void atomic_regs(struct insn i, struct jit_subprog *s)
{
	if (i.imm == BPF_CMPXCHG) {
		s->reads |= REG(0);
		s->writes |= REG(0);
	} else if (i.imm & BPF_FETCH) {
		s->writes |= REG(i.src);
	}
}

static void insn_regs(struct insn i, struct jit_subprog *s)
{
	switch (BPF_CLASS(i.code)) {
	case BPF_LD:
		s->writes |= REG(i.dst);
		break;
	case BPF_LDX:
		s->reads |= REG(i.src);
		s->writes |= REG(i.dst);
		break;
	case BPF_ST:
		s->reads |= REG(i.dst);
		break;
	case BPF_STX:
		s->reads |= REG(i.dst) | REG(i.src);
		if (BPF_MODE(i.code) == BPF_ATOMIC)
			atomic_regs(i, s);
		break;
	case BPF_ALU:
	case BPF_ALU64:
		alu_regs(i, s);
		break;
	default:
		jump_regs(i, s);
	}
}

/* Bytes below r10 that an access based on r10 itself reaches; *escapes when r10 is used in any other way. */
static u32 stack_depth(struct insn i, bool *escapes)
{
	unsigned cls = BPF_CLASS(i.code);
	bool store = cls == BPF_ST || cls == BPF_STX;
	bool based = (store && i.dst == BPF_REG_FP) || (cls == BPF_LDX && i.src == BPF_REG_FP);

	if (store && cls == BPF_STX && i.src == BPF_REG_FP)
		*escapes = true;
	if (cls == BPF_ALU || cls == BPF_ALU64)
		*escapes |= i.dst == BPF_REG_FP || (BPF_SRC(i.code) == BPF_X && i.src == BPF_REG_FP);
	return based && i.off < 0 ? (u32)-i.off : 0;
}

static bool is_div_or_mod(struct insn i)
{
	return (BPF_CLASS(i.code) == BPF_ALU || BPF_CLASS(i.code) == BPF_ALU64) &&
	       (BPF_OP(i.code) == BPF_DIV || BPF_OP(i.code) == BPF_MOD);
}

static u32 known_stack_bytes(const struct facts *f, u32 start)
{
	for (u32 i = 0; f && i < f->nr_subprogs; i++)
		if (f->subprog_start[i] == start)
			return f->stack_bytes[i];
	return PROG_STACK_BYTES;
}

/* The next instruction behind the one at pc. */
static u32 step(const struct jit *j, u32 pc)
{
	return pc + (insn_is_ld_imm64(*jit_insn(j, pc)) ? 2 : 1);
}

static void scan_subprog(struct jit *j, struct jit_subprog *s)
{
	u32 deepest = 0;
	bool escapes = false;

	for (u32 pc = s->start; pc < s->end; pc = step(j, pc)) {
		struct insn i = *jit_insn(j, pc);
		u32 depth = stack_depth(i, &escapes);

		insn_regs(i, s);
		s->calls_helper |= insn_is_helper_call(i);
		s->calls_local |= insn_is_local_call(i);
		s->divides |= is_div_or_mod(i);
		s->percpu |= insn_is_percpu_mov(i);
		if (depth > deepest)
			deepest = depth;
	}
	u32 bound = escapes ? known_stack_bytes(j->facts, s->start) : 0;
	if (bound < deepest)
		bound = deepest;
	s->stack_bytes = (bound + 7) & ~7u;
	s->names = s->reads | s->writes;
	if (s->calls_helper || s->calls_local) {
		s->reads |= ARG_REGS;
		s->writes |= REG(0) | ARG_REGS;
	}
	j->percpu |= s->percpu;
	j->calls |= s->calls_helper || s->calls_local;
}

static void check_flow(struct jit *j, const struct jit_subprog *s)
{
	struct insn last = {0};

	for (u32 pc = s->start; pc < s->end; pc = step(j, pc)) {
		last = *jit_insn(j, pc);
		if (!insn_is_cond_jump(last) && !insn_is_ja(last))
			continue;
		u32 to = jit_jump_target(j, pc);
		if (to < s->start || to >= s->end) {
			jit_fail(j, pc, EINVAL, "jump to instruction %u leaves its subprogram, which is %u to %u", to,
				s->start, s->end - 1);
			return;
		}
		j->is_target[to] = 1;
	}
	if (!insn_is_exit(last) && !insn_is_ja(last))
		jit_fail(j, s->end - 1, EINVAL, "the subprogram ends here without an exit or a jump");
}

static void check_calls(struct jit *j, u8 *is_start)
{
	const struct prog *p = j->prog;

	for (u32 pc = 0; pc < p->len; pc = step(j, pc)) {
		struct insn i = *jit_insn(j, pc);

		if (insn_is_ld_imm64(i) && i.src == LD_IMM64_FUNC)
			jit_fail(j, pc, ENOTSUP, "the address of a subprogram can't be taken");
		else if (insn_is_ld_imm64(i) && i.src != LD_IMM64_VALUE)
			jit_fail(j, pc, ENOTSUP, "a 64-bit immediate load of kind %u has no address yet", i.src);
		if (!insn_is_local_call(i))
			continue;
		u32 to = jit_jump_target(j, pc);
		if (to == 0 || to >= p->len)
			jit_fail(j, pc, ENOTSUP, "call of instruction %u, must be that of a subprogram behind the main one", to);
		else
			is_start[to] = 1;
	}
}

void jit_scan(struct jit *j)
{
	u32 len = j->prog->len, nr = 1;
	u8 *is_start = arena_array(&j->arena, len, 1);

	j->is_target = arena_array(&j->arena, len, 1);
	if (!is_start || !j->is_target)
		return jit_fail(j, 0, ENOMEM, "out of memory");
	check_calls(j, is_start);
	if (j->err)
		return;
	for (u32 pc = 1; pc < len; pc++)
		nr += is_start[pc];
	j->subprogs = arena_array(&j->arena, nr, sizeof(*j->subprogs));
	if (!j->subprogs)
		return jit_fail(j, 0, ENOMEM, "out of memory");
	j->nr_subprogs = nr;
	for (u32 pc = 1, at = 0; pc < len; pc++) {
		if (is_start[pc])
			j->subprogs[at].end = pc, j->subprogs[++at].start = pc;
	}
	j->subprogs[nr - 1].end = len;
	for (u32 at = 0; at < nr && !j->err; at++) {
		scan_subprog(j, &j->subprogs[at]);
		check_flow(j, &j->subprogs[at]);
	}
}
