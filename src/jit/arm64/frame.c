/* Which BPF register lives where, and the way in and out of a subprogram.
 *
 * r1 ... r5 are where arguments of C functions are. r0 is not x0, which is r1: results of helpers move, and a result of
 * the program is computed straight into x0 where the exit follows. r10 has no register: it stays at a known distance from
 * sp. A subprogram that calls nothing keeps r6 ... r9 in registers that it needn't save.
 *
 *	r10 -> +----------------+
 *	       | BPF stack      |
 *	       | saved registers| only those that are written
 *	 sp -> | x29, x30       | only when something is called
 *	       +----------------+ */
#include "jit/arm64/lower.h"

#include <errno.h>

#include "jit/live.h"
#include "map/callable.h"

enum { NO_HOME = 31 };
static const u8 home_calling[A64_REGS] = {
	7, 0, 1, 2, 3, 4, 19, 20, 21, 22, NO_HOME, 24, 25, 26, 27, NO_HOME};
static const u8 home_leaf[A64_REGS] = {
	7, 0, 1, 2, 3, 4, 13, 14, 15, 16, NO_HOME, 5, 6, 17, 8, NO_HOME};
/* Numbers of registers of ours, which stack slots become. */
enum { SLOT_FIRST = BPF_NR_REGS, SLOT_LAST = BPF_NR_REGS + 3 };

enum { BASE_CALLING = 23, BASE_LEAF = 8, BASE_ARG = 2, RETURN_INLINE_INSNS = 3 };

/* Where the per-CPU base lives once the program has begun, which is with it in x2. Where nothing is called and r3, whose
 * place x2 is, isn't used, it just stays. */
static u8 base_register(const struct jit *j)
{
	const struct jit_subprog *main = &j->subprogs[0];

	if (j->calls)
		return BASE_CALLING;
	return (main->reads | main->writes) & 1u << BPF_REG_3 ? BASE_LEAF : BASE_ARG;
}

static bool is_pinned(const struct jit *j)
{
	return j->percpu && j->opts->percpu == PERCPU_PINNED;
}

static bool is_calling(const struct jit_subprog *s)
{
	return s->calls_helper || s->calls_local;
}

u16 a64_spare(const struct jit *j, const struct jit_subprog *s, u16 *saved)
{
	static const u16 args = 0x3e, preserved = 0x3c0, ours = 0xf << SLOT_FIRST;
	u16 spare = (u16)((ours | preserved | (is_calling(s) ? 0 : args)) & ~s->names);

	*saved = is_calling(s) ? spare : 0;
	if (is_pinned(j) && !j->calls) /* the base may be in either (base_register) */
		spare &= (u16) ~(1u << BPF_REG_3 | 1u << SLOT_LAST);
	return spare;
}

static void plan_saved(struct jit *j)
{
	const struct jit_subprog *s = jit_subprog(j);
	struct a64 *a = a64_of(j);

	a->nr_saved = 0;
	if (!is_calling(s))
		return;
	for (unsigned reg = BPF_REG_6; reg <= SLOT_LAST; reg++)
		if (reg != BPF_REG_FP && s->writes & 1u << reg)
			a->saved[a->nr_saved++] = home_calling[reg];
	if (j->subprog == 0 && is_pinned(j))
		a->saved[a->nr_saved++] = BASE_CALLING;
}

static void plan_frame(struct jit *j)
{
	const struct jit_subprog *s = jit_subprog(j);
	struct a64 *a = a64_of(j);
	u32 bytes = s->stack_bytes;

	if (is_calling(s))
		bytes += 16 + 8u * a->nr_saved;
	a->frame_bytes = (bytes + 15) & ~15u;
	a->usual = is_calling(s) ? home_calling : home_leaf;
	a->base = is_pinned(j) ? base_register(j) : NO_HOME;
	a->return_insns = 1;
	if (is_calling(s))
		a->return_insns += 1u + (a->nr_saved + 1u) / 2 + (a->frame_bytes > 504);
	else
		a->return_insns += a->frame_bytes > 0;
}

/* The state for one pass, and what is decided before any code is made; j->err when out of memory. */
static void new_state(struct jit *j)
{
	struct a64 *a = arena_alloc(&j->arena, sizeof(*a));

	j->priv = a;
	if (!a) {
		jit_fail(j, 0, ENOMEM, "out of memory");
		return;
	}
	a->lse = j->opts->lse == JIT_LSE_ALWAYS ||
		 (j->opts->lse == JIT_LSE_AUTO && a64_host_has_lse());
	jit_live_in(j, 0);
	if (!j->live_in)
		jit_fail(j, 0, ENOMEM, "out of memory");
	if (!j->live_in || !a64_count_branches(j))
		return;
	a64_select_plan(j);
	a64_copy_plan(j);
}

