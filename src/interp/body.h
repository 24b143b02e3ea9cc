/* One run of a program, as the text of a function: interp.c makes it a function that checks nothing, checked.c one with
 * checks. Each opcode has a label, found through a table of 256 addresses; an opcode with several forms decides by off or
 * imm behind it.
 *
 * NEXT ends every body and hides a jump: a copy of the dispatch behind each body lets the processor predict each one for
 * itself. Who includes this defines
 *	RUN			the function's head: p, r1, r2, self must be among its parameters
 *	START()			before the first instruction
 *	TICK()			before every instruction, at pc
 *	GUARD(at, bytes)	before a load or store at pc, GUARD_ATOMIC before an atomic one
 *	GUARD_FRAME()		before a local call: is there a frame left?
 * which may return from the function. */
#ifndef WEIR_INTERP_BODY_H
#define WEIR_INTERP_BODY_H

#include <stdatomic.h>

#include "base/bytes.h"
#include "base/limits.h"
#include "helper/functions.h"
#include "helper/helper.h"
#include "isa/op.h"
#include "map/callable.h"

struct frame {
	const struct insn *ret; /* where the caller goes on */
	u64 saved[4];           /* r6 ... r9 of the caller */
	u8 stack[PROG_STACK_BYTES] __attribute__((aligned(16)));
};

/* RFC 9669, 4.1: a division by zero gives 0, a modulo by zero the dividend; the quotient that
 * overflows wraps. */
static inline u64 div64(u64 a, u64 b)
{
	return b ? a / b : 0;
}

static inline u64 mod64(u64 a, u64 b)
{
	return b ? a % b : a;
}

static inline u64 sdiv64(u64 a, u64 b)
{
	if (b == UINT64_MAX)
		return 0 - a;
	return b ? (u64)((s64)a / (s64)b) : 0;
}

static inline u64 smod64(u64 a, u64 b)
{
	if (b == UINT64_MAX)
		return 0;
	return b ? (u64)((s64)a % (s64)b) : a;
}

static inline u32 div32(u32 a, u32 b)
{
	return b ? a / b : 0;
}

static inline u32 mod32(u32 a, u32 b)
{
	return b ? a % b : a;
}

static inline u32 sdiv32(u32 a, u32 b)
{
	return (u32)sdiv64((u64)(s64)(s32)a, (u64)(s64)(s32)b);
}

static inline u32 smod32(u32 a, u32 b)
{
	return (u32)smod64((u64)(s64)(s32)a, (u64)(s64)(s32)b);
}

static u64 move64(const struct insn *i, u64 src, const u8 *self)
{
	switch (i->off) {
	case 8:
		return (u64)(s64)(s8)src;
	case 16:
		return (u64)(s64)(s16)src;
	case 32:
		return (u64)(s64)(s32)src;
	default:
		assert(i->off == BPF_PERCPU_MOV_OFF);
		return (u64)(uintptr_t)self + src;
	}
}

static u32 move32(const struct insn *i, u32 src)
{
	return i->off == 8 ? (u32)(s32)(s8)src : (u32)(s32)(s16)src;
}

static u64 low_bits(u64 value, s32 bits)
{
	return bits == 16 ? (u16)value : bits == 32 ? (u32)value : value;
}

static u64 swapped(u64 value, s32 bits)
{
	if (bits == 16)
		return __builtin_bswap16((u16)value);
	return bits == 32 ? __builtin_bswap32((u32)value) : __builtin_bswap64(value);
}

