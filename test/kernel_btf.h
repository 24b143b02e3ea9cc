/* Loading programs whose subprograms have types, as the kernel wants them for callbacks and global functions: makes the BTF
 * that a compiler would. Apart from this header, nothing may include linux/bpf.h and isa/insn.h together. */
#ifndef WEIR_TEST_KERNEL_BTF_H
#define WEIR_TEST_KERNEL_BTF_H

#include "base/types.h"

enum kernel_arg_kind { KERNEL_ARG_SCALAR, KERNEL_ARG_CTX, KERNEL_ARG_MEM };

struct kernel_func {
	u32 pc;
	const char *name;
	bool global, returns_void;
	u32 nr_args;
	struct {
		enum kernel_arg_kind kind;
		bool nonnull;
		u32 bytes;
	} args[5];
};

/* As kernel_prog_load for an xdp program; funcs: every subprogram in order, the main one first. */
int kernel_xdp_load_typed(
	const void *insns, u32 nr, const struct kernel_func *funcs, u32 nr_funcs, char *log, u32 log_bytes);

#endif