/* Stores or loads the saved registers, in pairs, above x29 and x30. */
static void emit_saved(struct jit *j, enum a64_pair op)
{
	const struct a64 *a = a64_of(j);
	u32 at = 16;

	for (u32 i = 0; i < a->nr_saved && op == A64_LDP; i++)
		jit_cfi(j, JIT_CFI_SAME, a->saved[i], 0);

	for (unsigned i = 0; i + 1 < a->nr_saved; i += 2, at += 16)
		a64_emit(j, a64_pair(A64_X, op, A64_OFFSET, a->saved[i], a->saved[i + 1], A64_SP,
				    (s32)at));
	if (a->nr_saved % 2)
		a64_emit(j, a64_ldst_scaled(A64_64, op == A64_LDP ? A64_LDR : A64_STR,
				    a->saved[a->nr_saved - 1], A64_SP, at));
	for (u32 i = 0; i < a->nr_saved && op == A64_STP; i++)
		jit_cfi(j, JIT_CFI_SAVED, a->saved[i], a->frame_bytes - 16 - 8 * i);
}

static void emit_frame_record(struct jit *j)
{
	u32 bytes = a64_of(j)->frame_bytes;

	if (bytes <= 504) {
		a64_emit(j, a64_pair(A64_X, A64_STP, A64_PRE, A64_FP, A64_LR, A64_SP, -(s32)bytes));
	} else {
		a64_add_const(j, A64_SP, A64_SP, -(s64)bytes);
		jit_cfi(j, JIT_CFI_SP, 0, bytes);
		a64_emit(j, a64_pair(A64_X, A64_STP, A64_OFFSET, A64_FP, A64_LR, A64_SP, 0));
	}
	jit_cfi(j, JIT_CFI_SP, 0, bytes);
	jit_cfi(j, JIT_CFI_SAVED, A64_FP, bytes);
	jit_cfi(j, JIT_CFI_SAVED, A64_LR, bytes - 8);
	a64_emit(j, a64_addsub_imm(A64_X, A64_ADD, A64_FP, A64_SP, 0));
}

void a64_prologue(struct jit *j)
{
	if (!j->priv)
		new_state(j);
	if (j->err)
		return;
	struct a64 *a = a64_of(j);
	plan_saved(j);
	plan_frame(j);
	a64_values_reset(j);
	a->unreachable = false;
	if (j->subprog == 0 && j->opts->landing_pads)
		a64_emit(j, a64_hint(A64_BTI_C));
	if (is_calling(jit_subprog(j))) {
		emit_frame_record(j);
		emit_saved(j, A64_STP);
	} else if (a->frame_bytes) {
		a64_add_const(j, A64_SP, A64_SP, -(s64)a->frame_bytes);
		jit_cfi(j, JIT_CFI_SP, 0, a->frame_bytes);
	}
	if (j->subprog == 0 && is_pinned(j))
		a64_move(j, a->base, BASE_ARG);
	a64_copied_plan(j);
	a64_hoist_plan(j);
	a64_hoist_enter(j, j->pc);
}

static void leave_frame(struct jit *j)
{
	const struct a64 *a = a64_of(j);
	u32 bytes = a->frame_bytes;

	jit_cfi(j, JIT_CFI_REMEMBER, 0, 0);
	if (!is_calling(jit_subprog(j))) {
		if (bytes)
			a64_add_const(j, A64_SP, A64_SP, bytes);
	} else {
		emit_saved(j, A64_LDP);
		if (bytes <= 504) {
			a64_emit(j, a64_pair(A64_X, A64_LDP, A64_POST, A64_FP, A64_LR, A64_SP,
					    (s32)bytes));
		} else {
			a64_emit(
				j, a64_pair(A64_X, A64_LDP, A64_OFFSET, A64_FP, A64_LR, A64_SP, 0));
			a64_add_const(j, A64_SP, A64_SP, bytes);
		}
		jit_cfi(j, JIT_CFI_SAME, A64_FP, 0);
		jit_cfi(j, JIT_CFI_SAME, A64_LR, 0);
	}
	jit_cfi(j, JIT_CFI_SP, 0, 0);
}

static void emit_return(struct jit *j)
{
	leave_frame(j);
	a64_emit(j, a64_branch_reg(A64_RET, A64_LR));
	jit_cfi(j, JIT_CFI_RECALL, 0, 0);
}

/* BR from x16 may go to a landing pad for calls. */
void a64_tail_jump(struct jit *j)
{
	struct a64 *a = a64_of(j);

	a64_flush(j, 1u << BPF_REG_1 | 1u << BPF_REG_2);
	a64_emit(j, a64_ldst_scaled(A64_64, A64_LDR, A64_THUNK_TMP, a64_home(j, BPF_REG_2),
			    offsetof(struct callable, entry)));
	if (is_pinned(j))
		a64_move(j, BASE_ARG, a->base);
	leave_frame(j);
	a64_emit(j, a64_branch_reg(A64_BR, A64_THUNK_TMP));
	jit_cfi(j, JIT_CFI_RECALL, 0, 0);
	a64_values_reset(j);
	a->unreachable = true;
}

