/* What each instruction does, as the text of functions: interp.c makes them functions that check nothing, checked.c ones
 * with checks. There is one function for each row of ops.def, found through table[].
 *
 * NEXT ends every function and hides a return: it calls the next step's function, and since nothing is left to do here
 * the compiler makes that call a jump. Each function is aligned to half a cache line, so that it doesn't matter where the
 * linker puts them. Who includes this defines
 *	NEXT(to)		going on with the step `to`
 *	GUARD(at, bytes)	before a load or store, GUARD_ATOMIC before an atomic one
 *	GUARD_FRAME()		before a local call: is there a frame left?
 * which may return from the function. */
#ifndef WEIR_INTERP_BODY_H
#define WEIR_INTERP_BODY_H

#include <stdatomic.h>
#include <string.h>

#include "base/bytes.h"
#include "helper/functions.h"
#include "interp/interp.h"
#include "interp/step.h"
#include "map/callable.h"

#define STEP(name) \
	static __attribute__((aligned(32))) const struct step *step_##name( \
		const struct step *s UNUSED_ARG, struct run *run UNUSED_ARG)
#define DST (run->r[s->dst])
#define SRC (run->r[s->src])
#define IMM64 ((u64)(s64)s->imm)
#define IMM32 ((u32)s->imm)

/* ---- arithmetic ---- */

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

/* `result` is an expression of a and b. */
#define ALU_FORM(form, type, operand, result) \
	STEP(form) \
	{ \
		type a = (type)DST, b = (type)(operand); \
\
		DST = (type)(result); \
		NEXT(s + 1); \
	}
