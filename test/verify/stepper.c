#include "stepper.h"

#include <string.h>

#include "concrete.h"
#include "isa/isa.h"

enum { STEPS_MAX = 1000000, HELPER_LOOP = 181 };

static int broken(struct stepper *s, const char *what, u64 value)
{
	if (!s->broken.len)
		buf_printf(
			&s->broken, "insn %u: %s (%#llx)", s->pc, what, (unsigned long long)value);
	return -1;
}

static const struct fact *fact(const struct stepper *s)
{
	return &s->f->insns[s->pc];
}

static int read_reg(struct stepper *s, u32 r, u64 *value)
{
	if (r == BPF_REG_FP) {
		*value = (u64)(uintptr_t)(s->frames[s->depth].stack + 512);
		return 0;
	}
	if (!(s->frames[s->depth].written >> r & 1))
		return broken(s, "reads a register that was never written", r);
	*value = s->frames[s->depth].regs[r];
	return 0;
}

static void write_reg(struct stepper *s, u32 r, u64 value)
{
	s->frames[s->depth].regs[r] = value;
	s->frames[s->depth].written |= (u16)(1u << r);
}

static int check_stack(struct stepper *s, u32 frame, u32 at, u32 size, bool write)
{
	const struct fact *f = fact(s);
	u32 depth = 512 - at, subprog = s->frames[frame].subprog;

	if (depth > s->f->stack_bytes[subprog])
		return broken(s, "deeper than stack_bytes", depth);
	if (f->off && (frame != s->depth || f->off != (s32)at - 512))
		return broken(s, "stack offset differs from the fact", at);
	for (u32 n = at; n < at + size; n++) {
		bool noted = s->f->uninit_slots[subprog] >> (511 - n) / 8 & 1;

		if (!write && !s->frames[frame].init[n] && !noted)
			return broken(s, "reads stack that was never written", n);
		if (write)
			s->frames[frame].init[n] = true;
	}
	return 0;
}

static int check_kind(struct stepper *s, u8 kind)
{
	u8 want = fact(s)->mem;

	if (want != kind && !(want == MEM_MIXED && kind != MEM_CTX))
		return broken(s, "memory of another kind", kind);
	return 0;
}

/* The bytes at `address`, when the program may touch them. */
static int check_access(struct stepper *s, u64 address, u32 size, bool write)
{
	for (u32 n = 0; n < s->nr_regions; n++) {
		const struct region *r = &s->regions[n];
		u64 at = address - (u64)(uintptr_t)r->start;

		if (at >= r->bytes || size > r->bytes - at)
			continue;
		if (r->kind == MEM_CTX && fact(s)->off != (s32)at)
			return broken(s, "context offset differs from the fact", at);
		return check_kind(s, r->kind);
	}
	for (u32 frame = 0; frame <= s->depth; frame++) {
		u64 at = address - (u64)(uintptr_t)s->frames[frame].stack;

		if (at < 512 && size <= 512 - at)
			return check_kind(s, MEM_STACK)
				       ? -1
				       : check_stack(s, frame, (u32)at, size, write);
	}
	return broken(s, "touches memory outside", address);
}

static u32 size_of(u8 code)
{
	static const u8 sizes[] = {
		[BPF_W >> 3] = 4, [BPF_H >> 3] = 2, [BPF_B >> 3] = 1, [BPF_DW >> 3] = 8};

	return sizes[BPF_SIZE(code) >> 3];
}

static u64 sign_extend(u64 value, u32 bytes)
{
	u32 up = 64 - bytes * 8;

	return (u64)((s64)(value << up) >> up);
}

static int step_load(struct stepper *s, struct insn i)
{
	u32 size = size_of(i.code);
	u64 base, value = 0;

	if (read_reg(s, i.src, &base) || check_access(s, base + (u64)(s64)i.off, size, false))
		return -1;
	memcpy(&value, (void *)(uintptr_t)(base + (u64)(s64)i.off), size);
	write_reg(s, i.dst, BPF_MODE(i.code) == BPF_MEMSX ? sign_extend(value, size) : value);
	return 0;
}

static int step_store(struct stepper *s, struct insn i)
{
	u64 base, value = (u64)(s64)i.imm;
	u32 size = size_of(i.code);

	if (BPF_CLASS(i.code) == BPF_STX && read_reg(s, i.src, &value))
		return -1;
	if (read_reg(s, i.dst, &base) || check_access(s, base + (u64)(s64)i.off, size, true))
		return -1;
	memcpy((void *)(uintptr_t)(base + (u64)(s64)i.off), &value, size);
	return 0;
}

