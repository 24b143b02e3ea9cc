/* Loading and test-running programs in this machine's kernel. Apart from the header, nothing may include
 * linux/bpf.h and isa/insn.h together: they define the same names. */
#ifndef WEIR_TEST_KERNEL_PROG_H
#define WEIR_TEST_KERNEL_PROG_H

#include "base/types.h"

enum { KERNEL_SOCKET_FILTER = 1, KERNEL_SCHED_CLS = 3, KERNEL_XDP = 6 }; /* enum bpf_prog_type */

/* False without the right to load programs: skip the test. */
bool kernel_progs_work(void);
/* insns: nr times struct insn. A descriptor, or -errno; log (may be NULL) gets the verifier's text. */
int kernel_prog_load(u32 type, const void *insns, u32 nr, char *log, u32 log_bytes);
/* A new map of the kernel's: a descriptor, or -errno. */
int kernel_map_new(u32 type, u32 key_size, u32 value_size, u32 max_entries, u32 flags);
/* Runs it once on a packet (14 bytes at least), which it may change. 0 and *retval, or -errno. */
int kernel_prog_run(int fd, u8 *packet, u32 len, u32 *retval);

#endif
