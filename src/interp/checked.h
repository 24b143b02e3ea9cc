/* The interpreter with its checks on: runs programs that no verifier has seen. */
#ifndef WEIR_INTERP_CHECKED_H
#define WEIR_INTERP_CHECKED_H

#include "isa/prog.h"

struct diag;

/* For callers without an opinion: some seconds. */
#define CHECKED_INSNS_MAX (1ull << 30)

/* Runs p, which passed prog_check and nothing else, with r1 = mem and r2 = bytes. Loads and stores reach mem and the
 * program's stack only; of helpers only those without pointers can be called. *r0 gets the result. -EACCES: an access
 * outside, -ENOTSUP: a call that can't be made, -E2BIG: too many instructions or frames, each with the instruction in d. */
int interp_run_checked(
	const struct prog *p, u8 *mem, size_t bytes, u8 *self, u64 max_insns, u64 *r0, struct diag *d);

#endif
