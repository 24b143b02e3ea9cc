/* Splits a program into subprograms and notes what each needs: registers, stack, calls, the per-CPU base. Control must
 * stay inside a subprogram but for calls, because each has a frame of its own. */
#include "jit/scan.h"

#include <errno.h>
#include <string.h>

#include "base/limits.h"
#include "helper/helper.h"
#include "jit/clean.h"
#include "jit/keep.h"
#include "jit/leaf.h"
#include "jit/live.h"
#include "jit/slots.h"
#include "jit/target.h"
#include "rewrite/regs.h"

/* Without a loop each instruction runs once at most: finding registers for slots of long programs costs more than it saves. */
enum { SLOTS_INSNS_MAX = 1024 };

/* Bytes below r10 that an access based on r10 itself reaches; *escapes when r10 is used in any other way. */
static u32 stack_depth(struct insn i, bool *escapes)
{
	unsigned cls = BPF_CLASS(i.code);
	bool store = cls == BPF_ST || cls == BPF_STX;
	bool based = (store && i.dst == BPF_REG_FP) || (cls == BPF_LDX && i.src == BPF_REG_FP);

	if (store && cls == BPF_STX && i.src == BPF_REG_FP)
		*escapes = true;
	if (cls == BPF_ALU || cls == BPF_ALU64)
		*escapes |=
			i.dst == BPF_REG_FP || (BPF_SRC(i.code) == BPF_X && i.src == BPF_REG_FP);
	return based && i.off < 0 ? (u32)-i.off : 0;
}

static bool is_call(struct insn i)
{
	return i.code == (BPF_JMP | BPF_CALL);
}

static u32 known_stack_bytes(const struct facts *f, u32 start)
{
	for (u32 i = 0; f && i < f->nr_subprogs; i++)
		if (f->subprog_start[i] == start)
			return f->stack_bytes[i];
	return PROG_STACK_BYTES;
}

static void scan_call(struct jit_subprog *s, struct insn i)
{
	s->calls_helper |= insn_is_helper_call(i);
	s->calls_local |= insn_is_local_call(i);
	s->tail_jumps |= jit_is_tail_jump(i);
	s->percpu |= jit_is_tail_jump(i);
}

static void scan_alu(struct jit_subprog *s, struct insn i)
{
	bool by_reg = BPF_SRC(i.code) == BPF_X;

	switch (BPF_OP(i.code)) {
	case BPF_DIV:
	case BPF_MOD:
		s->divides = true;
		break;
	case BPF_LSH:
	case BPF_RSH:
	case BPF_ARSH:
		s->shifts |= by_reg;
		break;
	case BPF_MOV:
		s->percpu |= insn_is_percpu_mov(i);
		if (by_reg)
			s->copies[i.dst] |= (u16)(1u << i.src);
	}
}

/* What the instructions of a subprogram come to. */
struct sums {
	u32 deepest, reads, writes;
	bool escapes;
	struct jit_clean clean;
};

static void add(struct sums *sums, struct insn i, struct jit_effect e)
{
	sums->reads |= e.reads;
	sums->writes |= e.writes;
	if ((e.reads | e.writes) & 1u << BPF_REG_FP) {
		u32 depth = stack_depth(i, &sums->escapes);

		sums->deepest = depth > sums->deepest ? depth : sums->deepest;
	}
}

static void set_sums(const struct jit *j, struct jit_subprog *s, struct sums *sums)
{
	u32 bound = sums->escapes ? known_stack_bytes(j->facts, s->start) : 0;

	s->reads = (u16)sums->reads;
	s->writes = (u16)sums->writes;
	s->escapes = sums->escapes;
	if (bound < sums->deepest)
		bound = sums->deepest;
	s->stack_bytes = (bound + 7) & ~7u;
	s->names = s->reads | s->writes;
	s->clean = jit_clean_always(&sums->clean);
	if (s->calls_helper || s->calls_local) {
		s->reads |= REGS_CALL_READS;
		s->writes |= REGS_CALL_WRITES;
	}
}

/* A jump back: where it comes from is the end of the loop, if no other comes from further behind. */
static void note_loop(struct jit *j, u32 **loop_end, u32 start, u32 pc)
{
	j->has_loops = true;
	if (!*loop_end)
		*loop_end = arena_array(&j->arena, j->prog->len, sizeof(**loop_end));
	if (*loop_end)
		(*loop_end)[start] = pc + 1;
	else
		jit_fail(j, pc, ENOMEM, "out of memory");
}

static void scan_jump(struct jit *j, const struct jit_subprog *s, u32 pc, u32 **loop_end)
{
	u32 to = jit_jump_target(j, pc);

	if (to < s->start || to >= s->end)
		return jit_fail(j, pc, EINVAL,
			"jump to instruction %u leaves its subprogram, which is %u to %u", to,
			s->start, s->end - 1);
	j->is_target[to] = (u8)(j->is_target[to] + (j->is_target[to] < JIT_TARGET_MANY));
	if (to <= pc)
		note_loop(j, loop_end, to, pc);
}

