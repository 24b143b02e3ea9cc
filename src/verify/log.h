/* The step log, in the manner of the kernel's. All of it does nothing without a buffer in the options. */
#ifndef WEIR_VERIFY_LOG_H
#define WEIR_VERIFY_LOG_H

#include "verify/verifier.h"

void log_start(struct verifier *v);
/* Before and behind a step. */
void log_insn(struct verifier *v, struct insn i);
void log_result(struct verifier *v, struct insn i);
void log_pruned(struct verifier *v);
/* The walk goes on at v->next_pc as the other way of the jump at v->pc. */
void log_branch(struct verifier *v);
/* Level 1 shows the path to the error only: back to where it was. */
void log_rewind(struct verifier *v, size_t len);
void log_stats(struct verifier *v);
void log_text(struct verifier *v, const char *text);

#endif
