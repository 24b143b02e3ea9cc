/* The passes, one file each. Every one edits p through an editor, keeps f in step, and fails only
 * for want of memory or room: 0, -ENOMEM, -E2BIG. */
#ifndef WEIR_REWRITE_PASSES_H
#define WEIR_REWRITE_PASSES_H

#include "rewrite/rewrite.h"

int stack_zero_run(struct prog *p, struct facts *f, struct diag *d);
int callbacks_run(struct prog *p, struct facts *f, struct diag *d);
int legacy_load_run(struct prog *p, struct facts *f, struct diag *d);
int kfuncs_run(struct prog *p, struct facts *f, struct diag *d);
int map_lookup_run(struct prog *p, struct facts *f, struct diag *d);
int smp_processor_id_run(struct prog *p, struct facts *f, struct diag *d);
int tail_call_run(struct prog *p, struct facts *f, struct diag *d);
int thread_run(struct prog *p, struct facts *f, struct diag *d);
int dead_code_run(struct prog *p, struct facts *f, struct diag *d);
int dead_result_run(struct prog *p, struct facts *f, struct diag *d);
int dead_store_run(struct prog *p, struct facts *f, struct diag *d);
int ctx_access_run(struct prog *p, struct facts *f, struct diag *d);
int map_addr_run(struct prog *p, struct facts *f, struct diag *d);
int blind_run(struct prog *p, struct facts *f, struct diag *d);

#endif
