/* Code made known to what looks at this process from outside. */
#ifndef WEIR_JIT_ANNOUNCE_H
#define WEIR_JIT_ANNOUNCE_H

#include "isa/prog.h"
#include "jit/jit.h"

enum announce {
	ANNOUNCE_UNWINDERS = 1 << 0, /* libgcc's, which backtrace() and exceptions use */
	ANNOUNCE_PERF = 1 << 1,	     /* a line for each function in /tmp/perf-PID.map */
	ANNOUNCE_DEBUGGER = 1 << 2,  /* gdb's JIT interface: functions and their frames */
};

/* "weir_PROGRAM" for the function at p's instruction 0, "weir_PROGRAM_FUNCTION" for others, with what tools can't read
 * replaced. */
void announce_name(const struct prog *p, const struct jit_function *f, struct buf *out);

struct announcement;

/* `what`: bits of enum announce, for code that lies at `base`, compiled from p with `unwinding`. -ENOTSUP: no unwinder here; -errno of the file; -ENOMEM. */
int announce(unsigned what, const struct jit_image *image, const void *base, const struct prog *p,
	struct announcement **out, struct diag *d);
/* Before the code goes; NULL ok. Lines of the perf map stay: they say what was there. */
void announcement_free(struct announcement *a);

#endif