/* Plain forms order nothing, fetching ones everything, as in the kernel. */
#define ATOMIC(bits) \
	static void atomic##bits(struct insn i, u64 *r) \
	{ \
		_Atomic u##bits *at = (_Atomic u##bits *)(uintptr_t)(r[i.dst] + (u64)(s64)i.off); \
		u##bits value = (u##bits)r[i.src], old; \
\
		switch (i.imm) { \
		case BPF_ADD: \
			atomic_fetch_add_explicit(at, value, memory_order_relaxed); \
			break; \
		case BPF_OR: \
			atomic_fetch_or_explicit(at, value, memory_order_relaxed); \
			break; \
		case BPF_AND: \
			atomic_fetch_and_explicit(at, value, memory_order_relaxed); \
			break; \
		case BPF_XOR: \
			atomic_fetch_xor_explicit(at, value, memory_order_relaxed); \
			break; \
		case BPF_ADD | BPF_FETCH: \
			r[i.src] = atomic_fetch_add(at, value); \
			break; \
		case BPF_OR | BPF_FETCH: \
			r[i.src] = atomic_fetch_or(at, value); \
			break; \
		case BPF_AND | BPF_FETCH: \
			r[i.src] = atomic_fetch_and(at, value); \
			break; \
		case BPF_XOR | BPF_FETCH: \
			r[i.src] = atomic_fetch_xor(at, value); \
			break; \
		case BPF_XCHG: \
			r[i.src] = atomic_exchange(at, value); \
			break; \
		default: \
			assert(i.imm == BPF_CMPXCHG); \
			old = (u##bits)r[BPF_REG_0]; \
			atomic_compare_exchange_strong(at, &old, value); \
			r[BPF_REG_0] = old; \
		} \
	}
ATOMIC(32)
ATOMIC(64)
#undef ATOMIC

/* False: outside of the packet, and r0 is 0. */
static bool legacy_load(struct insn i, u64 *r)
{
	u32 size = BPF_SIZE(i.code) == BPF_B ? 1 : BPF_SIZE(i.code) == BPF_H ? 2 : 4;
	u64 base = BPF_MODE(i.code) == BPF_IND ? r[i.src] : 0;
	u64 value = helper_legacy_load(r[BPF_REG_6], base + (u64)(s64)i.imm, size, 0, 0);
	bool there = (s64)value >= 0;

	r[BPF_REG_0] = there ? value : 0;
	return there;
}

static inline void *address(u64 base, s16 off)
{
	return (void *)(uintptr_t)(base + (u64)(s64)off);
}

static u64 call_helper(struct insn i, const u64 *r)
{
	const struct helper *h = helper_by_id((u32)i.imm);

	assert(h);
	return h->fn(r[1], r[2], r[3], r[4], r[5]);
}

/* Both registers; where src is reserved, that is dst. Bit fields would cost an instruction more. */
static inline u64 regs_of(const struct insn *pc)
{
	return ((const u8 *)pc)[1];
}

#define ONLY_DST r[regs_of(pc)]
#define DST r[regs_of(pc) & 0xf]
#define SRC r[regs_of(pc) >> 4]
#define IMM64 ((u64)(s64)pc->imm)
#define IMM32 ((u32)pc->imm)

#define NEXT(step) \
	do { \
		pc += (step); \
		TICK(); \
		goto *labels[pc->code]; \
	} while (0)

/* `result` is an expression of a and b. */
#define ALU(name, result64, result32) \
	name##64_imm: \
	{ \
		u64 a = ONLY_DST, b = IMM64; \
		ONLY_DST = (result64); \
		NEXT(1); \
	} \
	name##64_reg: \
	{ \
		u64 a = DST, b = SRC; \
		DST = (result64); \
		NEXT(1); \
	} \
	name##32_imm: \
	{ \
		u32 a = (u32)ONLY_DST, b = IMM32; \
		ONLY_DST = (u32)(result32); \
		NEXT(1); \
	} \
	name##32_reg: \
	{ \
		u32 a = (u32)DST, b = (u32)SRC; \
		DST = (u32)(result32); \
		NEXT(1); \
	}

#define JUMP_IF(name, type, cond) \
	name##_imm: \
	{ \
		type a = (type)ONLY_DST, b = (type)pc->imm; \
		if (cond) \
			NEXT(pc->off + 1); \
		NEXT(1); \
	} \
	name##_reg: \
	{ \
		type a = (type)DST, b = (type)SRC; \
		if (cond) \
			NEXT(pc->off + 1); \
		NEXT(1); \
	}
#define JUMPS_UNSIGNED(name, cond) \
	JUMP_IF(name##64, u64, cond) \
	JUMP_IF(name##32, u32, cond)
#define JUMPS_SIGNED(name, cond) \
	JUMP_IF(name##64, s64, cond) \
	JUMP_IF(name##32, s32, cond)

#define LOAD(name, bytes, result) \
	name : { \
		const void *at = address(SRC, pc->off); \
		GUARD(at, bytes); \
		DST = (result); \
		NEXT(1); \
	}

#define STORE(bits, store) \
	st##bits##_imm: \
	{ \
		void *at = address(ONLY_DST, pc->off); \
		GUARD(at, bits / 8); \
		store(at, (u##bits)pc->imm); \
		NEXT(1); \
	} \
	stx##bits: \
	{ \
		void *at = address(DST, pc->off); \
		GUARD(at, bits / 8); \
		store(at, (u##bits)SRC); \
		NEXT(1); \
	}

static inline void store_u8(void *at, u8 value)
{
	*(u8 *)at = value;
}

RUN
{
	static const void *const labels[256] = {
#define OP(code, name, text, dst, src, off, imm) [code] = &&name,
#define FORM(code, name, text, dst, src, off, imm)
#include "isa/ops.def"
#undef FORM
#undef OP
	};
	struct frame frames[PROG_MAX_FRAMES], *frame = frames;
	u64 r[BPF_NR_REGS] = {[BPF_REG_1] = r1, [BPF_REG_2] = r2};
	const struct insn *pc = p->insns;

	START();
	r[BPF_REG_FP] = (u64)(uintptr_t)(frame->stack + PROG_STACK_BYTES);
	NEXT(0);

	ALU(add, a + b, a + b)
	ALU(sub, a - b, a - b)
	ALU(mul, a * b, a * b)
	ALU(div, pc->off ? sdiv64(a, b) : div64(a, b), pc->off ? sdiv32(a, b) : div32(a, b))
	ALU(mod, pc->off ? smod64(a, b) : mod64(a, b), pc->off ? smod32(a, b) : mod32(a, b))
	ALU(or, a | b, a | b)
	ALU(and, a & b, a & b)
	ALU(xor, a ^ b, a ^ b)
	ALU(lsh, a << (b & 63), a << (b & 31))
	ALU(rsh, a >> (b & 63), a >> (b & 31))
	ALU(arsh, (u64)((s64)a >> (b & 63)), (u32)((s32)a >> (b & 31)))

neg64:
	ONLY_DST = 0 - ONLY_DST;
	NEXT(1);
neg32:
	ONLY_DST = (u32)(0 - (u32)ONLY_DST);
	NEXT(1);
mov64_imm:
	ONLY_DST = IMM64;
	NEXT(1);
mov64_reg:
	DST = pc->off ? move64(pc, SRC, self) : SRC;
	NEXT(1);
mov32_imm:
	ONLY_DST = IMM32;
	NEXT(1);
mov32_reg:
	DST = pc->off ? move32(pc, (u32)SRC) : (u32)SRC;
	NEXT(1);
le16:
	ONLY_DST = low_bits(ONLY_DST, pc->imm);
	NEXT(1);
be16:
bswap16:
	ONLY_DST = swapped(ONLY_DST, pc->imm);
	NEXT(1);

ja:
	NEXT(pc->off + 1);
gotol:
	NEXT((s64)pc->imm + 1);
	JUMPS_UNSIGNED(jeq, a == b)
	JUMPS_UNSIGNED(jne, a != b)
	JUMPS_UNSIGNED(jset, (a & b) != 0)
	JUMPS_UNSIGNED(jgt, a > b)
	JUMPS_UNSIGNED(jge, a >= b)
	JUMPS_UNSIGNED(jlt, a < b)
	JUMPS_UNSIGNED(jle, a <= b)
	JUMPS_SIGNED(jsgt, a > b)
	JUMPS_SIGNED(jsge, a >= b)
	JUMPS_SIGNED(jslt, a < b)
	JUMPS_SIGNED(jsle, a <= b)

call_helper:
	if (pc->src == CALL_HELPER && pc->imm == HELPER_tail_jump) {
		const struct callable *to = (const struct callable *)(uintptr_t)r[BPF_REG_2];

		if (frame == frames) {
			pc = to->prog->insns;
			NEXT(0);
		}
		/* It may want as many frames again. At most 33 times in a run. */
		r[BPF_REG_0] = interp_run(to->prog, r[BPF_REG_1], 0, self);
		goto exit;
	}
	if (pc->src == CALL_HELPER) {
		r[BPF_REG_0] = call_helper(*pc, r);
		NEXT(1);
	}
	assert(pc->src == CALL_LOCAL);
	GUARD_FRAME();
	frame++;
	frame->ret = pc + 1;
	memcpy(frame->saved, r + BPF_REG_6, sizeof(frame->saved));
	r[BPF_REG_FP] = (u64)(uintptr_t)(frame->stack + PROG_STACK_BYTES);
	NEXT((s64)pc->imm + 1);
exit:
	if (frame == frames)
		return r[BPF_REG_0];
	pc = frame->ret;
	memcpy(r + BPF_REG_6, frame->saved, sizeof(frame->saved));
	frame--;
	r[BPF_REG_FP] = (u64)(uintptr_t)(frame->stack + PROG_STACK_BYTES);
	NEXT(0);

ldabs8:
ldabs16:
ldabs32:
ldind8:
ldind16:
ldind32:
	if (legacy_load(*pc, r))
		NEXT(1);
	goto exit;

ld64_value:
	assert(pc->src == LD_IMM64_VALUE);
	DST = (u64)(u32)pc[1].imm << 32 | IMM32;
	NEXT(2);
	LOAD(ldx8, 1, *(const u8 *)at)
	LOAD(ldx16, 2, load_le16(at))
	LOAD(ldx32, 4, load_le32(at))
	LOAD(ldx64, 8, load_le64(at))
	LOAD(ldsx8, 1, (u64)(s64) * (const s8 *)at)
	LOAD(ldsx16, 2, (u64)(s64)(s16)load_le16(at))
	LOAD(ldsx32, 4, (u64)(s64)(s32)load_le32(at))
	STORE(8, store_u8)
	STORE(16, store_le16)
	STORE(32, store_le32)
stx64:
	GUARD(address(DST, pc->off), 8);
	store_le64(address(DST, pc->off), SRC);
	NEXT(1);
st64_imm:
	GUARD(address(ONLY_DST, pc->off), 8);
	store_le64(address(ONLY_DST, pc->off), IMM64);
	NEXT(1);
atomic32_add:
	GUARD_ATOMIC(address(DST, pc->off), 4);
	atomic32(*pc, r);
	NEXT(1);
atomic64_add:
	GUARD_ATOMIC(address(DST, pc->off), 8);
	atomic64(*pc, r);
	NEXT(1);
}

#endif
