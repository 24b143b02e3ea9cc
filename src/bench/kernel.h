/* This machine's kernel as one of the engines: BPF_PROG_TEST_RUN with a repeat count. Needs root. */
#ifndef WEIR_BENCH_KERNEL_H
#define WEIR_BENCH_KERNEL_H

#include "base/types.h"

struct bench_kernel {
	int map, program; /* descriptors, -1: none */
	char why[160];	  /* it isn't there */
};

/* Instructions are given as words of 8 bytes, as they are in memory. */

/* The program as a socket filter, with r1 pointing to a copy of the memory, the value of an array of one element, and
 * r2 = its bytes. False: why
 * says it. */
bool bench_kernel_open(struct bench_kernel *k, const u64 *insns, u32 nr, const u8 *mem, u32 bytes);
/* The program as it is: maps are named by their descriptors, r1 is the context. It has run once then. */
bool bench_kernel_load(struct bench_kernel *k, const u64 *insns, u32 nr);
/* False, and `why` says what errno says of a map that couldn't be had. */
bool bench_kernel_no_map(struct bench_kernel *k);
void bench_kernel_close(struct bench_kernel *k);
/* Runs it `times` times; *result gets the lower half of r0. False: the kernel refused, errno is set. */
bool bench_kernel_run(const struct bench_kernel *k, u32 times, u32 *result);

/* A map of the kernel's enum bpf_map_type, or -1 with errno. Values are zero. */
int bench_kernel_map(u32 type, u32 key_bytes, u32 value_bytes, u32 entries);
/* Of a per-CPU map the value has room for all CPUs. */
bool bench_kernel_put(int map, const void *key, const void *value);

#endif
