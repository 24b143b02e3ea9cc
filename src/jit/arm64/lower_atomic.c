/* Atomic operations, by FEAT_LSE where the host has it, else by exclusive loads and stores. As in the kernel, those that
 * return the old value order memory on both sides, the others order nothing. */
#include "jit/arm64/lower.h"

#include <errno.h>

struct atomic {
	s32 op; /* without BPF_FETCH but for XCHG and CMPXCHG */
	enum a64_size size;
	enum a64_width w;
	bool fetch;
	unsigned rs; /* operand */
	unsigned at; /* address */
};

/* `new` = `old` op operand. */
static void emit_operation(struct jit *j, const struct atomic *a, unsigned new, unsigned old)
{
	switch (a->op) {
	case BPF_ADD:
		a64_emit(j, a64_addsub_reg(a->w, A64_ADD, new, old, a->rs, A64_LSL, 0));
		return;
	case BPF_OR:
		a64_emit(j, a64_logic_reg(a->w, A64_ORR, new, old, a->rs, A64_LSL, 0));
		return;
	case BPF_AND:
		a64_emit(j, a64_logic_reg(a->w, A64_AND, new, old, a->rs, A64_LSL, 0));
		return;
	case BPF_XOR:
		a64_emit(j, a64_logic_reg(a->w, A64_EOR, new, old, a->rs, A64_LSL, 0));
		return;
	}
	UNREACHABLE();
}

/* load exclusive; new = old op operand; store exclusive; again if that failed. Leaves the old value in A64_TMP2. */
static void emit_loop(struct jit *j, const struct atomic *a)
{
	enum a64_order order = a->fetch ? A64_ORDERED : A64_RELAXED;
	u32 start = jit_offset(j);
	unsigned new = A64_TMP4;

	a64_emit(j, a64_ldxr(a->size, order, A64_TMP2, a->at));
	if (a->op == BPF_XCHG)
		new = a->rs;
	else
		emit_operation(j, a, new, A64_TMP2);
	a64_emit(j, a64_stxr(a->size, order, A64_TMP3, new, a->at));
	a64_emit(j, a64_cbz(A64_W, A64_IS_NONZERO, A64_TMP3, (s64)start - jit_offset(j)));
}

static enum a64_atomic lse_op(s32 op)
{
	switch (op) {
	case BPF_ADD:
		return A64_LDADD;
	case BPF_OR:
		return A64_LDSET;
	case BPF_AND:
		return A64_LDCLR;
	case BPF_XOR:
		return A64_LDEOR;
	case BPF_XCHG:
		return A64_SWP;
	}
	UNREACHABLE();
}

/* AND is "clear the bits of the complement". */
static void emit_lse(struct jit *j, const struct atomic *a, unsigned rt)
{
	unsigned rs = a->rs;

	if (a->op == BPF_AND) {
		a64_emit(j, a64_logic_reg(a->w, A64_ORN, A64_TMP2, A64_ZR, rs, A64_LSL, 0));
		rs = A64_TMP2;
	}
	if (a->fetch)
		a64_emit(j, a64_atomic(a->size, lse_op(a->op), rs, rt, a->at));
	else
		a64_emit(j, a64_atomic_store(a->size, lse_op(a->op), rs, a->at));
}

/* r0 holds what is expected and gets what was there. */
static void lower_compare_exchange(struct jit *j, const struct atomic *a)
{
	unsigned r0 = a64_write_home(j, BPF_REG_0);

	if (a64_of(j)->lse) {
		a64_emit(j, a64_casal(a->size, r0, a->rs, a->at));
		return;
	}
	u32 start = jit_offset(j);
	a64_emit(j, a64_ldxr(a->size, A64_ORDERED, A64_TMP2, a->at));
	a64_emit(j, a64_addsub_reg(a->w, A64_SUBS, A64_ZR, A64_TMP2, r0, A64_LSL, 0));
	a64_emit(j, a64_bcond(A64_NE, 12));
	a64_emit(j, a64_stxr(a->size, A64_ORDERED, A64_TMP3, a->rs, a->at));
	a64_emit(j, a64_cbz(A64_W, A64_IS_NONZERO, A64_TMP3, (s64)start - jit_offset(j)));
	a64_move(j, r0, A64_TMP2);
}

static void lower_fetch_or_not(struct jit *j, const struct atomic *a, u8 src)
{
	if (a64_of(j)->lse) {
		emit_lse(j, a, a->fetch ? a64_write_home(j, src) : A64_ZR);
		return;
	}
	emit_loop(j, a);
	if (a->fetch)
		a64_move(j, a64_write_home(j, src), A64_TMP2);
}

void a64_lower_atomic(struct jit *j, struct insn i)
{
	struct atomic a = {.size = a64_size_of(i), .fetch = i.imm & BPF_FETCH};

	a.w = a.size == A64_64 ? A64_X : A64_W;
	a.op = i.imm == BPF_XCHG || i.imm == BPF_CMPXCHG ? i.imm : i.imm & ~BPF_FETCH;
	if (i.imm == BPF_CMPXCHG)
		a64_read_home(j, BPF_REG_0);
	a64_settle(j, i.src);
	struct a64_place p = a64_place(j, a.size, i.dst, i.off);
	a.rs = a64_read(j, a.w, i.src, A64_TMP4);
	a.at = a64_place_reg(j, a.size, p);
	if (i.imm == BPF_CMPXCHG)
		lower_compare_exchange(j, &a);
	else
		lower_fetch_or_not(j, &a, i.src);
}
