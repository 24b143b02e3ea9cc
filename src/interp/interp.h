/* The interpreter: the reference meaning of every instruction, and the engine on hosts without a JIT. */
#ifndef WEIR_INTERP_INTERP_H
#define WEIR_INTERP_INTERP_H

#include "isa/prog.h"

struct step;

/* The steps of a program, as the interpreter runs it; immutable, shared by all threads. The program has passed verify and
 * rewrite (p->internal, so map loads hold addresses), and may go then. NULL: out of memory. */
struct step *interp_new(const struct prog *p);
void interp_free(struct step *steps); /* NULL ok */

/* r1, r2: the arguments; self: base of this thread's slot (cpu_base), which the per-CPU MOV adds. Thread-safe; uses
 * PROG_STACK_BYTES of stack per call frame. Division by zero, shifts and the rest as RFC 9669 defines them. */
u64 interp_run(const struct step *steps, u64 r1, u64 r2, u8 *self);

#endif
