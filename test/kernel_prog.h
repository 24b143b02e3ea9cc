/* Loading and test-running programs in this machine's kernel. Apart from the header, nothing may include
 * linux/bpf.h and isa/insn.h together: they define the same names. */
#ifndef WEIR_TEST_KERNEL_PROG_H
#define WEIR_TEST_KERNEL_PROG_H

#include "base/types.h"

enum { /* enum bpf_prog_type */
	KERNEL_SOCKET_FILTER = 1,
	KERNEL_SCHED_CLS = 3,
	KERNEL_SCHED_ACT = 4,
	KERNEL_XDP = 6,
	KERNEL_CGROUP_SKB = 8,
	KERNEL_NETFILTER = 32,
};

/* False without the right to load programs: skip the test. */
bool kernel_progs_work(void);
/* insns: nr times struct insn. A descriptor, or -errno; log (may be NULL) gets the verifier's text. */
int kernel_prog_load(u32 type, const void *insns, u32 nr, char *log, u32 log_bytes);
/* The same for programs that are meant for one place: enum bpf_attach_type. */
int kernel_prog_load_as(u32 type, u32 attach_type, const void *insns, u32 nr, char *log, u32 log_bytes);
/* The same with a log level: 1 is the path to the error, 2 all. */
int kernel_prog_load_level(u32 type, u32 attach_type, const void *insns, u32 nr, char *log, u32 log_bytes,
	u32 level);
/* With types for its subprograms, all of them int f(): the kernel wants to know that before it allows tail calls in them. */
int kernel_prog_load_subprogs(u32 type, u32 attach_type, const void *insns, u32 nr, char *log, u32 log_bytes);
/* A new map of the kernel's: a descriptor, or -errno. */
int kernel_plain_map(u32 type, u32 key_size, u32 value_size, u32 max_entries, u32 flags);
/* The same of a map of maps: inner is a descriptor, or -1. */
int kernel_map_new_inner(u32 type, u32 key_size, u32 value_size, u32 max_entries, u32 flags, int inner);
/* From outside; 0 or -errno. In a prog array and in maps of maps the value is a descriptor. */
int kernel_elem_update(int map, const void *key, const void *value, u64 flags);
int kernel_elem_lookup(int map, const void *key, void *value);
int kernel_elem_delete(int map, const void *key);
/* Runs it once on a packet (14 bytes at least), which it may change. 0 and *retval, or -errno. */
int kernel_prog_run(int fd, u8 *packet, u32 len, u32 *retval);

struct kernel_run {
	const u8 *in;
	u32 in_bytes;
	u8 *out; /* the packet afterwards */
	u32 out_bytes; /* room there; gets how long the packet is */
	const void *ctx_in; /* struct xdp_md or __sk_buff, ctx_bytes long, or NULL */
	void *ctx_out;
	u32 ctx_bytes;
	u32 retval;
};

/* Runs it once. 0 or -errno. */
int kernel_prog_test(int fd, struct kernel_run *run);

#endif
