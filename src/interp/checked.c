/* Runs programs that nobody has verified. What can be seen before is refused before: loads of maps and functions, calls of
 * what takes pointers. The rest is checked at every step. */
#include "interp/checked.h"

#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/bytes.h"
#include "base/diag.h"
#include "base/limits.h"
#include "cpu/cpu.h"
#include "helper/helper.h"
#include "interp/interp.h"
#include "interp/operations.h"
#include "interp/step.h"
#include "map/callable.h"

enum { NEARBY = 1 << 20 }; /* so far an address is told by its distance */

struct guard {
	u8 *mem;
	size_t bytes;
	const struct prog *prog;
	struct step *steps; /* of prog */
	int err;
	struct diag *d;
};

static bool access_is_fine(struct run *run, const struct step *s, const void *at, size_t bytes);
static bool atomic_is_fine(struct run *run, const struct step *s, const void *at, size_t bytes);
static const struct step *out_of_frames(struct guard *g, const struct step *s);

#define NEXT(to) return (to)
#define GUARD(at, bytes) \
	if (!access_is_fine(run, s, at, bytes)) \
	return NULL
#define GUARD_ATOMIC(at, bytes) \
	if (!atomic_is_fine(run, s, at, bytes)) \
	return NULL
#define GUARD_FRAME() \
	if (run->frame == run->frames + PROG_MAX_CALL_DEPTH - 1) \
	return out_of_frames(run->guard, s)
#define STEP_NAME(form) step_##form
#define STEP(form) \
	static const struct step *step_##form( \
		const struct step *s UNUSED_ARG, struct run *run UNUSED_ARG, u64 last UNUSED_ARG)
#define DST (run->r[s->dst])
#define SRC (run->r[s->src])
#define LAST last
#define TABLE table
#include "interp/body.def"

static const struct step_set set = {.tables = {table, table, table}, .tail_jump = step_tail_jump};

static struct pos pos_of(const struct guard *g, const struct step *s)
{
	return pos_insn(g->prog->name, (u32)(s - g->steps));
}

static void out_of_time(struct guard *g, const struct step *s)
{
	g->err = diag_fail(g->d, pos_of(g, s), E2BIG,
		"the program still runs after all the instructions it may execute");
}

static const struct step *out_of_frames(struct guard *g, const struct step *s)
{
	g->err = diag_fail(g->d, pos_of(g, s), E2BIG, "the call stack of %u frames is too deep",
		PROG_MAX_CALL_DEPTH + 1);
	return NULL;
}

static bool inside(const u8 *at, size_t bytes, const u8 *start, size_t len)
{
	return bytes <= len && (uintptr_t)at >= (uintptr_t)start &&
	       (uintptr_t)at - (uintptr_t)start <= len - bytes;
}

static bool access_is_fine(struct run *run, const struct step *s, const void *at, size_t bytes)
{
	struct guard *g = run->guard;
	const struct frame *top = run->frame;

	if (inside(at, bytes, g->mem, g->bytes))
		return true;
	for (const struct frame *f = run->frames; f <= top; f++)
		if (inside(at, bytes, f->stack, PROG_STACK_BYTES))
			return true;
	s64 from_mem = (s64)((uintptr_t)at - (uintptr_t)g->mem);
	s64 from_fp = (s64)((uintptr_t)at - (uintptr_t)(top->stack + PROG_STACK_BYTES));
	char where[64] = "";

	if (g->mem && from_mem > -NEARBY && from_mem < NEARBY)
		snprintf(where, sizeof(where), ": at memory %+" PRId64, from_mem);
	else if (from_fp > -NEARBY && from_fp < NEARBY)
		snprintf(where, sizeof(where), ": at r10 %+" PRId64, from_fp);
	g->err = diag_fail(g->d, pos_of(g, s), EACCES,
		"an access of %zu bytes, neither in the %zu bytes of memory nor in the stack%s",
		bytes, g->bytes, where);
	return false;
}

static bool atomic_is_fine(struct run *run, const struct step *s, const void *at, size_t bytes)
{
	struct guard *g = run->guard;

	if (!access_is_fine(run, s, at, bytes))
		return false;
	if ((uintptr_t)at % bytes == 0)
		return true;
	g->err = diag_fail(g->d, pos_of(g, s), EACCES,
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

static u64 run_steps(struct guard *g, u8 *self, u64 max_insns)
{
	struct run run;

	memset(&run, 0, sizeof(run));
	run_start(&run, (u64)(uintptr_t)g->mem, g->bytes, self);
	run.guard = g;
	for (const struct step *s = g->steps; s; s = s->run(s, &run, 0))
		if (!max_insns--) {
			out_of_time(g, s);
			break;
		}
	return run.r[BPF_REG_0];
}

int interp_run_checked(const struct prog *p, u8 *mem, size_t bytes, u8 *self, u64 max_insns,
	u64 *r0, struct diag *d)
{
	struct guard g = {.mem = mem, .bytes = bytes, .prog = p, .d = d};

	for (u32 pc = 0; pc < p->len; pc += insn_is_ld_imm64(p->insns[pc]) ? 2 : 1) {
		const char *why = why_not(p->insns[pc]);

		if (why)
			return diag_fail(d, pos_insn(p->name, pc), ENOTSUP, "%s", why);
	}
	g.steps = steps_new(p, &set);
	if (!g.steps)
		return diag_nomem(d);
	u8 *before = cpu_enter(self);
	u64 result = run_steps(&g, self, max_insns);
	cpu_enter(before);
	mem_free(g.steps);
	if (!g.err)
		*r0 = result;
	return g.err;
}