static u64 byte_order(struct insn i, u64 value)
{
	u32 up = 64 - (u32)i.imm;

	if (BPF_CLASS(i.code) == BPF_ALU && BPF_SRC(i.code) == BPF_K)
		return value << up >> up;
	return __builtin_bswap64(value) >> up;
}

static int step_alu(struct stepper *s, struct insn i)
{
	bool wide = BPF_CLASS(i.code) == BPF_ALU64;
	u8 op = BPF_OP(i.code);
	u64 x = 0, y = (u64)(s64)i.imm;

	if (BPF_SRC(i.code) == BPF_X && op != BPF_END && read_reg(s, i.src, &y))
		return -1;
	if (op != BPF_MOV && read_reg(s, i.dst, &x))
		return -1;
	if ((op == BPF_DIV || op == BPF_MOD) && fact(s)->flags & FACT_SRC_NONZERO &&
		!(wide ? y : (u32)y))
		return broken(s, "divisor is zero", y);
	if (op == BPF_MOV) {
		y = i.off ? sign_extend(y, (u32)i.off / 8) : y;
		write_reg(s, i.dst, wide ? y : (u32)y);
	} else if (op == BPF_END) {
		write_reg(s, i.dst, byte_order(i, x));
	} else {
		write_reg(s, i.dst,
			wide ? run64(op, i.off == 1, x, y) : run32(op, i.off == 1, (u32)x, (u32)y));
	}
	return 0;
}

static int step_cond(struct stepper *s, struct insn i)
{
	u16 flags = fact(s)->flags;
	u64 x, y = (u64)(s64)i.imm;

	if (read_reg(s, i.dst, &x) || (BPF_SRC(i.code) == BPF_X && read_reg(s, i.src, &y)))
		return -1;
	bool taken = BPF_CLASS(i.code) == BPF_JMP ? compare64(BPF_OP(i.code), x, y)
						  : compare32(BPF_OP(i.code), x, y);
	if (taken ? flags & FACT_NOT_TAKEN : flags & FACT_TAKEN)
		return broken(s, "a jump that is decided went the other way", taken);
	s->pc += taken ? (u32)insn_jump_off(i) : 0;
	return 0;
}

static int enter(struct stepper *s, u32 target)
{
	u32 n = 0;

	if (s->depth + 1 == STEPPER_FRAMES)
		return broken(s, "too many frames", s->depth);
	while (s->f->subprog_start[n] != target)
		n++;
	s->depth++;
	memset(&s->frames[s->depth], 0, sizeof(s->frames[0]));
	s->frames[s->depth].ret_pc = s->pc;
	s->frames[s->depth].subprog = n;
	s->pc = target - 1;
	return 0;
}

static int step_local_call(struct stepper *s, struct insn i)
{
	u32 caller = s->depth;

	if (enter(s, (u32)((s64)s->pc + 1 + i.imm)))
		return -1;
	memcpy(s->frames[s->depth].regs, s->frames[caller].regs, sizeof(s->frames[0].regs));
	s->frames[s->depth].written = s->frames[caller].written & 0x3e;
	s->frames[caller].written &= 0x3c0;
	return 0;
}

static void next_round(struct stepper *s)
{
	write_reg(s, BPF_REG_1, s->frames[s->depth].round);
	write_reg(s, BPF_REG_2, s->frames[s->depth].ctx);
}

/* bpf_loop(rounds, callback, ctx, 0); the address of a subprogram is its first instruction. */
static int step_loop(struct stepper *s)
{
	u64 rounds = 0, callback = 0, ctx = 0;

	if (read_reg(s, BPF_REG_1, &rounds) || read_reg(s, BPF_REG_2, &callback) ||
		read_reg(s, BPF_REG_3, &ctx))
		return -1;
	rounds = (u32)rounds;
	s->frames[s->depth].written &= 0x3c0;
	if (!rounds) {
		write_reg(s, BPF_REG_0, 0);
		return 0;
	}
	if (enter(s, (u32)callback))
		return -1;
	s->frames[s->depth].in_loop = true;
	s->frames[s->depth].rounds = rounds;
	s->frames[s->depth].ctx = ctx;
	next_round(s);
	return 0;
}

