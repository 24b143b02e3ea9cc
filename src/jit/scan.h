/* What has to be known about a program before the first byte of code. */
#ifndef WEIR_JIT_SCAN_H
#define WEIR_JIT_SCAN_H

struct jit;

/* Fills subprogs, is_target, percpu and calls of j from j->prog and j->facts; memory is the arena's. Refuses, through
 * jit_fail, what no target can compile. */
void jit_scan(struct jit *j);

#endif
