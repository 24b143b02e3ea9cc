/* The x86-64 target: frames, thunks, patching, and which file lowers which class. */
#include <elf.h>
#include <errno.h>

#include "jit/x86_64/value.h"
#include "map/callable.h"

enum { RED_ZONE_BYTES = 128 };

static bool writes_or_reads(const struct jit_subprog *s, unsigned bpf_reg)
{
	return s->names >> bpf_reg & 1;
}

bool x86_is_free(const struct jit *j, unsigned bpf_reg)
{
	const struct jit_subprog *s = jit_subprog(j);
	/* A subprogram may pass an argument of its own on to a call without naming it. */
	bool passed_on = j->subprog > 0 && (s->calls_helper || s->calls_local);

	return !writes_or_reads(s, bpf_reg) && !passed_on;
}

enum x86_reg x86_percpu_reg(const struct jit *j)
{
	const struct jit_subprog *main = &j->subprogs[0];

	if (j->calls || main->divides)
		return R12;
	return writes_or_reads(main, BPF_REG_3) ? R9 : RDX;
}

static bool percpu_in_use(const struct jit *j)
{
	return j->percpu && j->opts->percpu == PERCPU_PINNED;
}

static struct x86_frame frame_of(const struct jit *j)
{
	const struct jit_subprog *s = jit_subprog(j);
	bool is_leaf = !s->calls_helper && !s->calls_local;
	struct x86_frame f = {.pointer = writes_or_reads(s, BPF_REG_10) || s->stack_bytes > 0};

	for (unsigned r = BPF_REG_6; r <= BPF_REG_9; r++)
		if (s->writes >> r & 1)
			f.saved[f.nr_saved++] = x86_reg_map[r];
	bool holds_base = j->subprog == 0 && percpu_in_use(j) && x86_percpu_reg(j) == R12;
	if (holds_base || s->writes >> X86_SLOT_R12 & 1)
		f.saved[f.nr_saved++] = R12;
	if (!is_leaf || s->stack_bytes > RED_ZONE_BYTES)
		f.stack_bytes = s->stack_bytes;
	/* rsp is 8 below a multiple of 16 at the entry. */
	u32 misaligned = (8 + 8 * ((u32)f.nr_saved + f.pointer) + f.stack_bytes) % 16;
	if (!is_leaf && misaligned && f.stack_bytes)
		f.stack_bytes += 8;
	else if (!is_leaf && misaligned)
		f.pad = true;
	return f;
}

static u16 without(u16 regs, unsigned reg)
{
	return (u16)(regs & ~(1u << reg));
}

/* Which of our own registers are scratch there, or hold the per-CPU base. */
static u16 spare(const struct jit *j, const struct jit_subprog *s, u16 *saved)
{
	static const u16 args = 0x3e, preserved = 0x3c0 | 1u << X86_SLOT_R12,
			 scratch = 1u << X86_SLOT_R9 | 1u << X86_SLOT_R10 | 1u << X86_SLOT_R11;
	bool is_leaf = !s->calls_helper && !s->calls_local;
	u16 regs = (u16)(preserved | (is_leaf ? args | scratch : 0)) & (u16)~s->names;

	*saved = preserved;
	if (percpu_in_use(j)) {
		regs = without(regs, BPF_REG_3);
		regs = without(regs, x86_percpu_reg(j) == R12 ? X86_SLOT_R12 : X86_SLOT_R9);
	}
	if (s->divides || s->fetches)
		return regs & (u16)~scratch;
	return s->shifts ? without(regs, X86_SLOT_R11) : regs;
}

static void push_saved(struct jit *j, enum x86_reg reg, u32 *cfa)
{
	x86_push(&j->code, reg);
	*cfa += 8;
	jit_cfi(j, JIT_CFI_SP, 0, *cfa);
	jit_cfi(j, JIT_CFI_SAVED, (u8)reg, *cfa);
}

