/* The per-CPU MOV: dst = this CPU's address of src, in the form for each place that the base can be in. */
#include "jit/arm64/lower.h"

/* Held back where it can become part of an address: base + constant, or base + the register itself. */
static void lower_pinned(struct jit *j, struct insn i)
{
	u64 off;

	if (a64_const_of(j, i.src, &off)) {
		a64_set(j, i.dst, (struct value){.kind = VALUE_PERCPU, .amount = (s64)off});
	} else if (i.src == i.dst) {
		a64_read_home(j, i.dst);
		a64_set(j, i.dst, (struct value){.kind = VALUE_PERCPU_ADD});
	} else {
		a64_settle(j, i.src);
		unsigned rm = a64_read(j, A64_X, i.src, A64_TMP);
		unsigned rd = a64_write(j, i.dst);
		a64_emit(j, a64_addsub_reg(A64_X, A64_ADD, rd, a64_of(j)->base, rm, A64_LSL, 0));
	}
}

static void lower_thread(struct jit *j, struct insn i)
{
	u32 off = j->opts->thread_off;

	a64_settle(j, i.src);
	unsigned rn = a64_read(j, A64_X, i.src, A64_TMP2);
	a64_emit(j, a64_mrs(A64_TMP, A64_TPIDR_EL0));
	if (a64_is_ldst_scaled(A64_64, off)) {
		a64_emit(j, a64_ldst_scaled(A64_64, A64_LDR, A64_TMP, A64_TMP, off));
	} else {
		a64_const(j, A64_X, A64_TMP3, off);
		a64_emit(j,
			a64_ldst_reg(A64_64, A64_LDR, A64_TMP, A64_TMP, A64_TMP3, A64_UXTX, false));
	}
	a64_emit(j, a64_addsub_reg(A64_X, A64_ADD, a64_write(j, i.dst), rn, A64_TMP, A64_LSL, 0));
}

/* Exactly the kernel's instructions: its MOV between registers is ADD #0. */
static void lower_kernel(struct jit *j, struct insn i, enum a64_sysreg base)
{
	a64_settle(j, i.src);
	unsigned rn = a64_read(j, A64_X, i.src, A64_TMP2);
	unsigned rd = a64_write_home(j, i.dst);

	if (rd != rn)
		a64_emit(j, a64_addsub_imm(A64_X, A64_ADD, rd, rn, 0));
	a64_emit(j, a64_mrs(A64_TMP, base));
	a64_emit(j, a64_addsub_reg(A64_X, A64_ADD, rd, rd, A64_TMP, A64_LSL, 0));
}

void a64_lower_percpu_mov(struct jit *j, struct insn i)
{
	switch (j->opts->percpu) {
	case PERCPU_PINNED:
		lower_pinned(j, i);
		return;
	case PERCPU_THREAD:
		lower_thread(j, i);
		return;
	case PERCPU_KERNEL:
		lower_kernel(j, i, A64_TPIDR_EL1);
		return;
	case PERCPU_KERNEL_VHE:
		lower_kernel(j, i, A64_TPIDR_EL2);
		return;
	}
	UNREACHABLE();
}
