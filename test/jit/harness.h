/* What the tests of jit/ share: one program, both engines. */
#ifndef WEIR_TEST_JIT_HARNESS_H
#define WEIR_TEST_JIT_HARNESS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "isa/builder.h"
#include "isa/isa.h"
#include "jit/jit.h"

/* A program, checked and compiled for the host. */
struct both {
	struct prog *prog;
	struct jit_image image;
	struct jit_code *code;
};

/* Fails the test when the program has a wrong form or can't be compiled. */
struct both both_of(struct builder *b); /* finishes and frees b */
struct both both_of_insns(const struct insn *insns, size_t n);
struct both both_of_text(const char *text);
void both_free(struct both *t);
/* f may be NULL; compiles again, with these facts and options. */
void both_recompile(struct both *t, const struct facts *f, const struct jit_opts *opts);

u64 run_interp(const struct both *t, u64 r1, u64 r2, u8 *self);
u64 run_jit(const struct both *t, u64 r1, u64 r2, u8 *self);

/* Prints the program and its bytes: what one wants to see of a failure. */
void both_print(const struct both *t);

/* Fails the test, with the program, when what code says of r1 isn't what the interpreter says. */
void both_expect(const struct both *t, u64 r1, u64 interpreter, u64 code);

/* xorshift64*; the seed must not be 0. */
u64 rnd(u64 *seed);
u32 rnd_below(u64 *seed, u32 n);

/* Values at which widths, signs and carries change. */
extern const u64 edges[];
extern const size_t nr_edges;
/* Immediates at which encodings change. */
extern const s32 edge_imms[];
extern const size_t nr_edge_imms;

/* A helper that tests can call: r1 * 3 + r2 * 5 + r3 * 7 + r4 * 11 + r5 * 13, and it clobbers
 * every register it may, and the stack below. The other one returns its frame's address. */
enum { TEST_HELPER_MIX = 1000, TEST_HELPER_STACK_POINTER = 1001 };

#endif