static void prologue(struct jit *j)
{
	struct buf *b = &j->code;

	if (!j->priv)
		j->priv = arena_alloc(&j->arena, sizeof(struct x86_state));
	if (!j->priv)
		return jit_fail(j, j->pc, ENOMEM, "out of memory");
	struct x86_frame f = frame_of(j);
	*x86_state(j) = (struct x86_state){.frame = f};
	x86_values_reset(j);
	x86_mark_copies(j);
	x86_mark_loops(j);
	if (j->subprog == 0 && j->opts->landing_pads)
		x86_endbr64(b);
	u32 cfa = 8;
	for (unsigned i = 0; i < f.nr_saved; i++)
		push_saved(j, f.saved[i], &cfa);
	if (f.pointer) {
		push_saved(j, RBP, &cfa);
		x86_mov(b, X86_64, RBP, RSP);
		jit_cfi(j, JIT_CFI_FP, 0, cfa);
	}
	if (f.pad)
		x86_push(b, RAX);
	if (f.pad && !f.pointer)
		jit_cfi(j, JIT_CFI_SP, 0, cfa + 8);
	if (f.stack_bytes)
		x86_alu_imm(b, X86_64, X86_SUB, RSP, (s32)f.stack_bytes);
	if (j->subprog == 0 && percpu_in_use(j) && x86_percpu_reg(j) != RDX)
		x86_mov(b, X86_64, x86_percpu_reg(j), RDX);
}

static void leave_frame(struct jit *j)
{
	const struct x86_frame *f = &x86_state(j)->frame;
	struct buf *b = &j->code;

	jit_cfi(j, JIT_CFI_REMEMBER, 0, 0);
	if (f->pointer && (f->stack_bytes || f->pad))
		x86_leave(b);
	else if (f->pointer)
		x86_pop(b, RBP);
	else if (f->pad)
		x86_pop(b, RCX);
	if (f->pointer)
		jit_cfi(j, JIT_CFI_SAME, RBP, 0);
	if (f->pointer || f->pad)
		jit_cfi(j, JIT_CFI_SP, 0, 8 + 8 * (u32)f->nr_saved);
	for (unsigned i = f->nr_saved; i-- > 0;) {
		x86_pop(b, f->saved[i]);
		jit_cfi(j, JIT_CFI_SAME, (u8)f->saved[i], 0);
		jit_cfi(j, JIT_CFI_SP, 0, 8 + 8 * i);
	}
}

void x86_return(struct jit *j)
{
	leave_frame(j);
	x86_ret(&j->code);
	jit_cfi(j, JIT_CFI_RECALL, 0, 0);
}

void x86_tail_jump(struct jit *j)
{
	struct buf *b = &j->code;

	x86_load(b, X86_M64, RAX, x86_at(x86_reg(BPF_REG_2), offsetof(struct callable, entry)));
	if (percpu_in_use(j) && x86_percpu_reg(j) != RDX)
		x86_mov(b, X86_64, RDX, x86_percpu_reg(j));
	leave_frame(j);
	x86_jmp_reg(b, RAX);
	jit_cfi(j, JIT_CFI_RECALL, 0, 0);
}

static void epilogue(struct jit *j)
{
	if (j->err)
		return;
	bool falls_in = insn_is_exit(*jit_insn(j, jit_subprog(j)->end - 1));

	struct x86_way_out *out = x86_state(j)->ways_out;
	bool jumps_there = out && !x86_returns_inline(j);

	if (falls_in || jumps_there || x86_state(j)->exit_wanted)
		x86_return(j);
	for (; out && !j->err; out = out->next) {
		jit_label_bind(j, out->label);
		x86_make_r0(j, out->r0);
		if (jumps_there)
			x86_jump_to(j, jit_label_exit(j));
		else
			x86_return(j);
	}
}

static u32 refuse(struct jit *j)
{
	jit_fail(j, j->pc, ENOTSUP, "unknown instruction 0x%02x", jit_insn(j, j->pc)->code);
	return 1;
}

static u32 lower_ld(struct jit *j)
{
	return insn_is_ld_imm64(*jit_insn(j, j->pc)) ? x86_lower_ld_imm64(j) : refuse(j);
}

/* What may be better for an opcode than code of its own: as the last before a jump, together with what is behind it, in the
 * home of an operand that dies, later. */
enum { LAST_OP = 1, FUSE = 2, DYING = 4, DELAY = 8 };

#define BOTH(op, what) [BPF_ALU64 | (op)] = (what), [BPF_ALU | (op)] = (what)
#define LOAD(size) [BPF_LDX | BPF_MEM | (size)] = FUSE
#define JUMP(op) \
	[BPF_JMP | (op) | BPF_K] = FUSE, [BPF_JMP | (op) | BPF_X] = FUSE, \
			  [BPF_JMP32 | (op) | BPF_K] = FUSE, [BPF_JMP32 | (op) | BPF_X] = FUSE