static bool returns_inline(const struct jit *j)
{
	return a64_of(j)->return_insns <= RETURN_INLINE_INSNS;
}

struct a64_own_exit {
	struct a64_own_exit *next;
	jit_label label;
	struct value result;
};

/* What the result is made of is at its usual home, where it can be found at the end of the subprogram, too. */
static bool stays_there(const struct jit *j)
{
	struct value v = a64_of(j)->values[BPF_REG_0];

	for (u8 place = 0; place < A64_PLACES; place++)
		if (place != BPF_REG_FP && a64_value_refers(v, place) &&
			(a64_is_aside(place) || !a64_at_usual(j, place)))
			return false;
	return a64_at_usual(j, BPF_REG_0);
}

bool a64_has_own_exit(const struct jit *j, u32 to)
{
	return insn_is_exit(*jit_insn(j, to)) && jit_may(j, JIT_OWN_EXIT) && returns_inline(j) &&
	       a64_of(j)->values[BPF_REG_0].kind != VALUE_HOME && stays_there(j);
}

static bool same_value(struct value a, struct value b)
{
	return a.kind == b.kind && a.src == b.src && a.index == b.index && a.shift == b.shift &&
	       a.width == b.width && a.amount == b.amount;
}

jit_label a64_own_exit(struct jit *j)
{
	enum { SHARED_WITH_LAST = 8 };
	struct a64 *a = a64_of(j);
	struct a64_own_exit *e = a->own_exits;

	for (unsigned n = 0; e && n < SHARED_WITH_LAST; n++, e = e->next)
		if (same_value(e->result, a->values[BPF_REG_0]))
			return e->label;
	e = arena_alloc(&j->arena, sizeof(*e));
	if (!e) {
		jit_fail(j, j->pc, ENOMEM, "out of memory");
		return 0;
	}
	*e = (struct a64_own_exit){
		.next = a->own_exits, .label = jit_label_new(j), .result = a->values[BPF_REG_0]};
	a->own_exits = e;
	return e->label;
}

/* The registers are as they were at the jump: what the result is made of is still there. */
static void emit_own_exits(struct jit *j)
{
	struct a64 *a = a64_of(j);
	unsigned rd = a64_returns_x0(j, j->subprog) ? 0 : a64_home(j, BPF_REG_0);

	for (const struct a64_own_exit *e = a->own_exits; e; e = e->next) {
		jit_label_bind(j, e->label);
		a64_emit_value(j, rd, BPF_REG_0, e->result);
		emit_return(j);
	}
	a->own_exits = NULL;
}

void a64_epilogue(struct jit *j)
{
	if (j->err)
		return;
	if (!returns_inline(j))
		emit_return(j);
	emit_own_exits(j);
}

bool a64_is_exit(const struct jit *j, u32 pc)
{
	struct insn i = *jit_insn(j, pc);

	return insn_is_exit(i) ||
	       (insn_is_ja(i) && insn_is_exit(*jit_insn(j, a64_jump_target(j, pc))));
}

bool a64_exits_next(const struct jit *j)
{
	const struct a64 *a = a64_of(j);

	if (a->next >= jit_subprog(j)->end || !a64_is_exit(j, a->next))
		return false;
	return !a->branched[a->next] || a->return_insns == 1;
}

bool a64_exits_here(const struct jit *j)
{
	const struct a64 *a = a64_of(j);

	if (!a64_exits_next(j) || !a->branched[a->next] || !a64_returns_x0(j, j->subprog))
		return false;
	return a->result_in_x0 || a->values[BPF_REG_0].kind != VALUE_HOME;
}

void a64_exit(struct jit *j)
{
	struct a64 *a = a64_of(j);

	if (!a64_returns_x0(j, j->subprog))
		a64_flush(j, 1u << BPF_REG_0);
	else if (!a->result_in_x0)
		a64_emit_value(j, 0, BPF_REG_0, a->values[BPF_REG_0]);
	if (returns_inline(j)) {
		emit_return(j);
	} else if (a->next < jit_subprog(j)->end) {
		jit_fixup(j, jit_offset(j), A64_FIX_IMM26, jit_label_exit(j));
		a64_emit(j, a64_b(0));
	}
	a64_values_reset(j);
	a->unreachable = true;
}

void a64_thunk(struct jit *j, u64 address)
{
	a64_const(j, A64_X, A64_THUNK_TMP, address);
	a64_emit(j, a64_branch_reg(A64_BR, A64_THUNK_TMP));
}
