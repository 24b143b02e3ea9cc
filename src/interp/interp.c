/* One run of a program. The instruction's opcode selects a label through a table of 256 addresses; an opcode with
 * several forms decides by off or imm behind that. Programs come verified and rewritten, so nothing is checked here but
 * what would be a fault of the passes before. */
#include "interp/interp.h"

#include <string.h>

#include "base/limits.h"
#include "helper/helper.h"
#include "isa/op.h"

struct frame {
	const struct insn *ret;
	u64 saved[4]; /* r6 ... r9 of the caller */
	u8 stack[PROG_STACK_BYTES] __attribute__((aligned(16)));
};
