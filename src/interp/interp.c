/* Runs verified programs: nothing is checked here but what would be a fault of the passes before. */
#include "interp/interp.h"

#include <stdatomic.h>
#include <string.h>

#include "base/alloc.h"
#include "base/bytes.h"
#include "interp/operations.h"
#include "interp/step.h"
#include "map/callable.h"

/* Without optimisation, or with tools that want to see functions return, calls stay calls: then each step returns to
 * interp_run, or the stack would grow. */
#if defined(__has_feature)
#define SANITIZER (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZER 1
#else
#define SANITIZER 0
#endif

#if defined(__aarch64__)
/* gcc 12 jumps through x16 only; when it isn't told before, it moves the address there. */
#define JUMP() \
	register step_fn next __asm__("x16") = s->run; \
	__asm__("" : "+r"(next)); \
	return next(s, run, last)
#else
/* The empty text lets gcc first move s and then jump through it, which takes two instructions in place of four. */
#define JUMP() \
	__asm__("" : "+r"(s)); \
	return s->run(s, run, last)
#endif
#define GUARD(at, bytes) ((void)0)
#define GUARD_ATOMIC(at, bytes) ((void)0)
#define GUARD_FRAME() assert(run->frame < run->frames + PROG_MAX_FRAMES - 1)

/* ---- whole steps ---- */

#define ATTRIBUTES static inline __attribute__((always_inline, unused))
#define WHOLE(name) \
	ATTRIBUTES __attribute__((aligned(32))) const struct step *name( \
		const struct step *s UNUSED_ARG, struct run *run UNUSED_ARG, u64 last UNUSED_ARG)

/* NEXT calls the next step's function, and since nothing is left to do here the compiler makes that call a jump. */
#if defined(__OPTIMIZE__) && !SANITIZER
#define NEXT(to) \
	do { \
		s = (to); \
		JUMP(); \
	} while (0)
#else
#define NEXT(to) \
	do { \
		run->last = last; \
		return (to); \
	} while (0)
#endif

#define STEP_NAME(form) regs_##form
#define STEP(form) WHOLE(regs_##form)
#define DST (run->r[s->dst])
#define SRC (run->r[s->src])
#define LAST last
#define TABLE regs_table
#include "interp/body.def"

#define STEP_NAME(form) dst_##form
#define STEP(form) WHOLE(dst_##form)
#define DST last
#define SRC (run->r[s->src])
#define LAST last
#define TABLE dst_table
#include "interp/body.def"

#define STEP_NAME(form) src_##form
#define STEP(form) WHOLE(src_##form)
#define DST (run->r[s->dst])
#define SRC last
#define LAST last
#define TABLE src_table
#include "interp/body.def"

/* ---- first halves of pairs ---- */

#undef NEXT
#define NEXT(to) return (to)
#define FIRST(name) \
	ATTRIBUTES const struct step *name( \
		const struct step *s UNUSED_ARG, struct run *run UNUSED_ARG, u64 *last UNUSED_ARG)

#define STEP_NAME(form) first_regs_##form
#define STEP(form) FIRST(first_regs_##form)
#define DST (run->r[s->dst])
#define SRC (run->r[s->src])
#define LAST (*last)
#include "interp/body.def"

#define STEP_NAME(form) first_dst_##form
#define STEP(form) FIRST(first_dst_##form)
#define DST (*last)
#define SRC (run->r[s->src])
#define LAST (*last)
#include "interp/body.def"

#define STEP_NAME(form) first_src_##form
#define STEP(form) FIRST(first_src_##form)
#define DST (run->r[s->dst])
#define SRC (*last)
#define LAST (*last)
#include "interp/body.def"

/* ---- pairs ---- */

#define PAIR(first, first_from, second, second_from) \
	WHOLE(first_from##_##first##_##second_from##_##second) \
	{ \
		const struct step *next = first_##first_from##_##first(s, run, &last); \
\
		return second_from##_##second(next, run, last); \
	}
#include "interp/pairs.def"
#undef PAIR

static const struct step_pair pairs[] = {
#define PAIR(first, first_from, second, second_from) \
	{OP_##first, FROM_##first_from, OP_##second, FROM_##second_from, \
		first_from##_##first##_##second_from##_##second},
#include "interp/pairs.def"
#undef PAIR
};

static const struct step_set set = {
	{regs_table, dst_table, src_table}, regs_tail_jump, pairs, ARRAY_LEN(pairs)};

struct step *interp_new(const struct prog *p)
{
	return steps_new(p, &set);
}

void interp_free(struct step *steps)
{
	mem_free(steps);
}

u64 interp_run(const struct step *steps, u64 r1, u64 r2, u8 *self)
{
	struct run run;

	run_start(&run, r1, r2, self);
	for (const struct step *s = steps; s;)
		s = s->run(s, &run, run.last);
	return run.r[BPF_REG_0];
}
