/* Runs a program one instruction at a time, as it was verified (not rewritten), and checks on the way all that its
 * verification promised: memory accesses inside, initialised reads, and every fact. */
#ifndef WEIR_TEST_STEPPER_H
#define WEIR_TEST_STEPPER_H

#include "base/buf.h"
#include "isa/prog.h"
#include "verify/facts.h"

struct region {
	u8 *start;
	u32 bytes;
	u8 kind; /* enum mem_kind */
};

enum { STEPPER_REGIONS = 3, STEPPER_FRAMES = 8 };

struct stepper {
	const struct prog *p;
	const struct facts *f;
	struct region regions[STEPPER_REGIONS]; /* what r1 leads to */
	u32 nr_regions;

	u32 depth;
	struct {
		u64 regs[11];
		u16 written; /* bit per register */
		u32 ret_pc, subprog;
		bool in_loop; /* called back by bpf_loop, for the round'th time of rounds */
		u64 round, rounds, ctx;
		u8 stack[512];
		bool init[512];
	} frames[STEPPER_FRAMES];
	u32 pc, steps;
	struct buf broken; /* the first promise that was broken; empty: none */
};

/* 0 and *r0 at the exit, or -1: a broken promise, or no end within a million steps. */
int stepper_run(struct stepper *s, u64 r1, u64 r2, u64 *r0);

#endif
