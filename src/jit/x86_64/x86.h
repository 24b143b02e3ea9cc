/* What the files of the x86-64 target share: registers, frame, the lowering of each class.
 *
 * r1 ... r5 live where the System V ABI passes arguments, so that entering the program and calling a helper moves
 * nothing; r6 ... r9 and r10 where functions must preserve them. r9, r10 and r11 of the host are scratch of divisions,
 * atomic operations and variable shifts (r9 only while it doesn't hold the per-CPU base), or stack slots of subprograms
 * that have none of these. */
#ifndef WEIR_JIT_X86_64_X86_H
#define WEIR_JIT_X86_64_X86_H

#include "jit/target.h"
#include "jit/x86_64/enc.h"

/* Registers of ours: stack slots. */
enum { X86_SLOT_R10 = BPF_NR_REGS, X86_SLOT_R11, X86_SLOT_R9, X86_SLOT_R12 };

static const u8 x86_reg_map[JIT_NR_REGS] = {
	[BPF_REG_0] = RAX,
	[BPF_REG_1] = RDI,
	[BPF_REG_2] = RSI,
	[BPF_REG_3] = RDX,
	[BPF_REG_4] = RCX,
	[BPF_REG_5] = R8,
	[BPF_REG_6] = RBX,
	[BPF_REG_7] = R13,
	[BPF_REG_8] = R14,
	[BPF_REG_9] = R15,
	[BPF_REG_10] = RBP,
	[X86_SLOT_R10] = R10,
	[X86_SLOT_R11] = R11,
	[X86_SLOT_R9] = R9,
	[X86_SLOT_R12] = R12,
};

#define X86_SCRATCH R11
#define X86_SCRATCH2 R10
#define X86_SCRATCH3 R9 /* of division only */

static inline enum x86_reg x86_reg(unsigned bpf_reg)
{
	return (enum x86_reg)x86_reg_map[bpf_reg];
}

/* Fixups: a displacement of 1 or 4 bytes that ends its instruction. */
enum x86_fixup { X86_REL8, X86_REL32 };

/* The frame of one subprogram, from high to low addresses: return address, saved registers, [saved rbp, BPF stack] or
 * [padding]. A leaf keeps up to 128 bytes of BPF stack in the red zone. */
struct x86_frame {
	u8 saved[5]; /* x86 registers, in the order they are pushed */
	u8 nr_saved;
	bool pointer;	/* rbp holds r10 */
	bool pad;	/* 8 bytes, so that calls find rsp aligned to 16 */
	u32 stack_bytes; /* to subtract from rsp below the saved rbp */
};

/* A conditional jump to an exit comes here, behind the code: r0 isn't at home yet. */
struct x86_way_out {
	struct x86_way_out *next;
	jit_label label;
	struct x86_mem r0;
};

struct x86_state {
	struct x86_frame frame;
	bool exit_wanted; /* some exit jumps to the epilogue */

	struct x86_way_out *ways_out; /* the last first */
	struct x86_way_out *way_out;  /* of the jump that is being emitted; NULL: none */

	/* The zero flag is that of flags_reg, in flags_width, as long as the code ends at flags_end. */
	u32 flags_end;
	u8 flags_reg, flags_width;
	u32 flags_wanted; /* the jump that needs them; 0: none */

	/* value.c's: bits are those of BPF registers. */
	struct x86_mem values[JIT_NR_REGS];
	u16 delayed; /* isn't at home: see values */
	u16 clean;   /* the upper half is zero */
	u16 needed;  /* while values are moved: what must not be lost */
	u16 lost;    /* its operands go with the instruction that is being emitted; nobody needs it behind */
	u8 *into;    /* elsewhere.c's, per instruction of the subprogram: 1 + the register that its result goes to; 0: its own. Or NULL */
	u32 goes_on_at; /* copy.c's: the conditional jump that jumps to what is behind it; 0: none */
	u32 done_pc; /* among those that are about to be emitted together, but done already; 0: none */
	u8 place_reg; /* base register of the first access that was taken; JIT_NR_REGS: none */
	struct x86_mem place;
};

static inline struct x86_state *x86_state(const struct jit *j)
{
	return j->priv;
}

bool x86_host_has_bmi2(void);

static inline bool x86_has_bmi2(const struct jit *j)
{
	enum jit_bmi2 wanted = j->opts->bmi2;

	return wanted == JIT_BMI2_ALWAYS || (wanted == JIT_BMI2_AUTO && x86_host_has_bmi2());
}

/* Where the per-CPU base is, with PERCPU_PINNED: its argument register if nothing else wants that, else a register that
 * no call clobbers or, without calls, the one that costs no saving. */
enum x86_reg x86_percpu_reg(const struct jit *j);

/* True when the value that a BPF register other than r0 has now is never read in this subprogram. */
bool x86_is_free(const struct jit *j, unsigned bpf_reg);

/* Short forward jumps inside the code of one instruction. */
static inline u32 x86_skip_if(struct jit *j, enum x86_cond cc)
{
	x86_jcc_rel8(&j->code, cc, 0);
	return jit_offset(j);
}

static inline u32 x86_skip(struct jit *j)
{
	x86_jmp_rel8(&j->code, 0);
	return jit_offset(j);
}

/* The jump that ended at `from` comes here. */
static inline void x86_land(struct jit *j, u32 from)
{
	if (j->code.failed)
		return;
	assert(jit_offset(j) - from <= 127);
	j->code.data[from - 1] = (u8)(jit_offset(j) - from);
}

