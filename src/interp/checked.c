/* Runs programs that nobody has verified. What can be seen before is refused before: loads of maps and functions, calls of
 * what takes pointers. The rest is checked at every step. */
#include "interp/checked.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "base/limits.h"
#include "cpu/cpu.h"
#include "helper/helper.h"
#include "interp/interp.h"

enum { NEARBY = 1 << 20 }; /* so far an address is told by its distance */

struct guard {
	u8 *mem;
	size_t bytes;
	u64 left; /* instructions */
	int err;
	struct diag *d;
};

/* Behind what the interpreter's frames are: fields that a program must not reach lie between their stacks. */
struct frame;
static bool access_is_fine(struct guard *g, const struct prog *p, const struct insn *pc,
	const struct frame *frames, const struct frame *top, const void *at, size_t bytes);
static bool atomic_is_fine(struct guard *g, const struct prog *p, const struct insn *pc,
	const struct frame *frames, const struct frame *top, const void *at, size_t bytes);
static u64 out_of_time(struct guard *g, const struct prog *p, const struct insn *pc);
static u64 out_of_frames(struct guard *g, const struct prog *p, const struct insn *pc);

#define RUN static u64 run(const struct prog *p, u64 r1, u64 r2, u8 *self, struct guard *g)
#define START() memset(frames, 0, sizeof(frames))
#define TICK() \
	if (!g->left--) \
	return out_of_time(g, p, pc)
#define GUARD(at, bytes) \
	if (!access_is_fine(g, p, pc, frames, frame, at, bytes)) \
	return 0
#define GUARD_ATOMIC(at, bytes) \
	if (!atomic_is_fine(g, p, pc, frames, frame, at, bytes)) \
	return 0
#define GUARD_FRAME() \
	if (frame == frames + PROG_MAX_CALL_DEPTH - 1) \
	return out_of_frames(g, p, pc)
#include "interp/body.h"

static u32 index_of(const struct prog *p, const struct insn *pc)
{
	return (u32)(pc - p->insns);
}

static u64 out_of_time(struct guard *g, const struct prog *p, const struct insn *pc)
{
	g->err = diag_fail(g->d, pos_insn(p->name, index_of(p, pc)), E2BIG,
		"the program still runs after all the instructions it may execute");
	return 0;
}

static u64 out_of_frames(struct guard *g, const struct prog *p, const struct insn *pc)
{
	g->err = diag_fail(g->d, pos_insn(p->name, index_of(p, pc)), E2BIG,
		"the call stack of %u frames is too deep", PROG_MAX_CALL_DEPTH + 1);
	return 0;
}

static bool inside(const u8 *at, size_t bytes, const u8 *start, size_t len)
{
	return bytes <= len && (uintptr_t)at >= (uintptr_t)start &&
	       (uintptr_t)at - (uintptr_t)start <= len - bytes;
}

static bool access_is_fine(struct guard *g, const struct prog *p, const struct insn *pc,
	const struct frame *frames, const struct frame *top, const void *at, size_t bytes)
{
	if (inside(at, bytes, g->mem, g->bytes))
		return true;
	for (const struct frame *f = frames; f <= top; f++)
		if (inside(at, bytes, f->stack, PROG_STACK_BYTES))
			return true;
	s64 from_mem = (s64)((uintptr_t)at - (uintptr_t)g->mem);
	s64 from_fp = (s64)((uintptr_t)at - (uintptr_t)(top->stack + PROG_STACK_BYTES));
	char where[64] = "";

	if (g->mem && from_mem > -NEARBY && from_mem < NEARBY)
		snprintf(where, sizeof(where), ": at memory %+" PRId64, from_mem);
	else if (from_fp > -NEARBY && from_fp < NEARBY)
		snprintf(where, sizeof(where), ": at r10 %+" PRId64, from_fp);
	g->err = diag_fail(g->d, pos_insn(p->name, index_of(p, pc)), EACCES,
		"an access of %zu bytes, neither in the %zu bytes of memory nor in the stack%s",
		bytes, g->bytes, where);
	return false;
}

static bool atomic_is_fine(struct guard *g, const struct prog *p, const struct insn *pc,
	const struct frame *frames, const struct frame *top, const void *at, size_t bytes)
{
	if (!access_is_fine(g, p, pc, frames, top, at, bytes))
		return false;
	if ((uintptr_t)at % bytes == 0)
		return true;
	g->err = diag_fail(g->d, pos_insn(p->name, index_of(p, pc)), EACCES,
		"an atomic access must be aligned to its %zu bytes", bytes);
	return false;
}

static bool takes_numbers_only(const struct helper *h)
{
	for (size_t i = 0; i < ARRAY_LEN(h->args); i++)
		if (h->args[i] != ARG_NONE && h->args[i] != ARG_ANYTHING)
			return false;
	return !(h->flags & HELPER_INLINE_ONLY) && (h->ret == RET_INTEGER || h->ret == RET_VOID);
}

/* Why an instruction can't be run without a verifier, or NULL. */
static const char *why_not(struct insn i)
{
	if (BPF_CLASS(i.code) == BPF_LD)
		return insn_is_ld_imm64(i) && i.src == LD_IMM64_VALUE
			       ? NULL
			       : "only plain numbers can be loaded without the verifier";
	if (i.code != (BPF_JMP | BPF_CALL) || i.src == CALL_LOCAL)
		return NULL;
	const struct helper *h = i.src == CALL_HELPER && (u32)i.imm < HELPER_INTERNAL
					 ? helper_by_id((u32)i.imm)
					 : NULL;
	if (!h)
		return "a call of something that isn't here";
	return takes_numbers_only(h) ? NULL : "helpers that take pointers need the verifier";
}

int interp_run_checked(const struct prog *p, u8 *mem, size_t bytes, u8 *self, u64 max_insns,
	u64 *r0, struct diag *d)
{
	struct guard g = {.mem = mem, .bytes = bytes, .left = max_insns, .d = d};

	for (u32 pc = 0; pc < p->len; pc += insn_is_ld_imm64(p->insns[pc]) ? 2 : 1) {
		const char *why = why_not(p->insns[pc]);

		if (why)
			return diag_fail(d, pos_insn(p->name, pc), ENOTSUP, "%s", why);
	}
	u8 *before = cpu_enter(self);
	u64 result = run(p, (uintptr_t)mem, bytes, self, &g);
	cpu_enter(before);
	if (!g.err)
		*r0 = result;
	return g.err;
}
