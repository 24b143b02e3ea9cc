/* Which registers an instruction reads and writes, as one bit each. Behind the verifier only, so
 * calls are known. */
#ifndef WEIR_REWRITE_REGS_H
#define WEIR_REWRITE_REGS_H

#include "isa/insn.h"

enum { REGS_CALL_WRITES = 0x3f, REGS_CALL_READS = 0x3e };

/* Of each opcode: what it does to the registers that are named in the instruction. SPECIAL: to others, too. */
enum { REGS_READS_DST = 1, REGS_READS_SRC = 2, REGS_WRITES_DST = 4, REGS_SPECIAL = 8 };
extern const u8 regs_uses[256];

u16 regs_read_special(struct insn i);
u16 regs_written_special(struct insn i);

static inline u16 regs_read(struct insn i)
{
	unsigned uses = regs_uses[i.code];

	if (uses & REGS_SPECIAL)
		return regs_read_special(i);
	return (u16)((uses & REGS_READS_DST) << i.dst | (uses & REGS_READS_SRC) >> 1 << i.src);
}

static inline u16 regs_written(struct insn i)
{
	unsigned uses = regs_uses[i.code];

	return uses & REGS_SPECIAL ? regs_written_special(i)
				   : (u16)((uses & REGS_WRITES_DST) >> 2 << i.dst);
}

/* The instruction does nothing but write a register: without that register's value it may go. */
bool regs_only_result(struct insn i);

#endif
