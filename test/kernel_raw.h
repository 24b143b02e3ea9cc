/* A program of type raw in this machine's kernel: there it is a subprogram of one that looks for its memory, a packet.
 * BPF_PROG_TEST_RUN gives 32 bits only, so r0 is stored at the packet's end. */
#ifndef WEIR_TEST_KERNEL_RAW_H
#define WEIR_TEST_KERNEL_RAW_H

#include "isa/prog.h"

enum { KERNEL_RAW_LOG_BYTES = 1 << 16 };

/* r1: the packet, of `bytes` bytes; r2. 0, or -errno when the kernel doesn't load it; log, of KERNEL_RAW_LOG_BYTES: why. */
int kernel_raw_run(const struct prog *p, u8 *packet, u32 bytes, u32 r2, char *log);

#endif