static void scan_subprog(struct jit *j, struct jit_subprog *s, u32 **loop_end)
{
	struct sums sums = {0};
	struct insn last = {0};

	for (u32 pc = s->start; pc < s->end; pc++) {
		struct insn i = *jit_insn(j, pc);
		struct jit_effect e = jit_effect_of(i);
		unsigned cls = BPF_CLASS(i.code);

		if (i.code == 0) /* the second half of a 64-bit immediate */
			continue;
		last = i;
		j->effects[pc] = e;
		jit_clean_note(&sums.clean, j, pc, e.writes);
		if (is_call(i)) {
			scan_call(s, i);
			continue;
		}
		if (cls == BPF_ALU || cls == BPF_ALU64)
			scan_alu(s, i);
		else if (insn_is_cond_jump(i) || insn_is_ja(i))
			scan_jump(j, s, pc, loop_end);
		else if (cls == BPF_STX && BPF_MODE(i.code) == BPF_ATOMIC)
			s->fetches |= i.imm & BPF_FETCH;
		add(&sums, i, e);
	}
	if (!insn_is_exit(last) && !insn_is_ja(last))
		jit_fail(j, s->end - 1, EINVAL,
			"the subprogram ends here without an exit or a jump");
	set_sums(j, s, &sums);
	j->percpu |= s->percpu;
	j->calls |= s->calls_helper || s->calls_local;
}

/* Once more, when instructions name other registers than before. */
static void scan_registers(struct jit *j, struct jit_subprog *s)
{
	struct sums sums = {0};

	for (u32 pc = s->start; pc < s->end; pc++) {
		jit_clean_note(&sums.clean, j, pc, j->effects[pc].writes);
		if (!is_call(*jit_insn(j, pc)))
			add(&sums, *jit_insn(j, pc), j->effects[pc]);
	}
	set_sums(j, s, &sums);
}

/* Turns loop_end into loop_start, for loops without a loop in them. */
static void find_short_loops(struct jit *j, const u32 *loop_end)
{
	u32 len = j->prog->len, next_start = len;

	j->loop_start = arena_array(&j->arena, len, sizeof(*j->loop_start));
	if (!j->loop_start)
		return jit_fail(j, 0, ENOMEM, "out of memory");
	memset(j->loop_start, 0xff, len * sizeof(*j->loop_start));
	for (u32 start = len; start-- > 0;) {
		if (!loop_end[start])
			continue;
		if (loop_end[start] <= next_start)
			j->loop_start[loop_end[start] - 1] = start;
		next_start = start;
	}
}

/* Why no target can compile this instruction, or NULL. */
static const char *why_not(struct insn i)
{
	if (insn_is_ld_imm64(i) && i.src == LD_IMM64_FUNC)
		return "the address of a subprogram can't be taken";
	if (insn_is_ld_imm64(i) && i.src != LD_IMM64_VALUE)
		return "a map or variable that has no address yet";
	if (i.code != (BPF_JMP | BPF_CALL))
		return NULL;
	if (i.src == CALL_KFUNC)
		return "kernel functions can't be called";
	if (i.src == CALL_HELPER && !helper_by_id((u32)i.imm))
		return "there is no such helper";
	return NULL;
}

static void check_calls(struct jit *j, u8 *is_start)
{
	const struct prog *p = j->prog;

	for (u32 pc = 0; pc < p->len; pc++) {
		struct insn i = *jit_insn(j, pc);

		if (!is_call(i) && i.code != (BPF_LD | BPF_IMM | BPF_DW))
			continue;
		const char *why = why_not(i);
		if (why)
			jit_fail(j, pc, ENOTSUP, "%s (imm %d)", why, i.imm);
		if (!insn_is_local_call(i))
			continue;
		u32 to = jit_jump_target(j, pc);
		j->has_loops |= to <= pc;
		if (to == 0 || to >= p->len)
			jit_fail(j, pc, ENOTSUP,
				"call of instruction %u, must be that of a subprogram behind the "
				"main one",
				to);
		else
			is_start[to] = 1;
	}
}

void jit_scan(struct jit *j)
{
	u32 len = j->prog->len, nr = 1, *loop_end = NULL;
	u8 *is_start = arena_array(&j->arena, len, 1);

	j->is_target = arena_array(&j->arena, len, 1);
	j->effects = arena_array(&j->arena, len, sizeof(*j->effects));
	if (!is_start || !j->is_target || !j->effects)
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
	for (u32 at = 0; at < nr && !j->err; at++)
		scan_subprog(j, &j->subprogs[at], &loop_end);
	for (u32 at = 0; at < nr && !j->err && (j->has_loops || len <= SLOTS_INSNS_MAX); at++) {
		bool changed = jit_slots(j, &j->subprogs[at]);

		changed |= jit_leaf(j, &j->subprogs[at]);
		changed |= jit_keep(j, &j->subprogs[at]);
		if (changed)
			scan_registers(j, &j->subprogs[at]);
	}
	if (!j->err)
		jit_live(j, nr == 1 ? loop_end : NULL);
	if (loop_end && j->target->pad && jit_may(j, JIT_SHORT_LOOPS) && !j->err)
		find_short_loops(j, loop_end);
}
