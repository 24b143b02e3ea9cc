/* Runs verified programs: nothing is checked here but what would be a fault of the passes before. */
#include "interp/interp.h"

#include "base/alloc.h"

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
	return next(s, run)
#else
/* The empty text lets gcc first move s and then jump through it, which takes two instructions in place of four. */
#define JUMP() \
	__asm__("" : "+r"(s)); \
	return s->run(s, run)
#endif

#if defined(__OPTIMIZE__) && !SANITIZER
#define NEXT(to) \
	do { \
		s = (to); \
		JUMP(); \
	} while (0)
#else
#define NEXT(to) return (to)
#endif
#define GUARD(at, bytes) ((void)0)
#define GUARD_ATOMIC(at, bytes) ((void)0)
#define GUARD_FRAME() assert(run->frame < run->frames + PROG_MAX_FRAMES - 1)
#include "interp/body.h"

struct step *interp_new(const struct prog *p)
{
	struct step *steps = mem_alloc(array_size(p->len, sizeof(*steps)));

	if (steps)
		steps_decode(p, table, step_tail_jump, steps);
	return steps;
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
		s = s->run(s, &run);
	return run.r[BPF_REG_0];
}