/* The callback has returned: once more, or r0 = how often it was called. */
static int end_round(struct stepper *s)
{
	u64 stop, rounds, round, ctx, start = s->f->subprog_start[s->frames[s->depth].subprog];

	if (read_reg(s, BPF_REG_0, &stop))
		return -1;
	if (stop > 1)
		return broken(s, "the callback returns neither 0 nor 1", stop);
	round = s->frames[s->depth].round + 1;
	rounds = s->frames[s->depth].rounds;
	ctx = s->frames[s->depth].ctx;
	s->pc = s->frames[s->depth].ret_pc;
	s->depth--;
	if (stop || round == rounds) {
		write_reg(s, BPF_REG_0, round);
		return 0;
	}
	if (enter(s, (u32)start))
		return -1;
	s->frames[s->depth].in_loop = true;
	s->frames[s->depth].round = round;
	s->frames[s->depth].rounds = rounds;
	s->frames[s->depth].ctx = ctx;
	next_round(s);
	return 0;
}

static int step_return(struct stepper *s)
{
	u64 r0 = s->frames[s->depth].regs[0];
	bool has = s->frames[s->depth].written & 1;

	if (s->frames[s->depth].in_loop)
		return end_round(s);
	s->pc = s->frames[s->depth].ret_pc;
	s->depth--;
	if (has)
		write_reg(s, BPF_REG_0, r0);
	return 0;
}

static int step_other(struct stepper *s, struct insn i)
{
	if (insn_is_ld_imm64(i) && i.src == LD_IMM64_FUNC) {
		write_reg(s, i.dst, (u64)((s64)s->pc + 1 + i.imm));
		s->pc++;
		return 0;
	}
	if (insn_is_ld_imm64(i)) {
		write_reg(s, i.dst, (u64)(u32)s->p->insns[s->pc + 1].imm << 32 | (u32)i.imm);
		s->pc++;
		return 0;
	}
	if (insn_is_ja(i)) {
		s->pc += (u32)insn_jump_off(i);
		return 0;
	}
	if (insn_is_local_call(i))
		return step_local_call(s, i);
	if (insn_is_helper_call(i) && i.imm == HELPER_LOOP)
		return step_loop(s);
	return insn_is_cond_jump(i)
		       ? step_cond(s, i)
		       : broken(s, "an instruction that the stepper doesn't know", i.code);
}

static int step(struct stepper *s, struct insn i)
{
	switch (BPF_CLASS(i.code)) {
	case BPF_ALU:
	case BPF_ALU64:
		return step_alu(s, i);
	case BPF_LDX:
		return step_load(s, i);
	case BPF_ST:
	case BPF_STX:
		return step_store(s, i);
	}
	return step_other(s, i);
}

static int check_before(struct stepper *s, struct insn i)
{
	const struct fact *f = fact(s);

	if (!(f->flags & FACT_SEEN))
		return broken(s, "reaches code called unreachable", 0);
	if (f->flags & FACT_DST_UPPER_ZERO && s->frames[s->depth].regs[i.dst] >> 32)
		return broken(s, "upper half isn't zero", s->frames[s->depth].regs[i.dst]);
	if ((f->flags & FACT_SRC_BYTE && s->frames[s->depth].regs[i.src] > UINT8_MAX) ||
		(f->flags & FACT_SRC_SHORT && s->frames[s->depth].regs[i.src] > UINT16_MAX))
		return broken(s, "source isn't that small", s->frames[s->depth].regs[i.src]);
	return 0;
}

int stepper_run(struct stepper *s, u64 r1, u64 r2, u64 *r0)
{
	memset(s->frames, 0, sizeof(s->frames));
	s->depth = s->pc = s->steps = 0;
	write_reg(s, BPF_REG_1, r1);
	if (s->p->type == PROG_TYPE_RAW)
		write_reg(s, BPF_REG_2, r2);
	for (;; s->pc++) {
		struct insn i = s->p->insns[s->pc];
		u32 pc = s->pc, depth = s->depth;

		if (++s->steps > STEPS_MAX)
			return broken(s, "doesn't end", s->steps);
		if (check_before(s, i))
			return -1;
		if (insn_is_exit(i)) {
			if (!s->depth)
				return read_reg(s, BPF_REG_0, r0);
			if (step_return(s))
				return -1;
			continue;
		}
		if (step(s, i))
			return -1;
		const struct fact *f = &s->f->insns[pc];
		if (f->flags & FACT_DST_KNOWN && s->frames[depth].regs[i.dst] != f->value)
			return broken(s, "result differs from the known value",
				s->frames[depth].regs[i.dst]);
	}
}