static const u8 first_tries[256] = {
	BOTH(BPF_MOV | BPF_X, FUSE | DYING | DELAY),
	BOTH(BPF_MOV | BPF_K, DELAY),
	BOTH(BPF_AND | BPF_K, LAST_OP),
	BOTH(BPF_ADD | BPF_K, LAST_OP | DELAY),
	BOTH(BPF_SUB | BPF_K, LAST_OP | DELAY),
	BOTH(BPF_LSH | BPF_K, FUSE | DELAY),
	BOTH(BPF_ADD | BPF_X, DELAY),
	[BPF_LD | BPF_IMM | BPF_DW] = DELAY,
	LOAD(BPF_B),
	LOAD(BPF_H),
	LOAD(BPF_W),
	LOAD(BPF_DW),
	JUMP(BPF_JEQ),
	JUMP(BPF_JNE),
	JUMP(BPF_JGT),
	JUMP(BPF_JGE),
	JUMP(BPF_JLT),
	JUMP(BPF_JLE),
	JUMP(BPF_JSGT),
	JUMP(BPF_JSGE),
	JUMP(BPF_JSLT),
	JUMP(BPF_JSLE),
	JUMP(BPF_JSET),
};

u32 x86_lower_one(struct jit *j)
{
	static u32 (*const classes[8])(struct jit * j) = {
		[BPF_LD] = lower_ld,
		[BPF_LDX] = x86_lower_load,
		[BPF_ST] = x86_lower_store_imm,
		[BPF_STX] = x86_lower_store,
		[BPF_ALU] = x86_lower_alu,
		[BPF_ALU64] = x86_lower_alu,
		[BPF_JMP] = x86_lower_jump,
		[BPF_JMP32] = x86_lower_jump,
	};

	u8 code = jit_insn(j, j->pc)->code;
	unsigned tries = first_tries[code];
	u32 n = tries & LAST_OP ? x86_last_op(j) : 0;

	if (n)
		return n;
	n = tries & FUSE ? x86_fuse(j) : 0;
	if (!n) {
		n = tries & DYING ? x86_op_on_dying(j) : 0;
		n = n ? n : x86_op_into_copy(j);
		n = n || !(tries & DELAY) ? n : x86_delay(j);
		if (n)
			return n;
		x86_take_one(j);
		n = classes[BPF_CLASS(code)](j);
	}
	x86_done(j, n);
	return n;
}

/* The instructions from pc to next end with a way on that no other jump meets. */
static bool goes_on_alone(const struct jit *j, u32 pc, u32 next)
{
	return insn_is_cond_jump(*jit_insn(j, pc)) && jit_jump_target(j, pc) == next &&
	       j->is_target[next] == 1;
}

static u32 lower(struct jit *j)
{
	struct insn i = *jit_insn(j, j->pc);
	u32 n = insn_is_ja(i) ? x86_copy_block(j) : 0;

	if (!n)
		n = x86_lower_one(j);
	u32 next = j->pc + n;
	if (insn_is_exit(i) || insn_is_ja(i))
		x86_values_reset(j);
	else if (next < jit_subprog(j)->end && j->is_target[next] && !goes_on_alone(j, j->pc, next))
		x86_flush(j, next);
	return n;
}

/* rax is no argument, and the callee's result at the end. */
static void thunk(struct jit *j, u64 address)
{
	x86_load_const(&j->code, RAX, address);
	x86_jmp_reg(&j->code, RAX);
}

static bool patch(u8 *code, u8 kind, s64 delta)
{
	/* Distances count from the end of the instruction, which is that of the displacement. */
	if (kind == X86_REL8) {
		if (!x86_fits8(delta - 1))
			return false;
		*code = (u8)(delta - 1);
		return true;
	}
	if (!x86_fits32(delta - 4))
		return false;
	store_le32(code, (u32)(delta - 4));
	return true;
}

static void pad(u8 *code, u32 bytes)
{
	for (u32 n; bytes > 0; bytes -= n, code += n) {
		n = bytes < 9 ? bytes : 9;
		x86_nop(code, n);
	}
}

/* System V ABI, AMD64 supplement, figure 3.36 */
static const u8 dwarf_regs[] = {0, 2, 1, 3, 7, 6, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15};

const struct jit_target jit_target_x86_64 = {
	.name = "x86_64",
	.elf_machine = EM_X86_64,
	.dwarf_regs = dwarf_regs,
	.dwarf_sp = 7,
	.dwarf_fp = 6,
	.dwarf_return = 16,
	.entry_cfa = 8,
	.prologue = prologue,
	.lower = lower,
	.epilogue = epilogue,
	.thunk = thunk,
	.patch = patch,
	.lengthen = x86_lengthen,
	.pad = pad,
	.spare = spare,
};
