/* What a case says of its program's subprograms, in a section "-- funcs": a line for each that more is said of,
 *
 *   PC NAME global|static [void] [ARG ...]
 *
 * with ARG one of: scalar, ctx, mem:BYTES, mem!:BYTES (never NULL), other. */
#ifndef WEIR_TEST_CASE_FUNCS_H
#define WEIR_TEST_CASE_FUNCS_H

struct tcase;
struct prog;

/* Into p->funcs. A bad line fails the case. */
void case_funcs(struct tcase *c, struct prog *p);

#endif