/* What was emitted last has set the flags by its result. */
static inline void x86_set_flags(struct jit *j, enum x86_width w, enum x86_reg dst)
{
	x86_state(j)->flags_end = jit_offset(j);
	x86_state(j)->flags_reg = (u8)dst;
	x86_state(j)->flags_width = (u8)w;
}

/* What was emitted from `start` on has left them alone. */
static inline void x86_keep_flags(struct jit *j, u32 start, enum x86_reg dst)
{
	if (x86_state(j)->flags_end == start && x86_state(j)->flags_reg != dst)
		x86_state(j)->flags_end = jit_offset(j);
}

/* The zero flag tells whether reg is 0. A 32-bit result is the whole register. */
static inline bool x86_has_flags(const struct jit *j, enum x86_width w, enum x86_reg reg)
{
	const struct x86_state *s = x86_state(j);

	return jit_may(j, JIT_FLAGS) && s->flags_end == jit_offset(j) && s->flags_reg == reg &&
	       (s->flags_width == X86_32 || w == X86_64);
}

/* dst += imm in its shortest form, not 0; flags are clobbered. */
void x86_add_const(struct buf *b, enum x86_width w, enum x86_reg dst, s32 imm);

/* The same address in the shortest form. rbp and r13 need a displacement as base, so they better be the index. */
static inline struct x86_mem x86_shorter(struct x86_mem m)
{
	if (m.base == X86_NO_REG && m.index != X86_NO_REG && m.scale <= 1) {
		m.base = m.index;
		m.index = m.scale ? m.index : X86_NO_REG;
		m.scale = 0;
	}
	if (m.index != X86_NO_REG && m.scale == 0 && m.disp == 0 && (m.base & 7) == RBP) {
		enum x86_reg base = m.base;

		m.base = m.index;
		m.index = base;
	}
	return m;
}

/* Any constant in the shortest form; flags are clobbered. */
void x86_load_const(struct buf *b, enum x86_reg dst, u64 value);

/* An operation of the instruction at j->pc that is the identity: it still clears the upper half in 32 bits. */
void x86_keep(struct jit *j, enum x86_width w, enum x86_reg dst);

/* The operand size that a load or store has. */
enum x86_size x86_size_of(u8 code);

/* The conditional jump at `at` stands in a copied block, whose loop goes on behind the original: that way is the one that it
 * jumps. */
static inline bool x86_goes_on(const struct jit *j, u32 at)
{
	return x86_state(j)->goes_on_at == at && at;
}

/* Jumps as the conditional jump at `at` says, with the flags set for it; returns how many BPF instructions that is. */
u32 x86_branch(struct jit *j, u32 at);
/* The jump close by that asks whether the result of the operation at j->pc is zero, with operations in between that have
 * nothing to do with it; 0: none. */
u32 x86_jump_on_result(const struct jit *j);
/* The jump is about the flags as they are. */
bool x86_uses_flags(const struct jit *j, struct insn i);
u32 x86_branch_insns(const struct jit *j, u32 at);

/* Where the jump at pc ends up, through jumps that it meets. */
u32 x86_jump_target(const struct jit *j, u32 pc);
void x86_jump_to(struct jit *j, jit_label to);
/* As struct jit_target says. */
bool x86_lengthen(const u8 *at, u8 kind, struct jit_longer *longer);
/* Sets the zero flag for reg & imm. */
void x86_test_bits(struct buf *b, enum x86_width w, enum x86_reg reg, s32 imm);
/* Sets the flags for the conditional jump i, which jumps on the condition then. */
void x86_compare(struct jit *j, struct insn i);
enum x86_cond x86_condition(struct insn i);

/* The instruction at j->pc, with others behind it or not; returns how many. What lives at a jump target that comes next
 * isn't at home yet. */
u32 x86_lower_one(struct jit *j);

/* copy.c: instead of the jump at j->pc, 1; or 0 and nothing. Where copies go on must be marked as targets before. */
u32 x86_copy_block(struct jit *j);
void x86_mark_copies(struct jit *j);

/* Code for the instruction at j->pc together with some behind it, better than for each alone: returns how many, or 0 when
 * there is none and nothing was emitted. */
u32 x86_fuse(struct jit *j);
/* Likewise, and all is done (x86_done). */
u32 x86_last_op(struct jit *j);
/* Likewise, when nothing else fits: elsewhere.c. */
u32 x86_op_on_dying(struct jit *j);
u32 x86_op_into_copy(struct jit *j);
void x86_mark_loops(struct jit *j);

/* One for each class; each returns how many BPF instructions it consumed. */
u32 x86_lower_alu(struct jit *j);
u32 x86_lower_ld_imm64(struct jit *j);
u32 x86_lower_load(struct jit *j);
u32 x86_lower_store_imm(struct jit *j);
u32 x86_lower_store(struct jit *j);
u32 x86_lower_atomic(struct jit *j);
u32 x86_lower_jump(struct jit *j);
void x86_lower_div(struct jit *j);
u32 x86_lower_call(struct jit *j);
u32 x86_lower_exit(struct jit *j);

/* Leaving takes so little code that it stands at each exit. */
bool x86_returns_inline(const struct jit *j);
/* rax = v */
void x86_make_r0(struct jit *j, struct x86_mem v);
/* The code that leaves the subprogram. */
void x86_return(struct jit *j);
/* Likewise, to the callable r2. */
void x86_tail_jump(struct jit *j);

#endif
