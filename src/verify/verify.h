/* Abstract interpretation of a program: verdict, log in the kernel's words, facts. Edits nothing. */
#ifndef WEIR_VERIFY_VERIFY_H
#define WEIR_VERIFY_VERIFY_H

#include "verify/facts.h"

struct buf;
struct diag;

struct verify_opts {
	unsigned log_level;    /* 0: only the reason in diag; 1: the path to the error; 2: every step with its state */
	struct buf *log;       /* or NULL */
	u32 max_insns;	       /* instructions walked; 0 = VERIFY_MAX_INSNS */
	bool strict_alignment; /* as the kernel's BPF_F_STRICT_ALIGNMENT */
};

struct verify_stats {
	u32 insns_walked, states_kept, states_peak, branches_peak;
	u32 states_total, states_per_insn; /* kept for pruning */
	bool compares_addresses; /* what it does may differ from run to run, and from engine to engine */
};

/* Runs prog_check first. 0 and filled *facts, or -EACCES, -EINVAL, -E2BIG, -EPERM as bpf(BPF_PROG_LOAD) would, with the
 * reason and instruction in d; *facts then stays untouched. opts and stats may be NULL. */
int verify(const struct prog *p, const struct verify_opts *opts, struct facts *facts,
	struct verify_stats *stats, struct diag *d);

#endif