#define ALU(name, result64, result32) \
	ALU_FORM(name##64_imm, u64, IMM64, result64) \
	ALU_FORM(name##64_reg, u64, SRC, result64) \
	ALU_FORM(name##32_imm, u32, IMM32, result32) \
	ALU_FORM(name##32_reg, u32, SRC, result32)

ALU(add, a + b, a + b)
ALU(sub, a - b, a - b)
ALU(mul, a *b, a *b)
ALU(div, div64(a, b), div32(a, b))
ALU(sdiv, sdiv64(a, b), sdiv32(a, b))
ALU(mod, mod64(a, b), mod32(a, b))
ALU(smod, smod64(a, b), smod32(a, b))
ALU(or, a | b, a | b)
ALU(and, a &b, a &b)
ALU(xor, a ^ b, a ^ b)
ALU(lsh, a << (b & 63), a << (b & 31))
ALU(rsh, a >> (b & 63), a >> (b & 31))
ALU(arsh, (u64)((s64)a >> (b & 63)), (u32)((s32)a >> (b & 31)))

/* `result` says it all. */
#define SET(form, result) \
	STEP(form) \
	{ \
		DST = (u64)(result); \
		NEXT(s + 1); \
	}

SET(neg64, 0 - DST)
SET(neg32, (u32)(0 - (u32)DST))
SET(mov64_imm, IMM64)
SET(mov64_reg, SRC)
SET(movsx64_8, (u64)(s64)(s8)SRC)
SET(movsx64_16, (u64)(s64)(s16)SRC)
SET(movsx64_32, (u64)(s64)(s32)SRC)
SET(mov_percpu, (u64)(uintptr_t)run->self + SRC)
SET(mov32_imm, IMM32)
SET(mov32_reg, (u32)SRC)
SET(movsx32_8, (u32)(s32)(s8)SRC)
SET(movsx32_16, (u32)(s32)(s16)SRC)
SET(le16, (u16)DST)
SET(le32, (u32)DST)
SET(le64, DST)
SET(be16, __builtin_bswap16((u16)DST))
SET(be32, __builtin_bswap32((u32)DST))
SET(be64, __builtin_bswap64(DST))
SET(bswap16, __builtin_bswap16((u16)DST))
SET(bswap32, __builtin_bswap32((u32)DST))
SET(bswap64, __builtin_bswap64(DST))

STEP(ld64_value)
{
	DST = s[1].value;
	NEXT(s + 2);
}

/* ---- jumps ---- */

STEP(ja)
{
	NEXT(s->to);
}

STEP(gotol)
{
	NEXT(s->to);
}

#define JUMP_FORM(form, type, operand, cond) \
	STEP(form) \
	{ \
		type a = (type)DST, b = (type)(operand); \
\
		if (cond) \
			NEXT(s + 1 + s->off); \
		NEXT(s + 1); \
	}
#define JUMP_IF(name, type, cond) \
	JUMP_FORM(name##_imm, type, s->imm, cond) \
	JUMP_FORM(name##_reg, type, SRC, cond)
#define JUMPS_UNSIGNED(name, cond) \
	JUMP_IF(name##64, u64, cond) \
	JUMP_IF(name##32, u32, cond)
#define JUMPS_SIGNED(name, cond) \
	JUMP_IF(name##64, s64, cond) \
	JUMP_IF(name##32, s32, cond)

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

/* ---- calls ---- */

STEP(call_helper)
{
	u64 *r = run->r;

	r[BPF_REG_0] = s->helper(r[1], r[2], r[3], r[4], r[5]);
	NEXT(s + 1);
}

STEP(call_local)
{
	GUARD_FRAME();
	struct frame *frame = ++run->frame;
	frame->ret = s + 1;
	memcpy(frame->saved, run->r + BPF_REG_6, sizeof(frame->saved));
	run->r[BPF_REG_FP] = (u64)(uintptr_t)(frame->stack + PROG_STACK_BYTES);
	NEXT(s->to);
}

STEP(exit)
{
	struct frame *frame = run->frame;

	if (frame == run->frames)
		return NULL;
	memcpy(run->r + BPF_REG_6, frame->saved, sizeof(frame->saved));
	run->frame = frame - 1;
	run->r[BPF_REG_FP] = (u64)(uintptr_t)(run->frame->stack + PROG_STACK_BYTES);
	NEXT(frame->ret);
}

/* To the program r2, in place of the running subprogram. One that was called goes on in a run of its own, since it may
 * want as many frames again: at most 33 times in a run. */
STEP(tail_jump)
{
	const struct callable *to = (const struct callable *)(uintptr_t)run->r[BPF_REG_2];

	if (run->frame == run->frames)
		NEXT(to->steps);
	run->r[BPF_REG_0] = interp_run(to->steps, run->r[BPF_REG_1], 0, run->self);
	return step_exit(s, run);
}

/* Passes make something else of these. */
#define NEVER(form) \
	STEP(form) \
	{ \
		UNREACHABLE(); \
	}

NEVER(call_kfunc)
NEVER(ld64_map_fd)
NEVER(ld64_map_fd_value)
NEVER(ld64_btf_id)
NEVER(ld64_func)
NEVER(ld64_map)
NEVER(ld64_map_value)

/* ---- memory ---- */

static inline void *address(u64 base, s16 off)
{
	return (void *)(uintptr_t)(base + (u64)(s64)off);
}

#define LOAD(form, bytes, result) \
	STEP(form) \
	{ \
		const void *at = address(SRC, s->off); \
\
		GUARD(at, bytes); \
		DST = (result); \
		NEXT(s + 1); \
	}
#define STORE(form, bytes, store) \
	STEP(form) \
	{ \
		void *at = address(DST, s->off); \
\
		GUARD(at, bytes); \
		store; \
		NEXT(s + 1); \
	}

LOAD(ldx8, 1, *(const u8 *)at)
LOAD(ldx16, 2, load_le16(at))
LOAD(ldx32, 4, load_le32(at))
LOAD(ldx64, 8, load_le64(at))
LOAD(ldsx8, 1, (u64)(s64) * (const s8 *)at)
LOAD(ldsx16, 2, (u64)(s64)(s16)load_le16(at))
LOAD(ldsx32, 4, (u64)(s64)(s32)load_le32(at))
STORE(st8_imm, 1, *(u8 *)at = (u8)IMM32)
STORE(st16_imm, 2, store_le16(at, (u16)IMM32))
STORE(st32_imm, 4, store_le32(at, IMM32))
STORE(st64_imm, 8, store_le64(at, IMM64))
STORE(stx8, 1, *(u8 *)at = (u8)SRC)
STORE(stx16, 2, store_le16(at, (u16)SRC))
STORE(stx32, 4, store_le32(at, (u32)SRC))
STORE(stx64, 8, store_le64(at, SRC))

/* Plain forms order nothing, fetching ones everything, as in the kernel. */
#define ATOMIC_FORM(form, bits, operation) \
	STEP(form) \
	{ \
		_Atomic u##bits *at = address(DST, s->off); \
		u##bits value = (u##bits)SRC; \
\
		GUARD_ATOMIC(at, bits / 8); \
		operation; \
		NEXT(s + 1); \
	}
#define ATOMIC(bits, name) \
	ATOMIC_FORM(atomic##bits##_##name, bits, \
		atomic_fetch_##name##_explicit(at, value, memory_order_relaxed)) \
	ATOMIC_FORM(atomic##bits##_fetch_##name, bits, SRC = atomic_fetch_##name(at, value))
#define ATOMICS(bits) \
	ATOMIC(bits, add) \
	ATOMIC(bits, or) \
	ATOMIC(bits, and) \
	ATOMIC(bits, xor) \
	ATOMIC_FORM(atomic##bits##_xchg, bits, SRC = atomic_exchange(at, value)) \
	ATOMIC_FORM(atomic##bits##_cmpxchg, bits, \
		run->r[BPF_REG_0] = __sync_val_compare_and_swap( \
			(u##bits *)at, (u##bits)run->r[BPF_REG_0], value))

ATOMICS(32)
ATOMICS(64)

/* False: outside of the packet, and r0 is 0. */
static bool legacy_load(struct run *run, u64 at, u32 size)
{
	u64 value = helper_legacy_load(run->r[BPF_REG_6], at, size, 0, 0);
	bool there = (s64)value >= 0;

	run->r[BPF_REG_0] = there ? value : 0;
	return there;
}

#define LEGACY_LOAD(form, base, size) \
	STEP(form) \
	{ \
		if (!legacy_load(run, (base) + IMM64, size)) \
			return step_exit(s, run); \
		NEXT(s + 1); \
	}

LEGACY_LOAD(ldabs8, 0, 1)
LEGACY_LOAD(ldabs16, 0, 2)
LEGACY_LOAD(ldabs32, 0, 4)
LEGACY_LOAD(ldind8, SRC, 1)
LEGACY_LOAD(ldind16, SRC, 2)
LEGACY_LOAD(ldind32, SRC, 4)

static const step_table table = {
#define OP(code, name, text, dst, src, off, imm) [OP_##name] = step_##name,
#define FORM OP
#include "isa/ops.def"
#undef FORM
#undef OP
};

#endif
