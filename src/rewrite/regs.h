/* Which registers an instruction reads and writes, as one bit each. Behind the verifier only, so
 * calls are known. */
#ifndef WEIR_REWRITE_REGS_H
#define WEIR_REWRITE_REGS_H

#include "isa/insn.h"

enum { REGS_CALL_WRITES = 0x3f, REGS_CALL_READS = 0x3e };

u16 regs_read(struct insn i);
u16 regs_written(struct insn i);
/* The instruction does nothing but write a register: without that register's value it may go. */
bool regs_only_result(struct insn i);

#endif
