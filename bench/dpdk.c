/* DPDK's engine, apart from weir's headers, since both name the parts of an instruction. No EAL is needed. */
#include "dpdk.h"

#include <rte_bpf.h>
#include <sys/mman.h>
#include <unistd.h>

/* The last step of rte_bpf_load. Only the static library shows it. */
int bpf_jit(struct rte_bpf *bpf);

struct rte_bpf *dpdk_load(const uint64_t *insns, uint32_t nr_insns, uint32_t mem_bytes)
{
	struct rte_bpf_prm prm = {.ins = (const struct ebpf_insn *)insns,
		.nb_ins = nr_insns,
		.prog_arg = {.type = RTE_BPF_ARG_PTR, .size = mem_bytes}};

	return rte_bpf_load(&prm);
}

void dpdk_free(struct rte_bpf *bpf)
{
	rte_bpf_destroy(bpf);
}

uint64_t dpdk_interpret(const struct rte_bpf *bpf, void *mem)
{
	return rte_bpf_exec(bpf, mem);
}

uint64_t (*dpdk_entry(const struct rte_bpf *bpf))(void *)
{
	struct rte_bpf_jit jit;

	return rte_bpf_get_jit(bpf, &jit) ? NULL : jit.func;
}

/* A loaded program is read-only; compiling notes in its first page where the code is. */
void dpdk_compile_ready(struct rte_bpf *bpf)
{
	mprotect(bpf, (size_t)getpagesize(), PROT_READ | PROT_WRITE);
}

int dpdk_compile(struct rte_bpf *bpf)
{
	return bpf_jit(bpf);
}

void dpdk_compile_after(struct rte_bpf *bpf)
{
	struct rte_bpf_jit jit;

	if (!rte_bpf_get_jit(bpf, &jit) && jit.func)
		munmap((void *)(uintptr_t)jit.func, jit.sz);
}
