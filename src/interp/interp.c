/* Runs verified programs: nothing is checked here but what would be a fault of the passes before. */
#include "interp/interp.h"

#define RUN u64 interp_run(const struct prog *p, u64 r1, u64 r2, u8 *self)
#define START() ((void)0)
#define TICK() ((void)0)
#define GUARD(at, bytes) ((void)0)
#define GUARD_ATOMIC(at, bytes) ((void)0)
#define GUARD_FRAME() assert(frame < frames + PROG_MAX_FRAMES - 1)
#include "interp/body.h"
