/* What the kernel is to be told of a program's subprograms. */
#ifndef WEIR_TEST_KERNEL_FUNCS_H
#define WEIR_TEST_KERNEL_FUNCS_H

#include "isa/prog.h"
#include "kernel_btf.h"

/* Into out (room for PROG_MAX_SUBPROGS): every subprogram with its type; how many. *needed: the kernel doesn't load it
 * without. */
u32 kernel_funcs(const struct prog *p, struct kernel_func *out, bool *needed);

#endif
