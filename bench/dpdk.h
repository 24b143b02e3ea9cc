/* DPDK's engine (librte_bpf), as bench-dpdk calls it. */
#ifndef WEIR_BENCH_DPDK_H
#define WEIR_BENCH_DPDK_H

#include <stdint.h>

struct rte_bpf;

/* Checks the program, whose r1 points to mem_bytes bytes, and compiles it. NULL: refused. */
struct rte_bpf *dpdk_load(const uint64_t *insns, uint32_t nr_insns, uint32_t mem_bytes);
void dpdk_free(struct rte_bpf *bpf);

/* In the interpreter. */
uint64_t dpdk_interpret(const struct rte_bpf *bpf, void *mem);
/* NULL: there is no native code. */
uint64_t (*dpdk_entry(const struct rte_bpf *bpf))(void *);
/* Compiles it once more, after dpdk_compile_ready. 0, or the program can't be compiled. */
void dpdk_compile_ready(struct rte_bpf *bpf);
int dpdk_compile(struct rte_bpf *bpf);
/* Forgets the code, so that another one may be made. */
void dpdk_compile_after(struct rte_bpf *bpf);

#endif
