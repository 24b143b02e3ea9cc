/* Shared by the files that fuse neighbours. */
#ifndef WEIR_JIT_X86_64_FUSE_H
#define WEIR_JIT_X86_64_FUSE_H

#include "jit/live.h"
#include "jit/x86_64/value.h"

/* The n-th instruction behind the current one, or one that is nothing (code 0) when it can't be fused. The caller has
 * looked at all before it. */
static inline struct insn fuse_ahead(const struct jit *j, u32 n)
{
	return jit_fusible(j, j->pc + n) ? *jit_insn(j, j->pc + n) : (struct insn){0};
}

static inline bool fuse_is_alu(struct insn i)
{
	return BPF_CLASS(i.code) == BPF_ALU || BPF_CLASS(i.code) == BPF_ALU64;
}

static inline enum x86_width fuse_width(struct insn i)
{
	return BPF_CLASS(i.code) == BPF_ALU64 ? X86_64 : X86_32;
}

/* Register to register, of either width, without extension. */
static inline bool fuse_is_move(struct insn i)
{
	return fuse_is_alu(i) && BPF_OP(i.code) == BPF_MOV && BPF_SRC(i.code) == BPF_X && i.off == 0;
}

static const u8 fuse_alu_ops[16] = {[BPF_ADD >> 4] = X86_ADD,
	[BPF_SUB >> 4] = X86_SUB,
	[BPF_AND >> 4] = X86_AND,
	[BPF_OR >> 4] = X86_OR,
	[BPF_XOR >> 4] = X86_XOR};

/* The n-th instruction behind the current one is arithmetic that may as well stand before it; and lowers it now, which x86_take
 * and x86_done of them all know. Those between them don't touch what it does. */
bool fuse_may_go_first(const struct jit *j, u32 n);
void fuse_go_first(struct jit *j, u32 n);

/* dst = src op imm is one instruction: it. */
bool fuse_has_move_form(struct insn i);
void fuse_alu_imm_into(struct buf *b, struct insn i, enum x86_reg dst, enum x86_reg src);
/* dst = a + b */
void fuse_sum(struct buf *b, enum x86_width w, enum x86_reg dst, enum x86_reg a, enum x86_reg c);
/* value.c knows better. */
bool fuse_is_delayed_sum(const struct jit *j, struct insn i);

/* What begins with a load. */
u32 fuse_load(struct jit *j);

#endif
